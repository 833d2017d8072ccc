package data

import (
	"fmt"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/pool"
)

// A plan says how the columns of a table become counts of families.
type plan struct {
	table    *Table
	view     map[string]int // by name of the variable, into views
	views    []view
	families []family
}

// A view is a column as the families number its states.
type view struct {
	col      int
	states   []bn.State
	remap    []bn.State // by state of the column, nil when the numbers are the same
	complete bool
	masked   bool // made by masked
}

// A family is counted at child + Σ mul[p]·parent[p] of n.
type family struct {
	child    int // into views
	parents  []int
	mul      []int
	n        []float64
	skipped  *float64
	complete bool
	set      []bool // rows in which the child was set; nil for none
	observed int    // the view of the child with those rows
}

// add plans the counts of one family into n.
func (p *plan) add(child bn.Variable, parents []bn.Variable, configs bn.Configs, n []float64, skipped *float64) error {
	f := family{n: n, skipped: skipped}
	var err error
	if f.child, err = p.find(child); err != nil {
		return err
	}
	f.observed = f.child
	if f.set = p.table.set(child.Name); f.set != nil {
		f.child = p.masked(f.child, f.set)
	}
	f.complete = p.views[f.child].complete
	for i, parent := range parents {
		v, err := p.find(parent)
		if err != nil {
			return err
		}
		f.parents = append(f.parents, v)
		f.mul = append(f.mul, configs.Stride(i)*child.Cardinality())
		f.complete = f.complete && p.views[v].complete
	}
	p.families = append(p.families, f)
	return nil
}

// find returns the view of a variable's column, made at first use.
func (p *plan) find(v bn.Variable) (int, error) {
	if i, ok := p.view[v.Name]; ok {
		return i, nil
	}
	if _, err := p.table.discrete(v.Name); err != nil {
		return 0, err
	}
	col := p.table.index[v.Name]
	c := p.table.cols[col]
	remap, err := match(c, v)
	if err != nil {
		return 0, err
	}
	p.view[v.Name] = len(p.views)
	p.views = append(p.views, view{col: col, states: c.States, remap: remap, complete: p.table.complete[col]})
	return len(p.views) - 1, nil
}

// match returns the number in v of each state of the column, nil when they are
// the same. A state of the column that v lacks is an error where a row has it.
func match(c Column, v bn.Variable) ([]bn.State, error) {
	if slices.Equal(c.Var.States, v.States) {
		return nil, nil
	}
	number := make(map[string]bn.State, v.Cardinality())
	for s, name := range v.States {
		number[name] = bn.State(s)
	}
	remap := make([]bn.State, c.Var.Cardinality())
	same, known := true, true
	for s, name := range c.Var.States {
		to, ok := number[name]
		if !ok {
			if equal, err := v.StateIndex(name); err == nil { // 1.0 is 1
				to, ok = bn.State(equal), true
			} else {
				to, known = bn.Missing, false
			}
		}
		remap[s] = to
		same = same && (!ok || int(to) == s)
	}
	if !known {
		for row, s := range c.States {
			if s != bn.Missing && remap[s] == bn.Missing {
				return nil, &ValueError{Row: row + 1, Name: v.Name, Value: c.Var.States[s], Err: unknownState(v)}
			}
		}
	}
	if same {
		return nil, nil
	}
	return remap, nil
}

// refuse returns the error for the first row with a missing cell.
func (p *plan) refuse() error {
	first := -1
	var at *ValueError
	for _, v := range p.views {
		if v.complete || v.masked {
			continue
		}
		for row, s := range v.states {
			if first >= 0 && row >= first {
				break
			}
			if s == bn.Missing {
				first = row
				at = &ValueError{Row: row + 1, Name: p.table.cols[v.col].Var.Name,
					Err: fmt.Errorf("%w; set CountOptions.SkipMissing to leave such rows out", ErrMissing)}
				break
			}
		}
	}
	if at == nil {
		return nil
	}
	return at
}

// Below directRows rows private tables cost more than they save.
const directRows = 4096

// run counts. Rows without weights are whole numbers, which add up the same in
// any order, so blocks of rows are shared among the workers. With weights, and
// for tables too large for a copy in each worker, one worker counts a family
// alone in the order of the rows.
func (p *plan) run(opts *CountOptions) error {
	if opts == nil {
		opts = &CountOptions{}
	}
	if !opts.SkipMissing {
		if err := p.refuse(); err != nil {
			return err
		}
	}
	workers := pool.Workers(opts.Workers)
	var blocked, direct []*family
	for i := range p.families {
		f := &p.families[i]
		if p.table.weights == nil && p.table.rows >= directRows && len(f.n) <= maxBlocked {
			blocked = append(blocked, f)
		} else {
			direct = append(direct, f)
		}
	}
	if len(blocked) > 0 {
		p.countBlocks(blocked, workers)
	}
	if p.table.rows < directRows {
		workers = 1
	}
	pool.Share(len(direct), workers, func() func(int) {
		d := newDirect(p)
		return func(i int) { d.count(direct[i]) }
	})
	for i := range p.families {
		if f := &p.families[i]; f.set != nil {
			p.recountSkipped(f)
		}
	}
	return nil
}
