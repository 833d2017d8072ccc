package learn

import (
	"context"
	"fmt"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/internal/partition"
	"bnlab/internal/pool"
	"bnlab/internal/say"
)

// AveragedSharing is the posterior mean of the tables, from complete cases or their counts, when it is not known which
// rows of a table, or which states of a row, have equal probabilities (N06 §3.2): the mean over all partitions, each
// with its posterior probability, the parameters of each being uniform unless Pseudocount says otherwise. It is the
// estimate for what [bnlab/bnkit/learn/sharing] suggests: nothing is picked, so that little is lost where nothing is
// shared. Priors of partitions and limits are those of [bnlab/bnkit/learn/sharing.Average]; a table with more than 500
// rows is estimated without sharing. Linear-Gaussian nodes are fitted by least squares.
type AveragedSharing struct {
	// States averages over which states of a row are equally probable, row by row; otherwise over which rows are
	// the same.
	States bool `json:"states,omitempty"`
	// Runs averages over runs of neighbouring states, or rows: for ordinal variables whose neighbours are plausibly
	// tied.
	Runs bool `json:"runs,omitempty"`
	// Of are the variables whose tables may share parameters; nil means all.
	Of []string `json:"of,omitempty"`
	// Pseudocount is as in [PosteriorMean].
	Pseudocount float64 `json:"pseudocount,omitempty"`
	// Seed drives the sampling of more than ten rows or states.
	Seed uint64 `json:"seed,omitempty"`
}

var (
	_ estimator = AveragedSharing{}
	_ fitter    = AveragedSharing{}
)

// String names the method and its prior.
func (m AveragedSharing) String() string {
	what := "rows"
	if m.States {
		what = "states"
	}
	if m.Runs {
		what = "neighbouring " + what
	}
	if len(m.Of) > 0 {
		what += " of " + say.List(m.Of)
	}
	return fmt.Sprintf("posterior mean, %s, averaged over which %s are alike",
		MAP{Pseudocount: m.Pseudocount}.priors(), what)
}

func (m AveragedSharing) statements() []constraint.Constraint { return nil }

func (m AveragedSharing) gaussian(string) (*constraint.GaussianPrior, float64) { return nil, 0 }

func (m AveragedSharing) check() error { return MAP{Pseudocount: m.Pseudocount}.check() }

// A share is rows of which partitions are averaged, or one row of which those of its states are.
type share struct {
	rows   [][]float64
	dst    []float64
	among  bool // the rows; otherwise the states of one
	stderr float64
}

// mean returns the tables and the largest standard error of a probability that two are tied.
func (m AveragedSharing) mean(ctx context.Context, net *bn.Network, layout bn.Layout, n []float64, workers int) (
	theta []float64, stderr float64, err error) {
	for _, name := range m.Of {
		if _, err := net.Table(name); err != nil {
			return nil, 0, say.Errorf("learn: AveragedSharing.Of: %w", err)
		}
	}
	theta = make([]float64, len(n))
	var shares []*share
	for v := range net.Len() {
		t := net.CPT(v)
		if t == nil {
			continue
		}
		lo, hi := layout.Family(v)
		width := t.Child.Cardinality()
		rows := slices.Collect(slices.Chunk(n[lo:hi], width))
		for i, row := range rows {
			partition.Rows{Alpha: m.Pseudocount + 1}.Mean(theta[lo+i*width:lo+(i+1)*width], row, 1)
		}
		switch {
		case m.Of != nil && !slices.Contains(m.Of, t.Child.Name):
		case !m.States:
			shares = append(shares, &share{rows: rows, dst: theta[lo:hi], among: true})
		default:
			for i, row := range rows {
				dst := theta[lo+i*width : lo+(i+1)*width]
				shares = append(shares, &share{rows: [][]float64{row}, dst: dst})
			}
		}
	}
	pool.Each(len(shares), pool.Workers(workers), func(i int) {
		if ctx.Err() == nil {
			m.average(ctx, shares[i])
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, 0, say.Errorf("learn: while partitions were averaged: %w", err)
	}
	for _, s := range shares {
		stderr = max(stderr, s.stderr)
	}
	return theta, stderr, nil
}

// average writes the means over partitions; what has too many rows or states is left as it is, without sharing.
func (m AveragedSharing) average(ctx context.Context, s *share) {
	alpha := m.Pseudocount + 1
	var a *partition.Average
	if s.among {
		a = partition.Of(ctx, partition.Rows{Alpha: alpha}, s.rows, m.Runs, m.Seed)
	} else {
		a = partition.OfStates(ctx, s.rows[0], alpha, m.Runs, m.Seed)
	}
	if a != nil {
		copy(s.dst, slices.Concat(a.Mean...))
		s.stderr = a.StdErr
	}
}

func (m AveragedSharing) estimate(p *constraint.Problem, net *bn.Network, n []float64) (*constraint.Solution, error) {
	theta, _, err := m.mean(context.Background(), net, p.Layout(), n, 0)
	if err != nil {
		return nil, err
	}
	return &constraint.Solution{Theta: theta}, nil
}

// search is the whole fit to counts.
func (m AveragedSharing) search(ctx context.Context, p *problem, c *data.Counts, moments *data.Moments) (*Result,
	error) {
	theta, stderr, err := m.mean(ctx, p.net, p.tables.Layout(), c.N, p.workers)
	if err != nil {
		return nil, err
	}
	done := *p
	done.method = found{m, &constraint.Solution{Theta: theta}}
	r, err := done.fit(ctx, c, moments)
	if err != nil {
		return nil, err
	}
	pseudo := make([]float64, len(theta))
	for i := range pseudo {
		pseudo[i] = m.Pseudocount
	}
	r.Solution, r.Pseudocounts = nil, pseudo
	r.Means = &Means{Seed: m.Seed, Sharing: &m, StdErr: stderr}
	return r, nil
}
