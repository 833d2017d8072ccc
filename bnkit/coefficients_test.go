package bnkit_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

// A regression given a market: four days each, so two degrees of freedom.
func TestCoefficientsFrame(t *testing.T) {
	df := stocks()
	net := must[*bn.Network](t)(bnkit.NewNetwork("[market][MSFT][DELL|market:MSFT]", df, nil))
	prior := &constraint.GaussianPrior{Shape: 1, Scale: 0.5, Precision: 0.25}
	for _, method := range []learn.Method{
		learn.ML{},
		learn.MAP{Gaussian: prior, Constraints: []constraint.Constraint{constraint.ShareWeightsAcross{Var: "DELL"}}},
	} {
		m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, method, nil))
		got := must[dataframe.DataFrame](t)(bnkit.Coefficients(m, "DELL"))
		if want := "[market term estimate stderr low high note]"; fmt.Sprint(got.Names()) != want || got.Nrow() != 6 {
			t.Fatalf("columns %v, %d rows", got.Names(), got.Nrow())
		}
		g := m.Net.Gaussian(2)
		for row, want := range []struct {
			market, term string
			estimate     float64
		}{
			{"down", "(intercept)", g.Intercept[0]}, {"down", "MSFT", g.Weights[0][0]},
			{"down", "(standard deviation)", math.Sqrt(g.Variance[0])},
			{"up", "(intercept)", g.Intercept[1]}, {"up", "MSFT", g.Weights[1][0]},
			{"up", "(standard deviation)", math.Sqrt(g.Variance[1])},
		} {
			if got.Elem(row, 0).String() != want.market || got.Elem(row, 1).String() != want.term {
				t.Errorf("row %d is %v %v, want %v", row, got.Elem(row, 0), got.Elem(row, 1), want)
			}
			numtest.Close(t, got.Col("estimate").Elem(row).Float(), want.estimate, 0, 0)
			low, high := got.Col("low").Elem(row).Float(), got.Col("high").Elem(row).Float()
			if !(got.Col("stderr").Elem(row).Float() > 0) || !(low < want.estimate && want.estimate < high) {
				t.Errorf("row %d: %v from %v to %v", row, want.estimate, low, high)
			}
		}
		// The same from a file, prior and statements included.
		path := filepath.Join(t.TempDir(), "m.json")
		if err := bnkit.Save(path, m); err != nil {
			t.Fatal(err)
		}
		again := must[dataframe.DataFrame](t)(bnkit.Coefficients(must[*bnkit.Model](t)(bnkit.Load(path)), "DELL"))
		if fmt.Sprint(again.Records()) != fmt.Sprint(got.Records()) {
			t.Errorf("of a model from a file\n%v, want\n%v", again, got)
		}
	}
}

func TestCoefficientsErrors(t *testing.T) {
	df := stocks()
	net := must[*bn.Network](t)(bnkit.NewNetwork("[market][DELL|market]", df, nil))
	m := bnkit.ModelOf(net)
	for _, tt := range []struct {
		name string
		err  error
		is   error
		says string
	}{
		{"no model", second(bnkit.Coefficients(nil, "DELL")), nil, "no network"},
		{"a stranger", second(bnkit.Coefficients(m, "IBM")), bn.ErrUnknownVariable, "IBM"},
		{"a table", second(bnkit.Coefficients(m, "market")), nil, "use CPT"},
	} {
		if tt.err == nil || tt.is != nil && !errors.Is(tt.err, tt.is) || !strings.Contains(tt.err.Error(), tt.says) {
			t.Errorf("%s: error %v", tt.name, tt.err)
		}
	}
	got := must[dataframe.DataFrame](t)(bnkit.Coefficients(m, "DELL"))
	if x := got.Elem(0, 3); !x.IsNA() || got.Elem(0, 6).String() != "not fitted to cases" {
		t.Errorf("a network that was not fitted has the standard error %v", x)
	}
}

// Priors in a file are as many as variables.
func TestLoadPriors(t *testing.T) {
	df := stocks()
	net := must[*bn.Network](t)(bnkit.NewNetwork("[DELL]", df, nil))
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df,
		learn.MAP{Gaussian: &constraint.GaussianPrior{Shape: 1, Scale: 1}},
		nil))
	m.GaussianPriors = append(m.GaussianPriors, nil)
	path := filepath.Join(t.TempDir(), "m.json")
	if err := bnkit.Save(path, m); err != nil {
		t.Fatal(err)
	}
	if _, err := bnkit.Load(path); err == nil || !strings.Contains(err.Error(), "2 normal-inverse-gamma priors for 1 "+
		"variable") {
		t.Errorf("error %v", err)
	}
	m.GaussianPriors = m.GaussianPriors[:1]
	if err := bnkit.Save(path, m); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(b), `"Shape": 1,`, `"Shape": -1,`, 1)),
		0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := bnkit.Load(path); err == nil || !strings.Contains(err.Error(), "Shape is -1") {
		t.Errorf("error %v", err)
	}
}

func ExampleCoefficients() {
	df := stocks()
	net, err := bnkit.NewNetwork("[MSFT][INTL][DELL|MSFT:INTL]", df, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	alike := constraint.ShareWeights{Var: "DELL", Groups: [][]string{{"MSFT", "INTL"}}}
	model, err := bnkit.Fit(context.Background(), net, df, learn.ML{Constraints: []constraint.Constraint{alike}}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(model.Net.Gaussian(2))
	table, err := bnkit.Coefficients(model, "DELL")
	if err != nil {
		fmt.Println(err)
		return
	}
	for row := range table.Nrow() {
		x := func(column string) float64 { return table.Col(column).Elem(row).Float() }
		fmt.Printf("%s: %.3f ± %.3f, from %.3f to %.3f\n", table.Elem(row, 0), x("estimate"), x("stderr"), x("low"),
			x("high"))
	}
	// Output:
	// DELL = 0.0783 + 0.9925·MSFT + 0.9925·INTL, sd 0.1161
	// (intercept): 0.078 ± 0.048, from -0.040 to 0.197
	// MSFT: 0.992 ± 0.022, from 0.939 to 1.046
	// INTL: 0.992 ± 0.022, from 0.939 to 1.046
	// (standard deviation): 0.116 ± 0.039, from 0.086 to 0.295
}
