package hierarchy

import (
	"context"
	"fmt"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/structure"
)

// A collection is series of equal length one after another: the states of each variable.
type collection struct {
	columns [][]bn.State
	images  int // of a series
}

func (c *collection) series() int { return len(c.columns[0]) / c.images }

// part is part k of n of the series, in their order.
func (c *collection) part(k, n int) *collection {
	lo, hi := k*c.series()/n*c.images, (k+1)*c.series()/n*c.images
	d := &collection{images: c.images}
	for _, column := range c.columns {
		d.columns = append(d.columns, column[lo:hi])
	}
	return d
}

// pairs is a table with a row for each step of each series: the variables before it, then after it, in their order.
func (c *collection) pairs(vars []bn.Variable) (*data.Table, error) {
	var all []data.Column
	for slice := range 2 {
		for v, column := range c.columns {
			part := make([]bn.State, 0, c.series()*(c.images-1))
			for s := range c.series() {
				part = append(part, column[s*c.images+slice:(s+1)*c.images-1+slice]...)
			}
			all = append(all, data.Column{Var: bn.Variable{Name: dbn.At(vars[v].Name, slice), States: vars[v].States},
				States: part})
		}
	}
	return data.New(all...)
}

// variables have so many states each.
func variables(names []string, arity int) []bn.Variable {
	states := make([]string, arity)
	for s := range states {
		states[s] = fmt.Sprint(s)
	}
	vars := make([]bn.Variable, len(names))
	for v, name := range names {
		vars[v] = bn.Discrete(name, states...)
	}
	return vars
}

// A learned network gives each variable the logs of a table, by configuration of the parents and state.
type learned struct {
	graph   graph
	strides [][]int
	logs    [][]float64
}

// fit takes the tables of a structure from counts: each cell gets a pseudocount that depends on the number of cells.
// Others fitted to the same counts in the same way share the tables of variables with the same parents.
func fit(ctx context.Context, s *structure.Scorer, g graph, pseudo func(cells int) float64,
	others ...*learned) (*learned, error) {
	l := &learned{graph: g, strides: make([][]int, len(g)), logs: make([][]float64, len(g))}
	for v, parents := range g {
		for _, other := range others {
			if slices.Equal(parents, other.graph[v]) {
				l.strides[v], l.logs[v] = other.strides[v], other.logs[v]
			}
		}
		if l.logs[v] != nil {
			continue
		}
		c, err := s.Counts(ctx, len(g)+v, parents)
		if err != nil {
			return nil, err
		}
		l.strides[v], l.logs[v] = make([]int, len(parents)), make([]float64, len(c.N))
		stride := c.R
		for j := len(parents) - 1; j >= 0; j-- {
			l.strides[v][j] = stride
			stride *= c.Parents[j].Cardinality()
		}
		alpha := pseudo(len(c.N))
		for row := 0; row < len(c.N); row += c.R {
			total := 0.0
			for _, n := range c.N[row : row+c.R] {
				total += n + alpha
			}
			for x, n := range c.N[row : row+c.R] {
				l.logs[v][row+x] = math.Log((n + alpha) / total)
			}
		}
	}
	return l, nil
}

// known is the model itself, as if it had been learned without error.
func (m *model) known() *learned {
	l := &learned{graph: m.graph, strides: make([][]int, len(m.graph)), logs: make([][]float64, len(m.graph))}
	for v, t := range m.tables {
		for j := range m.graph[v] {
			l.strides[v] = append(l.strides[v], t.configs.Stride(j)*len(t.rows[0]))
		}
		for _, row := range t.rows {
			l.logs[v] = append(l.logs[v], logs(row)...)
		}
	}
	return l
}

// worth is the pseudocount of a cell under the prior of BDe that is worth so many cases.
func worth(size float64) func(cells int) float64 {
	return func(cells int) float64 { return size / float64(cells) }
}

// A share of a log-likelihood is that of one table, in each of some series.
type share struct {
	table *float64
	of    *collection
}

// logLikelihood of each series after its first image, in nats. Shares that are known are not computed again.
func (l *learned) logLikelihood(c *collection, known map[share][]float64) []float64 {
	out := make([]float64, c.series())
	for v := range l.graph {
		key := share{&l.logs[v][0], c}
		sums, ok := known[key]
		if !ok {
			sums = l.share(v, c)
			known[key] = sums
		}
		for s, x := range sums {
			out[s] += x
		}
	}
	return out
}

// share is the log-likelihood of a variable in each series.
func (l *learned) share(v int, c *collection) []float64 {
	out := make([]float64, c.series())
	logs, parents := l.logs[v], l.graph[v]
	for s := range out {
		lo, hi := s*c.images, (s+1)*c.images
		child, sum := c.columns[v][lo+1:hi], 0.0
		switch len(parents) {
		case 0:
			for _, x := range child {
				sum += logs[x]
			}
		case 1:
			stride := l.strides[v][0]
			parent := c.columns[parents[0]][lo : hi-1]
			for i, x := range child {
				sum += logs[int(parent[i])*stride+int(x)]
			}
		default:
			for i, x := range child {
				at := int(x)
				for j, p := range parents {
					at += int(c.columns[p][lo+i]) * l.strides[v][j]
				}
				sum += logs[at]
			}
		}
		out[s] = sum
	}
	return out
}

// accuracy is the share of the test series of two classes for which the own class's network is more probable;
// half for a tie. It adds to what is known.
func accuracy(a, b *learned, testA, testB *collection, known map[share][]float64) float64 {
	right, all := 0.0, 0
	for _, c := range []struct {
		own, other *learned
		test       *collection
	}{{a, b, testA}, {b, a, testB}} {
		own, other := c.own.logLikelihood(c.test, known), c.other.logLikelihood(c.test, known)
		for s := range own {
			all++
			switch {
			case own[s] > other[s]:
				right++
			case own[s] == other[s]:
				right += 0.5
			}
		}
	}
	return right / float64(all)
}
