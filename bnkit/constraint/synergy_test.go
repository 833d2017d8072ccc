package constraint_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/numtest"
)

func ExampleSynergy() {
	net, err := bn.New("[pressure][cholesterol][attack|pressure:cholesterol]",
		bn.Discrete("pressure", "low", "high"), bn.Discrete("cholesterol", "low", "high"),
		bn.Discrete("attack", "no", "yes"))
	if err != nil {
		fmt.Println(err)
		return
	}
	both := constraint.Synergy{Parents: []string{"pressure", "cholesterol"}, Child: "attack"}
	problem, err := constraint.Compile(net, both,
		constraint.Influence{Parent: "pressure", Child: "attack"}, constraint.Influence{Parent: "cholesterol",
			Child: "attack"})
	if err != nil {
		fmt.Println(err)
		return
	}
	counts := []float64{0, 0, 0, 0, 90, 10, 60, 40, 80, 20, 60, 40}
	theta := make([]float64, len(counts))
	if err := problem.Maximize(theta, counts); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(both)
	fmt.Printf("P(attack=yes) %.3f, %.3f, %.3f, %.3f\n", theta[5], theta[7], theta[9], theta[11])
	fmt.Printf("pressure adds %.3f, with cholesterol high %.3f\n", theta[9]-theta[5], theta[11]-theta[7])
	// Output:
	// pressure and cholesterol together make higher states of attack more likely than their effects add up to
	// P(attack=yes) 0.114, 0.368, 0.180, 0.434
	// pressure adds 0.066, with cholesterol high 0.066
}

// qualitatively writes out from the names what influences and synergies say, with F the probability of the
// first k states of the child: Y13 Eq. 2 and 5 with margins.
func qualitatively(t testing.TB, net *bn.Network, statements ...constraint.Constraint) said {
	t.Helper()
	r := &reader{t: t, net: net, layout: net.Layout()}
	states := func(name string) []string {
		v, err := net.Index(name)
		if err != nil {
			t.Fatal(err)
		}
		return net.Variable(v).States
	}
	for _, s := range statements {
		switch s := s.(type) {
		case constraint.Influence:
			p, x := states(s.Parent), states(s.Child)
			for m := range p[1:] {
				low, high := r.where(s.Child, with(s.Given, s.Parent, p[m])),
					r.where(s.Child, with(s.Given, s.Parent, p[m+1]))
				if s.Sign == constraint.Negative {
					low, high = high, low
				}
				for n := range low {
					for k := 1; k < len(x); k++ {
						r.say(-s.Margin, true, 1.0, r.row(s.Child, x[:k], high[n]), -1.0, r.row(s.Child, x[:k], low[n]))
					}
				}
			}
		case constraint.Synergy:
			x := states(s.Child)
			for a, first := range s.Parents {
				for _, second := range s.Parents[a+1:] {
					p, q := states(first), states(second)
					for i := range p[1:] {
						for j := range q[1:] {
							at := func(i, j int) []int {
								return r.where(s.Child, with(with(s.Given, first, p[i]), second, q[j]))
							}
							f := [4][]int{at(i, j), at(i+1, j+1), at(i+1, j), at(i, j+1)}
							sign := 1.0
							if s.Sub {
								sign = -1
							}
							for n := range f[0] {
								for k := 1; k < len(x); k++ {
									row := func(c int) []int { return r.row(s.Child, x[:k], f[c][n]) }
									r.say(-s.Margin, true, sign, row(0), sign, row(1), -sign, row(2), -sign, row(3))
								}
							}
						}
					}
				}
			}
		default:
			t.Fatalf("no meaning is written for %T", s)
		}
	}
	return r.said
}

// Y13 Table 1: two ternary parents X1, X2 of a binary Y. Misprint: the right side of its third row
// repeats the left; by Eq. 5 it is P(Y=0 | x1³, x2¹) + P(Y=0 | x1², x2²).
func TestTable1(t *testing.T) {
	net := network(t, "[X1][X2][Y|X1:X2]", bn.Discrete("X1", "1", "2", "3"), bn.Discrete("X2", "1", "2", "3"),
		bn.Discrete("Y", "0", "1"))
	table := [][4][2]int{
		{{1, 1}, {2, 2}, {1, 2}, {2, 1}},
		{{1, 2}, {2, 3}, {1, 3}, {2, 2}},
		{{2, 1}, {3, 2}, {3, 1}, {2, 2}},
		{{2, 2}, {3, 3}, {2, 3}, {3, 2}},
	}
	bounds, err := constraint.Synergy{Parents: []string{"X1", "X2"}, Child: "Y"}.Bind(net)
	if err != nil || len(bounds) != 1 || len(bounds[0].AtMost) != len(table) {
		t.Fatalf("bounds %v (%v), want one of %d inequalities", bounds, err, len(table))
	}
	rng := rand.New(rand.NewPCG(92, 0))
	for range 5 {
		theta := make([]float64, net.Layout().Len())
		p0 := func(x [2]int) float64 { return theta[net.Layout().Cell(2, 3*(x[0]-1)+x[1]-1, 0)] }
		for config := range 9 {
			at := net.Layout().Cell(2, config, 0)
			theta[at] = rng.Float64()
			theta[at+1] = 1 - theta[at]
		}
		var got, want []float64
		for i, row := range table {
			want = append(want, p0(row[0])+p0(row[1])-p0(row[2])-p0(row[3]))
			l := bounds[0].AtMost[i]
			at := -l.Value
			for k, cell := range l.Cells {
				at += l.Coef[k] * theta[cell]
			}
			got = append(got, at)
		}
		near(t, "left side less right side", got, want, 1e-15)
	}
}

// sets are statements that hold together, by the parents A of three states, B and C.
var sets = []struct {
	name       string
	statements []constraint.Constraint
}{
	{"a synergy alone", []constraint.Constraint{constraint.Synergy{Parents: []string{"A", "B"}, Child: "X"}}},
	{"a sub-synergy in a context", []constraint.Constraint{constraint.Synergy{Parents: []string{"A", "B"}, Child: "X",
		Sub: true, Given: bn.Given{"C": "c1"}}}},
	{"rising, in synergy", []constraint.Constraint{
		constraint.Influence{Parent: "A", Child: "X"}, constraint.Influence{Parent: "B", Child: "X"},
		constraint.Influence{Parent: "C", Child: "X"},
		constraint.Synergy{Parents: []string{"A", "B"}, Child: "X"},
	}},
	{"falling, in sub-synergy of three", []constraint.Constraint{
		constraint.Influence{Parent: "A", Child: "X", Sign: constraint.Negative},
		constraint.Influence{Parent: "B", Child: "X", Sign: constraint.Negative},
		constraint.Synergy{Parents: []string{"C", "B", "A"}, Child: "X", Sub: true},
	}},
	{"in synergy here, in sub-synergy there", []constraint.Constraint{
		constraint.Influence{Parent: "B", Child: "X"}, constraint.Influence{Parent: "C", Child: "X"},
		constraint.Synergy{Parents: []string{"A", "B"}, Child: "X"}, constraint.Synergy{Parents: []string{"C", "B"},
			Child: "X", Sub: true},
	}},
	{"influences with margins", []constraint.Constraint{
		constraint.Influence{Parent: "A", Child: "X", Margin: 0.1}, constraint.Influence{Parent: "B", Child: "X",
			Sign: constraint.Negative, Margin: 0.03},
	}},
	{"all with margins", []constraint.Constraint{
		constraint.Influence{Parent: "A", Child: "X", Margin: 0.05}, constraint.Influence{Parent: "B", Child: "X",
			Margin: 0.1},
		constraint.Synergy{Parents: []string{"A", "B"}, Child: "X", Margin: 0.02},
		constraint.Influence{Parent: "C", Child: "X", Margin: 0.01, Given: bn.Given{"A": "a1"}},
	}},
}

func setNet(t testing.TB, states int) *bn.Network {
	return network(t, "[A][B][C][X|A:B:C]", bn.Discrete("A", spell("a", 3)...), bn.Discrete("B", spell("b", 2)...),
		bn.Discrete("C", spell("c", 2)...), bn.Discrete("X", spell("x", states)...))
}

// Estimates satisfy what is written out, and a dual bound that is found without the solver proves them.
func TestSynergyIsCertified(t *testing.T) {
	rng := rand.New(rand.NewPCG(93, 0))
	for _, tt := range sets {
		for states := 2; states <= 4; states++ {
			t.Run(fmt.Sprint(tt.name, ", ", states), func(t *testing.T) {
				rounds := 5 - states
				if !numtest.Full() { // the bound takes long to find
					rounds = min(1, 4-states)
				}
				net := setNet(t, states)
				s := qualitatively(t, net, tt.statements...)
				p := compile(t, net, tt.statements...)
				for range rounds {
					n := make([]float64, net.Layout().Len())
					for i := range n {
						n[i] = float64(max(0, rng.IntN(15)-4))
					}
					solution, err := p.Solve(n)
					if err != nil {
						t.Fatal(err)
					}
					if miss := s.miss(solution.Theta); !(miss <= 1e-9) {
						t.Errorf("an inequality is missed by %v", miss)
					}
					for _, part := range solution.Parts {
						if !part.Global {
							t.Errorf("not certified: %v", part)
						}
					}
					optimal(t, net, s, n, solution.Theta)
				}
			})
		}
	}
}

// Points that are made to satisfy rising influences and a synergy, and mixtures of them with
// the estimate, are no better: P(X ≥ m | x) = c_m Σ w Π h(x) over products of increasing functions h of some
// parents, each of which is supermodular.
func TestNoFeasiblePointIsBetter(t *testing.T) {
	rng := rand.New(rand.NewPCG(94, 0))
	for states := 2; states <= 4; states++ {
		net := setNet(t, states)
		all := []string{"A", "B", "C"}
		statements := []constraint.Constraint{constraint.Synergy{Parents: all, Child: "X"}}
		for _, parent := range all {
			statements = append(statements, constraint.Influence{Parent: parent, Child: "X"})
		}
		s := qualitatively(t, net, statements...)
		p := compile(t, net, statements...)
		x := net.CPT(3)
		point := func() []float64 {
			theta := maximize(compile(t, net), make([]float64, net.Layout().Len()))
			value := make([]float64, x.Configs().Len())
			left := 1.0
			for subset := range 8 {
				w := left * rng.Float64()
				left -= w
				var h [3][]float64
				for v, parent := range x.Parents {
					h[v] = make([]float64, parent.Cardinality())
					for i := range h[v] {
						h[v][i] = 1
						if subset>>v&1 == 1 {
							h[v][i] = float64(i) / float64(len(h[v])-1) * rng.Float64()
							if i > 0 {
								h[v][i] = max(h[v][i], h[v][i-1])
							}
						}
					}
				}
				for config := range value {
					at := x.Configs().States(nil, config)
					value[config] += w * h[0][at[0]] * h[1][at[1]] * h[2][at[2]]
				}
			}
			for config, v := range value {
				lo, _ := net.Layout().Row(3, config)
				above := 1.0
				for k := range states {
					next := v * float64(states-1-k) / float64(states-1) // P(X > k)
					theta[lo+k] = above - next
					above = next
				}
			}
			return theta
		}
		for range 3 {
			n := make([]float64, net.Layout().Len())
			for i := range n {
				n[i] = float64(1 + rng.IntN(9))
			}
			best := maximize(p, n)
			for range 200 {
				other := point()
				if miss := s.miss(other); !(miss <= 1e-12) {
					t.Fatalf("the point is not feasible: %v", miss)
				}
				for _, share := range []float64{1, 0.1, 1e-3} {
					mixed := make([]float64, len(best))
					for i := range mixed {
						mixed[i] = (1-share)*best[i] + share*other[i]
					}
					if objective(n, mixed) > objective(n, best)+1e-9*total(n) {
						t.Fatalf("%d states: a feasible point is better by %v", states,
							objective(n, mixed)-objective(n, best))
					}
				}
			}
		}
	}
}

// Listing the states of both parents the other way round leaves a synergy as it is; that of one makes a
// sub-synergy of it.
func TestSynergyHasNoSign(t *testing.T) {
	rng := rand.New(rand.NewPCG(95, 0))
	turned := func(a, b bool) *bn.Network {
		states := func(letter string, n int, turned bool) []string {
			list := spell(letter, n)
			if turned {
				for i := range n / 2 {
					list[i], list[n-1-i] = list[n-1-i], list[i]
				}
			}
			return list
		}
		return network(t, "[A][B][C][X|A:B:C]", bn.Discrete("A", states("a", 3, a)...),
			bn.Discrete("B", states("b", 2, b)...),
			bn.Discrete("C", spell("c", 2)...), bn.Discrete("X", spell("x", 3)...))
	}
	net := turned(false, false)
	s := constraint.Synergy{Parents: []string{"A", "B"}, Child: "X", Margin: 0.05}
	sub := s
	sub.Sub = true
	for range 5 {
		n := make([]float64, net.Layout().Len())
		for i := range n {
			n[i] = float64(1 + rng.IntN(30))
		}
		want := maximize(compile(t, net, s), n)
		for _, tt := range []struct {
			a, b bool
			s    constraint.Synergy
		}{{true, true, s}, {true, false, sub}, {false, true, sub}} {
			other := turned(tt.a, tt.b)
			got := maximize(compile(t, other, tt.s), byName(t, net, other, n))
			near(t, fmt.Sprint(tt.s), byName(t, other, net, got), want, 1e-7)
		}
	}
}

func TestSynergySentencesAndFiles(t *testing.T) {
	for _, tt := range []struct {
		s              constraint.Constraint
		sentence, file string
	}{
		{constraint.Synergy{Parents: []string{"A", "B"}, Child: "X"},
			"A and B together make higher states of X more likely than their effects add up to",
			`[{"type":"synergy","statement":{"Parents":["A","B"],"Child":"X"}}]`},
		{constraint.Synergy{Parents: []string{"A", "B", "C"}, Child: "X", Sub: true, Margin: 0.05},
			"every two of A, B and C together make higher states of X less likely than their effects add up to, by " +
				"0.05 at least",
			`[{"type":"synergy","statement":{"Parents":["A","B","C"],"Child":"X","Sub":true,"Margin":0.05}}]`},
		{constraint.Synergy{Parents: []string{"A", "B"}, Child: "X", Margin: 0.1, Given: bn.Given{"C": "c0"}},
			"A and B together make higher states of X more likely than their effects add up to, by 0.1 at least, " +
				"wherever C=c0",
			`[{"type":"synergy","statement":{"Parents":["A","B"],"Child":"X","Margin":0.1,"Given":{"C":"c0"}}}]`},
		{constraint.Influence{Parent: "A", Child: "X", Margin: 0.1, Sign: constraint.Negative,
			Given: bn.Given{"C": "c0"}},
			"higher states of A make lower states of X more likely, by 0.1 at least, wherever C=c0",
			`[{"type":"influence","statement":{"Parent":"A","Child":"X","Sign":"negative","Margin":0.1,"Given":{"C":"c0"}}}]`},
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
		bounds, err := tt.s.Bind(setNet(t, 3))
		if err != nil {
			t.Fatal(err)
		}
		for _, bound := range bounds {
			checkBound(t, setNet(t, 3), tt.s, bound)
		}
	}
	if got, _ := constraint.Describe(nil, &constraint.Synergy{}); got != "qualitative synergy (Y13)" {
		t.Errorf("class %q", got)
	}
}

func TestSynergyErrors(t *testing.T) {
	net := network(t, "[A][B][One][X|A:B:One][Y][C]", bn.Discrete("A", "0", "1"), bn.Discrete("B", "off", "on"),
		bn.Discrete("One", "only"),
		bn.Discrete("X", "a", "b"), bn.Discrete("Y", "0", "1"), bn.Continuous("C"))
	ab := []string{"A", "B"}
	for _, tt := range []struct {
		name string
		s    constraint.Constraint
		says string
	}{
		{"no child", constraint.Synergy{Parents: ab}, "name the Child"},
		{"no parents", constraint.Synergy{Child: "X"}, "it names 0 parents; name two at least"},
		{"one parent", constraint.Synergy{Parents: ab[:1], Child: "X"}, "it names 1 parents; name two at least"},
		{"one twice", constraint.Synergy{Parents: []string{"A", "B", "A"}, Child: "X"}, `it names "A" twice`},
		{"no arc", constraint.Synergy{Parents: []string{"A", "Y"}, Child: "X"},
			`"Y" is no parent of "X" (parents: A, B, One)`},
		{"an unknown parent", constraint.Synergy{Parents: []string{"A", "Z"}, Child: "X"}, `"Z"`},
		{"the child", constraint.Synergy{Parents: []string{"A", "X"}, Child: "X"}, "itself"},
		{"a continuous child", constraint.Synergy{Parents: ab, Child: "C"}, `"C"`},
		{"given a parent", constraint.Synergy{Parents: ab, Child: "X", Given: bn.Given{"B": "on"}},
			"leave it out of Given"},
		{"given a stranger", constraint.Synergy{Parents: ab, Child: "X", Given: bn.Given{"Y": "0"}},
			`no parent of "X"`},
		{"a negative margin", constraint.Synergy{Parents: ab, Child: "X", Margin: -0.1}, "the margin is -0.1"},
		{"a margin above 2", constraint.Synergy{Parents: ab, Child: "X", Margin: 2.1}, "the margin is 2.1"},
		{"a margin above 1", constraint.Influence{Parent: "A", Child: "X", Margin: 1.5}, "the margin is 1.5"},
		{"a margin that is none", constraint.Influence{Parent: "A", Child: "X", Margin: math.NaN()},
			"the margin is NaN"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, bind := tt.s.Bind(net)
			_, penalty := constraint.CompilePenalty(net, tt.s)
			_, margin := constraint.LargestMargin(net, tt.s)
			for _, err := range []error{bind, penalty, margin} {
				if err == nil || !strings.HasPrefix(err.Error(), "constraint: ") ||
					!strings.Contains(err.Error(), tt.says) {
					t.Errorf("the error is %v", err)
				}
			}
		})
	}
	if bounds, err := (constraint.Synergy{Parents: []string{"A", "One"}, Child: "X"}).Bind(net); err != nil ||
		len(bounds) != 0 {
		t.Errorf("a parent of one state: %v, %v", bounds, err)
	}
}

// Parents in synergy have influences of one sign, wherever all that is said meets.
func TestSynergyOfOpposedParents(t *testing.T) {
	net := setNet(t, 2)
	both := constraint.Synergy{Parents: []string{"A", "B"}, Child: "X"}
	up, down := constraint.Influence{Parent: "A", Child: "X"}, constraint.Influence{Parent: "B", Child: "X",
		Sign: constraint.Negative}
	here, there := bn.Given{"C": "c0"}, bn.Given{"C": "c1"}
	for _, tt := range []struct {
		name       string
		statements []constraint.Constraint
		ok         bool
	}{
		{"everywhere", []constraint.Constraint{up, both, down}, false},
		{"pointers", []constraint.Constraint{&up, &both, &down}, false},
		{"in one context", []constraint.Constraint{up, both, constraint.Influence{Parent: "B", Child: "X",
			Sign: constraint.Negative, Given: here}}, false},
		{"both negative", []constraint.Constraint{constraint.Influence{Parent: "A", Child: "X",
			Sign: constraint.Negative}, both, down}, true},
		{"in different contexts", []constraint.Constraint{constraint.Influence{Parent: "A", Child: "X", Given: there},
			both, constraint.Influence{Parent: "B", Child: "X", Sign: constraint.Negative, Given: here}}, true},
		{"where the synergy is not", []constraint.Constraint{constraint.Influence{Parent: "A", Child: "X", Given: here},
			constraint.Influence{Parent: "B", Child: "X", Sign: constraint.Negative, Given: here},
			constraint.Synergy{Parents: []string{"A", "B"}, Child: "X", Given: there}}, true},
		{"of other parents", []constraint.Constraint{up, down, constraint.Synergy{Parents: []string{"C", "B"},
			Child: "X"}}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, hard := constraint.Compile(net, tt.statements...)
			_, soft := constraint.CompileSoft(net, 2, tt.statements...)
			_, penalty := constraint.CompilePenalty(net, tt.statements...)
			for _, err := range []error{hard, soft, penalty} {
				if (err == nil) != tt.ok {
					t.Errorf("the error is %v", err)
				}
				if err != nil && !(strings.Contains(err.Error(), "higher states of A make higher") &&
					strings.Contains(err.Error(), "higher states of B make lower")) {
					t.Errorf("%q does not name both influences", err)
				}
			}
		})
	}
}

// sparse is a random child of some parents under influences and synergies of either kind, with margins up to
// nine tenths of the largest or none, and few counts: of most configurations none.
func sparse(t testing.TB, seed uint64) (*constraint.Problem, []float64) {
	rng := rand.New(rand.NewPCG(98, seed))
	parents, states := 3+rng.IntN(3), 2
	if parents < 5 {
		states += rng.IntN(3)
	}
	model, given := "", ""
	var vars []bn.Variable
	var statements []constraint.Constraint
	sign := constraint.Sign(rng.IntN(2))
	for i := range parents {
		name := fmt.Sprintf("P%d", i)
		vars = append(vars, bn.Discrete(name, spell("s", 2+rng.IntN(2)/(parents-2))...))
		model, given = model+"["+name+"]", given+":"+name
		statements = append(statements, constraint.Influence{Parent: name, Child: "X", Sign: sign})
	}
	for range 1 + rng.IntN(3) {
		pair := rng.Perm(parents)[:2]
		statements = append(statements, constraint.Synergy{Parents: []string{vars[pair[0]].Name, vars[pair[1]].Name},
			Child: "X", Sub: rng.IntN(2) == 0})
	}
	net := network(t, model+"[X|"+given[1:]+"]", append(vars, bn.Discrete("X", spell("x", states)...))...)
	if rng.IntN(2) == 0 {
		margin, err := constraint.LargestMargin(net, statements...)
		if err != nil {
			t.Fatal(err)
		}
		statements = withMargins(0.9*margin*rng.Float64(), statements)
	}
	n := make([]float64, net.Layout().Len())
	lo, hi := net.Layout().Family(parents)
	for i := lo; i < hi; i++ {
		n[i] = float64(rng.IntN(5)) * float64(max(0, rng.IntN(5)-3))
	}
	return compile(t, net, statements...), n
}

// Few counts leave much open, and products of the interior-point method then vanish in rounding. Estimates
// are certified all the same. On the seeds that are listed, of 20000, the method stalls without care.
func TestSynergyOfSparseCounts(t *testing.T) {
	seeds := []uint64{171, 191, 1869, 2101, 5384, 6259, 7446, 11225, 12629, 13096, 16790, 17576, 18154, 18365, 18616,
		18927, 19026, 19096, 19594}
	if numtest.Full() {
		for seed := range uint64(100) {
			seeds = append(seeds, seed)
		}
	}
	for _, seed := range seeds {
		p, n := sparse(t, seed)
		s, err := p.Solve(n)
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
			continue
		}
		if v := p.Violation(s.Theta); !(v <= 1e-9) {
			t.Errorf("seed %d: a statement is missed by %v", seed, v)
		}
		for _, part := range s.Parts {
			if !part.Global {
				t.Errorf("seed %d: %v", seed, part)
			}
		}
	}
}

// As an M-step: from any parameters that satisfy the statements Improve gives what Maximize does.
func TestImproveUnderSynergy(t *testing.T) {
	rng := rand.New(rand.NewPCG(99, 0))
	for _, tt := range sets {
		net := setNet(t, 3)
		p := compile(t, net, tt.statements...)
		n := make([]float64, net.Layout().Len())
		for i := range n {
			n[i] = 20 * rng.Float64()
		}
		from := maximize(p, n)
		for range 3 {
			n = drift(rng, n)
			got := make([]float64, len(n))
			if err := p.Improve(got, n, from); err != nil {
				t.Fatal(err)
			}
			if objective(n, got) < objective(n, from) {
				t.Errorf("%s: the objective falls by %v", tt.name, objective(n, from)-objective(n, got))
			}
			near(t, tt.name, got, maximize(p, n), 1e-5)
			from = got
		}
	}
}
