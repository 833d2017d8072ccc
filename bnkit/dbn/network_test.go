package dbn_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/dbn"
)

// TestTemplate: each table stands in the template once; the first slice has variables with a
// table of their own, and parents.
func TestTemplate(t *testing.T) {
	for model, want := range map[string]string{
		"[rain|rain[t-1]][umbrella|rain]":      "[rain[0]][rain[1]|rain[0]][umbrella[1]|rain[1]]",
		"[rain| rain[t - 1] ] [umbrella|rain]": "[rain[0]][rain[1]|rain[0]][umbrella[1]|rain[1]]",
		"[umbrella|rain:umbrella[t-1]][rain]": "[umbrella[0]|rain[0]][rain[0]]" +
			"[umbrella[1]|rain[1]:umbrella[0]][rain[1]]",
		"[rain|rain[t-1]][umbrella|rain][umbrella[0]|rain]": "[rain[0]][umbrella[0]|rain[0]][rain[1]|rain[0]]" +
			"[umbrella[1]|rain[1]]",
		"[rain|rain[t-1]][umbrella|rain][umbrella[0]]": "[rain[0]][umbrella[0]][rain[1]|rain[0]]" +
			"[umbrella[1]|rain[1]]",
		"[rain|umbrella[t-1]][umbrella][rain[0]|umbrella]": "[rain[0]|umbrella[0]][umbrella[0]][rain[1]|umbrella[0]]" +
			"[umbrella[1]]",
		"[rain][umbrella|rain]": "[rain[1]][umbrella[1]|rain[1]]",
		"[umbrella|rain:umbrella[t-1]][rain|rain[t-1]][umbrella[0]]": "[umbrella[0]][rain[0]]" +
			"[umbrella[1]|rain[1]:umbrella[0]][rain[1]|rain[0]]",
	} {
		net := network(t, model, bn.Discrete("umbrella", "no", "yes"), bn.Discrete("rain", "no", "yes"))
		if got := net.Template().String(); got != want {
			t.Errorf("template of %s is %s, want %s", model, got, want)
		}
		if got := network(t, net.String(), net.Variables()...); got.String() != net.String() ||
			got.Template().String() != want {
			t.Errorf("%s is written %s, which is read as %s", model, net, got)
		}
	}
}

func TestNewErrors(t *testing.T) {
	a, b := bn.Discrete("a", "0", "1"), bn.Discrete("b", "0", "1")
	for model, c := range map[string]struct {
		is      error
		message string
	}{
		"":                             {nil, "no variables"},
		"a|b":                          {nil, `position 1: found "a|b"`},
		"[a][b|a[t-1]":                 {nil, "position 4: the bracket is not closed"},
		"[a][|b]":                      {nil, "position 4: a name is missing"},
		"[a][b|a:]":                    {nil, `position 4: a parent of "b"`},
		"[a[1]][b]":                    {nil, "[a[0]|…] for the first"},
		"[a[t-1]][b]":                  {nil, "[a[0]|…] for the first"},
		"[a][b|a[t-2]]":                {nil, "a[t-1] for the one before"},
		"[a][b|a[0]]":                  {nil, "a for the same slice"},
		"[a][b][b[0]|a[t-1]]":          {nil, "no slice before"},
		"[a][b|a[]]":                   {nil, `"a[]" is no name`},
		"[a][b|a|c]":                   {nil, "is no name"},
		"[a][b[0]]":                    {bn.ErrUnknownVariable, "first slice only"},
		"[a][b][b[0]][b[0]]":           {bn.ErrDuplicate, "position 13"},
		"[a][a][b]":                    {bn.ErrDuplicate, "position 4"},
		"[a][b|c]":                     {bn.ErrUnknownVariable, `"c"`},
		"[a]":                          {bn.ErrUnknownVariable, `"b"`},
		"[a][b][c]":                    {nil, `bn.Discrete("c", …)`},
		"[a|b][b|a]":                   {nil, "a[1] → b[1] → a[1]"},
		"[a|b][b|b[t-1]][b[0]|a]":      {nil, "cycle"},
		"[a][b|a:a]":                   {bn.ErrDuplicate, `"a[1]"`},
		"[a|a[t-1]:a[t-1]][b|a[t - 1]": {nil, "not closed"},
	} {
		_, err := dbn.New(model, a, b)
		if err == nil || c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%q: error %v, want %v with %q", model, err, c.is, c.message)
		}
	}
	if _, err := dbn.New("[a][b]", a, b, a); !errors.Is(err, bn.ErrDuplicate) {
		t.Errorf("a variable given twice: %v", err)
	}
}

// TestUnroll compares with the network written by hand.
func TestUnroll(t *testing.T) {
	net := scene(t, "[u][s|s[t-1]:u][y|s]", 1)
	got := must(net.Unroll(3))(t)
	want := "[u[0]][s[0]|u[0]][y[0]|s[0]][u[1]][s[1]|s[0]:u[1]][y[1]|s[1]][u[2]][s[2]|s[1]:u[2]][y[2]|s[2]]"
	if got.String() != want {
		t.Fatalf("unrolled to %s", got)
	}
	for name, from := range map[string]string{"u[0]": "u[1]", "u[2]": "u[1]", "s[0]": "s[0]", "s[1]": "s[1]",
		"s[2]": "s[1]", "y[0]": "y[1]", "y[2]": "y[1]"} {
		a, b := must(got.Table(name))(t), must(net.Template().Table(from))(t)
		for i := range a.P {
			if a.P[i] != b.P[i] {
				t.Errorf("%s is not the table of %s", name, from)
			}
		}
	}
	for _, length := range []int{0, -1, math.MaxInt >> 4} {
		if _, err := net.Unroll(length); err == nil {
			t.Errorf("unrolled to %d slices", length)
		}
	}
}

func TestTables(t *testing.T) {
	net := scene(t, "[u][s|s[t-1]:u][y|s]", 1)
	if err := net.SetTable("u[0]", "0 1\n 0.5 0.5"); err == nil || !strings.Contains(err.Error(), `the table of "u[1]"; set that`) {
		t.Errorf("a table that is not looked at was set: %v", err)
	}
	if err := net.SetTable("u[1]", "0 1\n 0.1 0.9"); err != nil {
		t.Fatal(err)
	}
	if got := must(net.Template().Table("u[0]"))(t).P[1]; got != 0.9 {
		t.Errorf("the first slice of the template has P(u=1) %v", got)
	}
	if err := net.SetTable("u[2]", ""); !errors.Is(err, bn.ErrUnknownVariable) {
		t.Errorf("error %v", err)
	}
	other := net.Clone()
	random(other, rand.New(rand.NewPCG(9, 9)))
	if must(net.Template().Table("u[1]"))(t).P[1] != 0.9 {
		t.Error("a clone shares tables")
	}
	same := must(net.With(other.Template()))(t)
	for cell, x := range parameters(other)[2:] { // after u[0], which is a copy
		if parameters(same)[2+cell] != x {
			t.Fatal("With has other parameters")
		}
	}
	if a, b := must(same.Template().Table("u[0]"))(t).P[0], must(same.Template().Table("u[1]"))(t).P[0]; a != b {
		t.Errorf("With leaves u[0] at %v, u[1] is %v", a, b)
	}
	if _, err := net.With(weather(t).Template()); err == nil {
		t.Error("took a template of another structure")
	}
	three := network(t, "[rain|rain[t-1]][umbrella|rain]", bn.Discrete("rain", "no", "yes"),
		bn.Discrete("umbrella", "no", "yes", "lost"))
	if _, err := three.With(weather(t).Template()); err == nil {
		t.Error("took a template with other states")
	}
}

// TestSample: frequencies are probabilities within five standard errors, and series do not
// depend on those after them.
func TestSample(t *testing.T) {
	for _, sc := range scenes {
		net := scene(t, sc.model, 40)
		const n = 4000
		lengths := make([]int, n)
		for i := range lengths {
			lengths[i] = 3
		}
		s := must(net.Sample(lengths, rand.NewPCG(41, 0)))(t)
		nothing := csv(t, "series,time\n a,0\n")
		all := worlds(t, net, nothing, 0, 3, -1)
		for v, variable := range net.Variables() {
			c := must(s.Table().Column(variable.Name))(t)
			for slice := range 3 {
				want, got := posterior(all, slice, v, variable.Cardinality()), make([]float64, variable.Cardinality())
				for i := range n {
					got[c.States[3*i+slice]] += 1. / n
				}
				for state, p := range want {
					if d := got[state] - p; d*d > 25*p*(1-p)/n {
						t.Errorf("%s: slice %d, %s: %v, want %v", sc.name, slice, variable, got, want)
						break
					}
				}
			}
		}
		again := must(net.Sample(lengths[:10], rand.NewPCG(41, 0)))(t)
		if again.Table().Hash() != s.Table().Head(30).Hash() {
			t.Errorf("%s: the first series of more are others", sc.name)
		}
	}
}

func TestSampleErrors(t *testing.T) {
	net := weather(t)
	bad := weather(t)
	bad.Template().CPT(0).P[0] = 2
	for name, c := range map[string]struct {
		err     error
		message string
	}{
		"no source":   {second(net.Sample([]int{1}, nil)), "source"},
		"no series":   {second(net.Sample(nil, rand.NewPCG(1, 0))), "no lengths"},
		"length 0":    {second(net.Sample([]int{1, 0}, rand.NewPCG(1, 0))), "series 2 of length 0"},
		"too long":    {second(net.Sample([]int{math.MaxInt >> 4}, rand.NewPCG(1, 0))), "cells"},
		"bad network": {second(bad.Sample([]int{1}, rand.NewPCG(1, 0))), "rain[0]"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.message) {
			t.Errorf("%s: error %v, want %q", name, c.err, c.message)
		}
	}
}

// Series have columns of the variables' names: how the columns of cases are read is left behind.
func TestNoEncoding(t *testing.T) {
	rain := bn.Discrete("rain", "no", "yes")
	rain.Encoding = millimetres{}
	net := network(t, "[rain|rain[t-1]]", rain)
	unrolled, err := net.Unroll(2)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range slices.Concat(net.Variables(), net.Template().Variables(), unrolled.Variables()) {
		if v.Encoding != nil {
			t.Errorf("%s is read from column %q", v.Name, v.Encoding.DataColumn())
		}
	}
}

type millimetres struct{}

func (millimetres) DataColumn() string             { return "mm" }
func (millimetres) State(string) (bn.State, error) { return 0, nil }
