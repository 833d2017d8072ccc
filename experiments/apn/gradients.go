package apn

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
)

// A Gradient is how well likelihood weighting estimates the direction of the gradient at one
// stage of an ascent: the cosine of the angle to the exact one.
type Gradient struct {
	Iteration int // of the exact ascent; −1 is its end
	Samples   int // for each series
	Cosine    []float64
}

// An Effort is what an ascent with estimated gradients costs and brings.
type Effort struct {
	Name    string
	Samples []int     // the schedule
	Drawn   []float64 // slices, in millions
	// Below is by how much the log-likelihood at the end, computed exactly, is below that of the
	// exact ascent from the same start, in nats per series.
	Below []float64
}

// Names of the schedules.
const (
	growingName = "growing samples"
	fixedName   = "the most from the beginning"
)

func newGradients(c Time) []Gradient {
	var all []Gradient
	for _, iteration := range c.Stages {
		for _, n := range c.Samples {
			all = append(all, Gradient{iteration, n, make([]float64, c.SampledDraws)})
		}
	}
	return all
}

func newEffort(c Time) []Effort {
	most := make([]int, len(c.Samples))
	for i := range most {
		most[i] = c.Samples[len(c.Samples)-1]
	}
	all := []Effort{{Name: growingName, Samples: c.Samples}, {Name: fixedName, Samples: most}}
	for i := range all {
		all[i].Drawn, all[i].Below = make([]float64, c.SampledDraws), make([]float64, c.SampledDraws)
	}
	return all
}

// weigh compares estimated gradients with exact ones along an ascent, and the cost of the
// schedules, in one replicate.
func (r *Third) weigh(ctx context.Context, net *dbn.Network, s *dbn.Series, c Time, replicate int,
	src *rand.PCG) error {
	exact, err := net.Cases(s, &infer.Options{Workers: 1})
	if err != nil {
		return err
	}
	var path [][]float64
	start := net.Template().Clone()
	drawTables(start, rand.New(src))
	fit, err := learn.FitCases(ctx, start, exact, ascent, &learn.Settings{
		Workers: 1, Starts: 1, From: start, MaxIterations: maxIterations, Tolerance: tolerance,
		Progress: func(p learn.Progress) { path = append(path, slices.Clone(p.Theta)) },
	})
	if err != nil {
		return err
	}
	sampled, err := net.Sampled(s, c.Samples[0], src)
	if err != nil {
		return err
	}
	for i := range r.Gradients {
		g := &r.Gradients[i]
		at := len(path) - 1
		if g.Iteration >= 0 {
			at = min(at, g.Iteration)
		}
		if g.Cosine[replicate], err = agreement(exact, sampled, path[at], net.Template(), g.Samples); err != nil {
			return err
		}
	}
	for i := range r.Effort {
		e := &r.Effort[i]
		end, drawn, err := ascendSampled(ctx, net, s, c, e.Samples, start, src)
		if err != nil {
			return err
		}
		loglik, err := end.LogLikelihood(s)
		if err != nil {
			return err
		}
		e.Drawn[replicate], e.Below[replicate] = drawn, (fit.LogLikelihood-loglik)/float64(s.Len())
	}
	return nil
}

// agreement is the cosine of an estimated gradient with the exact one, in soft-max
// coordinates.
func agreement(exact *dbn.Cases, sampled *dbn.Sampled, theta []float64, net *bn.Network, samples int) (float64, error) {
	n, m := make([]float64, len(theta)), make([]float64, len(theta))
	if _, err := exact.Expect(n, theta); err != nil {
		return 0, err
	}
	if err := sampled.SetSamples(samples); err != nil {
		return 0, err
	}
	if _, err := sampled.Expect(m, theta); err != nil {
		return 0, err
	}
	return cosine(softmax(n, theta, net), softmax(m, theta, net)), nil
}

// softmax is the gradient by the coordinates β of θ = softmax(β) in each row, from expected
// counts,
//
//	∂L/∂β_cell = n_cell − θ_cell · Σ_row n.
func softmax(n, theta []float64, net *bn.Network) []float64 {
	g, layout := make([]float64, len(n)), net.Layout()
	for v := range net.Len() {
		for config := range net.CPT(v).Configs().Len() {
			lo, hi := layout.Row(v, config)
			total := 0.0
			for _, k := range n[lo:hi] {
				total += k
			}
			for cell := lo; cell < hi; cell++ {
				g[cell] = n[cell] - theta[cell]*total
			}
		}
	}
	return g
}

// cosine is that of the angle between two vectors.
func cosine(a, b []float64) float64 {
	ab, aa, bb := 0.0, 0.0, 0.0
	for i := range a {
		ab, aa, bb = ab+a[i]*b[i], aa+a[i]*a[i], bb+b[i]*b[i]
	}
	return ab / math.Sqrt(max(aa*bb, math.SmallestNonzeroFloat64))
}
