package constraint

import (
	"bnlab/internal/presolve"
	"fmt"
	"math"
	"slices"

	"bnlab/internal/rows"
)

// A core is what the steps could not reduce: maximise Σ n log x over a few nodes under
// relations that link them all.
type core struct {
	nodes     []int
	relations []presolve.Relation // the index is a place in nodes; equalities first
	method    solver
	origins   []origin // by place, for a method that can start at a point; nil if there are none
}

// A solver finds the maximum over a core. x and n are by place.
type solver interface {
	name() string
	solve(x, n []float64) (coreReport, error)
}

// An improver can start at a point.
type improver interface {
	improve(x, n, from []float64) (coreReport, error)
}

// Methods, as reports name them.
const (
	closedForm         = "closed form"
	isotonicRegression = "isotonic regression"
	newtonByBlocks     = "Newton by blocks"
)

// A coreReport says how good the answer is.
type coreReport struct {
	method      string
	iterations  int
	gap         float64 // by how much Σ n log x can still rise at most; 0 when exact
	certificate certificate
	residual    float64 // of the optimality conditions, relative; for curved cores
	starts      int
	agreed      int
}

// An origin is an entry of a part, and how much a node is of it.
type origin struct {
	leaf  int
	scale float64
}

// A certificate says what is proven about an answer.
type certificate int

// Certificates, the weakest first.
const (
	stationary    certificate = iota // a point that satisfies the relations; no more is known
	localMaximum                     // checked by second derivatives
	globalMaximum                    // by a closed form or a bound
)

// gapTol is the gap, relative to the cases of a part (at least one), below which an answer is
// certified. By the second derivatives Σ n (Δθ/θ)² is about twice the gap at most, so
// probabilities are certified to 1.4e-4 of their size, in the mean over cases, however many
// there are; solvers aim at a hundredth of the gap.
const gapTol = 1e-8

// methodName names the method; it is empty where the counts decide which.
func (c *core) methodName() string { return c.method.name() }

// canImprove reports whether the method can start at a point.
func (c *core) canImprove() bool {
	_, ok := c.method.(improver)
	return ok
}

// isUnresolved reports whether a node has so little room that rounding may hide it.
func (c *core) isUnresolved(node int) bool {
	at := slices.Index(c.nodes, node)
	l, ok := c.method.(*linear)
	return ok && at >= 0 && l.s.Unresolved()[at]
}

// open lists the nodes that the counts do not tell apart, at the values of w.
func (c *core) open(w *workspace) []int {
	if f, ok := c.method.(*factored); ok {
		return f.open(w.n)
	}
	var unseen []int
	for _, node := range c.nodes {
		if w.n[node] == 0 && w.x[node] > 0 {
			unseen = append(unseen, node)
		}
	}
	if len(unseen) < 2 {
		return nil
	}
	return unseen
}

// newCore chooses the strongest method for a component of a reduced program, and checks
// that it is feasible. Nodes that can only be zero are added to zero.
func newCore(relations []presolve.Relation, leaves []float64, zero *[]int) (*core, error) {
	c := &core{}
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
				at = len(c.nodes)
				place[node] = at
				c.nodes = append(c.nodes, node)
			}
			local.Index = append(local.Index, at)
		}
		local.Tidy(0)
		c.relations = append(c.relations, local)
	}
	weight := make([]float64, len(c.nodes))
	for i, node := range c.nodes {
		weight[i] = leaves[node]
	}
	if s := newDominated(c.relations, len(c.nodes)); s != nil {
		c.method = s
		return c, nil
	}
	priced := slices.ContainsFunc(c.relations, func(r presolve.Relation) bool { return r.Price > 0 })
	if equalities == 1 && !priced && len(c.relations[0].Index) == len(c.nodes) && c.relations[0].Value > 0 &&
		!slices.ContainsFunc(c.relations[0].Coef, func(k float64) bool { return k <= 0 }) {
		for _, try := range []func([]presolve.Relation, []float64) (solver, error){newInterval, newLimits, newOrdered} {
			s, err := try(c.relations, weight)
			if err != nil {
				return nil, err
			}
			if s != nil {
				c.method = s
				if v, ok := s.(interface{ forced(nodes []int) []int }); ok {
					*zero = append(*zero, v.forced(c.nodes)...)
				}
				return c, nil
			}
		}
	}
	s, err := newLinear(c.relations, len(c.nodes))
	if err != nil {
		return nil, err
	}
	for at, forced := range s.s.Forced()[:len(c.nodes)] {
		if forced {
			*zero = append(*zero, c.nodes[at])
		}
	}
	c.method = s
	return c, nil
}

// polytope gives the relations of a core to the numerical packages.
func (c *core) polytope() rows.Set {
	p := rows.Set{Len: len(c.nodes)}
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

// faint is the share of the cases of a core below which a count may get no probability:
// expected counts of what EM rules out never are quite zero.
const faint = 1e-12

func (c *core) maximize(w *workspace) (coreReport, error) {
	x, n := w.cx[:len(c.nodes)], w.cn[:len(c.nodes)]
	for i, node := range c.nodes {
		n[i] = w.n[node]
	}
	r, err := c.begin(x, n, w)
	if err != nil {
		return r, err
	}
	least := faint * presolve.Total(n)
	for i, node := range c.nodes {
		w.x[node] = x[i]
		if n[i] > least && x[i] == 0 {
			return r, &forcedError{node: node, n: n[i]}
		}
	}
	if r.method == "" {
		r.method = c.method.name()
	}
	return r, nil
}

// begin solves the core, from the point to start at when there is one.
func (c *core) begin(x, n []float64, w *workspace) (coreReport, error) {
	if w.start == nil || c.origins == nil {
		return c.method.solve(x, n)
	}
	from := w.cfrom[:len(c.nodes)]
	for i, o := range c.origins {
		from[i] = o.scale * w.start[o.leaf]
	}
	return c.method.(improver).improve(x, n, from)
}

// interval is a mass divided in two, with limits on the parts: in t = k_0 x_0 / b they are
// lo ≤ t ≤ hi, and the maximum is the share of the counts, clipped.
type interval struct {
	k0, k1, b float64
	lo, hi    float64
	rest      [2]float64 // 1 − lo and 1 − hi, which keep the digits of a limit on x_1 that is small
	even      float64    // t without counts
}

func newInterval(relations []presolve.Relation, weight []float64) (solver, error) {
	if len(weight) != 2 {
		return nil, nil
	}
	sum := relations[0]
	v := &interval{k0: sum.Coef[0], k1: sum.Coef[1], b: sum.Value, hi: 1, rest: [2]float64{1, 0}, even: weight[0] /
		(weight[0] + weight[1])}
	for _, r := range relations[1:] {
		// r_0 x_0 + r_1 x_1 ≤ value with x_0 = b t/k_0, x_1 = b (1−t)/k_1
		var c [2]float64
		for i, at := range r.Index {
			c[at] = r.Coef[i]
		}
		slope, limit := v.b*(c[0]/v.k0-c[1]/v.k1), r.Value-v.b*c[1]/v.k1
		rest := v.b*c[0]/v.k0 - r.Value
		if math.Abs(rest) <= 4*0x1p-53*math.Abs(r.Value) && c[0] != 0 {
			rest = 0 // rounding
		}
		rest /= slope
		switch {
		case slope > 0:
			v.hi, v.rest[1] = min(v.hi, limit/slope), max(v.rest[1], rest)
		case slope < 0:
			v.lo, v.rest[0] = max(v.lo, limit/slope), min(v.rest[0], rest)
		case limit < -presolve.FeasibleTol:
			return nil, fmt.Errorf("%w: a sum of probabilities would have to be less than it is", presolve.ErrInfeasible)
		}
	}
	if v.lo > v.hi {
		if v.lo > v.hi+presolve.FeasibleTol {
			return nil, fmt.Errorf("%w: a share would have to be at least %.6g and at most %.6g", presolve.ErrInfeasible, v.lo,
				v.hi)
		}
		v.hi = min(max(v.hi, 0), 1) // it may be below 0 by rounding, and lo above 1
		v.lo = v.hi
		v.rest = [2]float64{1 - v.hi, 1 - v.hi}
	}
	if v.rest[0] >= narrowRest {
		v.rest[0] = 1 - v.lo
	}
	if v.rest[1] >= narrowRest {
		v.rest[1] = 1 - v.hi
	}
	return v, nil
}

// narrowRest is what is left to a part where its complement has lost digits.
const narrowRest = 1e-3

// forced lists the nodes for which the limits leave nothing.
func (v *interval) forced(nodes []int) []int {
	switch {
	case v.hi <= 0:
		return nodes[:1]
	case v.rest[0] <= 0:
		return nodes[1:]
	}
	return nil
}

func (v *interval) name() string { return closedForm }

func (v *interval) solve(x, n []float64) (coreReport, error) {
	t, rest := v.even, 1-v.even
	if total := n[0] + n[1]; total > 0 {
		t, rest = n[0]/total, n[1]/total // and not 1−t, in which few cases beside many are lost
	}
	switch {
	case t < v.lo, t == v.lo && rest > v.rest[0]:
		t, rest = v.lo, v.rest[0]
	case t > v.hi, t == v.hi && rest < v.rest[1]:
		t, rest = v.hi, v.rest[1]
	}
	x[0], x[1] = v.b*t/v.k0, v.b*rest/v.k1
	return coreReport{certificate: globalMaximum}, nil
}
