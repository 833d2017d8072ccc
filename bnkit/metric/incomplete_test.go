package metric_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/metric"
	"bnlab/internal/numtest"
)

// smallNet is random, with zeros, so that some cases are impossible: B=0 and C=1 for any A.
func smallNet(t testing.TB, rng *rand.Rand) *bn.Network {
	t.Helper()
	net, err := bn.New("[A][B|A][C|B:A][D|B][E|D:C]", bn.Discrete("A", "0", "1"), bn.Discrete("B", "0", "1", "2"),
		bn.Discrete("C", "0", "1"), bn.Discrete("D", "0", "1"), bn.Discrete("E", "0", "1", "2"))
	if err != nil {
		t.Fatal(err)
	}
	net = randomTables(net, rng)
	copy(net.CPT(1).Row(1), []float64{0, .5, .5})
	copy(net.CPT(2).Row(0), []float64{1, 0})
	return net
}

// gaps are random cells with holes at random. The column of the variable absent is left out,
// if any, and there is one that is no variable's if none.
func gaps(t testing.TB, rng *rand.Rand, net *bn.Network, rows int, absent string) *data.Table {
	t.Helper()
	var cols []data.Column
	for _, v := range net.Variables() {
		c := data.Column{Var: v, States: make([]bn.State, rows)}
		for row := range c.States {
			if c.States[row] = bn.State(rng.IntN(v.Cardinality())); rng.IntN(4) == 0 {
				c.States[row] = bn.Missing
			}
		}
		if v.Name != absent {
			cols = append(cols, c)
		}
	}
	if absent == "" {
		cols = append(cols, data.Column{Var: bn.Discrete("id", "x"), States: make([]bn.State, rows)})
	}
	table, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	weights := make([]float64, rows)
	for row := range weights {
		weights[row] = float64(rng.IntN(3))
	}
	if table, err = table.WithWeights(weights); err != nil {
		t.Fatal(err)
	}
	return table
}

// mass sums the joint distribution over the joint states that agree with a row, by state of
// the target; the target's own cell does not count.
func mass(net *bn.Network, table *data.Table, row, target int) []float64 {
	seen := make([]bn.State, net.Len())
	for v := range seen {
		seen[v] = bn.Missing
		if col, err := table.As(net.Variable(v)); err == nil && v != target {
			seen[v] = col[row]
		}
	}
	sums := make([]float64, net.Variable(target).Cardinality())
	states := make([]int, net.Len())
	var walk func(v int, p float64)
	walk = func(v int, p float64) {
		if v == net.Len() {
			sums[states[target]] += p
			return
		}
		config := 0
		for i, u := range net.DAG().Parents(v) {
			config += states[u] * net.CPT(v).Configs().Stride(i)
		}
		for s, q := range net.CPT(v).Row(config) {
			if states[v] = s; seen[v] == bn.Missing || int(seen[v]) == s {
				walk(v+1, p*q)
			}
		}
	}
	walk(0, 1) // the variables stand in an order of the graph
	return sums
}

// Scores of incomplete cases against the joint distribution summed by hand, in tables that
// have complete cases too, with a hidden variable and without.
func TestScoresOfIncompleteCases(t *testing.T) {
	impossible := 0
	for seed := range 20 {
		rng := rand.New(rand.NewPCG(uint64(seed), 1))
		net := smallNet(t, rng)
		table := gaps(t, rng, net, 30, []string{"", "B", "D"}[seed%3])
		whole, err := metric.LogScore(net, table)
		if err != nil {
			t.Fatal(err)
		}
		a, err := table.As(net.Variable(0))
		if err != nil {
			t.Fatal(err)
		}
		want, cases := 0.0, 0.0
		for row, got := range whole.ByCase {
			sums := mass(net, table, row, 0)
			p := sums[0] + sums[1]
			if a[row] != bn.Missing {
				p = sums[a[row]]
			}
			numtest.Close(t, got, math.Log(p), 1e-12, 0)
			if w := table.Weights()[row]; w > 0 {
				want += w * math.Log(p)
				cases += w
			}
		}
		numtest.Close(t, whole.LogScore, want, 1e-10, 0)
		if whole.Cases != cases {
			t.Errorf("%v cases, want %v", whole.Cases, cases)
		}
		numtest.Close(t, whole.Average, want/cases, 1e-12, 0)

		var rows, possible []int // with the target; and with a rest that can occur
		for row := range table.Rows() {
			if a[row] == bn.Missing {
				continue
			}
			rows = append(rows, row)
			if sums := mass(net, table, row, 0); sums[0]+sums[1] > 0 {
				possible = append(possible, row)
			} else {
				impossible++
			}
		}
		score, err := metric.ConditionalLogScore(net, table.Select(rows), "A")
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range rows {
			sums := mass(net, table, row, 0)
			want := math.Inf(-1)
			if x := sums[a[row]]; x > 0 {
				want = math.Log(x / (sums[0] + sums[1]))
			}
			numtest.Close(t, score.ByCase[i], want, 1e-12, 0)
		}
		table = table.Select(possible)
		p, err := metric.Predict(net, table, "A")
		if err != nil {
			t.Fatal(err)
		}
		loss, err := quadraticLoss(net, table, "A")
		if err != nil {
			t.Fatal(err)
		}
		total, weight := 0.0, 0.0
		for i, row := range possible {
			sums := mass(net, table, i, 0)
			first := sums[0] / (sums[0] + sums[1])
			numtest.Close(t, p.P[i][0], first, 1e-13, 0)
			numtest.Close(t, p.P[i][1], 1-first, 1e-13, 0)
			// Two states: both are off by as much.
			want := 2 * (1 - first) * (1 - first)
			if a[row] == 1 {
				want = 2 * first * first
			}
			numtest.Close(t, loss.ByCase[i], want, 1e-13, 0)
			total += table.Weights()[i] * want
			weight += table.Weights()[i]
		}
		numtest.Close(t, loss.Average, total/weight, 1e-13, 0)
		numtest.Close(t, loss.Cases, weight, 0, 0)
		if t.Failed() {
			t.Fatalf("network %d", seed)
		}
	}
	if impossible == 0 {
		t.Error("no case is impossible")
	}
}

// Gaps elsewhere do not change a bit of what a complete case has, and predictions of cases
// that are alike can be written to.
func TestCompleteAmongIncomplete(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	net := randomTables(smallNet(t, rng), rng)
	table := gaps(t, rng, net, 60, "")
	var complete []int
	for row := range table.Rows() {
		if table.Select([]int{row}).IsComplete() {
			complete = append(complete, row)
		}
	}
	all, err := metric.LogScore(net, table)
	if err != nil {
		t.Fatal(err)
	}
	some, err := metric.LogScore(net, table.Select(complete))
	if err != nil {
		t.Fatal(err)
	}
	p, err := metric.Predict(net, table, "B")
	if err != nil {
		t.Fatal(err)
	}
	q, err := metric.Predict(net, table.Select(complete), "B")
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range complete {
		if all.ByCase[row] != some.ByCase[i] || p.P[row][0] != q.P[i][0] {
			t.Errorf("row %d has %v and %v, alone %v and %v", row+1, all.ByCase[row], p.P[row], some.ByCase[i],
				q.P[i])
		}
	}
	for row := range p.P {
		sum := 0.0
		for s := range p.P[row] {
			sum += p.P[row][s]
			p.P[row][s] = -1
		}
		numtest.Close(t, sum, 1, 1e-12, 0)
	}
}

// A class that a measurement depends on: where the class is not known, the density is a
// mixture; where the measurement is not, it says nothing.
func TestScoreMixture(t *testing.T) {
	net, err := bn.New("[class][x|class][y|x]", bn.Discrete("class", "a", "b"), bn.Continuous("x"), bn.Continuous("y"))
	if err != nil {
		t.Fatal(err)
	}
	copy(net.CPT(0).P, []float64{.25, .75})
	copy(net.Gaussian(1).Intercept, []float64{0, 1})
	nan := math.NaN()
	class := data.Column{Var: net.Variable(0), States: []bn.State{0, bn.Missing, 1}}
	x := data.Column{Var: net.Variable(1), Values: []float64{.5, 1.5, nan}}
	table, err := data.New(class, x)
	if err != nil {
		t.Fatal(err)
	}
	normal := func(z float64) float64 { return math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) }
	a, b := .25*normal(1.5), .75*normal(.5)
	score, err := metric.LogScore(net, table)
	if err != nil {
		t.Fatal(err)
	}
	for row, want := range []float64{math.Log(.25 * normal(.5)), math.Log(a + b), math.Log(.75)} {
		numtest.Close(t, score.ByCase[row], want, 1e-14, 0)
	}
	p, err := metric.Predict(net, table, "class")
	if err != nil {
		t.Fatal(err)
	}
	for row, want := range []float64{.25, a / (a + b), .25} {
		numtest.Close(t, p.P[row][0], want, 1e-14, 0)
	}

	// y depends on x, which is summed out where it is missing: in row 3, where only y is observed.
	table, err = data.New(class, x, data.Column{Var: net.Variable(2), Values: []float64{nan, 0, 0}})
	if err != nil {
		t.Fatal(err)
	}
	net.Gaussian(2).Weights[0][0] = 1
	if score, err = metric.LogScore(net, table); err != nil {
		t.Fatal(err)
	}
	for row, want := range []float64{math.Log(.25 * normal(.5)), math.Log((a + b) * normal(1.5)),
		math.Log(.75 * normal(math.Sqrt(.5)) / math.Sqrt2)} {
		numtest.Close(t, score.ByCase[row], want, 1e-14, 0)
	}
	if p, err = metric.Predict(net, table, "class"); err != nil {
		t.Fatal(err)
	}
	// Given y alone class a has density N(0; 0, 2) and b N(0; 1, 2).
	odds := .25 / (.75 * math.Exp(-.25))
	numtest.Close(t, p.P[2][0], odds/(1+odds), 1e-14, 0)
}

func TestIncompleteErrors(t *testing.T) {
	net := twoNodes(t, "0 1\n1 0", "Y | a b c\n0 | 0 .5 .5\n1 | .6 .4 0")
	y, x := net.Variable(0), net.Variable(1)
	column := func(v bn.Variable, states ...bn.State) data.Column { return data.Column{Var: v, States: states} }
	table := func(cols ...data.Column) *data.Table {
		t.Helper()
		table, err := data.New(cols...)
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	holed := table(column(y, 0, bn.Missing), column(x, 1, 0))
	noX := table(column(y, 0))
	three, err := bn.New("[Y][X|Y][Z|Y]", y, x, bn.Discrete("Z", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(three.SetCPT(net.CPT(0)), three.SetCPT(net.CPT(1))); err != nil {
		t.Fatal(err)
	}
	misspelt := table(column(bn.Discrete("Yy", "0", "1"), 0), column(x, 1))
	for _, test := range []struct {
		name string
		err  error
		is   error
		says string
	}{
		{"a target that is missing", second(metric.ConditionalLogScore(net, holed, "Y")), data.ErrMissing,
			`row 2, column "Y"`},
		{"a loss without the target", second(quadraticLoss(net, table(column(y, 0, bn.Missing), column(x, 1, 1)),
			"Y")), data.ErrMissing, `row 2, column "Y"`},
		{"a loss without the column", second(quadraticLoss(net, noX, "X")), bn.ErrUnknownVariable, `"X"`},
		{"a target without a column", second(metric.ConditionalLogScore(net, noX, "X")), bn.ErrUnknownVariable, `"X"`},
		{"a misspelt column", second(metric.LogScore(net, misspelt)), bn.ErrUnknownVariable, `"Yy"`},
		{"a misspelt column, predicted", second(metric.Predict(net, misspelt, "X")), bn.ErrUnknownVariable, `"Yy"`},
		{"evidence that cannot occur", second(metric.Predict(three,
			table(column(x, 1, 1, 0), column(three.Variable(2), 0, bn.Missing, bn.Missing)), "Y")), nil,
			`row 3: the network gives probability zero to the case whatever the state of "Y"`},
		{"a column of numbers", second(metric.LogScore(net,
			table(column(y, 0), data.Column{Var: bn.Continuous("X"), Values: []float64{1}}))), bn.ErrNotDiscrete,
			`"X"`},
	} {
		if test.err == nil || test.is != nil && !errors.Is(test.err, test.is) ||
			!strings.Contains(test.err.Error(), test.says) {
			t.Errorf("%s: %v, want one that says %s", test.name, test.err, test.says)
		}
	}
	// Impossible cases score −Inf, their rest being possible or not.
	holes := table(column(x, 0, 1), column(y, 0, 1), column(three.Variable(2), bn.Missing, bn.Missing))
	for _, score := range []func() (metric.LogScores, error){
		func() (metric.LogScores, error) { return metric.LogScore(three, holes) },
		func() (metric.LogScores, error) { return metric.ConditionalLogScore(three, holes, "Y") },
		func() (metric.LogScores, error) { return metric.ConditionalLogScore(three, holes, "X") },
	} {
		if s, err := score(); err != nil || !math.IsInf(s.ByCase[0], -1) || !math.IsInf(s.LogScore, -1) {
			t.Errorf("an impossible case: %+v, %v", s, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }
