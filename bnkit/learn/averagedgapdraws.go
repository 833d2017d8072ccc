package learn

import (
	"context"
	"errors"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/internal/hitrun"
	"bnlab/internal/pool"
	"bnlab/internal/say"
)

// completedDraws is the number of draws where the setting is 0.
const completedDraws = 4000

// drawCompleted draws tables together with the missing cells; at has where a cell of the network stands in a draw. When
// ctx is done, its error comes with the draws that were made by then.
func (w *Weighing) drawCompleted(ctx context.Context, r *Result, cases *data.Table, pseudo []float64,
	set *constraint.Sampling, at map[int]int) (*constraint.Draws, error) {
	m := w.Method(r.Statements, PosteriorMean{Alpha: alphaOf(r.Net, pseudo), Seed: set.Src.Uint64()})
	p, err := constraint.Compile(r.Net, r.Statements...)
	if err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	count := set.Draws
	if count == 0 {
		count = completedDraws
	}
	each := (count + gapChains - 1) / gapChains
	drawn, errs := make([][][]float64, gapChains), make([]error, gapChains)
	chains := make([]*gapChain, gapChains)
	for i := range chains {
		if chains[i], err = m.gapChain(p, r.Net, cases, uint64(i)); err != nil {
			return nil, err
		}
	}
	pool.Each(gapChains, pool.Workers(0), func(i int) {
		for k := range gapBurnIn + each {
			if _, errs[i] = chains[i].sweep(ctx); errs[i] != nil {
				return
			}
			if k >= gapBurnIn {
				theta := make([]float64, len(at))
				for cell, to := range at {
					theta[to] = chains[i].theta[cell]
				}
				drawn[i] = append(drawn[i], theta)
			}
		}
	})
	out := &constraint.Draws{Planned: count}
	if err = errors.Join(errs...); err != nil && ctx.Err() == nil {
		return nil, err
	}
	for _, list := range drawn { // an interruption leaves them of different lengths
		each = min(each, len(list))
	}
	for _, list := range drawn {
		out.Theta = append(out.Theta, list[:each]...)
	}
	if each == 0 {
		return nil, err
	}
	out.SplitRhat, out.EffectiveDraws = hitrun.Compare(out.Theta, each, ctx.Err)
	return out, err
}

// alphaOf are the Dirichlet counts of tables that pseudocounts stand for.
func alphaOf(net *bn.Network, pseudo []float64) map[string][]float64 {
	alpha := make(map[string][]float64)
	for v, x := range net.Variables() {
		lo, hi := net.Layout().Family(v)
		for cell := lo; cell < hi; cell++ {
			alpha[x.Name] = append(alpha[x.Name], pseudo[cell]+1)
		}
	}
	return alpha
}
