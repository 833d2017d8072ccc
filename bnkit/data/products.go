package data

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"bnlab/bnkit/bn"
	"bnlab/internal/num"
	"bnlab/internal/pool"
	"bnlab/internal/say"
)

// Products are the first two moments of p continuous columns in the rows that have the same states of some
// discrete ones. Products of several families come from one Products: those of the columns of each are parts of it.
type Products struct {
	Config int     // configuration of the discrete columns, the first varying slowest
	N      float64 // weight of the rows
	Mean   []float64
	// Centred is the symmetric matrix Σ weight · (x − Mean)(x − Mean)', p×p by rows. The products are taken about
	// the mean, so that columns far from zero keep their digits.
	Centred []float64
}

// Rows of one task of Products; the partial sums are added in the order of the tasks, whatever the workers.
const (
	productRows  = 512
	productTasks = 64
)

// Products sums the products of continuous columns, by configuration of discrete ones: one element for each
// configuration that occurs, ascending. It takes two passes over the columns, one for the means. A record of
// interventions is not looked at. The result does not depend on opts.Workers.
//
// It returns an error for an unknown column ([bn.ErrUnknownVariable]), one of the other kind, a [*ValueError]
// for the first missing cell unless SkipMissing leaves such rows out, and values whose squares sum to no finite
// number.
func (t *Table) Products(ctx context.Context, columns, by []string, opts *CountOptions) ([]Products, error) {
	if opts == nil {
		opts = &CountOptions{}
	}
	g := &productSums{weights: t.weights, workers: pool.Workers(opts.Workers)}
	for i, name := range slices.Concat(columns, by) {
		c, err := t.Column(name)
		if err != nil {
			return nil, err
		}
		switch {
		case c.Var.IsDiscrete() != (i >= len(columns)):
			kind := map[bool]string{true: "states", false: "numbers"}[c.Var.IsDiscrete()]
			return nil, say.Errorf("data: column %q holds %s; products are of columns of numbers, by columns of "+
				"states", name, kind)
		case i < len(columns):
			g.values = append(g.values, c.Values)
		}
		g.columns = append(g.columns, c)
	}
	var err error
	if g.configs, err = bn.NewConfigs(cardinalities(g.columns[len(columns):])...); err != nil {
		return nil, say.Errorf("data: products by %q: %w", by, err)
	}
	if err := g.group(t.rows, opts.SkipMissing); err != nil {
		return nil, err
	}
	out := make([]Products, len(g.rows))
	for i, rows := range g.rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[i] = g.sum(rows)
		out[i].Config = g.config[i]
		if at := slices.IndexFunc(out[i].Centred, func(x float64) bool { return !num.Finite(x) }); at >= 0 {
			return nil, say.Errorf("data: the squares of the values of %q sum to no finite number; measure in a "+
				"larger unit", columns[at%len(columns)])
		}
	}
	return out, nil
}

// cardinalities are the numbers of states of columns.
func cardinalities(columns []Column) []int {
	cards := make([]int, len(columns))
	for i, c := range columns {
		cards[i] = c.Var.Cardinality()
	}
	return cards
}

// productSums is one call of Products.
type productSums struct {
	columns []Column // the continuous ones, then the discrete ones
	values  [][]float64
	weights []float64
	configs bn.Configs
	workers int

	config []int   // that occur, ascending
	rows   [][]int // of each; nil stands for all rows of the table
	n      int     // rows of the table
}

// group divides the rows by configuration.
func (g *productSums) group(rows int, skip bool) error {
	g.n = rows
	complete := true
	for _, c := range g.columns {
		for row := range rows {
			if c.IsMissing(row) {
				if !skip {
					return &ValueError{Row: row + 1, Name: c.Var.Name, Err: ErrMissing}
				}
				complete = false
				break
			}
		}
	}
	discrete := g.columns[len(g.values):]
	if complete && len(discrete) == 0 {
		if rows > 0 {
			g.config, g.rows = []int{0}, [][]int{nil}
		}
		return nil
	}
	of := make(map[int][]int)
	for row := range rows {
		if !complete && slices.ContainsFunc(g.columns, func(c Column) bool { return c.IsMissing(row) }) {
			continue
		}
		config := 0
		for i, c := range discrete {
			config += int(c.States[row]) * g.configs.Stride(i)
		}
		of[config] = append(of[config], row)
	}
	for config := range of {
		g.config = append(g.config, config)
	}
	slices.Sort(g.config)
	for _, config := range g.config {
		g.rows = append(g.rows, of[config])
	}
	return nil
}

// weight is the weight of the i-th of some rows.
func (g *productSums) weight(rows []int, i int) float64 {
	switch {
	case g.weights == nil:
		return 1
	case rows == nil:
		return g.weights[i]
	}
	return g.weights[rows[i]]
}

// sum adds up one configuration.
func (g *productSums) sum(rows []int) Products {
	p, n := len(g.values), len(rows)
	if rows == nil {
		n = g.n
	}
	out := Products{Mean: make([]float64, p), Centred: make([]float64, p*p)}
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = g.weight(rows, i)
	}
	if out.N = num.Sum(weights); out.N == 0 || p == 0 {
		return out
	}
	workers := g.workers
	if n <= productRows {
		workers = 1
	}
	lost := make([]float64, p)
	pool.Each(p, workers, func(v int) { out.Mean[v], lost[v] = g.mean(v, rows, weights, out.N) })
	size := max(productRows, (n+productTasks-1)/productTasks)
	tasks := (n + size - 1) / size
	parts := make([]blas64.Symmetric, tasks)
	pool.Each(tasks, workers, func(task int) {
		parts[task] = g.part(rows, weights, out.Mean, task*size, min(n, (task+1)*size))
	})
	for _, part := range parts {
		for u := range p {
			for v := u; v < p; v++ {
				out.Centred[u*p+v] += part.Data[u*p+v]
			}
		}
	}
	for u := range p {
		for v := u; v < p; v++ {
			out.Centred[u*p+v] -= out.N * lost[u] * lost[v]
		}
		for v := range u {
			out.Centred[u*p+v] = out.Centred[v*p+u]
		}
	}
	return out
}

// mean is the mean of a column: of the differences from its first value, which are smaller. What rounding leaves out of
// it is lost, and taken out of the products, which it would raise by N·lost².
func (g *productSums) mean(v int, rows []int, weights []float64, total float64) (mean, lost float64) {
	x, sum := g.values[v], 0.0
	rounded := func(first float64) (mean, lost float64) {
		mean = first + sum/total
		return mean, sum/total - (mean - first)
	}
	if rows == nil {
		first := x[0]
		for i, w := range weights {
			sum += w * (x[i] - first)
		}
		return rounded(first)
	}
	first := x[rows[0]]
	for i, row := range rows {
		sum += weights[i] * (x[row] - first)
	}
	return rounded(first)
}

// part sums the products of some rows, a few at a time, so that they stay in the cache of the processor.
func (g *productSums) part(rows []int, weights, mean []float64, lo, hi int) blas64.Symmetric {
	p := len(g.values)
	sum := blas64.Symmetric{N: p, Stride: p, Data: make([]float64, p*p), Uplo: blas.Upper}
	few := min(128, hi-lo)
	block := blas64.General{Rows: p, Stride: few, Data: make([]float64, p*few)}
	for ; lo < hi; lo += few {
		block.Cols = min(few, hi-lo)
		for v, x := range g.values {
			to := block.Data[v*few : v*few+block.Cols]
			for i := range to {
				row := lo + i
				if rows != nil {
					row = rows[row]
				}
				to[i] = x[row] - mean[v]
				if g.weights != nil {
					to[i] *= math.Sqrt(weights[lo+i])
				}
			}
		}
		blas64.Syrk(blas.NoTrans, 1, block, 1, sum)
	}
	return sum
}
