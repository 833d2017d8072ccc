package bnkit_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/infer/infertest"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

// TestPredictInterval: the interval of a row, complete or not, is that of the answer to its evidence, from the same
// draws of the tables.
func TestPredictInterval(t *testing.T) {
	truth := infertest.Asia()
	cases := must[dataframe.DataFrame](t)(bnkit.Sample(truth, 300, rand.NewPCG(1, 0)))
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), truth, cases, learn.MAP{Pseudocount: 1}, nil))
	text := func(name string, cells ...string) series.Series { return series.New(cells, series.String, name) }
	df := dataframe.New(text("asia", "no", "yes", "no"), text("tub", "no", "no", ""), text("smoke", "yes", "no", "yes"),
		text("either", "yes", "no", ""), text("bronc", "yes", "no", ""), text("xray", "yes", "no", "yes"),
		text("dysp", "yes", "yes", "no"))
	got := must[dataframe.DataFrame](t)(bnkit.PredictInterval(t.Context(), m, df, "lung", draws(300)))
	if names := strings.Join(got.Names(), ","); names != "no,no low,no high,yes,yes low,yes high,target,level,note" {
		t.Errorf("columns %s", names)
	}
	for row := range 3 {
		evidence := infer.Evidence{}
		for _, name := range df.Names() {
			if s := df.Col(name).Elem(row).String(); s != "" {
				evidence[name] = s
			}
		}
		want := must[dataframe.DataFrame](t)(bnkit.PosteriorInterval(t.Context(), m, evidence, draws(300), "lung"))
		for i := range 2 {
			state := want.Col("state").Elem(i).String()
			for column, w := range map[string]float64{state: want.Col("probability").Elem(i).Float(),
				state + " low": want.Col("low").Elem(i).Float(), state + " high": want.Col("high").Elem(i).Float()} {
				if g := got.Col(column).Elem(row).Float(); !(math.Abs(g-w) < 1e-12) {
					t.Errorf("row %d: %s is %v, want %v", row+1, column, g, w)
				}
			}
		}
	}
}

func TestPredictIntervalRefused(t *testing.T) {
	m := letters(t, learn.ML{})
	df := dataframe.New(series.New([]string{"a", "b"}, series.String, "X"))
	for _, test := range []struct {
		m      *bnkit.Model
		target string
		set    *bnkit.IntervalSettings
		want   string
	}{
		{m, "X", nil, "Src"},
		{m, "Y", draws(200), `unknown variable "Y"`},
		{bnkit.ModelOf(m.Net), "X", draws(200), "not fitted"},
	} {
		if _, err := bnkit.PredictInterval(t.Context(), test.m, df, test.target, test.set); err == nil ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.target, err, test.want)
		}
	}
	done, stop := context.WithCancel(t.Context())
	stop()
	if _, err := bnkit.PredictInterval(done, m, df, "X", draws(200)); !errors.Is(err, context.Canceled) {
		t.Errorf("a done context: %v", err)
	}
	many := must[dataframe.DataFrame](t)(bnkit.Sample(m.Net, 1000, rand.NewPCG(1, 0)))
	if _, err := bnkit.PredictInterval(t.Context(), m, many, "X", draws(1_000_000)); err == nil ||
		!strings.Contains(err.Error(), "draw at most 44739") {
		t.Errorf("too many draws: %v", err)
	}
}

// TestPredictIntervalCoverage: over truths drawn from the prior, 90 % intervals of a row's prediction hold the
// true probability in 90 % of the cases, rows with a missing cell included.
func TestPredictIntervalCoverage(t *testing.T) {
	trials := 1000
	if !numtest.Full() {
		trials = 200
	}
	rng := rand.New(rand.NewPCG(9, 0))
	yes := []string{"no", "yes"}
	held := [2]int{}
	df := dataframe.New(series.New([]string{"yes", ""}, series.String, "a"),
		series.New([]string{"no", "no"}, series.String, "b"))
	for trial := range trials {
		truth := must[*bn.Network](t)(bn.New("[c][a|c][b|c]", bn.Discrete("c", yes...), bn.Discrete("a", yes...),
			bn.Discrete("b", yes...)))
		for v := range truth.Len() {
			for config := range truth.CPT(v).Configs().Len() {
				x := []float64{rng.Float64(), rng.Float64(), rng.Float64()}
				slices.Sort(x)
				p := x[1] // the density of one virtual case a cell
				copy(truth.CPT(v).Row(config), []float64{1 - p, p})
			}
		}
		cases := must[dataframe.DataFrame](t)(bnkit.Sample(truth, 30, rand.NewPCG(uint64(trial), 1)))
		m, err := bnkit.Fit(t.Context(), truth, cases, learn.MAP{Pseudocount: 1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := must[dataframe.DataFrame](t)(bnkit.Predict(truth, df, "c"))
		got, err := bnkit.PredictInterval(t.Context(), m, df, "c", &bnkit.IntervalSettings{Level: 0.9, Draws: 200,
			Src: rand.NewPCG(uint64(trial), 2)})
		if err != nil {
			t.Fatal(err)
		}
		for row := range 2 {
			p := want.Col("yes").Elem(row).Float()
			if got.Col("yes low").Elem(row).Float() <= p && p <= got.Col("yes high").Elem(row).Float() {
				held[row]++
			}
		}
	}
	low, high := 0.87, 0.93
	if trials < 1000 {
		low, high = 0.82, 0.97 // four standard errors
	}
	for row, n := range held {
		if share := float64(n) / float64(trials); share < low || share > high {
			t.Errorf("row %d: %v of the intervals hold the truth, want 0.9", row+1, share)
		}
	}
}

// How sure is each prediction?
func ExamplePredictInterval() {
	model, err := coughing()
	if err != nil {
		fmt.Println(err)
		return
	}
	patients := dataframe.New(series.New([]string{"yes", "no"}, series.String, "cough"))
	df, err := bnkit.PredictInterval(context.Background(), model, patients, "smoker",
		&bnkit.IntervalSettings{Src: rand.NewPCG(1, 0)})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range df.Nrow() {
		fmt.Printf("cough=%s: smoker with %.2f, between %.1f and %.1f\n", patients.Col("cough").Elem(i),
			df.Col("yes").Elem(i).Float(), df.Col("yes low").Elem(i).Float(), df.Col("yes high").Elem(i).Float())
	}
	// Output:
	// cough=yes: smoker with 0.61, between 0.2 and 0.9
	// cough=no: smoker with 0.33, between 0.1 and 0.6
}
