package sharing

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/internal/folds"
	"bnlab/internal/num"
	"bnlab/internal/numtest"
)

// eachPartition calls f with every partition of 0..k−1; it must not keep the slices.
func eachPartition(k int, f func(classes [][]int)) {
	var classes [][]int
	var place func(int)
	place = func(i int) {
		if i == k {
			f(classes)
			return
		}
		for c := range classes {
			classes[c] = append(classes[c], i)
			place(i + 1)
			classes[c] = classes[c][:len(classes[c])-1]
		}
		classes = append(classes, []int{i})
		place(i + 1)
		classes = classes[:len(classes)-1]
	}
	place(0)
}

func TestEachPartition(t *testing.T) {
	for k, bell := range []int{1, 1, 2, 5, 15, 52, 203, 877, 4140} {
		n := 0
		eachPartition(k, func([][]int) { n++ })
		if n != bell {
			t.Errorf("%d partitions of %d things, want %d", n, k, bell)
		}
	}
}

// urn is the log probability of whole cases drawn one after another from an urn that
// holds a[i] balls of colour i to begin with and gets one more of the colour drawn.
func urn(n, a []float64) float64 {
	log, all := 0.0, num.Sum(a)
	for i := range n {
		for c := range int(n[i]) {
			log += math.Log((a[i] + float64(c)) / all)
			all++
		}
	}
	return log
}

// urnOfStates is the log probability of cases when the states of a class share their
// parameter: a class is drawn from the urn, and then one of its states.
func urnOfStates(g Settings, rows int, n []float64, classes [][]int) float64 {
	cases, a, log := make([]float64, len(classes)), make([]float64, len(classes)), 0.0
	for c, class := range classes {
		k := float64(len(class))
		a[c] = k * g.Alpha
		if g.Restrict {
			a[c] = k*float64(rows)*(g.Alpha-1) + 1
		}
		for _, state := range class {
			cases[c] += n[state]
		}
		log -= cases[c] * math.Log(k)
	}
	return log + urn(cases, a)
}

// urnOfRows is that of a table when the rows of a class are equal.
func urnOfRows(g Settings, states int, n []float64, classes [][]int) float64 {
	log := 0.0
	for _, class := range classes {
		cases, a := make([]float64, states), make([]float64, states)
		for j := range a {
			a[j] = g.Alpha
			if g.Restrict {
				a[j] = float64(len(class))*(g.Alpha-1) + 1
			}
			for _, row := range class {
				cases[j] += n[row*states+j]
			}
		}
		log += urn(cases, a)
	}
	return log
}

var priors = []Settings{{Alpha: 1}, {Alpha: 0.1}, {Alpha: 2}, {Alpha: 1, Restrict: true}, {Alpha: 2, Restrict: true},
	{Alpha: 0.97, Restrict: true}}

func randomCounts(rng *rand.Rand, n, most int) []float64 {
	counts := make([]float64, n)
	for i := range counts {
		counts[i] = float64(rng.IntN(rng.IntN(most) + 1))
	}
	return counts
}

// The best partition of states into each number of groups is the best of all partitions.
// How often agglomeration would find it is logged: it has no such guarantee.
func TestStatesAgainstEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	greedy, trials, loss := 0, 0, 0.0
	for _, prior := range priors {
		for k := 1; k <= 7; k++ {
			for range 5 {
				n := randomCounts(rng, k, 40)
				p := stateGrouper{prior, 1 + rng.IntN(3)}
				best := slices.Repeat([]float64{math.Inf(-1)}, k)
				eachPartition(k, func(classes [][]int) {
					m := len(classes)
					best[m-1] = max(best[m-1], urnOfStates(prior, p.rows, n, classes))
				})
				found, err := p.path(t.Context(), n)
				if err != nil {
					t.Fatal(err)
				}
				for m := 1; m <= k; m++ {
					numtest.Close(t, found.logMarginal[m-1], best[m-1], 1e-10, 0)
					numtest.Close(t, urnOfStates(prior, p.rows, n, found.classes(m)), best[m-1], 1e-10, 0)
				}
				if prior.Restrict || k < 3 {
					continue
				}
				items := make([][]float64, k)
				for i, x := range n {
					items[i] = []float64{x}
				}
				_, score, _ := agglomerate(t.Context(), items, func(pooled []float64, size int) float64 {
					return p.score(size,
						pooled[0])
				})
				a := p.total(k, k)
				short := slices.Max(best) - (slices.Max(score) - num.Lgamma(a+num.Sum(n)) + num.Lgamma(a))
				if short < -1e-10 {
					t.Errorf("agglomeration beats the best of all by %v", -short)
				}
				trials++
				if short < 1e-10 {
					greedy++
				}
				loss = max(loss, short)
			}
		}
	}
	t.Logf("agglomeration finds the best grouping of states in %d of %d trials and loses at most %.3f nats", greedy,
		trials, loss)
}

// The score of a path of rows is that of its partitions, and never above the best of all.
func TestRowsAgainstEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	exact, trials, loss := 0, 0, 0.0
	for _, prior := range priors {
		for rows := 1; rows <= 7; rows++ {
			for range 5 {
				states := 1 + rng.IntN(4)
				n := randomCounts(rng, rows*states, 20)
				best := math.Inf(-1)
				eachPartition(rows, func(classes [][]int) { best = max(best, urnOfRows(prior, states, n, classes)) })
				found, err := rowGrouper{prior, states}.path(t.Context(), n)
				if err != nil {
					t.Fatal(err)
				}
				for m := 1; m <= rows; m++ {
					classes := found.classes(m)
					if len(classes) != m {
						t.Fatalf("%d classes, want %d: %v", len(classes), m, classes)
					}
					numtest.Close(t, found.logMarginal[m-1], urnOfRows(prior, states, n, classes), 1e-10, 0)
				}
				short := best - slices.Max(found.logMarginal)
				if short < -1e-10 {
					t.Errorf("agglomeration beats the best of all by %v", -short)
				}
				trials++
				if short < 1e-10 {
					exact++
				}
				loss = max(loss, short)
			}
		}
	}
	t.Logf("agglomeration finds the best grouping of rows in %d of %d trials and loses at most %.3f nats", exact,
		trials, loss)
}

// Each join is the best of all pairs, also for a score that is no sensible one.
func TestAgglomerateIsGreedy(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	for range 50 {
		k := 1 + rng.IntN(15)
		items := make([][]float64, k)
		for i := range items {
			items[i] = []float64{rng.Float64(), rng.Float64()}
		}
		score := func(pooled []float64, size int) float64 {
			return math.Sin(40*pooled[0]+float64(size)) + math.Cos(50*pooled[1])
		}
		joins, total, err := agglomerate(t.Context(), items, score)
		if err != nil {
			t.Fatal(err)
		}
		type class struct {
			name   int
			pooled []float64
			size   int
		}
		var classes []class
		for i, n := range items {
			classes = append(classes, class{i, n, 1})
		}
		for step := 0; ; step++ {
			sum := 0.0
			for _, c := range classes {
				sum += score(c.pooled, c.size)
			}
			numtest.Close(t, total[k-1-step], sum, 1e-10, 0)
			if len(classes) == 1 {
				break
			}
			best, gain := join{}, math.Inf(-1)
			var union class
			for i, a := range classes {
				for _, b := range classes[:i] {
					both := class{b.name, []float64{a.pooled[0] + b.pooled[0], a.pooled[1] + b.pooled[1]},
						a.size + b.size}
					if g := score(both.pooled, both.size) - score(a.pooled, a.size) -
						score(b.pooled, b.size); g > gain {
						best, gain, union = join{b.name, a.name}, g, both
					}
				}
			}
			if joins[step] != best {
				t.Fatalf("step %d joins %v, want %v", step, joins[step], best)
			}
			classes = slices.DeleteFunc(classes, func(c class) bool { return c.name == best.gone })
			for i := range classes {
				if classes[i].name == best.into {
					classes[i] = union
				}
			}
		}
	}
}

// The probability of the cases is the integral of the likelihood over the prior: three
// states, the first two alike, θ = (x, x, 1−2x), 0 < x < 1/2.
func TestStatesAgainstQuadrature(t *testing.T) {
	n := []float64{3, 4, 9}
	for _, prior := range []Settings{{Alpha: 1}, {Alpha: 2.5}, {Alpha: 1, Restrict: true},
		{Alpha: 2.5, Restrict: true}} {
		density := func(x float64) float64 { // up to a factor
			if prior.Restrict { // the cells' own, Π θ_j^(α−1)
				return math.Pow(x*x*(1-2*x), prior.Alpha-1)
			}
			// the mass 2x of the group as without sharing
			return math.Pow(2*x, 2*prior.Alpha-1) * math.Pow(1-2*x, prior.Alpha-1)
		}
		likelihood := func(x float64) float64 { return math.Pow(x, n[0]+n[1]) * math.Pow(1-2*x, n[2]) }
		integral := func(f func(float64) float64) float64 { return quad.Fixed(f, 0, 0.5, 2000, nil, 0) }
		want := math.Log(integral(func(x float64) float64 { return density(x) * likelihood(x) }) / integral(density))
		found, err := stateGrouper{prior, 1}.path(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		if got := found.classes(2); !slices.EqualFunc(got, [][]int{{0, 1}, {2}}, slices.Equal) {
			t.Fatalf("classes %v", got)
		}
		numtest.Close(t, found.logMarginal[1], want, 1e-9, 0)
	}
}

// Predictions are the closed-form estimates with the prior's counts as pseudocounts.
func TestPredictAgainstMAP(t *testing.T) {
	net, err := bn.New("[Z][X|Z]", bn.Discrete("Z", "0", "1", "2"), bn.Discrete("X", "a", "b", "c"))
	if err != nil {
		t.Fatal(err)
	}
	n := []float64{4, 0, 1, 2, 2, 5, 0, 0, 0}
	const alpha = 1.5
	fit := func(pseudo []float64, s constraint.Constraint) []float64 {
		c := &data.Counts{Layout: net.Layout(), N: append([]float64{1, 1, 1}, n...), Skipped: make([]float64, 2)}
		for i := range pseudo {
			pseudo[i]++
		}
		compiled, err := learn.Compile(net, learn.MAP{Alpha: map[string][]float64{"X": pseudo},
			Constraints: []constraint.Constraint{s}})
		if err != nil {
			t.Fatal(err)
		}
		r, err := compiled.Fit(c, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r.Net.CPT(1).P
	}
	closeTo := func(got, want []float64) {
		t.Helper()
		for i := range want {
			numtest.Close(t, got[i], want[i], 1e-14, 0)
		}
	}
	got := make([]float64, 9)
	for _, restrict := range []bool{false, true} {
		g := Settings{Alpha: alpha, Restrict: restrict}
		// States a and c of the second row are alike: 2α or 2(α−1)+1 virtual cases.
		both, one := alpha, alpha
		if restrict {
			both = alpha - 0.5
		}
		stateGrouper{g, 1}.predict(got[:3], n[3:6], [][]int{{0, 2}, {1}})
		want := fit([]float64{0, 0, 0, both, one, both, 0, 0, 0},
			constraint.ShareStates{Var: "X", Given: bn.Given{"Z": "1"}, Groups: [][]string{{"a", "c"}}})
		closeTo(got[:3], want[3:6])
		// The first and third rows are equal: α or 2(α−1)+1 virtual cases together.
		each := alpha / 2
		if restrict {
			each = alpha - 0.5
		}
		rowGrouper{g, 3}.predict(got, n, [][]int{{0, 2}, {1}})
		want = fit([]float64{each, each, each, alpha, alpha, alpha, each, each, each},
			constraint.ShareAcross{Var: "X", Given: []bn.Given{{"Z": "0"}, {"Z": "2"}}})
		closeTo(got, want)
	}
}

// What is held out is scored by what is left, fold by fold.
func TestHeldOut(t *testing.T) {
	n := []float64{9, 2, 5, 0}
	s, err := (&Settings{Folds: 3, Seed: 6}).begin()
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.heldOut(t.Context(), stateGrouper{s.Settings, 1}, n)
	if err != nil {
		t.Fatal(err)
	}
	one, all := 0.0, 0.0 // with one class, and with every state for itself
	for _, test := range folds.Deal(n, 3, rand.NewPCG(6, 0)) {
		cases := num.Sum(test)
		one += cases * math.Log(1.0/4)
		for i, x := range test {
			all += x * math.Log((n[i]-x+1)/(num.Sum(n)-cases+4))
		}
	}
	numtest.Close(t, got[0], one, 1e-12, 0)
	numtest.Close(t, got[3], all, 1e-12, 0)
}

// Contexts stand for the configurations of a class and no others, and name no parent that
// does not matter.
func TestContexts(t *testing.T) {
	var parents []bn.Variable
	for _, name := range []string{"A", "B", "C", "one"} {
		parents = append(parents, bn.Discrete(name, []string{"0", "1", "2"}[:min(3, 4-len(parents))]...))
	}
	table, err := bn.NewCPT(bn.Discrete("X", "0", "1"), parents...)
	if err != nil {
		t.Fatal(err)
	}
	net, err := bn.New("[A][B][C][one][X|A:B:C:one]", append(parents, table.Child)...)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(8, 0))
	for range 100 {
		class := rng.Perm(18)[:2+rng.IntN(17)]
		slices.Sort(class)
		bounds, err := constraint.ShareAcross{Var: "X", Given: contexts(table, class)}.Bind(net)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, row := range bounds[0].Links {
			got = append(got, row.Config)
		}
		slices.Sort(got)
		if !slices.Equal(got, class) {
			t.Fatalf("class %v is described by %v, which is %v", class, contexts(table, class), got)
		}
	}
	for _, test := range []struct {
		class []int // configuration = 6a + 2b + c
		want  []bn.Given
	}{
		{[]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17}, nil},
		{[]int{6, 7, 8, 9, 10, 11}, []bn.Given{{"A": "1"}}},
		{[]int{2, 3, 8, 9, 14, 15}, []bn.Given{{"B": "1"}}},
		{[]int{2, 8, 14}, []bn.Given{{"B": "1", "C": "0"}}},
		{[]int{0, 17}, []bn.Given{{"A": "0", "B": "0", "C": "0"}, {"A": "2", "B": "2", "C": "1"}}},
	} {
		if got := contexts(table, test.class); !slices.EqualFunc(got, test.want,
			func(a, b bn.Given) bool { return a.String() == b.String() }) {
			t.Errorf("class %v: %v, want %v", test.class, got, test.want)
		}
	}
}
