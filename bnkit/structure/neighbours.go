package structure

import (
	"context"
	"math"
	"slices"
)

// neighbours scores the families that differ from a family in one parent, and keeps them: climbs from
// several orders meet the same families.
type neighbours struct {
	p    *Problem
	kept *cache[[]float64]
}

// Scores that neighbours keeps, at most (64 MiB).
const keptNeighbours = 1 << 23

func newNeighbours(p *Problem) *neighbours {
	return &neighbours{p, newCache[[]float64](keptNeighbours / max(1, len(p.Scorer.vars)))}
}

// of returns for each of the children its scores by the variable u that is added to its parents, or
// taken from them where it is one; −∞ where the rules forbid that. What is not kept is scored in one
// batch.
func (n *neighbours) of(ctx context.Context, parents [][]int, children []int, workers int) ([][]float64, error) {
	rows := make([][]float64, len(children))
	var families []family
	var at []*float64
	var missed []int
	for i, v := range children {
		var buffer [64]byte
		row, ok := n.kept.get(v, family{child: v, parents: parents[v]}.key(buffer[:0]))
		if !ok {
			row = make([]float64, len(n.p.Scorer.vars))
			families, at = n.around(families, at, v, parents[v], row)
			missed = append(missed, i)
		}
		rows[i] = row
	}
	scores := make([]float64, len(families))
	if err := n.p.Scorer.compute(ctx, families, scores, workers); err != nil {
		return nil, err
	}
	for i, score := range scores {
		*at[i] = score
	}
	for _, i := range missed {
		v := children[i]
		n.kept.put(v, family{child: v, parents: parents[v]}.key(nil), rows[i])
	}
	return rows, nil
}

// around lists the neighbours of a family and where in row their scores belong.
func (n *neighbours) around(families []family, at []*float64, v int, parents []int, row []float64) ([]family, []*float64) {
	limits := n.p.Limits
	room := len(parents) < limits.MaxParents
	families = slices.Grow(families, len(row))
	at = slices.Grow(at, len(row))
	memory := make([]int, 0, len(row)*(len(parents)+1))
	for u := range row {
		row[u] = math.Inf(-1)
		if room && limits.Allowed(u, v) && !slices.Contains(parents, u) {
			f := with(memory, v, parents, u)
			memory = memory[:len(memory)+len(f.parents)]
			families, at = append(families, f), append(at, &row[u])
		}
	}
	for _, u := range parents {
		if !limits.IsRequired(u, v) {
			families, at = append(families, without(v, parents, u)), append(at, &row[u])
		}
	}
	return families, at
}

// toggled is the family with u added to its parents, or taken from them where it is one.
func toggled(v int, parents []int, u int) family {
	if slices.Contains(parents, u) {
		return without(v, parents, u)
	}
	return with(nil, v, parents, u)
}
