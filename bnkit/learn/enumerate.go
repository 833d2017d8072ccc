package learn

import (
	"fmt"
	"math"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// enumeration computes expected counts by running through all completions of each
// distinct case.
type enumeration struct {
	net    *bn.Network
	layout bn.Layout
	rows   [][]bn.State // distinct cases, by variable of the network
	weight float64      // of all cases
	of     []float64    // by row
	hidden string       // a variable that no case observes

	complete bool // no cell is missing
}

// maxCompletions bounds the completions of one case.
const maxCompletions = 1 << 16

// newEnumeration gathers the distinct cases. A variable without a column is missing
// everywhere; other columns are ignored, as they are in counting.
func newEnumeration(net *bn.Network, t *data.Table) (*enumeration, error) {
	var names []string
	have := make(map[string]bool)
	for _, v := range t.Variables() {
		have[v.Name] = true
	}
	for v := range net.Len() {
		if have[net.Variable(v).Name] {
			names = append(names, net.Variable(v).Name)
		}
	}
	kept, err := t.Keep(names...)
	if err != nil {
		return nil, err
	}
	cols := make([][]bn.State, net.Len())
	for v := range net.Len() {
		if have[net.Variable(v).Name] {
			if cols[v], err = kept.As(net.Variable(v)); err != nil {
				return nil, err
			}
		}
	}
	whole := make([]data.Column, 0, len(names))
	for v, col := range cols {
		if col != nil {
			whole = append(whole, data.Column{Var: net.Variable(v), States: col})
		}
	}
	same, err := data.New(whole...)
	if err != nil {
		return nil, err
	}
	if w := t.Weights(); w != nil {
		if same, err = same.WithWeights(w); err != nil {
			return nil, err
		}
	}
	distinct := same.Distinct()
	e := &enumeration{net: net, layout: net.Layout(), of: distinct.Weights(), weight: distinct.TotalWeight()}
	e.rows = make([][]bn.State, distinct.Rows())
	for i := range e.rows {
		e.rows[i] = make([]bn.State, net.Len())
		for v := range e.rows[i] {
			e.rows[i][v] = bn.Missing
		}
	}
	for _, c := range distinct.Columns() {
		v, err := net.Index(c.Var.Name)
		if err != nil {
			return nil, err
		}
		for i, state := range c.States {
			e.rows[i][v] = state
		}
	}
	return e, e.check()
}

func (e *enumeration) check() error {
	seen := make([]bool, e.net.Len())
	e.complete = true
	for i, row := range e.rows {
		completions := 1
		for v, state := range row {
			seen[v] = seen[v] || state != bn.Missing
			if state == bn.Missing {
				e.complete = false
				completions *= e.net.Variable(v).Cardinality()
			}
			if completions > maxCompletions {
				return fmt.Errorf("distinct case %d has more than %d completions of its missing cells; leave out variables that are seldom observed", i+1, maxCompletions)
			}
		}
	}
	for v, s := range seen {
		if !s {
			e.hidden = e.net.Variable(v).Name
		}
	}
	return nil
}

// cells returns, for a complete row, the table entry of a variable.
func (e *enumeration) cell(v int, row []bn.State) int {
	t := e.net.CPT(v)
	config := 0
	for i, parent := range e.net.DAG().Parents(v) {
		config += int(row[parent]) * t.Configs().Stride(i)
	}
	return e.layout.Cell(v, config, int(row[v]))
}

// observed counts each family over the cases that are complete in it.
func (e *enumeration) observed() []float64 {
	n := make([]float64, e.layout.Len())
	for i, row := range e.rows {
		for v := range row {
			if complete(row, v, e.net.DAG().Parents(v)) {
				n[e.cell(v, row)] += e.of[i]
			}
		}
	}
	return n
}

func complete(row []bn.State, v int, parents []int) bool {
	if row[v] == bn.Missing {
		return false
	}
	for _, p := range parents {
		if row[p] == bn.Missing {
			return false
		}
	}
	return true
}

// expect adds the expected counts at theta to n and returns the log-likelihood.
func (e *enumeration) expect(n, theta []float64) (float64, error) {
	loglik := 0.0
	full := make([]bn.State, e.net.Len())
	var missing, open []int
	var entries []int // of the open families, by completion
	var weights []float64
	for i, row := range e.rows {
		if e.of[i] == 0 {
			continue
		}
		copy(full, row)
		missing, open, entries, weights = missing[:0], open[:0], entries[:0], weights[:0]
		known := 0.0 // log probability of the complete families
		for v := range row {
			if row[v] == bn.Missing {
				missing = append(missing, v)
			}
			if !complete(row, v, e.net.DAG().Parents(v)) {
				open = append(open, v)
				continue
			}
			cell := e.cell(v, row)
			n[cell] += e.of[i]
			known += math.Log(theta[cell])
		}
		for _, v := range missing {
			full[v] = 0
		}
		top := math.Inf(-1)
		for {
			w, logW := 1.0, 0.0 // in parts: a product over hundreds of families underflows
			for _, v := range open {
				cell := e.cell(v, full)
				entries = append(entries, cell)
				if w *= theta[cell]; w < 1e-100 {
					w, logW = 1, logW+math.Log(w)
				}
			}
			logW += math.Log(w)
			weights = append(weights, logW)
			top = math.Max(top, logW)
			if !e.next(full, missing) {
				break
			}
		}
		if math.IsInf(top, -1) || math.IsInf(known, -1) {
			return 0, fmt.Errorf("a case has probability zero under the parameters (distinct case %d); give pseudocounts, or check the statements", i+1)
		}
		sum := 0.0
		for c, logW := range weights {
			weights[c] = math.Exp(logW - top)
			sum += weights[c]
		}
		loglik += e.of[i] * (known + top + math.Log(sum))
		for c, w := range weights {
			share := e.of[i] * (w / sum)
			for _, cell := range entries[c*len(open) : (c+1)*len(open)] {
				n[cell] += share
			}
		}
	}
	return loglik, nil
}

// next steps to the next completion.
func (e *enumeration) next(full []bn.State, missing []int) bool {
	for k := len(missing) - 1; k >= 0; k-- {
		v := missing[k]
		full[v]++
		if int(full[v]) < e.net.Variable(v).Cardinality() {
			return true
		}
		full[v] = 0
	}
	return false
}
