package posterior

import (
	"context"

	"bnlab/internal/pool"
)

// blankets returns the probability that two variables are in each other's Markov blanket: 1 less that of the graphs
// in which neither is a parent of the other and no child has both as parents. These are limits of families, so the
// graphs that keep to them have a sum like all have, and that is one sum for each pair.
func (l *lattice) blankets(ctx context.Context) ([][]float64, error) {
	out := square(l.n)
	var pairs [][2]int
	for u := range l.n {
		for v := u + 1; v < l.n; v++ {
			pairs = append(pairs, [2]int{u, v})
		}
	}
	full := len(l.sum) - 1
	pool.Share(len(pairs), l.t.workers, func() func(int) {
		sum := make([]wide, len(l.sum))
		p := newPusher(l.n)
		return func(task int) {
			if ctx.Err() != nil {
				return
			}
			u, v := pairs[task][0], pairs[task][1]
			if l.single {
				sumOrders(sum, l.n, l.apart(u, v))
			} else {
				sumGraphs(sum, l.n, p, l.apart(u, v))
				sum[full] = sum[full].normal()
			}
			q := min(max(1-sum[full].over(l.sum[full]), 0), 1)
			out[u][v], out[v][u] = q, q
		}
	})
	return out, ctx.Err()
}

// apart is at without the families in which u and v meet.
func (l *lattice) apart(u, v int) func(child int, set uint32) wide {
	both := uint32(1)<<u | uint32(1)<<v
	return func(child int, set uint32) wide {
		switch {
		case child == u || child == v:
			return l.at(child, set&^both)
		case set&both != both:
			return l.at(child, set)
		}
		only := l.at(child, set&^(1<<u)).minus(l.at(child, set&^both))
		return l.at(child, set&^(1<<v)).plus(only)
	}
}
