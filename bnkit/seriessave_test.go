package bnkit_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/learn"
)

func ExampleSaveSeries() {
	truth, err := umbrellas()
	if err != nil {
		fmt.Println(err)
		return
	}
	df, err := bnkit.SampleSeries(truth, []int{30, 20}, rand.NewPCG(1, 0))
	if err != nil {
		fmt.Println(err)
		return
	}
	fit, err := bnkit.FitSeries(context.Background(), truth, df, learn.MAP{Pseudocount: 1}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "weather.json")
	if err := bnkit.SaveSeries(path, fit); err != nil {
		fmt.Println(err)
		return
	}
	again, err := bnkit.LoadSeries(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(again)
	// Output:
	// 2 series of 50 slices in all
	// maximum a posteriori, pseudocount 1
	// 3 variables, 50 cases, log-likelihood -48.5 nats
	// 5 free parameters, AIC 107, BIC 116.56
	// 5 distributions under no statement: closed form
	// [rain|rain[t-1]][umbrella|rain]
	// rain[0]
	// | no   yes
	// | 0.75 0.25
	// rain[1]
	// rain[0] | no     yes
	// no      | 0.7143 0.2857
	// yes     | 0.5294 0.4706
	// umbrella[1]
	// rain[1] | no     yes
	// no      | 0.8333 0.1667
	// yes     | 0.1111 0.8889
}

// TestSaveSeries: what is loaded has the same bits, prints the same and answers the same.
func TestSaveSeries(t *testing.T) {
	net := must[*dbn.Network](t)(umbrellas())
	full := must[dataframe.DataFrame](t)(bnkit.SampleSeries(net, []int{30, 20}, rand.NewPCG(1, 0)))
	known := constraint.Fixed{Var: "umbrella[1]", Given: bn.Given{"rain[1]": "yes"}, P: map[string]float64{"yes": 0.9}}
	order := constraint.Influence{Parent: "rain[1]", Child: "umbrella[1]"}
	water := dataframe.New(series.New([]int{1, 1, 1, 2, 2}, series.Int, "series"), series.New([]int{0, 1, 2, 0, 1},
		series.Int, "time"),

		series.New([]float64{0.5, 1.5, 1.7, 3, 0.1}, series.Float, "water"))
	cuts := must[*data.Discretization](t)(bnkit.Discretize(water, data.Cuts{Column: "water", Cuts: []float64{1},
		Names: []string{"low", "high"}}))
	level := must[*dbn.Network](t)(dbn.New("[water|water[t-1]]", bn.Discrete("water", "low", "high")))
	line := must[*dbn.Network](t)(dbn.New("[on|on[t-1]][x|on:x[t-1]]", bn.Discrete("on", "no", "yes"),
		bn.Continuous("x")))
	drawn := must[dataframe.DataFrame](t)(bnkit.SampleSeries(line, []int{20, 20, 20, 20}, rand.NewPCG(2, 0)))
	for name, c := range map[string]struct {
		net *dbn.Network
		df  dataframe.DataFrame
		m   learn.Method
		set *bnkit.Settings
	}{
		"complete":   {net, full, learn.MAP{Pseudocount: 1}, nil},
		"statements": {net, full, learn.MAP{Pseudocount: 1, Constraints: []constraint.Constraint{known, order}}, nil},
		"hidden": {net, full.Drop("rain"), learn.EM{Constraints: []constraint.Constraint{known}},
			&bnkit.Settings{Seed: 7, Starts: 2, Hidden: []string{"rain"}}},
		"skipped":    {net, gaps(), learn.MAP{Pseudocount: 1}, &bnkit.Settings{SkipMissing: true}},
		"cut":        {level, water, learn.EM{Pseudocount: 1}, &bnkit.Settings{Discretization: cuts}},
		"continuous": {line, drawn, learn.MAP{Pseudocount: 1, VarianceFloor: 1e-3}, nil},
	} {
		fit, err := bnkit.FitSeries(t.Context(), c.net, c.df, c.m, c.set)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		path := filepath.Join(t.TempDir(), "m.json")
		if err := bnkit.SaveSeries(path, fit); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		again, err := bnkit.LoadSeries(path)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, want := again.String(), fit.String(); got != want {
			t.Errorf("%s: printed before\n%s\nand after\n%s", name, want, got)
		}
		if again.Seed != fit.Seed || again.DataHash != fit.DataHash || len(again.DataHash) == 0 ||
			again.Series != fit.Series ||
			!reflect.DeepEqual(again.Discretization, fit.Discretization) || again.Net.String() != fit.Net.String() {
			t.Errorf("%s: something is lost", name)
		}
		a, b := fit.Net.Template(), again.Net.Template()
		for v := range a.Len() {
			if !sameBits(numbers(a, v), numbers(b, v)) {
				t.Errorf("%s: the parameters of %s differ", name, a.Variable(v).Name)
			}
		}
		if again.Result.Net != b {
			t.Errorf("%s: the result is of another template", name)
		}
		p := must[dataframe.DataFrame](t)(bnkit.PredictSeries(fit, c.df, 3)).Records()
		if q := must[dataframe.DataFrame](t)(bnkit.PredictSeries(again, c.df, 3)).Records(); !reflect.DeepEqual(p, q) {
			t.Errorf("%s: predictions differ", name)
		}
		second := filepath.Join(t.TempDir(), "m.json")
		if err := bnkit.SaveSeries(second, again); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if string(must[[]byte](t)(os.ReadFile(path))) != string(must[[]byte](t)(os.ReadFile(second))) {
			t.Errorf("%s: saving again writes another file", name)
		}
	}
}

// numbers are the parameters of a variable.
func numbers(net *bn.Network, v int) []float64 {
	if c := net.CPT(v); c != nil {
		return c.P
	}
	g := net.Gaussian(v)
	list := append(append([]float64{}, g.Intercept...), g.Variance...)
	for _, w := range g.Weights {
		list = append(list, w...)
	}
	return list
}

func sameBits(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if math.Float64bits(a[i]) != math.Float64bits(b[i]) {
			return false
		}
	}
	return true
}

// TestSaveSeriesOfNetwork: networks that were not fitted, and fits of package dbn, are saved too.
func TestSaveSeriesOfNetwork(t *testing.T) {
	net := must[*dbn.Network](t)(umbrellas())
	s := must[*dbn.Series](t)(net.Sample([]int{5}, rand.NewPCG(1, 0)))
	fit := must[*dbn.Fitted](t)(dbn.Fit(t.Context(), net, s, learn.MAP{Pseudocount: 1}, nil))
	for name, m := range map[string]dbn.Model{"network": net, "fit": fit, "bare fit": &dbn.Fitted{Net: net},
		"model": &bnkit.SeriesModel{Fitted: fit}} {
		path := filepath.Join(t.TempDir(), "m.json")
		if err := bnkit.SaveSeries(path, m); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		again := must[*bnkit.SeriesModel](t)(bnkit.LoadSeries(path))
		for v := range net.Template().Len() {
			if !sameBits(numbers(m.Dynamic().Template(), v), numbers(again.Net.Template(), v)) {
				t.Errorf("%s: the parameters of %s differ", name, net.Template().Variable(v).Name)
			}
		}
	}
	for name, m := range map[string]dbn.Model{"nothing": nil, "network": &dbn.Network{}, "fit": &dbn.Fitted{},
		"model": &bnkit.SeriesModel{}} {
		path := filepath.Join(t.TempDir(), "m.json")
		if err := bnkit.SaveSeries(path, m); err == nil || !strings.Contains(err.Error(), "no dynamic network") {
			t.Errorf("%s: error %v", name, err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s: there is a file", name)
		}
	}
}

// TestLoadSeriesStrict: a file that is not what SaveSeries writes is an error that names it.
func TestLoadSeriesStrict(t *testing.T) {
	net := must[*dbn.Network](t)(umbrellas())
	dir := t.TempDir()
	path := filepath.Join(dir, "m.json")
	if err := bnkit.SaveSeries(path, net); err != nil {
		t.Fatal(err)
	}
	good := string(must[[]byte](t)(os.ReadFile(path)))
	other := filepath.Join(dir, "other.json")
	if err := bnkit.Save(other, bnkit.ModelOf(net.Template())); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ text, message string }{
		"empty":         {"", "cut short"},
		"half":          {good[:len(good)/2], "cut short"},
		"twice":         {good + good, "follows the model at byte"},
		"unknown field": {strings.Replace(good, `"series": 0`, `"series": 0, "serie": 1`, 1), `"serie"`},
		"version":       {strings.Replace(good, "series model 1", "series model 2", 1), "bnlab series model 2"},
		"a model":       {string(must[[]byte](t)(os.ReadFile(other))), "read it with Load"},
		"no template":   {`{"format": "bnlab series model 1", "structure": "[x]", "series": 0}`, "no template"},
		"null template": {`{"format": "bnlab series model 1", "structure": "[x]", "series": 0, "template": null}`,
			"template"},
		"negative": {strings.Replace(good, `"series": 0`, `"series": -1`, 1), "-1 series"},
		"other arcs": {strings.Replace(good, "[rain|rain[t-1]][umbrella|rain]", "[rain|rain[t-1]][umbrella]", 1),
			"the template is"},
		"other names": {strings.Replace(good, "[rain|rain[t-1]][umbrella|rain]", "[fog|fog[t-1]][umbrella|fog]", 1),
			`"rain"`},
		"no structure": {strings.Replace(good, "[rain|rain[t-1]][umbrella|rain]", "", 1), "model string"},
		"null":         {strings.Replace(good, "0.7", "null", 1), "null stands where a number is wanted"},
		"bad row":      {strings.Replace(good, "0.7", "0.8", 1), "sum"},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := bnkit.LoadSeries(path)
		if err == nil || !strings.Contains(err.Error(), c.message) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.message)
		}
	}
	if err := os.WriteFile(path, []byte(good), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := bnkit.Load(path); err == nil || !strings.Contains(err.Error(), "LoadSeries") {
		t.Errorf("Load of a model of series: %v", err)
	}
	if _, err := bnkit.LoadSeries(filepath.Join(dir, "none.json")); err == nil {
		t.Error("a file that is not there is no error")
	}
}
