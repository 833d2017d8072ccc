package structure

import (
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/structure/internal/monotone"
)

// orders are what influences come to in a table with the parents that they name.
type orders struct{ table *monotone.Table } // nil when they are no order of rows

// ordered scores a family by its log-likelihood less a penalty for each free parameter when all that is stated are
// influences. It reports whether it could.
func (s Constrained) ordered(c *Counts, stated []int, penalty float64) (score float64, ok bool) {
	for _, i := range stated {
		if st, ok := s.Statements[i].(constraint.Influence); !ok || st.Margin != 0 || s.scopes[i].named == nil {
			return 0, false
		}
	}
	table := s.orders(c, stated)
	if table == nil {
		return 0, false
	}
	own, contexts := s.rows(c, stated)
	loss, held, err := table.Maximum(c.N, own, contexts, penalty > 0)
	if err != nil {
		return 0, false
	}
	return c.Scale*(c.logLikelihood()-loss) - penalty*(c.free()-float64(held)), true
}

// orders returns the table of the named parents, nil when there is none.
func (s Constrained) orders(c *Counts, stated []int) *monotone.Table {
	key := make([]byte, 0, 64)
	key = append(key, c.Child.Name...)
	for _, p := range c.Parents {
		if s.named(stated, p.Name) {
			key = append(append(key, 0), p.Name...)
		}
	}
	s.shapes.RLock()
	known := s.shapes.orders[string(key)]
	s.shapes.RUnlock()
	if known == nil {
		known = &orders{s.newOrders(c, stated)}
		s.shapes.Lock()
		defer s.shapes.Unlock()
		if len(s.shapes.orders) < keptShapes {
			s.shapes.orders[string(key)] = known
		}
	}
	return known.table
}

func (s Constrained) newOrders(c *Counts, stated []int) *monotone.Table {
	own := &Counts{Child: c.Child, R: c.R, Q: 1}
	for _, p := range c.Parents {
		if s.named(stated, p.Name) {
			own.Parents = append(own.Parents, p)
			own.Q *= p.Cardinality()
		}
	}
	net, statements, err := s.problem(own, stated)
	if err != nil || len(statements) != len(stated) || c.R < 2 {
		return nil
	}
	bounds, err := bindAll(net, statements)
	if err != nil {
		return nil
	}
	first, _ := net.Layout().Family(net.Len() - 1)
	return monotone.New(bounds, first, own.Q, c.R)
}

// rows are where the configurations of the named parents stand in the table, from the first row of a context on, and
// the first rows of the contexts: the configurations of the others.
func (s Constrained) rows(c *Counts, stated []int) (own, contexts []int) {
	both := make([]int, 0, 2*c.Q+2)
	own, contexts = append(both[:0:c.Q+1], 0), append(both[c.Q+1:c.Q+1], 0)
	stride := c.Q
	for _, p := range c.Parents {
		stride /= p.Cardinality()
		list := &contexts
		if s.named(stated, p.Name) {
			list = &own
		}
		*list = spread(*list, p, stride)
	}
	return own, contexts
}

// spread adds a parent, which varies faster than those before it.
func spread(list []int, p bn.Variable, stride int) []int {
	k, size := p.Cardinality(), len(list)
	for range size * (k - 1) {
		list = append(list, 0)
	}
	for i := size - 1; i >= 0; i-- {
		for state := k - 1; state >= 0; state-- {
			list[i*k+state] = list[i] + state*stride
		}
	}
	return list
}
