package constraint

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// tie joins nodes that an equality makes multiples of each other.
func (p *program) tie() (bool, error) {
	var u *multiples // nil until needed
	kept := p.relations[:0]
	for _, r := range p.relations {
		if !r.atMost && r.value == 0 && len(r.index) == 2 {
			if u == nil {
				u = p.scratch.ties.reset(p.nodes)
			}
			// coef_0 x_0 + coef_1 x_1 = 0
			if !u.join(r.index[0], r.index[1], -r.coef[1]/r.coef[0]) {
				return false, fmt.Errorf("%w: proportions contradict each other", errInfeasible)
			}
			continue
		}
		kept = append(kept, r)
	}
	p.relations = kept
	if u != nil {
		p.replaceTied(u)
	}
	return u != nil, nil
}

// A tying says which nodes were replaced: by the node where[old], of which they are scale[old]
// times as much. where is −1 for nodes that were not.
type tying struct {
	where []int
	scale []float64
}

// ratios moves blocks of equal proportions to the new nodes. It reports whether they stay
// proportions: all nodes of a block at one scale.
func (t *tying) ratios(ratios []ratio) (moved []ratio, ok bool) {
	for _, r := range ratios {
		var to ratio
		for _, block := range r.blocks {
			nodes, scale := slices.Clone(block), 0.0
			for i, node := range block {
				s := 1.0
				if node < len(t.where) && t.where[node] >= 0 {
					nodes[i], s = t.where[node], t.scale[node]
				}
				if i > 0 && s != scale {
					return nil, false
				}
				scale = s
			}
			to.blocks = append(to.blocks, nodes)
		}
		moved = append(moved, to)
	}
	return moved, true
}

// replaceTied makes one node of each set of multiples.
func (p *program) replaceTied(u *multiples) *tying {
	place := p.scratch.ints.take(p.nodes) // in order, plus one, by root
	var order []*tied
	for node := range p.nodes {
		root, scale := u.find(node)
		if u.size[root] < 2 {
			continue
		}
		if place[root] == 0 {
			order = append(order, &tied{
				old:   p.scratch.keptInts.take(u.size[root])[:0],
				scale: p.scratch.keptFloats.take(u.size[root])[:0],
			})
			place[root] = len(order)
		}
		t := order[place[root]-1]
		t.old, t.scale = append(t.old, node), append(t.scale, scale)
	}
	where, scale := p.scratch.ints.take(p.nodes), p.scratch.floats.take(p.nodes)
	for i := range where {
		where[i] = -1
	}
	for _, t := range order {
		leaves := 0.0
		for _, old := range t.old {
			leaves += p.leaves[old]
		}
		t.normalise()
		t.node = p.newNode(leaves)
		for i, old := range t.old {
			where[old], scale[old] = t.node, t.scale[i]
		}
		p.steps = append(p.steps, t)
	}
	p.rewrite(func(r *relation, i int) {
		if old := r.index[i]; old < len(where) && where[old] >= 0 {
			r.index[i] = where[old]
			r.coef[i] *= scale[old]
		}
	})
	return &tying{where, scale}
}

// normalise makes the largest of the old nodes as large as the new one, to a power of 2, which
// rounds nothing. A new node as small as the smallest would be zero to any tolerance where
// proportions are extreme.
func (t *tied) normalise() {
	_, exponent := math.Frexp(slices.Max(t.scale))
	for i := range t.scale {
		t.scale[i] = math.Ldexp(t.scale[i], 1-exponent)
	}
}

// alike ties what is left over in equalities that are otherwise the same: of
// M + L = 1 and M + L' = 1 it makes L = L'.
func (p *program) alike() (bool, error) {
	if len(p.relations) < 2 {
		return false, nil
	}
	p.scratch.count = zeroed(p.scratch.count, p.nodes)
	equalities := p.scratch.count
	for _, r := range p.relations {
		if !r.atMost {
			for _, node := range r.index {
				equalities[node]++
			}
		}
	}
	type first struct{ relation, local int }
	var seen map[string]first // nil until needed
	var u *multiples          // nil until needed
	var key []byte
	for k, r := range p.relations {
		if r.atMost || r.value == 0 || len(r.index) < 2 {
			continue
		}
		local := -1
		for i, node := range r.index {
			if equalities[node] == 1 {
				if local >= 0 {
					local = -2
					break
				}
				local = i
			}
		}
		if local < 0 {
			continue
		}
		key = key[:0]
		for i, node := range r.index {
			if i != local {
				key = binary.LittleEndian.AppendUint32(key, uint32(node))
				key = binary.LittleEndian.AppendUint64(key, rounded(r.coef[i]/r.value))
			}
		}
		f, ok := seen[string(key)]
		if !ok {
			if seen == nil {
				seen = make(map[string]first)
			}
			seen[string(key)] = first{k, local}
			continue
		}
		other := p.relations[f.relation]
		// coef/value · x agree
		ratio := (r.coef[local] / r.value) / (other.coef[f.local] / other.value)
		if ratio > 0 {
			if u == nil {
				u = p.scratch.ties.reset(p.nodes)
			}
			u.join(other.index[f.local], r.index[local], ratio)
		}
	}
	if u != nil {
		p.replaceTied(u)
	}
	return u != nil, nil
}
