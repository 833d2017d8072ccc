package structure

import (
	"context"
	"math"

	"bnlab/bnkit/structure/internal/count"
	"bnlab/bnkit/structure/internal/require"
)

// A bounded score knows how high families with many parents can be, so that a search may leave
// them out.
type bounded interface {
	Score
	// Bound returns a number that neither the family of these counts passes nor any family of
	// the same child with these parents and more, from the same rows; +Inf when it knows none. With
	// N nil it goes by the sizes R, Q and Rows only.
	Bound(c *Counts) float64
}

var (
	_ bounded = LogLikelihood{}
	_ bounded = BIC{}
	_ bounded = AIC{}
	_ bounded = BDeu{}
	_ bounded = K2{}
)

// Bound implements [bounded]: a log-likelihood of discrete cases is at most 0.
func (LogLikelihood) Bound(*Counts) float64 { return 0 }

// Bound implements [bounded]. The log-likelihood is at most 0, and the penalty
//
//	log(Rows)/2 · (R−1) · Q
//
// grows with every parent, since each multiplies Q by its number of states; so the family and
// all with more parents are at most −penalty. (The argument of de Campos and Ji 2011, Lemma 2.)
func (BIC) Bound(c *Counts) float64 { return -0.5 * math.Log(max(c.Rows, 1)) * c.free() }

// Bound implements [bounded] as that of [BIC], with the penalty (R−1)·Q.
func (AIC) Bound(c *Counts) float64 { return -c.free() }

// Bound implements [bounded]. With the same Dirichlet parameter a for each state of a configuration, whatever it is,
//
//	family ≤ −log R · Σ over cells min(N[cell], 1).
//
// Proof. Let a configuration have counts n_k and add them up to the marginal likelihood in this
// order: of each state in turn the first min(n_k, 1), then the rest. Its logarithm changes
// by the integral of ψ(a + n_k) − ψ(Ra + n), where n ≥ n_k is what all states have so far. As ψ
// rises, that is never positive, and while state k gets its first w it is no more than with
// n = n_k, whose integral
//
//	f(w) = log Γ(a+w)/Γ(a) − log Γ(Ra+w)/Γ(Ra)
//
// is convex, as ψ' falls, with f(0) = 0 and f(1) = log(a/Ra) = −log R; so f(w) ≤ −w·log R for w
// in [0, 1]. A further parent splits each cell into several, with a smaller, and min(x, 1) + min(y, 1) ≥
// min(x+y, 1): the bound of the larger family is no higher. For whole counts Σ min is the
// number of cells that occur. (For the number of configurations that occur, the weaker bound of
// de Campos and Ji 2011, §4.3.)
func (BDeu) Bound(c *Counts) float64 { return boundByCells(c) }

// Bound implements [bounded] as that of [BDeu]: the Dirichlet parameter is 1 for each state.
func (K2) Bound(c *Counts) float64 { return boundByCells(c) }

func boundByCells(c *Counts) float64 {
	occur := 0.0
	for _, n := range c.N {
		occur += min(n, 1)
	}
	return -math.Log(float64(c.R)) * occur
}

// boundsOf returns the bounds of what s scores for the child, nil when there are none, such as for
// scores of somebody else's.
func boundsOf(s Families, child int) *bounds {
	switch s := s.(type) {
	case *Scorer:
		return s.bounds(child)
	case require.Scores:
		b := boundsOf(s.Of, child)
		if b != nil {
			b.fixed = require.Union(b.fixed, s.Fixed)
		}
		return b
	}
	return nil
}

// bounds are bounds of one child's families by the set of its parents.
type bounds struct {
	s     *Scorer
	score bounded
	child int
	rows  float64
	fixed []int // parents that every family has, ascending
	// sizesOnly: counts add nothing to what sizes tell.
	sizesOnly bool
}

// bounds returns the bounds of a child's families, nil when there are none: a prior can favour a larger family,
// with missing cells or interventions families are of different rows, and densities have no bound.
func (s *Scorer) bounds(child int) *bounds {
	score, ok := s.score.(bounded)
	if _, fails := s.score.(fallibleScore); !ok || fails || s.numbers != nil || s.prior != nil ||
		s.missing != RefuseMissing || intervened(s.src) {
		return nil
	}
	b := &bounds{s: s, score: score, child: child, rows: s.own.total}
	switch score.(type) {
	case LogLikelihood, BIC, AIC:
		b.sizesOnly = true
	}
	return b
}

// mostConfigs stands for a number of parent configurations that is larger still.
const mostConfigs = min(1<<50, math.MaxInt)

// bySize bounds a set of parents, and those that contain it, by the sizes of the family.
func (b *bounds) bySize(set []int) float64 {
	vars := b.s.vars
	c := Counts{Child: vars[b.child], R: vars[b.child].Cardinality(), Q: 1, Rows: b.rows, Scale: 1}
	for _, p := range require.Union(set, b.fixed) {
		if card := vars[p].Cardinality(); c.Q > mostConfigs/card {
			c.Q = mostConfigs
		} else {
			c.Q *= card
		}
	}
	return b.score.Bound(&c)
}

// scored returns the scores of sets of parents and bounds by their counts, of the sets and those that contain
// them.
func (b *bounds) scored(ctx context.Context, sets [][]int) (scores, highs []float64, err error) {
	scores, highs = make([]float64, len(sets)), make([]float64, len(sets))
	for first := 0; first < len(sets); first += batch {
		part := sets[first:min(first+batch, len(sets))]
		families := make([]count.Family, len(part))
		for i, set := range part {
			if families[i], err = b.s.family(b.child, require.Union(set, b.fixed)); err == nil {
				_, _, err = size(b.s.vars, families[i])
			}
			if err != nil {
				return nil, nil, err
			}
		}
		count.Group(families)
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		err := b.s.each(ctx, families, b.s.workers, func(i int, c *Counts) {
			scores[first+i], highs[first+i] = b.score.Family(c), b.score.Bound(c)
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return scores, highs, nil
}
