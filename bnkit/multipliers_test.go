package bnkit_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
)

// With counts 6, 3, 1 and P(X=a) ≤ p the objective 6 log p + 4 log(1−p) + … rises by
// 6/p − 4/(1−p) for each unit of p: 100/7 at 0.3. Pseudocounts of 1 make it 7/p − 6/(1−p).
func TestForces(t *testing.T) {
	cap := constraint.AtMost{Var: "X", States: []string{"a"}, P: 0.3}
	idle := constraint.AtMost{Var: "X", States: []string{"c"}, P: 0.9}
	for _, tt := range []struct {
		method learn.Method
		want   float64
	}{
		{learn.ML{Constraints: []constraint.Constraint{cap, idle}}, 100. / 7},
		{learn.MAP{Pseudocount: 1, Constraints: []constraint.Constraint{cap, idle}}, 7/0.3 - 6/0.7},
	} {
		m := letters(t, tt.method)
		path := filepath.Join(t.TempDir(), "m.json")
		if err := bnkit.Save(path, m); err != nil {
			t.Fatal(err)
		}
		for from, m := range map[string]*bnkit.Model{"fitted": m, "loaded": must[*bnkit.Model](t)(bnkit.Load(path))} {
			df := must[dataframe.DataFrame](t)(bnkit.Multipliers(m))
			if df.Nrow() != 2 {
				t.Fatalf("%s: %v", from, df)
			}
			for row, want := range []struct {
				statement, active string
				multiplier        float64
			}{{cap.String(), "true", tt.want}, {idle.String(), "false", 0}} {
				if df.Elem(row, 0).String() != want.statement || df.Elem(row, 1).String() != want.statement ||
					df.Elem(row, 2).String() != want.active ||
					!(math.Abs(df.Elem(row, 3).Float()-want.multiplier) < 1e-8) || !(df.Elem(row, 4).Float() < 1e-9) {
					t.Errorf("%s, %v: row %v, want %v", from, tt.method, df.Records()[row+1], want)
				}
			}
		}
	}
	if df := must[dataframe.DataFrame](t)(bnkit.Multipliers(letters(t, learn.ML{}))); df.Err != nil || df.Nrow() != 0 ||
		df.Ncol() != 5 {
		t.Errorf("without statements: %v, %v", df, df.Err)
	}
}

func TestForcesErrors(t *testing.T) {
	for name, tt := range map[string]struct {
		err  error
		says string
	}{
		"no model": {second(bnkit.Multipliers(nil)), "no network"},
		"a network that was written": {second(bnkit.Multipliers(bnkit.ModelOf(letters(t, learn.ML{}).Net))),
			"not fitted"},
	} {
		if tt.err == nil || !strings.Contains(tt.err.Error(), tt.says) {
			t.Errorf("%s: error %v", name, tt.err)
		}
	}
}

func ExampleMultipliers() {
	df, err := bnkit.DropMissing(smokers(), "smoker", "cough")
	if err != nil {
		fmt.Println(err)
		return
	}
	net, err := bnkit.NewNetwork("[smoker][cough|smoker]", df, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	// Three of four smokers cough, and one of five others.
	half := constraint.AtMost{Var: "cough", States: []string{"yes"}, P: 0.5}
	m, err := bnkit.Fit(context.Background(), net, df, learn.ML{Constraints: []constraint.Constraint{half}}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	multipliers, err := bnkit.Multipliers(m)
	if err != nil {
		fmt.Println(err)
		return
	}
	for row := range multipliers.Nrow() {
		fmt.Printf("%s: active %s, %.3f nats\n", multipliers.Elem(row, 1), multipliers.Elem(row, 2),
			multipliers.Elem(row, 3).Float())
	}
	// Output:
	// P(cough=yes | smoker=no) ≤ 0.5: active false, 0.000 nats
	// P(cough=yes | smoker=yes) ≤ 0.5: active true, 4.000 nats
}
