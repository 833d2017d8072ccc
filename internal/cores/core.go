package cores

import (
	"slices"

	"bnlab/internal/num"
	"bnlab/internal/presolve"

	"bnlab/internal/rows"
)

// A Core is what the steps could not reduce: maximise Σ n log x over a few nodes under
// relations that link them all.
type Core struct {
	Nodes     []int
	relations []presolve.Relation // the index is a place in nodes; equalities first
	method    solver
	Origins   []Origin // by place, for a method that can start at a point; nil if there are none
}

// A solver finds the maximum over a core. x and n are by place.
type solver interface {
	name() string
	solve(x, n []float64) (Report, error)
}

// An improver can start at a point.
type improver interface {
	improve(x, n, from []float64) (Report, error)
}

// Methods, as reports name them.
const (
	closedForm         = "closed form"
	isotonicRegression = "isotonic regression"
	newtonByBlocks     = "Newton by blocks"
)

// A Report says how good the answer is.
type Report struct {
	Method      string
	Iterations  int
	Gap         float64 // by how much Σ n log x can still rise at most; 0 when exact
	Certificate certificate
	Residual    float64 // of the optimality conditions, relative; for curved cores
	Starts      int
	Agreed      int
}

// An Origin is an entry of a part, and how much a node is of it.
type Origin struct {
	Leaf  int
	Scale float64
}

// A certificate says what is proven about an answer.
type certificate int

// Certificates, the weakest first.
const (
	Stationary    certificate = iota // a point that satisfies the relations; no more is known
	LocalMaximum                     // checked by second derivatives
	GlobalMaximum                    // by a closed form or a bound
)

// GapTol is the gap, relative to the cases of a part (at least one), below which an answer is
// certified. By the second derivatives Σ n (Δθ/θ)² is about twice the gap at most, so
// probabilities are certified to 1.4e-4 of their size, in the mean over cases, however many
// there are; solvers aim at a hundredth of the gap.
const GapTol = 1e-8

// MethodName names the method; it is empty where the counts decide which.
func (c *Core) MethodName() string { return c.method.name() }

// CanImprove reports whether the method can start at a point.
func (c *Core) CanImprove() bool {
	_, ok := c.method.(improver)
	return ok
}

// IsUnresolved reports whether a node has so little room that rounding may hide it.
func (c *Core) IsUnresolved(node int) bool {
	at := slices.Index(c.Nodes, node)
	l, ok := c.method.(*linear)
	return ok && at >= 0 && l.s.Unresolved()[at]
}

// Open lists the nodes that the counts do not tell apart, at the values of w.
func (c *Core) Open(w *Workspace) []int {
	if f, ok := c.method.(interface{ Open(n []float64) []int }); ok {
		return f.Open(w.N)
	}
	var unseen []int
	for _, node := range c.Nodes {
		if w.N[node] == 0 && w.X[node] > 0 {
			unseen = append(unseen, node)
		}
	}
	if len(unseen) < 2 {
		return nil
	}
	return unseen
}

// New chooses the strongest method for a component of a reduced program, and checks
// that it is feasible. Nodes that can only be zero are added to zero.
func New(relations []presolve.Relation, leaves []float64, zero *[]int) (*Core, error) {
	c := &Core{}
	place := make(map[int]int)
	slices.SortStableFunc(relations, func(a, b presolve.Relation) int {
		switch {
		case a.AtMost == b.AtMost:
			return 0
		case b.AtMost:
			return -1
		}
		return 1
	})
	equalities := 0
	for _, r := range relations {
		local := presolve.Relation{Index: make([]int, 0, len(r.Index)), Coef: slices.Clone(r.Coef), Value: r.Value,
			AtMost: r.AtMost, Price: r.Price}
		if !r.AtMost {
			equalities++
		}
		for _, node := range r.Index {
			at, ok := place[node]
			if !ok {
				at = len(c.Nodes)
				place[node] = at
				c.Nodes = append(c.Nodes, node)
			}
			local.Index = append(local.Index, at)
		}
		local.Tidy(0)
		c.relations = append(c.relations, local)
	}
	weight := make([]float64, len(c.Nodes))
	for i, node := range c.Nodes {
		weight[i] = leaves[node]
	}
	if s := newDominated(c.relations, len(c.Nodes)); s != nil {
		c.method = s
		return c, nil
	}
	priced := slices.ContainsFunc(c.relations, func(r presolve.Relation) bool { return r.Price > 0 })
	if equalities == 1 && !priced && len(c.relations[0].Index) == len(c.Nodes) && c.relations[0].Value > 0 &&
		!slices.ContainsFunc(c.relations[0].Coef, func(k float64) bool { return k <= 0 }) {
		for _, try := range []func([]presolve.Relation, []float64) (solver, error){newInterval, newLimits, newOrdered} {
			s, err := try(c.relations, weight)
			if err != nil {
				return nil, err
			}
			if s != nil {
				c.method = s
				if v, ok := s.(interface{ forced(nodes []int) []int }); ok {
					*zero = append(*zero, v.forced(c.Nodes)...)
				}
				return c, nil
			}
		}
	}
	s, err := newLinear(c.relations, len(c.Nodes))
	if err != nil {
		return nil, err
	}
	for at, forced := range s.s.Forced()[:len(c.Nodes)] {
		if forced {
			*zero = append(*zero, c.Nodes[at])
		}
	}
	c.method = s
	return c, nil
}

// polytope gives the relations of a core to the numerical packages.
func (c *Core) polytope() rows.Set {
	p := rows.Set{Len: len(c.Nodes)}
	for _, r := range c.relations {
		row := rows.Row{Index: r.Index, Coef: r.Coef, Value: r.Value}
		if r.AtMost {
			p.AtMost = append(p.AtMost, row)
		} else {
			p.Equal = append(p.Equal, row)
		}
	}
	return p
}

// Faint is the share of the cases of a core below which a count may get no probability:
// expected counts of what EM rules out never are quite zero.
const Faint = 1e-12

func (c *Core) Maximize(w *Workspace) (Report, error) {
	x, n := w.cx[:len(c.Nodes)], w.cn[:len(c.Nodes)]
	for i, node := range c.Nodes {
		n[i] = w.N[node]
	}
	r, err := c.begin(x, n, w)
	if err != nil {
		return r, err
	}
	least := Faint * num.Sum(n)
	for i, node := range c.Nodes {
		w.X[node] = x[i]
		if n[i] > least && x[i] == 0 {
			return r, &ForcedError{Node: node, N: n[i]}
		}
	}
	if r.Method == "" {
		r.Method = c.method.name()
	}
	return r, nil
}

// begin solves the core, from the point to start at when there is one.
func (c *Core) begin(x, n []float64, w *Workspace) (Report, error) {
	if w.Start == nil || c.Origins == nil {
		return c.method.solve(x, n)
	}
	from := w.cfrom[:len(c.Nodes)]
	for i, o := range c.Origins {
		from[i] = o.Scale * w.Start[o.Leaf]
	}
	return c.method.(improver).improve(x, n, from)
}
