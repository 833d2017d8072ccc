package data

import (
	"fmt"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/pool"
	"bnlab/internal/say"
)

// A Factor holds the crossproducts of the weighted rows z = [1, x_1 … x_p, y] of a
// regression with p parents, as the upper triangular R of
//
//	R'R = Σ weight · z'z
//
// with no negative number on its diagonal. It comes from the rows by orthogonal steps, never
// from their squares, so that it has all digits that the rows have.
type Factor struct {
	N float64   // total weight of the rows
	R []float64 // (p+2)×(p+2), by rows; nil when there are no rows
}

// Moments are the sufficient statistics of complete data for the linear-Gaussian nodes
// of a network.
type Moments struct {
	Factors [][]Factor // by variable, nil for a discrete one, then by configuration of the discrete parents
	Rows    float64    // total weight of the rows
	Skipped []float64  // by variable: weight of the rows left out because a member of its family is missing
}

// Crossproducts gathers the rows of t for every linear-Gaussian node of the network:
// for each configuration of its discrete parents the factor of the rows with an
// intercept, the continuous parents in their order and the node itself. Columns and
// states are found by name, as in [Table.Count]. The result does not depend on opts.Workers.
//
// It returns an error when a member of a family has no column
// ([bn.ErrUnknownVariable]) or one of the other kind, a [*ValueError] for the first row
// with an unknown state or, without SkipMissing, a missing cell, and an error for values
// whose sum of squares is no finite number.
func (t *Table) Crossproducts(net *bn.Network, opts *CountOptions) (*Moments, error) {
	if opts == nil {
		opts = &CountOptions{}
	}
	m := &Moments{Factors: make([][]Factor, net.Len()), Rows: t.TotalWeight(), Skipped: make([]float64, net.Len())}
	var families []*regressors
	for v := range net.Len() {
		g := net.Gaussian(v)
		if g == nil {
			continue
		}
		f, err := newRegressors(t, v, g)
		if err != nil {
			return nil, err
		}
		m.Factors[v] = make([]Factor, g.Configs().Len())
		families = append(families, f)
	}
	if !opts.SkipMissing {
		if err := refuseMissing(t, families); err != nil {
			return nil, err
		}
	}
	size := max(crossRows, (t.rows+crossBlocks-1)/crossBlocks)
	blocks := (t.rows + size - 1) / size
	parts := make([]crossPart, len(families)*blocks)
	pool.Each(len(parts), pool.Workers(opts.Workers), func(task int) {
		lo := task % blocks * size
		parts[task] = families[task/blocks].block(t.weights, lo, min(lo+size, t.rows))
	})
	for task, part := range parts {
		f := families[task/blocks]
		m.Skipped[f.v] += part.skipped
		for i, config := range part.configs {
			m.Factors[f.v][config] = m.Factors[f.v][config].Merge(part.factors[i])
		}
	}
	for _, f := range families {
		for _, factor := range m.Factors[f.v] {
			f.back(factor)
			for _, x := range factor.R {
				if math.IsNaN(x) || math.IsInf(x, 0) {
					return nil, say.Errorf("data: the squares of the values of %q or of a parent sum to no finite "+
						"number; measure in a larger unit", net.Variable(f.v).Name)
				}
			}
		}
	}
	return m, nil
}

// far is how far from zero a column lies, in units of the distance of its ends, when its rows are gathered from there.
const far = 1e3

// origins finds from where columns are gathered: from zero, or from their first value when they lie so far from zero
// that the rounding of their squares would take digits from how they differ.
func (f *regressors) origins() {
	f.origin = make([]float64, len(f.x)+1)
	for i, values := range append(f.x[:len(f.x):len(f.x)], f.y) {
		first, low, high := math.NaN(), math.Inf(1), math.Inf(-1)
		for _, x := range values {
			if math.IsNaN(first) {
				first = x
			}
			if !math.IsNaN(x) {
				low, high = min(low, x), max(high, x)
			}
		}
		if size := math.Abs(first); size > far*(high-low) && size < 1e150 { // others have no finite squares
			f.origin[i] = first
		}
	}
}

// back moves a factor from the origins to zero: each row [1, x] of it is [1, x + origin].
func (f *regressors) back(factor Factor) {
	if factor.R == nil {
		return
	}
	for i, x := range f.origin { // nothing else of the first column is but the first number
		factor.R[i+1] += factor.R[0] * x
	}
}

// The rows are cut into at most crossBlocks blocks of at least crossRows, whatever the
// workers, and the blocks are merged in their order.
const (
	crossBlocks = 16
	crossRows   = 4096
)

// Merge returns the factor of the rows of a and b together. It panics when both have rows
// and are not of equally many parents.
func (a Factor) Merge(b Factor) Factor {
	switch {
	case b.R == nil:
		return a
	case a.R == nil:
		return b
	case len(a.R) != len(b.R):
		panic(fmt.Sprintf("data: factors of %d and %d numbers", len(a.R), len(b.R)))
	}
	k := int(math.Sqrt(float64(len(a.R))))
	f := newFolder(k)
	for _, r := range [][]float64{a.R, b.R} {
		for i := range k {
			copy(f.next(), r[i*k:(i+1)*k])
		}
	}
	return Factor{N: a.N + b.N, R: f.factor()}
}

// regressors are the columns of one linear-Gaussian node.
type regressors struct {
	v       int
	y       []float64
	x       [][]float64
	states  [][]bn.State // discrete parents
	configs bn.Configs
	columns []Column  // all of them, to look for missing cells
	origin  []float64 // of x, then y
	set     []bool    // rows in which the node was set; nil for none
}

func newRegressors(t *Table, v int, g *bn.LinearGaussian) (*regressors, error) {
	f := &regressors{v: v, configs: g.Configs(), set: t.set(g.Child.Name)}
	for _, p := range g.Discrete {
		states, err := t.As(p)
		if err != nil {
			return nil, err
		}
		f.states = append(f.states, states)
		f.columns = append(f.columns, Column{Var: p, States: states})
	}
	for _, p := range append(g.Continuous[:len(g.Continuous):len(g.Continuous)], g.Child) {
		c, err := t.Column(p.Name)
		if err != nil {
			return nil, err
		}
		if c.Var.IsDiscrete() {
			return nil, say.Errorf("data: column %q holds states, but the variable is continuous; read the column as "+
				"numbers", p.Name)
		}
		f.x = append(f.x, c.Values)
		f.columns = append(f.columns, c)
	}
	last := len(f.x) - 1
	f.x, f.y = f.x[:last], f.x[last]
	f.origins()
	return f, nil
}

// refuseMissing returns the error for the first row with a missing cell.
func refuseMissing(t *Table, families []*regressors) error {
	first, name := t.rows, ""
	for _, f := range families {
		for _, c := range f.columns {
			if t.complete[t.index[c.Var.Name]] {
				continue
			}
			for row := range first {
				if c.IsMissing(row) {
					first, name = row, c.Var.Name
					break
				}
			}
		}
	}
	if first == t.rows {
		return nil
	}
	return &ValueError{Row: first + 1, Name: name,
		Err: fmt.Errorf("%w; set CountOptions.SkipMissing to leave such rows out", ErrMissing)}
}

// crossPart is what one block of rows gives to one node, by configuration.
type crossPart struct {
	configs []int
	factors []Factor
	skipped float64
}

// block gathers the rows [lo, hi), those of one configuration together.
func (f *regressors) block(weights []float64, lo, hi int) crossPart {
	var part crossPart
	type place struct{ config, row int }
	places := make([]place, 0, hi-lo)
	for row := lo; row < hi; row++ {
		if f.set != nil && f.set[row] {
			continue
		}
		weight := 1.0
		if weights != nil {
			weight = weights[row]
		}
		config, complete := f.config(row)
		switch {
		case !complete:
			part.skipped += weight
		case weight > 0:
			places = append(places, place{config, row})
		}
	}
	if f.configs.Len() > 1 {
		slices.SortStableFunc(places, func(a, b place) int { return a.config - b.config })
	}
	fold := newFolder(len(f.x) + 2)
	for i, p := range places {
		if i == 0 || p.config != places[i-1].config {
			part.configs = append(part.configs, p.config)
			part.factors = append(part.factors, Factor{})
		}
		weight := 1.0
		if weights != nil {
			weight = weights[p.row]
		}
		f.read(fold.next(), p.row, math.Sqrt(weight))
		at := &part.factors[len(part.factors)-1]
		at.N += weight
		if i+1 == len(places) || places[i+1].config != p.config {
			at.R = fold.factor()
		}
	}
	return part
}

// config is the configuration of a row, and whether all members are known in it.
func (f *regressors) config(row int) (config int, complete bool) {
	for _, c := range f.columns {
		if c.IsMissing(row) {
			return 0, false
		}
	}
	for i, s := range f.states {
		config += int(s[row]) * f.configs.Stride(i)
	}
	return config, true
}

// read writes scale · [1, x, y] of a row.
func (f *regressors) read(dst []float64, row int, scale float64) {
	dst[0] = scale
	for i, x := range f.x {
		dst[i+1] = scale * (x[row] - f.origin[i])
	}
	dst[len(dst)-1] = scale * (f.y[row] - f.origin[len(f.x)])
}
