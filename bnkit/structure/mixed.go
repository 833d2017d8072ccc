package structure

import (
	"context"
	"errors"
	"fmt"
	"math"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/structure/internal/count"
	"bnlab/internal/pool"
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
			return fmt.Errorf("structure: column %q: %w; discretise it first, for example with data.Quantiles", v.Name,
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
	const portion = 16
	var failed firstError
	pool.Each((len(regressions)+portion-1)/portion, workers, func(task int) {
		for _, i := range regressions[task*portion : min(len(regressions), (task+1)*portion)] {
			if ctx.Err() != nil {
				return
			}
			v, err := s.regress(ctx, families[i])
			if errors.Is(err, errImpossible) {
				v, err = math.Inf(-1), nil
			}
			if err != nil {
				failed.set(i, err)
				return
			}
			out[i] = v
		}
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	return failed.err
}

// regress scores the family of a continuous child.
func (s *Scorer) regress(ctx context.Context, f count.Family) (float64, error) {
	if _, _, err := size(s.vars, f); err != nil {
		return 0, err
	}
	r, err := s.numbers.regression(ctx, f)
	if err != nil {
		return 0, err
	}
	if r.scale = 1; s.missing == NodeAverage && r.rows > 0 {
		r.scale = s.own.total / r.rows
	}
	v, err := math.Inf(-1), error(nil)
	if r.rows > 0 || s.missing == RefuseMissing || len(f.Parents) == 0 {
		v, err = s.score.(gaussianScore).gaussian(r)
	}
	if s.prior != nil {
		v += s.logPrior(r.child, r.parents)
	}
	if err == nil && (math.IsNaN(v) || math.IsInf(v, 1)) {
		err = fmt.Errorf("the score is %v", v)
	}
	if err != nil {
		return 0, fmt.Errorf("structure: %s of %q given %s: %w", s.name, r.child.Name, quoted(s.vars, f.Parents), err)
	}
	return v, nil
}
