package posterior

import (
	"context"
	"math/bits"

	"bnlab/internal/pool"
)

// paths returns the probability of a directed path between each two variables, by parent and child. For each source
// it sums over the graphs of a set U in which the source and its descendants are D ⊆ U, as Z sums over those of U.
// A sink v joins D when one of its parents is in it, with weight A_v(U) − A_v(U∖D), and else not, with A_v(U∖D)
// (after Chen, Meng and Tian 2015, who sum over graphs alike).
func (l *lattice) paths(ctx context.Context) ([][]float64, error) {
	out := square(l.n)
	pool.Share(l.n, l.t.workers, func() func(int) {
		w := newWalk(l)
		return func(source int) {
			if ctx.Err() == nil {
				w.from(source, out[source])
			}
		}
	})
	return out, ctx.Err()
}

// A walk sums by a set and the descendants of a source in it.
type walk struct {
	l     *lattice
	place []uint32 // of a set in base 3, each member a 1: a state is place[U] + place[D]
	sum   []wide
	terms []term
}

// A term is the weight of a state on the way to it.
type term struct {
	w  wide
	at uint32
}

func newWalk(l *lattice) *walk {
	w := &walk{l: l, place: make([]uint32, 1<<l.n)}
	power := uint32(1)
	for v := range l.n {
		for set := range 1 << v {
			w.place[set|1<<v] = w.place[set] + power
		}
		power *= 3
	}
	w.sum = make([]wide, power)
	if !l.single {
		w.terms = make([]term, power)
	}
	return w
}

// from sets paths to the probability that one leads from the source to each variable.
func (w *walk) from(source int, paths []float64) {
	for i := range w.sum {
		w.sum[i] = zero
	}
	w.sum[0] = one
	full := uint32(1)<<w.l.n - 1
	for set := uint32(0); set < full; set++ {
		own := set & (1 << source)
		for below := set &^ own; ; below = (below - 1) & (set &^ own) { // all subsets
			if own != 0 || below == 0 {
				w.push(source, set, below|own)
			}
			if below == 0 {
				break
			}
		}
	}
	all := w.l.sum[full]
	rest := full &^ (1 << source)
	for below := rest; below != 0; below = (below - 1) & rest {
		p := w.sum[w.place[full]+w.place[below|1<<source]].normal().over(all)
		for d := below; d != 0; d &= d - 1 {
			paths[bits.TrailingZeros32(d)] += p
		}
	}
	for v := range paths {
		paths[v] = min(max(paths[v], 0), 1)
	}
}

// push adds the sum of a state to those that follow it.
func (w *walk) push(source int, set, below uint32) {
	at := w.place[set] + w.place[below]
	sum := w.sum[at].normal()
	if sum.m == 0 {
		return
	}
	size := 1
	if !w.l.single {
		w.terms[0] = term{wide{-sum.m, sum.e}, at}
	}
	for rest := (uint32(1)<<w.l.n - 1) &^ set; rest != 0; rest &= rest - 1 {
		v := bits.TrailingZeros32(rest)
		one := w.place[1<<v]
		in, out := w.l.at(v, set), zero
		if v != source {
			out = w.l.at(v, set&^below)
			in = in.minus(out)
		}
		if w.l.single {
			w.sum[at+2*one].add(sum.m*in.m, sum.e+in.e)
			w.sum[at+one].add(sum.m*out.m, sum.e+out.e)
			continue
		}
		was := size
		for step, a := range []wide{out, in} {
			if a.m == 0 {
				continue
			}
			for _, x := range w.terms[:was] {
				y := term{wide{-x.w.m * a.m, x.w.e + a.e}, x.at + uint32(step+1)*one}
				w.terms[size] = y
				w.sum[y.at].add(y.w.m, y.w.e)
				size++
			}
		}
	}
}
