package constraint_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/numtest"
)

// A restricted density is Π θ^(α−1) on the parameters that satisfy some statements.
type density struct {
	name       string
	model      string
	vars       []bn.Variable
	statements []constraint.Constraint
	// point maps a cube onto the parameters, with the measure: Lebesgue's on the free
	// coordinates, and mass^(r−1) for each block of r cells that share proportions.
	dim   int
	point func(u []float64) (theta []float64, measure float64)
	// logZ is the logarithm of its integral, up to a constant; nil where no formula is known.
	logZ func(a []float64) float64
	// factor is what the data have on top of Z(α + N)/Z(α) where proportions are known.
	factor func(n []float64) float64
	// simulated: there is no closed form.
	simulated bool
}

// logB is the logarithm of Π Γ(a)/Γ(Σ a).
func logB(a ...float64) float64 {
	out, sum := 0.0, 0.0
	for _, x := range a {
		g, _ := math.Lgamma(x)
		out, sum = out+g, sum+x
	}
	g, _ := math.Lgamma(sum)
	return out - g
}

// logI is the logarithm of I_x(a, b), the integral of the beta density up to x. In s with
// t = x s² it is smooth at 0 for half a's.
func logI(x, a, b float64) float64 {
	f := func(s float64) float64 {
		t := x * s * s
		return math.Pow(t, a-1) * math.Pow(1-t, b-1) * 2 * x * s
	}
	return math.Log(quad.Fixed(f, 0, 1, 200, nil, 0)) - logB(a, b)
}

var (
	xabc  = bn.Discrete("X", "a", "b", "c")
	xabcd = bn.Discrete("X", "a", "b", "c", "d")
	fair  = bn.Discrete("P", "p", "q")
)

// The first two cells of a model with P are those of P, one half each here: they are a
// factor of their own.
var densities = []density{
	{
		name: "1 known", model: "[X]", vars: []bn.Variable{xabcd},
		statements: []constraint.Constraint{constraint.Fixed{Var: "X", P: map[string]float64{"a": 0.25}}},
		dim:        2,
		point: func(u []float64) ([]float64, float64) {
			return []float64{0.25, 0.75 * u[0], 0.75 * (1 - u[0]) * u[1], 0.75 * (1 - u[0]) * (1 - u[1])}, 1 - u[0]
		},
		logZ: func(a []float64) float64 {
			return (total(a[1:])-1)*math.Log(0.75) + logB(a[1:]...)
		},
		factor: func(n []float64) float64 { return n[0] * math.Log(0.25) },
	}, {
		name: "2 equal states", model: "[X]", vars: []bn.Variable{xabcd},
		statements: []constraint.Constraint{constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "c"}}}},
		dim:        2,
		point: func(u []float64) ([]float64, float64) {
			return []float64{u[0] / 2, (1 - u[0]) * u[1], u[0] / 2, (1 - u[0]) * (1 - u[1])}, 1 - u[0]
		},
		logZ: func(a []float64) float64 {
			shared := a[0] + a[2] - 1
			return -shared*math.Ln2 + logB(shared, a[1], a[3])
		},
	}, {
		name: "3 proportional", model: "[X]", vars: []bn.Variable{xabcd},
		statements: []constraint.Constraint{constraint.Proportional{Var: "X",
			Weights: map[string]float64{"a": 1, "b": 3}}},
		dim: 2,
		point: func(u []float64) ([]float64, float64) {
			return []float64{u[0] / 4, 3 * u[0] / 4, (1 - u[0]) * u[1], (1 - u[0]) * (1 - u[1])}, 1 - u[0]
		},
		logZ: func(a []float64) float64 {
			shared := a[0] + a[1] - 1
			return -shared*math.Log(4) + logB(shared, a[2], a[3])
		},
		factor: func(n []float64) float64 { return n[1] * math.Log(3) },
	}, {
		name: "4 equal sums", model: "[X]", vars: []bn.Variable{xabcd},
		statements: []constraint.Constraint{constraint.ShareSums{Var: "X", Groups: [][]string{{"a", "b"}, {"c"}}}},
		dim:        2,
		point: func(u []float64) ([]float64, float64) {
			m := u[0] / 2
			return []float64{m * u[1], m * (1 - u[1]), m, 1 - 2*m}, m
		},
		logZ: func(a []float64) float64 {
			s := a[0] + a[1] + a[2] - 1
			return -s*math.Ln2 + logB(s, a[3]) + logB(a[0], a[1])
		},
	}, {
		name: "4 equal sums, no state left over", model: "[X]", vars: []bn.Variable{xabcd},
		statements: []constraint.Constraint{constraint.ShareSums{Var: "X", Groups: [][]string{{"a", "b"}, {"c", "d"}}}},
		dim:        2,
		point: func(u []float64) ([]float64, float64) {
			return []float64{u[0] / 2, (1 - u[0]) / 2, u[1] / 2, (1 - u[1]) / 2}, 1
		},
		logZ: func(a []float64) float64 {
			return -(total(a)-2)*math.Ln2 + logB(a[0], a[1]) + logB(a[2], a[3])
		},
	}, {
		name: "5 ratios", model: "[X]", vars: []bn.Variable{bn.Discrete("X", "a", "b", "c", "d", "e")},
		statements: []constraint.Constraint{constraint.ShareRatios{Var: "X",
			Groups: [][]string{{"a", "b"}, {"c", "d"}}}},
		dim: 3,
		point: func(u []float64) ([]float64, float64) {
			m, l, w := u[0], (1-u[0])*u[1], u[2]
			return []float64{m * w, m * (1 - w), l * w, l * (1 - w), (1 - u[0]) * (1 - u[1])}, (1 - u[0]) * m * l
		},
		logZ: func(a []float64) float64 {
			return logB(a[0]+a[1], a[2]+a[3], a[4]) + logB(a[0]+a[2]-1, a[1]+a[3]-1)
		},
	}, {
		name: "6 one state across", model: "[P][X|P]", vars: []bn.Variable{fair, xabc},
		statements: []constraint.Constraint{constraint.ShareAcross{Var: "X", Groups: [][]string{{"a"}}}},
		dim:        3,
		point: func(u []float64) ([]float64, float64) {
			r := 1 - u[0]
			return []float64{.5, .5, u[0], r * u[1], r * (1 - u[1]), u[0], r * u[2], r * (1 - u[2])}, r * r
		},
		logZ: func(a []float64) float64 {
			return logB(a[3], a[4]) + logB(a[6], a[7]) + logB(a[2]+a[5]-1, 1+(a[3]+a[4]-1)+(a[6]+a[7]-1))
		},
	}, {
		name: "6 two states across", model: "[P][X|P]", vars: []bn.Variable{fair, xabc},
		statements: []constraint.Constraint{constraint.ShareAcross{Var: "X", Groups: [][]string{{"a", "b"}}}},
		dim:        1,
		point: func(u []float64) ([]float64, float64) {
			x := u[0] / 2
			return []float64{.5, .5, x, x, 1 - u[0], x, x, 1 - u[0]}, 1
		},
		logZ: func(a []float64) float64 {
			shared := a[2] + a[3] + a[5] + a[6] - 3
			return -shared*math.Ln2 + logB(shared, a[4]+a[7]-1)
		},
	}, {
		name: "6 once here and twice there", model: "[P][X|P]", vars: []bn.Variable{fair, xabcd}, simulated: true,
		statements: []constraint.Constraint{constraint.ShareCells{Groups: [][]constraint.Cell{{
			{Var: "X", State: "a", Given: bn.Given{"P": "p"}}, {Var: "X", State: "a", Given: bn.Given{"P": "q"}},
			{Var: "X", State: "b", Given: bn.Given{"P": "q"}}}}}},
		dim: 4,
		point: func(u []float64) ([]float64, float64) {
			x := u[0] / 2
			r, s := 1-x, 1-2*x
			return []float64{.5, .5, x, r * u[1], r * (1 - u[1]) * u[2], r * (1 - u[1]) * (1 - u[2]), x, x, s * u[3],
				s * (1 - u[3])}, r * r * (1 - u[1]) * s
		},
	}, {
		name: "7 hierarchy", model: "[P][X|P]", vars: []bn.Variable{bn.Discrete("P", "p", "q", "r"), xabc},
		statements: []constraint.Constraint{constraint.ShareHierarchy{Var: "X", Levels: []constraint.Level{
			{States: []string{"a"}}, {Given: []bn.Given{{"P": "p"}, {"P": "q"}}, States: []string{"b"}}}}},
		dim: 3,
		point: func(u []float64) ([]float64, float64) {
			r := 1 - u[0]
			b, c := r*u[1], r*u[2]
			return []float64{1. / 3, 1. / 3, 1. / 3, u[0], b, r - b, u[0], b, r - b, u[0], c, r - c}, r * r
		},
		logZ: func(a []float64) float64 {
			// The leaves p and q own c, the node above b, the leaf r its b and c, the root a.
			restPQ := 1 + (a[5] - 1) + (a[8] - 1)
			pq := a[4] + a[7] - 1 + restPQ
			r := a[10] + a[11]
			return logB(a[4]+a[7]-1, restPQ) + logB(a[10], a[11]) + logB(a[3]+a[6]+a[9]-2, 1+(pq-1)+(r-1))
		},
	}, {
		name: "8 equal sums across", model: "[P][X|P]", vars: []bn.Variable{fair, xabc},
		statements: []constraint.Constraint{constraint.ShareSumsAcross{Events: []constraint.Event{{Var: "X",
			States: []string{"a", "b"}}}}},
		dim: 3,
		point: func(u []float64) ([]float64, float64) {
			m := u[0]
			return []float64{.5, .5, m * u[1], m * (1 - u[1]), 1 - m, m * u[2], m * (1 - u[2]), 1 - m}, m * m
		},
		logZ: func(a []float64) float64 {
			return logB(a[2], a[3]) + logB(a[5], a[6]) + logB(1+(a[2]+a[3]-1)+(a[5]+a[6]-1), 1+(a[4]-1)+(a[7]-1))
		},
	}, {
		name: "9 ratios across", model: "[P][X|P]", vars: []bn.Variable{fair, xabc},
		statements: []constraint.Constraint{constraint.ShareRatiosAcross{Events: []constraint.Event{{Var: "X",
			States: []string{"a", "b"}}}}},
		dim: 3,
		point: func(u []float64) ([]float64, float64) {
			m, l, w := u[0], u[1], u[2]
			return []float64{.5, .5, m * w, m * (1 - w), 1 - m, l * w, l * (1 - w), 1 - l}, m * l
		},
		logZ: func(a []float64) float64 {
			return logB(a[2]+a[3], a[4]) + logB(a[5]+a[6], a[7]) + logB(a[2]+a[5]-1, a[3]+a[6]-1)
		},
	}, {
		name: "10 two sums", model: "[X]", vars: []bn.Variable{xabcd},
		statements: []constraint.Constraint{constraint.OrderSums{Var: "X", Groups: [][]string{{"a", "b"}, {"c"}}}},
		dim:        3,
		point: func(u []float64) ([]float64, float64) {
			s, m := u[0], u[0]*u[1]/2
			return []float64{m * u[2], m * (1 - u[2]), s - m, 1 - s}, s * m
		},
		logZ: func(a []float64) float64 { return logB(a...) + logI(0.5, a[0]+a[1], a[2]) },
	}, {
		name: "10 with a factor", model: "[X]", vars: []bn.Variable{xabc},
		statements: []constraint.Constraint{constraint.OrderSums{Var: "X", Groups: [][]string{{"b"}, {"a"}},
			Factor: 1. / 3}},
		dim: 2,
		point: func(u []float64) ([]float64, float64) { // b ≤ a/3: b is a quarter of both at most
			s := u[0]
			return []float64{s * (1 - u[1]/4), s * u[1] / 4, 1 - s}, s
		},
		logZ: func(a []float64) float64 { return logB(a...) + logI(0.25, a[1], a[0]) },
	}, {
		name: "11 a limit", model: "[X]", vars: []bn.Variable{xabc},
		statements: []constraint.Constraint{constraint.AtMost{Var: "X", States: []string{"a", "c"}, P: 0.3}},
		dim:        2,
		point: func(u []float64) ([]float64, float64) {
			m := 0.3 * u[0]
			return []float64{m * u[1], 1 - m, m * (1 - u[1])}, m
		},
		logZ: func(a []float64) float64 { return logB(a...) + logI(0.3, a[0]+a[2], a[1]) },
	}, {
		name: "11 two limits on one sum", model: "[X]", vars: []bn.Variable{xabc},
		statements: []constraint.Constraint{
			constraint.AtMost{Var: "X", States: []string{"a", "c"}, P: 0.3},
			constraint.AtLeast{Var: "X", States: []string{"a", "c"}, P: 0.1}},
		dim: 2,
		point: func(u []float64) ([]float64, float64) {
			m := 0.1 + 0.2*u[0]
			return []float64{m * u[1], 1 - m, m * (1 - u[1])}, m
		},
		logZ: func(a []float64) float64 {
			hi, lo := logI(0.3, a[0]+a[2], a[1]), logI(0.1, a[0]+a[2], a[1])
			return logB(a...) + math.Log(math.Exp(hi)-math.Exp(lo))
		},
	}, {
		name: "1, 2 and 10 together", model: "[X]", vars: []bn.Variable{bn.Discrete("X", "a", "b", "c", "d", "e")},
		statements: []constraint.Constraint{
			constraint.Fixed{Var: "X", P: map[string]float64{"e": 0.2}},
			constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "b"}}},
			constraint.OrderSums{Var: "X", Groups: [][]string{{"c", "d"}, {"a", "b"}}}},
		dim: 2,
		point: func(u []float64) ([]float64, float64) { // c + d = m, a = b = (0.8 − m)/2 ≥ m/2
			m := 0.4 * u[0]
			return []float64{(0.8 - m) / 2, (0.8 - m) / 2, m * u[1], m * (1 - u[1]), 0.2}, m
		},
	}, {
		name: "a sum with factors", model: "[X]", vars: []bn.Variable{xabcd}, simulated: true,
		statements: []constraint.Constraint{constraint.LinearSum{Value: 0.6, Terms: []constraint.Term{
			{Cell: constraint.Cell{Var: "X", State: "a"}}, {Cell: constraint.Cell{Var: "X", State: "b"}, Factor: 2}}}},
		dim: 2,
		point: func(u []float64) ([]float64, float64) {
			b := 0.3 * u[0]
			return []float64{0.6 - 2*b, b, (0.4 + b) * u[1], (0.4 + b) * (1 - u[1])}, 0.4 + b
		},
	}, {
		name: "10 a chain", model: "[X]", vars: []bn.Variable{xabc}, simulated: true,
		statements: []constraint.Constraint{constraint.OrderSums{Var: "X", Groups: [][]string{{"a"}, {"b"}, {"c"}}}},
		dim:        2,
		point: func(u []float64) ([]float64, float64) { // a, and b between a and (1 − a)/2
			x := u[0] / 3
			width := (1-x)/2 - x
			y := x + u[1]*width
			return []float64{x, y, 1 - x - y}, width
		},
	}, {
		name: "11 two limits", model: "[X]", vars: []bn.Variable{xabc}, simulated: true,
		statements: []constraint.Constraint{
			constraint.AtMost{Var: "X", States: []string{"a"}, P: 0.4},
			constraint.AtMost{Var: "X", States: []string{"b"}, P: 0.3}},
		dim: 2,
		point: func(u []float64) ([]float64, float64) {
			return []float64{0.4 * u[0], 0.3 * u[1], 1 - 0.4*u[0] - 0.3*u[1]}, 1
		},
	},
}

// integrate is the integral of Π θ^(a−1), and those of its products with each entry. In
// s with u = s²(3 − 2s) roots of u and 1 − u at the sides of the cube are smooth.
func (d density) integrate(a []float64) (z float64, moments []float64) {
	nodes := 40
	if d.dim > 3 {
		nodes = 16
	}
	x, w := make([]float64, nodes), make([]float64, nodes)
	quad.Legendre{}.FixedLocations(x, w, 0, 1)
	for i, s := range x {
		x[i], w[i] = s*s*(3-2*s), w[i]*6*s*(1-s)
	}
	moments = make([]float64, len(a))
	u := make([]float64, d.dim)
	var visit func(axis int, weight float64)
	visit = func(axis int, weight float64) {
		if axis == d.dim {
			theta, measure := d.point(u)
			log := 0.0
			for i, t := range theta {
				log += (a[i] - 1) * math.Log(t)
			}
			f := weight * measure * math.Exp(log)
			z += f
			for i, t := range theta {
				moments[i] += f * t
			}
			return
		}
		for i := range x {
			u[axis] = x[i]
			visit(axis+1, weight*w[i])
		}
	}
	visit(0, 1)
	return z, moments
}

// TestLogMarginalAndMean compares with numeric integration, and with the formulas.
func TestLogMarginalAndMean(t *testing.T) {
	for k, d := range densities {
		t.Run(d.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(41, uint64(k)))
			net := network(t, d.model, d.vars...)
			p := compile(t, net, d.statements...)
			states := 0 // of P, whose cells come first
			if len(d.vars) > 1 {
				states = d.vars[0].Cardinality()
			}
			rounds := 3
			if !numtest.Full() {
				rounds = 1
			}
			for range rounds {
				prior := make([]float64, net.Layout().Len())
				n := make([]float64, len(prior))
				posterior := make([]float64, len(prior))
				pseudo := make([]float64, len(prior))
				for i := range prior {
					prior[i] = 1.5 + float64(rng.IntN(4))/2
					n[i] = float64(rng.IntN(6))
					if i < states {
						prior[i], n[i] = 1, 0 // P has a factor of its own
					}
					posterior[i] = prior[i] + n[i]
					pseudo[i] = prior[i] - 1
				}
				z0, _ := d.integrate(prior)
				z1, moments := d.integrate(posterior)
				want := math.Log(z1 / z0)
				var set *constraint.Sampling
				if d.simulated {
					set = &constraint.Sampling{Draws: 20000, Src: rand.NewPCG(7, 0)}
				}
				got, err := p.LogMarginal(t.Context(), n, pseudo, set)
				if err != nil {
					t.Fatal(err)
				}
				if tol := 5*got.StdErr + 1e-7; !(math.Abs(got.Value-want) <= tol) || !(got.StdErr < 0.1) {
					t.Errorf("log marginal %v ± %v, by integration %v", got.Value, got.StdErr, want)
				}
				if !d.simulated && got.StdErr != 0 {
					t.Errorf("a closed form has the standard error %v", got.StdErr)
				}
				if d.logZ != nil {
					want := d.logZ(posterior) - d.logZ(prior)
					if d.factor != nil {
						want += d.factor(n)
					}
					if !(math.Abs(got.Value-want) <= 1e-9*math.Max(1, math.Abs(want))) {
						t.Errorf("log marginal %v, by the formula %v", got.Value, want)
					}
				}
				mean := make([]float64, len(n))
				stderr, err := p.PosteriorMean(t.Context(), mean, n, pseudo, set)
				if err != nil {
					t.Fatal(err)
				}
				for i := states; i < len(mean); i++ {
					if !(math.Abs(mean[i]-moments[i]/z1) <= 5*stderr+1e-7) {
						t.Errorf("E[θ_%d] = %v ± %v, by integration %v", i, mean[i], stderr, moments[i]/z1)
					}
				}
				feasible(t, net, mean, 1e-9, linearOf(d.statements)...)
				if t.Failed() {
					t.Fatalf("α = %v, N = %v", prior, n)
				}
			}
		})
	}
}

// linearOf leaves out what a mean need not satisfy: proportions.
func linearOf(statements []constraint.Constraint) []constraint.Constraint {
	return slices.DeleteFunc(slices.Clone(statements), func(s constraint.Constraint) bool {
		switch s.(type) {
		case constraint.ShareRatios, constraint.ShareRatiosAcross:
			return true
		}
		return false
	})
}

// bounds is a statement by the cells of a network, for what the public types do not say.
type bounds struct {
	text string
	bind func(net *bn.Network) []constraint.Bound
}

func (b bounds) String() string { return b.text }

func (b bounds) Bind(net *bn.Network) ([]constraint.Bound, error) { return b.bind(net), nil }

// TestVacuous: a statement that says nothing leaves the probability of any data as it is.
func TestVacuous(t *testing.T) {
	row := []constraint.Row{{Var: 1, Config: 0}}
	both := []constraint.Row{{Var: 1, Config: 0}, {Var: 1, Config: 1}}
	net := network(t, "[P][X|P]", fair, xabcd)
	say := func(b constraint.Bound) constraint.Constraint {
		return bounds{"says nothing", func(*bn.Network) []constraint.Bound { return []constraint.Bound{b} }}
	}
	tests := []struct {
		name string
		s    constraint.Constraint
	}{
		{"a group of one state", constraint.ShareStates{Var: "X", Groups: [][]string{{"b"}}}},
		{"a parameter in one cell", say(constraint.Bound{Links: row, Ties: []constraint.Tie{{Cells: []int{3}}}})},
		{"one cell with a scale", say(constraint.Bound{Links: row,
			Ties: []constraint.Tie{{Cells: []int{3}, Scale: []float64{2.5}}}})},
		{"one block", say(constraint.Bound{Links: row, Ratios: []constraint.Ratio{{Blocks: [][]int{{2, 3, 4}}}}})},
		{"one block, the whole distribution",
			say(constraint.Bound{Links: row, Ratios: []constraint.Ratio{{Blocks: [][]int{{2, 3, 4, 5}}}}})},
		{"blocks of one cell", say(constraint.Bound{Links: both,
			Ratios: []constraint.Ratio{{Blocks: [][]int{{2}, {7}}}}})},
		{"two sets of one block", say(constraint.Bound{Links: both,
			Ratios: []constraint.Ratio{{Blocks: [][]int{{2, 3}}}, {Blocks: [][]int{{6, 7, 9}}}}})},
		{"the sum of a distribution", say(constraint.Bound{Links: row,
			Equal: []constraint.Linear{{Cells: []int{2, 3, 4, 5}, Value: 1}}})},
		{"equal sums of whole distributions",
			say(constraint.Bound{Links: both, Equal: []constraint.Linear{{Cells: []int{2, 3, 4, 5, 6, 7, 8, 9},
				Coef: []float64{1, 1, 1, 1, -1, -1, -1, -1}}}})},
		{"a limit of the whole", say(constraint.Bound{Links: row,
			AtMost: []constraint.Linear{{Cells: []int{2, 3, 4, 5}, Value: 1}}})},
		{"a limit that holds", constraint.AtMost{Var: "X", States: []string{"a", "b"}, P: 1}},
		{"a limit from below that holds", constraint.AtLeast{Var: "X", States: []string{"a"}, P: 0}},
		{"limits that hold", say(constraint.Bound{Links: row, AtMost: []constraint.Linear{{Cells: []int{2}, Value: 1},
			{Cells: []int{3}, Value: 1}, {Cells: []int{3, 4}, Value: 1.5}}})},
		{"part and whole", constraint.OrderSums{Var: "X", Groups: [][]string{{"a"}, {"a", "b"}}}},
		{"part and whole, by cells", say(constraint.Bound{Links: row,
			AtMost: []constraint.Linear{{Cells: []int{3}, Coef: []float64{-1}}}})},
		{"no terms", say(constraint.Bound{Links: row})},
	}
	pseudo := []float64{0.5, 0.2, 1, -0.5, 0, 2, 0.3, 1, 1.5, -0.25}
	n := []float64{3, 4, 0, 7, 1, 2, 5, 5, 0, 1}
	free, err := compile(t, net).LogMarginal(t.Context(), n, pseudo, nil)
	if err != nil {
		t.Fatal(err)
	}
	mean := make([]float64, len(n))
	if _, err := compile(t, net).PosteriorMean(t.Context(), mean, n, pseudo, nil); err != nil {
		t.Fatal(err)
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := compile(t, net, test.s)
			got, err := p.LogMarginal(t.Context(), n, pseudo, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !(math.Abs(got.Value-free.Value) <= 1e-10) || got.StdErr != 0 {
				t.Errorf("the log Bayes factor is %v ± %v", got.Value-free.Value, got.StdErr)
			}
			with := make([]float64, len(n))
			if _, err := p.PosteriorMean(t.Context(), with, n, pseudo, nil); err != nil {
				t.Fatal(err)
			}
			near(t, "mean", with, mean, 1e-12)
			near(t, "theta", maximize(p, n), maximize(compile(t, net), n), 1e-12)
		})
	}
}

// A statement that says nothing of one variable and much of another changes only that.
func TestMarginalsAddUp(t *testing.T) {
	net := network(t, "[P][X|P]", fair, xabcd)
	n := []float64{3, 4, 0, 7, 1, 2, 5, 5, 0, 1}
	pseudo := make([]float64, len(n))
	value := func(statements ...constraint.Constraint) float64 {
		e, err := compile(t, net, statements...).LogMarginal(t.Context(), n, pseudo, nil)
		if err != nil {
			t.Fatal(err)
		}
		return e.Value
	}
	p := constraint.ShareStates{Var: "X", Given: bn.Given{"P": "p"}, Groups: [][]string{{"a", "b"}}}
	q := constraint.OrderSums{Var: "X", Given: bn.Given{"P": "q"}, Groups: [][]string{{"a"}, {"d"}}}
	if got, want := value(p, q)-value(p), value(q)-value(); math.Abs(got-want) > 1e-12 {
		t.Errorf("statements about different rows: factors %v and %v", got, want)
	}
}

// TestImproper: exponents that a statement adds up to zero or less have no finite integral.
func TestImproper(t *testing.T) {
	x5 := bn.Discrete("X", "a", "b", "c", "d", "e", "f")
	one := network(t, "[X]", x5)
	two := network(t, "[P][X|P]", fair, x5)
	all := []string{"a", "b", "c", "d", "e"}
	tests := []struct {
		name  string
		net   *bn.Network
		alpha float64
		s     []constraint.Constraint
		ok    float64 // the smallest alpha, in tenths, for which it is proper
	}{
		{"no statement", one, 0, nil, 0.1},
		{"5α − 4", one, 0.7, []constraint.Constraint{constraint.ShareStates{Var: "X", Groups: [][]string{all}}}, 0.9},
		{"5α − 4 of proportions", one, 0.1, []constraint.Constraint{constraint.Proportional{Var: "X",
			Weights: map[string]float64{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}}}, 0.9},
		{"2α − 1 of the shapes", one, 0.5, []constraint.Constraint{constraint.ShareRatios{Var: "X",
			Groups: [][]string{{"a", "b"}, {"c", "d"}}}}, 0.6},
		{"2α − 1 across", two, 0.5, []constraint.Constraint{constraint.ShareAcross{Var: "X"}}, 0.6},
		{"2α − 1 of sums", two, 0.5,
			[]constraint.Constraint{constraint.ShareSumsAcross{Events: []constraint.Event{{Var: "X",
				States: []string{"a"}}}}}, 0.6},
		{"2α − 1 of shapes across", two, 0.5,
			[]constraint.Constraint{constraint.ShareRatiosAcross{Events: []constraint.Event{{Var: "X",
				States: []string{"a", "b"}}}}}, 0.6},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := compile(t, test.net, test.s...)
			n, pseudo, mean := make([]float64, p.Layout().Len()), make([]float64, p.Layout().Len()),
				make([]float64, p.Layout().Len())
			for i := range n {
				pseudo[i] = test.alpha - 1
			}
			if _, err := p.LogMarginal(t.Context(), n, pseudo, nil); !errors.Is(err, constraint.ErrImproper) {
				t.Errorf("α = %v: LogMarginal gives %v", test.alpha, err)
			}
			if _, err := p.PosteriorMean(t.Context(), mean, n, pseudo, nil); !errors.Is(err, constraint.ErrImproper) {
				t.Errorf("α = %v: PosteriorMean gives %v", test.alpha, err)
			}
			for i := range n {
				pseudo[i] = test.ok - 1
			}
			e, err := p.LogMarginal(t.Context(), n, pseudo, nil)
			if err != nil || math.Abs(e.Value) > 1e-12 {
				t.Errorf("α = %v without data: %v, %v", test.ok, e, err)
			}
			pseudo[0] = math.NaN()
			if e, err := p.LogMarginal(t.Context(), n, pseudo, nil); err == nil {
				t.Errorf("a pseudocount that is no number gives %v", e)
			}
		})
	}
}
