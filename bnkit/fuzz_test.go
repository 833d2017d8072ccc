package bnkit_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// oddNames and oddCells are what spreadsheets and their exports really contain, and
// worse.
var (
	oddNames = []string{
		"a", "b", "A", "a", " a", "b ", "", "X0", "\ufeffa", "größe", "名前", "a b", "a,b", "a\"b", "a\nb", "a\rb",
		"a|b", "a:b", "[a]", "NaN", "NA", "\xff", "a=b", "\u200b", strings.Repeat("n", 300),
	}
	oddCells = []string{
		"a", "b", "yes", "no", "", " ", "NaN", "NA", "?", ".", "null", "Inf", "-Inf", "1", "2", "3.5", "-0", "1e400",
		"0x10", "1e6", "1000000", "true", "false", "a,b", "a\"b", "a\nb", "a\r\nb", "\r", "\"", "\xff", "\ufeff", "é",
		"日本",
		"<5", ">5", " a", "a ", "\t", strings.Repeat("c", 300),
	}
	oddNumbers = []float64{0, math.Copysign(0, -1), 1, 2, 3, 1e6, 1.5, -7, 1e-320, 1e300, math.MaxFloat64, math.NaN(),
		math.Inf(1), math.Inf(-1)}
)

// A chooser turns fuzz input into choices; out of input it chooses 0.
type chooser struct{ in []byte }

func (c *chooser) n(n int) int {
	if len(c.in) == 0 {
		return 0
	}
	b := c.in[0]
	c.in = c.in[1:]
	return int(b) % n
}

func (c *chooser) text(from []string) string { return from[c.n(len(from))] }

func (c *chooser) column(rows int) series.Series {
	name := c.text(oddNames)
	switch c.n(6) {
	case 0:
		v := make([]float64, rows)
		for i := range v {
			v[i] = oddNumbers[c.n(len(oddNumbers))]
		}
		return series.New(v, series.Float, name)
	case 1:
		v := make([]int, rows)
		for i := range v {
			v[i] = c.n(256) - 3
		}
		return series.New(v, series.Int, name)
	case 2:
		v := make([]bool, rows)
		for i := range v {
			v[i] = c.n(2) == 1
		}
		return series.New(v, series.Bool, name)
	case 3: // few, well-behaved states
		v := make([]string, rows)
		for i := range v {
			v[i] = oddCells[c.n(4)]
		}
		return series.New(v, series.String, name)
	case 4: // a state for nearly each row
		v := make([]int, rows)
		for i := range v {
			v[i] = i * (1 + c.n(3))
		}
		return series.New(v, series.String, name)
	}
	v := make([]string, rows)
	for i := range v {
		v[i] = c.text(oddCells)
	}
	return series.New(v, series.String, name)
}

func (c *chooser) frame() dataframe.DataFrame {
	rows := []int{4, 1, 2, 0, 7, 30}[c.n(6)]
	cols := make([]series.Series, c.n(5))
	for i := range cols {
		cols[i] = c.column(rows)
	}
	df := dataframe.New(cols...)
	if df.Err == nil {
		switch c.n(10) {
		case 1: // names twice and empty ones, which New would mend
			names := df.Names()
			for i := range names {
				names[i] = c.text(oddNames)
			}
			df.SetNames(names...)
		case 2:
			df = df.Rename(c.text(oddNames), df.Names()[0])
		case 3:
			df = df.Subset([]int{})
		case 4:
			df.Err = errors.New("an error that nobody looked at")
		case 5:
			df = dataframe.DataFrame{}
		}
	}
	return df
}

func (c *chooser) model(df dataframe.DataFrame) string {
	if c.n(4) == 0 {
		return []string{"", "[a]", "[a][b|a]", "[b][a|b]", "[a|b][b|a]", "[a", "[a|a]", "[a][a]", "[]", "[a|]", "[a]x",
			"[ a ][b|:]", "\xff", "[\xff]"}[c.n(14)]
	}
	var b strings.Builder
	for i, name := range df.Names() {
		if c.n(5) == 0 {
			continue
		}
		b.WriteString("[" + name)
		if i > 0 && c.n(2) == 0 {
			b.WriteString("|" + df.Names()[c.n(i)])
		}
		b.WriteString("]")
	}
	return b.String()
}

func (c *chooser) states(df dataframe.DataFrame) map[string][]string {
	if c.n(3) > 0 {
		return nil
	}
	states := make(map[string][]string)
	for _, name := range append(df.Names(), c.text(oddNames)) {
		if c.n(3) > 0 {
			continue
		}
		list := make([]string, c.n(5))
		for i := range list {
			list[i] = c.text(oddCells)
		}
		states[name] = list
	}
	return states
}

func (c *chooser) method(net *bn.Network) learn.Method {
	var of []constraint.Constraint
	for range c.n(3) {
		v := bn.Variable{Name: c.text(oddNames)}
		if net != nil && c.n(4) > 0 {
			v = net.Variable(c.n(net.Len()))
		}
		names := append(append([]string{}, v.States...), "a", "zz")
		groups := [][]string{{names[0], names[c.n(len(names))]}}
		switch c.n(7) {
		case 0:
			of = append(of, nil)
		case 1:
			of = append(of, constraint.ShareStates{Var: v.Name, Groups: groups, Given: bn.Given{c.text(oddNames): "a"}})
		case 2:
			of = append(of, &constraint.ShareStates{Var: v.Name, Groups: groups,
				Alpha: []float64{oddNumbers[c.n(len(oddNumbers))]}})
		case 3:
			of = append(of, constraint.ShareAcross{Var: v.Name})
		case 4:
			of = append(of, constraint.AtMost{Var: v.Name, States: groups[0][:1], P: oddNumbers[c.n(len(oddNumbers))]})
		case 5:
			of = append(of, constraint.OrderSums{Var: v.Name, Groups: [][]string{groups[0][:1], groups[0][1:]},
				Factor: oddNumbers[c.n(len(oddNumbers))]})
		case 6:
			of = append(of, constraint.Fixed{Var: v.Name,
				P: map[string]float64{names[0]: oddNumbers[c.n(len(oddNumbers))]}})
		}
	}
	switch c.n(4) {
	case 0:
		return nil
	case 1:
		return learn.ML{Constraints: of}
	case 2:
		return learn.MAP{Pseudocount: oddNumbers[c.n(len(oddNumbers))], Constraints: of}
	}
	return learn.MAP{Pseudocount: 1, Alpha: map[string][]float64{c.text(oddNames): {1, 2}}, Constraints: of}
}

func (c *chooser) rules() []data.Discretizer {
	var rules []data.Discretizer
	for range c.n(3) {
		name := c.text(oddNames)
		x := oddNumbers[c.n(len(oddNumbers))]
		rules = append(rules, []data.Discretizer{
			data.Quantiles{Column: name, Bins: c.n(5)},
			data.EqualWidth{Column: name, Bins: c.n(5)},
			data.Cuts{Column: name, Cuts: []float64{x}},
			data.Cuts{Column: name, Cuts: []float64{1, x}, Names: []string{"low", "high"}},
			data.Order{Column: name, States: []string{"no", "yes", "a", "b"}},
			data.Merge{Column: name, Groups: []data.Group{{Name: "any", States: []string{"a", "b", "yes", "no"}}}},
			data.Steps(nil), nil,
		}[c.n(8)])
	}
	return rules
}

// useVerbs calls every verb on one frame, and on a second one, and checks what they
// return. A panic fails the test.
func useVerbs(t *testing.T, in []byte) {
	c := &chooser{in}
	df := c.frame()
	other := df
	if c.n(2) == 1 {
		other = c.frame()
	}
	src := rand.NewPCG(1, uint64(len(in)))
	dir := t.TempDir()
	states := c.states(df)

	if table, err := bnkit.Table(df, states); err == nil {
		back, err := bnkit.Table(bnkit.Frame(table), data.StatesOf(table.Variables()...))
		if err == nil && back.Rows() != table.Rows() {
			t.Errorf("%d rows become %d on the way through a frame", table.Rows(), back.Rows())
		}
	}
	check(t, df.Err != nil || df.Nrow() == 0, second(bnkit.Summary(df)))
	check(t, df.Err != nil || df.Nrow() == 0, second(bnkit.DropMissing(df, df.Names()...)))
	_, _ = bnkit.DropMissing(df, c.text(oddNames), c.text(oddNames))
	if train, rest, err := bnkit.Split(df, c.n(9)-1, src); err == nil && train.Nrow()+rest.Nrow() != df.Nrow() {
		t.Errorf("%d rows split into %d and %d", df.Nrow(), train.Nrow(), rest.Nrow())
	}
	path := filepath.Join(dir, "cases.csv")
	if err := bnkit.WriteCSV(path, df); err == nil {
		if read, err := bnkit.ReadCSV(path, nil); err == nil && read.Nrow() != df.Nrow() {
			t.Errorf("%d rows written, %d read: %v", df.Nrow(), read.Nrow(), df)
		}
	}

	cuts, err := bnkit.Discretize(df, c.rules()...)
	set := &bnkit.Settings{SkipMissing: c.n(2) == 1, Seed: 3}
	if err == nil && c.n(2) == 1 {
		set.Discretization = cuts
	}
	bnkit.Apply(other, cuts)
	net, err := bnkit.NewNetwork(c.model(df), df,
		&bnkit.NetworkOptions{States: states, Discretization: set.Discretization})
	if err != nil {
		net = nil
	}
	m, err := bnkit.Fit(t.Context(), net, df, c.method(net), set)
	if err != nil {
		if m != nil {
			t.Error("a model beside an error")
		}
		m = bnkit.ModelOf(net)
	} else if err := m.Net.Validate(); err != nil {
		t.Errorf("fitted to a network that is not valid: %v", err)
	}

	target := c.text(oddNames)
	if net != nil && c.n(4) > 0 {
		target = net.Variable(c.n(net.Len())).Name
	}
	if score, err := bnkit.LogScore(m, other); err == nil && math.IsNaN(score.LogScore) {
		t.Error("a score is NaN")
	}
	if score, err := bnkit.ConditionalLogScore(m, other, target); err == nil && math.IsNaN(score.LogScore) {
		t.Error("a score is NaN")
	}
	if p, err := bnkit.Predict(m, other, target); err == nil {
		for row := range p.Nrow() {
			sum := 0.0
			for col := range p.Ncol() {
				sum += p.Elem(row, col).Float()
			}
			if !(math.Abs(sum-1) < 1e-9) {
				t.Errorf("predictions in row %d sum to %v", row+1, sum)
			}
		}
	}
	_, _ = bnkit.CPT(net, target)
	_, _ = bnkit.Check(net, m.Statements...)
	_, _ = bnkit.Multipliers(m)
	_, _ = bnkit.Audit(t.Context(), m, &learn.AuditSettings{Simulations: 3, Seed: src.Uint64()})
	if df, err := bnkit.Intervals(t.Context(), m, target,
		&bnkit.IntervalSettings{Draws: 98 + c.n(40), Src: src}); err == nil {
		for row := range df.Nrow() {
			at := df.Ncol() - 4 // mean, low, high and the note are the last
			mean, low, high := df.Elem(row, at).Float(), df.Elem(row, at+1).Float(), df.Elem(row, at+2).Float()
			if !(0 <= low && low <= high && high <= 1 && 0 <= mean && mean <= 1+1e-9) {
				t.Errorf("a mean of %v, an interval from %v to %v", mean, low, high)
			}
		}
	}
	if df, err := bnkit.Coefficients(m, target); err == nil {
		for row := range df.Nrow() {
			at := df.Ncol() - 5 // estimate, standard error, low, high and the note are the last
			if low, high := df.Elem(row, at+2), df.Elem(row, at+3); !low.IsNA() && !(low.Float() <= high.Float()) {
				t.Errorf("an interval from %v to %v", low, high)
			}
		}
	}
	_, _, _ = bnkit.GroupAll(t.Context(), m, nil)
	if m.String() == "" {
		t.Error("a model prints as nothing")
	}
	if drawn, err := bnkit.Sample(net, c.n(5)-1, src); err == nil && drawn.Nrow() > 0 {
		_, _ = bnkit.LogScore(m, drawn)
	}
	model := filepath.Join(dir, "model.json")
	if err := bnkit.Save(model, m); err == nil {
		if _, err := bnkit.Load(model); err != nil {
			t.Errorf("a model that Save wrote: %v", err)
		}
	} else if m.Cases > 0 && !errors.Is(err, data.ErrEncoding) {
		t.Errorf("a fitted model is not saved: %v", err)
	}
}

// check reports a verb that has no error where it must have one.
func check(t *testing.T, must bool, err error) {
	t.Helper()
	if must && err == nil {
		t.Error("no error for a frame that is empty or carries an error")
	}
}

// FuzzVerbs keeps the promise that no exported function panics on any frame.
func FuzzVerbs(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		in := make([]byte, 10+rng.IntN(300))
		for i := range in {
			in[i] = byte(rng.Uint32())
		}
		f.Add(in)
	}
	f.Fuzz(useVerbs)
}

// FuzzLoad reads any file as a model; what is read can be used, written and read.
func FuzzLoad(f *testing.F) {
	curved := letters(f, learn.ML{Constraints: []constraint.Constraint{product}})
	for _, m := range []*bnkit.Model{fitted(f), curved, bnkit.ModelOf(fitted(f).Net)} {
		path := filepath.Join(f.TempDir(), "m.json")
		if err := bnkit.Save(path, m); err != nil {
			f.Fatal(err)
		}
		f.Add(must[[]byte](f)(os.ReadFile(path)))
	}
	f.Add([]byte(`{"format":"bnlab model 1","variables":[]}`))
	f.Add([]byte(
		`{"format":"bnlab model 1","variables":[{"name":"Y","parents":[],"linear_gaussian":{"intercept":[0],"weights":[[]],"variance":[1]}}]}`))
	f.Add([]byte(`{"format":"bnlab model 1","variables":[{"name":"Y","parents":["Y"],"states":["a"],"table":[1]}]}`))
	f.Add([]byte(
		`{"format":"bnlab model 1","variables":[{"name":"Y","parents":[],"states":["a"],"table":[1]}],"knowledge":[{"type":"share-states"}],"discretization":{"columns":null}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "m.json")
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		m, err := bnkit.Load(path)
		if err != nil {
			return
		}
		if err := bnkit.Save(path, m); err != nil {
			t.Fatalf("a model that Load read: %v", err)
		}
		if _, err := bnkit.Load(path); err != nil {
			t.Fatalf("a model that Load read and Save wrote: %v", err)
		}
		df, err := bnkit.Sample(m.Net, 3, rand.NewPCG(1, 0))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = bnkit.LogScore(m, df)
		_, _ = bnkit.Check(m.Net, m.Statements...)
		_, _ = bnkit.Multipliers(m)
		_, _ = bnkit.Audit(t.Context(), m, nil)
		_ = m.String()
		for _, v := range m.Net.Variables() {
			_, _ = bnkit.Predict(m, df, v.Name)
			_, _ = bnkit.CPT(m.Net, v.Name)
			_, _ = bnkit.Intervals(t.Context(), m, v.Name, draws(9))
			_, _ = m.RowStatements(v.Name)
			_, _ = m.FamilyCounts(v.Name)
		}
	})
}

// Nothing given where something is needed is an error, most often one of a line above
// that was not looked at.
func TestNilArguments(t *testing.T) {
	df := patients()
	m := fitted(t)
	empty, err := bn.NewDAG(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	none := must[*bn.Network](t)(bn.NewNetwork(empty, nil))
	tests := map[string]error{
		"Fit, no network":               second(bnkit.Fit(t.Context(), nil, df, learn.ML{}, nil)),
		"Fit, an empty network":         second(bnkit.Fit(t.Context(), none, df, learn.ML{}, nil)),
		"Fit, no method":                second(bnkit.Fit(t.Context(), m.Net, df, nil, nil)),
		"Score, no model":               second(bnkit.LogScore(nil, df)),
		"Score, an empty model":         second(bnkit.LogScore(&bnkit.Model{}, df)),
		"Score, of no network":          second(bnkit.LogScore(bnkit.ModelOf(nil), df)),
		"ConditionalLogScore, no model": second(bnkit.ConditionalLogScore(nil, df, "grade")),
		"Predict, no model":             second(bnkit.Predict(nil, df, "grade")),
		"Predict, empty network":        second(bnkit.Predict(bnkit.ModelOf(none), df, "grade")),
		"Sample, no network":            second(bnkit.Sample(nil, 3, rand.NewPCG(1, 0))),
		"CPT, no network":               second(bnkit.CPT(nil, "grade")),
		"Check, an empty network":       second(bnkit.Check(none)),
		"Audit, an empty model":         second(bnkit.Audit(t.Context(), &bnkit.Model{}, nil)),
		"Forces, of no network":         second(bnkit.Multipliers(bnkit.ModelOf(nil))),
		"Intervals, no model":           second(bnkit.Intervals(t.Context(), nil, "grade", draws(9))),
		"Save, no network":              bnkit.Save(filepath.Join(t.TempDir(), "m.json"), bnkit.ModelOf(nil)),
		"Save, an empty network":        bnkit.Save(filepath.Join(t.TempDir(), "m.json"), bnkit.ModelOf(none)),
		"FamilyCounts, no network":      second(bnkit.ModelOf(nil).FamilyCounts("grade")),
		"Frame, no table":               bnkit.Frame(nil).Err,
	}
	_, _, tests["Split, no source"] = bnkit.Split(df, 2, nil)
	_, tests["Discretize, no rule"] = bnkit.Discretize(df, nil)
	for name, err := range tests {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
