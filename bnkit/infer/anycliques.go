package infer

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"bnlab/internal/factor"
	"bnlab/internal/num"
)

// A hiddenPart is a connected hidden part with the joint posteriors of sets of its variables.
type hiddenPart struct {
	group
	cards []int                 // of all variables of the network
	whole *posterior            // of all variables of the part, where they have few joint states
	sets  map[string]*posterior // by setKey
}

// A posterior is the joint distribution of some hidden variables, ascending, in each case of a part. The last varies
// fastest.
type posterior struct {
	vars []int
	size int
	of   []int32   // by case of the part: its configuration
	p    []float64 // by configuration
}

// A part of at most fewStates joint states has one table of all, and a clique of a larger one has at most
// cliqueStates, unless a family alone has more.
const (
	fewStates    = 1 << 9
	cliqueStates = 1 << 9
)

// cliqueWork computes posteriors of one part at a time.
type cliqueWork struct {
	*anyCounter
	builder builder
	place   []int32 // by case: its place among those of the part
	alone   block
	lost    workspace // of what is computed again with logarithms
}

// serve makes the posteriors of the part that the families with these hidden members need and that it does not
// have yet, and returns how many entries they have.
func (w *cliqueWork) serve(h *hiddenPart, families [][]int) (entries int, err error) {
	var need [][]int
	for _, f := range families {
		set := common(f, h.hidden)
		if key := setKey(set); len(set) > 0 && h.sets[key] == nil {
			h.sets[key] = new(posterior) // to be made
			need = append(need, set)
		}
	}
	if len(need) == 0 {
		return 0, nil
	}
	defer func() {
		if err != nil {
			for _, set := range need {
				delete(h.sets, setKey(set))
			}
		}
	}()
	for at, row := range h.rows {
		w.place[row] = int32(at)
	}
	if w.p.m.states(h.hidden) <= fewStates {
		if h.whole == nil {
			if h.whole, err = w.clique(h, h.hidden); err != nil {
				return 0, err
			}
		}
		return w.sumOut(h, h.whole, need), nil
	}
	slices.SortStableFunc(need, func(a, b []int) int { return cmp.Compare(w.p.m.states(b), w.p.m.states(a)) })
	for len(need) > 0 {
		clique, inside, rest := w.pack(need)
		all, err := w.clique(h, clique)
		var wide *WidthError
		if errors.As(err, &wide) && len(inside) > 1 { // one at a time
			clique, inside, rest = need[0], need[:1], need[1:]
			all, err = w.clique(h, clique)
		}
		if err != nil {
			return 0, err
		}
		entries += w.sumOut(h, all, inside)
		need = rest
	}
	return entries, nil
}

// pack takes the first of the sets and what else fits with it into one clique.
func (w *cliqueWork) pack(need [][]int) (clique []int, inside, rest [][]int) {
	clique = need[0]
	for _, set := range need[1:] {
		if both := union(clique, set); w.p.m.states(both) <= cliqueStates {
			clique = both
		}
	}
	for _, set := range need {
		if within(set, clique) {
			inside = append(inside, set)
		} else {
			rest = append(rest, set)
		}
	}
	return clique, inside, rest
}

// clique computes the joint posterior of some variables of the part by elimination of the others.
func (w *cliqueWork) clique(h *hiddenPart, vars []int) (*posterior, error) {
	m := w.p.m
	t, blk, _, err := w.builder.plan(m, h.group, w.p.c, w.p.limit, vars...)
	if err != nil {
		return nil, err
	}
	root := t.nodes[len(t.nodes)-1]
	out := &posterior{vars: vars, size: root.size, of: make([]int32, len(h.rows)),
		p: make([]float64, 0, len(blk.weight)*root.size)}
	from := places(root.shape, vars)
	space := spaces.Get().(*workspace)
	defer spaces.Put(space)
	for _, piece := range t.split(blk) {
		if err := m.up(t, space, piece, w.p.c, w.x, false); err != nil {
			return nil, err
		}
		for i, row := range piece.rows {
			out.of[w.place[row]] = int32(len(out.p)/out.size) + piece.of[i]
		}
		for k := range piece.weight {
			table := t.root(space, piece, k)
			if t.lost(space, piece, k) {
				logs, err := m.again(t, &w.lost, &w.alone, piece, int32(k), w.p.c, w.x)
				if err != nil {
					return nil, err
				}
				table = exponentials(logs)
			}
			sum := num.Sum(table)
			if !(sum > 0) {
				return nil, w.p.c.impossible(m.net, int(piece.first[k]))
			}
			for _, j := range from {
				out.p = append(out.p, table[j]/sum)
			}
		}
	}
	return out, nil
}

// exponentials returns e to the power of logarithms, up to a factor.
func exponentials(logs []float64) []float64 {
	high := slices.Max(logs)
	out := make([]float64, len(logs))
	if !math.IsInf(high, -1) {
		for i, x := range logs {
			out[i] = math.Exp(x - high)
		}
	}
	return out
}

// places returns for each joint state of vars, the last varying fastest, its place in a table of the shape.
func places(shape factor.Shape, vars []int) []int {
	list := []int{0}
	for i := len(vars) - 1; i >= 0; i-- {
		at := slices.Index(shape.Vars, vars[i])
		stride := 1
		for _, r := range shape.Cards[at+1:] {
			stride *= r
		}
		block := list
		for s := 1; s < shape.Cards[at]; s++ {
			for _, p := range block {
				list = append(list, p+s*stride)
			}
		}
	}
	return list
}

// sumOut makes the posteriors of sets from that of a clique with all their variables, and returns how many entries
// they have.
func (w *cliqueWork) sumOut(h *hiddenPart, all *posterior, sets [][]int) (entries int) {
	for _, set := range sets {
		out := h.sets[setKey(set)]
		out.vars, out.of, out.size = set, all.of, int(w.p.m.states(set))
		entry := []int32{0} // by joint state of the clique: that of the set
		stride := int32(1)
		for i := len(all.vars) - 1; i >= 0; i-- {
			v, step := all.vars[i], int32(0)
			if slices.Contains(set, v) {
				step, stride = stride, stride*int32(h.cards[v])
			}
			block := entry
			for s := 1; s < h.cards[v]; s++ {
				for _, e := range block {
					entry = append(entry, e+int32(s)*step)
				}
			}
		}
		out.p = make([]float64, len(all.p)/all.size*out.size)
		for k := 0; k*all.size < len(all.p); k++ {
			to := out.p[k*out.size:][:out.size]
			for j, p := range all.p[k*all.size:][:all.size] {
				to[entry[j]] += p
			}
		}
		entries += len(out.p)
	}
	return entries
}

// union merges two ascending sets.
func union(a, b []int) []int {
	both := slices.Concat(a, b)
	slices.Sort(both)
	return slices.Compact(both)
}

// setKey tells sets of variables apart.
func setKey(set []int) string { return string(appendKey(nil, set)) }

func appendKey(b []byte, set []int) []byte {
	for _, v := range set {
		b = binary.AppendUvarint(b, uint64(v))
	}
	return b
}

// states is the number of joint states.
func (m *model) states(set []int) float64 {
	n := 1.0
	for _, v := range set {
		n *= float64(m.cards[v])
	}
	return n
}

// common is what two ascending sets have in common.
func common(a, b []int) []int { return appendCommon(nil, a, b) }

func appendCommon(out, a, b []int) []int {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			out, a, b = append(out, a[0]), a[1:], b[1:]
		}
	}
	return out
}

// within reports whether all of an ascending set are in another.
func within(a, b []int) bool { return len(common(a, b)) == len(a) }

// see writes how a family sees the part; sorted are its members, ascending.
func (h *hiddenPart) see(out *view, members, sorted, stride []int) {
	out.looked, out.posterior = true, nil
	var buffer [16]int
	set := appendCommon(buffer[:0], sorted, h.hidden)
	if len(set) == 0 {
		return
	}
	var key [32]byte
	out.posterior = h.sets[string(appendKey(key[:0], set))]
	out.distance = append(out.distance[:0], 0)
	for i := len(set) - 1; i >= 0; i-- { // the last varies fastest
		n, step := len(out.distance), stride[slices.Index(members, set[i])]
		for s := 1; s < h.cards[set[i]]; s++ {
			for _, d := range out.distance[:n] {
				out.distance = append(out.distance, d+s*step)
			}
		}
	}
}
