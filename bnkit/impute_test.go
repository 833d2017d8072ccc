package bnkit_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer/infertest"
	"bnlab/bnkit/learn"
)

// TestImpute: no completion of a row is more probable, by enumeration, and nothing else changes.
func TestImpute(t *testing.T) {
	filled := 0
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 8))
		net := infertest.Random(rng, 2+rng.IntN(4), []float64{0, 0.3}[seed%2])
		whole := must[dataframe.DataFrame](t)(bnkit.Sample(net, 12, rng))
		ids := make([]int, whole.Nrow())
		cols := []series.Series{}
		for _, name := range whole.Names() {
			cells := whole.Col(name).Records()
			for row := range cells {
				ids[row] = row
				if rng.Float64() < 0.4 {
					cells[row] = "NaN"
				}
			}
			cols = append(cols, series.New(cells, series.String, name))
		}
		before := dataframe.New(append(cols, series.New(ids, series.Int, "id"))...)
		old := before.Records()
		after := must[dataframe.DataFrame](t)(bnkit.Impute(net, before, &bnkit.ImputeSettings{Mark: true}))
		if !reflect.DeepEqual(before.Records(), old) {
			t.Fatalf("seed %d: the frame that was given changed", seed)
		}
		if !slices.Equal(after.Col("id").Records(), before.Col("id").Records()) {
			t.Fatalf("seed %d: rows or other columns changed", seed)
		}
		for row := range whole.Nrow() {
			best, got := 0.0, 0.0
			infertest.Joint(net, func(states []int, p float64) {
				same := true
				for v, s := range states {
					name := net.Variable(v).Name
					cell := before.Col(name).Elem(row)
					if !cell.IsNA() && cell.String() != net.Variable(v).States[s] {
						return
					}
					same = same && after.Col(name).Elem(row).String() == net.Variable(v).States[s]
				}
				best = max(best, p)
				if same {
					got = p
				}
			})
			if !(got >= best*(1-1e-12)) || best == 0 {
				t.Errorf("seed %d, row %d: completed with probability %v, the best is %v", seed, row, got, best)
			}
			for v := range net.Len() {
				name := net.Variable(v).Name
				gap := before.Col(name).Elem(row).IsNA()
				marked := false
				if slices.Contains(after.Names(), name+" filled") {
					marked, _ = after.Col(name + " filled").Elem(row).Bool()
				}
				if marked != gap {
					t.Errorf("seed %d, row %d: %s missing %v, marked %v", seed, row, name, gap, marked)
				}
				if gap {
					filled++
				}
			}
		}
	}
	if filled < 100 {
		t.Errorf("%d cells: too few to tell", filled)
	}
}

// TestImputeDraws: joint frequencies of two missing cells within four standard errors.
func TestImputeDraws(t *testing.T) {
	net := infertest.Asia()
	df := dataframe.New(series.New([]string{"yes", "no", "yes"}, series.String, "xray"),
		series.New([]string{"NaN", "no", "NaN"}, series.String, "lung"),
		series.New([]string{"NaN", "yes", "NaN"}, series.String, "smoke"))
	const n = 4000
	out := must[dataframe.DataFrame](t)(bnkit.Impute(net, df, &bnkit.ImputeSettings{Draws: n, Src: rand.NewPCG(3, 0)}))
	if out.Nrow() != 3*n || out.Col("imputation").Elem(3*n-1).String() != fmt.Sprint(n) {
		t.Fatalf("%d rows, the last of imputation %v", out.Nrow(), out.Col("imputation").Elem(out.Nrow()-1))
	}
	lung, smoke := out.Col("lung").Records(), out.Col("smoke").Records()
	count := map[string]float64{}
	for i := range lung {
		if i%3 == 1 {
			if lung[i] != "no" || smoke[i] != "yes" {
				t.Fatal("an observed cell changed")
			}
			continue
		}
		count[lung[i]+" "+smoke[i]]++
	}
	want, all := map[string]float64{}, 0.0
	at := func(name string) int { v, _ := net.Index(name); return v }
	infertest.Joint(net, func(states []int, p float64) {
		name := func(v string) string { return net.Variable(at(v)).States[states[at(v)]] }
		if name("xray") == "yes" {
			want[name("lung")+" "+name("smoke")] += p
			all += p
		}
	})
	for key, p := range want {
		p /= all
		if got := count[key] / (2 * n); math.Abs(got-p) > 4*math.Sqrt(p*(1-p)/(2*n)) {
			t.Errorf("lung and smoke %s: %v of the draws, want %v", key, got, p)
		}
	}
}

// TestImputeNumbers: a missing number gets its mean given the state that is most probable.
func TestImputeNumbers(t *testing.T) {
	net := must[*bn.Network](t)(bn.New("[a][x|a]", bn.Discrete("a", "low", "high"), bn.Continuous("x")))
	v, _ := net.Index("a")
	copy(net.CPT(v).P, []float64{0.3, 0.7})
	x, _ := net.Index("x")
	copy(net.Gaussian(x).Intercept, []float64{1, 5})
	df := dataframe.New(series.New([]string{"low", "NaN", "NaN"}, series.String, "a"),
		series.New([]float64{math.NaN(), math.NaN(), 1.5}, series.Float, "x"))
	out := must[dataframe.DataFrame](t)(bnkit.Impute(net, df, nil))
	if a := out.Col("a").Records(); !slices.Equal(a, []string{"low", "high", "low"}) {
		t.Errorf("a is %v", a)
	}
	if x := out.Col("x").Float(); !slices.Equal(x, []float64{1, 5, 1.5}) {
		t.Errorf("x is %v", x)
	}
}

// TestImputeTypes: columns keep their types, but for means among whole numbers.
func TestImputeTypes(t *testing.T) {
	net := must[*bn.Network](t)(bn.New("[a][x|a]", bn.Discrete("a", "0", "1"), bn.Continuous("x")))
	x, _ := net.Index("x")
	copy(net.Gaussian(x).Intercept, []float64{1.25, 1.25})
	df := dataframe.New(series.New([]string{"0", "NaN", "2"}, series.Int, "a"),
		series.New([]string{"7", "3", "NaN"}, series.Int, "x"))
	df = must[dataframe.DataFrame](t)(bnkit.AsMissing(net, df))
	out := must[dataframe.DataFrame](t)(bnkit.Impute(net, df, nil))
	if types := out.Types(); types[0] != series.Int || types[1] != series.Float {
		t.Errorf("types %v", types)
	}
	if x := out.Col("x").Float(); !slices.Equal(x, []float64{7, 3, 1.25}) {
		t.Errorf("x is %v", x)
	}
	if a := out.Col("a").Records(); a[0] != "0" || a[1] == "NaN" || a[2] == "2" {
		t.Errorf("a is %v", a)
	}
}

func TestImputeRefused(t *testing.T) {
	net := infertest.Asia()
	text := func(name string, cells ...string) series.Series { return series.New(cells, series.String, name) }
	df := dataframe.New(text("tub", "yes", "NaN"), text("either", "no", "yes"), text("xray", "NaN", "blurred"))
	known := must[dataframe.DataFrame](t)(bnkit.AsMissing(net, dataframe.New(text("tub", "no", "NaN"),
		text("xray", "NaN", "blurred"), text("imputation", "a", "b"))))
	for _, test := range []struct {
		df   dataframe.DataFrame
		set  *bnkit.ImputeSettings
		want string
	}{
		{df, nil, `"blurred"`},
		{must[dataframe.DataFrame](t)(bnkit.AsMissing(net, df)), nil, "row 1"},
		{df, &bnkit.ImputeSettings{Draws: -1}, "-1 draws"},
		{df, &bnkit.ImputeSettings{Draws: 2}, bn.ErrNoSource.Error()},
		{df, &bnkit.ImputeSettings{Src: rand.NewPCG(1, 0)}, "without Draws"},
		{known, &bnkit.ImputeSettings{Draws: 1, Src: rand.NewPCG(1, 0)}, `"imputation" already`},
		{dataframe.New(text("tube", "yes")), nil, "none of the frame's columns"},
	} {
		if _, err := bnkit.Impute(net, test.df, test.set); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, want %q", test.set, err, test.want)
		}
	}
	set := &bnkit.ImputeSettings{Hidden: true}
	out := must[dataframe.DataFrame](t)(bnkit.Impute(net, known, set))
	if x := out.Col("xray").Records(); !slices.Equal(x, []string{"no", "no"}) {
		t.Errorf("a state never seen became %v", x)
	}
	if l := out.Col("lung").Records(); !slices.Equal(l, []string{"no", "no"}) {
		t.Errorf("the variable without a column became %v", l)
	}
}

// TestImputeDiscretized: a state is not written among numbers, but among states it is.
func TestImputeDiscretized(t *testing.T) {
	df := dataframe.New(series.New([]float64{1, 2, 8, 9, math.NaN()}, series.Float, "age"),
		series.New([]string{"no", "no", "yes", "yes", "yes"}, series.String, "ill"))
	cuts := must[*data.Discretization](t)(bnkit.Discretize(df,
		data.Cuts{Column: "age", Cuts: []float64{5}, Names: []string{"young", "old"}}))
	net := must[*bn.Network](t)(bnkit.NewNetwork("[age][ill|age]", df, &bnkit.NetworkOptions{Discretization: cuts}))
	model := bnkit.ModelOf(net)
	model.Discretization = cuts
	if _, err := bnkit.Impute(model, df, nil); !errors.Is(err, bn.ErrAmbiguous) {
		t.Errorf("error %v", err)
	}
	made := must[dataframe.DataFrame](t)(bnkit.Apply(df, cuts))
	out := must[dataframe.DataFrame](t)(bnkit.Impute(model, made, nil))
	if out.Col("age").Elem(4).IsNA() || out.Col("age").Elem(0).String() != made.Col("age").Elem(0).String() {
		t.Errorf("age is %v", out.Col("age").Records())
	}
}

// What a patient's record leaves open gets its most probable values.
func ExampleImpute() {
	df := dataframe.New(
		series.New([]string{"Ann", "Bob"}, series.String, "patient"),
		series.New([]string{"yes", "no"}, series.String, "xray"),
		series.New([]string{"NaN", "no"}, series.String, "smoke"),
		series.New([]string{"no", "NaN"}, series.String, "lung"),
	)
	whole, err := bnkit.Impute(infertest.Asia(), df, &bnkit.ImputeSettings{Mark: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range whole.Records() {
		fmt.Println(strings.Join(row, " | "))
	}
	// Output:
	// patient | xray | smoke | lung | smoke filled | lung filled
	// Ann | yes | no | no | true | false
	// Bob | no | no | no | false | true
}

// TestFitOfCopies: three imputations of a row are one case, not three.
func TestFitOfCopies(t *testing.T) {
	net := must[*bn.Network](t)(bn.New("[x]", bn.Discrete("x", "no", "yes")))
	gaps := dataframe.New(texts("x", "no", "yes", "NaN", "yes"))
	copies := must[dataframe.DataFrame](t)(bnkit.Impute(net, gaps, &bnkit.ImputeSettings{Draws: 3,
		Src: rand.NewPCG(1, 0)}))
	if _, err := bnkit.Fit(t.Context(), net, copies, learn.ML{}, nil); err == nil ||
		!strings.Contains(err.Error(), "3 imputations of its rows") {
		t.Errorf("three copies: %v", err)
	}
	thirds := make([]float64, copies.Nrow())
	for i := range thirds {
		thirds[i] = 1. / 3
	}
	m, err := bnkit.Fit(t.Context(), net, copies.Mutate(series.New(thirds, series.Float, "w")), learn.ML{},
		&bnkit.Settings{Weight: "w"})
	if err != nil || math.Abs(m.Cases-4) > 1e-12 {
		t.Errorf("by weight: %v, %v", m, err)
	}
	one := copies.Filter(dataframe.F{Colname: "imputation", Comparator: series.Eq, Comparando: 1})
	if m, err = bnkit.Fit(t.Context(), net, one, learn.ML{}, nil); err != nil || m.Cases != 4 {
		t.Errorf("one copy: %v, %v", m, err)
	}
}
