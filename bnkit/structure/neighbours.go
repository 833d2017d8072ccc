package structure

import (
	"context"
	"math"
	"slices"

	"bnlab/bnkit/data"
	"bnlab/bnkit/structure/internal/count"
)

// neighbours scores the families that differ from a family in one parent, and keeps them: climbs from
// several orders meet the same families.
type neighbours struct {
	p    *task
	kept *cache[[]float64]
	meet *meeting // nil for a table in memory
	// asked, when not nil, is the number of families that were scored, for a single climb.
	asked *int
	// own has the families of rings scored beside their neighbours, for the scorer to keep.
	own bool
}

const (
	// keptNeighbours bounds the scores that neighbours keeps (64 MiB).
	keptNeighbours = 1 << 23
	// mostAround bounds the families that are scored in memory at a time.
	mostAround = 1 << 14
)

func newNeighbours(p *task) *neighbours {
	n := &neighbours{p: p, kept: newCache[[]float64](keptNeighbours / max(1, len(p.Scorer.vars)))}
	if _, inMemory := p.Scorer.src.(*data.Table); !inMemory {
		n.meet = newMeeting(n, 1)
	}
	return n
}

// A ring is a family and the scores of its neighbours, by the variable u that is added to its parents
// or, where it is one, taken from them; −∞ where the rules forbid that.
type ring struct {
	child   int
	parents []int
	scores  []float64
}

func (r *ring) key() []byte { return count.Family{Child: r.child, Parents: r.parents}.Key(nil) }

// of returns the scores in the ring of each of the children. What is not kept is scored in one batch.
func (n *neighbours) of(ctx context.Context, parents [][]int, children []int, workers int) ([][]float64, error) {
	rows := make([][]float64, len(children))
	var missed []*ring
	for i, v := range children {
		r := &ring{child: v, parents: parents[v]}
		row, ok := n.kept.get(v, r.key())
		if !ok {
			row = make([]float64, len(n.p.Scorer.vars))
			r.scores = row
			missed = append(missed, r)
		}
		rows[i] = row
	}
	switch {
	case len(missed) == 0:
		return rows, ctx.Err()
	case n.meet != nil:
		return rows, n.meet.score(ctx, missed, workers)
	}
	for some := range slices.Chunk(missed, max(1, mostAround/len(n.p.Scorer.vars))) {
		if err := n.score(ctx, some, workers); err != nil {
			return rows, err
		}
	}
	return rows, nil
}

// score fills in rings in one batch, and keeps them.
func (n *neighbours) score(ctx context.Context, rings []*ring, workers int) error {
	size := len(rings) * len(n.p.Scorer.vars)
	families, at := make([]count.Family, 0, size), make([]*float64, 0, size)
	for _, r := range rings {
		families, at = n.around(families, at, r)
	}
	if n.asked != nil {
		*n.asked += len(families)
	}
	around := len(families)
	if n.own {
		for _, r := range rings {
			families = append(families, count.Family{Child: r.child, Parents: r.parents, Add: len(r.parents) - 1})
		}
	}
	scores := make([]float64, len(families))
	if err := n.p.Scorer.compute(ctx, families, scores, workers); err != nil {
		return err
	}
	for i, score := range scores[:around] {
		*at[i] = score
	}
	for i, score := range scores[around:] {
		f := families[around+i]
		n.p.Scorer.scores.put(f.Child, f.Key(nil), score)
	}
	for _, r := range rings {
		n.kept.put(r.child, r.key(), r.scores)
	}
	return nil
}

// around lists the families of a ring and where their scores belong.
func (n *neighbours) around(families []count.Family, at []*float64, r *ring) ([]count.Family, []*float64) {
	limits := n.p.Limits
	v, parents := r.child, r.parents
	room := len(parents) < limits.MaxParents
	memory := make([]int, 0, len(r.scores)*(len(parents)+1))
	for u := range r.scores {
		r.scores[u] = math.Inf(-1)
		if room && limits.Allowed(u, v) && !slices.Contains(parents, u) {
			f := count.With(memory, v, parents, u)
			memory = memory[:len(memory)+len(f.Parents)]
			families, at = append(families, f), append(at, &r.scores[u])
		}
	}
	for _, u := range parents {
		if !limits.IsRequired(u, v) {
			families, at = append(families, count.Without(v, parents, u)), append(at, &r.scores[u])
		}
	}
	return families, at
}

// toggled is the family with u added to its parents, or taken from them where it is one.
func toggled(v int, parents []int, u int) count.Family {
	if slices.Contains(parents, u) {
		return count.Without(v, parents, u)
	}
	return count.With(nil, v, parents, u)
}
