package structure

import (
	"context"
	"errors"
	"math"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/structure/internal/count"
	"bnlab/internal/pool"
	"bnlab/internal/say"
)

// named is the name of a score with the kind of network that it is for.
func (m *moments) named(score Score) string {
	name := score.String()
	if _, ok := score.(BGe); ok || m == nil {
		return name
	}
	if len(m.numbers) == len(m.vars) {
		return "Gaussian " + name
	}
	return "conditional-Gaussian " + name
}

// Discrete returns an error for a continuous variable ([bn.ErrNotDiscrete]): two-slice networks and hierarchies are
// searched over states.
func (s *Scorer) Discrete() error {
	for _, v := range s.vars {
		if !v.IsDiscrete() {
			return say.Errorf("structure: column %q: %w; discretise it first, for example with data.Quantiles", v.Name,
				bn.ErrNotDiscrete)
		}
	}
	return nil
}

// isMixed reports whether a continuous variable would be the parent of a discrete one.
func isMixed(vars []bn.Variable, from, to int) bool {
	return !vars[from].IsDiscrete() && vars[to].IsDiscrete()
}

// computeMixed scores families where some variables are continuous: those of discrete ones by counts, and the
// others by moments.
func (s *Scorer) computeMixed(ctx context.Context, families []count.Family, out []float64, workers int) error {
	var tables, regressions []int
	var ask []count.Family
families:
	for i, f := range families {
		if s.numbers.place[f.Child] >= 0 {
			regressions = append(regressions, i)
			continue
		}
		for _, p := range f.Parents {
			if s.numbers.place[p] >= 0 {
				out[i] = math.Inf(-1)
				continue families
			}
		}
		tables, ask = append(tables, i), append(ask, f)
	}
	if len(ask) > 0 {
		scores := make([]float64, len(ask))
		if err := s.computeDiscrete(ctx, ask, scores, workers); err != nil {
			return err
		}
		for i, at := range tables {
			out[at] = scores[i]
		}
	}
	var groups [][2]int // of regressions that differ in one continuous parent
	for lo := 0; lo < len(regressions); {
		hi := lo + 1
		for hi < len(regressions) && s.numbers.together(families[regressions[lo]], families[regressions[hi]]) {
			hi++
		}
		groups = append(groups, [2]int{lo, hi})
		lo = hi
	}
	var failed firstError
	pool.Each(len(groups), workers, func(task int) {
		if ctx.Err() != nil {
			return
		}
		group := regressions[groups[task][0]:groups[task][1]]
		if err := s.regressAll(ctx, families, group, out); err != nil {
			failed.set(group[0], err)
		}
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	return failed.err
}

// together reports whether two families differ in one continuous parent only.
func (m *moments) together(f, g count.Family) bool {
	return f.Child == g.Child && len(f.Parents) == len(g.Parents) && f.Add >= 0 && g.Add >= 0 &&
		m.place[f.Parents[f.Add]] >= 0 && m.place[g.Parents[g.Add]] >= 0 && f.SameSplit(g)
}

// regressAll scores families of continuous children, the numbers of which it is given.
func (s *Scorer) regressAll(ctx context.Context, families []count.Family, of []int, out []float64) error {
	if len(of) > 1 {
		group, scores := make([]count.Family, len(of)), make([]float64, len(of))
		for i, at := range of {
			group[i] = families[at]
		}
		if _, _, err := size(s.vars, group[0]); err != nil {
			return err
		}
		done, err := s.ring(ctx, group, scores)
		if err != nil {
			return err
		}
		if done {
			for i, at := range of {
				out[at] = scores[i]
			}
			return nil
		}
	}
	for _, at := range of {
		v, err := s.regress(ctx, families[at])
		if errors.Is(err, errImpossible) {
			v, err = math.Inf(-1), nil
		}
		if err != nil {
			return err
		}
		out[at] = v
	}
	return nil
}

// regress scores the family of a continuous child. It returns an error that wraps errImpossible where
// the score is −∞.
func (s *Scorer) regress(ctx context.Context, f count.Family) (float64, error) {
	if _, _, err := size(s.vars, f); err != nil {
		return 0, err
	}
	r, err := s.regression(ctx, f)
	if err != nil {
		return 0, err
	}
	return s.scoreOf(r)
}

// rateRegression is the score of a regression; −∞ for an impossible one.
func (s *Scorer) rateRegression(r *regression) (float64, error) {
	v, err := s.scoreOf(r)
	if errors.Is(err, errImpossible) {
		return math.Inf(-1), nil
	}
	return v, err
}

// scoreOf is the score of a regression with the prior of the graph.
func (s *Scorer) scoreOf(r *regression) (float64, error) {
	of := s.own.of(s.vars[r.family.Child])
	if r.scale = 1; s.missing == NodeAverage && r.rows > 0 {
		r.scale = of / r.rows
	}
	v, err := math.Inf(-1), error(nil)
	if r.rows > 0 || s.missing == RefuseMissing || len(r.family.Parents) == 0 || of == 0 {
		v, err = s.score.(gaussianScore).gaussian(r)
	}
	if s.prior != nil {
		parents := make([]bn.Variable, len(r.family.Parents))
		for i, p := range r.family.Parents {
			parents[i] = s.vars[p]
		}
		v += s.logPrior(s.vars[r.family.Child], parents)
	}
	if err == nil && (math.IsNaN(v) || math.IsInf(v, 1)) {
		err = say.Errorf("the score is %v", v)
	}
	if err != nil {
		return 0, say.Errorf("structure: %s of %q given %s: %w", s.name, s.vars[r.family.Child].Name,
			quoted(s.vars, r.family.Parents), err)
	}
	return v, nil
}
