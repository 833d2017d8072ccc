package bnkit_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/structure/incomplete"
	"bnlab/internal/numtest"
)

// kidneyStones are the 700 patients of Charig et al. (1986): treatment A is better for small stones and
// for large ones, and worse in all, since it was given to those with large stones.
func kidneyStones() dataframe.DataFrame {
	var stone, treatment, success []string
	add := func(s, t string, cured, all int) {
		for i := range all {
			stone, treatment = append(stone, s), append(treatment, t)
			success = append(success, map[bool]string{true: "yes", false: "no"}[i < cured])
		}
	}
	add("small", "A", 81, 87)
	add("large", "A", 192, 263)
	add("small", "B", 234, 270)
	add("large", "B", 55, 80)
	return dataframe.New(series.New(stone, series.String, "stone"),
		series.New(treatment, series.String, "treatment"), series.New(success, series.String, "success"))
}

func stoneModel(set *bnkit.Settings) (*bnkit.Model, error) {
	df := kidneyStones()
	net, err := bnkit.NewNetwork("[stone][treatment|stone][success|stone:treatment]", df, nil)
	if err != nil {
		return nil, err
	}
	return bnkit.Fit(context.Background(), net, df, learn.ML{}, set)
}

// Treatment B looks better, and A is (Simpson's paradox; Charig et al. 1986).
func ExampleEffect() {
	model, err := stoneModel(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	df, err := bnkit.Effect(context.Background(), model, "treatment", "success", &bnkit.EffectSettings{Baseline: "B"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range df.Nrow() {
		if df.Col("outcome").Elem(i).String() == "yes" {
			fmt.Printf("%s: seen %.3f, done %.3f, difference %.3f, %s\n", df.Col("treatment").Elem(i),
				df.Col("seen").Elem(i).Float(), df.Col("do").Elem(i).Float(), df.Col("difference").Elem(i).Float(),
				df.Col("note").Elem(i))
		}
	}
	// Output:
	// A: seen 0.780, done 0.833, difference 0.054, adjust for stone
	// B: seen 0.826, done 0.779, difference 0.000, adjust for stone
}

// TestEffectIntervals: draws of the effect are those that beta densities of the tables make, by a simulation
// of the test's own.
func TestEffectIntervals(t *testing.T) {
	m, err := stoneModel(nil)
	if err != nil {
		t.Fatal(err)
	}
	set := &bnkit.EffectSettings{Baseline: "B", Intervals: &bnkit.IntervalSettings{Draws: 4000, Level: 0.9,
		Src: rand.NewPCG(1, 0)}}
	df := must[dataframe.DataFrame](t)(bnkit.Effect(t.Context(), m, "treatment", "success", set))
	rng := rand.New(rand.NewPCG(5, 0))
	gamma := func(k int) float64 { // of whole shape, as a sum of exponentials
		x := 0.0
		for range k {
			x += rng.ExpFloat64()
		}
		return x
	}
	beta := func(yes, no int) float64 { a, b := gamma(yes+1), gamma(no+1); return a / (a + b) }
	const n = 4000
	var mean, low float64
	for range n {
		small := beta(357, 343)
		d := small*(beta(81, 6)-beta(234, 36)) + (1-small)*(beta(192, 71)-beta(55, 25))
		mean += d / n
		if d < df.Col("difference low").Elem(1).Float() {
			low++
		}
	}
	row := func(name string) float64 { return df.Col(name).Elem(1).Float() } // A, yes
	if df.Col("treatment").Elem(1).String() != "A" || df.Col("outcome").Elem(1).String() != "yes" {
		t.Fatalf("the second row is not that of A and yes: %v", df)
	}
	if p := low / n; math.Abs(p-0.05) > 4*math.Sqrt(2*0.05*0.95/n) {
		t.Errorf("%v of the effects lie below the interval, want 0.05", p)
	}
	if !(row("difference low") < mean && mean < row("difference high")) {
		t.Errorf("the mean effect %v is outside of its interval", mean)
	}
	if !(row("do low") < row("do") && row("do") < row("do high") && row("ratio low") < row("ratio") &&
		row("ratio") < row("ratio high")) {
		t.Errorf("estimates lie outside of their intervals: %v", df)
	}
	if got := df.Col("difference high").Elem(3).Float(); got != 0 {
		t.Errorf("the baseline differs from itself by up to %v", got)
	}
}

// TestEffectRefused: what cannot be had is refused, with what and why.
func TestEffectRefused(t *testing.T) {
	m, err := stoneModel(nil)
	if err != nil {
		t.Fatal(err)
	}
	hidden := *m
	result := *m.Result
	result.Hidden = []string{"stone"}
	hidden.Result = &result
	var open *bn.UnidentifiableError
	_, err = bnkit.Effect(t.Context(), &hidden, "treatment", "success", nil)
	if !errors.As(err, &open) || !strings.Contains(err.Error(), "treatment ← stone → success is open") {
		t.Errorf("an effect that hidden stones confound: %v", err)
	}
	intervals := &bnkit.EffectSettings{Intervals: &bnkit.IntervalSettings{Src: rand.NewPCG(1, 0)}}
	for _, test := range []struct {
		name string
		m    bn.Model
		x, y string
		set  *bnkit.EffectSettings
		want string
	}{
		{"unknown treatment", m, "treat", "success", nil, `unknown variable "treat"`},
		{"itself", m, "success", "success", nil, "treatment and as outcome"},
		{"hidden treatment", &hidden, "stone", "success", nil, `"stone" is hidden`},
		{"baseline", m, "treatment", "success", &bnkit.EffectSettings{Baseline: "C"}, `"C"`},
		{"among those who are cured", m, "treatment", "stone", &bnkit.EffectSettings{
			Given: infer.Evidence{"success": "yes"}}, `the treatment "treatment" affects it`},
		{"no cases", m.Net, "treatment", "success", intervals, "not fitted"},
		{"no source", m, "treatment", "success", &bnkit.EffectSettings{Intervals: &bnkit.IntervalSettings{}}, "Src"},
	} {
		if _, err := bnkit.Effect(t.Context(), test.m, test.x, test.y, test.set); err == nil ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}

// Of two unknown names the treatment's is told, whatever the order of a map.
func TestEffectUnknownNames(t *testing.T) {
	df := dataframe.LoadRecords([][]string{{"a", "b"}, {"no", "yes"}, {"yes", "no"}})
	net := must[*bn.Network](t)(bnkit.NewNetwork("[a][b|a]", df, nil))
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.ML{}, nil))
	for range 20 {
		if _, err := bnkit.Effect(t.Context(), m, "x", "y", nil); err == nil || !strings.Contains(err.Error(), `"x"`) {
			t.Fatal(err)
		}
	}
}

// TestEffectGiven: an effect among those with large stones is that of their table alone.
func TestEffectGiven(t *testing.T) {
	m, err := stoneModel(nil)
	if err != nil {
		t.Fatal(err)
	}
	df := must[dataframe.DataFrame](t)(bnkit.Effect(t.Context(), m, "treatment", "success",
		&bnkit.EffectSettings{Given: infer.Evidence{"stone": "large"}}))
	for i, want := range []float64{71. / 263, 192. / 263, 25. / 80, 55. / 80} {
		if got := df.Col("do").Elem(i).Float(); math.Abs(got-want) > 1e-12 {
			t.Errorf("row %d: %v, want %v", i, got, want)
		}
	}
	if got, want := df.Col("ratio").Elem(3).Float(), 55./80/(192./263); math.Abs(got-want) > 1e-12 {
		t.Errorf("the ratio is %v, want %v", got, want)
	}
}

// TestEffectOfManyPaths has twelve paths X ← a ← c → b → Y, each of which a, b or c closes: 3¹² minimal sets, more
// than are listed, of which the parents of X are one. a and b are copies of c, X is the first of the a in nine of ten
// cases and Y so of the b: with an arc between them that does nothing, X and Y agree in .9² + .1² of the cases.
func TestEffectOfManyPaths(t *testing.T) {
	const paths = 12
	model, x, y := "", "[X|", "[Y|"
	var vars []bn.Variable
	for i := range paths {
		model += fmt.Sprintf("[c%d][a%d|c%d][b%d|c%d]", i, i, i, i, i)
		x += fmt.Sprintf("a%d:", i)
		y += fmt.Sprintf("b%d:", i)
		for _, name := range []string{"a", "b", "c"} {
			vars = append(vars, bn.Discrete(fmt.Sprint(name, i), "0", "1"))
		}
	}
	vars = append(vars, bn.Discrete("X", "0", "1"), bn.Discrete("Y", "0", "1"))
	net, err := bn.New(model+strings.TrimSuffix(x, ":")+"]"+y+"X]", vars...)
	if err != nil {
		t.Fatal(err)
	}
	for v := range net.Len() {
		p := net.CPT(v)
		switch name := p.Child.Name; name[0] {
		case 'a', 'b':
			copy(p.P, []float64{1, 0, 0, 1})
		case 'X', 'Y': // the state of the first parent, which varies slowest; X, the last of Y's, has no effect
			for config := range p.Configs().Len() {
				state := config >> (len(p.Parents) - 1)
				p.Row(config)[state], p.Row(config)[1-state] = 0.9, 0.1
			}
		}
	}
	df, err := bnkit.Effect(context.Background(), net, "X", "Y", nil)
	if err != nil {
		t.Fatal(err)
	}
	// Seen: P(Y=1 | X=1) = .9² + .1² = .82; under do it is 1/2.
	numtest.Close(t, df.Col("seen").Float()[3], 0.82, 1e-12, 0)
	numtest.Close(t, df.Col("do").Float()[3], 0.5, 1e-12, 0)
	if note := df.Col("note").Elem(3).String(); !strings.HasPrefix(note, "adjust for ") ||
		strings.Count(note, ",") != paths-1 {
		t.Errorf("the note is %q", note)
	}
}

// TestEffectWithoutPositivity: no woman is treated, so that P(cured | treated) among women is the prior's 1/2, and a
// difference comes out of nothing. The note says so, in the row of the treatment that lacks cases, with their share.
func TestEffectWithoutPositivity(t *testing.T) {
	var sex, treated, cured []string
	add := func(s, x, y string, n int) {
		for range n {
			sex, treated, cured = append(sex, s), append(treated, x), append(cured, y)
		}
	}
	add("f", "no", "no", 40)
	add("f", "no", "yes", 10)
	add("m", "no", "no", 40)
	add("m", "no", "yes", 10)
	add("m", "yes", "no", 40)
	add("m", "yes", "yes", 10)
	df := dataframe.New(texts("sex", sex...), texts("treated", treated...), texts("cured", cured...))
	net := must[*bn.Network](t)(bnkit.NewNetwork("[sex][treated|sex][cured|sex:treated]", df, nil))
	want := regexp.MustCompile(`no case has sex=f, treated=yes, as 3[34] % would: there P\(cured\) is made of nothing but ` +
		`prior and statements$`)
	for _, method := range []learn.Method{learn.ML{}, learn.MAP{Alpha: map[string][]float64{"cured": {2, 2, 2, 2, 2, 2,
		2, 2}}}, learn.PosteriorMean{}, learn.EM{}} {
		m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, method, nil))
		for _, set := range []*bnkit.EffectSettings{nil, {Intervals: draws(200)}} {
			got := must[dataframe.DataFrame](t)(bnkit.Effect(t.Context(), m, "treated", "cured", set))
			for i, note := range got.Col("note").Records() {
				if isTreated := i >= 2; want.MatchString(note) != isTreated {
					t.Errorf("%v, row %d: %q", method, i, note)
				}
			}
		}
		men := must[dataframe.DataFrame](t)(bnkit.Effect(t.Context(), m, "treated", "cured",
			&bnkit.EffectSettings{Given: infer.Evidence{"sex": "m"}}))
		if note := men.Col("note").Records()[3]; strings.Contains(note, "no case") {
			t.Errorf("%v, of men: %q", method, note)
		}
	}
}

// TestEffectRatioOfNothing: of 20 untreated none is ill. With a uniform prior the baseline has the density of
// Beta(1, 21), whose reciprocal has no mean: the ratio is a median, within its interval, and the same from other draws.
func TestEffectRatioOfNothing(t *testing.T) {
	var treated, ill []string
	for i := range 40 {
		treated = append(treated, []string{"no", "yes"}[i%2])
		ill = append(ill, []string{"no", "yes"}[i%4/3])
	}
	df := dataframe.New(texts("treated", treated...), texts("ill", ill...))
	net := must[*bn.Network](t)(bnkit.NewNetwork("[treated][ill|treated]", df, nil))
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.ML{}, nil))
	var ratios []float64
	for seed := range uint64(2) {
		got := must[dataframe.DataFrame](t)(bnkit.Effect(t.Context(), m, "treated", "ill",
			&bnkit.EffectSettings{Intervals: &bnkit.IntervalSettings{Src: rand.NewPCG(seed, 0), Draws: 20000}}))
		ratios = append(ratios, got.Col("ratio").Elem(3).Float())
		if note := got.Col("note").Records()[3]; !strings.Contains(note, "ratio: the median of the draws") {
			t.Errorf("note %q", note)
		}
	}
	if math.Abs(ratios[0]/ratios[1]-1) > 0.05 { // four standard errors, by the density of the logarithm
		t.Errorf("ratios of %v by two seeds", ratios)
	}
}

// TestEffectOnMeanWithoutPositivity: the regression of women who are treated is one of no case.
func TestEffectOnMeanWithoutPositivity(t *testing.T) {
	var sex, treated []string
	var y []float64
	for i := range 60 {
		sex, treated = append(sex, []string{"f", "m"}[i%2]), append(treated, []string{"no", "yes"}[i%2*(i/2%2)])
		y = append(y, float64(i%7))
	}
	df := dataframe.New(texts("sex", sex...), texts("treated", treated...), series.New(y, series.Float, "y"))
	net := must[*bn.Network](t)(bnkit.NewNetwork("[sex][treated|sex][y|sex:treated]", df, nil))
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.ML{}, nil))
	got := must[dataframe.DataFrame](t)(bnkit.Effect(t.Context(), m, "treated", "y", nil)).Col("note").Records()
	if strings.Contains(got[0], "no case") ||
		!strings.Contains(got[1], "no case has sex=f, treated=yes, as 50 % would") {
		t.Errorf("notes %q", got)
	}
}

// TestLimitsOfIntervals: a graph that was learned from the same cases, and rows of weight 1000, are said to be behind
// intervals; a given graph and weights of 1 are not.
func TestLimitsOfIntervals(t *testing.T) {
	df := kidneyStones()
	found := must[*bnkit.Found](t)(bnkit.Search(t.Context(), df, nil, nil, nil)).Model
	weights := make([]float64, df.Nrow())
	for i := range weights {
		weights[i] = 1000
	}
	heavy := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), found.Net,
		df.Mutate(series.New(weights, series.Float, "w")), learn.ML{}, &bnkit.Settings{Weight: "w"}))
	given := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), found.Net, df, learn.ML{}, nil))
	scored := must[*bnkit.Found](t)(bnkit.ScoreStructure(t.Context(), df, found.Net.String(), nil, nil)).Model
	gaps := &bnkit.SearchSettings{Incomplete: &incomplete.StructuralEM{}}
	searched := must[*bnkit.Found](t)(bnkit.Search(t.Context(), df, nil, nil, gaps)).Model
	byEM := must[*bnkit.Found](t)(bnkit.ScoreStructure(t.Context(), df, found.Net.String(), nil, gaps)).Model
	for _, c := range []struct {
		m    *bnkit.Model
		want string
	}{
		{found, "given the graph, which was learned from the same cases: too narrow if it is not sure"},
		{heavy, "by weight 700000 independent cases, of 700 rows"},
		{given, ""},
	} {
		got := must[dataframe.DataFrame](t)(bnkit.PosteriorInterval(t.Context(), c.m, nil, draws(100), "success"))
		if note := got.Col("note").Records()[0]; note != c.want {
			t.Errorf("note %q, want %q", note, c.want)
		}
	}
	const open = "; if the graph is right, which was learned from cases"
	for m, want := range map[*bnkit.Model]bool{found: true, given: false, scored: false, searched: true, byEM: false} {
		got := must[dataframe.DataFrame](t)(bnkit.Effect(t.Context(), m, "treatment", "success", nil))
		if note := got.Col("note").Records()[0]; strings.Contains(note, open) != want {
			t.Errorf("note %q", note)
		}
	}
}

// TestEffectWithoutPath: no arrow leads from x to y, whose effect is none by assumption, not by data.
func TestEffectWithoutPath(t *testing.T) {
	df := kidneyStones().Drop("stone")
	for _, model := range []string{"[treatment][success]", "[success][treatment|success]"} {
		net := must[*bn.Network](t)(bnkit.NewNetwork(model, df, nil))
		m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.ML{}, nil))
		got := must[dataframe.DataFrame](t)(bnkit.Effect(t.Context(), m, "treatment", "success",
			&bnkit.EffectSettings{Intervals: draws(100)}))
		for i, note := range got.Col("note").Records() {
			if got.Col("difference").Elem(i).Float() != 0 || !strings.HasPrefix(note, "no effect by assumption: ") {
				t.Errorf("%s: row %d: %q", model, i, note)
			}
		}
	}
}
