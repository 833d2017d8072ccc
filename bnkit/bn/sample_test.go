package bn

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/internal/numtest"
)

func mustSampler(t testing.TB, n *Network, seed uint64) *Sampler {
	t.Helper()
	s, err := n.Sampler(rand.NewPCG(seed, 0))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// joint calls f with every state of a discrete network and its probability.
func joint(n *Network, f func(states []int, p float64)) {
	states := make([]int, n.Len())
	var walk func(i int, p float64)
	walk = func(i int, p float64) {
		if i == n.Len() {
			f(states, p)
			return
		}
		v := n.DAG().Order()[i]
		given := []int{}
		for _, parent := range n.DAG().Parents(v) {
			given = append(given, states[parent])
		}
		for state, q := range n.CPT(v).Row(n.CPT(v).Configs().Index(given)) {
			states[v] = state
			walk(i+1, p*q)
		}
	}
	walk(0, 1)
}

// TestSamplerFrequencies compares the frequency of each family's joint states with
// their exact probabilities, summed over all 256 states. Four standard errors are
// passed by chance once in 16,000 times; the seed is fixed.
func TestSamplerFrequencies(t *testing.T) {
	n := clinic(t)
	const cases = 200_000
	key := func(v int, state func(v int) int) string {
		s := fmt.Sprint(n.Variable(v).Name, "=", state(v))
		for _, p := range n.DAG().Parents(v) {
			s += fmt.Sprint(" ", n.Variable(p).Name, "=", state(p))
		}
		return s
	}
	want := map[string]float64{}
	joint(n, func(states []int, p float64) {
		for v := range n.Len() {
			want[key(v, func(v int) int { return states[v] })] += p
		}
	})
	got := map[string]int{}
	s := mustSampler(t, n, 1)
	states := make([]State, n.Len())
	for range cases {
		s.Draw(states, nil)
		for v := range n.Len() {
			got[key(v, func(v int) int { return int(states[v]) })]++
		}
	}
	for key, p := range want {
		se := math.Sqrt(p * (1 - p) / cases)
		numtest.Close(t, float64(got[key])/cases, p, 4*se, 0)
		if p == 0 && got[key] > 0 {
			t.Errorf("%s has probability 0 and was drawn %d times", key, got[key])
		}
	}
	for key := range got {
		if _, ok := want[key]; !ok {
			t.Errorf("%s was drawn and is no state", key)
		}
	}
}

// extreme is a source whose values make Float64 return its least and its greatest value.
type extreme struct{ high bool }

func (e extreme) Uint64() uint64 {
	if e.high {
		return math.MaxUint64
	}
	return 0
}

// TestSamplerZero draws with the extreme values of the source, where rounding could
// let a state of probability 0 through, from few and from many states.
func TestSamplerZero(t *testing.T) {
	for _, card := range []int{3, 4, 16, 17, 40} {
		states := make([]string, card)
		for i := range states {
			states[i] = fmt.Sprint(i)
		}
		n, err := New("[x]", Discrete("x", states...))
		if err != nil {
			t.Fatal(err)
		}
		row := n.CPT(0).Row(0)
		clear(row)
		for i := 1; i < card-1; i++ {
			row[i] = 0.9999995 / float64(card-2) // first and last are impossible, the sum is below 1
		}
		for _, c := range []struct {
			src  rand.Source
			want int
		}{{extreme{false}, 1}, {extreme{true}, card - 2}} {
			s, err := n.Sampler(c.src)
			if err != nil {
				t.Fatal(err)
			}
			got := []State{Missing}
			s.Draw(got, nil)
			if int(got[0]) != c.want {
				t.Errorf("of %d states, state %d was drawn, want %d", card, got[0], c.want)
			}
		}
	}
}

func TestSamplerSeed(t *testing.T) {
	n := mixed(t)
	draw := func(seed uint64) string {
		s := mustSampler(t, n, seed)
		states, values := make([]State, 3), make([]float64, 3)
		var b strings.Builder
		for range 20 {
			s.Draw(states, values)
			fmt.Fprintln(&b, states[0], values[1], values[2])
		}
		return b.String()
	}
	first, again, other := draw(1), draw(1), draw(2)
	if first != again {
		t.Error("the same seed gives other draws")
	}
	if first == other {
		t.Error("another seed gives the same draws")
	}
}

// TestSamplerGaussian compares the moments of a linear-Gaussian child, by
// configuration, with those computed by hand.
func TestSamplerGaussian(t *testing.T) {
	n := mixed(t)
	arm, dose, effect := n.Variable(0), n.Variable(1), n.Variable(2)
	if err := n.SetTable("arm", "placebo drug both\n 0.2 0.5 0.3"); err != nil {
		t.Fatal(err)
	}
	for _, g := range []*LinearGaussian{
		{Child: dose, Intercept: []float64{3}, Weights: [][]float64{nil}, Variance: []float64{4}},
		{
			Child: effect, Discrete: []Variable{arm}, Continuous: []Variable{dose},
			Intercept: []float64{1, -2, 10}, Weights: [][]float64{{0}, {0.5}, {-1}}, Variance: []float64{1, 0.25, 0},
		},
	} {
		if err := n.SetGaussian(g); err != nil {
			t.Fatal(err)
		}
	}
	// E = a + b·3, Var = b²·4 + s, Cov(dose, effect) = b·4.
	mean, variance, covariance := []float64{1, -0.5, 7}, []float64{1, 1.25, 4}, []float64{0, 2, -4}
	var count, sum, squares, products [3]float64
	s := mustSampler(t, n, 3)
	states, values := []State{Missing, 77, 78}, []float64{99, 0, 0}
	const cases = 200_000
	for range cases {
		s.Draw(states, values)
		a := states[0]
		y := values[2] - mean[a]
		count[a]++
		sum[a] += y
		squares[a] += y * y
		products[a] += y * (values[1] - 3)
	}
	if states[1] != 77 || states[2] != 78 || values[0] != 99 {
		t.Errorf("Draw wrote to entries of the other kind: %v, %v", states, values)
	}
	for a, k := range count {
		// Standard errors of the mean, the variance (2σ⁴/n) and the covariance
		// ((σx²σy² + cov²)/n) of normal variables; four of each.
		numtest.Close(t, sum[a]/k, 0, 4*math.Sqrt(variance[a]/k), 0)
		numtest.Close(t, squares[a]/k, variance[a], 4*variance[a]*math.Sqrt(2/k), 0)
		numtest.Close(t, products[a]/k, covariance[a], 4*math.Sqrt((4*variance[a]+covariance[a]*covariance[a])/k), 0)
		p := []float64{0.2, 0.5, 0.3}[a]
		numtest.Close(t, k/cases, p, 4*math.Sqrt(p*(1-p)/cases), 0)
	}
}

func TestNewSamplerErrors(t *testing.T) {
	n := clinic(t)
	if _, err := n.Sampler(nil); !errors.Is(err, ErrNoSource) || !strings.HasPrefix(err.Error(), "bn: ") {
		t.Errorf("error %v, want one that wraps %v", err, ErrNoSource)
	}
	n.CPT(0).P[0] = 0.5
	if _, err := n.Sampler(rand.NewPCG(1, 0)); err == nil ||
		!strings.Contains(err.Error(), `the probabilities of "asia" sum to 0.51, not 1`) {
		t.Errorf("error %v", err)
	}
}

func TestSamplerKeepsTables(t *testing.T) {
	n := mixed(t)
	if err := n.SetTable("arm", "placebo drug both\n 0 1 0"); err != nil {
		t.Fatal(err)
	}
	s := mustSampler(t, n, 1)
	if err := n.SetTable("arm", "placebo drug both\n 1 0 0"); err != nil {
		t.Fatal(err)
	}
	n.Gaussian(2).Intercept[1] = 1e9
	states, values := make([]State, 3), make([]float64, 3)
	s.Draw(states, values)
	if states[0] != 1 || values[2] > 1e8 {
		t.Errorf("the sampler changed with the network: %v, %v", states, values)
	}
}

func TestDrawDoesNotAllocate(t *testing.T) {
	s := mustSampler(t, mixed(t), 1)
	states, values := make([]State, 3), make([]float64, 3)
	if n := testing.AllocsPerRun(100, func() { s.Draw(states, values) }); n > 0 {
		t.Errorf("%v allocations a draw, want 0", n)
	}
}

func TestPick(t *testing.T) {
	for _, r := range []int{1, 2, 16, 17, 100} {
		cum := make([]float64, r)
		for i := range cum {
			cum[i] = float64(i+1) / float64(r)
		}
		cum[r-1] = math.Inf(1)
		for i := range r {
			for _, u := range []float64{float64(i) / float64(r), (float64(i) + 0.5) / float64(r)} {
				if got, want := pick(cum, u), slices.IndexFunc(cum,
					func(c float64) bool { return u < c }); got != want {
					t.Errorf("pick of %d states at %v = %d, want %d", r, u, got, want)
				}
			}
		}
	}
}

// BenchmarkDraw draws cases of a network of the size of alarm: 37 variables of two to
// four states, each with up to three parents.
func BenchmarkDraw(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 0))
	names, parents, vars := make([]string, 37), make([][]int, 37), make([]Variable, 37)
	for v := range names {
		names[v] = fmt.Sprint("v", v)
		vars[v] = Discrete(names[v], []string{"low", "normal", "high", "extreme"}[:2+rng.IntN(3)]...)
		parents[v] = rng.Perm(v)[:min(v, rng.IntN(4))]
	}
	g, err := NewDAG(names, parents)
	if err != nil {
		b.Fatal(err)
	}
	n, err := NewNetwork(g, vars)
	if err != nil {
		b.Fatal(err)
	}
	for v := range vars {
		randomise(rng, n.CPT(v))
	}
	s := mustSampler(b, n, 1)
	states := make([]State, n.Len())
	b.ReportAllocs()
	for b.Loop() {
		s.Draw(states, nil)
	}
}
