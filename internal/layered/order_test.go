package layered

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/internal/numtest"
)

// crossingsOf counts by pairs.
func crossingsOf(p *part) int {
	n := 0
	for _, row := range p.layer {
		for i, v := range row {
			for _, w := range row[i+1:] {
				for _, a := range p.spots[v].down {
					for _, b := range p.spots[w].down {
						if p.spots[a].at > p.spots[b].at {
							n++
						}
					}
				}
			}
		}
	}
	return n
}

// The fast count agrees with one by pairs, and on small graphs the search finds the fewest crossings of all orders.
func TestReduceCrossings(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	for trial := range 60 {
		g := graph{nodes: boxes(10)} // two rows of four and six, or three of three, three and four
		for v := range 10 {
			for w := range v {
				next := w < 4 && v >= 4
				if trial%2 == 1 {
					next = w < 3 && v >= 3 && v < 6 || w >= 3 && w < 6 && v >= 6
				}
				if next && rng.IntN(2) == 0 {
					g.edges = append(g.edges, Edge{From: w, To: v})
				}
			}
		}
		for _, p := range split(g.nodes, g.edges) {
			p.gaps = gaps
			p.rank()
			p.layers()
			fewest := math.MaxInt
			var all func(r int)
			all = func(r int) {
				if r == len(p.layer) {
					n := p.crossings()
					if trial < 4 && n != crossingsOf(p) {
						t.Fatalf("trial %d: %d crossings, want %d", trial, n, crossingsOf(p))
					}
					fewest = min(fewest, n)
					return
				}
				permute(p.layer[r], func() {
					p.number(r)
					all(r + 1)
				})
			}
			size := 1
			for _, row := range p.layer {
				for k := range row {
					size *= k + 1
				}
			}
			if size > 20000 || !numtest.Full() && size > 2000 {
				continue
			}
			all(0)
			if got := p.reduceCrossings()[0].crossings; got != fewest {
				t.Errorf("trial %d: %d crossings, %d are possible", trial, got, fewest)
			}
		}
	}
}

// permute calls do with every order of a.
func permute(a []int, do func()) {
	var rec func(k int)
	rec = func(k int) {
		if k >= len(a)-1 {
			do()
			return
		}
		for i := k; i < len(a); i++ {
			a[k], a[i] = a[i], a[k]
			rec(k + 1)
			a[k], a[i] = a[i], a[k]
		}
	}
	rec(0)
}

// Swapping neighbours gains what counting all pairs of their edges says.
func TestInversions(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 0))
	places := func() []int {
		at := make([]int, rng.IntN(6))
		for i := range at {
			at[i] = rng.IntN(5)
		}
		slices.Sort(at)
		return at
	}
	for range 500 {
		a, b := places(), places()
		want := 0
		for _, x := range a {
			for _, y := range b {
				if x > y {
					want++
				} else if x < y {
					want--
				}
			}
		}
		if got := inversions(a, b); got != want {
			t.Fatalf("inversions(%v, %v) = %d, want %d", a, b, got, want)
		}
	}
}
