package elimination

import (
	"math"
	"math/bits"
	"slices"

	"bnlab/internal/arena"
)

// Graph is the interaction graph of some variables: two are neighbours when a table
// holds both. The neighbours of each are a window of a set, so that the graph of a long chain takes memory in
// proportion to its length.
type Graph struct {
	near  []window
	cards []float64
	Gone  []bool  // eliminated, or kept to the end
	least float64 // the least of cards
	words arena.Arena[uint64]
	space space
}

// space is the memory of MinFill.
type space struct {
	next            Queue
	stale, absorbed Set
	order           []int
	fill            []float64 // by variable
	sum             []float64 // of a hub, the weight of its neighbours; −1 for unknown
	words           []float64 // of fill
}

// wide is the number of words of a set from which windows pay.
const wide = 16

func NewGraph(n int, cards []float64) *Graph {
	g := new(Graph)
	g.Reset(n, cards)
	return g
}

// Reset makes g a new graph in the same memory, which the last order of MinFill is in.
func (g *Graph) Reset(n int, cards []float64) {
	g.words.Reset()
	g.near, g.cards = slices.Grow(g.near[:0], n)[:n], cards
	g.Gone = slices.Grow(g.Gone[:0], n)[:n]
	clear(g.near)
	clear(g.Gone)
	g.least = 0
	if n > hub {
		g.least = slices.Min(cards)
	}
	if words := (n + 63) / 64; words < wide {
		flat := Set(g.words.Take(n * words))
		clear(flat)
		for v := range g.near {
			g.near[v].words, flat = flat[:words:words], flat[words:]
		}
	}
}

// Join makes all members neighbours of each other.
func (g *Graph) Join(members []int) {
	if len(members) < 2 {
		return
	}
	lo, hi := slices.Min(members), slices.Max(members)
	for _, i := range members {
		from, to := lo, hi
		if len(members) == 2 { // the other one alone
			from = lo + hi - i
			to = from
		}
		near := &g.near[i]
		near.widen(from>>6, to>>6+1, &g.words)
		for _, j := range members {
			if j != i {
				near.words.Add(j - near.from<<6)
			}
		}
	}
}

// clique is the size of the table that eliminating v needs.
func (g *Graph) clique(v int) float64 { return g.near[v].product(g.cards) * g.cards[v] }

// eliminate joins the neighbours of v and takes v out of the graph.
func (g *Graph) eliminate(v int) {
	near := g.near[v].trimmed()
	for k, x := range near.words {
		for ; x != 0; x &= x - 1 {
			i := (near.from+k)<<6 + bits.TrailingZeros64(x)
			other := &g.near[i]
			other.widen(near.from, near.from+len(near.words), &g.words)
			for k, y := range near.words {
				other.words[near.from-other.from+k] |= y
			}
			other.words.Remove(i - other.from<<6)
			other.words.Remove(v - other.from<<6)
		}
	}
	g.Gone[v] = true
}

// Clone returns a copy of the graph.
func (g *Graph) Clone() *Graph {
	c := &Graph{near: slices.Clone(g.near), cards: g.cards, Gone: slices.Clone(g.Gone), least: g.least}
	total := 0
	for _, s := range g.near {
		total += len(s.words)
	}
	room := make(Set, total)
	for i, s := range g.near {
		n := copy(room, s.words)
		c.near[i].words, room = room[:n:n], room[n:]
	}
	return c
}

// A Cost says what a greedy order counts when a variable is eliminated.
type Cost struct {
	// Weighted takes for each pair of neighbours that is joined the product of their
	// cardinalities, and not 1.
	Weighted bool
	// Bias multiplies the cost of each variable; nil is 1 for all.
	Bias []float64
}

// MinFill eliminates greedily: next is the variable with the least cost of the pairs of
// neighbours that its elimination joins; among equals the one with the smallest clique, then
// the first. (Kjærulff 1990; weights as in Koller and Friedman 2009, §9.4.3.) It returns the
// order with the entries of the cliques, or a part of it when these are more than most. A
// variable without neighbours outside an earlier clique goes with that and has none of its own.
func (g *Graph) MinFill(cost Cost, most float64) (order []int, cells float64) {
	n := len(g.near)
	next := &g.space.next
	next.Reset(n)
	stale, absorbed := window{words: zeroed(g.space.stale, n)}, zeroed(g.space.absorbed, n)
	g.space.stale, g.space.absorbed = stale.words, absorbed
	left := 0
	for v, gone := range g.Gone {
		stale.words.Add(v)
		if !gone {
			left++
		}
	}
	order = slices.Grow(g.space.order[:0], left)
	fill, sum := slices.Grow(g.space.fill[:0], n)[:n], slices.Grow(g.space.sum[:0], n)[:n]
	g.space.fill, g.space.sum = fill, sum
	for len(order) < left && cells <= most {
		for k, x := range stale.words {
			for ; x != 0; x &= x - 1 {
				if v := (stale.from+k)<<6 + bits.TrailingZeros64(x); !g.Gone[v] {
					fill[v], sum[v] = g.fill(v, cost.Weighted), -1
					next.Set(v, cost.of(v, fill[v]), g.clique(v))
				}
			}
		}
		best, _, smallest := next.Least()
		next.Remove(best)
		order = append(order, best)
		if !absorbed.Has(best) {
			cells += smallest
		}
		g.absorb(best, absorbed)
		stale.reset(g.near[best].trimmed(), &g.words)
		if fill[best] > 0 {
			g.markFilled(best, &stale)
		}
		g.eliminate(best)
		if fill[best] == 0 && n > hub {
			g.spareHubs(best, &stale, cost)
		}
	}
	g.space.order = order
	return order, cells
}

// of is the cost of a variable with that fill.
func (c Cost) of(v int, fill float64) float64 {
	if c.Bias != nil {
		return fill * c.Bias[v]
	}
	return fill
}

// hub is a number of neighbours from which fill is not counted again when a neighbour goes.
const hub = 64

// spareHubs takes from the stale variables, which are the neighbours that v had, those with many neighbours left.
// Nothing was joined: such a one loses the pairs of v with those that v does not know. These are whole numbers, so
// that its fill is what it would be if it were counted again.
func (g *Graph) spareHubs(v int, stale *window, cost Cost) {
	weight := func(members *window) float64 {
		if !cost.Weighted {
			return float64(members.len())
		}
		sum := 0.0
		for k, x := range members.words {
			sum += g.sum(members.from+k, x)
		}
		return sum
	}
	fill, sum, of := g.space.fill, g.space.sum, -1.0
	for k, x := range stale.words {
		for ; x != 0; x &= x - 1 {
			u := (stale.from+k)<<6 + bits.TrailingZeros64(x)
			degree := g.near[u].len()
			if degree < hub || g.Gone[u] {
				continue
			}
			stale.words.Remove(u - stale.from<<6)
			one, own := 1.0, 1.0
			if cost.Weighted {
				one, own = g.cards[v], g.cards[u]
			}
			if sum[u] -= one; sum[u] < 0 {
				sum[u] = weight(&g.near[u])
			}
			if of < 0 {
				of = weight(&g.near[v])
			}
			fill[u] -= 2 * one * (sum[u] - (of - own))
			size := math.Inf(1) // of a clique of 1,024 with 2 states, 2^1024
			if degree < 1023 || g.least < 2 {
				size = g.clique(u)
			}
			g.space.next.Set(u, cost.of(u, fill[u]), size)
		}
	}
}

// absorb marks the neighbours of v that have no others than v has.
func (g *Graph) absorb(v int, absorbed Set) {
	near := &g.near[v]
	for k, x := range near.words {
	next:
		for ; x != 0; x &= x - 1 {
			u := (near.from+k)<<6 + bits.TrailingZeros64(x)
			other := &g.near[u]
			for k, y := range other.words {
				w := other.from + k
				if v>>6 == w {
					y &^= 1 << (v & 63)
				}
				if y&^near.word(w) != 0 {
					continue next
				}
			}
			absorbed.Add(u)
		}
	}
}

// fill is the weight of the pairs of neighbours of v that are not joined, each counted twice.
func (g *Graph) fill(v int, weighted bool) float64 {
	near := &g.near[v]
	words := near.words
	if len(words) == 1 && len(g.near) <= 64 {
		return 2 * g.fillNarrow(words[0], weighted)
	}
	total := 0.0
	all := g.space.words[:0] // by word the cards of all members
	for k, x := range words {
		if weighted {
			all = append(all, g.sum(near.from+k, x))
		}
	}
	g.space.words = all
	for k, x := range words {
		for ; x != 0; x &= x - 1 { // x has the neighbours from i on
			i := (near.from+k)<<6 + bits.TrailingZeros64(x)
			other := &g.near[i]
			open := (x & (x - 1)) &^ other.word(near.from+k)
			for l := k; ; open = words[l] &^ other.word(near.from+l) {
				switch {
				case !weighted:
					total += float64(bits.OnesCount64(open))
				case open == 0:
				case l > k && bits.OnesCount64(open) > 32: // in a hub most are open
					total += g.cards[i] * (all[l] - g.sum(near.from+l, words[l]&^open))
				default:
					total += g.cards[i] * g.sum(near.from+l, open)
				}
				if l++; l == len(words) {
					break
				}
			}
		}
	}
	return 2 * total
}

// sum adds the cards of the members of word w.
func (g *Graph) sum(w int, members uint64) float64 {
	sum := 0.0
	for x := members; x != 0; x &= x - 1 {
		sum += g.cards[w<<6+bits.TrailingZeros64(x)]
	}
	return sum
}

// fillNarrow is the weight of pairs among the members of x that are not joined, where each set is one word.
func (g *Graph) fillNarrow(x uint64, weighted bool) float64 {
	near, cards := g.near[:min(64, len(g.near))], g.cards[:min(64, len(g.cards))]
	total := 0.0
	for ; x != 0; x &= x - 1 {
		i := bits.TrailingZeros64(x)
		open := x & (x - 1) &^ near[i].words[0]
		if !weighted {
			total += float64(bits.OnesCount64(open))
		} else if open != 0 {
			sum := 0.0
			for ; open != 0; open &= open - 1 {
				sum += cards[bits.TrailingZeros64(open)]
			}
			total += cards[i] * sum
		}
	}
	return total
}

// markFilled marks the variables outside the neighbourhood of v whose fill changes when
// its neighbours are joined: the common neighbours of each new pair.
func (g *Graph) markFilled(v int, stale *window) {
	near := &g.near[v]
	near.each(func(i int) {
		from := &g.near[i]
		for w := i >> 6; w < near.from+len(near.words); w++ {
			for y := near.word(w) &^ from.word(w); y != 0; y &= y - 1 {
				j := w<<6 + bits.TrailingZeros64(y)
				if j <= i {
					continue
				}
				to := &g.near[j]
				lo, hi := max(from.from, to.from), min(from.from+len(from.words), to.from+len(to.words))
				if lo >= hi {
					continue
				}
				stale.widen(lo, hi, &g.words)
				into := stale.words[lo-stale.from:][:hi-lo]
				b := to.words[lo-to.from:][:hi-lo]
				for k, x := range from.words[lo-from.from:][:hi-lo] {
					into[k] |= x & b[k]
				}
			}
		}
	})
}
