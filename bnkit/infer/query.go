package infer

import (
	"math"
	"slices"

	"bnlab/internal/elimination"
	"bnlab/internal/factor"
)

// query calls f with each part that the evidence of one case leaves, and returns the
// log-probability of the families that it fixes outright. Hidden continuous variables in together are
// put in one part.
func (e *Engine) query(q *question, wanted func(v int) bool, f func(part) error, together ...int) (float64, error) {
	observed := func(v int) bool { return q.c.observed(v, 0) }
	relevant := q.m.relevant(func(v int) bool { return observed(v) || wanted(v) })
	if err := q.summable(relevant); err != nil {
		return 0, err
	}
	known, err := q.known(relevant)
	if err != nil {
		return 0, err
	}
	for _, p := range q.m.parts(relevant, observed, together...) {
		if err := f(p); err != nil {
			return 0, err
		}
	}
	return known, nil
}

// run plans a part and computes its tables, with sums or with maxima. It returns the logarithm of the
// root's value.
func (e *Engine) run(q *question, p part, w *workspace, most bool) (*tree, *block, float64, error) {
	t, blk, err := e.tree(q, p, &w.plan)
	if err != nil {
		return nil, nil, 0, err
	}
	log, err := q.m.evidence(t, w, blk, q.c, q.parameters(), most)
	if err == nil && math.IsInf(log, -1) {
		err = q.c.impossible(q.m.net, 0)
	}
	return t, blk, log, err
}

// parameters are those of the model, without variance too where no density is asked for.
func (q *question) parameters() parameters {
	p := q.m.own
	p.points = !q.density
	return p
}

// known is the log-probability of the families of which all members are observed.
func (q *question) known(relevant elimination.Set) (float64, error) {
	m, c := q.m, q.c
	total := q.scale()
	unseen := func(v int) bool { return !c.observed(v, 0) }
	for f := range m.families {
		fam := &m.families[f]
		if !relevant.Has(f) || slices.ContainsFunc(fam.members, unseen) || fam.gauss && (!m.isFinding(f) && unseen(f) ||
			slices.ContainsFunc(fam.linear, unseen)) {
			continue
		}
		at := m.bases(f, c, first)[0]
		x := 0.0
		if fam.gauss {
			var err error
			if x, err = m.logDensity(m.own.densities[f], f, at, c, 0); err != nil {
				return 0, err
			}
		} else {
			x = factor.Log(m.own.theta[at])
		}
		if math.IsInf(x, -1) {
			return 0, c.impossible(m.net, 0)
		}
		total += x
	}
	return total, nil
}

func allObserved(vars []int, c *cases) bool {
	return !slices.ContainsFunc(vars, func(v int) bool { return c.states[v] == nil })
}

// smallQuery is the number of table entries by variable below which the order of the whole
// network is taken as it is.
const smallQuery = 256

// plan makes the tree of a part for the evidence of one case.
func (e *Engine) plan(q *question, p part, b *builder, kept ...int) (*tree, *block, error) {
	b.start(q.m, p, q.c, first, kept...)
	if e.small && p.continuous == nil {
		for _, v := range e.order {
			if at := b.local[v]; at >= 0 {
				b.eliminateOne(at)
			}
		}
	} else {
		b.eliminate(b.order())
	}
	return b.finish(e.limit)
}

// A further order is tried for each tryOrder table entries by square of the number of variables,
// which take a few times as long, and at most mostOrders.
const (
	tryOrder   = 32
	mostOrders = 16
)

// order returns the order of elimination with the smallest tables among some greedy ones: first
// that of weighted fill by state of the variable that goes, since what is left of a clique is
// its entries by these states; then weighted fill and fill; then the first with the costs
// changed a little.
func (b *builder) order() []int {
	bias := make([]float64, len(b.vars))
	for v, r := range b.cards {
		bias[v] = 1 / r
	}
	order, least := b.graph().MinFill(elimination.Cost{Weighted: true, Bias: bias}, math.Inf(1))
	n := float64(len(b.vars))
	tries := int(min(least/(tryOrder*n*n), mostOrders))
	if tries == 0 {
		return order
	}
	all := b.graph()
	changed := make([]float64, len(bias))
	for try := range tries {
		cost := elimination.Cost{Weighted: try == 0}
		if try > 1 {
			cost = elimination.Cost{Weighted: true, Bias: changed}
			for v, x := range bias {
				_, part := math.Modf(float64((v+1)*try) * math.Phi) // evenly in [0, 1)
				changed[v] = x * (1 + part)
			}
		}
		if other, cells := all.Clone().MinFill(cost, least); cells < least {
			order, least = other, cells
		}
	}
	return order
}
