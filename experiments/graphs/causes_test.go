package graphs

import (
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// TestCauses: what is said of simulated causes holds in their tables, and of the false quarter some does not.
func TestCauses(t *testing.T) {
	ors, shared := 0, 0
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 0))
		net, err := drawCauses(rng)
		if err != nil {
			t.Fatal(err)
		}
		s, err := newStudy(net, 1, rng, rand.New(rand.NewPCG(seed, 1)))
		if err != nil {
			t.Fatal(err)
		}
		for learner, want := range map[string]bool{sharing: true, noisyOR: true, several: true, falseSharing: false,
			falseNoisyOR: false, falseSeveral: false} {
			if len(s.said[learner].statements) == 0 {
				continue
			}
			if holds := farthest(t, net, s.said[learner].statements) < 1e-6; holds != want {
				t.Errorf("seed %d, %s: what is said holds: %v, want %v", seed, learner, holds, want)
			}
		}
		for v := range net.Len() {
			if c := net.CPT(v); c.Child.Cardinality() == 2 && len(c.Parents) > 1 {
				ors++
			}
		}
		ors -= len(s.said[noisyOR].statements)
		shared += len(s.said[sharing].statements)
	}
	if ors > 0 || shared < 40 {
		t.Errorf("%d noisy-ORs are not said, %d groups of rows are", ors, shared)
	}
}

// farthest is by how much the tables of a network change when they are fitted to themselves under statements.
func farthest(t *testing.T, net *bn.Network, list []constraint.Constraint) float64 {
	t.Helper()
	p, err := constraint.Compile(net, list...)
	if err != nil {
		t.Fatal(err)
	}
	var theta []float64
	for v := range net.Len() {
		theta = append(theta, net.CPT(v).P...)
	}
	dst, far := make([]float64, len(theta)), 0.0
	if err := p.Maximize(dst, theta); err != nil {
		t.Fatal(err)
	}
	for i := range dst {
		far = math.Max(far, math.Abs(dst[i]-theta[i]))
	}
	return far
}

// TestProduct by hand: of two causes that fail with .8 and .5, and of two of which only both together do anything.
func TestProduct(t *testing.T) {
	net, err := bn.New("[a][b][c|a:b]", bn.Discrete("a", "0", "1"), bn.Discrete("b", "0", "1"),
		bn.Discrete("c", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := net.DAG().Index("c")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		absent    [4]float64
		noisyORs  int
		equalRows int
	}{{[4]float64{1, .5, .8, .4}, 1, 0}, {[4]float64{.9, .9, .9, .2}, 0, 1}, {[4]float64{0, .6, 0, 1}, 1, 1}} {
		for config, p := range x.absent {
			net.CPT(c).Row(config)[0], net.CPT(c).Row(config)[1] = p, 1-p
		}
		if got := noisyORsOf(net); len(got) != x.noisyORs {
			t.Errorf("%v: %v", x.absent, got)
		}
		var tied []constraint.Constraint
		for _, s := range contextsOf(net) {
			if s.(constraint.ShareAcross).Var == "c" {
				tied = append(tied, s)
			}
		}
		if len(tied) != x.equalRows {
			t.Errorf("%v: %v", x.absent, tied)
		}
	}
}
