package data

import "bnlab/bnkit/bn"

// As returns the states of the column named as v, numbered as v numbers them; the
// slice may be the table's own and must not be changed. It returns an error when
// there is no such column, it is continuous, or a row has a state that v lacks
// (a [*ValueError]).
func (t *Table) As(v bn.Variable) ([]bn.State, error) {
	if _, err := t.discrete(v.Name); err != nil {
		return nil, err
	}
	c := t.cols[t.index[v.Name]]
	remap, err := match(c, v)
	if err != nil {
		return nil, err
	}
	if remap == nil {
		return c.States, nil
	}
	states := make([]bn.State, len(c.States))
	for row, s := range c.States {
		states[row] = bn.Missing
		if s != bn.Missing {
			states[row] = remap[s]
		}
	}
	return states, nil
}
