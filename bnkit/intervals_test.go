package bnkit_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/distuv"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
)

func draws(n int) *bnkit.IntervalSettings {
	return &bnkit.IntervalSettings{Draws: n, Src: rand.NewPCG(1, 0)}
}

// letters is one variable with counts 6, 3, 1.
func letters(t testing.TB, m learn.Method) *bnkit.Model {
	t.Helper()
	df := dataframe.New(series.New(strings.Split("aaaaaabbbc", ""), series.String, "X"))
	net := must[*bn.Network](t)(bnkit.NewNetwork("[X]", df, nil))
	return must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, m, nil))
}

// Where the posterior of an entry is a beta density, or one that is cut off, its mean and
// quantiles are known.
func TestIntervalsBeta(t *testing.T) {
	cap := constraint.AtMost{Var: "X", States: []string{"a"}, P: 0.5}
	for _, tt := range []struct {
		name   string
		method learn.Method
		state  int
		beta   distuv.Beta
		lo, hi float64 // where the density is cut off
		scale  float64
		set    *bnkit.IntervalSettings
	}{
		{"maximum likelihood, uniform prior", learn.ML{}, 0, distuv.Beta{Alpha: 7, Beta: 6}, 0, 1, 1, draws(20000)},
		{"APN with a pseudocount", learn.APN{Pseudocount: 2}, 2, distuv.Beta{Alpha: 4, Beta: 15}, 0, 1, 1,
			draws(20000)},
		{"Gibbs with Dirichlet counts", learn.Gibbs{Alpha: map[string][]float64{"X": {2, 2, 5}}}, 2,
			distuv.Beta{Alpha: 6, Beta: 13}, 0, 1, 1, draws(20000)},
		{"pseudocount", learn.MAP{Pseudocount: 2}, 2, distuv.Beta{Alpha: 4, Beta: 15}, 0, 1, 1, draws(20000)},
		{"Dirichlet counts", learn.MAP{Alpha: map[string][]float64{"X": {2, 2, 5}}}, 2, distuv.Beta{Alpha: 6, Beta: 13},
			0, 1, 1, draws(20000)},
		{"half of the draws", learn.ML{}, 1, distuv.Beta{Alpha: 4, Beta: 9}, 0, 1, 1,
			&bnkit.IntervalSettings{Level: 0.5, Draws: 20000, Src: rand.NewPCG(2, 0)}},
		{"cut off", learn.ML{Constraints: []constraint.Constraint{cap}}, 0, distuv.Beta{Alpha: 7, Beta: 6}, 0, 0.5, 1,
			draws(20000)},
		// a and b share φ: the density is φ^9·c with c = 1 − 2φ, and φ^12·c with the count 4 of
		// φ, whose exponent is 3.
		{"shared", learn.ML{Constraints: []constraint.Constraint{constraint.ShareStates{Var: "X",
			Groups: [][]string{{"a", "b"}}}}}, 1, distuv.Beta{Alpha: 10, Beta: 2}, 0, 1, 0.5, draws(20000)},
		{"shared, with a Dirichlet count",
			learn.ML{Constraints: []constraint.Constraint{constraint.ShareStates{Var: "X",
				Groups: [][]string{{"a", "b"}}, Alpha: []float64{4}}}}, 1, distuv.Beta{Alpha: 13, Beta: 2}, 0, 1, 0.5,
			draws(20000)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := letters(t, tt.method)
			got := must[dataframe.DataFrame](t)(bnkit.Intervals(t.Context(), m, "X", tt.set))
			tail := (1 - tt.set.Probability()) / 2
			below, within := tt.beta.CDF(tt.lo), tt.beta.CDF(tt.hi)-tt.beta.CDF(tt.lo)
			// The mean of a beta density between limits, by one of exponent more.
			more := distuv.Beta{Alpha: tt.beta.Alpha + 1, Beta: tt.beta.Beta}
			for _, c := range []struct {
				column          string
				want, tolerance float64
			}{
				{"mean", tt.scale * tt.beta.Mean() * (more.CDF(tt.hi) - more.CDF(tt.lo)) / within, 1e-12},
				{"low", tt.scale * tt.beta.Quantile(below+tail*within), 0.01},
				{"high", tt.scale * tt.beta.Quantile(below+(1-tail)*within), 0.01},
			} {
				if x := got.Col(c.column).Elem(tt.state).Float(); !(math.Abs(x-c.want) <= c.tolerance) {
					t.Errorf("%s is %v, want %v", c.column, x, c.want)
				}
			}
			if note := got.Col("note").Elem(0).String(); note != "" {
				t.Errorf("independent draws have the note %q", note)
			}
		})
	}
}

// Two statements leave no closed form: against draws of gonum's Dirichlet density that
// satisfy them.
func TestIntervalsByRejection(t *testing.T) {
	order := constraint.OrderSums{Var: "X", Groups: [][]string{{"c"}, {"b"}, {"a"}}}
	m := letters(t, learn.MAP{Pseudocount: 1, Constraints: []constraint.Constraint{order,
		constraint.AtMost{Var: "X", States: []string{"a"}, P: 0.5}}})
	got := must[dataframe.DataFrame](t)(bnkit.Intervals(t.Context(), m, "X", draws(8000)))
	density := distmv.NewDirichlet([]float64{8, 5, 3}, rand.NewPCG(5, 5))
	var kept [3][]float64
	x := make([]float64, 3)
	for len(kept[0]) < 20000 {
		if density.Rand(x); x[2] <= x[1] && x[1] <= x[0] && x[0] <= 0.5 {
			for i := range kept {
				kept[i] = append(kept[i], x[i])
			}
		}
	}
	for i := range kept {
		slices.Sort(kept[i])
		mean := 0.0
		for _, x := range kept[i] {
			mean += x / float64(len(kept[i]))
		}
		for _, c := range []struct {
			column string
			want   float64
		}{{"mean", mean}, {"low", kept[i][len(kept[i])/40]}, {"high", kept[i][len(kept[i])*39/40]}} {
			if x := got.Col(c.column).Elem(i).Float(); !(math.Abs(x-c.want) < 0.015) {
				t.Errorf("entry %d: %s is %v, want %v", i, c.column, x, c.want)
			}
		}
	}
	if note := got.Col("note").Elem(2).String(); !strings.Contains(note, "Markov chains: R-hat 1.0") {
		t.Errorf("the note is %q", note)
	}
	// Of a hundred draws one source in five leaves chains that disagree; this is one.
	few := must[dataframe.DataFrame](t)(bnkit.Intervals(t.Context(), m, "X",
		&bnkit.IntervalSettings{Draws: 100, Src: rand.NewPCG(33, 0)}))
	if note := few.Col("note").Elem(0).String(); !strings.Contains(note, "not to be trusted") {
		t.Errorf("the note of few draws is %q", note)
	}
}

// Rows and columns stand for what they say, and known probabilities have no width.
func TestIntervalsLayout(t *testing.T) {
	df := smokers()
	net := must[*bn.Network](t)(bnkit.NewNetwork("[smoker][cough|smoker]", df, nil))
	known := constraint.Fixed{Var: "cough", Given: bn.Given{"smoker": "yes"}, P: map[string]float64{"yes": 0.75}}
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df,
		learn.MAP{Pseudocount: 1, Constraints: []constraint.Constraint{known}}, &bnkit.Settings{SkipMissing: true}))
	got := must[dataframe.DataFrame](t)(bnkit.Intervals(t.Context(), m, "cough", draws(0)))
	want := [][]string{{"smoker", "state"}, {"no", "no"}, {"no", "yes"}, {"yes", "no"}, {"yes", "yes"}}
	for i, record := range got.Records() {
		if !slices.Equal(record[:2], want[i]) {
			t.Errorf("row %d begins with %q, want %q", i, record[:2], want[i])
		}
	}
	for _, column := range []string{"mean", "low", "high"} {
		if p := got.Col(column).Elem(3).Float(); !(math.Abs(p-0.75) < 1e-12) {
			t.Errorf("%s of a known probability is %v", column, p)
		}
	}

	// The same from a file.
	path := filepath.Join(t.TempDir(), "m.json")
	if err := bnkit.Save(path, m); err != nil {
		t.Fatal(err)
	}
	again := must[dataframe.DataFrame](t)(bnkit.Intervals(t.Context(), must[*bnkit.Model](t)(bnkit.Load(path)), "cough",
		draws(0)))
	if fmt.Sprint(again.Records()) != fmt.Sprint(got.Records()) {
		t.Errorf("of a model from a file\n%v, want\n%v", again, got)
	}
}

func TestIntervalsErrors(t *testing.T) {
	m := letters(t, learn.ML{})
	curved := letters(t, learn.ML{Constraints: []constraint.Constraint{product}})
	df := smokers()
	net := must[*bn.Network](t)(bnkit.NewNetwork("[smoker][cough|smoker]", df, nil))
	up := []constraint.Constraint{constraint.Influence{Parent: "smoker", Child: "cough", Sign: constraint.Negative}}
	by := func(m learn.Method) *bnkit.Model {
		return must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, m, nil))
	}
	family := by(learn.APN{Pseudocount: 1, CPDs: []learn.ParametricCPD{learn.NoisyORCPD{Child: "cough", Leak: true}}})
	stock := must[*bnkit.Model](t)(bnkit.Fit(t.Context(),
		must[*bn.Network](t)(bnkit.NewNetwork("[DELL]", stocks(), nil)), stocks(),
		learn.ML{}, nil))
	for _, tt := range []struct {
		name string
		err  error
		is   error
		says string
	}{
		{"no model", second(bnkit.Intervals(t.Context(), nil, "X", draws(0))), nil, "no network"},
		{"a network that was written", second(bnkit.Intervals(t.Context(), bnkit.ModelOf(m.Net), "X", draws(0))), nil,
			"not fitted"},
		{"no settings", second(bnkit.Intervals(t.Context(), m, "X", nil)), bn.ErrNoSource, "as Src"},
		{"no source", second(bnkit.Intervals(t.Context(), m, "X", &bnkit.IntervalSettings{})), bn.ErrNoSource,
			"as Src"},
		{"a stranger", second(bnkit.Intervals(t.Context(), m, "Y", draws(0))), bn.ErrUnknownVariable, "Y"},
		{"a continuous variable", second(bnkit.Intervals(t.Context(), stock, "DELL", draws(0))), bn.ErrNotDiscrete,
			"DELL"},
		{"a level", second(bnkit.Intervals(t.Context(), m, "X",
			&bnkit.IntervalSettings{Level: 95, Src: rand.NewPCG(1, 0)})), nil,
			"probability 95"},
		{"a level that is no number", second(bnkit.Intervals(t.Context(), m, "X",
			&bnkit.IntervalSettings{Level: math.NaN(),
				Src: rand.NewPCG(1, 0)})), nil, "NaN"},
		{"too many draws", second(bnkit.Intervals(t.Context(), m, "X", draws(1<<30))), nil, "from 100 to 1000000"},
		{"fewer than no draws", second(bnkit.Intervals(t.Context(), m, "X", draws(-1))), nil, "-1 draws"},
		{"one draw", second(bnkit.Intervals(t.Context(), m, "X", draws(1))), nil, "1 draws; give a number from 100"},
		{"a table of a family", second(bnkit.Intervals(t.Context(), family, "cough", draws(0))), bnkit.ErrNoIntervals,
			"noisy-OR"},
		{"influences as penalties", second(bnkit.Intervals(t.Context(), by(learn.EM{Pseudocount: 1,
			ViolationWeight: 0.5, Constraints: up}), "cough", draws(0))), bnkit.ErrNoIntervals, "as penalties"},
		{"alternating", second(bnkit.Intervals(t.Context(), by(learn.AlternatingEM{Constraints: up}), "cough",
			draws(0))),
			constraint.ErrNoPrior, "as penalties"},
		{"targets", second(bnkit.Intervals(t.Context(), by(learn.APN{Pseudocount: 1, Targets: []string{"cough"}}),
			"cough",
			draws(0))), bnkit.ErrNoIntervals, "likelihood of cough"},
		{"no density", second(bnkit.Intervals(t.Context(), curved, "X", draws(0))), constraint.ErrNoPrior, ""},
	} {
		if tt.err == nil || tt.is != nil && !errors.Is(tt.err, tt.is) || !strings.Contains(tt.err.Error(), tt.says) {
			t.Errorf("%s: error %v", tt.name, tt.err)
		}
	}
}

// product is a statement that is not linear: P(X=a)·P(X=b) = 0.2.
var product = constraint.Formula{
	Text:  "the product of P(X=a) and P(X=b) is 0.2",
	Cells: []constraint.Cell{{Var: "X", State: "a"}, {Var: "X", State: "b"}},
	Equal: []constraint.Function{{Value: func(x []float64) float64 { return x[0]*x[1] - 0.2 }}},
}

// EM says that its counts are not those of cases.
func TestIntervalsOfEM(t *testing.T) {
	df := smokers()
	net := must[*bn.Network](t)(bnkit.NewNetwork("[smoker][cough|smoker]", df, nil))
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.EM{Pseudocount: 1}, nil))
	got := must[dataframe.DataFrame](t)(bnkit.Intervals(t.Context(), m, "cough", draws(100)))
	if note := got.Col("note").Elem(0).String(); !strings.Contains(note, "too narrow") {
		t.Errorf("the note is %q", note)
	}
}

func BenchmarkIntervals(b *testing.B) {
	order := constraint.OrderSums{Var: "X", Groups: [][]string{{"c"}, {"b"}, {"a"}}}
	for _, bench := range []struct {
		name   string
		method learn.Method
	}{{"independent", learn.ML{}}, {"chains", learn.ML{Constraints: []constraint.Constraint{order}}}} {
		b.Run(bench.name, func(b *testing.B) {
			m := letters(b, bench.method)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := bnkit.Intervals(b.Context(), m, "X", draws(0)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func ExampleIntervals() {
	m, err := coughing()
	if err != nil {
		fmt.Println(err)
		return
	}
	df, err := bnkit.Intervals(context.Background(), m, "cough", &bnkit.IntervalSettings{Src: rand.NewPCG(1, 0)})
	if err != nil {
		fmt.Println(err)
		return
	}
	for row := range df.Nrow() {
		x := func(column string) float64 { return df.Col(column).Elem(row).Float() }
		fmt.Printf("P(cough=%s | smoker=%s) = %.3f, from %.1f to %.1f\n", df.Elem(row, 1), df.Elem(row, 0),
			x("mean"), x("low"), x("high"))
	}
	// Output:
	// P(cough=no | smoker=no) = 0.667, from 0.3 to 0.9
	// P(cough=yes | smoker=no) = 0.333, from 0.1 to 0.7
	// P(cough=no | smoker=yes) = 0.375, from 0.1 to 0.7
	// P(cough=yes | smoker=yes) = 0.625, from 0.3 to 0.9
}

// TestEndsOfFewDraws: beyond each end of a 99.9 % interval lies half a draw of 1000, and of a 95 % one 2.5 of 100.
func TestEndsOfFewDraws(t *testing.T) {
	m := letters(t, learn.ML{})
	for _, c := range []struct {
		draws int
		level float64
		want  string
	}{
		{1000, .999, "beyond each end lie 0.5 independent draws, so that the ends are noise: raise Draws"},
		{100, .95, ""},
		{100000, .999, ""},
	} {
		set := draws(c.draws)
		set.Level = c.level
		got := must[dataframe.DataFrame](t)(bnkit.Intervals(t.Context(), m, "X", set))
		if note := got.Col("note").Records()[0]; note != c.want {
			t.Errorf("%+v: note %q", c, note)
		}
	}
}
