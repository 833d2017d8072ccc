package infer

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/factor"
	"bnlab/internal/say"
)

// A Joint is the distribution of several discrete variables together.
type Joint struct {
	Variables []bn.Variable
	P         []float64 // by joint state; the first variable varies slowest, the last fastest
}

// Joint returns the joint distribution of the targets given the evidence. An observed target has its state
// with probability 1.
//
// The table has an entry for each joint state, at most [Options].MaxCells. Errors are those of
// [Engine.Posterior], and for a target that is given twice.
func (e *Engine) Joint(evidence Evidence, targets ...string) (*Joint, error) {
	out := new(Joint)
	vars := make([]int, len(targets))
	size := 1.0
	for i, name := range targets {
		v, err := e.target(name)
		if err != nil {
			return nil, err
		}
		if slices.Contains(vars[:i], v) {
			return nil, say.Errorf("infer: target: %w: %q", bn.ErrDuplicate, name)
		}
		vars[i] = v
		out.Variables = append(out.Variables, e.m.net.Variable(v))
		size *= float64(e.m.cards[v])
	}
	if size > float64(e.limit) {
		return nil, say.Errorf("infer: %w: the joint distribution of %s has %.4g states, and MaxCells in "+
			"infer.Options allows %d; ask for fewer targets, or draw from it with Engine.Sample", ErrTooWide,
			say.List(targets), size, e.limit)
	}
	q, err := e.question(evidence)
	if err != nil {
		return nil, err
	}
	factors, err := e.rootFactors(q, vars)
	if err != nil {
		return nil, err
	}
	out.P = make([]float64, int(size))
	states := make([]int, e.m.net.Len())
	for at := range out.P {
		left, p := at, 1.0
		for i := len(vars) - 1; i >= 0; i-- {
			v := vars[i]
			states[v] = left % e.m.cards[v]
			left /= e.m.cards[v]
			if q.c.states[v] != nil && int(q.c.states[v][0]) != states[v] {
				p = 0
			}
		}
		for _, f := range factors {
			if p == 0 {
				break
			}
			p *= f.Values[place(f.Shape, states)]
		}
		out.P[at] = p
	}
	return out, nil
}

// rootFactors returns the joint distributions of the targets in each part of the network, which are
// independent given the evidence.
func (e *Engine) rootFactors(q *question, targets []int) ([]*factor.Factor, error) {
	var list []*factor.Factor
	w := spaces.Get().(*workspace)
	defer spaces.Put(w)
	wanted := func(v int) bool { return slices.Contains(targets, v) }
	_, err := e.query(q, wanted, func(p part) error {
		var kept []int
		for _, v := range p.hidden {
			if wanted(v) {
				kept = append(kept, v)
			}
		}
		if kept == nil {
			if q.m.positive(p) {
				return nil
			}
			_, _, _, err := e.run(q, p, w, false)
			return err
		}
		b := &w.plan
		b.start(q.m, p, q.c, first, kept...)
		b.eliminate(b.order())
		t, blk, err := b.finish(e.limit)
		if err != nil {
			return err
		}
		if err := q.m.up(t, w, blk, q.c, q.parameters(), false); err != nil {
			return err
		}
		root := slices.Clone(t.root(w, blk, 0))
		if t.lost(w, blk, 0) {
			if err := q.m.upLogs(t, w, blk, q.c, q.parameters(), false); err != nil {
				return err
			}
			root = slices.Clone(t.root(w, blk, 0))
			high := slices.Max(root)
			for i, x := range root {
				root[i] = math.Exp(x - high) // NaN when all are −∞
			}
		}
		if root = normalised(root); root == nil {
			return q.c.impossible(q.m.net, 0)
		}
		shape := t.nodes[len(t.nodes)-1].shape // in memory that the next part takes
		list = append(list, &factor.Factor{Values: root,
			Shape: factor.Shape{Vars: slices.Clone(shape.Vars), Cards: slices.Clone(shape.Cards)}})
		return nil
	})
	return list, err
}

// Margin returns the distribution of some of the variables, in the order given. It returns an error for
// one that is not among those of j or appears twice.
func (j *Joint) Margin(names ...string) (*Joint, error) {
	out := &Joint{}
	strides := make([]int, len(j.Variables)) // in the margin
	size := 1
	for i := len(names) - 1; i >= 0; i-- {
		at := slices.IndexFunc(j.Variables, func(v bn.Variable) bool { return v.Name == names[i] })
		if at < 0 {
			return nil, say.Errorf("infer: margin: %w %q; the joint distribution is that of %s", bn.ErrUnknownVariable,
				names[i], j.names())
		}
		if strides[at] > 0 {
			return nil, say.Errorf("infer: margin: %w: %q", bn.ErrDuplicate, names[i])
		}
		strides[at] = size
		size *= j.Variables[at].Cardinality()
		out.Variables = append(out.Variables, j.Variables[at])
	}
	slices.Reverse(out.Variables)
	out.P = make([]float64, size)
	for at, p := range j.P {
		to := 0
		for i := len(j.Variables) - 1; i >= 0; i-- {
			r := j.Variables[i].Cardinality()
			to += at % r * strides[i]
			at /= r
		}
		out.P[to] += p
	}
	return out, nil
}

// Of returns the probability that the variables named have these states, with the others summed out.
// It returns an error for a variable that is not among those of j and an unknown state.
func (j *Joint) Of(states bn.Given) (float64, error) {
	m, err := j.Margin(slices.Sorted(maps.Keys(states))...)
	if err != nil {
		return 0, err
	}
	at := 0
	for _, v := range m.Variables {
		s, err := v.StateIndex(states[v.Name])
		if err != nil {
			return 0, say.Errorf("infer: %w", err)
		}
		at = at*v.Cardinality() + s
	}
	return m.P[at], nil
}

// States returns joint state number at of the table, by variable.
func (j *Joint) States(at int) []string {
	states := make([]string, len(j.Variables))
	for i := len(states) - 1; i >= 0; i-- {
		v := j.Variables[i]
		states[i] = v.States[at%v.Cardinality()]
		at /= v.Cardinality()
	}
	return states
}

// String prints a line for each joint state that is possible, as in "no, yes 0.358".
func (j *Joint) String() string {
	var b strings.Builder
	fmt.Fprintln(&b, j.names())
	for at, p := range j.P {
		if p > 0 {
			fmt.Fprintf(&b, "%s %.4g\n", strings.Join(j.States(at), ", "), p)
		}
	}
	return b.String()
}

func (j *Joint) names() string {
	names := make([]string, len(j.Variables))
	for i, v := range j.Variables {
		names[i] = v.Name
	}
	return strings.Join(names, ", ")
}
