package constraints

import (
	"math"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/metric"
	"bnlab/internal/say"
)

// A Divergence is the distance of an estimate from the truth in nats, in the distributions
// that statements bind. For a table it is the mean over the bound configurations c,
//
//	Σ_c P(c) KL(p(·|c), q(·|c)) / Σ_c P(c),
//
// and for a linear-Gaussian node without discrete parents, with the truth N(z'w, σ²),
// z = [1, x], and the estimate N(z'ŵ, s²),
//
//	E_x KL = ½ [log(s²/σ²) + (σ² + E[(z'(ŵ − w))²])/s² − 1].
type Divergence struct {
	truth  *bn.Network
	target int
	weight []float64 // by configuration of a table, 0 where no statement binds; they sum to 1
	second []float64 // E[zz'] of a linear-Gaussian node, by rows
}

// NewDivergence finds what the statements of a scene bind. The parents of a table have no
// parents themselves in any scene, and it returns an error where they do.
func NewDivergence(s Scene) (*Divergence, error) {
	d := &Divergence{truth: s.Truth}
	var err error
	if d.target, err = s.Truth.Index(s.Target); err != nil {
		return nil, err
	}
	if s.Truth.Gaussian(d.target) != nil {
		d.second, err = secondMoments(s.Truth, d.target)
		return d, err
	}
	t, parents := s.Truth.CPT(d.target), s.Truth.DAG().Parents(d.target)
	d.weight = make([]float64, t.Configs().Len())
	_, configs, err := bound(s.Truth, s.Statements)
	if err != nil {
		return nil, err
	}
	for _, config := range configs {
		d.weight[config] = 1
	}
	total := 0.0
	for config := range d.weight {
		for i, state := range t.Configs().States(nil, config) {
			if len(s.Truth.DAG().Parents(parents[i])) > 0 {
				return nil, say.Errorf("constraints: %q has parents", s.Truth.Variable(parents[i]).Name)
			}
			d.weight[config] *= s.Truth.CPT(parents[i]).P[state]
		}
		total += d.weight[config]
	}
	for config := range d.weight {
		d.weight[config] /= total
	}
	return d, nil
}

// Of returns the divergence of an estimate.
func (d *Divergence) Of(estimate *bn.Network) (float64, error) {
	if d.second != nil {
		return d.gaussian(d.truth.Gaussian(d.target), estimate.Gaussian(d.target)), nil
	}
	sum := 0.0
	for config, w := range d.weight {
		if w > 0 {
			kl, err := metric.KL(d.truth.CPT(d.target).Row(config), estimate.CPT(d.target).Row(config))
			if err != nil {
				return 0, err
			}
			sum += w * kl
		}
	}
	return sum, nil
}

func (d *Divergence) gaussian(p, q *bn.LinearGaussian) float64 {
	delta := append([]float64{q.Intercept[0] - p.Intercept[0]}, q.Weights[0]...)
	for i, w := range p.Weights[0] {
		delta[i+1] -= w
	}
	square := 0.0
	for i, a := range delta {
		for j, b := range delta {
			square += a * b * d.second[i*len(delta)+j]
		}
	}
	return (math.Log(q.Variance[0]/p.Variance[0]) + (p.Variance[0]+square)/q.Variance[0] - 1) / 2
}

// secondMoments returns E[zz'], z = [1, x], of the continuous parents x of a variable,
// where all variables are linear-Gaussian: each is its intercept, a sum of its parents
// and noise, so with [1, x] in the order of the graph the moments follow one by one.
func secondMoments(net *bn.Network, target int) ([]float64, error) {
	n := net.Len()
	moment := make([]float64, (n+1)*(n+1)) // of 1 and the variables
	moment[0] = 1
	at := func(i, j int) *float64 { return &moment[i*(n+1)+j] }
	var known = []int{0}
	for _, v := range net.DAG().Order() {
		g := net.Gaussian(v)
		if g == nil || g.Configs().Len() > 1 {
			return nil, say.Errorf("constraints: %q is not a linear function of numbers alone", net.Variable(v).Name)
		}
		parents := net.DAG().Parents(v)
		with := func(i int) float64 { // E[(intercept + Σ w x) · variable i]
			sum := g.Intercept[0] * *at(0, i)
			for k, p := range parents {
				sum += g.Weights[0][k] * *at(p+1, i)
			}
			return sum
		}
		for _, i := range known {
			*at(i, v+1) = with(i)
			*at(v+1, i) = *at(i, v+1)
		}
		*at(v+1, v+1) = with(v+1) + g.Variance[0]
		known = append(known, v+1)
	}
	z := []int{0}
	for _, p := range net.DAG().Parents(target) {
		z = append(z, p+1)
	}
	var second []float64
	for _, i := range z {
		for _, j := range z {
			second = append(second, *at(i, j))
		}
	}
	return second, nil
}
