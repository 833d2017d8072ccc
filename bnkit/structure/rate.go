package structure

import (
	"context"
	"math"
	"slices"
	"sync"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/structure/internal/count"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// rate writes the scores of families to out.
func (s *Scorer) rate(ctx context.Context, families []count.Family, out []float64, workers int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var missed []int
	var buffer [64]byte
	for i, f := range families {
		if v, ok := s.scores.get(f.Child, f.Key(buffer[:0])); ok {
			out[i] = v
		} else {
			missed = append(missed, i)
		}
	}
	if len(missed) == 0 {
		return nil
	}
	ask := make([]count.Family, len(missed))
	for i, at := range missed {
		if ask[i] = families[at]; s.numbers != nil && s.numbers.place[ask[i].Child] >= 0 {
			ask[i].Add = -1 // digits that are kept do not depend on what is asked for beside
		}
	}
	scores := make([]float64, len(ask))
	if err := s.compute(ctx, ask, scores, workers); err != nil {
		return err
	}
	for i, at := range missed {
		out[at] = scores[i]
		s.scores.put(ask[i].Child, ask[i].Key(buffer[:0]), scores[i])
	}
	return nil
}

// compute is rate without keeping scores.
func (s *Scorer) compute(ctx context.Context, families []count.Family, out []float64, workers int) error {
	if s.numbers != nil {
		return s.computeMixed(ctx, families, out, workers)
	}
	return s.computeDiscrete(ctx, families, out, workers)
}

// computeDiscrete scores families of discrete variables.
func (s *Scorer) computeDiscrete(ctx context.Context, families []count.Family, out []float64, workers int) error {
	for _, f := range families {
		if _, _, err := size(s.vars, f); err != nil {
			return err
		}
	}
	if len(families) == 0 {
		return nil
	}
	var failed firstError
	err := s.each(ctx, families, workers, func(i int, c *Counts) {
		v, err := s.value(c)
		if err != nil {
			failed.set(i, say.Errorf("structure: %s of %q given %s: %w", s.name, c.Child.Name,
				quoted(s.vars, families[i].Parents), err))
			return
		}
		out[i] = v
	})
	if err == nil {
		err = failed.err
	}
	return err
}

// A firstError keeps the error of the first of several tasks, whatever the order they fail in.
type firstError struct {
	sync.Mutex
	at  int
	err error
}

func (f *firstError) set(at int, err error) {
	f.Lock()
	if f.err == nil || at < f.at {
		f.at, f.err = at, err
	}
	f.Unlock()
}

// value is the score of counts with the prior; −∞ for a family that is impossible, and for one of which
// no case has all values while there are cases.
func (s *Scorer) value(c *Counts) (v float64, err error) {
	if s.missing != RefuseMissing && len(c.Parents) > 0 && s.own.of(c.Child) > 0 && num.Sum(c.N) == 0 {
		return math.Inf(-1), nil
	}
	if t, ok := s.score.(fallibleScore); ok {
		v, err = t.TryFamily(c)
	} else {
		v = s.score.Family(c)
	}
	if s.prior != nil {
		v += s.logPrior(c.Child, c.Parents)
	}
	if err == nil && (math.IsNaN(v) || math.IsInf(v, 1)) {
		err = say.Errorf("the score is %v", v)
	}
	return v, err
}

// logPrior is what the prior of the graph gives to a family.
func (s *Scorer) logPrior(child bn.Variable, parents []bn.Variable) float64 {
	list := make([]string, len(parents))
	for i, p := range parents {
		list[i] = p.Name
	}
	return s.prior.LogPrior(child.Name, list)
}

// each hands the counts of the families to do, from several goroutines. They are do's only during
// the call.
func (s *Scorer) each(ctx context.Context, families []count.Family, workers int, do func(i int, c *Counts)) error {
	pool := sync.Pool{New: func() any { return new(Counts) }}
	fill := func(i int, n []float64, rows float64) *Counts {
		c := pool.Get().(*Counts)
		f := families[i]
		c.Child, c.R = s.vars[f.Child], s.vars[f.Child].Cardinality()
		c.Parents = c.Parents[:0]
		for _, p := range f.Parents {
			c.Parents = append(c.Parents, s.vars[p])
		}
		c.N, c.Q, c.Rows, c.Scale, c.logs = n, len(n)/c.R, rows, 1, s.logs
		if s.missing == NodeAverage && rows > 0 {
			c.Scale = s.own.of(c.Child) / rows
		}
		return c
	}
	if s.other == nil {
		return s.own.count(ctx, families, workers, func(i int, n []float64, rows float64) {
			c := fill(i, n, rows)
			do(i, c)
			pool.Put(c)
		})
	}
	own := make([][]float64, len(families))
	rows := make([]float64, len(families))
	err := s.own.count(ctx, families, workers, func(i int, n []float64, r float64) {
		own[i], rows[i] = slices.Clone(n), r
	})
	if err != nil {
		return err
	}
	return s.other.count(ctx, families, workers, func(i int, n []float64, r float64) {
		c := fill(i, own[i], rows[i])
		c.Other, c.OtherRows = n, r
		do(i, c)
		pool.Put(c)
	})
}

// size returns the numbers of configurations and counts of a family, or an error that names it when
// there are too many.
func size(vars []bn.Variable, f count.Family) (q, cells int, err error) {
	q, r := 1, max(1, vars[f.Child].Cardinality())
	for _, p := range f.Parents {
		card := max(1, vars[p].Cardinality())
		if q > count.MaxCells/card/r {
			return 0, 0, say.Errorf("structure: the family of %q with parents %s has more than %d counts; leave out "+
				"or merge columns of many states, or set a limit on parents (Rules.MaxParents)",
				vars[f.Child].Name, quoted(vars, f.Parents), count.MaxCells)
		}
		q *= card
	}
	return q, q * r, nil
}
