package infer

import (
	"bnlab/internal/pool"
)

// Expect adds to n, for each table entry, the expected count under the parameters theta,
//
//	Σ over cases  weight · P(parents' configuration, child's state | case),
//
// and returns the log-likelihood Σ weight · log P(case) of the observed cells, natural
// logarithm. Both slices are numbered by the network's layout; it panics when they are
// shorter. Rows of theta should sum to 1. The counts of each family sum to the weight of the
// cases.
//
// It returns an [*ImpossibleError] for a case of probability zero; n is then undefined. The
// result does not depend on the number of goroutines. (W00 Eqs. 2 and 17; R95 Eq. 3; N06 Algorithm 1, the E-step.)
func (p *Plan) Expect(n, theta []float64) (loglik float64, err error) {
	size := len(p.m.own.theta)
	n, theta = n[:size], theta[:size]
	loglik, err = p.m.logKnown(p.known, p.c, theta)
	if err != nil {
		return 0, err
	}
	p.AddObserved(n)
	hidden, err := p.each(parameters{theta: theta, densities: p.m.own.densities}, n, nil)
	if err != nil {
		return 0, err
	}
	return p.density + loglik + hidden, nil
}

// LogLikelihood returns the log-likelihood that Expect does.
func (p *Plan) LogLikelihood(theta []float64) (float64, error) {
	theta = theta[:len(p.m.own.theta)]
	loglik, err := p.m.logKnown(p.known, p.c, theta)
	if err != nil {
		return 0, err
	}
	hidden, err := p.each(parameters{theta: theta, densities: p.m.own.densities}, nil, nil)
	if err != nil {
		return 0, err
	}
	return p.density + loglik + hidden, nil
}

// result is what a chunk finds.
type result struct {
	loglik float64
	counts []float64
	err    error
}

// each runs all chunks and adds their results in order. It adds expected counts to total and
// writes those of linear-Gaussian leaves to shares, when these are not nil.
func (p *Plan) each(x parameters, total, shares []float64) (float64, error) {
	if len(p.chunks) < 2 {
		return p.run(chunk{0, len(p.tasks)}, x, total, shares)
	}
	results := make([]result, len(p.chunks))
	pool.Each(len(p.chunks), p.workers, func(i int) {
		r := &results[i]
		if total != nil {
			r.counts = make([]float64, len(total))
		}
		r.loglik, r.err = p.run(p.chunks[i], x, r.counts, shares)
	})
	loglik := 0.0
	for _, r := range results {
		if r.err != nil {
			return 0, r.err
		}
		loglik += r.loglik
		for cell, x := range r.counts {
			total[cell] += x
		}
	}
	return loglik, nil
}

// run passes up and, when counts are wanted, down the tasks of a chunk.
func (p *Plan) run(c chunk, x parameters, counts, shares []float64) (float64, error) {
	w := spaces.Get().(*workspace)
	defer spaces.Put(w)
	loglik := 0.0
	for _, t := range p.tasks[c.lo:c.hi] {
		if err := p.ended(); err != nil {
			return 0, err
		}
		err := p.m.up(t.tree, w, t.block, p.c, x, false)
		if err != nil {
			return 0, err
		}
		log, lost, k := t.logs(w, t.block)
		if k >= 0 {
			return 0, p.c.impossible(p.m.net, int(t.first[k]))
		}
		loglik += log
		if counts != nil || shares != nil {
			t.down(w, t.block, nil, lost)
		}
		if counts != nil {
			t.addCounts(w, t.block, counts)
		}
		if shares != nil {
			t.copyShares(w, t.block, shares[t.place:])
		}
		if log, err = p.runLost(&t, w, lost, x, counts, shares); err != nil {
			return 0, err
		}
		loglik += log
	}
	return loglik, nil
}
