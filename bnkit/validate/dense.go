package validate

import (
	"encoding/binary"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// dense are complete discrete cases as numbers of table entries. A context is all that the
// prediction of the target depends on: the states of its parents, of its children and of their
// other parents. Of a target without children only its own table counts.
type dense struct {
	layout   bn.Layout
	families int
	cells    []int // by row and variable: the table entry of the case
	context  []int // by row
	contexts int
	states   int   // of the target
	factors  int   // families that the target is in
	terms    []int // by context, state of the target and factor: entries whose product is P(target, …)
}

// newDense returns nil when a variable is continuous, has no column or a missing cell.
func newDense(net *bn.Network, t *data.Table, target int) (*dense, error) {
	columns := make([][]bn.State, net.Len())
	for v := range columns {
		variable := net.Variable(v)
		if !slices.ContainsFunc(t.Variables(), func(u bn.Variable) bool { return u.Name == variable.Name }) ||
			!variable.IsDiscrete() {
			return nil, nil
		}
		var err error
		if columns[v], err = t.As(variable); err != nil {
			return nil, say.Errorf("validate: %w", err)
		}
		if slices.Contains(columns[v], bn.Missing) {
			return nil, nil
		}
	}
	members := append([]int{target}, net.DAG().Children(target)...)
	d := &dense{
		layout: net.Layout(), families: net.Len(), states: net.Variable(target).Cardinality(), factors: len(members),
		cells: make([]int, t.Rows()*net.Len()), context: make([]int, t.Rows()),
	}
	strides := make([]int, len(members)) // of the target, in entries of each table
	for i, v := range members {
		if strides[i] = 1; i > 0 {
			at := slices.Index(net.DAG().Parents(v), target)
			strides[i] = net.CPT(v).Configs().Stride(at) * net.Variable(v).Cardinality()
		}
	}
	known := make(map[string]int)
	first := make([]int, len(members)) // entries if the target were in its first state
	var key []byte
	for row := range t.Rows() {
		cells := d.cells[row*d.families:][:d.families]
		for v := range cells {
			config, numbers := 0, net.CPT(v).Configs()
			for p, parent := range net.DAG().Parents(v) {
				config += int(columns[parent][row]) * numbers.Stride(p)
			}
			cells[v] = d.layout.Cell(v, config, int(columns[v][row]))
		}
		key = key[:0]
		for i, v := range members {
			first[i] = cells[v] - strides[i]*int(columns[target][row])
			key = binary.AppendUvarint(key, uint64(first[i]))
		}
		at, ok := known[string(key)]
		if !ok {
			at = d.contexts
			d.contexts++
			known[string(key)] = at
			for s := range d.states {
				for i, cell := range first {
					d.terms = append(d.terms, cell+s*strides[i])
				}
			}
		}
		d.context[row] = at
	}
	return d, nil
}

// gather counts the rows of a part, and condenses them to items.
func (d *dense) gather(p *part, states []bn.State, weights []float64) {
	p.n = make([]float64, d.layout.Len())
	at := make([]int, d.contexts*d.states) // 1 + the position in items
	for _, row := range p.rows {
		w := 1.0
		if weights != nil {
			w = weights[row]
		}
		for _, cell := range d.cells[row*d.families:][:d.families] {
			p.n[cell] += w
		}
		place := d.context[row]*d.states + int(states[row])
		if at[place] == 0 {
			p.items = append(p.items, item{place: d.context[row], state: states[row], row: row})
			at[place] = len(p.items)
		}
		p.items[at[place]-1].weight += w
	}
	slices.SortFunc(p.items, func(a, b item) int {
		if a.place != b.place {
			return a.place - b.place
		}
		return int(a.state) - int(b.state)
	})
}

// distribution writes P(target | context) under the tables theta. It reports false when the
// context is impossible.
func (d *dense) distribution(dst []float64, context int, theta []float64) bool {
	terms := d.terms[context*d.states*d.factors:]
	if d.factors == 1 {
		for s := range dst {
			dst[s] = theta[terms[s]]
		}
		return true
	}
	top := math.Inf(-1)
	for s := range dst {
		dst[s] = 0
		for _, cell := range terms[s*d.factors:][:d.factors] {
			dst[s] += math.Log(theta[cell])
		}
		top = max(top, dst[s])
	}
	if math.IsInf(top, -1) {
		return false
	}
	sum := 0.0
	for s := range dst {
		dst[s] = math.Exp(dst[s] - top)
		sum += dst[s]
	}
	for s := range dst {
		dst[s] /= sum
	}
	return true
}
