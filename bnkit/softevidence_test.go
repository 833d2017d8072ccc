package bnkit_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/infer/infertest"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/validate"
	"bnlab/internal/numtest"
)

// soft makes a frame of evidence, a row each, with a column for every variable of a network.
func soft(net *bn.Network, rows ...infer.Evidence) dataframe.DataFrame {
	var names []string
	cells := make(map[string][]string)
	put := func(name string, row int, cell string) {
		if cells[name] == nil {
			names, cells[name] = append(names, name), make([]string, len(rows))
		}
		cells[name][row] = cell
	}
	for v := range net.Len() {
		put(net.Variable(v).Name, 0, "")
	}
	for row, evidence := range rows {
		for name, finding := range evidence {
			var numbers map[string]float64
			kind := "likelihood "
			switch x := finding.(type) {
			case infer.Likelihood:
				numbers = x
			case infer.Distribution:
				kind, numbers = "distribution ", x
			case infer.StateSet:
				put(name, row, strings.ReplaceAll(x.String(), " or ", "|"))
			default:
				put(name, row, fmt.Sprint(x))
			}
			for state, p := range numbers {
				put(kind+name+"="+state, row, strconv.FormatFloat(p, 'g', -1, 64))
			}
		}
	}
	var cols []series.Series
	for _, name := range names {
		cols = append(cols, series.New(cells[name], series.String, name))
	}
	return dataframe.New(cols...)
}

// TestPredictSoft sums over the joint states of networks of twelve variables. Rows without soft findings get the
// bits that they get alone, and intervals are those of PosteriorInterval.
func TestPredictSoft(t *testing.T) {
	twelve(t, true, func(rng *rand.Rand, evidence infer.Evidence, l *listed, free []int) {
		target := l.net.Variable(free[0]).Name
		hard := infer.Evidence{}
		for name, finding := range evidence {
			if _, ok := finding.(string); ok {
				hard[name] = finding
			}
		}
		got := must[dataframe.DataFrame](t)(bnkit.Predict(l.net, soft(l.net, hard, evidence, evidence), target))
		alone := must[dataframe.DataFrame](t)(bnkit.Predict(l.net, soft(l.net, hard), target))
		for s, want := range l.margin(free[0]) {
			for _, row := range []int{1, 2} {
				numtest.Close(t, got.Elem(row, s).Float(), want, 1e-9, 0)
			}
			if g, w := got.Elem(0, s).Float(), alone.Elem(0, s).Float(); g != w {
				t.Errorf("a row of states: %v with others, %v alone", g, w)
			}
		}
	})
}

func TestPredictIntervalSoft(t *testing.T) {
	truth := infertest.Asia()
	cases := must[dataframe.DataFrame](t)(bnkit.Sample(truth, 300, rand.NewPCG(1, 0)))
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), truth, cases, learn.MAP{Pseudocount: 1}, nil))
	rows := []infer.Evidence{{"smoke": "yes", "xray": "yes", "dysp": "no"}, // both need all tables
		{"xray": infer.Likelihood{"no": 0.1, "yes": 0.7}, "bronc": infer.Distribution{"no": 0.4, "yes": 0.6},
			"dysp": "no"}}
	got := must[dataframe.DataFrame](t)(bnkit.PredictInterval(t.Context(), m, soft(truth, rows...), "lung", draws(200)))
	for row, evidence := range rows {
		want := must[dataframe.DataFrame](t)(bnkit.PosteriorInterval(t.Context(), m, evidence, draws(200), "lung"))
		for i, column := range []string{"yes low", "yes high"} {
			w := want.Col([]string{"low", "high"}[i]).Elem(1).Float()
			numtest.Close(t, got.Col(column).Elem(row).Float(), w, 1e-9, 0)
		}
	}
}

// TestPredictSoftInterval: a number between two is integrated, P(a ≤ x ≤ b | s) = Φ((b − µ)/σ) − Φ((a − µ)/σ).
func TestPredictSoftInterval(t *testing.T) {
	net := must[*bn.Network](t)(bn.New("[s][x|s]", bn.Discrete("s", "no", "yes"), bn.Continuous("x")))
	copy(net.CPT(0).P, []float64{0.25, 0.75})
	g := net.Gaussian(1)
	g.Intercept, g.Variance = []float64{1, 3}, []float64{1, 4}
	phi := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	df := dataframe.New(series.New([]string{"[0.5, 2]", "[-Inf,2]", "1.5", ""}, series.String, "x"))
	got := must[dataframe.DataFrame](t)(bnkit.Predict(net, df, "s"))
	density := func(x, mean, sd float64) float64 { return math.Exp(-(x-mean)*(x-mean)/2/sd/sd) / sd }
	for row, p := range [][2]float64{{phi(1) - phi(-0.5), phi(-0.5) - phi(-1.25)}, {phi(1), phi(-0.5)},
		{density(1.5, 1, 1), density(1.5, 3, 2)}, {1, 1}} {
		numtest.Close(t, got.Col("yes").Elem(row).Float(), 0.75*p[1]/(0.25*p[0]+0.75*p[1]), 1e-12, 0)
	}
}

// TestPredictSoftOnTarget: a likelihood of the target is evidence, P(yes) = ½·0.9/(½·0.9 + ½·0.2); cells of it are not.
// The variable needs no column of its own, and what is in it does not matter.
func TestPredictSoftOnTarget(t *testing.T) {
	numbers := []series.Series{series.New([]float64{0.2, math.NaN()}, series.Float, " likelihood smoke=no"),
		series.New([]float64{0.9, math.NaN()}, series.Float, "likelihood smoke = yes")}
	net := must[*bn.Network](t)(bn.New("[smoke]", bn.Discrete("smoke", "no", "yes")))
	cells := func(first string) series.Series { return series.New([]string{first, "no"}, series.String, "smoke") }
	for _, df := range []dataframe.DataFrame{dataframe.New(numbers...),
		dataframe.New(append(numbers, cells("no|yes"))...), dataframe.New(append(numbers, cells("no"))...),
		dataframe.New(append(numbers, cells("no state"))...)} {
		got := must[dataframe.DataFrame](t)(bnkit.Predict(net, df, "smoke"))
		numtest.Close(t, got.Col("yes").Elem(0).Float(), 9./11, 1e-12, 0)
		numtest.Close(t, got.Col("yes").Elem(1).Float(), 0.5, 1e-12, 0)
	}
}

// TestSoftNames: the names of variables and states come first, and what the data call a state is one in a set too.
func TestSoftNames(t *testing.T) {
	net := must[*bn.Network](t)(bn.New("[w][likelihood w=a|w]", bn.Discrete("w", "a", "b", "a|b"),
		bn.Discrete("likelihood w=a", "0", "1")))
	copy(net.CPT(1).P, []float64{0.9, 0.1, 0.2, 0.8, 0.5, 0.5})
	df := dataframe.New(series.New([]string{"a|b", "a | b", "b|a"}, series.String, "w"))
	got := must[dataframe.DataFrame](t)(bnkit.Predict(net, df, "likelihood w=a"))
	for row, want := range []float64{0.5, 0.45, 0.45} {
		numtest.Close(t, got.Col("1").Elem(row).Float(), want, 1e-12, 0)
	}
	df = dataframe.New(series.New([]string{"0", "1"}, series.String, "likelihood w=a"))
	got = must[dataframe.DataFrame](t)(bnkit.Predict(net, df, "w"))
	numtest.Close(t, got.Col("b").Elem(1).Float(), 0.8/1.4, 1e-12, 0)
}

func TestSoftRefused(t *testing.T) {
	net := infertest.Asia()
	model := bnkit.ModelOf(net)
	cases := must[dataframe.DataFrame](t)(bnkit.Sample(net, 3, rand.NewPCG(1, 0)))
	number := func(name string, x ...float64) series.Series { return series.New(x, series.Float, name) }
	with := func(cols ...series.Series) dataframe.DataFrame {
		df := cases
		for _, c := range cols {
			df = df.Mutate(c)
		}
		return df
	}
	nan := math.NaN()
	likelihood := with(series.New([]string{"", "", "yes"}, series.String, "smoke"),
		number("likelihood smoke=no", 0.2, nan, nan), number("likelihood smoke=yes", 0.9, nan, nan))
	set := with(series.New([]string{"yes", "no|yes", "yes"}, series.String, "smoke"))
	for _, test := range []struct {
		name string
		err  error
		want string
	}{
		{"another state", second(bnkit.Predict(net, with(number("likelihood smoke=maybe", 1, 1, 1)), "lung")),
			`"likelihood smoke=maybe"`},
		{"another variable", second(bnkit.Predict(net, with(number("distribution smok=yes", 1, 1, 1)), "lung")),
			`"distribution smok=yes"`},
		{"half a likelihood", second(bnkit.Predict(net, with(number("likelihood smoke=yes", 1, 1, 1)), "lung")),
			`"likelihood smoke=no"`},
		{"a cell of a likelihood", second(bnkit.Predict(net, with(number("likelihood smoke=no", nan, 1, 1),
			number("likelihood smoke=yes", nan, 1, nan)), "lung")), `row 3, column "likelihood smoke=yes"`},
		{"no number", second(bnkit.Predict(net, with(series.New([]string{"", "much", ""}, series.String,
			"distribution smoke=no")), "lung")), `row 2, column "distribution smoke=no"`},
		{"a state too", second(bnkit.Predict(net, with(number("distribution smoke=no", nan, nan, 1)), "lung")),
			"row 3: duplicate"},
		{"two", second(bnkit.Predict(net, with(series.New([]string{"no|yes", "", ""}, series.String, "smoke"),
			number("distribution smoke=no", 1, nan, nan)), "lung")), `row 1: duplicate`},
		{"a sum", second(bnkit.Predict(net, with(series.New([]string{"", "", ""}, series.String, "smoke"),
			number("distribution smoke=no", nan, 0.4, nan)), "lung")), `row 2: infer: evidence: "smoke": the distribution`},
		{"no state", second(bnkit.Predict(net, with(series.New([]string{"no|maybe", "", ""}, series.String, "smoke")),
			"lung")), `"no|maybe"`},
		{"fit", second(bnkit.Fit(t.Context(), net, likelihood, learn.EM{}, nil)), `"likelihood smoke=no"`},
		{"fit a set", second(bnkit.Fit(t.Context(), net, set, learn.ML{}, nil)), `row 2, column "smoke", value "no|yes"`},
		{"score", second(bnkit.LogScore(model, likelihood)), "which only Predict"},
		{"score a set", second(bnkit.LogScore(model, set)), "which only Predict"},
		{"fill in", second(bnkit.Impute(net, likelihood, nil)), "which only Predict"},
		{"validate", second(bnkit.CrossValidate(t.Context(), net, set, "lung", []validate.Learner{{Name: "ml",
			Candidates: []learn.Method{learn.ML{}}}}, nil)), "which only Predict"},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.name, test.err, test.want)
		}
	}
	if err := second(bnkit.LogScore(model, set)); !errors.Is(err, bn.ErrUnknownState) {
		t.Errorf("a set: %v", err)
	}
	if got := must[dataframe.DataFrame](t)(bnkit.Predict(net, likelihood, "lung")); got.Nrow() != 3 {
		t.Errorf("%d predictions", got.Nrow())
	}
	mixed := bnkit.ModelOf(must[*bn.Network](t)(bn.New("[x]", bn.Continuous("x"))))
	between := dataframe.New(series.New([]string{"[1, 2]"}, series.String, "x"))
	if err := second(bnkit.LogScore(mixed, between)); !errors.Is(err, data.ErrNumber) ||
		!strings.Contains(err.Error(), "which only Predict") {
		t.Errorf("an interval: %v", err)
	}
}

// TestSmoothSeriesSoft: evidence in columns is what Given takes, by enumeration of rain in three slices.
func TestSmoothSeriesSoft(t *testing.T) {
	net, err := umbrellas()
	if err != nil {
		t.Fatal(err)
	}
	df := dataframe.New(
		series.New([]string{"a", "a", "b", "a"}, series.String, "series"),
		series.New([]int{1, 2, 7, 3}, series.Int, "time"),
		series.New([]string{"yes", "no|yes", "yes", ""}, series.String, "umbrella"),
		series.New([]float64{math.NaN(), 0.3, math.NaN(), math.NaN()}, series.Float, "likelihood rain=no"),
		series.New([]float64{math.NaN(), 0.6, math.NaN(), math.NaN()}, series.Float, "likelihood rain=yes"),
		series.New([]float64{math.NaN(), math.NaN(), 0.75, math.NaN()}, series.Float, "distribution rain=no"),
		series.New([]float64{math.NaN(), math.NaN(), 0.25, math.NaN()}, series.Float, "distribution rain=yes"))
	smooth := must[dataframe.DataFrame](t)(bnkit.SmoothSeries(net, df))
	if rain := smooth.Col("variable").Elem(0).String(); rain != "rain" || smooth.Nrow() != 8 {
		t.Fatalf("%d rows on %s", smooth.Nrow(), rain)
	}
	filter := must[dataframe.DataFrame](t)(bnkit.FilterSeries(net, df.Subset([]int{0, 1, 3})))
	for slice := range 3 {
		yes, all, now, allNow := 0., 0., 0., 0.
		joints(3, func(states [][2]int, p float64) {
			if states[0][1] != 1 {
				return
			}
			w := p * []float64{0.3, 0.6}[states[1][0]]
			all, yes = all+w, yes+w*float64(states[slice][0])
			if slice > 0 {
				p = w
			}
			allNow, now = allNow+p, now+p*float64(states[slice][0])
		})
		numtest.Close(t, smooth.Col("probability").Elem(2*slice+1).Float(), yes/all, 1e-12, 0)
		numtest.Close(t, filter.Col("probability").Elem(2*slice+1).Float(), now/allNow, 1e-12, 0)
	}
	numtest.Close(t, smooth.Col("probability").Elem(7).Float(), 0.25, 1e-12, 0)
	for name, err := range map[string]error{"a fit": second(bnkit.FitSeries(t.Context(), net, df, learn.EM{}, nil)),
		"what must hold, looking ahead": second(bnkit.FilterSeries(net, df))} {
		if err == nil || name == "a fit" && !strings.Contains(err.Error(), `"likelihood rain=no"`) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Four patients: one coughs, of one it is not known, one was heard by a microphone with a sensitivity of 0.9 and a
// specificity of 0.8, and of one a colleague is 70 % sure.
func ExamplePredict_evidence() {
	model, err := coughing()
	if err != nil {
		fmt.Println(err)
		return
	}
	patients := dataframe.New(
		series.New([]string{"yes", "no|yes", "", ""}, series.String, "cough"),
		series.New([]string{"", "", "0.2", ""}, series.String, "likelihood cough=no"),
		series.New([]string{"", "", "0.9", ""}, series.String, "likelihood cough=yes"),
		series.New([]string{"", "", "", "0.3"}, series.String, "distribution cough=no"),
		series.New([]string{"", "", "", "0.7"}, series.String, "distribution cough=yes"),
	)
	df, err := bnkit.Predict(model, patients, "smoker")
	if err != nil {
		fmt.Println(err)
		return
	}
	for row := range df.Nrow() {
		fmt.Printf("%.3f\n", df.Col("yes").Elem(row).Float())
	}
	// Output:
	// 0.660
	// 0.455
	// 0.581
	// 0.546
}
