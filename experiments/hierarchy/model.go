package hierarchy

import (
	"math/rand/v2"

	"bnlab/bnkit/bn"
)

// A model is a dynamic network of order 1 that generates series (B06 §3.1): a table for each variable at t+1 given its
// parents at t. Parents have no parents, and a variable has one distribution at all times.
type model struct {
	graph  graph
	tables []*table
}

// newModel draws the tables of a structure: NIS nis without parents, NMIS nmis for each parent.
func newModel(g graph, arity int, nis, nmis float64, src *rand.Rand) (*model, error) {
	m := &model{graph: g, tables: make([]*table, len(g))}
	for _, child := range []bool{false, true} {
		for v, parents := range g {
			if child != (len(parents) > 0) {
				continue
			}
			if err := m.drawTable(v, arity, nis, nmis, src); err != nil {
				return nil, err
			}
		}
	}
	return m, nil
}

func (m *model) drawTable(v, arity int, nis, nmis float64, src *rand.Rand) error {
	want := []float64{nis}
	var prior [][]float64
	if parents := m.graph[v]; len(parents) > 0 {
		want = nil
		for _, p := range parents {
			prior, want = append(prior, m.tables[p].rows[0]), append(want, nmis)
		}
	}
	var err error
	m.tables[v], err = draw(arity, prior, want, src)
	return err
}

// extend returns the model with a larger structure: what has the same parents keeps its table.
func (m *model) extend(g graph, arity int, nmis float64, src *rand.Rand) (*model, error) {
	d := &model{graph: g, tables: append([]*table(nil), m.tables...)}
	for v, parents := range g {
		if len(parents) != len(m.graph[v]) {
			if err := d.drawTable(v, arity, 0, nmis, src); err != nil {
				return nil, err
			}
		}
	}
	return d, nil
}

// change returns the model whose links have the strength nmis ± c, the sign of each by signs[child][parent's
// place] (B06 §4).
func (m *model) change(nmis, c float64, signs [][]float64) (*model, error) {
	d := &model{graph: m.graph, tables: append([]*table(nil), m.tables...)}
	for v, parents := range m.graph {
		if len(parents) == 0 {
			continue
		}
		want := make([]float64, len(parents))
		for j := range want {
			want[j] = nmis + c*signs[v][j]
		}
		var err error
		if d.tables[v], err = m.tables[v].modify(want); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// randomSigns draws −1 or 1 for each link.
func randomSigns(g graph, src *rand.Rand) [][]float64 {
	signs := make([][]float64, len(g))
	for v, parents := range g {
		for range parents {
			signs[v] = append(signs[v], float64(1-2*src.IntN(2)))
		}
	}
	return signs
}

// noise is what B06 §4 adds to an entry of a table.
const noise = 0.1

// disturb returns the model of one data point: of each variable's table so many entries, drawn with
// replacement, get 0.1 more, and rows are made to sum to one again.
func (m *model) disturb(entries int, src *rand.Rand) *model {
	d := &model{graph: m.graph, tables: make([]*table, len(m.tables))}
	for v, t := range m.tables {
		t = t.clone()
		d.tables[v] = t
		r := len(t.rows[0])
		for range entries {
			at := src.IntN(len(t.rows) * r)
			t.rows[at/r][at%r] += noise
		}
		for _, row := range t.rows {
			sum := 0.0
			for _, p := range row {
				sum += p
			}
			for x := range row {
				row[x] /= sum
			}
		}
	}
	return d
}

// sample appends a series of so many images to columns, one for each variable. The first image has the
// distribution that variables have at all times.
func (m *model) sample(columns [][]bn.State, images int, src *rand.Rand) [][]bn.State {
	if columns == nil {
		columns = make([][]bn.State, len(m.tables))
	}
	start := len(columns[0])
	for v := range columns {
		columns[v] = append(columns[v], make([]bn.State, images)...)
	}
	for _, child := range []bool{false, true} {
		for v, t := range m.tables {
			if child != (len(m.graph[v]) > 0) {
				continue
			}
			sums := t.cumulative()
			column := columns[v][start:]
			column[0] = pick(cumulate(t.marginal()), src)
			for i := 1; i < images; i++ {
				config := 0
				for j, p := range m.graph[v] {
					config += int(columns[p][start+i-1]) * t.configs.Stride(j)
				}
				column[i] = pick(sums[config], src)
			}
		}
	}
	return columns
}

// cumulative are the cumulated rows.
func (t *table) cumulative() [][]float64 {
	sums := make([][]float64, len(t.rows))
	for c, row := range t.rows {
		sums[c] = cumulate(row)
	}
	return sums
}

// cumulate sums up, the last state left out: it takes what remains.
func cumulate(p []float64) []float64 {
	sums := make([]float64, len(p)-1)
	total := 0.0
	for x := range sums {
		total += p[x]
		sums[x] = total
	}
	return sums
}

// pick draws a state.
func pick(sums []float64, src *rand.Rand) bn.State {
	u, x := src.Float64(), bn.State(0)
	for _, s := range sums {
		if u >= s {
			x++
		}
	}
	return x
}
