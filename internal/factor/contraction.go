package factor

import (
	"fmt"
	"math"

	"bnlab/internal/arena"
)

// A Contraction is the sum of a product of two tables with its loops laid out,
//
//	out(O) = Σ a(A)·b(B)   over the variables of A and B that are not in O,
//
// or the greatest of these products. It is made once for the shapes O, A and B,
// works on flat slices, does not allocate and may be used by several goroutines.
//
// Its methods work on several tables at once that lie one after another: for each k the
// table ofA[k] of a and ofB[k] of b make the table k of out.
//
// The loops run over the variables of O in their order and then over those summed,
// the last of them innermost, so tables in which these vary fastest are read in
// one run. Variables next to each other in all tables are one loop.
type Contraction struct {
	outer, inner     []offset // places of the runs: each outer one plus each inner one
	run              int      // entries of a run
	stepA, stepB     int      // distance of entries within a run
	stepOut          int
	sizeA, sizeB     int
	sizeOut, product int // entries of out, and of the joint table
}

// offset is a place in each of the three tables.
type offset struct{ a, b, out int32 }

// axis is one loop with its distances in the three tables.
type axis struct{ card, a, b, out int }

// innerRuns bounds the table of inner offsets: 12 bytes each, to stay in the cache.
const innerRuns = 1024

// NewContraction plans the sum of the product of a and b, tables of the given shapes,
// over the variables that out lacks. A variable of out must be in a or b. It panics when
// that fails, cardinalities differ or a table has more than 2^31−1 entries.
func NewContraction(out, a, b Shape) *Contraction { return new(Room).NewContraction(&out, &a, &b) }

// Room is memory for contractions. The zero value is ready for use.
type Room struct {
	contractions arena.Arena[Contraction]
	offsets      arena.Arena[offset]
	places       []place // by variable, of the last contraction
}

// place is a variable's distance and cardinality in tables, 0 where it is in none.
type place struct{ a, cardA, b, cardB, out int }

// Reset takes back the memory of all contractions.
func (r *Room) Reset() {
	r.contractions.Reset()
	r.offsets.Reset()
}

// NewContraction is the function of this name, in the memory of the room.
func (r *Room) NewContraction(out, a, b *Shape) *Contraction {
	c := &r.contractions.Take(1)[0]
	*c = Contraction{}
	for _, vars := range [][]int{a.Vars, b.Vars, out.Vars} {
		for _, v := range vars {
			if v >= len(r.places) {
				r.places = append(r.places, make([]place, v+1-len(r.places))...)
			}
			r.places[v] = place{}
		}
	}
	all := r.places
	c.sizeA, c.sizeB, c.sizeOut = 1, 1, 1
	for i := len(a.Vars) - 1; i >= 0; i-- {
		p := &all[a.Vars[i]]
		p.a, p.cardA = c.sizeA, a.Cards[i]
		c.sizeA *= p.cardA
	}
	for i := len(b.Vars) - 1; i >= 0; i-- {
		p := &all[b.Vars[i]]
		p.b, p.cardB = c.sizeB, b.Cards[i]
		c.sizeB *= p.cardB
		if p.cardA > 0 && p.cardA != p.cardB {
			panic(differ(b.Vars[i]))
		}
	}
	for i := len(out.Vars) - 1; i >= 0; i-- {
		all[out.Vars[i]].out = c.sizeOut
		c.sizeOut *= out.Cards[i]
	}
	var room [24]axis // seldom more, so that they need no memory of their own
	axes := room[:0]
	for i, v := range out.Vars {
		card, p := out.Cards[i], &all[v]
		if p.cardA == 0 && p.cardB == 0 {
			panic(fmt.Sprintf("factor: variable %d is neither in %v nor in %v", v, a.Vars, b.Vars))
		}
		if max(p.cardA, p.cardB) != card {
			panic(differ(v))
		}
		if card > 1 {
			axes = append(axes, axis{card, p.a, p.b, p.out})
		}
	}
	for _, v := range a.Vars {
		if p := &all[v]; p.out == 0 && p.cardA > 1 {
			axes = append(axes, axis{p.cardA, p.a, p.b, 0})
		}
	}
	for _, v := range b.Vars {
		if p := &all[v]; p.out == 0 && p.cardA == 0 && p.cardB > 1 {
			axes = append(axes, axis{p.cardB, 0, p.b, 0})
		}
	}
	c.lay(axes, r)
	return c
}

func differ(v int) string { return fmt.Sprintf("factor: variable %d has different cardinalities", v) }

// strided plans the reading of a part of a into out: a's other variables stand still.
func strided(out, a Shape) *Contraction {
	c := &Contraction{sizeB: 1, sizeOut: out.Size()}
	var axes []axis
	last := 0 // place of the last entry read
	for i, v := range out.Vars {
		if card := out.Cards[i]; card > 1 {
			axes = append(axes, axis{card, a.Stride(v), 0, out.Stride(v)})
			last += (card - 1) * a.Stride(v)
		}
	}
	c.sizeA = last + 1
	c.lay(axes, new(Room))
	return c
}

// lay joins what can be one loop, takes the innermost as the run and lists the
// places at which it starts.
func (c *Contraction) lay(axes []axis, room *Room) {
	if max(c.sizeA, c.sizeB, c.sizeOut) > math.MaxInt32 {
		panic(fmt.Sprintf("factor: a table of %d entries is too large", max(c.sizeA, c.sizeB, c.sizeOut)))
	}
	c.product = 1
	joined := axes[:0] // outermost first, as axes
	for _, x := range axes {
		c.product *= x.card
		if n := len(joined); n > 0 {
			if y := joined[n-1]; y.a == x.card*x.a && y.b == x.card*x.b && y.out == x.card*x.out {
				joined[n-1] = axis{y.card * x.card, x.a, x.b, x.out}
				continue
			}
		}
		joined = append(joined, x)
	}
	c.run = 1
	if n := len(joined); n > 0 {
		x := joined[n-1]
		c.run, c.stepA, c.stepB, c.stepOut = x.card, x.a, x.b, x.out
		joined = joined[:n-1]
	}
	cut, runs := len(joined), 1
	for cut > 0 && runs*joined[cut-1].card <= innerRuns {
		cut--
		runs *= joined[cut].card
	}
	c.outer, c.inner = places(joined[:cut], room), places(joined[cut:], room)
}

// origin is the list of the only place there is without axes.
var origin = []offset{{}}

// places lists the offsets of all joint states of the axes, the last fastest.
func places(axes []axis, room *Room) []offset {
	if len(axes) == 0 {
		return origin
	}
	n := 1
	for _, x := range axes {
		n *= x.card
	}
	list := room.offsets.Take(n)
	list[0] = offset{}
	block := 1
	for i := len(axes) - 1; i >= 0; i-- { // from the fastest: shifted copies
		x := axes[i]
		a, b, out := int32(x.a), int32(x.b), int32(x.out)
		to := list[block : block*x.card]
		for at, o := range list[:len(to)] { // what the loop wrote before it reaches
			to[at] = offset{o.a + a, o.b + b, o.out + out}
		}
		block *= x.card
	}
	return list
}

// Cells is the number of products that a pass computes.
func (c *Contraction) Cells() int { return c.product }
