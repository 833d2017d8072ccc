package validate

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/stat"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/metric"
	"bnlab/internal/numtest"
)

func methods(pseudocounts ...float64) []learn.Method {
	var out []learn.Method
	for _, a := range pseudocounts {
		out = append(out, learn.MAP{Pseudocount: a})
	}
	return out
}

// Each row is held out once in each repeat, in folds with equal shares of each state.
func TestFoldsAreStratified(t *testing.T) {
	net := parse(t, "[A][B][Y|A:B]", map[string]int{"Y": 3}, 5)
	table := draw(t, net, 103, 5)
	s := mustSample(t, net, table, "Y")
	rec := &recorder{s: s}
	r, err := s.crossValidate(t.Context(), []contender{{"recorder", []string{"one"}, []estimator{rec}}},
		mustSettings(t, &Settings{Seed: 3, Repeats: 2, Workers: 1}))
	if err != nil {
		t.Fatal(err)
	}
	counts := [3]int{}
	for _, state := range s.states {
		counts[state]++
	}
	if len(rec.calls) != 20 || len(r.Learners[0].Folds) != 20 {
		t.Fatalf("%d fits", len(rec.calls))
	}
	for repeat := range 2 {
		held := make([]int, table.Rows())
		for fold := range 10 {
			call := rec.calls[repeat*10+fold]
			inFold := [3]int{}
			for _, row := range call.test {
				held[row]++
				inFold[s.states[row]]++
			}
			if n := len(call.test); n != 10 && n != 11 {
				t.Errorf("a fold of %d rows", n)
			}
			for state, n := range inFold {
				if n != counts[state]/10 && n != (counts[state]+9)/10 {
					t.Errorf("fold %d has %d of %d cases of state %d", fold, n, counts[state], state)
				}
			}
		}
		for row, n := range held {
			if n != 1 || r.Learners[0].Predicted[repeat][row] == nil {
				t.Errorf("row %d is held out %d times", row, n)
			}
		}
	}
	if slices.Equal(rec.calls[0].test, rec.calls[10].test) {
		t.Error("both repeats have the same folds")
	}
}

func mustSettings(t testing.TB, set *Settings) *Settings {
	t.Helper()
	set, err := set.defaults(1)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// A recorder remembers what it was given and predicts equal probabilities.
type recorder struct {
	s     *sample
	mu    sync.Mutex
	calls []call
}

type call struct {
	train, test []int
	n           []float64
}

func (r *recorder) predict(_ context.Context, train, test *part, _ *buffer, _ rand.Source) ([][]float64, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls = append(r.calls, call{train.rows, test.rows, train.n})
	dist := make([][]float64, max(r.s.dense.contexts, r.s.table.Rows()))
	for i := range dist {
		dist[i] = make([]float64, r.s.dense.states)
		for state := range dist[i] {
			dist[i][state] = 1 / float64(r.s.dense.states)
		}
	}
	return dist, nil
}

// Tuning sees training cases only: each fit inside a fold leaves out the fold's rows, and its
// counts are those of the rows that it is said to have.
func TestTuningSeesTrainingOnly(t *testing.T) {
	net := parse(t, "[A][B][Y|A:B]", nil, 7)
	s := mustSample(t, net, draw(t, net, 60, 7), "Y")
	rec := &recorder{s: s}
	set := mustSettings(t, &Settings{Seed: 4, Folds: 5, InnerFolds: 4, Workers: 1})
	if _, err := s.crossValidate(t.Context(), []contender{{"recorder", []string{"one", "two"}, []estimator{rec, rec}}},
		set); err != nil {
		t.Fatal(err)
	}
	const fits = 2*4 + 1 // of two candidates in four inner folds, then of the one chosen
	if len(rec.calls) != 5*fits {
		t.Fatalf("%d fits", len(rec.calls))
	}
	for fold := range 5 {
		outer := rec.calls[fold*fits+fits-1]
		for i, c := range rec.calls[fold*fits:][:fits] {
			all := slices.Sorted(slices.Values(append(slices.Clone(c.train), c.test...)))
			want := outer.train
			if i == fits-1 {
				want = numbers(0, 60)
			}
			if !slices.Equal(all, want) {
				t.Errorf("fold %d, fit %d: training and test cases are %v, want %v", fold, i, all, want)
			}
			counts, err := s.table.Select(c.train).Count(net, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(c.n, counts.N) {
				t.Errorf("fold %d, fit %d: counts %v, want %v", fold, i, c.n, counts.N)
			}
		}
	}
}

// What is chosen in a fold, and what is learned, does not change with the evidence of the fold's
// own cases. (Their targets stay, since the folds are dealt by them.)
func TestNoLeak(t *testing.T) {
	net := parse(t, "[A][B][C][Y|A:B:C]", nil, 8)
	table := draw(t, net, 80, 8)
	s := mustSample(t, net, table, "Y")
	run := func(table *data.Table) *Result {
		r, err := CrossValidate(t.Context(), net, table, "Y", []Learner{named("tuned", methods(0.01, 0.3, 1, 10))},
			&Settings{Seed: 5, Folds: 4})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	before := run(table)
	dealt, err := s.column.StratifiedFolds("Y", 4, rand.NewPCG(rand.New(rand.NewPCG(5, 0)).Uint64(), 0))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(6, 0))
	for fold, rows := range dealt {
		columns := table.Columns()
		for v := range columns {
			if columns[v].Var.Name != "Y" {
				columns[v].States = slices.Clone(columns[v].States)
				for _, row := range rows {
					columns[v].States[row] = bn.State(rng.IntN(2))
				}
			}
		}
		changed, err := data.New(columns...)
		if err != nil {
			t.Fatal(err)
		}
		after := run(changed)
		if before.Learners[0].Folds[fold].Candidate != after.Learners[0].Folds[fold].Candidate {
			t.Errorf("fold %d: the choice changed with the fold's own cases", fold)
		}
		for _, row := range rows { // the same evidence has the same prediction
			for _, other := range rows {
				same := true
				for v := range 3 {
					same = same && table.Columns()[v].States[row] == columns[v].States[other]
				}
				if same && !slices.Equal(before.Learners[0].Predicted[0][row], after.Learners[0].Predicted[0][other]) {
					t.Errorf("fold %d: what was learned changed with the fold's own cases", fold)
				}
			}
		}
	}
}

// A learner that memorises its training cases does no better than chance on pure noise: a table
// of 64 rows from 60 cases.
func TestMemoriser(t *testing.T) {
	net := parse(t, "[A][B][C][D][E][F][Y|A:B:C:D:E:F]", nil, 1)
	for v := range net.Len() {
		p := net.CPT(v).P
		for i := range p {
			p[i] = 0.5
		}
	}
	var means []float64
	for seed := range 150 {
		table := draw(t, net, 60, uint64(seed))
		r, err := CrossValidate(t.Context(), net, table, "Y", []Learner{named("memory", methods(1e-6, 1e-3))},
			&Settings{Seed: uint64(seed), Stream: 1, Folds: 5, InnerFolds: 3, Criterion: AUC})
		if err != nil {
			t.Fatal(err)
		}
		means = append(means, r.Learners[0].AUC.Value)
	}
	mean, sd := stat.MeanStdDev(means, nil)
	if z := (mean - 0.5) / (sd / math.Sqrt(float64(len(means)))); !(math.Abs(z) < 4) {
		t.Errorf("mean AUC on noise %v, %.1f standard errors from 0.5", mean, z)
	}
}

// The whole verb, by fits to rows and the scores of package metric.
func TestCrossValidateByHand(t *testing.T) {
	net := parse(t, "[A][B][Y|A:B][Z|Y]", map[string]int{"A": 3}, 9)
	table := draw(t, net, 90, 9)
	influence := constraint.Influence{Parent: "A", Child: "Y"}
	var monotone []learn.Method
	for _, a := range []float64{0.1, 4} {
		monotone = append(monotone, learn.MAP{Pseudocount: a, Constraints: []constraint.Constraint{influence}})
	}
	// Candidates that are much alike: what is chosen depends on each inner fold.
	learners := []Learner{named("free", methods(0.3, 0.4, 0.5, 0.7, 1, 1.4, 2, 2.8, 4)), named("monotone", monotone)}
	r, err := CrossValidate(t.Context(), net, table, "Y", learners, &Settings{Seed: 10, Folds: 3,
		Repeats:    2,
		InnerFolds: 4})
	if err != nil {
		t.Fatal(err)
	}
	average := func(train, test *data.Table, m learn.Method) float64 {
		fit, err := learn.Fit(t.Context(), net, train, m, nil)
		if err != nil {
			t.Fatal(err)
		}
		score, err := metric.ConditionalLogScore(fit.Net, test, "Y")
		if err != nil {
			t.Fatal(err)
		}
		return score.LogScore
	}
	rng := rand.New(rand.NewPCG(10, 0))
	for repeat := range 2 {
		seed := rng.Uint64()
		dealt, err := table.StratifiedFolds("Y", 3, rand.NewPCG(seed, 0))
		if err != nil {
			t.Fatal(err)
		}
		for fold, rows := range dealt {
			test, train := table.Select(rows), table.Select(table.Complement(rows))
			inner, err := train.StratifiedFolds("Y", 4, rand.NewPCG(seed, 2*(uint64(fold)+1)))
			if err != nil {
				t.Fatal(err)
			}
			for i, l := range learners {
				best, top := 0, math.Inf(-1)
				for k, m := range l.Candidates {
					sum := 0.0
					for _, at := range inner {
						sum += average(train.Select(train.Complement(at)), train.Select(at), m)
					}
					if sum > top {
						best, top = k, sum
					}
				}
				got := r.Learners[i].Folds[repeat*3+fold]
				if got.Candidate != best || got.Repeat != repeat || got.Fold != fold {
					t.Errorf("%s, repeat %d, fold %d: candidate %d, want %d", l.Name, repeat, fold, got.Candidate, best)
				}
				numtest.Close(t, got.LogScore, average(train, test, l.Candidates[best])/float64(test.Rows()), 1e-9, 0)
			}
		}
	}
	for _, l := range r.Learners {
		var values []float64
		for _, f := range l.Folds {
			values = append(values, f.LogScore)
		}
		numtest.Close(t, l.LogScore.Value, stat.Mean(values, nil), 1e-12, 0)
		numtest.Close(t, l.LogScore.StdErr, math.Sqrt((1./6+1./2)*stat.Variance(values, nil)), 1e-12, 0)
	}
	if text := r.String(); !strings.Contains(text, "3-fold cross-validation of Y, 90 cases, 2 times") ||
		!strings.Contains(text, "of 6 folds") {
		t.Error(text)
	}
}

// A fake predicts the second state of each test case with a probability of its own choice.
type fake func(test *part, src rand.Source) []float64

func (f fake) predict(_ context.Context, _, test *part, _ *buffer, src rand.Source) ([][]float64, error) {
	dist := make([][]float64, 1000)
	for i, p := range f(test, src) {
		dist[test.items[i].place] = []float64{1 - p, p}
	}
	return dist, nil
}

// Log scores are averaged over cases, areas over folds, and of equal candidates the first is taken.
func TestChoose(t *testing.T) {
	s := &sample{target: bn.Discrete("Y", "no", "yes"), positive: 1}
	fold := func(states ...bn.State) *part {
		p := &part{classes: make([]float64, 2)}
		for i, state := range states {
			p.items = append(p.items, item{place: i, state: state, weight: 1})
			p.classes[state]++
		}
		return p
	}
	large, small := fold(0, 0, 1, 1, 0, 1), fold(0, 1)
	in := &inner{train: []*part{small, large}, test: []*part{large, small}}
	// by predicts what occurred with one probability in the large fold and another in the small one.
	by := func(inLarge, inSmall float64) estimator {
		return fake(func(test *part, _ rand.Source) []float64 {
			var out []float64
			for _, it := range test.items {
				p := inLarge
				if test == small {
					p = inSmall
				}
				if it.state == 0 {
					p = 1 - p
				}
				out = append(out, p)
			}
			return out
		})
	}
	c := contender{"c", []string{"a", "b", "c", "d"}, nil}
	for _, test := range []struct {
		by         Measure
		candidates []estimator
		want       int
	}{
		// Over cases 6 log 0.45 + 2 log 0.9 = −5.0 is less than 8 log 0.55 = −4.8; over folds it
		// would be more, −0.45 and −0.6.
		{LogScore, []estimator{by(0.45, 0.9), by(0.55, 0.55)}, 1},
		{LogScore, []estimator{by(0.55, 0.55), by(0.55, 0.55), by(0.2, 0.2)}, 0},
		{Accuracy, []estimator{by(0.4, 0.9), by(0.6, 0.3)}, 1}, // 2 and 6 of 8 cases; over folds ½ both
		// Areas: 1 in the large fold and 0 in the small one; ½ in both; 0 and 1.
		{AUC, []estimator{by(0.9, 0.1), by(0.5, 0.5), by(0.1, 0.9)}, 0},
		{AUC, []estimator{by(0.1, 0.9), by(0.9, 0.5)}, 1}, // ½, ¾
		{AUC, []estimator{by(0.9, 0.1), by(0.5, 0.9)}, 1}, // ½, ¾; over cases ¾, 5/8
	} {
		c.candidates = test.candidates
		if got, warning, err := s.choose(t.Context(), c, in, test.by, nil, nil); got != test.want || warning != "" ||
			err != nil {
			t.Errorf("by %v: candidate %d, want %d (%q, %v)", test.by, got, test.want, warning, err)
		}
	}
	c.candidates = []estimator{by(0, 1), by(1, 0)}
	if got, warning, err := s.choose(t.Context(), c, in, LogScore, nil, nil); got != 0 || !strings.Contains(warning,
		"impossible") ||
		err != nil {
		t.Errorf("impossible cases: %d, %q, %v", got, warning, err)
	}
}

// What is random in a learner does not depend on the learners before it, nor on the workers.
func TestRandomLearners(t *testing.T) {
	net := parse(t, "[A][B][Y|A:B]", nil, 19)
	s := mustSample(t, net, draw(t, net, 40, 19), "Y")
	random := fake(func(test *part, src rand.Source) []float64 {
		rng, out := rand.New(src), make([]float64, len(test.items))
		for i := range out {
			out[i] = 0.1 + 0.8*rng.Float64()
		}
		return out
	})
	one := contender{"one", []string{"a", "b"}, []estimator{random, random}}
	two := contender{"two", []string{"a"}, []estimator{random}}
	run := func(workers int, contenders ...contender) []LearnerResult {
		r, err := s.crossValidate(t.Context(), contenders,
			mustSettings(t, &Settings{Seed: 1, Folds: 5, InnerFolds: 3, Repeats: 2, Workers: workers}))
		if err != nil {
			t.Fatal(err)
		}
		return r.Learners
	}
	both := run(1, one, two)
	if !reflect.DeepEqual(run(3, two)[0], both[1]) || !reflect.DeepEqual(run(2, one)[0], both[0]) {
		t.Error("a learner alone is not what it is beside another")
	}
	if reflect.DeepEqual(both[1].Predicted[0], both[1].Predicted[1]) {
		t.Error("two repeats draw the same")
	}
}

// Results do not depend on the number of workers, nor on the other learners.
func TestWorkers(t *testing.T) {
	net := parse(t, "[A][B][Y|A:B]", nil, 11)
	table := draw(t, net, 70, 11)
	learners := []Learner{named("em", []learn.Method{learn.EM{Pseudocount: 1}, learn.EM{Pseudocount: 5}}),
		named("free", methods(1, 5))}
	run := func(workers int, learners []Learner) *Result {
		r, err := CrossValidate(t.Context(), net, table, "Y", learners, &Settings{Seed: 1, Repeats: 2,
			Folds:      4,
			InnerFolds: 3, Workers: workers, Fit: &learn.Settings{Starts: 2}})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	one, four := run(1, learners), run(4, learners)
	if !reflect.DeepEqual(one.Learners, four.Learners) {
		t.Error("one worker and four differ")
	}
	if alone := run(3, learners[1:]); !reflect.DeepEqual(alone.Learners[0], one.Learners[1]) {
		t.Error("a learner depends on the one before")
	}
	// On complete cases EM is MAP.
	for k, f := range one.Learners[0].Folds {
		numtest.Close(t, f.LogScore, one.Learners[1].Folds[k].LogScore, 1e-9, 0)
		if f.Candidate != one.Learners[1].Folds[k].Candidate {
			t.Errorf("fold %d: other choices", k)
		}
	}
}

// Rows with missing cells, and hidden variables, are fitted by rows.
func TestMissingCells(t *testing.T) {
	net := parse(t, "[A][H|A][Y|H][Z|H]", nil, 12)
	table := draw(t, net, 120, 12)
	seen, err := table.Keep("A", "Y", "Z")
	if err != nil {
		t.Fatal(err)
	}
	r, err := CrossValidate(t.Context(), net, seen, "Y", []Learner{
		named("em", []learn.Method{learn.EM{Pseudocount: 1}})},
		&Settings{Seed: 1, Folds: 3, Fit: &learn.Settings{MaxIterations: 20}})
	if err != nil {
		t.Fatal(err)
	}
	if !(r.Learners[0].LogScore.Value < 0) || r.Learners[0].AUC.N != 3 {
		t.Errorf("%v", r)
	}
	columns := table.Columns()
	columns[0].States = slices.Clone(columns[0].States)
	columns[0].States[7] = bn.Missing
	gaps, err := data.New(columns...)
	if err != nil {
		t.Fatal(err)
	}
	_, err = CrossValidate(t.Context(), net, gaps, "Y", []Learner{named("map", methods(1))},
		&Settings{Seed: 1, Folds: 3})
	if err == nil || !strings.Contains(err.Error(), "SkipMissing") || !strings.Contains(err.Error(), `learner "map"`) {
		t.Errorf("error %v", err)
	}
	if _, err = CrossValidate(t.Context(), net, gaps, "Y", []Learner{named("map", methods(1))},
		&Settings{Seed: 1, Folds: 3, Fit: &learn.Settings{SkipMissing: true}}); err != nil {
		t.Error(err)
	}
}

// Three positive cases in ten folds: seven folds have none, and say so.
func TestOneClass(t *testing.T) {
	net := parse(t, "[A][Y|A]", nil, 13)
	a, y := make([]bn.State, 50), make([]bn.State, 50)
	for i := range a {
		a[i] = bn.State(i % 2)
		if i < 3 {
			y[i] = 1
		}
	}
	table, err := data.New(data.Column{Var: net.Variable(0), States: a}, data.Column{Var: net.Variable(1), States: y})
	if err != nil {
		t.Fatal(err)
	}
	r, err := CrossValidate(t.Context(), net, table, "Y", []Learner{named("free", methods(1, 2))},
		&Settings{Seed: 1, Criterion: AUC})
	if err != nil {
		t.Fatal(err)
	}
	if r.Learners[0].AUC.N != 3 || r.Learners[0].LogScore.N != 10 {
		t.Errorf("%v", r)
	}
	if len(r.Warnings) != 1 || !strings.HasPrefix(r.Warnings[0],
		"no AUC: no case of Y=b among the test cases (repeat 1, fold ") || strings.Count(r.Warnings[0], "fold") != 7 {
		t.Errorf("warnings %q", r.Warnings)
	}
	// With one positive case its fold trains on one class; inner folds have no AUC to choose by.
	y[0], y[1] = 0, 0
	if r, err = CrossValidate(t.Context(), net, table, "Y", []Learner{named("free", methods(1, 2))},
		&Settings{Seed: 1, Criterion: AUC}); err != nil {
		t.Fatal(err)
	}
	text := r.String()
	for _, want := range []string{"no AUC: no case of Y=b among the training cases (repeat 1, fold ",
		"chosen by the log score", "–"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if r.Learners[0].AUC.N != 0 || r.Learners[0].LogScore.N != 10 {
		t.Errorf("%v", r)
	}
	if curves, err := r.ROC(); err != nil || curves[0].Positives != 1 {
		t.Errorf("the pooled curve: %v, %v", curves, err)
	}
}

// A done context leaves what was complete, the same as in a whole run.
func TestInterrupted(t *testing.T) {
	net := parse(t, "[A][B][Y|A:B]", nil, 14)
	table := draw(t, net, 70, 14)
	learners := []Learner{named("free", methods(1, 5)), named("flat", methods(100))}
	told := false
	run := func(stop int) (*Result, error) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		last := 0
		told = false
		return CrossValidate(ctx, net, table, "Y", learners, &Settings{
			Seed: 1, Folds: 5, Workers: 1, Progress: func(done, total int) {
				if done == last && total == last {
					told = true // the last word of an interrupted run
					return
				}
				if last++; done != last || total != 5 {
					t.Errorf("progress %d of %d", done, total)
				}
				if done == stop {
					cancel()
				}
			},
		})
	}
	whole, err := run(0)
	if err != nil || whole.Interrupted || told {
		t.Fatal(whole, err)
	}
	some, err := run(2)
	if err != nil {
		t.Fatal(err)
	}
	if !told || !some.Interrupted || !strings.Contains(some.String(), "interrupted after 2 of 5 folds") ||
		len(some.Learners[1].Folds) != 2 {
		t.Errorf("%v", some)
	}
	if !reflect.DeepEqual(some.Learners[1].Folds, whole.Learners[1].Folds[:2]) {
		t.Error("the folds differ")
	}
	if curves, err := some.ROC(); err != nil || !(curves[0].Positives+curves[0].Negatives < 30) {
		t.Errorf("the curve of two folds: %v, %v", curves, err)
	}
	// A fit during which the context ends may be cut short: its fold is left out.
	ctx, cancel := context.WithCancel(context.Background())
	s := mustSample(t, net, table, "Y")
	fits := 0
	cut := fake(func(test *part, _ rand.Source) []float64 {
		if fits++; fits == 4 {
			cancel()
		}
		return slices.Repeat([]float64{0.5}, len(test.items))
	})
	r, err := s.crossValidate(ctx, []contender{{"cut", []string{"a"}, []estimator{cut}}},
		mustSettings(t, &Settings{Seed: 1, Folds: 5, Workers: 1}))
	if err != nil || !r.Interrupted || len(r.Learners[0].Folds) != 3 {
		t.Errorf("%v, %v", r, err)
	}
	if _, err := CrossValidate(ctx, net, table, "Y", learners,
		&Settings{Seed: 1}); err == nil ||
		!strings.Contains(err.Error(), "before one fold") {
		t.Errorf("error %v", err)
	}
}

func TestWarnings(t *testing.T) {
	var w warnings
	for i := range 12 {
		w.add("first", fmt.Sprint("fold ", i))
	}
	w.add("second", "fold 3")
	got := w.lines()
	if len(got) != 2 || got[1] != "second (fold 3)" ||
		got[0] != "first (fold 0; fold 1; fold 2; fold 3; fold 4; fold 5; fold 6; fold 7; fold 8; fold 9; and 2 more)" {
		t.Errorf("%q", got)
	}
}

func TestErrors(t *testing.T) {
	net := parse(t, "[A][B][Y|A:B]", map[string]int{"B": 3}, 15)
	table := draw(t, net, 40, 15)
	free := []Learner{named("free", methods(1))}
	light, err := table.WithWeights(append(make([]float64, 1), slices.Repeat([]float64{1}, 39)...))
	if err != nil {
		t.Fatal(err)
	}
	columns := table.Columns()
	columns[2].States = slices.Clone(columns[2].States)
	columns[2].States[4] = bn.Missing
	gap, err := data.New(columns...)
	if err != nil {
		t.Fatal(err)
	}
	other := []constraint.Constraint{constraint.Influence{Parent: "Q", Child: "Y"}}
	for _, test := range []struct {
		want     string
		table    *data.Table
		target   string
		learners []Learner
		set      *Settings
	}{
		{"Folds is 1", table, "Y", free, &Settings{Seed: 1, Folds: 1}},
		{"Repeats is -1", table, "Y", free, &Settings{Seed: 1, Repeats: -1}},
		{"give 1000000 or less", table, "Y", free, &Settings{Seed: 1, Repeats: math.MaxInt}},
		// times 10 folds is negative
		{"give 1000000 or less", table, "Y", free, &Settings{Seed: 1, Repeats: math.MaxInt/10 + 2}},
		{"InnerFolds is 1", table, "Y", free, &Settings{Seed: 1, InnerFolds: 1}},
		{"Measure(9) is unknown", table, "Y", free, &Settings{Seed: 1, Criterion: 9}},
		{"41 folds of 40 rows", table, "Y", free, &Settings{Seed: 1, Folds: 41}},
		{"unknown variable \"Q\"", table, "Q", free, &Settings{Seed: 1}},
		{"unknown state \"yes\"", table, "Y", free, &Settings{Seed: 1, Positive: "yes"}},
		{"say in Settings which one is Positive", table, "B", free, &Settings{Seed: 1, Criterion: AUC}},
		{"no table", nil, "Y", free, &Settings{Seed: 1}},
		{"row 1 has the weight 0", light, "Y", free, &Settings{Seed: 1}},
		{"row 5, column \"Y\"", gap, "Y", free, &Settings{Seed: 1}},
		{"no learners", table, "Y", nil, &Settings{Seed: 1}},
		{"learner 1 has no name", table, "Y", []Learner{named("", methods(1))}, &Settings{Seed: 1}},
		{"two learners are called \"free\"", table, "Y", append(free, free...), &Settings{Seed: 1}},
		{"no candidates", table, "Y", []Learner{named("free", nil)}, &Settings{Seed: 1}},
		{"candidate 1 of learner \"free\" is nil", table, "Y", []Learner{named("free", []learn.Method{nil})},
			&Settings{Seed: 1}},
		{"learner \"other\": learn: ", table, "Y",
			[]Learner{named("other", []learn.Method{learn.ML{Constraints: other}})},
			&Settings{Seed: 1}},
		{"HeldOut", table, "Y", free, &Settings{Seed: 1, Fit: &learn.Settings{HeldOut: cases{}}}},
		{"fits are driven by the Seed", table, "Y", free, &Settings{Fit: &learn.Settings{Seed: 1}}},
		{"Settings.Fit has Workers", table, "Y", free, &Settings{Fit: &learn.Settings{Workers: 2}}},
		{"Settings.Fit has a Progress", table, "Y", free,
			&Settings{Fit: &learn.Settings{Progress: func(learn.Progress) {}}}},
	} {
		_, err := CrossValidate(t.Context(), net, test.table, test.target, test.learners, test.set)
		if err == nil || !strings.HasPrefix(err.Error(), "validate: ") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %q", err, test.want)
		}
	}
}

type cases struct{ learn.Cases }

// A target of three states has an AUC only for a state that is named; a result without one says so.
func TestManyStates(t *testing.T) {
	net := parse(t, "[A][B][Y|A:B]", map[string]int{"Y": 3}, 16)
	table := draw(t, net, 80, 16)
	r, err := CrossValidate(t.Context(), net, table, "Y", []Learner{named("free", methods(1))},
		&Settings{Seed: 1, Folds: 4})
	if err != nil {
		t.Fatal(err)
	}
	if r.Learners[0].AUC.N != 0 || len(r.Warnings) != 0 {
		t.Errorf("%v", r)
	}
	if _, err := r.ROC(); err == nil || !strings.Contains(err.Error(), "Positive") {
		t.Errorf("error %v", err)
	}
	if _, err := r.Calibration(nil); err == nil {
		t.Error("calibration of three states")
	}
	if m, err := r.Confusion("free", nil); err != nil || math.Abs(m.Cases()-80) > 1e-9 {
		t.Errorf("%v, %v", m, err)
	}
	if r, err = CrossValidate(t.Context(), net, table, "Y", []Learner{named("free", methods(1))},
		&Settings{Seed: 1, Folds: 4, Positive: "b"}); err != nil || r.Learners[0].AUC.N != 4 ||
		r.Event != "Y=b" {
		t.Errorf("%v, %v", r, err)
	}
}
