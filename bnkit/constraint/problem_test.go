package constraint_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

func network(t testing.TB, model string, vars ...bn.Variable) *bn.Network {
	t.Helper()
	net, err := bn.New(model, vars...)
	if err != nil {
		t.Fatal(err)
	}
	return net
}

func compile(t testing.TB, net *bn.Network, statements ...constraint.Constraint) *constraint.Problem {
	t.Helper()
	p, err := constraint.Compile(net, statements...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func maximize(p *constraint.Problem, n []float64) []float64 {
	theta := make([]float64, len(n))
	p.Maximize(theta, n)
	return theta
}

func near(t *testing.T, name string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d entries, want %d", name, len(got), len(want))
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= tol) {
			t.Errorf("%s: entry %d is %v, want %v", name, i, got[i], want[i])
		}
	}
}

var abcd = bn.Discrete("X", "a", "b", "c", "d")

func TestMaximizeByHand(t *testing.T) {
	yx := []bn.Variable{bn.Discrete("Y", "0", "1"), abcd}
	tests := []struct {
		name       string
		model      string
		vars       []bn.Variable
		statements []constraint.Constraint
		n, want    []float64
	}{
		{
			"no statement", "[X]", []bn.Variable{abcd}, nil,
			[]float64{3, 1, 4, 2}, []float64{.3, .1, .4, .2},
		}, {
			// θ = n_group / (k N): 4/(2·10) and 6/(2·10)
			"two groups", "[X]", []bn.Variable{abcd},
			[]constraint.Constraint{constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "b"}, {"c", "d"}}}},
			[]float64{3, 1, 4, 2}, []float64{.2, .2, .3, .3},
		}, {
			"one group, two free states", "[X]", []bn.Variable{abcd},
			[]constraint.Constraint{constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "c"}}}},
			[]float64{3, 1, 4, 2}, []float64{.35, .1, .35, .2},
		}, {
			"two statements on disjoint states", "[X]", []bn.Variable{abcd},
			[]constraint.Constraint{
				constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "b"}}},
				constraint.ShareStates{Var: "X", Groups: [][]string{{"c", "d"}}},
			},
			[]float64{3, 1, 4, 2}, []float64{.2, .2, .3, .3},
		}, {
			"unseen group", "[X]", []bn.Variable{abcd},
			[]constraint.Constraint{constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "b"}}}},
			[]float64{0, 0, 4, 4}, []float64{0, 0, .5, .5},
		}, {
			"no counts", "[X]", []bn.Variable{abcd},
			[]constraint.Constraint{constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "b"}}}},
			[]float64{0, 0, 0, 0}, []float64{.25, .25, .25, .25},
		}, {
			"in one configuration only", "[Y][X|Y]", yx,
			[]constraint.Constraint{constraint.ShareStates{Var: "X", Given: bn.Given{"Y": "1"},
				Groups: [][]string{{"a", "b"}}}},
			[]float64{1, 3, 3, 1, 4, 2, 3, 1, 4, 2}, []float64{.25, .75, .3, .1, .4, .2, .2, .2, .4, .2},
		}, {
			// pooled counts 4, 4, 6, 6 of 20
			"rows equal", "[Y][X|Y]", yx,
			[]constraint.Constraint{constraint.ShareAcross{Var: "X"}},
			[]float64{1, 3, 3, 1, 4, 2, 1, 3, 2, 4}, []float64{.25, .75, .2, .2, .3, .3, .2, .2, .3, .3},
		}, {
			// a: (3+1)/20; M = 4/20; row 0 shares 16/20 as 1:4:2, row 1 as 3:2:4
			"one state across rows", "[Y][X|Y]", yx,
			[]constraint.Constraint{constraint.ShareAcross{Var: "X", Groups: [][]string{{"a"}}}},
			[]float64{1, 3, 3, 1, 4, 2, 1, 3, 2, 4},
			[]float64{.25, .75, .2, .8 / 7, 3.2 / 7, 1.6 / 7, .2, 2.4 / 9, 1.6 / 9, 3.2 / 9},
		}, {
			// θ = (3+1+1+3) / (2·20) in both rows
			"a group of two across rows", "[Y][X|Y]", yx,
			[]constraint.Constraint{constraint.ShareAcross{Var: "X", Groups: [][]string{{"a", "b"}}}},
			[]float64{1, 3, 3, 1, 4, 2, 1, 3, 2, 4},
			[]float64{.25, .75, .2, .2, .4, .2, .2, .2, .2, .4},
		}, {
			"a row without cases is identified by the other", "[Y][X|Y]", yx,
			[]constraint.Constraint{constraint.ShareAcross{Var: "X"}},
			[]float64{0, 10, 0, 0, 0, 0, 1, 3, 2, 4}, []float64{0, 1, .1, .3, .2, .4, .1, .3, .2, .4},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := compile(t, network(t, test.model, test.vars...), test.statements...)
			theta := maximize(p, test.n)
			near(t, "theta", theta, test.want, 1e-15)
			if v := p.Violation(theta); v > 1e-15 {
				t.Errorf("Violation = %v", v)
			}
		})
	}
}

// randomStatement draws sharing statements over a network [Y][Z][X|Y:Z].
func randomStatement(rng *rand.Rand, states []string) constraint.Constraint {
	perm := rng.Perm(len(states))
	var groups [][]string
	for at := 0; at < len(perm)-1; {
		size := 1 + rng.IntN(3)
		var g []string
		for ; size > 0 && at < len(perm); size-- {
			g = append(g, states[perm[at]])
			at++
		}
		groups = append(groups, g)
		if rng.IntN(3) == 0 {
			break
		}
	}
	switch rng.IntN(5) {
	case 4:
		return constraint.ShareAcross{Var: "X", ForEach: []string{"Y"}, Groups: groups}
	case 0:
		return constraint.ShareStates{Var: "X", Groups: groups}
	case 1:
		return constraint.ShareStates{Var: "X", Given: bn.Given{"Y": "1"}, Groups: groups}
	case 2:
		return constraint.ShareAcross{Var: "X", Given: []bn.Given{{"Y": "0"}, {"Y": "2", "Z": "1"}}, Groups: groups}
	}
	return constraint.ShareAcross{Var: "X", Groups: groups}
}

// TestMaximizeIsOptimal certifies random instances by the first-order condition,
// which for a concave problem proves the global optimum: the gradient n/θ has no
// component along any direction that keeps rows summing to 1 and the statements
// true. Those directions come from the singular value decomposition of equations
// written here from the statements' meaning.
func TestMaximizeIsOptimal(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 0))
	for instance := range 100 {
		states := []string{"a", "b", "c", "d", "e", "f"}[:3+rng.IntN(4)]
		net := network(t, "[Y][Z][X|Y:Z]", bn.Discrete("Y", "0", "1", "2"), bn.Discrete("Z", "0", "1"),
			bn.Discrete("X", states...))
		s := randomStatement(rng, states)
		p := compile(t, net, s)
		n := make([]float64, p.Layout().Len())
		for i := range n {
			n[i] = float64(1 + rng.IntN(20))
		}
		theta := maximize(p, n)
		x := net.CPT(2)
		lo, hi := p.Layout().Family(2)
		var equations [][]float64
		add := func(terms map[int]float64) {
			row := make([]float64, hi-lo)
			for cell, a := range terms {
				row[cell] = a
			}
			equations = append(equations, row)
		}
		r := len(states)
		for config := range 6 {
			sum := map[int]float64{}
			for state := range r {
				sum[config*r+state] = 1
			}
			add(sum)
		}
		at := func(config int, state string) int {
			i, err := x.Child.StateIndex(state)
			if err != nil {
				t.Fatal(err)
			}
			return config*r + i
		}
		switch s := s.(type) {
		case constraint.ShareStates:
			for config := range 6 {
				if s.Given != nil && config/2 != 1 {
					continue
				}
				for _, g := range s.Groups {
					for _, state := range g[1:] {
						add(map[int]float64{at(config, g[0]): 1, at(config, state): -1})
					}
				}
			}
		case constraint.ShareAcross:
			parts := [][]int{{0, 1, 2, 3, 4, 5}}
			if s.Given != nil {
				parts = [][]int{{0, 1, 5}}
			}
			if s.ForEach != nil {
				parts = [][]int{{0, 1}, {2, 3}, {4, 5}}
			}
			for _, configs := range parts {
				for _, g := range s.Groups {
					for _, config := range configs {
						for _, state := range g {
							if a, b := at(configs[0], g[0]), at(config, state); a != b {
								add(map[int]float64{a: 1, b: -1})
							}
						}
					}
				}
			}
		}
		a := mat.NewDense(len(equations), hi-lo, nil)
		for i, row := range equations {
			a.SetRow(i, row)
		}
		var svd mat.SVD
		if !svd.Factorize(a, mat.SVDFullV) {
			t.Fatal("no decomposition")
		}
		rank := svd.Rank(1e-10)
		var v mat.Dense
		svd.VTo(&v)
		total := 0.0
		for cell := lo; cell < hi; cell++ {
			total += n[cell]
		}
		for direction := rank; direction < hi-lo; direction++ {
			slope := 0.0
			for cell := range hi - lo {
				slope += v.At(cell, direction) * n[lo+cell] / theta[lo+cell]
			}
			if math.Abs(slope) > 1e-10*total {
				t.Fatalf("instance %d, %s: slope %v along a feasible direction", instance, s, slope)
			}
		}
		for i, row := range equations {
			residual := 0.0
			for cell, c := range row {
				residual += c * theta[lo+cell]
			}
			if i < 6 {
				residual--
			}
			if math.Abs(residual) > 1e-14 {
				t.Fatalf("instance %d, %s: equation %d is off by %v", instance, s, i, residual)
			}
		}
	}
}

func objective(n, theta []float64) float64 {
	total := 0.0
	for i := range n {
		if n[i] > 0 {
			total += n[i] * math.Log(theta[i])
		}
	}
	return total
}

func TestLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	states := []string{"a", "b", "c", "d", "e"}
	vars := []bn.Variable{bn.Discrete("Y", "0", "1", "2"), bn.Discrete("Z", "0", "1"), bn.Discrete("X", states...)}
	net := network(t, "[Y][Z][X|Y:Z]", vars...)
	for range 50 {
		s := randomStatement(rng, states)
		p, free := compile(t, net, s), compile(t, net)
		n := make([]float64, p.Layout().Len())
		for i := range n {
			n[i] = float64(rng.IntN(6))
		}
		theta := maximize(p, n)
		if under, plain := objective(n, theta), objective(n, maximize(free, n)); under > plain+1e-9 {
			t.Fatalf("%s raises the likelihood from %v to %v", s, plain, under)
		}
		again := maximize(p, theta)
		near(t, "a satisfied statement changes nothing", maximize(free, theta), theta, 1e-12)
		near(t, "the estimate from itself", again, theta, 1e-12)

		// Renaming: X's states in reverse order permute the answer.
		reversed := []string{"e", "d", "c", "b", "a"}
		other := network(t, "[Y][Z][X|Y:Z]", vars[0], vars[1], bn.Discrete("X", reversed...))
		m := append([]float64(nil), n...)
		lo, hi := p.Layout().Family(2)
		for cell := lo; cell < hi; cell++ {
			m[lo+(cell-lo)/5*5+4-(cell-lo)%5] = n[cell]
		}
		permuted := maximize(compile(t, other, s), m)
		for cell := lo; cell < hi; cell++ {
			if got := permuted[lo+(cell-lo)/5*5+4-(cell-lo)%5]; math.Abs(got-theta[cell]) > 1e-14 {
				t.Fatalf("%s: permuting states changes %v to %v", s, theta[cell], got)
			}
		}
	}
}

// One virtual case in each cell is N06's constrained Dirichlet count k+1, and the
// estimate is the average of the free estimate within each group.
func TestPriorMeaning(t *testing.T) {
	net := network(t, "[X]", bn.Discrete("X", "a", "b", "c", "d", "e"))
	groups := [][]string{{"a", "c", "e"}, {"b"}}
	n := []float64{7, 0, 2, 5, 1}
	ones := []float64{1, 1, 1, 1, 1}
	effective := func(s ...constraint.Constraint) []float64 {
		p := compile(t, net, s...)
		m := append([]float64(nil), n...)
		if err := p.AddPrior(m, ones); err != nil {
			t.Fatal(err)
		}
		return maximize(p, m)
	}
	perCell := effective(constraint.ShareStates{Var: "X", Groups: groups})
	perParameter := effective(constraint.ShareStates{Var: "X", Groups: groups, Alpha: []float64{4, 2}})
	free := effective()
	average := (free[0] + free[2] + free[4]) / 3
	near(t, "per cell", perCell, []float64{average, free[1], average, free[3], average}, 1e-15)
	near(t, "per parameter", perParameter, perCell, 1e-15)
	near(t, "by hand", perCell, []float64{13. / 60, 1. / 20, 13. / 60, 6. / 20, 13. / 60}, 1e-15)

	p := compile(t, net, constraint.ShareStates{Var: "X", Groups: groups, Alpha: []float64{4, 0.5}})
	m := append([]float64(nil), n...)
	if err := p.AddPrior(m, ones); !errors.Is(err, constraint.ErrNoMode) || !strings.Contains(err.Error(), "P(X=b)") {
		t.Errorf("AddPrior with a count below 1 for an unseen state = %v, want ErrNoMode that names X=b", err)
	}
}

// Two statements that make distributions equal and meet in some of them: equality passes
// from one to the next, so all six rows that they link are one.
func TestEqualityIsTransitive(t *testing.T) {
	net := network(t, "[Y][Z][X|Y:Z]", bn.Discrete("Y", "0", "1", "2"), bn.Discrete("Z", "0", "1"),
		bn.Discrete("X", "a", "b"))
	low := constraint.ShareAcross{Var: "X", ForEach: []string{"Z"}, Given: []bn.Given{{"Y": "0"}, {"Y": "1"}}}
	noZ := constraint.ShareAcross{Var: "X", ForEach: []string{"Y"}}
	p := compile(t, net, low, noZ)
	n := []float64{1, 1, 1, 1, 1, 1, 2, 0, 0, 5, 1, 1, 3, 4, 6, 2, 1, 2}
	n = n[:p.Layout().Len()]
	theta := maximize(p, n)
	lo, _ := p.Layout().Family(2)
	// rows by Y and Z: counts of a and b in the rows of Y = 0 and 1, then of Y = 2
	x := n[lo:]
	a, b := x[0]+x[2]+x[4]+x[6], x[1]+x[3]+x[5]+x[7]
	c, d := x[8]+x[10], x[9]+x[11]
	one, two := a/(a+b), c/(c+d)
	near(t, "X", theta[lo:], []float64{one, 1 - one, one, 1 - one, one, 1 - one, one, 1 - one, two, 1 - two, two,
		1 - two}, 1e-15)
}

// Twelve parents have 4,096 rows, of which 3 have cases, one of them of one state only.
func TestFlagsAreCounted(t *testing.T) {
	vars := []bn.Variable{bn.Discrete("x", "0", "1")}
	model := "[x|"
	for i := range 12 {
		name := fmt.Sprint("p", i)
		vars = append(vars, bn.Discrete(name, "0", "1"))
		model += name + ":"
	}
	model = strings.TrimSuffix(model, ":") + "]"
	for _, v := range vars[1:] {
		model += "[" + v.Name + "]"
	}
	net := network(t, model, vars...)
	p := compile(t, net)
	n := make([]float64, p.Layout().Len())
	v, err := net.Index("x")
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		n[i] = 1 // the parents
	}
	lo, hi := p.Layout().Family(v)
	clear(n[lo:hi])
	n[lo], n[lo+1], n[lo+4], n[lo+5], n[hi-1] = 1, 2, 3, 1, 5
	kinds := map[bool][]constraint.Flag{}
	for _, f := range p.Flags(maximize(p, n), n) {
		kinds[f.ZeroProbability] = append(kinds[f.ZeroProbability], f)
	}
	open := kinds[false]
	if len(open) != 100 || len(kinds[true]) != 1 || kinds[true][0].More != 0 {
		t.Fatalf("%d flags and %d of zeros, want 100 and 1", len(open), len(kinds[true]))
	}
	all := 0
	for i, f := range open {
		all += 1 + f.More
		if i < 99 && f.More != 0 {
			t.Errorf("flag %d stands for %d more", i, f.More)
		}
	}
	if all != 4096-3 {
		t.Errorf("%d rows are flagged, want 4093", all)
	}
	if s := open[99].String(); !strings.HasSuffix(s, "made uniform (and 3993 more distributions of x)") {
		t.Errorf("the last flag reads %q", s)
	}
	if allocs := testing.AllocsPerRun(3, func() { p.Flags(n, n) }); allocs > 100*100 {
		t.Errorf("%v allocations for 100 flags, of some 50 each", allocs) // 4093 would take 200,000
	}
}

func TestFlags(t *testing.T) {
	net := network(t, "[Y][X|Y]", bn.Discrete("Y", "0", "1"), abcd)
	flags := func(n []float64, s ...constraint.Constraint) string {
		p := compile(t, net, s...)
		var lines []string
		for _, f := range p.Flags(maximize(p, n), n) {
			lines = append(lines, f.String())
		}
		return strings.Join(lines, "\n")
	}
	rowEmpty := []float64{0, 9, 0, 0, 0, 0, 1, 2, 3, 3}
	tests := []struct {
		name string
		got  string
		want []string
	}{
		{"free", flags(rowEmpty), []string{"P(X | Y=0): not identified: no cases", "P(Y): zero probability: 1 of 2"}},
		{"shared across", flags(rowEmpty, constraint.ShareAcross{Var: "X"}), []string{"P(Y): zero"}},
		{"locals open", flags(rowEmpty, constraint.ShareAcross{Var: "X", Groups: [][]string{{"a"}}}),
			[]string{"P(X | Y=0): not identified: no cases to tell b, c, d apart"}},
		{"all empty", flags(make([]float64, 10), constraint.ShareAcross{Var: "X"}),
			[]string{"P(Y): not identified", "P(X | Y=0): not identified", "P(X | Y=1): not identified"}},
	}
	for _, test := range tests {
		for _, want := range test.want {
			if !strings.Contains(test.got, want) {
				t.Errorf("%s: flags\n%s\nlack %q", test.name, test.got, want)
			}
		}
	}
	if got := tests[1].got; strings.Contains(got, "P(X") {
		t.Errorf("sharing identifies the empty row, but: %s", got)
	}
	if got := flags([]float64{5, 4, 1, 1, 2, 1, 1, 2, 3, 3}); got != "" {
		t.Errorf("flags for full counts: %s", got)
	}
}

func TestNoNetwork(t *testing.T) {
	_, err := constraint.Compile(nil)
	_, _, err2 := constraint.BindWeights(nil, constraint.ShareStates{})
	for _, err := range []error{err, err2} {
		if err == nil || !strings.Contains(err.Error(), "no network") {
			t.Errorf("error %v", err)
		}
	}
}

func TestCompileErrors(t *testing.T) {
	net := network(t, "[Y][X|Y]", bn.Discrete("Y", "0", "1", "2"), abcd)
	ab := [][]string{{"a", "b"}}
	tests := []struct {
		name       string
		statements []constraint.Constraint
		is         error
		says       []string
	}{
		{"unknown variable", []constraint.Constraint{constraint.ShareStates{Var: "W", Groups: ab}},
			bn.ErrUnknownVariable, []string{`"W"`, "Y, X"}},
		{"unknown state", []constraint.Constraint{constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "z"}}}},
			bn.ErrUnknownState, []string{`"z"`, "a, b, c, d"}},
		{"state twice", []constraint.Constraint{constraint.ShareStates{Var: "X",
			Groups: [][]string{{"a", "b"}, {"b", "c"}}}}, constraint.ErrOverlap, []string{`"b"`}},
		{"empty group", []constraint.Constraint{constraint.ShareStates{Var: "X", Groups: [][]string{{}}}}, nil,
			[]string{"group 1 is empty"}},
		{"no group", []constraint.Constraint{constraint.ShareStates{Var: "X"}}, nil, []string{"no groups"}},
		{"given a stranger", []constraint.Constraint{constraint.ShareStates{Var: "X", Given: bn.Given{"W": "0"},
			Groups: ab}}, bn.ErrUnknownVariable, []string{"W=0", `"X"`}},
		{"given an unknown state", []constraint.Constraint{constraint.ShareAcross{Var: "X",
			Given: []bn.Given{{"Y": "7"}}}}, bn.ErrUnknownState, []string{`"7"`}},
		{"no configurations", []constraint.Constraint{constraint.ShareAcross{Var: "X", Given: []bn.Given{}}}, nil,
			[]string{"joins no two distributions"}},
		{"one configuration", []constraint.Constraint{constraint.ShareAcross{Var: "X",
			Given: []bn.Given{{"Y": "0"}, {"Y": "0"}}}}, nil, []string{"joins no two distributions", "parents are Y"}},
		{"nothing left open", []constraint.Constraint{constraint.ShareAcross{Var: "X", ForEach: []string{"Y"}}}, nil,
			[]string{"joins no two distributions"}},
		{"for each stranger", []constraint.Constraint{constraint.ShareAcross{Var: "X", ForEach: []string{"W"}}},
			bn.ErrUnknownVariable, []string{`"W"`, "parents: Y"}},
		{"for each twice", []constraint.Constraint{constraint.ShareAcross{Var: "X", ForEach: []string{"Y", "Y"}}},
			bn.ErrDuplicate, []string{`"Y" twice`}},
		{"counts of another number", []constraint.Constraint{constraint.ShareStates{Var: "X", Groups: ab,
			Alpha: []float64{1, 2}}}, nil, []string{"2 Dirichlet counts for 1 groups"}},
		{"count not positive", []constraint.Constraint{constraint.ShareStates{Var: "X", Groups: ab,
			Alpha: []float64{math.NaN()}}}, nil, []string{"NaN"}},
		{"nil", []constraint.Constraint{nil}, nil, []string{"statement 1 is nil"}},
		{"a nil pointer", []constraint.Constraint{(*constraint.ShareStates)(nil)}, nil, []string{"statement 1 is nil"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := constraint.Compile(net, test.statements...)
			if err == nil {
				t.Fatal("no error")
			}
			if test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("%v does not wrap %v", err, test.is)
			}
			for _, want := range test.says {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not say %q", err, want)
				}
			}
		})
	}
	continuous := network(t, "[T]", bn.Continuous("T"))
	if _, err := constraint.Compile(continuous, constraint.ShareStates{Var: "T", Groups: ab}); !errors.Is(err,
		bn.ErrNotDiscrete) {
		t.Errorf("a statement about a continuous variable: %v", err)
	}
}

func TestMarshal(t *testing.T) {
	want := []constraint.Constraint{
		constraint.ShareStates{Var: "X", Given: bn.Given{"Y": "1"}, Groups: [][]string{{"a", "b"}, {"c", "d"}},
			Alpha: []float64{3, 2.5}},
		constraint.ShareAcross{Var: "X", Given: []bn.Given{{"Y": "0"}, {"Y": "1", "Z": "2"}}},
		constraint.ShareAcross{Var: "X"},
	}
	b, err := constraint.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := constraint.Unmarshal(b)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("%d statements, want %d", len(got), len(want))
	}
	again, err := constraint.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	if string(again) != string(b) {
		t.Errorf("read back as %s, want %s", again, b)
	}
	for i := range got {
		if got[i].String() != want[i].String() {
			t.Errorf("statement %d is %q, want %q", i, got[i], want[i])
		}
	}
	for _, bad := range []string{
		`[{"type":"wish","statement":{}}]`,
		`[{"type":"share-states","statement":{"Var":"X","Colour":"red"}}]`,
		`[{"type":"share-states","statement":{"Var":"X"`,
	} {
		if _, err := constraint.Unmarshal([]byte(bad)); err == nil {
			t.Errorf("Unmarshal(%s) has no error", bad)
		}
	}
}

func TestMaximizeDoesNotAllocate(t *testing.T) {
	net := network(t, "[Y][X|Y]", bn.Discrete("Y", "0", "1"), abcd)
	p := compile(t, net, constraint.ShareAcross{Var: "X", Groups: [][]string{{"a"}}})
	n := []float64{1, 3, 3, 1, 4, 2, 1, 3, 2, 4}
	theta := make([]float64, len(n))
	if got := testing.AllocsPerRun(100, func() { p.Maximize(theta, n) }); got != 0 {
		t.Errorf("%v allocations", got)
	}
}

func BenchmarkMaximize(b *testing.B) {
	states := make([]string, 50)
	for i := range states {
		states[i] = string(rune('A' + i))
	}
	net := network(b, "[X]", bn.Discrete("X", states...))
	p := compile(b, net, constraint.ShareStates{Var: "X", Groups: [][]string{states[:5], states[5:9], states[9:20]}})
	n := make([]float64, 50)
	for i := range n {
		n[i] = float64(i)
	}
	theta := make([]float64, 50)
	b.ReportAllocs()
	for b.Loop() {
		p.Maximize(theta, n)
	}
}

// What statements make zero has no prior, whether they say so or it follows.
func TestImpossible(t *testing.T) {
	net := network(t, "[X]", abcd)
	for name, s := range map[string][]constraint.Constraint{
		"known":    {constraint.Fixed{Var: "X", P: map[string]float64{"a": 0}}},
		"at most":  {constraint.AtMost{Var: "X", States: []string{"a"}, P: 0}},
		"at least": {constraint.AtLeast{Var: "X", States: []string{"b", "c", "d"}, P: 1}},
		"in two steps": {constraint.AtLeast{Var: "X", States: []string{"b"}, P: .5},
			constraint.ShareStates{Var: "X", Groups: [][]string{{"b", "c"}}}},
	} {
		p := compile(t, net, s...)
		if !p.Impossible(0) || p.Impossible(1) {
			t.Errorf("%s: P(X=a) impossible: %v, P(X=b): %v", name, p.Impossible(0), p.Impossible(1))
		}
		n := []float64{0, 1, 2, 0}
		if err := p.AddPrior(n, []float64{1, 1, 1, 1}); err != nil {
			t.Fatal(err)
		}
		theta := make([]float64, 4)
		if err := p.Maximize(theta, n); err != nil || theta[0] != 0 {
			t.Errorf("%s: θ = %v, error %v", name, theta, err)
		}
		if err := p.Maximize(theta, []float64{1, 1, 1, 1}); !errors.Is(err, constraint.ErrInfeasible) ||
			!strings.Contains(err.Error(), "P(X=a)") {
			t.Errorf("%s: with a case of a: %v", name, err)
		}
	}
}
