package sharing

import (
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
)

// TestLaws follows one growing training set and checks, after each example, the
// estimates against three laws: PDKBN is the average of STBN within each group,
// both are the closed form (N_i + k_i) / (k_i (N + 50)) of N06 Theorem 1 with one
// virtual case a state, and their divergence is the closed form below.
func TestLaws(t *testing.T) {
	const tol = 1e-12 // sums of 50 terms of at most 1
	src := rand.NewPCG(3, 0)
	d := drawTruth(Paper(), rand.New(src))
	net, err := d.network()
	if err != nil {
		t.Fatal(err)
	}
	sampler, err := net.Sampler(src)
	if err != nil {
		t.Fatal(err)
	}
	free, err := newModel(net)
	if err != nil {
		t.Fatal(err)
	}
	tied, err := newModel(net, d.statement())
	if err != nil {
		t.Fatal(err)
	}
	single := make([][]int, 50)
	for state := range single {
		single[state] = []int{state}
	}
	groups := append([][]int(nil), d.groups...)
	for state := 25; state < 50; state++ {
		groups = append(groups, []int{state})
	}
	stepSTBN, stepPDKBN := newClosedForm(d.p, single), newClosedForm(d.p, groups)
	example := make([]bn.State, 1)
	for n := 1; n <= 1500; n++ {
		sampler.Draw(example, nil)
		free.add(example[0])
		tied.add(example[0])
		stbn, err := free.divergence(d.p)
		if err != nil {
			t.Fatal(err)
		}
		pdkbn, err := tied.divergence(d.p)
		if err != nil {
			t.Fatal(err)
		}
		if pdkbn < 0 || pdkbn > stbn+tol {
			t.Fatalf("after %d examples the divergences are %v (STBN) and %v (PDKBN)", n, stbn, pdkbn)
		}
		if want := stepSTBN.add(int(example[0])); math.Abs(stbn-want) > tol {
			t.Fatalf("after %d examples STBN's divergence is %v, the closed form %v", n, stbn, want)
		}
		if want := stepPDKBN.add(int(example[0])); math.Abs(pdkbn-want) > tol {
			t.Fatalf("after %d examples PDKBN's divergence is %v, the closed form %v", n, pdkbn, want)
		}
		for _, group := range groups {
			mean, count := 0.0, 0.0
			for _, state := range group {
				mean += free.theta[state] / float64(len(group))
				count += free.counts.N[state]
			}
			k := float64(len(group))
			want := (count + k) / (k * (float64(n) + 50))
			for _, state := range group {
				if got := tied.theta[state]; math.Abs(got-mean) > tol || math.Abs(got-want) > tol {
					t.Fatalf("after %d examples state %d has %v, the group's average is %v, the closed form %v", n,
						state, got, mean, want)
				}
			}
		}
		if n%100 == 0 {
			if err := free.check(); err != nil {
				t.Fatal(err)
			}
			if err := tied.check(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// closedForm follows KL(T, model) while the training set grows. With
// θ_i = (N_i + k_i) / (k_i (N + K)) over K states,
//
//	KL = Σ_j t_j log t_j − Σ_i T_i log((N_i + k_i) / k_i) + log(N + K),
//
// where T_i is T's probability of group i; an example changes one term of the
// second sum.
type closedForm struct {
	group []int // by state
	k     []float64
	mass  []float64
	count []float64
	n     float64
	truth float64 // Σ t log t
	fit   float64 // Σ T_i log((N_i + k_i) / k_i)
}

func newClosedForm(p []float64, groups [][]int) *closedForm {
	c := &closedForm{group: make([]int, len(p))}
	for i, group := range groups {
		mass := 0.0
		for _, state := range group {
			c.group[state] = i
			mass += p[state]
			c.truth += p[state] * math.Log(p[state])
		}
		c.k, c.mass, c.count = append(c.k, float64(len(group))), append(c.mass, mass), append(c.count, 0)
	}
	return c
}

func (c *closedForm) add(state int) float64 {
	i := c.group[state]
	term := func() float64 { return c.mass[i] * math.Log((c.count[i]+c.k[i])/c.k[i]) }
	c.fit -= term()
	c.count[i]++
	c.n++
	c.fit += term()
	return c.truth - c.fit + math.Log(c.n+float64(len(c.group)))
}
