package hierarchy

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// AggregateOptions are the options of [Hierarchy.Aggregate]. Nil means the defaults.
type AggregateOptions struct {
	// Weights are those of atomic variables, such as voxels of a region; the default is 1. The
	// default of a composite is the sum of its h-children's, so that a mean of means is the mean
	// over all below.
	Weights map[string]float64
	// OfAtomic aggregates the atomic variables below a composite, each once, in place of its
	// h-children. It makes counts and variances mean the same at every level.
	OfAtomic bool
	// Ordered declares that non-numeric states of discrete columns are ordered, lowest first;
	// their positions, counted from 0, are aggregated.
	Ordered bool
}

// Aggregated is a table with the columns of composites.
type Aggregated struct {
	Table *data.Table
	Notes []string // composites that are constant, or have a single h-child
}

// Aggregate adds a continuous column for each composite of a hierarchy,
//
//	X_i = ξ(X_a : a an h-child of X_i)
//
// with ξ an aggregation such as [WeightedMean] (B06 §2.1). Values are never missing; there is at least one,
// weights are not negative and not all zero. It may neither keep nor change the slices. A maximum, which ignores
// weights, is
//
//	func(values, _ []float64) float64 { return slices.Max(values) }
//
// Series are aggregated as they are measured and then discretised, by package data, since a mean of states
// loses information. All columns of the table are kept; composites follow them, from the lowest level up. A
// cell is missing when a cell that it aggregates is missing. Numeric states of discrete columns are
// aggregated as numbers.
//
// It returns an error for an atomic variable that has no column or a composite that has one,
// for states that have no order ([errNominal]), a weight that is unknown, negative or not finite, weights
// of h-children that are all zero, and a value of the aggregation that is not finite.
func (h *Hierarchy) Aggregate(t *data.Table, by func(values, weights []float64) float64,
	opts *AggregateOptions) (*Aggregated, error) {
	if h == nil || t == nil || by == nil {
		return nil, fmt.Errorf("hierarchy: aggregating needs a hierarchy, a table and an aggregation")
	}
	if opts == nil {
		opts = &AggregateOptions{}
	}
	weights, err := h.weights(opts.Weights)
	if err != nil {
		return nil, err
	}
	values := make([][]float64, h.Len())
	for v, name := range h.names {
		if h.IsAtomic(v) {
			c, err := t.Column(name)
			if err != nil {
				return nil, say.Errorf("hierarchy: an atomic variable of the hierarchy: %w", err)
			}
			if values[v], err = measured(c, opts.Ordered); err != nil {
				return nil, err
			}
		}
	}
	cols := t.Columns()
	out := &Aggregated{Notes: h.Notes()}
	for v := h.Len() - 1; v >= 0; v-- { // what is below has a higher number
		if h.IsAtomic(v) {
			continue
		}
		of := h.below[v]
		if opts.OfAtomic {
			of = h.leaves(v)
		}
		if values[v], err = h.aggregate(v, of, values, weights, by, t.Rows()); err != nil {
			return nil, err
		}
		if x, ok := constant(values[v]); ok {
			out.Notes = append(out.Notes, fmt.Sprintf("composite %q is constant: %v in every row", h.names[v], x))
		}
		cols = append(cols, data.Column{Var: bn.Continuous(h.names[v]), Values: values[v]})
	}
	all, err := data.New(cols...)
	if err != nil {
		return nil, say.Errorf("hierarchy: the table with composites: %w", err)
	}
	out.Table, err = all.WithWeights(t.Weights())
	return out, err
}

// weights returns the weight of each variable.
func (h *Hierarchy) weights(given map[string]float64) ([]float64, error) {
	names := make([]string, 0, len(given))
	for name := range given {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if _, err := h.Index(name); err != nil {
			return nil, say.Errorf("hierarchy: weights: %w", err)
		}
		if w := given[name]; !(w >= 0 && w <= math.MaxFloat64) {
			return nil, say.Errorf("hierarchy: the weight of %q is %v, %w", name, w, data.ErrWeight)
		}
	}
	weights := make([]float64, h.Len())
	for v := h.Len() - 1; v >= 0; v-- {
		w, ok := given[h.names[v]]
		switch {
		case ok:
			weights[v] = w
		case h.IsAtomic(v):
			weights[v] = 1
		default:
			for _, b := range h.below[v] {
				weights[v] += weights[b]
			}
		}
	}
	return weights, nil
}

// measured returns the values of a column as numbers, NaN where missing.
func measured(c data.Column, ordered bool) ([]float64, error) {
	if !c.Var.IsDiscrete() {
		return c.Values, nil
	}
	number := make([]float64, c.Var.Cardinality())
	for s, name := range c.Var.States {
		x, err := strconv.ParseFloat(name, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			if !ordered {
				return nil, say.Errorf("hierarchy: %w: variable %q has the states %s; aggregate measured values "+
					"before they are discretised, or set Ordered if the states stand in their order, lowest first",
					errNominal, c.Var.Name, say.List(c.Var.States))
			}
			for s := range number {
				number[s] = float64(s)
			}
			break
		}
		number[s] = x
	}
	values := make([]float64, len(c.States))
	for row, s := range c.States {
		values[row] = math.NaN()
		if s != bn.Missing {
			values[row] = number[s]
		}
	}
	return values, nil
}

// aggregate computes the column of composite v.
func (h *Hierarchy) aggregate(v int, of []int, values [][]float64, weights []float64,
	by func(values, weights []float64) float64, rows int) ([]float64, error) {
	x, w := make([]float64, len(of)), make([]float64, len(of))
	total := 0.0
	for i, a := range of {
		w[i] = weights[a]
		total += w[i]
	}
	if !(total > 0 && total <= math.MaxFloat64) {
		return nil, say.Errorf("hierarchy: the weights of what composite %q is made of sum to %v; they must sum to a "+
			"positive number", h.names[v], total)
	}
	out := make([]float64, rows)
	for row := range out {
		missing := false
		for i, a := range of {
			x[i] = values[a][row]
			missing = missing || math.IsNaN(x[i])
		}
		if missing {
			out[row] = math.NaN()
			continue
		}
		out[row] = by(x, w)
		if math.IsNaN(out[row]) || math.IsInf(out[row], 0) {
			names := make([]string, len(of))
			for i, a := range of {
				names[i] = fmt.Sprintf("%s = %v", h.names[a], x[i])
			}
			return nil, say.Errorf("hierarchy: the aggregate of composite %q in row %d is %v, of %s", h.names[v], row+1,
				out[row], say.List(names))
		}
	}
	return out, nil
}

// constant reports the only value of a column, if it has one.
func constant(values []float64) (x float64, ok bool) {
	x = math.NaN()
	for _, y := range values {
		switch {
		case math.IsNaN(y) || y == x:
		case math.IsNaN(x):
			x = y
		default:
			return 0, false
		}
	}
	return x, !math.IsNaN(x)
}
