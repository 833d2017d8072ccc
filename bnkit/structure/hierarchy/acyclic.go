package hierarchy

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/internal/rounding"
	"bnlab/internal/say"
)

// ranks returns the place of each variable in an order of all names.
func (h *Hierarchy) ranks(order []string) ([]int, error) {
	rank := make([]int, h.Len())
	seen := make([]bool, h.Len())
	for k, name := range order {
		v, err := h.Index(name)
		if err != nil {
			return nil, say.Errorf("hierarchy: the order of variables: %w", err)
		}
		if seen[v] {
			return nil, say.Errorf("hierarchy: the order of variables: %w: %q appears twice", bn.ErrDuplicate, name)
		}
		rank[v], seen[v] = k, true
	}
	if v := slices.Index(seen, false); v >= 0 {
		return nil, say.Errorf("hierarchy: the order of variables leaves out %q; it must name all, composites too",
			h.names[v])
	}
	return rank, nil
}

// A Dropped is an arc that a repair removed, and why.
type Dropped struct {
	structure.Arc
	Loss float64 // what the child's score lost
	Why  string
}

// String prints the arc and the reason.
func (d Dropped) String() string {
	return fmt.Sprintf("%s dropped, a loss of %.4g: %s", d.Arc, d.Loss, d.Why)
}

// mend drops from each cycle of a static network the arc whose loss lowers its child's score least, until no cycle
// is left; of losses that are equal but for rounding, the arc into the earliest child, and from its earliest parent.
// Then it drops the arcs that break a rule, if there is one. (B06 §2.2 names such a repair operator.)
func (r *run) mend(ctx context.Context, links Links, rule Rule) error {
	if !r.static || r.order != nil {
		return nil
	}
	for {
		var cycle *bn.CycleError
		if _, err := bn.NewDAG(r.h.names, links); !errors.As(err, &cycle) {
			if err != nil {
				return err
			}
			break
		}
		if err := r.dropWeakest(ctx, links, cycle.Path); err != nil {
			return err
		}
	}
	for again := rule != nil; again; {
		again = false
		for child := range links {
			for _, p := range slices.Clone(links[child]) {
				if rule.Allows(r.h, links, p, child) || slices.Contains(r.required[child], p) {
					continue
				}
				if err := r.drop(ctx, links, p, child, "the assumption held by an arc that was dropped"); err != nil {
					return err
				}
				again = true
			}
		}
	}
	return nil
}

// dropWeakest takes one arc out of a cycle.
func (r *run) dropWeakest(ctx context.Context, links Links, path []string) error {
	weakest, at := 0.0, [2]int{-1, -1} // child and parent
	for k := 0; k+1 < len(path); k++ {
		p, child := r.h.index[path[k]], r.h.index[path[k+1]]
		if slices.Contains(r.required[child], p) {
			continue
		}
		loss, tie, err := r.loss(ctx, links, p, child)
		if err != nil {
			return err
		}
		this := [2]int{child, p}
		if at[0] < 0 || loss < weakest-tie || loss <= weakest+tie && slices.Compare(this[:], at[:]) < 0 {
			weakest, at = loss, this
		}
	}
	return r.drop(ctx, links, at[1], at[0], "the weakest arc of the cycle "+strings.Join(path, " → "))
}

// loss is what the child's score loses without a parent, and a difference that tells nothing.
func (r *run) loss(ctx context.Context, links Links, parent, child int) (loss, tie float64, err error) {
	with := r.numbers(links[child])
	without := slices.DeleteFunc(slices.Clone(with), func(p int) bool { return p == r.parent[parent] })
	scores, err := r.scores.Families(ctx, r.child[child], [][]int{with, without})
	if err != nil {
		return 0, 0, err
	}
	return scores[0] - scores[1], 10 * rounding.Tol * max(1, math.Abs(scores[0])), nil
}

func (r *run) drop(ctx context.Context, links Links, parent, child int, why string) error {
	loss, _, err := r.loss(ctx, links, parent, child)
	if err != nil {
		return err
	}
	r.dropped = append(r.dropped, Dropped{structure.Arc{From: r.h.names[parent], To: r.h.names[child]}, loss, why})
	k := slices.Index(links[child], parent)
	links[child] = slices.Delete(slices.Clone(links[child]), k, k+1)
	return nil
}
