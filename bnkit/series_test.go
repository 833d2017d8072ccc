package bnkit_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/structure"
	"bnlab/internal/numtest"
)

// umbrellas is the weather of R. Norvig and S. Russell: rain lasts, umbrellas show it.
func umbrellas() (*dbn.Network, error) {
	net, err := dbn.New("[rain|rain[t-1]][umbrella|rain]", bn.Discrete("rain", "no", "yes"),
		bn.Discrete("umbrella", "no", "yes"))
	if err != nil {
		return nil, err
	}
	for name, text := range map[string]string{
		"rain[0]":     "no yes\n0.5 0.5",
		"rain[1]":     "rain[0] | no yes\nno | 0.7 0.3\nyes | 0.3 0.7",
		"umbrella[1]": "rain[1] | no yes\nno | 0.8 0.2\nyes | 0.1 0.9",
	} {
		if err := net.SetTable(name, text); err != nil {
			return nil, err
		}
	}
	return net, nil
}

// twoDays with an umbrella, and a third of which nothing is known.
func twoDays() dataframe.DataFrame {
	return dataframe.New(
		series.New([]string{"a", "a", "a"}, series.String, "series"),
		series.New([]int{1, 2, 3}, series.Int, "time"),
		series.New([]string{"yes", "yes", "NaN"}, series.String, "umbrella"),
		series.New([]float64{20, 21, 22}, series.Float, "degrees"),
	)
}

func ExampleSmoothSeries() {
	net, err := umbrellas()
	if err != nil {
		fmt.Println(err)
		return
	}
	rain, err := bnkit.SmoothSeries(net, twoDays())
	if err != nil {
		fmt.Println(err)
		return
	}
	for row, p := range rain.Col("probability").Float() {
		fmt.Println(rain.Elem(row, 0), rain.Elem(row, 1), rain.Elem(row, 2), rain.Elem(row, 3), fmt.Sprintf("%.3f", p))
	}
	// Output:
	// a 1 rain no 0.117
	// a 1 rain yes 0.883
	// a 2 rain no 0.117
	// a 2 rain yes 0.883
	// a 3 rain no 0.347
	// a 3 rain yes 0.653
}

func ExampleFitSeries() {
	truth, err := umbrellas()
	if err != nil {
		fmt.Println(err)
		return
	}
	df, err := bnkit.SampleSeries(truth, []int{300, 200, 400}, rand.NewPCG(1, 0))
	if err != nil {
		fmt.Println(err)
		return
	}
	seen := df.Drop("rain")
	// An expert knows how often umbrellas are carried; nobody has seen the rain.
	dry := constraint.Fixed{Var: "umbrella[1]", Given: bn.Given{"rain[1]": "no"}, P: map[string]float64{"yes": 0.2}}
	wet := constraint.Fixed{Var: "umbrella[1]", Given: bn.Given{"rain[1]": "yes"}, P: map[string]float64{"yes": 0.9}}
	fit, err := bnkit.FitSeries(context.Background(), truth, seen,
		learn.EM{Constraints: []constraint.Constraint{dry, wet}},
		&bnkit.Settings{Seed: 1, Hidden: []string{"rain"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, net := range []*dbn.Network{truth, fit.Net} {
		t, err := net.Template().Table("rain[1]")
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("P(rain tomorrow): dry today %.2f, rain today %.2f\n", t.Row(0)[1], t.Row(1)[1])
	}
	// Output:
	// P(rain tomorrow): dry today 0.30, rain today 0.70
	// P(rain tomorrow): dry today 0.25, rain today 0.76
}

// TestFitSeries: a frame says the same as the table that it is made of.
func TestFitSeries(t *testing.T) {
	net := must[*dbn.Network](t)(umbrellas())
	s := must[*dbn.Series](t)(net.Sample([]int{30, 20, 25}, rand.NewPCG(2, 0)))
	df := must[dataframe.DataFrame](t)(bnkit.SampleSeries(net, []int{30, 20, 25}, rand.NewPCG(2, 0)))
	for _, hide := range []bool{false, true} {
		part, frame := s, df
		var m learn.Method = learn.MAP{Pseudocount: 1}
		var hidden []string
		if hide {
			hidden = []string{"rain"}
			part, frame, m = must[*dbn.Series](t)(s.Keep("umbrella")), df.Drop("rain"), learn.EM{Pseudocount: 1}
		}
		got := must[*bnkit.SeriesModel](t)(bnkit.FitSeries(t.Context(), net, frame, m,
			&bnkit.Settings{Seed: 3, Starts: 1, HeldOut: &frame, Hidden: hidden}))
		held := must[*dbn.Cases](t)(net.Cases(part, nil))
		want := must[*dbn.Fitted](t)(dbn.Fit(t.Context(), net, part, m, &learn.Settings{Seed: 3,
			Starts:  1,
			HeldOut: held}))
		for v := range 3 {
			for i, p := range want.Net.Template().CPT(v).P {
				numtest.Close(t, got.Net.Template().CPT(v).P[i], p, 0, 0)
			}
		}
	}
	numbers := dataframe.New(series.New([]int{1, 1, 2}, series.Int, "series"),
		series.New([]float64{0, 2, 5}, series.Float, "time"), series.New([]float64{0.5, 1.5, 3}, series.Float, "water"))
	level := must[*dbn.Network](t)(dbn.New("[water|water[t-1]]", bn.Discrete("water", "low", "high")))
	cuts := must[*data.Discretization](t)(bnkit.Discretize(numbers, data.Cuts{Column: "water", Cuts: []float64{1},
		Names: []string{"low", "high"}}))
	fit := must[*bnkit.SeriesModel](t)(bnkit.FitSeries(t.Context(), level, numbers, learn.EM{Pseudocount: 1},
		&bnkit.Settings{Discretization: cuts}))
	numtest.Close(t, fit.Net.Template().CPT(0).P[0], 0.5, 1e-12, 0) // first low in one series, high in the other
	if fit.Cases != 4 {
		t.Errorf("%v slices, want 4", fit.Cases)
	}
}

// TestStepOfSeries: times in steps of 10 are one slice each, so a fit is that of times in steps of 1; what is asked
// and searched later has the same slices.
func TestStepOfSeries(t *testing.T) {
	net := must[*dbn.Network](t)(umbrellas())
	df := must[dataframe.DataFrame](t)(bnkit.SampleSeries(net, []int{16, 16}, rand.NewPCG(2, 0))).Drop("rain")
	times := must[[]int](t)(df.Col("time").Int())
	for i := range times {
		times[i] *= 10
	}
	tens := df.Mutate(series.New(times, series.Int, "time"))
	set := func(step int64) *bnkit.Settings {
		return &bnkit.Settings{Seed: 1, Step: step, Hidden: []string{"rain"}}
	}
	ones := must[*bnkit.SeriesModel](t)(bnkit.FitSeries(t.Context(), net, df, learn.EM{Pseudocount: 1}, set(0)))
	fit := must[*bnkit.SeriesModel](t)(bnkit.FitSeries(t.Context(), net, tens, learn.EM{Pseudocount: 1}, set(0)))
	for v := range 3 {
		if !sameBits(numbers(ones.Net.Template(), v), numbers(fit.Net.Template(), v)) {
			t.Errorf("table %d depends on the unit of time", v)
		}
	}
	if fit.Step != 10 || fit.Cases != 32 || !strings.Contains(fit.String(), "32 slices in all, one each 10 of time") {
		t.Errorf("a step of %d, %v slices: %s", fit.Step, fit.Cases, fit)
	}
	found := must[*structure.DynamicResult](t)(bnkit.SearchSeries(t.Context(), tens, nil, nil, nil))
	same := must[*structure.DynamicResult](t)(bnkit.SearchSeries(t.Context(), df, nil, nil, nil))
	if found.Network.String() != same.Network.String() {
		t.Errorf("found %s with steps of 10 and %s with steps of 1", found.Network, same.Network)
	}
	path := filepath.Join(t.TempDir(), "m.json")
	if err := bnkit.SaveSeries(path, fit); err != nil {
		t.Fatal(err)
	}
	again := must[*bnkit.SeriesModel](t)(bnkit.LoadSeries(path))
	gap := tens.Subset([]int{0, 1, 3}) // the fit knows the step that these rows do not tell
	if _, err := bnkit.SmoothSeries(net, gap); err == nil || !strings.Contains(err.Error(), "set Step to 10") {
		t.Errorf("uneven times: error %v", err)
	}
	for name, m := range map[string]dbn.Model{"fit": fit, "bare fit": fit.Fitted, "loaded": again} {
		rain, err := bnkit.SmoothSeries(m, gap)
		if err != nil || rain.Nrow() != 8 || rain.Elem(7, 1).String() != "30" {
			t.Errorf("%s: %v, %v; want the slices 0, 10, 20, 30", name, rain, err)
		}
		next, err := bnkit.PredictSeries(m, gap, 1, "rain")
		if err != nil || next.Elem(0, 1).String() != "40" {
			t.Errorf("%s: %v, %v; want a slice at 40", name, next, err)
		}
	}
	hundred := must[*bnkit.SeriesModel](t)(bnkit.FitSeries(t.Context(), net, tens, learn.EM{Pseudocount: 1}, set(5)))
	if hundred.Step != 5 || hundred.Cases != 62 {
		t.Errorf("a step of %d, %v slices; want 5 and 31 for each series", hundred.Step, hundred.Cases)
	}
	if _, err := bnkit.Fit(t.Context(), net.Template(), df, learn.EM{}, set(5)); err == nil ||
		!strings.Contains(err.Error(), "Settings.Step is for series") {
		t.Errorf("a step between cases: error %v", err)
	}
}

func TestSeriesErrors(t *testing.T) {
	net := must[*dbn.Network](t)(umbrellas())
	both := must[*dbn.Network](t)(dbn.New("[rain|rain[t-1]][x|rain]", bn.Discrete("rain", "no", "yes"),
		bn.Continuous("x")))
	never := must[*dbn.Network](t)(umbrellas())
	if err := never.SetTable("umbrella[1]", "rain[1] | no yes\n* | 1 0"); err != nil {
		t.Fatal(err)
	}
	frame := func(names, times, umbrellas []string) dataframe.DataFrame {
		return dataframe.New(series.New(names, series.String, "series"), series.New(times, series.String, "time"),
			series.New(umbrellas, series.String, "umbrella"))
	}
	rain := &bnkit.Settings{Hidden: []string{"rain"}}
	odd := frame([]string{"a", "a"}, []string{"1", "1"}, []string{"yes", "no"})
	for name, c := range map[string]struct {
		err     error
		is      error
		message string
	}{
		"no network":         {second(bnkit.FitSeries(t.Context(), nil, twoDays(), learn.EM{}, nil)), nil, "dbn.New"},
		"no network, smooth": {second(bnkit.SmoothSeries(nil, twoDays())), nil, "dbn.New"},
		"no network, sample": {second(bnkit.SampleSeries(nil, []int{1}, rand.NewPCG(1, 0))), nil, "dbn.New"},
		"no method":          {second(bnkit.FitSeries(t.Context(), net, twoDays(), nil, rain)), nil, "no method"},
		"empty": {second(bnkit.FitSeries(t.Context(), net, dataframe.DataFrame{}, learn.EM{}, nil)),
			bnkit.ErrEmptyFrame, ""},
		"not declared as hidden": {second(bnkit.FitSeries(t.Context(), net, twoDays(), learn.EM{}, nil)),
			bn.ErrUnknownVariable, `no column "rain" in the frame, but of no variable: degrees; rename the column, or ` +
				"name the variable in Settings.Hidden"},
		"no series": {second(bnkit.FitSeries(t.Context(), net, twoDays().Drop("series"), learn.EM{}, nil)),
			bn.ErrUnknownVariable, `"series"`},
		"no time": {second(bnkit.FitSeries(t.Context(), net, twoDays().Drop("time"), learn.EM{}, nil)),
			bn.ErrUnknownVariable, `"time"`},
		"unknown state": {second(bnkit.FitSeries(t.Context(), net, frame([]string{"a", "a"}, []string{"1", "2"},
			[]string{"yes", "lost"}), learn.EM{}, nil)), bn.ErrUnknownState, "row 2"},
		"twice": {second(bnkit.FitSeries(t.Context(), net, odd, learn.EM{}, nil)), bn.ErrDuplicate,
			`row 2, column "time"`},
		"missing": {second(bnkit.FitSeries(t.Context(), net, twoDays(), learn.ML{}, rain)), data.ErrMissing, `"rain"`},
		"held out": {second(bnkit.FitSeries(t.Context(), net, twoDays(), learn.EM{}, &bnkit.Settings{HeldOut: &odd,
			Hidden: []string{"rain"}})), bn.ErrDuplicate, "held-out"},
		"unknown target": {second(bnkit.SmoothSeries(net, twoDays(), "sun")), bn.ErrUnknownVariable, `"sun"`},
		"both kinds":     {second(bnkit.SmoothSeries(both, twoDays(), "rain", "x")), nil, `"rain" and "x"`},
		"nothing hidden": {second(bnkit.SmoothSeries(net,
			twoDays().Mutate(series.New([]string{"no", "no", "no"}, series.String, "rain")))), nil, "name the targets"},
		"impossible": {second(bnkit.SmoothSeries(never, twoDays())), infer.ErrImpossibleEvidence,
			`series "a"`},
		"no source":           {second(bnkit.SampleSeries(net, []int{1}, nil)), bn.ErrNoSource, ""},
		"a sample of nothing": {second(bnkit.SampleSeries(net, []int{0}, rand.NewPCG(1, 0))), nil, "length 0"},
	} {
		if c.err == nil || c.is != nil && !errors.Is(c.err, c.is) || !strings.Contains(c.err.Error(), c.message) {
			t.Errorf("%s: error %v, want %v with %q", name, c.err, c.is, c.message)
		}
	}
}

// TestNoDynamicNetwork: without a network, or with one that was not made, there is an error.
func TestNoDynamicNetwork(t *testing.T) {
	df := dataframe.New(series.New([]string{"a"}, series.String, "series"), series.New([]int{0}, series.Int, "time"))
	for _, net := range []*dbn.Network{nil, {}} {
		_, fit := bnkit.FitSeries(t.Context(), net, df, learn.EM{}, nil)
		_, smooth := bnkit.SmoothSeries(net, df)
		_, sample := bnkit.SampleSeries(net, []int{1}, rand.NewPCG(1, 0))
		for _, err := range []error{fit, smooth, sample} {
			if err == nil || !strings.Contains(err.Error(), "no dynamic network") {
				t.Errorf("error %v", err)
			}
		}
	}
}
