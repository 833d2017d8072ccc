package structure

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure/internal/count"
	"bnlab/internal/say"
)

// A productSource is a source of cases with continuous columns: a *data.Table or sqldata's cases.
type productSource interface {
	Products(ctx context.Context, columns, by []string, opts *data.CountOptions) ([]data.Products, error)
}

// moments are the means and products of the continuous variables of a source, by configuration of sets of discrete
// ones. Those of all continuous variables are asked for once for each set of discrete ones; the families of
// continuous children are parts of them.
type moments struct {
	vars    []bn.Variable
	place   []int // by variable: among the continuous ones, −1 for a discrete one
	numbers []int // the continuous variables
	strata  []stratum
	holes   bool      // some stratum lacks values of a continuous variable
	mask    []int     // by variable: children of one number have the same strata
	mean    []float64 // by place, over all rows that have a value
	spread  []float64 // by place: the standard deviation of the same rows
	rows    float64   // at most so many are different
	skip    bool      // rows with a missing discrete cell are left out of the families
	workers int

	mu   sync.Mutex
	kept map[string][]byConfig
	room int // numbers that may still be kept
}

// A stratum is a part of the rows in which the same variables were set and the same continuous ones are missing.
type stratum struct {
	of     productSource
	set    []bool // by variable
	seen   []bool // by variable: it has values
	column []int  // by place: its place in the products, −1 for one without values
}

// byConfig are the products of one stratum.
type byConfig struct {
	column   []int // as in the stratum, or of the few columns asked for
	products []data.Products
}

// Numbers that are kept, and that the products of all columns by one set of discrete variables may have.
const (
	keptMoments = 1 << 24 // 128 MiB
	wideMoments = 1 << 22
)

// newMoments returns the moments of a source, nil when all variables are discrete.
func newMoments(ctx context.Context, src data.Source, vars []bn.Variable, missing Missing, workers int) (*moments,
	error) {
	m := &moments{vars: vars, place: make([]int, len(vars)), workers: workers, kept: make(map[string][]byConfig),
		room: keptMoments, skip: missing != RefuseMissing, rows: src.TotalWeight()}
	for v := range vars {
		m.place[v] = -1
		if !vars[v].IsDiscrete() {
			m.place[v] = len(m.numbers)
			m.numbers = append(m.numbers, v)
		}
	}
	if len(m.numbers) == 0 {
		return nil, nil
	}
	from, ok := src.(productSource)
	if !ok {
		return nil, say.Errorf("structure: column %q: %w, and the source %T has no Products of columns of numbers; "+
			"score a *data.Table or sqldata.Cases", vars[m.numbers[0]].Name, bn.ErrNotDiscrete, src)
	}
	t, inMemory := src.(*data.Table)
	if inMemory {
		m.rows = float64(t.Rows())
	}
	if inMemory && missing != RefuseMissing || intervened(src) {
		if err := m.stratify(t); err != nil {
			return nil, err
		}
	} else {
		m.strata = []stratum{m.stratum(from, nil, func(int) bool { return true })}
	}
	m.describe()
	return m, m.check(ctx)
}

// stratum describes a part of the rows.
func (m *moments) stratum(of productSource, set []string, seen func(v int) bool) stratum {
	s := stratum{of: of, set: make([]bool, len(m.vars)), seen: make([]bool, len(m.vars)),
		column: make([]int, len(m.numbers))}
	columns := 0
	for v := range m.vars {
		s.set[v] = slices.Contains(set, m.vars[v].Name)
		if s.seen[v] = seen(v); m.place[v] < 0 {
			continue
		}
		s.column[m.place[v]] = -1
		if s.seen[v] {
			s.column[m.place[v]] = columns
			columns++
		}
	}
	return s
}

// stratify divides a table by what was set and what is missing. Discrete cells that are missing stay: their rows
// are left out of the configurations.
func (m *moments) stratify(t *data.Table) error {
	regimes := t.Regimes()
	if regimes == nil {
		regimes = []data.Regime{{Rows: t}}
	}
	for _, regime := range regimes {
		columns := make([]data.Column, len(m.numbers))
		for i, v := range m.numbers {
			c, err := regime.Rows.Column(m.vars[v].Name)
			if err != nil {
				return err
			}
			columns[i] = c
		}
		rows, order := make(map[string][]int), []string(nil)
		pattern := make([]byte, len(columns))
		for row := range regime.Rows.Rows() {
			for i, c := range columns {
				pattern[i] = 1
				if math.IsNaN(c.Values[row]) {
					pattern[i] = 0
				}
			}
			if rows[string(pattern)] == nil {
				order = append(order, string(pattern))
			}
			rows[string(pattern)] = append(rows[string(pattern)], row)
		}
		for _, p := range order {
			part := regime.Rows
			if len(order) > 1 {
				part = part.Select(rows[p])
			}
			m.strata = append(m.strata, m.stratum(part, regime.Set, func(v int) bool {
				return m.place[v] < 0 || p[m.place[v]] == 1
			}))
		}
	}
	return nil
}

// describe numbers the children by the strata that count for them.
func (m *moments) describe() {
	m.mask = make([]int, len(m.vars))
	number := make(map[string]int)
	for v := range m.vars {
		pattern := make([]byte, len(m.strata))
		for i, s := range m.strata {
			if s.set[v] {
				pattern[i] = 1
			}
			m.holes = m.holes || !s.seen[v]
		}
		if _, ok := number[string(pattern)]; !ok {
			number[string(pattern)] = len(number)
		}
		m.mask[v] = number[string(pattern)]
	}
}

// check finds the means, and returns an error for what no regression can be scored of: a column without values or
// with one value only, and columns of which one is a linear function of the others.
func (m *moments) check(ctx context.Context) error {
	all, err := m.by(ctx, nil, m.numbers)
	if err != nil {
		return err
	}
	m.mean, m.spread = make([]float64, len(m.numbers)), make([]float64, len(m.numbers))
	whole := cell{mean: make([]float64, len(m.numbers)), s: make([]float64, len(m.numbers)*len(m.numbers))}
	for i, v := range m.numbers {
		one := m.gather(all, -1, []int{v})
		column := cell{mean: []float64{0}, s: []float64{0}}
		if len(one) > 0 {
			column = one[0]
		}
		m.mean[i], m.spread[i] = column.mean[0], math.Sqrt(column.s[0]/column.n)
		switch {
		case column.n == 0:
			return say.Errorf("structure: column %q has no number in any case; leave it out", m.vars[v].Name)
		case !(column.s[0] > 0), math.Sqrt(column.s[0]/column.n) <= flat*math.Abs(m.mean[i]):
			return say.Errorf("structure: column %q is %g in all cases, so that no regression can be scored of it; "+
				"leave it out", m.vars[v].Name, m.mean[i])
		}
	}
	if cells := m.gather(all, -1, m.numbers); len(cells) > 0 {
		whole = cells[0]
	}
	if m.rows < 3 {
		return fmt.Errorf("structure: %g cases are too few to score regressions; at least 3 are needed", m.rows)
	}
	if members := whole.collinear(m.rows); members != nil {
		for i, at := range members {
			members[i] = m.numbers[at]
		}
		last := len(members) - 1
		return say.Errorf("structure: column %q is a linear function of %s, so that scores of regressions have no "+
			"bound: the columns are collinear; leave one of them out", m.vars[members[last]].Name,
			quoted(m.vars, members[:last]))
	}
	return nil
}

// flat is the standard deviation, relative to the mean, below which values count as equal: two units in the last place,
// as products are taken about the mean and lose no digits to it.
const flat = 2 * 0x1p-52

// by returns the products of columns, which are continuous variables, by configuration of discrete ones, ascending,
// for each stratum. Those of all columns are kept.
func (m *moments) by(ctx context.Context, discrete, columns []int) ([]byConfig, error) {
	key := string(count.Family{Parents: discrete}.Key(nil))
	whole := len(columns) == len(m.numbers)
	if whole {
		m.mu.Lock()
		defer m.mu.Unlock()
		if got, ok := m.kept[key]; ok {
			return got, nil
		}
	}
	out := make([]byConfig, len(m.strata))
	size := 0
	for i, s := range m.strata {
		column, ask := s.column, []string(nil)
		if !whole {
			column = slices.Repeat([]int{-1}, len(m.numbers))
		}
		for _, v := range columns {
			if s.seen[v] {
				column[m.place[v]] = len(ask)
				ask = append(ask, m.vars[v].Name)
			}
		}
		products, err := s.of.Products(ctx, ask, names(m.vars, discrete),
			&data.CountOptions{Workers: m.workers, SkipMissing: m.skip})
		if err != nil {
			return nil, explainMissing(err)
		}
		out[i] = byConfig{column, products}
		for _, p := range products {
			size += len(p.Centred)
		}
	}
	if whole && size <= m.room {
		m.room -= size
		m.kept[key] = out
	}
	return out, nil
}

// A cell is the moments of a family in one configuration of the discrete parents: of the continuous parents,
// ascending, and last of the child.
type cell struct {
	config  int
	n       float64
	mean, s []float64 // s by rows
}

// gather adds up the strata in which the child was not set and all of the columns have values, by configuration. A
// negative child takes all strata.
func (m *moments) gather(from []byConfig, child int, columns []int) []cell {
	var out []cell
	k := len(columns)
	at := make([]int, k)
strata:
	for i, s := range m.strata {
		if child >= 0 && s.set[child] {
			continue
		}
		for j, v := range columns {
			if at[j] = from[i].column[m.place[v]]; at[j] < 0 {
				continue strata
			}
		}
		for _, p := range from[i].products {
			if p.N == 0 {
				continue
			}
			c := cell{config: p.Config, n: p.N, mean: make([]float64, k), s: make([]float64, k*k)}
			width := len(p.Mean)
			for a, u := range at {
				c.mean[a] = p.Mean[u]
				for b, v := range at {
					c.s[a*k+b] = p.Centred[u*width+v]
				}
			}
			place, found := slices.BinarySearchFunc(out, c.config, func(c cell, config int) int {
				return c.config - config
			})
			if found {
				out[place].add(c)
			} else {
				out = slices.Insert(out, place, c)
			}
		}
	}
	return out
}

// add adds the cases of another cell (Chan, Golub and LeVeque 1983, Eq. 2.1).
func (c *cell) add(d cell) {
	k, n := len(c.mean), c.n+d.n
	away := make([]float64, k)
	for i := range away {
		away[i] = d.mean[i] - c.mean[i]
	}
	for i := range k {
		for j := range k {
			c.s[i*k+j] += d.s[i*k+j] + c.n*d.n/n*away[i]*away[j]
		}
		c.mean[i] += d.n / n * away[i]
	}
	c.n = n
}
