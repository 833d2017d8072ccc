package validate

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/metric"
	"bnlab/internal/numtest"
)

// Training sets have the size and the shares of the states, the test set is the rest, and the sets
// of one draw lie one in the other.
func TestLearningCurveDraws(t *testing.T) {
	net := parse(t, "[A][Y|A]", nil, 20)
	a, y := make([]bn.State, 100), make([]bn.State, 100)
	for i := range a {
		a[i], y[i] = bn.State(i%2), bn.State(i/60) // 60 and 40
	}
	table, err := data.New(data.Column{Var: net.Variable(0), States: a}, data.Column{Var: net.Variable(1), States: y})
	if err != nil {
		t.Fatal(err)
	}
	s := mustSample(t, net, table, "Y")
	rec := &recorder{s: s}
	sizes := []int{5, 10, 50, 95}
	c, err := s.learningCurve(t.Context(), []contender{{"recorder", []string{"one"}, []estimator{rec}}}, sizes,
		mustSettings(t, &Settings{Repeats: 3, Workers: 1}), rand.NewPCG(3, 0))
	if err != nil {
		t.Fatal(err)
	}
	if c.Draws != 3 || len(rec.calls) != 12 || len(c.Learners[0].AUC) != 4 {
		t.Fatalf("%v, %d fits", c, len(rec.calls))
	}
	for i, call := range rec.calls {
		size := sizes[i%4]
		ones := 0
		for _, row := range call.train {
			ones += int(y[row])
		}
		if len(call.train) != size || ones != size*2/5 {
			t.Errorf("%d cases with %d of Y=b, want %d with %d", len(call.train), ones, size, size*2/5)
		}
		all := slices.Sorted(slices.Values(append(slices.Clone(call.train), call.test...)))
		if !slices.Equal(all, numbers(0, 100)) {
			t.Errorf("size %d: training and test cases are %v", size, all)
		}
		if i%4 > 0 {
			for _, row := range rec.calls[i-1].train {
				if !slices.Contains(call.train, row) {
					t.Errorf("size %d leaves out case %d of the smaller set", size, row)
				}
			}
		}
	}
	if slices.Equal(rec.calls[0].train, rec.calls[4].train) {
		t.Error("two draws are the same")
	}
}

func TestLearningCurve(t *testing.T) {
	net := parse(t, "[A][B][C][Y|A:B:C]", nil, 21)
	table := draw(t, net, 120, 21)
	learners := []Learner{named("free", methods(0.2, 2)), named("flat", methods(1e6))}
	run := func(workers int) *Curve {
		c, err := LearningCurve(t.Context(), net, table, "Y", learners, []int{80, 10, 40, 10},
			&Settings{Seed: 1, Repeats: 30, InnerFolds: 3, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := run(1)
	if !slices.Equal(c.Sizes, []int{10, 40, 80}) || c.Draws != 30 || len(c.Warnings) != 0 {
		t.Errorf("%v", c)
	}
	if !reflect.DeepEqual(c, run(3)) {
		t.Error("one worker and three differ")
	}
	for k := range c.Sizes {
		// Next to no difference between the states: log ½ whatever the size.
		numtest.Close(t, c.Learners[1].LogScore[k].Mean, math.Log(0.5), 1e-3, 0)
		var values []float64
		for _, draw := range c.Learners[0].Scores {
			values = append(values, draw[k].AUC)
		}
		slices.Sort(values)
		s := c.Learners[0].AUC[k]
		if s.P05 != values[1] || s.P50 != values[14] || s.P95 != values[28] || s.N != 30 { // ⌈30p⌉th
			t.Errorf("%+v of %v", s, values)
		}
		if !reflect.DeepEqual(c.Learners[0].Measure(AUC), c.Learners[0].AUC) ||
			!reflect.DeepEqual(c.Learners[0].Measure(Accuracy), c.Learners[0].Accuracy) {
			t.Error("Measure returns another curve")
		}
	}
	// The first draw at 40 cases, by hand, with its one untuned learner.
	seed := rand.New(rand.NewPCG(1, 0)).Uint64()
	train, test, err := table.Split("Y", 80./120, rand.NewPCG(seed, 0))
	if err != nil {
		t.Fatal(err)
	}
	fit, err := learn.Fit(t.Context(), net, table.Select(train), methods(1e6)[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	score, err := metric.ConditionalLogScore(fit.Net, table.Select(test), "Y")
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, c.Learners[1].Scores[0][1].LogScore, score.Average, 1e-12, 0)
	if !strings.Contains(c.String(), "learning curve of Y, 120 cases, 30 draws") {
		t.Error(c)
	}
}

func TestLearningCurveErrors(t *testing.T) {
	net := parse(t, "[A][Y|A]", nil, 22)
	table := draw(t, net, 30, 22)
	free := []Learner{named("free", methods(1, 2))}
	for want, sizes := range map[string][]int{"no sizes": nil, "of 0 to 10": {0, 10},
		"of 10 to 30 cases from a table of 30": {30, 10}} {
		if _, err := LearningCurve(t.Context(), net, table, "Y", free, sizes, &Settings{Seed: 1}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if _, err := LearningCurve(t.Context(), net, table, "Y", free, []int{10}, &Settings{Folds: 5}); err == nil ||
		!strings.Contains(err.Error(), "Folds is 5, and a learning curve has no folds") {
		t.Errorf("error %v", err)
	}
	// One training case: nothing to choose by, and no AUC.
	c, err := LearningCurve(t.Context(), net, table, "Y", free, []int{1, 20}, &Settings{Seed: 1,
		Repeats: 12})
	if err != nil {
		t.Fatal(err)
	}
	if s := c.String(); c.Learners[0].AUC[0].N != 0 || c.Learners[0].LogScore[0].N != 12 ||
		!strings.Contains(s, "one training case") || !strings.Contains(s, "and 2 more") {
		t.Error(s)
	}
	if _, err := c.EquivalentSampleSize("free", "free", AUC, rand.NewPCG(1, 0)); err == nil ||
		!strings.Contains(err.Error(), "fewer than two sizes") {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	c, err = LearningCurve(ctx, net, table, "Y", free, []int{10, 20}, &Settings{Seed: 1, Workers: 1,
		Progress: func(done, total int) {
			if done == 5 {
				cancel()
			}
		}})
	if err != nil || !c.Interrupted || c.Draws != 2 || !strings.Contains(c.String(),
		"interrupted after 2 of 100 draws") {
		t.Errorf("%v, %v", c, err)
	}
	if w := (&SampleSizeEquivalence{Curve: c}); !strings.Contains(w.String(), "interrupted after 2 of 100 draws") {
		t.Errorf("%v", w)
	}
	if _, err = LearningCurve(ctx, net, table, "Y", free, []int{10, 20},
		&Settings{Seed: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// synthetic is a curve with the given values by size, shifted from draw to draw by as much for all.
func synthetic(sizes []int, shifts []float64, f func(learner int, n float64) float64) *Curve {
	c := &Curve{Sizes: sizes, Draws: len(shifts)}
	for i, name := range []string{"free", "informed"} {
		l := LearnerCurve{Name: name}
		for _, shift := range shifts {
			var scores []Scores
			for _, n := range sizes {
				v := f(i, float64(n)) + shift
				scores = append(scores, Scores{AUC: v, HasAUC: true, LogScore: v, Accuracy: v})
			}
			l.Scores = append(l.Scores, scores)
		}
		l.AUC, l.LogScore, l.Accuracy = l.spreads(AUC), l.spreads(LogScore), l.spreads(Accuracy)
		c.Learners = append(c.Learners, l)
	}
	return c
}

// The learner with knowledge is as good at n as the other at 3n: both linear in log n, so that
// interpolation is exact. Shifts that both share leave the answer, and the band, where they are.
func TestEquivalentSampleSize(t *testing.T) {
	sizes := []int{10, 20, 50, 100, 200}
	c := synthetic(sizes, []float64{-0.01, 0.02, 0, 0.005}, func(learner int, n float64) float64 {
		if learner == 1 {
			n *= 3
		}
		return 0.5 + 0.05*math.Log(n)
	})
	for _, by := range []Measure{AUC, LogScore, Accuracy} {
		w, err := c.EquivalentSampleSize("free", "informed", by, rand.NewPCG(1, 0))
		if err != nil {
			t.Fatal(err)
		}
		for k, want := range []float64{30, 60, 150} {
			e := w.Sizes[k]
			for _, s := range []Size{e.Size, e.Low, e.High} {
				if s.Beyond != 0 {
					t.Errorf("%+v", e)
				}
				numtest.Close(t, s.Cases, want, 0, 1e-9)
			}
			numtest.Close(t, e.Value, 0.5+0.05*math.Log(want)+0.00375, 1e-12, 0)
		}
		for _, e := range w.Sizes[3:] {
			if (e.Size != Size{200, 1}) || e.Size.String() != "at least 200" {
				t.Errorf("%+v", e)
			}
		}
		if s := w.String(); !strings.Contains(s,
			"20 cases with it are as good as 60 without it (5 to 95 %: 60 to 60)") {
			t.Error(s)
		}
	}
	back, err := c.EquivalentSampleSize("informed", "free", AUC, rand.NewPCG(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	if got := back.Sizes[0].Size; (got != Size{10, -1}) || got.String() != "fewer than 10" {
		t.Errorf("%v", got)
	}
	numtest.Close(t, back.Sizes[3].Size.Cases, 100./3, 0, 1e-9)
	same, err := c.EquivalentSampleSize("free", "free", AUC, rand.NewPCG(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range same.Sizes {
		if (e.Size != Size{Cases: float64(e.Cases)}) || e.Low != e.Size || e.High != e.Size {
			t.Errorf("against itself: %+v", e)
		}
	}
}

// A curve that falls is smoothed before it is read: 0.5, 0.7, 0.6, 0.8 becomes 0.5, 0.65, 0.65,
// 0.8, which has 0.62 four fifths of the way (in log n) from 10 to 20, and 0.7 a third of the way
// from 40 to 80.
func TestEquivalentSampleSizeSmooth(t *testing.T) {
	baseline := map[float64]float64{10: 0.5, 20: 0.7, 40: 0.6, 80: 0.8}
	informed := map[float64]float64{10: 0.62, 20: 0.7, 40: 0.75, 80: 0.9}
	c := synthetic([]int{10, 20, 40, 80}, []float64{0}, func(learner int, n float64) float64 {
		if learner == 0 {
			return baseline[n]
		}
		return informed[n]
	})
	w, err := c.EquivalentSampleSize("free", "informed", AUC, rand.NewPCG(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range []float64{10 * math.Pow(2, 0.8), 40 * math.Cbrt(2), 40 * math.Cbrt(4)} {
		numtest.Close(t, w.Sizes[k].Size.Cases, want, 0, 1e-9)
	}
	if w.Sizes[3].Size.Beyond != 1 {
		t.Errorf("%v", w)
	}
}

// The band is that of the draws: half of them are worth 2n, half 4n.
func TestEquivalentSampleSizeBand(t *testing.T) {
	c := synthetic([]int{10, 100, 1000}, make([]float64, 40), func(_ int, n float64) float64 { return math.Log(n) })
	for draw := range c.Learners[1].Scores {
		factor := 2.0
		if draw%2 == 0 {
			factor = 4
		}
		for k, n := range c.Sizes {
			c.Learners[1].Scores[draw][k].AUC = math.Log(factor * float64(n))
		}
	}
	w, err := c.EquivalentSampleSize("free", "informed", AUC, rand.NewPCG(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	e := w.Sizes[0]
	numtest.Close(t, e.Size.Cases, 10*math.Sqrt(8), 0, 1e-9)
	// Of 40 draws the share of 4n has the standard deviation √(¼/40) = 0.079; ±1.645 of them, in
	// powers of two, around 10·√8. The percentiles of 1,000 samples and the steps of 1/40 make it rough.
	numtest.Close(t, math.Log2(e.High.Cases/e.Size.Cases), 1.645*0.079, 0.03, 0)
	numtest.Close(t, math.Log2(e.Size.Cases/e.Low.Cases), 1.645*0.079, 0.03, 0)
}

func TestEquivalentSampleSizeErrors(t *testing.T) {
	c := synthetic([]int{10, 20}, []float64{0}, func(learner int, n float64) float64 {
		if learner == 0 && n == 10 {
			return math.Inf(-1)
		}
		return n
	})
	for want, call := range map[string]func() error{
		"log score −Inf at 10 cases": func() error {
			_, err := c.EquivalentSampleSize("free", "informed", LogScore, rand.NewPCG(1, 0))
			return err
		},
		"no learner \"other\"": func() error {
			_, err := c.EquivalentSampleSize("other", "free", AUC,
				rand.NewPCG(1, 0))
			return err
		},
		"no learner \"extra\"": func() error {
			_, err := c.EquivalentSampleSize("free", "extra", AUC,
				rand.NewPCG(1, 0))
			return err
		},
		"Measure(7) is unknown": func() error {
			_, err := c.EquivalentSampleSize("free", "informed", 7, rand.NewPCG(1, 0))
			return err
		},
		"no random source": func() error {
			_, err := c.EquivalentSampleSize("free", "informed", LogScore,
				nil)
			return err
		},
	} {
		if err := call(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// Knowledge that is true helps where cases are few: the truth is monotone in all parents.
func TestEquivalentSampleSizeOfKnowledge(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	net := parse(t, "[A][B][C][D][Y|A:B:C:D]", nil, 23)
	for config := range 16 {
		ones := float64(config&1 + config>>1&1 + config>>2&1 + config>>3&1)
		p := net.CPT(4).Row(config)
		p[1] = 1 / (1 + math.Exp(2-ones))
		p[0] = 1 - p[1]
	}
	for v := range 4 {
		copy(net.CPT(v).P, []float64{0.5, 0.5})
	}
	table := draw(t, net, 400, 23)
	var statements []constraint.Constraint
	for _, parent := range []string{"A", "B", "C", "D"} {
		statements = append(statements, constraint.Influence{Parent: parent, Child: "Y"})
	}
	w, err := EquivalentSampleSize(t.Context(), net, table, "Y", named("free", methods(1)),
		named("monotone", []learn.Method{learn.MAP{Pseudocount: 1, Constraints: statements}}),
		[]int{20, 40, 80, 160, 300}, &Settings{Seed: 1, Repeats: 40, Criterion: AUC})
	if err != nil {
		t.Fatal(err)
	}
	if e := w.Sizes[1]; !(e.Low.Cases > 40) || e.Low.Beyond < 0 || w.Curve == nil {
		t.Errorf("%v", w)
	}
}

// TestOneDraw: of one draw there is no band.
func TestOneDraw(t *testing.T) {
	net := parse(t, "[A][Y|A]", nil, 20)
	table, err := data.Sample(net, 100, rand.NewPCG(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	named := func(name string, pseudocount float64) Learner {
		return Learner{Name: name, Candidates: []learn.Method{learn.MAP{Pseudocount: pseudocount}}}
	}
	w, err := EquivalentSampleSize(t.Context(), net, table, "Y", named("one", 1), named("two", 2), []int{20, 40, 80},
		&Settings{Seed: 1, Repeats: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{w.String(), w.Curve.String()} {
		if strings.ContainsAny(s, "[%") {
			t.Errorf("one draw has a band:\n%s", s)
		}
	}
}
