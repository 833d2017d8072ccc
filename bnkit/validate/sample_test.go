package validate

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/metric"
	"bnlab/internal/numtest"
)

// parse makes a network with random tables over variables of the given numbers of states.
func parse(t testing.TB, model string, cards map[string]int, seed uint64) *bn.Network {
	t.Helper()
	g, err := bn.ParseDAG(model)
	if err != nil {
		t.Fatal(err)
	}
	var vars []bn.Variable
	for v := range g.Len() {
		states := []string{"a", "b", "c", "d"}[:max(2, cards[g.Name(v)])]
		vars = append(vars, bn.Discrete(g.Name(v), states...))
	}
	net, err := bn.NewNetwork(g, vars)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 99))
	for v := range net.Len() {
		cpt := net.CPT(v)
		for config := range cpt.Configs().Len() {
			row, sum := cpt.Row(config), 0.0
			for s := range row {
				row[s] = 0.1 + rng.ExpFloat64()
				sum += row[s]
			}
			for s := range row {
				row[s] /= sum
			}
		}
	}
	return net
}

func draw(t testing.TB, net *bn.Network, n int, seed uint64) *data.Table {
	t.Helper()
	table, err := data.Sample(net, n, rand.NewPCG(seed, 0))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func mustSample(t testing.TB, net *bn.Network, table *data.Table, target string) *sample {
	t.Helper()
	s, err := newSample(net, table, target, &Settings{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// networks in which the target is a leaf, a root and in the middle, with more states.
var networks = []struct {
	model, target string
	cards         map[string]int
}{
	{"[A][B][C][Y|A:B:C]", "Y", nil},
	{"[A][B][Y|B:A][Z|Y]", "Y", map[string]int{"A": 3, "Y": 3}},
	{"[Y][A|Y][B|A:Y][C|Y:A:B][D]", "Y", map[string]int{"Y": 4, "A": 3}},
	{"[P][Q|P][Y|Q][A|Y:P][B|Q:Y][C|B]", "Y", map[string]int{"B": 3}},
}

// Dense predictions are those of package metric, and dense counts those of package data.
func TestDense(t *testing.T) {
	for i, n := range networks {
		net := parse(t, n.model, n.cards, uint64(i))
		table := draw(t, net, 200, uint64(i))
		weights := make([]float64, table.Rows())
		for row := range weights {
			weights[row] = 0.5 + float64(row%3)
		}
		weighted, err := table.WithWeights(weights)
		if err != nil {
			t.Fatal(err)
		}
		s := mustSample(t, net, weighted, n.target)
		if s.dense == nil {
			t.Fatal("a complete discrete table is not dense")
		}
		theta := make([]float64, net.Layout().Len())
		for v := range net.Len() {
			lo, hi := net.Layout().Family(v)
			copy(theta[lo:hi], net.CPT(v).P)
		}
		want, err := metric.Predict(net, table, n.target)
		if err != nil {
			t.Fatal(err)
		}
		p := make([]float64, s.dense.states)
		for row := range want.P {
			if !s.dense.distribution(p, s.dense.context[row], theta) {
				t.Fatalf("row %d is impossible", row)
			}
			for state := range p {
				numtest.Close(t, p[state], want.P[row][state], 1e-14, 1e-13)
			}
		}
		rows := []int{3, 5, 8, 13, 21, 34, 55, 89, 144}
		counts, err := weighted.Select(rows).Count(net, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := s.part(rows)
		for cell := range counts.N {
			if got.n[cell] != counts.N[cell] {
				t.Errorf("%s: entry %d is counted %v times, want %v", n.model, cell, got.n[cell], counts.N[cell])
			}
		}
		items := 0.0
		for _, it := range got.items {
			items += it.weight
		}
		numtest.Close(t, items, counts.Rows, 0, 0)
		numtest.Close(t, got.weight(), counts.Rows, 0, 0)
	}
}

// The target's own table is all that counts for a leaf: there are as many contexts as
// configurations of its parents.
func TestDenseLeaf(t *testing.T) {
	net := parse(t, "[A][B][C][Y|A:B][Z|C]", nil, 1)
	s := mustSample(t, net, draw(t, net, 500, 1), "Y")
	if s.dense.contexts != 4 || s.dense.factors != 1 {
		t.Errorf("%d contexts of %d factors", s.dense.contexts, s.dense.factors)
	}
}

// Training counts, made from those of the other folds, are the counts of the rows themselves, and
// so is what is learned from them.
func TestFoldCounts(t *testing.T) {
	for i, n := range networks {
		net := parse(t, n.model, n.cards, uint64(i))
		table := draw(t, net, 97, uint64(i))
		s := mustSample(t, net, table, n.target)
		dealt, err := s.column.StratifiedFolds(n.target, 10, rand.NewPCG(1, 1))
		if err != nil {
			t.Fatal(err)
		}
		var parts []*part
		for _, rows := range dealt {
			parts = append(parts, s.part(rows))
		}
		compiled, err := learn.Compile(net, learn.MAP{Pseudocount: 0.7})
		if err != nil {
			t.Fatal(err)
		}
		theta := make([]float64, net.Layout().Len())
		for f := range parts {
			train := without(parts, f, table.Complement(dealt[f]))
			rest := table.Select(table.Complement(dealt[f]))
			counts, err := rest.Count(net, nil)
			if err != nil {
				t.Fatal(err)
			}
			for cell := range counts.N {
				if train.n[cell] != counts.N[cell] {
					t.Fatalf("fold %d, entry %d: %v, want %v", f, cell, train.n[cell], counts.N[cell])
				}
			}
			fit, err := learn.Fit(t.Context(), net, rest, learn.MAP{Pseudocount: 0.7}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := compiled.Tables(theta, train.n); err != nil {
				t.Fatal(err)
			}
			for v := range net.Len() {
				lo, _ := net.Layout().Family(v)
				for k, p := range fit.Net.CPT(v).P {
					if theta[lo+k] != p {
						t.Fatalf("fold %d: entry %d is %v, fitted anew %v", f, lo+k, theta[lo+k], p)
					}
				}
			}
		}
	}
}

// A fold is scored by its configurations as its rows are by package metric.
func TestScore(t *testing.T) {
	for i, n := range networks {
		net := parse(t, n.model, n.cards, uint64(i))
		table := draw(t, net, 150, uint64(i))
		s := mustSample(t, net, table, n.target)
		s.positive = 1
		test, train := s.part(numbers(50, 150)), s.part(numbers(0, 50))
		fit, err := learn.Fit(t.Context(), net, table.Select(train.rows), learn.MAP{Pseudocount: 0.5}, nil)
		if err != nil {
			t.Fatal(err)
		}
		compiled, err := learn.Compile(net, learn.MAP{Pseudocount: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		dist, err := byCounts{s, compiled}.predict(t.Context(), train, test, &buffer{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := s.score(dist, train, test)
		held := table.Select(test.rows)
		log, err := metric.ConditionalLogScore(fit.Net, held, n.target)
		if err != nil {
			t.Fatal(err)
		}
		predicted, err := metric.Predict(fit.Net, held, n.target)
		if err != nil {
			t.Fatal(err)
		}
		roc, err := predicted.ROC("b")
		if err != nil {
			t.Fatal(err)
		}
		confusion, err := predicted.Confusion(nil)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, got.LogScore, log.Average, 1e-12, 0)
		numtest.Close(t, got.AUC, roc.AUC, 1e-12, 0)
		numtest.Close(t, got.Accuracy, confusion.Accuracy(), 1e-12, 0)
		rows, err := byRows{s, s.net, learn.MAP{Pseudocount: 0.5}, learn.Settings{}}.predict(t.Context(), train, test,
			nil,
			rand.NewPCG(1, 0))
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range test.rows {
			for state, x := range dist[s.dense.context[row]] {
				numtest.Close(t, rows[s.dense.context[row]][state], x, 1e-13, 0)
			}
		}
	}
}

func numbers(from, to int) []int {
	var out []int
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

// What a fit holds impossible scores −Inf, and the mean of a measure with it is −Inf, never NaN.
func TestScoreImpossible(t *testing.T) {
	net := parse(t, "[A][Y|A]", nil, 1)
	table, err := data.New(
		data.Column{Var: net.Variable(0), States: []bn.State{0, 0, 1, 1, 0, 1, 0, 1}},
		data.Column{Var: net.Variable(1), States: []bn.State{0, 0, 1, 1, 0, 1, 1, 1}},
	)
	if err != nil {
		t.Fatal(err)
	}
	r, err := CrossValidate(t.Context(), net, table, "Y", []Learner{named("ML", []learn.Method{learn.ML{}})},
		&Settings{Seed: 1, Folds: 2, Repeats: 3})
	if err != nil {
		t.Fatal(err)
	}
	l := r.Learners[0]
	if !math.IsInf(l.LogScore.Value, -1) || !math.IsNaN(l.LogScore.StdErr) || math.IsNaN(l.AUC.Value) ||
		math.IsNaN(l.AUC.StdErr) {
		t.Errorf("%+v", l)
	}
	if _, err := r.Compare("ML", "ML", LogScore); err == nil {
		t.Error("a test of −Inf")
	}
}

// A test case that the fit holds impossible whatever the target is an error that names it and the
// learner: the training cases never have Z=b.
func TestImpossibleCase(t *testing.T) {
	net := parse(t, "[Y][Z|Y]", nil, 1)
	y, z := make([]bn.State, 20), make([]bn.State, 20)
	for i := range y {
		y[i] = bn.State(i % 2)
	}
	z[6] = 1
	table, err := data.New(data.Column{Var: net.Variable(0), States: y}, data.Column{Var: net.Variable(1), States: z})
	if err != nil {
		t.Fatal(err)
	}
	_, err = CrossValidate(t.Context(), net, table, "Y", []Learner{named("ML", []learn.Method{learn.ML{}})},
		&Settings{Seed: 1, Folds: 4})
	if err == nil || !strings.Contains(err.Error(),
		`learner "ML", maximum likelihood: the estimate gives probability zero to the rest of test case 7,`) {
		t.Errorf("error %v", err)
	}
}

// Weights count cases in training and in scores: with weight 3 each, forty cases of a pseudocount
// of 3 are learned from as ones of a pseudocount of 1, and scored the same.
func TestWeights(t *testing.T) {
	net := parse(t, "[A][Y|A]", nil, 2)
	table := draw(t, net, 40, 2)
	weights := make([]float64, 40)
	for i := range weights {
		weights[i] = 3
	}
	heavy, err := table.WithWeights(weights)
	if err != nil {
		t.Fatal(err)
	}
	one, err := CrossValidate(t.Context(), net, table, "Y", []Learner{named("map", methods(1))},
		&Settings{Seed: 1, Folds: 4})
	if err != nil {
		t.Fatal(err)
	}
	three, err := CrossValidate(t.Context(), net, heavy, "Y", []Learner{named("map", methods(3))},
		&Settings{Seed: 1, Folds: 4})
	if err != nil {
		t.Fatal(err)
	}
	for k, f := range one.Learners[0].Folds {
		g := three.Learners[0].Folds[k]
		numtest.Close(t, g.LogScore, f.LogScore, 1e-13, 0)
		numtest.Close(t, g.AUC, f.AUC, 1e-13, 0)
		numtest.Close(t, g.Accuracy, f.Accuracy, 1e-13, 0)
	}
	curves, err := three.ROC()
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, curves[0].Positives+curves[0].Negatives, 120, 1e-9, 0)
}

// A discretisation is applied before anything else.
func TestDiscretization(t *testing.T) {
	net := parse(t, "[A][Y|A]", nil, 3)
	table := draw(t, net, 50, 3)
	values := make([]float64, 50)
	for row, s := range table.Columns()[0].States {
		values[row] = float64(s) + float64(row)/100
	}
	raw, err := data.New(data.Column{Var: bn.Continuous("A"), Values: values}, table.Columns()[1])
	if err != nil {
		t.Fatal(err)
	}
	cuts, err := data.Cuts{Column: "A", Cuts: []float64{0.9}, Names: []string{"a", "b"}}.Fit(raw)
	if err != nil {
		t.Fatal(err)
	}
	want, err := CrossValidate(t.Context(), net, table, "Y", []Learner{named("map", methods(1))},
		&Settings{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	got, err := CrossValidate(t.Context(), net, raw, "Y", []Learner{named("map", methods(1))},
		&Settings{Seed: 1, Discretization: cuts})
	if err != nil || got.String() != want.String() {
		t.Errorf("%v, %v\n%v", got, err, want)
	}
	if _, err = CrossValidate(t.Context(), net, table, "Y", []Learner{named("map", methods(1))},
		&Settings{Seed: 1, Discretization: cuts}); err == nil {
		t.Error("cut points of states that are no numbers")
	}
}

func named(name string, candidates []learn.Method) Learner {
	return Learner{Name: name, Candidates: candidates}
}
