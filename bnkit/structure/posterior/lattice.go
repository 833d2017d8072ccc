package posterior

import (
	"context"
	"math"
	"math/bits"

	"bnlab/internal/pool"
)

// A lattice holds sums over graphs by set of variables, as bits.
type lattice struct {
	t      *task
	n      int
	single bool // one variable at a time: the prior over orders
	// a[v] is A_v by the set of variables that may be parents, numbered without v; see without.
	a   [][]wide
	sum []wide // Z by set: of all graphs over it
	// closed is the probability that no arc leads into the set from outside (that it is the first part
	// of the order, under the prior over orders), and share[v] how much of it falls to v choosing parents
	// within the set, numbered as a[v]. Over all sets share[v] adds up to 1.
	closed []float64
	after  []wide // closed over sum: of the graphs over the others, given the set, relative to Z
	share  [][]float64
	levels [][]uint32 // the sets by their number of members
}

// without numbers the sets that do not have v.
func without(set uint32, v int) uint32 {
	low := uint32(1)<<v - 1
	return set&low | set>>1&^low
}

// newLattice sums the families of each child over the subsets of each set.
func newLattice(ctx context.Context, t *task, f *families, single bool) (*lattice, error) {
	n := len(t.vars)
	l := &lattice{t: t, n: n, single: single, a: make([][]wide, n), levels: make([][]uint32, n+1)}
	for set := range uint32(1) << n {
		k := bits.OnesCount32(set)
		l.levels[k] = append(l.levels[k], set)
	}
	pool.Each(n, t.workers, func(v int) {
		if ctx.Err() != nil {
			return
		}
		a := make([]wide, 1<<(n-1))
		for i := range a {
			a[i] = zero
		}
		for _, x := range f.of[v] {
			a[without(uint32(x.set), v)] = x.weight
		}
		for bit := 1; bit < len(a); bit <<= 1 {
			for at := bit; at < len(a); at = (at + 1) | bit {
				a[at] = a[at].plus(a[at^bit])
			}
		}
		l.a[v] = a
	})
	return l, ctx.Err()
}

// at is A_v of a set without v.
func (l *lattice) at(v int, set uint32) wide { return l.a[v][without(set, v)] }

// forward computes the sums over graphs of each set.
func (l *lattice) forward(ctx context.Context) error {
	l.sum = make([]wide, 1<<l.n)
	if l.single {
		sumOrders(l.sum, l.n, l.at)
		return ctx.Err()
	}
	for i := range l.sum {
		l.sum[i] = zero
	}
	l.sum[0] = one
	// A task has the sets that agree in the last variables, so that no two write to the same.
	last := min(3, max(0, l.n-5))
	low := l.n - last
	for _, level := range l.levels[:l.n] {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, set := range level {
			if set != 0 {
				l.sum[set] = l.sum[set].normal()
			}
		}
		pool.Share(1<<last, l.t.workers, func() func(int) {
			p := newPusher(low)
			return func(class int) {
				for _, set := range level {
					if top := int(set >> low); top&^class == 0 {
						p.push(l.sum, set, uint32(class&^top)<<low, (uint32(1)<<low-1)&^set, l.at)
					}
				}
			}
		})
	}
	full := len(l.sum) - 1
	l.sum[full] = l.sum[full].normal()
	return nil
}

// sumOrders sets sum to Σ over orders of each set, by their last variable.
func sumOrders(sum []wide, n int, at func(v int, set uint32) wide) {
	sum[0] = one
	for set := uint32(1); set < 1<<n; set++ {
		total := zero
		for rest := set; rest != 0; rest &= rest - 1 {
			v := bits.TrailingZeros32(rest)
			w, before := at(v, set&^(1<<v)), sum[set&^(1<<v)]
			total.add(w.m*before.m, w.e+before.e)
		}
		sum[set] = total.normal()
	}
}

// sumGraphs sets sum to Σ over the graphs of each set.
func sumGraphs(sum []wide, n int, p *pusher, at func(v int, set uint32) wide) {
	for i := range sum {
		sum[i] = zero
	}
	sum[0] = one
	for set := uint32(0); set < 1<<n; set++ { // above all its subsets
		if set != 0 {
			sum[set] = sum[set].normal()
		}
		p.push(sum, set, 0, (uint32(1)<<n-1)&^set, at)
	}
}

// A pusher has room for the subsets of one set.
type pusher struct {
	w    []wide
	set  []uint32
	flow []float64
}

func newPusher(n int) *pusher { return &pusher{w: make([]wide, 1<<n), set: make([]uint32, 1<<n)} }

// push adds the terms of Z(set) to the sums of larger sets: T has all the forced members and any of the free ones.
func (p *pusher) push(sum []wide, set, forced, free uint32, at func(v int, set uint32) wide) {
	w := sum[set]
	w.m = -w.m
	for rest := forced; rest != 0; rest &= rest - 1 {
		a := at(bits.TrailingZeros32(rest), set)
		w = wide{-w.m * a.m, w.e + a.e}
	}
	if w.m == 0 {
		return
	}
	p.w[0], p.set[0] = w, set|forced
	if forced != 0 {
		sum[set|forced].add(w.m, w.e)
	}
	for size := 1; free != 0; free &= free - 1 {
		v := bits.TrailingZeros32(free)
		a := at(v, set)
		if a.m == 0 { // no T has v
			continue
		}
		for i := range size {
			w, s := wide{-p.w[i].m * a.m, p.w[i].e + a.e}, p.set[i]|1<<v
			p.w[size+i], p.set[size+i] = w, s
			sum[s].add(w.m, w.e)
		}
		size *= 2
	}
}

// backward computes closed and share.
func (l *lattice) backward(ctx context.Context) error {
	l.closed = make([]float64, 1<<l.n)
	l.closed[len(l.closed)-1] = 1
	l.after = make([]wide, 1<<l.n)
	for i := range l.after {
		l.after[i] = zero
	}
	l.after[len(l.after)-1] = l.per(uint32(len(l.after) - 1))
	l.share = make([][]float64, l.n)
	for v := range l.share {
		l.share[v] = make([]float64, 1<<(l.n-1))
	}
	const block = 64
	for k := l.n - 1; k >= 0; k-- {
		if err := ctx.Err(); err != nil {
			return err
		}
		level := l.levels[k]
		pool.Share((len(level)+block-1)/block, l.t.workers, func() func(int) {
			p := &pusher{}
			if !l.single {
				p = newPusher(l.n - k)
				p.flow = make([]float64, 1<<(l.n-k))
			}
			return func(task int) {
				for _, set := range level[task*block : min(len(level), (task+1)*block)] {
					if l.single {
						l.pullOne(set)
					} else {
						l.pull(p, set)
					}
				}
			}
		})
	}
	return nil
}

// pullOne is pull under the prior over orders.
func (l *lattice) pullOne(set uint32) {
	for rest := (uint32(1)<<l.n - 1) &^ set; rest != 0; rest &= rest - 1 {
		v := bits.TrailingZeros32(rest)
		next := set | 1<<v
		flow := l.closed[next] * l.step(set, l.at(v, set), next)
		l.closed[set] += flow
		l.share[v][without(set, v)] = flow
	}
}

// step is the share of the graphs over next of which the rest, set apart, has weight w given the set.
func (l *lattice) step(set uint32, w wide, next uint32) float64 {
	w.m *= l.sum[set].m
	w.e += l.sum[set].e
	return w.over(l.sum[next])
}

// pull finds closed of a set, and the shares of the variables outside, from those of the larger sets.
func (l *lattice) pull(p *pusher, set uint32) {
	if l.sum[set].m == 0 {
		return
	}
	free := l.flows(p, set)
	size := 1 << len(free)
	for i := 1; i < size; i++ {
		if bits.OnesCount(uint(i))&1 == 0 {
			p.flow[i] = -p.flow[i]
		}
	}
	p.flow[0] = 0
	for i := len(free) - 1; i >= 0; i-- {
		half, total := 1<<i, 0.0
		for j, x := range p.flow[half : 2*half] {
			total += x
			p.flow[j] += x
		}
		l.share[free[i]][without(set, free[i])] = total
	}
	l.closed[set] = p.flow[0]
	l.after[set] = l.per(set)
}

// per is closed over sum of a set.
func (l *lattice) per(set uint32) wide {
	x := l.sum[set]
	if x.m == 0 || !(l.closed[set] > 1e-300) {
		return zero
	}
	return wide{l.closed[set] / x.m, -x.e}.normal()
}

// flows sets p.flow, by subset T of the variables outside, to the probability that no arc leads into the set nor
// into the set and T from outside, and that T has no arcs within; it returns those variables, in the order of the bits.
// That of no T is closed of the set, where it is known.
func (l *lattice) flows(p *pusher, set uint32) []int {
	free := members(uint64((uint32(1)<<l.n - 1) &^ set))
	p.w[0], p.set[0], p.flow[0] = l.sum[set], set, l.closed[set]
	size := 1
	for _, v := range free {
		a := l.at(v, set)
		for i := range size {
			w, s := wide{p.w[i].m * a.m, p.w[i].e + a.e}, p.set[i]|1<<v
			p.w[size+i], p.set[size+i] = w, s
			p.flow[size+i] = 0
			after := l.after[s]
			if d := w.e + after.e; d > -mostShift {
				p.flow[size+i] = w.m * after.m * exp2(d)
			}
		}
		size *= 2
	}
	return free
}

// arcs returns the probability of each arc, by parent and child, and how far the probabilities of a child's families
// are from adding up to 1.
//
//	P(u → v) = Σ_{U ∋ u} share_v(U) (1 − A_v(U∖u) / A_v(U))
func (l *lattice) arcs() (arcs [][]float64, rounding float64) {
	arcs = square(l.n)
	off := make([]float64, l.n)
	pool.Each(l.n, l.t.workers, func(v int) {
		total := 0.0
		for set := range uint32(1) << l.n {
			if set>>v&1 == 1 {
				continue
			}
			share, all := l.share[v][without(set, v)], l.at(v, set)
			total += share
			if share == 0 {
				continue
			}
			for rest := set; rest != 0; rest &= rest - 1 {
				u := bits.TrailingZeros32(rest)
				arcs[u][v] += share * (1 - l.at(v, set&^(1<<u)).over(all))
			}
		}
		off[v] = math.Abs(total - 1)
	})
	for v, x := range off {
		rounding = max(rounding, x)
		for u := range l.n {
			arcs[u][v] = min(max(arcs[u][v], 0), 1)
		}
	}
	return arcs, rounding
}

// square returns n rows of n zeros.
func square(n int) [][]float64 {
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, n)
	}
	return rows
}
