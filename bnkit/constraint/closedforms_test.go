package constraint_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// eight is a table of X with eight states, in three rows.
func eight(t testing.TB) *bn.Network {
	return network(t, "[P][X|P]", bn.Discrete("P", "p0", "p1", "p2"), bn.Discrete("X", spell("x", 8)...))
}

// byRow cuts the table of X into rows.
func byRow(x []float64) [][]float64 { return [][]float64{x[3:11], x[11:19], x[19:27]} }

// sumOf adds the entries of some states, "x3" standing at 3.
func sumOf(row []float64, states ...string) float64 {
	sum := 0.0
	for _, s := range states {
		sum += row[s[1]-'0']
	}
	return sum
}

// spread divides a mass among states by their counts.
func spread(dst, n []float64, mass float64, states ...string) {
	all := sumOf(n, states...)
	for _, s := range states {
		dst[s[1]-'0'] = mass * n[s[1]-'0'] / all
	}
}

// closedForms are N06's estimators, written as formulas of the counts of three rows. The
// groups of states are A = x0 x1 x2, B = x3 x4, C = x5, and what is left R = x6 x7.
var closedForms = []struct {
	name       string
	statements []constraint.Constraint
	method     string
	estimate   func(theta, n [][]float64)
}{
	{"1 known", []constraint.Constraint{constraint.Fixed{Var: "X", P: map[string]float64{"x0": 0.25, "x3": 0.125,
		"x7": 0}}}, "closed form",
		eachRow(func(theta, n []float64) {
			theta[0], theta[3], theta[7] = 0.25, 0.125, 0
			spread(theta, n, 1-0.375, "x1", "x2", "x4", "x5", "x6")
		})},
	{"2 equal states", []constraint.Constraint{constraint.ShareStates{Var: "X", Groups: [][]string{groupA, groupB}}},
		"closed form",
		eachRow(func(theta, n []float64) { // θ = n_i/(k_i N)
			all := total(n)
			for _, g := range [][]string{groupA, groupB, groupC, {"x6"}, {"x7"}} {
				for _, s := range g {
					theta[s[1]-'0'] = sumOf(n, g...) / (float64(len(g)) * all)
				}
			}
		})},
	{"3 proportional", []constraint.Constraint{constraint.Proportional{Var: "X",
		Weights: map[string]float64{"x0": 1, "x1": 2, "x2": 5}}}, "closed form",
		eachRow(func(theta, n []float64) { // θ_j = c_j n_G/(C_G N)
			all := total(n)
			for i := range n {
				theta[i] = n[i] / all
			}
			for i, c := range []float64{1, 2, 5} {
				theta[i] = c * sumOf(n, groupA...) / (8 * all)
			}
		})},
	{"4 equal sums", []constraint.Constraint{constraint.ShareSums{Var: "X",
		Groups: [][]string{groupA, groupB, groupC}}}, "closed form",
		eachRow(func(theta, n []float64) { // a = Σ n_A/(s N)
			all := total(n)
			a := sumOf(n, slices.Concat(groupA, groupB, groupC)...) / (3 * all)
			for _, g := range [][]string{groupA, groupB, groupC} {
				spread(theta, n, a, g...)
			}
			spread(theta, n, 1-3*a, groupR...)
		})},
	{"4 equal sums, twice", []constraint.Constraint{
		constraint.ShareSums{Var: "X", Groups: [][]string{groupA, groupR}},
		constraint.ShareSums{Var: "X", Groups: [][]string{groupB, groupC}}}, "closed form",
		eachRow(func(theta, n []float64) {
			all := total(n)
			for _, class := range [][2][]string{{groupA, groupR}, {groupB, groupC}} {
				a := sumOf(n, slices.Concat(class[0], class[1])...) / (2 * all)
				spread(theta, n, a, class[0]...)
				spread(theta, n, a, class[1]...)
			}
		})},
	{"5 ratios", []constraint.Constraint{constraint.ShareRatios{Var: "X", Groups: [][]string{{"x0", "x1"}, {"x4", "x3"},
		{"x5", "x6"}}}}, "closed form",
		eachRow(func(theta, n []float64) { // a_g = n_g/N, w_i = Σ_g n_gi/Σ n_g
			all := total(n)
			w0 := sumOf(n, "x0", "x4", "x5")
			w1 := sumOf(n, "x1", "x3", "x6")
			for _, g := range [][2]int{{0, 1}, {4, 3}, {5, 6}} {
				a := (n[g[0]] + n[g[1]]) / all
				theta[g[0]], theta[g[1]] = a*w0/(w0+w1), a*w1/(w0+w1)
			}
			theta[2], theta[7] = n[2]/all, n[7]/all
		})},
	{"6 each parameter as often in every row",
		[]constraint.Constraint{constraint.ShareAcross{Var: "X", Groups: [][]string{groupA, groupB, groupC}}},
		"closed form",
		func(theta, n [][]float64) { // θ_i = n_i/(k_i ΣN)
			shares(theta, n, total(slices.Concat(n...)), groupA, groupB, groupC)
			for c := range theta {
				spread(theta[c], n[c], 1-total(theta[c]), groupR...)
			}
		}},
	{"6 without states of a row's own", []constraint.Constraint{constraint.ShareAcross{Var: "X",
		Groups: [][]string{groupA, groupB, groupC, {"x6"}, {"x7"}}}}, "closed form",
		func(theta, n [][]float64) {
			shares(theta, n, total(slices.Concat(n...)), groupA, groupB, groupC, []string{"x6"}, []string{"x7"})
		}},
	{"7 hierarchy", []constraint.Constraint{constraint.ShareHierarchy{Var: "X", Levels: []constraint.Level{
		{States: groupA},
		{Given: []bn.Given{{"P": "p0"}, {"P": "p1"}}, States: groupB},
	}}}, "closed form",
		func(theta, n [][]float64) { // M_v = r_v n_v/T_v, r_child = r_v − M_v
			nA, all := 0.0, 0.0
			for _, row := range n {
				nA += sumOf(row, groupA...)
				all += total(row)
			}
			r := 1 - nA/all
			for c := range theta {
				for state := range 3 {
					theta[c][state] = (n[0][state] + n[1][state] + n[2][state]) / all
				}
			}
			t := total(n[0][3:]) + total(n[1][3:])
			nB := sumOf(n[0], groupB...) + sumOf(n[1], groupB...)
			m := r * nB / t
			for c := range 2 {
				for _, state := range []int{3, 4} {
					theta[c][state] = m * (n[0][state] + n[1][state]) / nB
				}
				spread(theta[c], n[c], r-m, "x5", "x6", "x7")
			}
			spread(theta[2], n[2], r, "x3", "x4", "x5", "x6", "x7")
		}},
	{"8 equal sums across", []constraint.Constraint{
		constraint.ShareSumsAcross{Events: []constraint.Event{{Var: "X", States: groupA}}},
		constraint.ShareSumsAcross{Events: []constraint.Event{{Var: "X", States: groupB}}}}, "closed form",
		func(theta, n [][]float64) { // a_g = Σ_c n_gc/Σ_c N_c
			all, nA, nB := 0.0, 0.0, 0.0
			for _, row := range n {
				all, nA, nB = all+total(row), nA+sumOf(row, groupA...), nB+sumOf(row, groupB...)
			}
			for c := range n {
				spread(theta[c], n[c], nA/all, groupA...)
				spread(theta[c], n[c], nB/all, groupB...)
				spread(theta[c], n[c], 1-(nA+nB)/all, "x5", "x6", "x7")
			}
		}},
	{"9 ratios across", []constraint.Constraint{
		constraint.ShareRatiosAcross{Events: []constraint.Event{{Var: "X", States: groupA}}},
		constraint.ShareRatiosAcross{Events: []constraint.Event{{Var: "X", States: groupB, Given: bn.Given{"P": "p0"}},
			{Var: "X", States: []string{"x7", "x5"}, Given: bn.Given{"P": "p2"}}}}}, "closed form",
		func(theta, n [][]float64) { // a_c = n_Ac/N_c, w_i = Σ_c n_ci/Σ_c n_Ac
			for c, row := range n {
				for i := range row {
					theta[c][i] = row[i] / total(row)
				}
			}
			pooled := 0.0
			for _, row := range n {
				pooled += sumOf(row, groupA...)
			}
			for c, row := range n {
				for i := range 3 {
					theta[c][i] = sumOf(row, groupA...) / total(row) * (n[0][i] + n[1][i] + n[2][i]) / pooled
				}
			}
			w := (n[0][3] + n[2][7]) / (n[0][3] + n[0][4] + n[2][7] + n[2][5])
			a0, a2 := sumOf(n[0], groupB...)/total(n[0]), sumOf(n[2], "x5", "x7")/total(n[2])
			theta[0][3], theta[0][4] = a0*w, a0*(1-w)
			theta[2][7], theta[2][5] = a2*w, a2*(1-w)
		}},
	{"10 two sums that overlap", []constraint.Constraint{constraint.OrderSums{Var: "X",
		Groups: [][]string{{"x0", "x1", "x5"}, {"x3", "x4", "x5"}}}}, "closed form",
		eachRow(func(theta, n []float64) { // what is common cancels; equal masses where active
			all := total(n)
			a, b := sumOf(n, "x0", "x1")/all, sumOf(n, groupB...)/all
			if a > b {
				a, b = (a+b)/2, (a+b)/2
			}
			spread(theta, n, a, "x0", "x1")
			spread(theta, n, b, groupB...)
			for _, i := range []int{2, 5, 6, 7} {
				theta[i] = n[i] / all
			}
		})},
	{"10 with a factor", []constraint.Constraint{constraint.OrderSums{Var: "X", Groups: [][]string{groupA, groupB},
		Factor: 0.5}}, "closed form",
		eachRow(func(theta, n []float64) { // masses as κ : 1 where active
			all := total(n)
			a, b := sumOf(n, groupA...)/all, sumOf(n, groupB...)/all
			if a > 0.5*b {
				a, b = (a+b)/3, (a+b)*2/3
			}
			spread(theta, n, a, groupA...)
			spread(theta, n, b, groupB...)
			spread(theta, n, 1-a-b, "x5", "x6", "x7")
		})},
	{"10 a chain", []constraint.Constraint{constraint.OrderSums{Var: "X", Groups: [][]string{groupA, groupB, groupC,
		{"x6"}}}}, "isotonic regression",
		eachRow(func(theta, n []float64) { // pool adjacent violators, unit weights
			all := total(n)
			groups := [][]string{groupA, groupB, groupC, {"x6"}}
			var mass, size []float64
			for _, g := range groups {
				mass, size = append(mass, sumOf(n, g...)/all), append(size, 1)
				for k := len(mass) - 1; k > 0 && mass[k-1] > mass[k]; k-- {
					mass[k-1] = (mass[k-1]*size[k-1] + mass[k]*size[k]) / (size[k-1] + size[k])
					size[k-1] += size[k]
					mass, size = mass[:k], size[:k]
				}
			}
			for k, m := range mass {
				for range int(size[k]) {
					spread(theta, n, m, groups[0]...)
					groups = groups[1:]
				}
			}
			theta[7] = n[7] / all
		})},
	{"11 a limit", []constraint.Constraint{constraint.AtMost{Var: "X", States: groupA, P: 0.25}}, "closed form",
		eachRow(func(theta, n []float64) {
			a := min(0.25, sumOf(n, groupA...)/total(n))
			spread(theta, n, a, groupA...)
			spread(theta, n, 1-a, "x3", "x4", "x5", "x6", "x7")
		})},
	{"11 a limit from below", []constraint.Constraint{constraint.AtLeast{Var: "X", States: groupA, P: 0.5}},
		"closed form",
		eachRow(func(theta, n []float64) {
			a := max(0.5, sumOf(n, groupA...)/total(n))
			spread(theta, n, a, groupA...)
			spread(theta, n, 1-a, "x3", "x4", "x5", "x6", "x7")
		})},
	{"11 disjoint limits", []constraint.Constraint{
		constraint.AtMost{Var: "X", States: groupA, P: 0.25},
		constraint.AtMost{Var: "X", States: groupB, P: 0.2},
		constraint.AtMost{Var: "X", States: groupC, P: 0.125}}, "closed form with limits",
		eachRow(func(theta, n []float64) {
			// Clamp groups in the order of n/u until λ leaves the others below.
			groups := []struct {
				states []string
				u      float64
			}{{groupA, 0.25}, {groupB, 0.2}, {groupC, 0.125}}
			slices.SortFunc(groups, func(a, b struct {
				states []string
				u      float64
			}) int {
				return cmp.Compare(sumOf(n, b.states...)/b.u, sumOf(n, a.states...)/a.u)
			})
			cases, mass := total(n), 1.0
			for _, g := range groups {
				if k := sumOf(n, g.states...); k > cases/mass*g.u {
					spread(theta, n, g.u, g.states...)
					cases, mass = cases-k, mass-g.u
				} else {
					spread(theta, n, k*mass/cases, g.states...)
				}
			}
			spread(theta, n, sumOf(n, groupR...)*mass/cases, groupR...)
		})},
}

var (
	groupA = []string{"x0", "x1", "x2"}
	groupB = []string{"x3", "x4"}
	groupC = []string{"x5"}
	groupR = []string{"x6", "x7"}
)

func eachRow(estimate func(theta, n []float64)) func(theta, n [][]float64) {
	return func(theta, n [][]float64) {
		for c := range n {
			estimate(theta[c], n[c])
		}
	}
}

// shares writes θ_i = n_i/(k_i N) for the groups, with n_i over all rows.
func shares(theta, n [][]float64, all float64, groups ...[]string) {
	for _, g := range groups {
		pooled := 0.0
		for _, row := range n {
			pooled += sumOf(row, g...)
		}
		for _, row := range theta {
			for _, s := range g {
				row[s[1]-'0'] = pooled / (float64(len(g)) * all)
			}
		}
	}
}

// TestClosedForms compares answers with the formulas, for positive counts of any size.
func TestClosedForms(t *testing.T) {
	net := eight(t)
	for k, f := range closedForms {
		t.Run(f.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(32, uint64(k)))
			p := compile(t, net, f.statements...)
			for range 50 {
				n := make([]float64, 27)
				for i := range n {
					n[i] = rng.ExpFloat64() * 10
				}
				if known, ok := f.statements[0].(constraint.Fixed); ok && known.P["x7"] == 0 {
					n[10], n[18], n[26] = 0, 0, 0
				}
				want := make([]float64, 27)
				for i := range 3 {
					want[i] = n[i] / total(n[:3])
				}
				f.estimate(byRow(want), byRow(n))
				s, err := p.Solve(n)
				if err != nil {
					t.Fatal(err)
				}
				near(t, "theta", s.Theta, want, 1e-12)
				for _, part := range s.Parts {
					if part.Method != f.method || part.Gap != 0 || !part.Global {
						t.Errorf("%v, gap %v; want %q", part, part.Gap, f.method)
					}
				}
				if t.Failed() {
					t.Fatal(n)
				}
			}
		})
	}
}

// Parameters that stand once in the first row and twice in the second have in all the mass
// M there, and 2M here, where Σ n_i/M = L_0/(1−M) + 2 L_1/(1−2M).
func TestMultiplicitiesInProportion(t *testing.T) {
	net := network(t, "[P][X|P]", bn.Discrete("P", "p0", "p1"), bn.Discrete("X", spell("x", 6)...))
	cell := func(p, x string) constraint.Cell {
		return constraint.Cell{Var: "X", State: x, Given: bn.Given{"P": p}}
	}
	p := compile(t, net, constraint.ShareCells{Groups: [][]constraint.Cell{
		{cell("p0", "x0"), cell("p1", "x0"), cell("p1", "x2")},
		{cell("p0", "x1"), cell("p1", "x1"), cell("p1", "x3")},
	}})
	rng := rand.New(rand.NewPCG(33, 0))
	for range 50 {
		n := make([]float64, 14)
		for i := range n {
			n[i] = rng.ExpFloat64() * 10
		}
		a, b := n[2:8], n[8:14]
		n0, n1 := a[0]+b[0]+b[2], a[1]+b[1]+b[3]
		lo, hi := 0.0, 0.5
		for range 200 {
			m := (lo + hi) / 2
			if (n0+n1)/m > total(a[2:])/(1-m)+2*total(b[4:])/(1-2*m) {
				lo = m
			} else {
				hi = m
			}
		}
		x0, x1 := lo*n0/(n0+n1), lo*n1/(n0+n1)
		want := []float64{n[0] / (n[0] + n[1]), n[1] / (n[0] + n[1]), x0, x1, 0, 0, 0, 0, x0, x1, x0, x1, 0, 0}
		for i := range 4 {
			want[4+i] = (1 - lo) * a[2+i] / total(a[2:])
		}
		for i := range 2 {
			want[12+i] = (1 - 2*lo) * b[4+i] / total(b[4:])
		}
		near(t, "theta", maximize(p, n), want, 1e-8)
	}
}

// Inside a set whose limit binds the others share what is left of the set, not of the
// whole: counts (80, 10, 10) under θ_0 ≤ 0.1 and θ_0 + θ_1 ≤ 0.9 give (0.1, 0.45, 0.45).
func TestNestedLimitsByHand(t *testing.T) {
	net := network(t, "[X]", bn.Discrete("X", "a", "b", "c"))
	p := compile(t, net,
		constraint.AtMost{Var: "X", States: []string{"a"}, P: 0.1},
		constraint.AtMost{Var: "X", States: []string{"a", "b"}, P: 0.9})
	near(t, "theta", maximize(p, []float64{80, 10, 10}), []float64{0.1, 0.45, 0.45}, 1e-15)
}

// Where the distribution with a local state sees every shared parameter less often than
// one without, its multiplier is negative: 2θ_1 + 2θ_2 = 1 and θ_1 + θ_2 + l = 1 make l = 1/2.
func TestNegativeMultiplier(t *testing.T) {
	net := network(t, "[X][Y]", bn.Discrete("X", "a", "b", "c", "d"), bn.Discrete("Y", "e", "f", "g"))
	cell := func(v, s string) constraint.Cell { return constraint.Cell{Var: v, State: s} }
	p := compile(t, net, constraint.ShareCells{Groups: [][]constraint.Cell{
		{cell("X", "a"), cell("X", "b"), cell("Y", "e")},
		{cell("X", "c"), cell("X", "d"), cell("Y", "f")},
	}})
	// 3+4 and 1+0+2 cases of the shared ones: θ_1 = (7/10)/2.
	near(t, "theta", maximize(p, []float64{3, 4, 1, 0, 0, 2, 30}), []float64{.35, .35, .15, .15, .35, .15, .5}, 1e-9)
}

// A ratio under other statements has no formula; in masses a and shapes w no change of
// either is better.
func TestNoChangeOfMassesOrShapesIsBetter(t *testing.T) {
	rng := rand.New(rand.NewPCG(34, 0))
	for _, class := range classes {
		if !strings.Contains(class.name, "ratios") || strings.Contains(class.name, ", with") {
			continue
		}
		t.Run(class.name, func(t *testing.T) {
			for range 25 {
				sc := newScene(t, rng, false)
				statements := class.draw(t, sc, nil)
				s := read(t, sc.net, statements...)
				n := sc.counts()
				theta := maximize(compile(t, sc.net, statements...), n)
				for range 20 {
					other := perturbed(rng, sc.net, s, theta)
					feasible(t, sc.net, other, 1e-12, statements...)
					if worse, best := objective(n, other), objective(n, theta); worse > best+1e-12*math.Abs(best) {
						t.Fatalf("%v: a change raises the maximum from %v to %v", statements, best, worse)
					}
				}
			}
		})
	}
}

// perturbed multiplies masses, shapes and the cells of no block by random factors, and
// divides by sums.
func perturbed(rng *rand.Rand, net *bn.Network, s said, theta []float64) []float64 {
	out := slices.Clone(theta)
	size := math.Pow(10, -4*rng.Float64())
	factor := func() float64 { return math.Exp(size * rng.NormFloat64()) }
	for i := range out {
		out[i] *= factor()
	}
	for _, blocks := range s.ratios {
		shape := make([]float64, len(blocks[0]))
		for i := range shape {
			for _, b := range blocks {
				if m := total(at(theta, b)); m > 0 {
					shape[i] = theta[b[i]] / m
				}
			}
			shape[i] *= factor()
		}
		for _, b := range blocks {
			mass := total(at(theta, b)) * factor()
			for i, cell := range b {
				out[cell] = mass * shape[i] / total(shape)
			}
		}
	}
	for _, cells := range simplexes(net) {
		sum := total(at(out, cells))
		for _, cell := range cells {
			out[cell] /= sum
		}
	}
	return out
}
