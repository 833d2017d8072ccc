package learn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/internal/cores"
	"bnlab/internal/hitrun"
	"bnlab/internal/say"
)

// Draw draws the tables of the named variables from the posterior of a fit by [Averaged]: which statements are imposed
// is drawn by their weights, then the tables under them. Cases, when not nil, are those of a fit to cases with missing
// cells, which are drawn as well. Errors are those of [constraint.Problem.Draw] and [Result.Completion], and one for a
// result of another method.
func (w *Weighing) Draw(ctx context.Context, r *Result, cases *data.Table, set *constraint.Sampling,
	names ...string) (*constraint.Draws, error) {
	if r == nil || r.Net == nil || len(r.Counts) != r.Net.Layout().Len() {
		return nil, errors.New("learn: the result has no counts to draw tables from; fit again by learn.Averaged")
	}
	if set == nil || set.Src == nil {
		return nil, fmt.Errorf("learn: tables are drawn at random: %w", bn.ErrNoSource)
	}
	groups, base, err := w.groups(r.Net, r.Statements)
	if err != nil {
		return nil, err
	}
	if err := w.check(groups); err != nil {
		return nil, err
	}
	pseudo := r.Pseudocounts
	if pseudo == nil {
		pseudo = make([]float64, len(r.Counts))
	}
	var out *constraint.Draws
	if cases == nil {
		if out, err = base.Draw(ctx, r.Counts, pseudo, set, names...); err != nil {
			return out, err
		}
	}
	at := make(map[int]int) // by cell of the network, where it stands in a draw
	width := 0
	for _, name := range names {
		v, err := r.Net.Index(name)
		if err != nil {
			return nil, say.Errorf("learn: %w", err)
		}
		lo, hi := r.Net.Layout().Family(v)
		for cell := lo; cell < hi; cell++ {
			at[cell] = width
			width++
		}
	}
	if cases != nil {
		return w.drawCompleted(ctx, r, cases, pseudo, set, at)
	}
	rng := rand.New(set.Src)
	each := (len(out.Theta) + cores.Chains - 1) / cores.Chains
	for from := 0; from < len(out.Theta); from += each {
		part := out.Theta[from:min(from+each, len(out.Theta))]
		isPoor := make([]bool, len(part)) // by draw, its source
		for i := range isPoor {
			isPoor[i] = rng.Float64() < w.PoorAfter
		}
		for number, g := range groups {
			if err := ctx.Err(); err != nil {
				return nil, say.Errorf("learn: while tables were drawn: %w", err)
			}
			if err := w.drawGroup(ctx, part, r.Net, g, number, at, isPoor, r.Counts, pseudo, rng); err != nil {
				return nil, err
			}
		}
	}
	out.Exact = false
	out.SplitRhat, out.EffectiveDraws = hitrun.Compare(out.Theta, each, ctx.Err)
	return out, nil
}

// drawGroup overwrites, in draws of one chain, the cells of a group.
func (w *Weighing) drawGroup(ctx context.Context, draws [][]float64, net *bn.Network, g *group, number int,
	at map[int]int, isPoor []bool, n, pseudo []float64, rng *rand.Rand) error {
	asked := false
	for _, cell := range g.cells {
		_, ok := at[cell]
		asked = asked || ok
	}
	if !asked {
		return nil
	}
	strengths := g.strengths(w)
	var subsets []uint64
	var cumulated [2][]float64 // weights, of a reliable source and of a poor one
	top := math.Inf(-1)
	for _, s := range w.Subsets {
		if s.Group == number {
			top = max(top, s.LogMarginal)
		}
	}
	total := [2]float64{}
	for _, s := range w.Subsets {
		if s.Group != number {
			continue
		}
		var bits uint64
		for i, statement := range g.statements {
			for _, imposed := range s.Statements {
				if statement == imposed {
					bits |= 1 << i
				}
			}
		}
		subsets = append(subsets, bits)
		for k := range total {
			total[k] += math.Exp(logStrength(bits, strengths, k == 1) + s.LogMarginal - top)
			cumulated[k] = append(cumulated[k], total[k])
		}
	}
	which := make([][]int, len(subsets)) // draws of each
	for i, poor := range isPoor {
		k := 0
		if poor {
			k = 1
		}
		u := rng.Float64() * total[k]
		j := sort.SearchFloat64s(cumulated[k], u)
		if j >= len(subsets) {
			return errors.New("learn: the weights of the statements are not those of this network")
		}
		which[j] = append(which[j], i)
	}
	p := g.problem(n, pseudo)
	for j, list := range which {
		if len(list) == 0 {
			continue
		}
		theta, err := p.Draw(ctx, subsets[j], len(list), rng)
		if err != nil {
			return say.Errorf("learn: while tables were drawn: %w", err)
		}
		if theta == nil {
			return errors.New("learn: the weights of the statements are not those of this network")
		}
		for i, draw := range list {
			for local, x := range g.spread(theta[i], 1) {
				if to, ok := at[g.cells[local]]; ok {
					draws[draw][to] = x
				}
			}
		}
	}
	return nil
}
