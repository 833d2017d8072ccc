package structure

import (
	"fmt"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// An Arc points from a parent to a child, by names.
type Arc struct{ From, To string }

// String prints the arc as in "smoke → cancer".
func (a Arc) String() string { return a.From + " → " + a.To }

// Rules constrain the graph. The zero value, and nil, allow all graphs.
type Rules struct {
	Required  []Arc // arcs that every graph has
	Forbidden []Arc // arcs that no graph has
	// Tiers order variables in time or cause: no arc points from a later tier to an earlier
	// one. Variables in no tier are free.
	Tiers [][]string
	// MaxParents bounds the number of parents of a variable; 0 means no bound.
	MaxParents int
	// Start, when not nil, is the graph a climb starts from; variables are found by name. Nil
	// means the required arcs alone.
	Start *bn.DAG
}

// Limits are rules bound to variables by number, found free of contradiction.
type Limits struct {
	MaxParents int     // of a variable; without a bound the number of other variables
	Required   [][]int // by child, ascending
	Start      [][]int // by child, ascending; within the limits and without a cycle

	allowed []bool // from×n+to
	n       int
}

// Allowed reports whether the arc may be in the graph; none points from a continuous variable to a discrete one. It
// says nothing of cycles.
func (l *Limits) Allowed(from, to int) bool { return l.allowed[from*l.n+to] }

// IsRequired reports whether the arc must be in the graph.
func (l *Limits) IsRequired(from, to int) bool {
	_, ok := slices.BinarySearch(l.Required[to], from)
	return ok
}

// A RuleError reports rules that contradict each other and the arc at which they do. Err may be
// a [*bn.CycleError].
type RuleError struct {
	Arc Arc // zero when no single arc is at fault
	Err error
}

func (e *RuleError) Error() string {
	if e.Arc == (Arc{}) {
		return say.Sprintf("structure: the rules contradict each other: %v", e.Err)
	}
	return say.Sprintf("structure: the rules contradict each other at the arc %v: %v", e.Arc, e.Err)
}

// Unwrap returns what is wrong without the arc.
func (e *RuleError) Unwrap() error { return e.Err }

// Bind resolves the rules for the variables; nil rules are none. It returns an error for a name
// that is no variable ([bn.ErrUnknownVariable]) or is in two tiers, and a [*RuleError] for an
// arc that is required and also forbidden or against the tiers, required arcs that form a cycle,
// more required parents than MaxParents, and a start graph that breaks a rule.
func (r *Rules) Bind(vars []bn.Variable) (*Limits, error) {
	if r == nil {
		r = &Rules{}
	}
	n := len(vars)
	b := &binding{Limits: &Limits{n: n, allowed: make([]bool, n*n), Required: make([][]int, n),
		MaxParents: r.MaxParents}, vars: vars, index: indexOf(vars)}
	if r.MaxParents < 0 {
		return nil, fmt.Errorf("structure: Rules.MaxParents is %d; give a positive number, or 0 for no bound",
			r.MaxParents)
	}
	if r.MaxParents == 0 || r.MaxParents >= n {
		b.MaxParents = max(n-1, 0)
	}
	for i := range b.allowed {
		b.allowed[i] = i/n != i%n && !isMixed(vars, i/n, i%n)
	}
	for _, step := range []func(*Rules) error{b.tiers, b.forbidden, b.required, b.start} {
		if err := step(r); err != nil {
			return nil, err
		}
	}
	return b.Limits, nil
}

// mixedArc says why an arc cannot be.
const mixedArc = "a variable with states has no parent that is a number; turn the arc around, or give the parent states"

// A binding is limits in the making.
type binding struct {
	*Limits
	vars  []bn.Variable
	index map[string]int
}

// find returns the number of a variable.
func (b *binding) find(name, where string) (int, error) {
	if v, ok := b.index[name]; ok {
		return v, nil
	}
	return 0, say.Errorf("structure: %s: %w %q (there are: %s)", where, bn.ErrUnknownVariable, name,
		quoted(b.vars, all(len(b.vars))))
}

// ends returns the numbers of the ends of an arc.
func (b *binding) ends(a Arc, where string) (from, to int, err error) {
	if from, err = b.find(a.From, where); err != nil {
		return 0, 0, err
	}
	if to, err = b.find(a.To, where); err != nil {
		return 0, 0, err
	}
	if from == to {
		return 0, 0, say.Errorf("structure: %s: the arc %v points to itself", where, a)
	}
	return from, to, nil
}

func (b *binding) tiers(r *Rules) error {
	tier := make([]int, len(b.vars)) // from 1; 0 for none
	for i, names := range r.Tiers {
		for _, name := range names {
			v, err := b.find(name, fmt.Sprintf("tier %d", i+1))
			if err != nil {
				return err
			}
			if tier[v] > 0 {
				return say.Errorf("structure: %w: variable %q is in tier %d and in tier %d", bn.ErrDuplicate, name,
					tier[v], i+1)
			}
			tier[v] = i + 1
		}
	}
	for from, late := range tier {
		for to, early := range tier {
			if early > 0 && late > early {
				b.allowed[from*b.n+to] = false
			}
		}
	}
	for _, a := range r.Required {
		from, to, err := b.ends(a, "required arcs")
		if err != nil {
			return err
		}
		if isMixed(b.vars, from, to) {
			return &RuleError{a, say.Errorf("it is required, and %s", mixedArc)}
		}
		if !b.Allowed(from, to) {
			return &RuleError{a, fmt.Errorf("it is required, and points from tier %d to tier %d", tier[from], tier[to])}
		}
	}
	return nil
}

func (b *binding) forbidden(r *Rules) error {
	for _, a := range r.Forbidden {
		from, to, err := b.ends(a, "forbidden arcs")
		if err != nil {
			return err
		}
		if slices.Contains(r.Required, a) {
			return &RuleError{a, fmt.Errorf("it is both required and forbidden")}
		}
		b.allowed[from*b.n+to] = false
	}
	return nil
}

func (b *binding) required(r *Rules) error {
	for _, a := range r.Required {
		from, to, err := b.ends(a, "required arcs")
		if err != nil {
			return err
		}
		if !slices.Contains(b.Required[to], from) {
			b.Required[to] = append(b.Required[to], from)
		}
	}
	for v, ps := range b.Required {
		slices.Sort(ps)
		if len(ps) > b.MaxParents {
			return &RuleError{Arc{b.vars[ps[0]].Name, b.vars[v].Name},
				say.Errorf("%q has %d required parents, %s, and MaxParents is %d",
					b.vars[v].Name, len(ps), quoted(b.vars, ps), b.MaxParents)}
		}
	}
	if _, err := bn.NewDAG(names(b.vars, all(b.n)), b.Required); err != nil {
		return &RuleError{Err: say.Errorf("the required arcs: %w", err)}
	}
	return nil
}

func (b *binding) start(r *Rules) (err error) {
	b.Start = b.Required
	if r.Start == nil {
		return nil
	}
	if b.Start, err = bindDAG(b.vars, r.Start); err != nil {
		return say.Errorf("the start graph: %w", err)
	}
	for v, ps := range b.Start {
		for _, p := range ps {
			if !b.Allowed(p, v) {
				return &RuleError{Arc{b.vars[p].Name, b.vars[v].Name},
					fmt.Errorf("the start graph has it, and it is forbidden or against the tiers")}
			}
		}
		if len(ps) > b.MaxParents {
			return &RuleError{Err: say.Errorf("in the start graph %q has %d parents, and MaxParents is %d",
				b.vars[v].Name, len(ps), b.MaxParents)}
		}
		for _, p := range b.Required[v] {
			if !slices.Contains(ps, p) {
				return &RuleError{Arc{b.vars[p].Name, b.vars[v].Name},
					fmt.Errorf("it is required, and the start graph lacks it")}
			}
		}
	}
	return nil
}
