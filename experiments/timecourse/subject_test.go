package timecourse

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/learn"
)

// testSubject is the first truth of a structure, by its place.
func testSubject(t testing.TB, structure int) *subject {
	t.Helper()
	b, err := newSubject(load(t)[structure], 1, threeTruths(t)[structure][0], 2, testSource(100))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// joint calls f with every joint state of the network and its probability.
func joint(net *bn.Network, f func(states []int, p float64)) {
	states := make([]int, net.Len())
	var next func(v int, p float64)
	next = func(i int, p float64) {
		if i == net.Len() {
			f(states, p)
			return
		}
		v := net.DAG().Order()[i]
		var parents []int
		for _, u := range net.DAG().Parents(v) {
			parents = append(parents, states[u])
		}
		row := net.CPT(v).Row(net.CPT(v).Configs().Index(parents))
		for state, q := range row {
			states[v] = state
			next(i+1, p*q)
		}
	}
	next(0, 1)
}

// TestQuality compares log-likelihood and quadratic loss with sums over the joint
// distribution.
func TestQuality(t *testing.T) {
	for i, s := range load(t) {
		b := testSubject(t, i)
		net := s.random(rand.New(rand.NewPCG(4, 0)))
		var seen []int // observed variables, the criterion last
		for v := range net.Len() {
			if name := net.Variable(v).Name; !slices.Contains(s.hidden, name) && name != s.criterion {
				seen = append(seen, v)
			}
		}
		c, err := net.Index(s.criterion)
		if err != nil {
			t.Fatal(err)
		}
		key := func(states []int) (k int) {
			for _, v := range seen {
				k = k*net.Variable(v).Cardinality() + states[v]
			}
			return k
		}
		r := net.Variable(c).Cardinality()
		p := make(map[int][]float64) // by the others, then state of the criterion
		joint(net, func(states []int, q float64) {
			k := key(states)
			if p[k] == nil {
				p[k] = make([]float64, r)
			}
			p[k][states[c]] += q
		})
		var columns [][]bn.State
		for v := range net.Len() {
			column := make([]bn.State, b.distinct.Rows())
			if !slices.Contains(s.hidden, net.Variable(v).Name) {
				if column, err = b.distinct.As(net.Variable(v)); err != nil {
					t.Fatal(err)
				}
			}
			columns = append(columns, column)
		}
		nll, loss, cases := 0.0, 0.0, 0.0
		for row, w := range b.distinct.Weights() {
			states := make([]int, net.Len())
			for v := range states {
				states[v] = int(columns[v][row])
			}
			q, sum := p[key(states)], 0.0
			for _, x := range q {
				sum += x
			}
			nll -= w * math.Log(q[states[c]])
			for state, x := range q {
				miss := x / sum
				if state == states[c] {
					miss--
				}
				loss += w * miss * miss
			}
			cases += w
		}
		got, err := b.quality(net)
		if err != nil {
			t.Fatal(err)
		}
		if cases != float64(s.testCases) || math.Abs(got.test-nll/cases) > 1e-12 ||
			math.Abs(got.quadratic-loss/cases) > 1e-12 {
			t.Errorf("%s: %v of %v cases, want %v and %v", s.name, got, cases, nll/cases, loss/cases)
		}
	}
}

// TestRun follows plain EM, which is simple enough to be done here from expected counts.
func TestRun(t *testing.T) {
	b := testSubject(t, 1)
	o, err := b.run(t.Context(), learn.EM{}, b.from(1, 7), func(s learn.Step) float64 { return s.LogLikelihood },
		func(i int) bool { return i%3 == 0 })
	if err != nil {
		t.Fatal(err)
	}
	theta := parameters(b.starts[1])
	layout := b.net.Layout()
	for i := 0; i <= 7; i++ {
		if i%3 == 0 {
			test, err := average(b.test, theta)
			if err != nil {
				t.Fatal(err)
			}
			train, err := average(b.train, theta)
			if err != nil {
				t.Fatal(err)
			}
			p := o.at(i + 1) // the last until then
			if p.iteration != i || math.Abs(p.test-test) > 1e-9 || math.Abs(p.train-train) > 1e-9 {
				t.Errorf("after %d iterations %+v, want test %v and train %v", i, p, test, train)
			}
		}
		if i == 7 {
			break
		}
		n := make([]float64, len(theta))
		if _, err := b.train.Expect(n, theta); err != nil {
			t.Fatal(err)
		}
		for v := range b.net.Len() {
			for config := range b.net.CPT(v).Configs().Len() {
				lo, hi := layout.Row(v, config)
				sum := 0.0
				for _, x := range n[lo:hi] {
					sum += x
				}
				for cell := lo; cell < hi; cell++ {
					theta[cell] = n[cell] / sum
				}
			}
		}
	}
	for cell, x := range theta {
		if math.Abs(x-o.theta[cell]) > 1e-9 {
			t.Fatalf("entry %d is %v, want %v", cell, o.theta[cell], x)
		}
	}
	if o.steps != 7 || o.falls != 0 || math.Abs(o.end/b.train.Weight()+o.train) > 1e-9 {
		t.Errorf("%d iterations, %d falls, end %v", o.steps, o.falls, o.end)
	}
	put(b.net, theta)
	if v, err := b.violation(b.net); err != nil || math.Abs(v-o.violation) > 1e-9 {
		t.Errorf("violation %v, want %v, %v", o.violation, v, err)
	}
}

// TestFalls counts by a score that falls at every step.
func TestFalls(t *testing.T) {
	b := testSubject(t, 0)
	o, err := b.run(t.Context(), learn.EM{}, b.from(0, 5), func(s learn.Step) float64 { return -float64(s.Iteration) },
		followed)
	if err != nil || o.falls != 5 || o.end != -5 {
		t.Errorf("%d falls to %v, want 5 to −5; %v", o.falls, o.end, err)
	}
}

// TestImpossible measures a network that holds all cases of one state impossible.
func TestImpossible(t *testing.T) {
	b := testSubject(t, 0)
	net := b.truth.Clone()
	table, err := net.Table("Mode")
	if err != nil {
		t.Fatal(err)
	}
	share := -math.Log(table.P[0])
	table.P[0], table.P[1] = 0, 1
	put(net, positive(nil, parameters(net)))
	q, err := b.quality(net)
	if err != nil {
		t.Fatal(err)
	}
	// Half of the cases lose ln 1/least instead of ln 2, the others win ln 2.
	stepwise, err := b.distinct.As(net.Variable(0))
	if err != nil {
		t.Fatal(err)
	}
	lost, all := 0.0, 0.0
	for row, w := range b.distinct.Weights() {
		if all += w; stepwise[row] == 0 {
			lost += w
		}
	}
	want := b.base.test - share + lost/all*-math.Log(least)
	if math.Abs(q.test-want) > 1e-9 {
		t.Errorf("impossible cases give %v nats, want %v", q.test, want)
	}
}
