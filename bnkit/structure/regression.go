package structure

import (
	"context"
	"math"
	"slices"
	"sync"

	"bnlab/bnkit/structure/internal/count"
)

// A factoring is a Cholesky factor of the products of some columns of a cell, their base, and of one more, the child.
type factoring struct {
	cell      *cell
	tolerance float64 // see gaussianScore
	columns   []int   // of the base, in the cell
	child     int
	l         []float64 // lower triangle by rows; 0 on the diagonal for a column that those before it determine
	row       []float64 // of the child
	added     []float64 // of a further column
	fit       fitted    // of the child on the base
}

// of factors a cell.
func (f *factoring) of(c *cell, tolerance float64, columns []int, child int) {
	k := len(columns)
	f.cell, f.tolerance, f.columns, f.child = c, tolerance, columns, child
	f.l, f.row, f.added = resize(f.l, k*k), resize(f.row, k), resize(f.added, k)
	f.fit = fitted{config: c.config, n: c.n, mean: c.mean[child]}
	for i, column := range columns {
		left, spread := f.solve(f.l[i*k:i*k+i], column)
		f.l[i*k+i] = 0
		if left > tolerance*spread {
			f.l[i*k+i] = math.Sqrt(left)
			f.fit.parents += math.Log(left)
		}
	}
	f.fit.left, f.fit.spread = f.solve(f.row, child)
}

// solve writes the row of a column below those of the first ones, as many as row is long, and returns what they leave
// of its sum of squares.
func (f *factoring) solve(row []float64, column int) (left, spread float64) {
	s, width, k := f.cell.s, len(f.cell.mean), len(f.columns)
	products := s[column*width : (column+1)*width]
	spread = products[column]
	left = spread
	for j := range row {
		d := f.l[j*k+j]
		if d == 0 {
			row[j] = 0
			continue
		}
		x := products[f.columns[j]]
		for t, y := range f.l[j*k : j*k+j] {
			x -= row[t] * y
		}
		row[j] = x / d
		left -= row[j] * row[j]
	}
	return left, spread
}

// with is the fit with a further column in the base.
func (f *factoring) with(column int) fitted {
	fit := f.fit
	left, spread := f.solve(f.added, column)
	if !(left > f.tolerance*spread) {
		return fit
	}
	joint := f.cell.s[column*len(f.cell.mean)+f.child]
	for t, x := range f.added {
		joint -= x * f.row[t]
	}
	fit.left -= joint * joint / left
	fit.parents += math.Log(left)
	return fit
}

// resize returns n numbers, of x if it has room.
func resize(x []float64, n int) []float64 {
	if cap(x) < n {
		return make([]float64, n, 2*n)
	}
	return x[:n]
}

// wholeCells are the cells of all continuous variables, as a score adjusts them, by the discrete parents and by the
// strata that count for the child.
type wholeCells struct {
	mu   sync.Mutex
	kept map[string]*adjusted
	room int
}

// adjusted are cells as a score has them.
type adjusted struct {
	cells     []cell
	tolerance float64
	rows      float64
}

// adjust returns cells as the score has them.
func (s *Scorer) adjust(cells []cell, mean []float64) *adjusted {
	a := &adjusted{cells: slices.Clone(cells)}
	for i, c := range cells {
		a.cells[i], a.tolerance = s.score.(gaussianScore).adjust(c, mean)
		a.rows += c.n
	}
	return a
}

// whole returns the cells of all continuous variables for a child, nil where families have to be looked at one by
// one: where values are missing, or there are too many configurations to keep them.
func (s *Scorer) whole(ctx context.Context, child, configs int, discrete []int) (*adjusted, error) {
	m := s.numbers
	if m.holes || configs*len(m.numbers)*len(m.numbers) > wideMoments {
		return nil, nil
	}
	key := count.Family{Child: m.mask[child], Parents: discrete}.Key(nil)
	w := s.wholes
	w.mu.Lock()
	defer w.mu.Unlock()
	if got, ok := w.kept[string(key)]; ok {
		return got, nil
	}
	from, err := m.by(ctx, discrete, m.numbers)
	if err != nil {
		return nil, err
	}
	a := s.adjust(m.gather(from, child, m.numbers), m.mean)
	if size := len(a.cells) * len(m.numbers) * len(m.numbers); size <= w.room {
		w.room -= size
		w.kept[string(key)] = a
	}
	return a, nil
}

// part returns the cells of the members of one family alone, the child last.
func (s *Scorer) part(ctx context.Context, child, configs int, discrete, slopes []int) ([]cell, error) {
	m := s.numbers
	columns := append(slices.Clip(slopes), child)
	ask := m.numbers
	if configs*len(m.numbers)*len(m.numbers) > wideMoments {
		ask = columns
	}
	from, err := m.by(ctx, discrete, ask)
	if err != nil {
		return nil, err
	}
	return m.gather(from, child, columns), nil
}

// split returns the discrete and the continuous parents of a family, and the number of configurations.
func (m *moments) split(f count.Family) (discrete, slopes []int, configs int) {
	configs = 1
	for _, p := range f.Parents {
		if m.place[p] >= 0 {
			slopes = append(slopes, p)
		} else {
			discrete = append(discrete, p)
			configs *= m.vars[p].Cardinality()
		}
	}
	return discrete, slopes, configs
}

// places are the places of continuous variables among them.
func (m *moments) places(of []int) []int {
	out := make([]int, len(of))
	for i, v := range of {
		out[i] = m.place[v]
	}
	return out
}

// regression returns the regression of a family, its parents in their order: then the digits of the score depend on
// nothing else.
func (s *Scorer) regression(ctx context.Context, f count.Family) (*regression, error) {
	m := s.numbers
	discrete, slopes, configs := m.split(f)
	r := &regression{m: m, family: f, configs: configs, slopes: len(slopes)}
	r.cells = func() ([]cell, error) { return s.part(ctx, f.Child, configs, discrete, slopes) }
	a, err := s.whole(ctx, f.Child, configs, discrete)
	columns, child := m.places(slopes), m.place[f.Child]
	if err == nil && a == nil {
		var cells []cell
		if cells, err = s.part(ctx, f.Child, configs, discrete, slopes); err == nil {
			mean := make([]float64, 0, len(slopes)+1)
			for _, at := range append(columns, child) {
				mean = append(mean, m.mean[at])
			}
			a, columns, child = s.adjust(cells, mean), all(len(slopes)), len(slopes)
		}
	}
	if err != nil {
		return nil, err
	}
	var factor factoring
	for i := range a.cells {
		factor.of(&a.cells[i], a.tolerance, columns, child)
		r.fits = append(r.fits, factor.fit)
	}
	r.rows = a.rows
	return r, nil
}

// ring scores families that differ in one continuous parent: each is a step from what they have in common. Those that
// it cannot score are left, and done is false.
func (s *Scorer) ring(ctx context.Context, families []count.Family, out []float64) (done bool, err error) {
	m, first := s.numbers, families[0]
	base := slices.Delete(slices.Clone(first.Parents), first.Add, first.Add+1)
	discrete, slopes, configs := m.split(count.Family{Child: first.Child, Parents: base})
	a, err := s.whole(ctx, first.Child, configs, discrete)
	if a == nil || err != nil {
		return false, err
	}
	factors := make([]factoring, len(a.cells))
	columns := m.places(slopes)
	for i := range a.cells {
		factors[i].of(&a.cells[i], a.tolerance, columns, m.place[first.Child])
	}
	r := &regression{m: m, configs: configs, slopes: len(slopes) + 1, rows: a.rows, fits: make([]fitted, len(factors))}
	r.cells = func() ([]cell, error) {
		_, slopes, _ := m.split(r.family)
		return s.part(ctx, first.Child, configs, discrete, slopes)
	}
	for i, f := range families {
		column := m.place[f.Parents[f.Add]]
		for j := range factors {
			r.fits[j] = factors[j].with(column)
		}
		r.family = f
		if out[i], err = s.rateRegression(r); err != nil {
			return false, err
		}
	}
	return true, nil
}
