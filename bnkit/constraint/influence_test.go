package constraint_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/numtest"
)

func ExampleInfluence() {
	net, err := bn.New("[difficulty][load|difficulty]",
		bn.Discrete("difficulty", "low", "medium", "high"), bn.Discrete("load", "low", "high"))
	if err != nil {
		fmt.Println(err)
		return
	}
	rises := constraint.Influence{Parent: "difficulty", Child: "load", Sign: constraint.Positive}
	problem, err := constraint.Compile(net, rises)
	if err != nil {
		fmt.Println(err)
		return
	}
	counts := []float64{0, 0, 0 /* difficulty */, 6, 4, 8, 2, 1, 9 /* load */}
	theta := make([]float64, len(counts))
	if err := problem.Maximize(theta, counts); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(rises)
	fmt.Printf("P(load=high) %.3f, %.3f, %.3f\n", theta[4], theta[6], theta[8])

	// How far the unconstrained estimate is from it.
	if err := net.SetTable("load",
		"difficulty | low high\nlow | 0.6 0.4\nmedium | 0.8 0.2\nhigh | 0.1 0.9"); err != nil {
		fmt.Println(err)
		return
	}
	violation, err := rises.Violation(net)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("violation %.1f\n", violation)
	// Output:
	// higher states of difficulty make higher states of load more likely
	// P(load=high) 0.300, 0.300, 0.900
	// violation 0.2
}

// dominance writes out from the names what influences say: for each pair of neighbouring
// parent states, that P(Child ≤ k) is no larger in the row where the child is to be larger.
func dominance(t testing.TB, net *bn.Network, statements ...constraint.Influence) said {
	t.Helper()
	r := &reader{t: t, net: net, layout: net.Layout()}
	for _, s := range statements {
		child, err := net.Table(s.Child)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range child.Parents {
			if p.Name != s.Parent {
				continue
			}
			for i := range p.States[1:] {
				low, high := r.where(s.Child, with(s.Given, p.Name, p.States[i])),
					r.where(s.Child, with(s.Given, p.Name, p.States[i+1]))
				if s.Sign == constraint.Negative {
					low, high = high, low
				}
				for c := range low {
					for k := 1; k < child.Child.Cardinality(); k++ {
						below := child.Child.States[:k]
						r.say(0, true, 1.0, r.row(s.Child, below, high[c]), -1.0, r.row(s.Child, below, low[c]))
					}
				}
			}
		}
	}
	return r.said
}

func with(given bn.Given, name, state string) bn.Given {
	out := bn.Given{name: state}
	for n, s := range given {
		out[n] = s
	}
	return out
}

// pool is the weighted isotonic regression of y by the pool-adjacent-violators algorithm.
func pool(y, w []float64) []float64 {
	type block struct {
		sum, weight float64
		size        int
	}
	var blocks []block
	for i := range y {
		b := block{y[i] * w[i], w[i], 1}
		for len(blocks) > 0 {
			last := blocks[len(blocks)-1]
			if last.sum*b.weight < b.sum*last.weight {
				break
			}
			b = block{b.sum + last.sum, b.weight + last.weight, b.size + last.size}
			blocks = blocks[:len(blocks)-1]
		}
		blocks = append(blocks, b)
	}
	var out []float64
	for _, b := range blocks {
		for range b.size {
			out = append(out, b.sum/b.weight)
		}
	}
	return out
}

// isotonicTol is by how much estimates may differ from exact ones: they are exact but for
// rounding.
const isotonicTol = 1e-12

// With a binary child the maximum is the isotonic regression of the frequencies, in each
// context by itself.
func TestInfluenceIsIsotonicRegression(t *testing.T) {
	rng := rand.New(rand.NewPCG(71, 0))
	net := network(t, "[A][B][X|A:B]", bn.Discrete("A", spell("a", 6)...), bn.Discrete("B", spell("b", 3)...),
		bn.Discrete("X", "no", "yes"))
	for _, sign := range []constraint.Sign{constraint.Positive, constraint.Negative} {
		p := compile(t, net, constraint.Influence{Parent: "A", Child: "X", Sign: sign})
		for range 20 {
			n := make([]float64, net.Layout().Len())
			for i := range n {
				n[i] = float64(1 + rng.IntN(30))
			}
			theta := make([]float64, len(n))
			if err := p.Maximize(theta, n); err != nil {
				t.Fatal(err)
			}
			for b := range 3 {
				y, w, got := make([]float64, 6), make([]float64, 6), make([]float64, 6)
				for a := range 6 {
					at := net.Layout().Cell(2, 3*a+b, 0) // A varies slower than B
					place := a
					if sign == constraint.Negative {
						place = 5 - a
					}
					w[place] = n[at] + n[at+1]
					y[place], got[place] = n[at+1]/w[place], theta[at+1]
				}
				near(t, fmt.Sprintf("%v influence, context %d", sign, b), got, pool(y, w), isotonicTol)
			}
		}
	}
}

// With more states the maximum is proven by a dual bound, for one influence and for two
// of different parents, with counts of zero.
func TestInfluenceIsCertified(t *testing.T) {
	rng := rand.New(rand.NewPCG(72, 0))
	loud := bn.Given{"C": "c1"}
	for _, tt := range []struct {
		name   string
		states int
		says   []constraint.Influence
	}{
		{"one", 4, []constraint.Influence{{Parent: "A", Child: "X"}}},
		{"one that falls", 3, []constraint.Influence{{Parent: "B", Child: "X", Sign: constraint.Negative}}},
		{"one in a context", 4, []constraint.Influence{{Parent: "A", Child: "X", Given: loud}}},
		{"two", 3, []constraint.Influence{{Parent: "A", Child: "X"},
			{Parent: "B", Child: "X", Sign: constraint.Negative}}},
		{"two on a binary child", 2, []constraint.Influence{{Parent: "A", Child: "X"}, {Parent: "B", Child: "X"}}},
		{"two, one of them in a context", 3, []constraint.Influence{{Parent: "A", Child: "X", Given: loud},
			{Parent: "B", Child: "X"}}},
		{"rising here, falling there", 3, []constraint.Influence{{Parent: "A", Child: "X", Given: loud},
			{Parent: "A", Child: "X", Given: bn.Given{"C": "c0"}, Sign: constraint.Negative}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			net := network(t, "[A][B][C][X|A:B:C]", bn.Discrete("A", spell("a", 3)...),
				bn.Discrete("B", spell("b", 3)...),
				bn.Discrete("C", spell("c", 2)...), bn.Discrete("X", spell("x", tt.states)...))
			s := dominance(t, net, tt.says...)
			statements := make([]constraint.Constraint, len(tt.says))
			for i, one := range tt.says {
				statements[i] = one
			}
			p := compile(t, net, statements...)
			for range 3 {
				n := make([]float64, net.Layout().Len())
				for i := range n {
					n[i] = float64(max(0, rng.IntN(15)-4))
				}
				theta := make([]float64, len(n))
				if err := p.Maximize(theta, n); err != nil {
					t.Fatal(err)
				}
				if miss := s.miss(theta); !(miss <= 1e-9) {
					t.Errorf("an inequality is missed by %v", miss)
				}
				feasible(t, net, theta, 1e-9)
				optimal(t, net, s, n, theta)
			}
		})
	}
}

// What the statement allows is left as it is, and without counts nothing but the statement
// has to hold.
func TestInfluenceLeavesWhatHolds(t *testing.T) {
	net := network(t, "[A][X|A]", bn.Discrete("A", "0", "1", "2"), bn.Discrete("X", "a", "b", "c"))
	s := constraint.Influence{Parent: "A", Child: "X"}
	p := compile(t, net, s)
	n := []float64{1, 1, 1, 6, 3, 1, 3, 4, 3, 1, 2, 7}
	want := []float64{1. / 3, 1. / 3, 1. / 3, 0.6, 0.3, 0.1, 0.3, 0.4, 0.3, 0.1, 0.2, 0.7}
	near(t, "already monotone", maximize(p, n), want, 1e-7)

	for _, n := range [][]float64{make([]float64, 12), {0, 0, 0, 5, 0, 5, 0, 0, 0, 9, 0, 1}} {
		theta := make([]float64, len(n))
		if err := p.Maximize(theta, n); err != nil {
			t.Fatal(err)
		}
		feasible(t, net, theta, 1e-9)
		if miss := dominance(t, net, s).miss(theta); !(miss <= 1e-9) {
			t.Errorf("counts %v: an inequality is missed by %v", n, miss)
		}
	}
	// The first row wins over the last, so all three are pooled: 5 + 9 of 20 are in a.
	theta := maximize(p, []float64{0, 0, 0, 5, 0, 5, 0, 0, 0, 9, 0, 1})
	near(t, "pooled", theta[3:], []float64{0.7, 0, 0.3, 0.7, 0, 0.3, 0.7, 0, 0.3}, isotonicTol)
}

// The order of the parents in the table does not matter.
func TestInfluenceWhateverTheOrderOfParents(t *testing.T) {
	rng := rand.New(rand.NewPCG(73, 0))
	a, b, c := bn.Discrete("A", spell("a", 3)...), bn.Discrete("B", spell("b", 2)...),
		bn.Discrete("C", spell("c", 4)...)
	x := bn.Discrete("X", spell("x", 3)...)
	first, other := network(t, "[A][B][C][X|A:B:C]", a, b, c, x), network(t, "[A][B][C][X|C:A:B]", a, b, c, x)
	s := constraint.Influence{Parent: "A", Child: "X"}
	n, m := make([]float64, first.Layout().Len()), make([]float64, first.Layout().Len())
	moved := make([]int, len(n)) // by entry of the first network, that of the other
	for i := range n {
		v, config, state := first.Layout().Locate(i)
		if v == 3 {
			at := first.CPT(3).Configs().States(nil, config)
			config = other.CPT(3).Configs().Index([]int{at[2], at[0], at[1]})
		}
		moved[i] = other.Layout().Cell(v, config, state)
		n[i] = float64(1 + rng.IntN(9))
		m[moved[i]] = n[i]
	}
	theta, same := maximize(compile(t, first, s), n), maximize(compile(t, other, s), m)
	for i := range theta {
		numtest.Close(t, same[moved[i]], theta[i], isotonicTol, 0)
	}
}

// Seven statements about a table of 128 rows and five states say what one says by its own.
func TestInfluencesOfSevenParents(t *testing.T) {
	net, n := rising(t, rand.New(rand.NewPCG(74, 0)), 7)
	for i := range n {
		n[i] += 0.5 // so that the maximum is unique
	}
	p := compile(t, net, influences(7)...)
	sol, err := p.Solve(n)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "seven statements", sol.Theta, maximize(compile(t, net, monotone()), n), isotonicTol)
	for i := range 7 {
		s := constraint.Influence{Parent: fmt.Sprintf("P%d", i), Child: "X"}
		if miss := dominance(t, net, s).miss(sol.Theta); !(miss <= 1e-9) {
			t.Errorf("%q is missed by %v", s, miss)
		}
	}
	for _, part := range sol.Parts {
		if !part.Global || !(part.Gap <= 1e-6*total(n)) {
			t.Errorf("%v", part)
		}
	}
}

// influences of each of the parents of rising.
func influences(parents int) []constraint.Constraint {
	list := make([]constraint.Constraint, parents)
	for i := range list {
		list[i] = constraint.Influence{Parent: fmt.Sprintf("P%d", i), Child: "X"}
	}
	return list
}

// task has a child X of three states with the parents A, of three states, and B.
func task(t testing.TB) *bn.Network {
	return network(t, "[A][B][X|A:B]", bn.Discrete("A", "0", "1", "2"), bn.Discrete("B", "off", "on"),
		bn.Discrete("X", "a", "b", "c"))
}

// With B=off, P(X ≥ b) is .4, .7, .5 and P(X ≥ c) is .1, .3, .5: only the second pair of
// P(X ≥ b) is out of order, by .2. With B=on they are .6, .5, .2 and .3, .2, .2; out of order
// are .1 + .3 + .4 and, with an equality, .1 + 0 + .1.
func TestViolationByHand(t *testing.T) {
	net := task(t)
	if err := net.SetTable("X", `A B | a b c
		0 off | 0.6 0.3 0.1
		1 off | 0.3 0.4 0.3
		2 off | 0.5 0   0.5
		0 on  | 0.4 0.3 0.3
		1 on  | 0.5 0.3 0.2
		2 on  | 0.8 0   0.2`); err != nil {
		t.Fatal(err)
	}
	off, on := bn.Given{"B": "off"}, bn.Given{"B": "on"}
	for _, tt := range []struct {
		s    constraint.Influence
		want float64
	}{
		{constraint.Influence{Parent: "A", Child: "X", Given: off}, 0.2},
		{constraint.Influence{Parent: "A", Child: "X", Given: on}, 1},
		{constraint.Influence{Parent: "A", Child: "X"}, 1.2},
		{constraint.Influence{Parent: "A", Child: "X", Given: on, Sign: constraint.Negative}, 0},
		{constraint.Influence{Parent: "A", Child: "X", Given: off, Sign: constraint.Negative}, 0.3 + 0.1 + 0.2 + 0.4 +
			0.2},
		{constraint.Influence{Parent: "B", Child: "X", Given: bn.Given{"A": "2"}}, 0.3 + 0.3},
	} {
		got, err := tt.s.Violation(net)
		if err != nil {
			t.Fatal(err)
		}
		if !numtest.Close(t, got, tt.want, 1e-12, 0) {
			t.Errorf("violation of %q", tt.s)
		}
	}
	// With B=off the rows 1 and 2 ought to be exchanged above a: row 1 has too much of b and
	// c, row 2 too little.
	got := make([]float64, net.Layout().Len())
	if err := (constraint.Influence{Parent: "A", Child: "X", Given: off}).Gradient(got, net); err != nil {
		t.Fatal(err)
	}
	want := make([]float64, len(got))
	row1, _ := net.Layout().Row(2, 2)
	row2, _ := net.Layout().Row(2, 4)
	want[row1+1], want[row1+2], want[row2+1], want[row2+2] = 1, 1, -1, -1
	near(t, "gradient", got, want, 0)

	// What holds with equality is not broken.
	s := constraint.Influence{Parent: "A", Child: "X"}
	if err := s.Gradient(got, task(t)); err != nil {
		t.Fatal(err)
	}
	near(t, "gradient where all rows are equal", got, make([]float64, len(got)), 0)
}

// The derivatives of the violation are finite differences of it where no inequality is
// near equality, and the violation of an estimate under the statement is nothing.
func TestGradientOfViolation(t *testing.T) {
	rng := rand.New(rand.NewPCG(75, 0))
	net := task(t)
	lo, hi := net.Layout().Family(2)
	for _, s := range []constraint.Influence{
		{Parent: "A", Child: "X"},
		{Parent: "A", Child: "X", Sign: constraint.Negative, Given: bn.Given{"B": "on"}},
		{Parent: "B", Child: "X", Sign: constraint.Negative},
	} {
		for range 5 {
			x := make([]float64, hi-lo)
			for i := 0; i < len(x); i += 3 {
				a, b := 0.1+0.3*rng.Float64(), 0.1+0.3*rng.Float64()
				x[i], x[i+1], x[i+2] = a, b, 1-a-b
			}
			violation := func(x []float64) float64 {
				copy(net.CPT(2).P, x)
				v, err := s.Violation(net)
				if err != nil {
					t.Fatal(err)
				}
				return v
			}
			// The function is linear between kinks; the step is within what rows may be off 1.
			want := fd.Gradient(nil, violation, x, &fd.Settings{Formula: fd.Central, Step: 2e-7})
			copy(net.CPT(2).P, x)
			got := make([]float64, net.Layout().Len())
			got[0] = 7 // of another family: nothing of what was there stays
			if err := s.Gradient(got, net); err != nil {
				t.Fatal(err)
			}
			near(t, s.String(), got[lo:hi], want, 1e-6)
			near(t, "other families", got[:lo], make([]float64, lo), 0)
		}
		n := make([]float64, net.Layout().Len())
		for i := range n {
			n[i] = float64(rng.IntN(9))
		}
		copy(net.CPT(2).P, maximize(compile(t, net, s), n)[lo:hi])
		if v, err := s.Violation(net); err != nil || !(v <= 1e-8) {
			t.Errorf("the estimate under %q has the violation %v (%v)", s, v, err)
		}
	}
}

// The largest violation of an influence is q(b−1)⌊a²/4⌋ for q contexts, b states of the child
// and a of the parent: half of the rows certain of the last state, half of the first.
func TestLargestViolation(t *testing.T) {
	net := network(t, "[A][B][X|A:B]", bn.Discrete("A", spell("a", 5)...), bn.Discrete("B", spell("b", 3)...),
		bn.Discrete("X", spell("x", 4)...))
	x := net.CPT(2)
	clear(x.P)
	for config := range x.Configs().Len() {
		if x.Configs().States(nil, config)[0] < 2 {
			x.Row(config)[3] = 1
		} else {
			x.Row(config)[0] = 1
		}
	}
	got, err := constraint.Influence{Parent: "A", Child: "X"}.Violation(net)
	if err != nil || got != 3*3*6 {
		t.Errorf("violation %v (%v), want %v", got, err, 3*3*6)
	}
}

func TestInfluenceSentencesAndFiles(t *testing.T) {
	on := bn.Given{"B": "on"}
	for _, tt := range []struct {
		s              constraint.Influence
		sentence, file string
	}{
		{constraint.Influence{Parent: "A", Child: "X"}, "higher states of A make higher states of X more likely",
			`[{"type":"influence","statement":{"Parent":"A","Child":"X","Sign":"positive"}}]`},
		{constraint.Influence{Parent: "A", Child: "X", Sign: constraint.Negative, Given: on},
			"higher states of A make lower states of X more likely wherever B=on",
			`[{"type":"influence","statement":{"Parent":"A","Child":"X","Sign":"negative","Given":{"B":"on"}}}]`},
	} {
		if got := tt.s.String(); got != tt.sentence {
			t.Errorf("it prints %q, want %q", got, tt.sentence)
		}
		want := []constraint.Constraint{tt.s}
		b, err := constraint.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		if string(b) != tt.file {
			t.Errorf("written as %s, want %s", b, tt.file)
		}
		if got, err := constraint.Unmarshal(b); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("read back as %v (%v), want %v", got, err, want)
		}
		if got, _ := constraint.Describe(nil, &tt.s); got != "qualitative influence (W00)" {
			t.Errorf("class %q", got)
		}
		bounds, err := tt.s.Bind(task(t))
		if err != nil {
			t.Fatal(err)
		}
		for _, bound := range bounds {
			checkBound(t, task(t), tt.s, bound)
			if len(bound.Links) != 3 || len(bound.AtMost) != 4 {
				t.Errorf("a bound of %d rows and %d inequalities, want 3 and 4", len(bound.Links), len(bound.AtMost))
			}
		}
		if want := 2 - len(tt.s.Given); len(bounds) != want {
			t.Errorf("%d bounds, want %d", len(bounds), want)
		}
	}
	if _, err := constraint.Marshal([]constraint.Constraint{constraint.Influence{Sign: 7}}); err == nil ||
		!strings.Contains(err.Error(), "unknown sign 7") {
		t.Errorf("writing an unknown sign: %v", err)
	}
	if _, err := constraint.Unmarshal([]byte(`[{"type":"influence","statement":{"Sign":"up"}}]`)); err == nil ||
		!strings.Contains(err.Error(), `unknown sign "up"`) {
		t.Errorf("reading an unknown sign: %v", err)
	}
}

func TestInfluenceErrors(t *testing.T) {
	net := network(t, "[A][B][One][X|A:B:One][Y][C]", bn.Discrete("A", "0", "1"), bn.Discrete("B", "off", "on"),
		bn.Discrete("One", "only"),
		bn.Discrete("X", "a", "b"), bn.Discrete("Y", "0", "1"), bn.Continuous("C"))
	for _, tt := range []struct {
		name string
		s    constraint.Influence
		is   error
		says string
	}{
		{"no parent named", constraint.Influence{Child: "X"}, nil, "name the Parent"},
		{"no child named", constraint.Influence{Parent: "A"}, nil, "and the Child"},
		{"unknown parent", constraint.Influence{Parent: "Z", Child: "X"}, bn.ErrUnknownVariable, `"Z"`},
		{"unknown child", constraint.Influence{Parent: "A", Child: "Z"}, bn.ErrUnknownVariable, `"Z"`},
		{"no arc", constraint.Influence{Parent: "Y", Child: "X"}, nil, `"Y" is no parent of "X" (parents: A, B, One)`},
		{"no parents at all", constraint.Influence{Parent: "X", Child: "A"}, nil,
			`"X" is no parent of "A" (parents: none)`},
		{"itself", constraint.Influence{Parent: "X", Child: "X"}, nil, "itself"},
		{"continuous child", constraint.Influence{Parent: "A", Child: "C"}, bn.ErrNotDiscrete, `"C"`},
		{"continuous parent", constraint.Influence{Parent: "C", Child: "X"}, nil, "no parent"},
		{"given the parent", constraint.Influence{Parent: "A", Child: "X", Given: bn.Given{"A": "0"}}, nil,
			"leave it out of Given"},
		{"given a stranger", constraint.Influence{Parent: "A", Child: "X", Given: bn.Given{"Y": "0"}},
			bn.ErrUnknownVariable, `no parent of "X"`},
		{"given an unknown state", constraint.Influence{Parent: "A", Child: "X", Given: bn.Given{"B": "blue"}},
			bn.ErrUnknownState, "blue"},
		{"unknown sign", constraint.Influence{Parent: "A", Child: "X", Sign: 2}, nil, "unknown sign 2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, bind := tt.s.Bind(net)
			_, violation := tt.s.Violation(net)
			gradient := tt.s.Gradient(make([]float64, net.Layout().Len()), net)
			for _, err := range []error{bind, violation, gradient} {
				if err == nil || !strings.Contains(err.Error(), tt.says) || tt.is != nil && !errors.Is(err, tt.is) {
					t.Errorf("the error is %v", err)
				}
			}
		})
	}
	if bounds, err := (constraint.Influence{Parent: "One", Child: "X"}).Bind(net); err != nil || len(bounds) != 0 {
		t.Errorf("a parent of one state: %v, %v", bounds, err)
	}
	net.CPT(3).P[0] = math.NaN()
	s := constraint.Influence{Parent: "A", Child: "X"}
	if _, err := s.Violation(net); err == nil {
		t.Error("the violation of a table that is none")
	}
	if err := s.Gradient(make([]float64, net.Layout().Len()), net); err == nil {
		t.Error("the gradient at a table that is none")
	}
}

// BenchmarkInfluence: seven influences on 128 distributions of five states, bound and
// compiled, and the violation of a table with its gradient.
func BenchmarkInfluence(b *testing.B) {
	net, _ := rising(b, rand.New(rand.NewPCG(76, 0)), 7)
	statements := influences(7)
	b.Run("compile", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			compile(b, net, statements...)
		}
	})
	rng := rand.New(rand.NewPCG(77, 0))
	x := net.CPT(7)
	for config := range x.Configs().Len() {
		row, sum := x.Row(config), 0.0
		for i := range row {
			row[i] = rng.Float64()
			sum += row[i]
		}
		for i := range row {
			row[i] /= sum
		}
	}
	dst := make([]float64, net.Layout().Len())
	s := statements[0].(constraint.Influence)
	b.Run("violation", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := s.Violation(net); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("gradient", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := s.Gradient(dst, net); err != nil {
				b.Fatal(err)
			}
		}
	})
}
