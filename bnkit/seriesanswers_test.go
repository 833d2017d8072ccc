package bnkit_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

func ExampleFilterSeries() {
	net, err := umbrellas()
	if err != nil {
		fmt.Println(err)
		return
	}
	rain, err := bnkit.FilterSeries(net, twoDays())
	if err != nil {
		fmt.Println(err)
		return
	}
	for row, p := range rain.Col("probability").Float() {
		fmt.Println(rain.Elem(row, 0), rain.Elem(row, 1), rain.Elem(row, 2), rain.Elem(row, 3), fmt.Sprintf("%.3f", p))
	}
	// Output:
	// a 1 rain no 0.182
	// a 1 rain yes 0.818
	// a 2 rain no 0.117
	// a 2 rain yes 0.883
	// a 3 rain no 0.347
	// a 3 rain yes 0.653
}

func ExamplePredictSeries() {
	net, err := umbrellas()
	if err != nil {
		fmt.Println(err)
		return
	}
	next, err := bnkit.PredictSeries(net, twoDays(), 2, "rain")
	if err != nil {
		fmt.Println(err)
		return
	}
	for row, p := range next.Col("probability").Float() {
		fmt.Println(next.Elem(row, 0), next.Elem(row, 1), next.Elem(row, 2), next.Elem(row, 3), fmt.Sprintf("%.3f", p))
	}
	// Output:
	// a 4 rain no 0.439
	// a 4 rain yes 0.561
	// a 5 rain no 0.475
	// a 5 rain yes 0.525
}

func ExamplePathSeries() {
	net, err := umbrellas()
	if err != nil {
		fmt.Println(err)
		return
	}
	paths, logs, err := bnkit.PathSeries(net, twoDays())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range paths.Records() {
		fmt.Println(strings.Join(row, " "))
	}
	fmt.Printf("probability %.4f\n", math.Exp(logs[0]))
	// Output:
	// series time rain umbrella
	// a 1 yes yes
	// a 2 yes yes
	// a 3 yes yes
	// probability 0.1786
}

// gaps are two series of the weather, in which cells are missing and a time is left out.
func gaps() dataframe.DataFrame {
	return dataframe.New(
		series.New([]string{"b", "b", "a", "b", "a"}, series.String, "series"),
		series.New([]int{-1, 0, 5, 2, 6}, series.Int, "time"),
		series.New([]string{"yes", "NaN", "no", "no", "yes"}, series.String, "umbrella"),
		series.New([]string{"NaN", "NaN", "NaN", "NaN", "no"}, series.String, "rain"),
	)
}

// observedGaps is gaps by series, from the first slice to the last: rain and umbrella, −1 for missing.
var observedGaps = map[string][][2]int{
	"b": {{-1, 1}, {-1, -1}, {-1, -1}, {-1, 0}},
	"a": {{-1, 0}, {0, 1}},
}

// joints calls f for each joint state of rain and umbrella in all slices, with its probability by the
// numbers of umbrellas, typed in again.
func joints(slices int, f func(states [][2]int, p float64)) {
	stay, carry := [2][2]float64{{0.7, 0.3}, {0.3, 0.7}}, [2][2]float64{{0.8, 0.2}, {0.1, 0.9}}
	for code := range 1 << (2 * slices) {
		states, p := make([][2]int, slices), 0.5
		for t := range states {
			states[t] = [2]int{code >> (2 * t) & 1, code >> (2*t + 1) & 1}
			if t > 0 {
				p *= stay[states[t-1][0]][states[t][0]]
			}
			p *= carry[states[t][0]][states[t][1]]
		}
		f(states, p)
	}
}

func agrees(states, seen [][2]int) bool {
	for t, s := range seen {
		if s[0] >= 0 && s[0] != states[t][0] || s[1] >= 0 && s[1] != states[t][1] {
			return false
		}
	}
	return true
}

// byEnumeration is P(variable in slice t = yes | what is seen), with more slices behind.
func byEnumeration(seen [][2]int, variable, t int) float64 {
	var yes, all float64
	joints(max(len(seen), t+1), func(states [][2]int, p float64) {
		if agrees(states, seen) {
			all += p
			yes += p * float64(states[t][variable])
		}
	})
	return yes / all
}

// TestSeriesAnswers: what the verbs say about series with gaps is what enumeration says.
func TestSeriesAnswers(t *testing.T) {
	net := must[*dbn.Network](t)(umbrellas())
	begin := map[string]int{"b": -1, "a": 5}
	for name, c := range map[string]struct {
		frame dataframe.DataFrame
		rows  int
		known func(slice int, seen [][2]int) [][2]int
	}{
		"smooth": {must[dataframe.DataFrame](t)(bnkit.SmoothSeries(net, gaps(), "umbrella", "rain")), 24, func(_ int,
			seen [][2]int) [][2]int {
			return seen
		}},
		"filter": {must[dataframe.DataFrame](t)(bnkit.FilterSeries(net, gaps(), "umbrella", "rain")), 24, func(s int,
			seen [][2]int) [][2]int {
			return seen[:s+1]
		}},
		"predict": {must[dataframe.DataFrame](t)(bnkit.PredictSeries(net, gaps(), 2)), 16, func(_ int,
			seen [][2]int) [][2]int {
			return seen
		}},
	} {
		if c.frame.Err != nil || c.frame.Nrow() != c.rows {
			t.Fatalf("%s: %d rows, want %d, error %v", name, c.frame.Nrow(), c.rows, c.frame.Err)
		}
		last := make(map[string]int)
		for row := range c.frame.Nrow() {
			of := c.frame.Elem(row, 0).String()
			time := must[int](t)(c.frame.Elem(row, 1).Int())
			slice, seen := time-begin[of], observedGaps[of]
			last[of] = max(slice, last[of])
			variable := map[string]int{"rain": 0, "umbrella": 1}[c.frame.Elem(row, 2).String()]
			want := byEnumeration(c.known(slice, seen), variable, slice)
			if c.frame.Elem(row, 3).String() == "no" {
				want = 1 - want
			}
			numtest.Close(t, c.frame.Elem(row, 4).Float(), want, 1e-12, 0)
			if name == "predict" && slice < len(seen) {
				t.Errorf("%s: a prediction of %s at %d, which is seen", name, of, time)
			}
		}
		more := map[string]int{"predict": 2}[name]
		for of, seen := range observedGaps {
			if last[of] != len(seen)-1+more {
				t.Errorf("%s: the last slice of %s is %d, want %d", name, of, last[of], len(seen)-1+more)
			}
		}
	}
}

// TestPathSeries: no joint state that agrees with a series is more probable than the path.
func TestPathSeries(t *testing.T) {
	net := must[*dbn.Network](t)(umbrellas())
	paths, logs, err := bnkit.PathSeries(net, gaps())
	if err != nil {
		t.Fatal(err)
	}
	row := 0
	for i, name := range []string{"b", "a"} { // in the order of their first rows
		seen := observedGaps[name]
		best := 0.0
		joints(len(seen), func(states [][2]int, p float64) {
			if agrees(states, seen) {
				best = max(best, p)
			}
		})
		numtest.Close(t, math.Exp(logs[i]), best, 1e-12, 0)
		var path [][2]int
		for range seen {
			if got := paths.Elem(row, 0).String(); got != name {
				t.Errorf("row %d is of series %s, want %s", row, got, name)
			}
			state := func(name string) int {
				return map[string]int{"no": 0, "yes": 1}[paths.Col(name).Elem(row).String()]
			}
			path = append(path, [2]int{state("rain"), state("umbrella")})
			row++
		}
		joints(len(seen), func(states [][2]int, p float64) {
			if agrees(states, path) {
				numtest.Close(t, p, best, 1e-12, 0)
			}
		})
		if !agrees(path, seen) {
			t.Errorf("the path %v of %s does not agree with what is seen, %v", path, name, seen)
		}
	}
	if paths.Nrow() != row || paths.Ncol() != 4 {
		t.Errorf("%d rows and %d columns, want %d and 4", paths.Nrow(), paths.Ncol(), row)
	}
}

// TestPathContinuous: continuous columns stay, and are not known where a time was left out.
func TestPathContinuous(t *testing.T) {
	net := must[*dbn.Network](t)(dbn.New("[on|on[t-1]][x|on]", bn.Discrete("on", "no", "yes"), bn.Continuous("x")))
	df := dataframe.New(series.New([]int{7, 7}, series.Int, "series"), series.New([]int{0, 2}, series.Int, "time"),
		series.New([]float64{0.5, 2.5}, series.Float, "x"))
	paths, _, err := bnkit.PathSeries(net, df)
	if err != nil {
		t.Fatal(err)
	}
	x := paths.Col("x").Float()
	if len(x) != 3 || x[0] != 0.5 || !math.IsNaN(x[1]) || x[2] != 2.5 || paths.Elem(1, 1).String() != "1" {
		t.Errorf("the path is\n%v", paths)
	}
}

// TestSeriesModelTakesRows: a model cuts the columns of new series as those that it was fitted to.
func TestSeriesModelTakesRows(t *testing.T) {
	df := dataframe.New(series.New([]int{1, 1, 1, 2, 2}, series.Int, "series"), series.New([]int{0, 1, 2, 0, 1},
		series.Int, "time"),
		series.New([]float64{0.5, 1.5, 1.7, 3, 0.1}, series.Float, "water"))
	level := must[*dbn.Network](t)(dbn.New("[water|water[t-1]]", bn.Discrete("water", "low", "high")))
	cuts := must[*data.Discretization](t)(bnkit.Discretize(df, data.Cuts{Column: "water", Cuts: []float64{1},
		Names: []string{"low", "high"}}))
	fit := must[*bnkit.SeriesModel](t)(bnkit.FitSeries(t.Context(), level, df, learn.MAP{Pseudocount: 1},
		&bnkit.Settings{Discretization: cuts}))
	raw := must[dataframe.DataFrame](t)(bnkit.PredictSeries(fit, df, 1))
	cut := must[dataframe.DataFrame](t)(bnkit.Apply(df, cuts))
	for name, m := range map[string]dbn.Model{"model": fit, "fit": fit.Fitted, "network": fit.Net} {
		states := must[dataframe.DataFrame](t)(bnkit.PredictSeries(m, cut, 1))
		for row, p := range raw.Col("probability").Float() {
			numtest.Close(t, states.Col("probability").Float()[row], p, 0, 0)
		}
		if states.Nrow() != 4 {
			t.Errorf("%s: %d rows", name, states.Nrow())
		}
	}
	// low → high, high → high and high → low occur once each; pseudocounts add one to each cell. The
	// first series ends high, the second low.
	numtest.Close(t, raw.Col("probability").Float()[0], 2./4, 1e-12, 0)
	numtest.Close(t, raw.Col("probability").Float()[2], 1./3, 1e-12, 0)
}

func TestSeriesAnswerErrors(t *testing.T) {
	net := must[*dbn.Network](t)(umbrellas())
	line := must[*dbn.Network](t)(dbn.New("[x|x[t-1]]", bn.Continuous("x")))
	never := must[*dbn.Network](t)(umbrellas())
	if err := never.SetTable("umbrella[1]", "rain[1] | no yes\n* | 1 0"); err != nil {
		t.Fatal(err)
	}
	numbers := dataframe.New(series.New([]int{1}, series.Int, "series"), series.New([]int{0}, series.Int, "time"),
		series.New([]float64{1}, series.Float, "x"))
	verbs := map[string]func(m dbn.Model, df dataframe.DataFrame) error{
		"filter":  func(m dbn.Model, df dataframe.DataFrame) error { return second(bnkit.FilterSeries(m, df)) },
		"predict": func(m dbn.Model, df dataframe.DataFrame) error { return second(bnkit.PredictSeries(m, df, 1)) },
		"path": func(m dbn.Model, df dataframe.DataFrame) error {
			_, _, err := bnkit.PathSeries(m, df)
			return err
		},
	}
	for verb, ask := range verbs {
		for name, c := range map[string]struct {
			m       dbn.Model
			df      dataframe.DataFrame
			is      error
			message string
		}{
			"nothing":      {nil, twoDays(), nil, "no dynamic network"},
			"no network":   {(*dbn.Network)(nil), twoDays(), nil, "no dynamic network"},
			"zero network": {&dbn.Network{}, twoDays(), nil, "no dynamic network"},
			"no fit":       {(*dbn.Fitted)(nil), twoDays(), nil, "no dynamic network"},
			"zero fit":     {&dbn.Fitted{}, twoDays(), nil, "no dynamic network"},
			"no model":     {(*bnkit.SeriesModel)(nil), twoDays(), nil, "no dynamic network"},
			"zero model":   {&bnkit.SeriesModel{}, twoDays(), nil, "no dynamic network"},
			"empty":        {net, dataframe.DataFrame{}, bnkit.ErrEmptyFrame, ""},
			"no series":    {net, twoDays().Drop("series"), bn.ErrUnknownVariable, `"series"`},
			"no time":      {net, twoDays().Drop("time"), bn.ErrUnknownVariable, `"time"`},
			"unknown": {net, twoDays().Mutate(series.New([]string{"no", "no", "lost"}, series.String,
				"umbrella")), bn.ErrUnknownState, "row 3"},
			"order":      {net, twoDays().Arrange(dataframe.RevSort("time")), nil, "row 2"},
			"impossible": {never, twoDays(), infer.ErrImpossibleEvidence, `series "a"`},
		} {
			if err := ask(c.m, c.df); err == nil || c.is != nil && !errors.Is(err, c.is) ||
				!strings.Contains(err.Error(), c.message) {
				t.Errorf("%s, %s: error %v, want %v with %q", verb, name, err, c.is, c.message)
			}
		}
	}
	whole := twoDays().Mutate(series.New([]string{"no", "no", "no"}, series.String, "rain"))
	for name, c := range map[string]struct {
		err     error
		is      error
		message string
	}{
		"no slice":       {second(bnkit.PredictSeries(net, twoDays(), 0)), nil, "0 slices"},
		"back":           {second(bnkit.PredictSeries(net, twoDays(), -1)), nil, "give 1 to"},
		"too far":        {second(bnkit.PredictSeries(net, twoDays(), math.MaxInt)), nil, "give 1 to"},
		"unknown target": {second(bnkit.FilterSeries(net, twoDays(), "sun")), bn.ErrUnknownVariable, `"sun"`},
		"all observed":   {second(bnkit.SmoothSeries(line, numbers)), nil, "name the targets"},
		"nothing hidden": {second(bnkit.FilterSeries(net, whole)), nil, "name the targets"},
		"no source": {second(bnkit.SampleSeries(&bnkit.SeriesModel{}, []int{1}, rand.NewPCG(1, 0))), nil,
			"no dynamic network"},
	} {
		if c.err == nil || c.is != nil && !errors.Is(c.err, c.is) || !strings.Contains(c.err.Error(), c.message) {
			t.Errorf("%s: error %v, want %v with %q", name, c.err, c.is, c.message)
		}
	}
	if _, err := bnkit.PredictSeries(net, whole, 1); err != nil {
		t.Errorf("a prediction from complete series: %v", err)
	}
}
