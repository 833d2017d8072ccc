package posterior

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
)

// draw draws graphs from the distribution, each from a stream of its own.
func (l *lattice) draw(ctx context.Context, f *families, draws int, seed uint64) ([][]uint64, error) {
	s := &sampler{lattice: l, f: f, next: make(map[uint32][]float64)}
	if !l.single {
		s.p = newPusher(l.n)
		s.p.flow = make([]float64, 1<<l.n)
		s.weights = make([]float64, 1<<l.n)
	}
	out := make([][]uint64, draws)
	for i := range out {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		out[i] = make([]uint64, l.n)
		if l.single {
			s.byOrder(r, out[i])
		} else {
			s.byLayers(r, out[i])
		}
		l.t.report(0.8+0.2*float64(i+1)/float64(draws), "draws")
	}
	return out, nil
}

// A sampler draws graphs from a lattice.
type sampler struct {
	*lattice
	f    *families
	p    *pusher
	next map[uint32][]float64 // by set, the probabilities of the next layer
	kept int

	weights []float64
}

// mostKept bounds the probabilities that a sampler keeps (128 MB).
const mostKept = 1 << 24

// byOrder draws an order from its end, and parents among those before.
func (s *sampler) byOrder(r *rand.Rand, parents []uint64) {
	for set := uint32(len(s.sum) - 1); set != 0; {
		x, last := r.Float64(), -1
		for rest := set; rest != 0; rest &= rest - 1 {
			v := bits.TrailingZeros32(rest)
			before := set &^ (1 << v)
			p := s.step(before, s.at(v, before), set)
			if p > 0 {
				last = v
			}
			if x -= p; x < 0 {
				break
			}
		}
		set &^= 1 << last
		parents[last] = choose(r, s.f.of[last], uint64(set), 0, s.at(last, set)).set
	}
}

// byLayers draws a graph from its sources on. The first layer has no parents, and each further one has those that
// have a parent in the layer before, and none after it (Kuipers and Moffa 2015). Of the sets T of variables that
// may have all their parents in those before, U, the layer is exactly T with a probability by inclusion and
// exclusion of more.
func (s *sampler) byLayers(r *rand.Rand, parents []uint64) {
	full := uint32(len(s.sum) - 1)
	for set, layer := uint32(0), uint32(0); set != full; {
		exact := s.layers(set)
		free := members(uint64(full &^ set))
		ratio := make([]float64, len(free)) // of having a parent in the last layer
		for i, v := range free {
			ratio[i] = 1
			if set != 0 {
				ratio[i] = 1 - s.at(v, set&^layer).over(s.at(v, set))
			}
		}
		weights := s.weights[:len(exact)]
		weights[0] = 1
		total := 0.0
		for i, v := range ratio {
			for j := range 1 << i {
				weights[1<<i|j] = weights[j] * v
			}
		}
		weights[0] = 0
		for i := range weights {
			weights[i] *= exact[i]
			total += weights[i]
		}
		x, chosen := r.Float64()*total, 0
		for i, w := range weights {
			if w > 0 {
				chosen = i
			}
			if x -= w; x < 0 {
				break
			}
		}
		next := uint32(0)
		for i, v := range free {
			if chosen>>i&1 == 0 {
				continue
			}
			next |= 1 << v
			if set != 0 {
				sum := s.at(v, set).minus(s.at(v, set&^layer))
				parents[v] = choose(r, s.f.of[v], uint64(set), uint64(layer), sum).set
			}
		}
		set, layer = set|next, next
	}
}

// layers returns the probability, by subset of the others, that exactly these may have all parents in the set,
// relative to any number; negative ones, of rounding, are 0.
func (s *sampler) layers(set uint32) []float64 {
	if kept, ok := s.next[set]; ok {
		return kept
	}
	size := 1 << len(s.flows(s.p, set))
	exact := s.p.flow[:size]
	for bit := 1; bit < size; bit <<= 1 {
		for i := range exact {
			if i&bit == 0 {
				exact[i] -= exact[i|bit]
			}
		}
	}
	for i, x := range exact {
		exact[i] = max(x, 0)
	}
	if s.kept+size <= mostKept {
		s.kept += size
		s.next[set] = slices.Clone(exact)
	}
	return exact
}

// choose draws a family within a set of variables with a parent in some, unless that is empty, given the sum of their
// weights.
func choose(r *rand.Rand, of []family, within, some uint64, total wide) family {
	x, last := r.Float64(), family{}
	for _, f := range of {
		if f.set&^within != 0 || some != 0 && f.set&some == 0 {
			continue
		}
		last = f
		if x -= f.weight.over(total); x < 0 {
			break
		}
	}
	return last
}

// graphs makes graphs of draws, one of those that are the same.
func (t *task) graphs(draws [][]uint64) ([]*bn.DAG, error) {
	names := make([]string, len(t.vars))
	for v := range names {
		names[v] = t.vars[v].Name
	}
	seen := make(map[string]*bn.DAG)
	out := make([]*bn.DAG, len(draws))
	var key []byte
	for i, d := range draws {
		key = key[:0]
		parents := make([][]int, len(d))
		for v, set := range d {
			parents[v] = members(set)
			for range 8 {
				key = append(key, byte(set))
				set >>= 8
			}
		}
		g := seen[string(key)]
		if g == nil {
			var err error
			if g, err = bn.NewDAG(names, parents); err != nil {
				return nil, err
			}
			seen[string(key)] = g
		}
		out[i] = g
	}
	return out, nil
}
