package posterior

import (
	"fmt"
	"math"
)

// summary puts chains together.
func summary(t *task, method string, runs []*record, draws int) (*Graphs, error) {
	n := len(t.vars)
	g := &Graphs{Variables: t.vars, Method: method, MaxParents: t.limits.MaxParents, LogSum: math.NaN()}
	g.arcs = together(runs, func(r *record, b int) []float64 { return r.arcs[b] })
	g.paths = together(runs, func(r *record, b int) []float64 { return r.paths[b] })
	g.blankets = together(runs, func(r *record, b int) []float64 { return r.blankets[b] })
	var scores [][]float64
	var kept [][]uint64
	for _, r := range runs {
		scores = append(scores, r.scores)
	}
	shortest := len(scores[0])
	for _, x := range scores {
		shortest = min(shortest, len(x))
	}
	for i := range scores {
		scores[i] = scores[i][:shortest]
	}
	for i := range draws { // from all chains in turn
		if r := runs[i%len(runs)]; i/len(runs) < len(r.draws) {
			kept = append(kept, r.draws[i/len(runs)])
		}
	}
	var err error
	if g.Draws, err = t.graphs(kept); err != nil {
		return nil, err
	}
	g.RHat = rHat(scores)
	for u := range n {
		for v := range n {
			low, high := 1.0, 0.0
			for _, r := range runs {
				sum, looks := 0.0, 0.0
				for b := range batches {
					sum += r.arcs[b][u*n+v]
					looks += r.looks[b]
				}
				low, high = min(low, sum/looks), max(high, sum/looks)
			}
			g.Apart = max(g.Apart, high-low)
		}
	}
	if g.RHat > 1.05 || g.Apart > 0.2 {
		g.Notes = append(g.Notes, fmt.Sprintf("the chains have not met: R-hat of the score is %.3f, and the "+
			"probability of an arc differs by %.2f between chains; make more Steps", g.RHat, g.Apart))
	}
	return g, nil
}

// together are the frequencies over all chains, with standard errors from those of batches, and at least as large
// as those of as many independent looks.
func together(runs []*record, of func(r *record, batch int) []float64) estimates {
	n := runs[0].n
	e := estimates{p: square(n), error: square(n)}
	for u := range n {
		for v := range n {
			at, sum, squares, k, looks := u*n+v, 0.0, 0.0, 0.0, 0.0
			total := 0.0
			for _, r := range runs {
				for b := range batches {
					if r.looks[b] == 0 {
						continue
					}
					count := of(r, b)[at]
					mean := count / r.looks[b]
					total += count
					looks += r.looks[b]
					sum, squares, k = sum+mean, squares+mean*mean, k+1
				}
			}
			e.p[u][v] = total / looks
			spread := 0.0
			if k > 1 {
				spread = math.Sqrt(max(0, squares-sum*sum/k) / (k - 1) / k)
			}
			e.error[u][v] = max(spread, standardError(e.p[u][v], looks))
		}
	}
	return e
}

// rHat is the potential scale reduction of halves of chains (Gelman et al. 2013, §11.4): the square root of the
// variance of all over that within halves. It is 1 when nothing varies, and NaN of fewer than four numbers.
func rHat(chains [][]float64) float64 {
	var means []float64
	within, length := 0.0, 0.0
	for _, x := range chains {
		half := len(x) / 2
		if half < 2 {
			return math.NaN()
		}
		for _, part := range [][]float64{x[:half], x[len(x)-half:]} {
			mean, squares := 0.0, 0.0
			for _, y := range part {
				mean += y / float64(half)
			}
			for _, y := range part {
				squares += (y - mean) * (y - mean)
			}
			means = append(means, mean)
			within += squares / float64(half-1)
			length = float64(half)
		}
	}
	k := float64(len(means))
	within /= k
	grand, between := 0.0, 0.0
	for _, m := range means {
		grand += m / k
	}
	for _, m := range means {
		between += (m - grand) * (m - grand) / (k - 1)
	}
	if within == 0 && between == 0 {
		return 1
	}
	return math.Sqrt((length-1)/length + between/within)
}
