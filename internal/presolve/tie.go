package presolve

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// tie joins nodes that an equality makes multiples of each other. (N06 §4.1, Theorem 1; §4.3, types 2 and 3.)
func (p *Program) tie() (bool, error) {
	var u *Multiples // nil until needed
	kept := p.Relations[:0]
	for _, r := range p.Relations {
		if !r.AtMost && r.Value == 0 && len(r.Index) == 2 {
			if u == nil {
				u = p.scratch.ties.Reset(p.Nodes)
			}
			// coef_0 x_0 + coef_1 x_1 = 0
			if !u.Join(r.Index[0], r.Index[1], -r.Coef[1]/r.Coef[0]) {
				return false, fmt.Errorf("%w: proportions contradict each other", ErrInfeasible)
			}
			continue
		}
		kept = append(kept, r)
	}
	p.Relations = kept
	if u != nil {
		p.replaceTied(u)
	}
	return u != nil, nil
}

// A Tying says which nodes were replaced: by the node where[old], of which they are scale[old]
// times as much. where is −1 for nodes that were not.
type Tying struct {
	where []int
	scale []float64
}

// Ratios moves blocks of equal proportions to the new nodes. It reports whether they stay
// proportions: all nodes of a block at one scale.
func (t *Tying) Ratios(ratios []Ratio) (moved []Ratio, ok bool) {
	for _, r := range ratios {
		var to Ratio
		for _, block := range r.Blocks {
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
			to.Blocks = append(to.Blocks, nodes)
		}
		moved = append(moved, to)
	}
	return moved, true
}

// replaceTied makes one node of each set of multiples.
func (p *Program) replaceTied(u *Multiples) *Tying {
	place := p.scratch.Ints.Take(p.Nodes) // in order, plus one, by root
	var order []*Tied
	for node := range p.Nodes {
		root, scale := u.Find(node)
		if u.Size[root] < 2 {
			continue
		}
		if place[root] == 0 {
			order = append(order, &Tied{
				Old:   p.scratch.KeptInts.Take(u.Size[root])[:0],
				Scale: p.scratch.keptFloats.Take(u.Size[root])[:0],
			})
			place[root] = len(order)
		}
		t := order[place[root]-1]
		t.Old, t.Scale = append(t.Old, node), append(t.Scale, scale)
	}
	where, scale := p.scratch.Ints.Take(p.Nodes), p.scratch.floats.Take(p.Nodes)
	for i := range where {
		where[i] = -1
	}
	for _, t := range order {
		leaves := 0.0
		for _, old := range t.Old {
			leaves += p.Leaves[old]
		}
		t.normalise()
		t.Node = p.newNode(leaves)
		for i, old := range t.Old {
			where[old], scale[old] = t.Node, t.Scale[i]
		}
		p.Steps = append(p.Steps, t)
	}
	p.rewrite(func(r *Relation, i int) {
		if old := r.Index[i]; old < len(where) && where[old] >= 0 {
			r.Index[i] = where[old]
			r.Coef[i] *= scale[old]
		}
	})
	return &Tying{where, scale}
}

// normalise makes the largest of the old nodes as large as the new one, to a power of 2, which
// rounds nothing. A new node as small as the smallest would be zero to any tolerance where
// proportions are extreme.
func (t *Tied) normalise() {
	_, exponent := math.Frexp(slices.Max(t.Scale))
	for i := range t.Scale {
		t.Scale[i] = math.Ldexp(t.Scale[i], 1-exponent)
	}
}

// alike ties what is left over in equalities that are otherwise the same: of
// M + L = 1 and M + L' = 1 it makes L = L'. (N06 §4.3, type 6.)
func (p *Program) alike() (bool, error) {
	if len(p.Relations) < 2 {
		return false, nil
	}
	p.scratch.count = zeroed(p.scratch.count, p.Nodes)
	equalities := p.scratch.count
	for _, r := range p.Relations {
		if !r.AtMost {
			for _, node := range r.Index {
				equalities[node]++
			}
		}
	}
	type first struct{ relation, local int }
	var seen map[string]first // nil until needed
	var u *Multiples          // nil until needed
	var key []byte
	for k, r := range p.Relations {
		if r.AtMost || r.Value == 0 || len(r.Index) < 2 {
			continue
		}
		local := -1
		for i, node := range r.Index {
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
		for i, node := range r.Index {
			if i != local {
				key = binary.LittleEndian.AppendUint32(key, uint32(node))
				key = binary.LittleEndian.AppendUint64(key, rounded(r.Coef[i]/r.Value))
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
		other := p.Relations[f.relation]
		// coef/value · x agree
		ratio := (r.Coef[local] / r.Value) / (other.Coef[f.local] / other.Value)
		if ratio > 0 {
			if u == nil {
				u = p.scratch.ties.Reset(p.Nodes)
			}
			u.Join(other.Index[f.local], r.Index[local], ratio)
		}
	}
	if u != nil {
		p.replaceTied(u)
	}
	return u != nil, nil
}
