package completion

import (
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/internal/elimination"
	"bnlab/internal/say"
)

// A Part is hidden variables that are connected by families: they are summed out
// one after another, and drawn in the opposite order, each given those drawn before. So the
// draw is one of their joint posterior.
type Part struct {
	vars     []int // in the order of elimination
	families []familyAt
	steps    []sumStep
	configs  []evidence
	index    map[string]int // of configs
	states   []int          // drawn, by place in vars
}

// familyAt is a family as a function of the hidden variables.
type familyAt struct {
	lo       int   // first entry in the layout
	observed []int // members that the part does not hide
	strides  []int // of them, in the table
	hidden   []int // places in vars
	steps    []int // strides of them
	possible int   // entries of the distributions that hidden parents leave possible
}

// evidence is what is observed around a part, and how many cases have it.
type evidence struct {
	base   []int // by family, the entry with all hidden members in state 0
	weight float64
}

// sumStep sums out one variable. Its table has the states of the variable innermost, of
// those that remain outside.
type sumStep struct {
	card    int
	outer   []int // places in vars of what remains
	strides []int // of them, in the message
	product []operand
	table   []float64
	message []float64
}

// operand is a factor of a table: a family, or the message of an earlier step.
type operand struct {
	family int // −1 for a message
	from   int // step of the message
	at     []int32
}

func newPart(net *bn.Network, vars, families []int, limit int) (*Part, error) {
	p := &Part{index: make(map[string]int), states: make([]int, len(vars))}
	scopes := make([][]int, len(families)) // hidden members
	for i, f := range families {
		for _, u := range append([]int{f}, net.DAG().Parents(f)...) {
			if slices.Contains(vars, u) {
				scopes[i] = append(scopes[i], u)
			}
		}
	}
	order, unions, err := eliminationOrder(net, vars, scopes, limit)
	if err != nil {
		return nil, err
	}
	p.vars = order
	place := make(map[int]int)
	for i, v := range order {
		place[v] = i
	}
	for _, f := range families {
		p.families = append(p.families, newFamilyAt(net, f, place))
	}
	used := make([]bool, len(families))
	sent := make([]bool, len(order)) // messages that have been used
	for i, v := range order {
		e := sumStep{card: net.Variable(v).Cardinality(), outer: unions[i]}
		size := 1
		e.strides = make([]int, len(e.outer))
		for k, u := range e.outer {
			e.strides[k] = size
			size *= net.Variable(u).Cardinality()
			e.outer[k] = place[u]
		}
		e.message, e.table = make([]float64, size), make([]float64, size*e.card)
		for k, f := range p.families {
			if !used[k] && slices.Contains(f.hidden, i) {
				used[k] = true
				e.product = append(e.product, operand{family: k, from: -1, at: p.places(net, &e, i, f.hidden, f.steps)})
			}
		}
		for j := range i {
			if s := &p.steps[j]; !sent[j] && slices.Contains(s.outer, i) {
				sent[j] = true
				e.product = append(e.product, operand{family: -1, from: j,
					at: p.places(net, &e, i, s.outer, s.strides)})
			}
		}
		p.steps = append(p.steps, e)
	}
	return p, nil
}

// eliminationOrder takes next the variable with the smallest table, and returns for each the
// variables that remain in it.
func eliminationOrder(net *bn.Network, vars []int, scopes [][]int, limit int) (order []int, unions [][]int, err error) {
	card := func(v int) int { return net.Variable(v).Cardinality() }
	live, left := slices.Clone(scopes), slices.Clone(vars)
	for total := 0.0; len(left) > 0; {
		best, union, cells := elimination.Smallest(live, card, left)
		slices.Sort(union)
		if total += cells; total > float64(limit) {
			names := make([]string, len(union))
			for i, u := range union {
				names[i] = net.Variable(u).Name
			}
			return nil, nil, say.Errorf("learn: Gibbs draws the hidden cells of a case together: %w: it would hold "+
				"tables of more than %.4g entries, and %d are allowed; one has %.3g, over %s; use EM, which shares "+
				"tables between cases", infer.ErrTooWide, total, limit, cells, say.List(names))
		}
		live = slices.DeleteFunc(live, func(s []int) bool { return slices.Contains(s, best) })
		left = slices.DeleteFunc(left, func(v int) bool { return v == best })
		rest := slices.DeleteFunc(union, func(v int) bool { return v == best })
		if len(rest) > 0 {
			live = append(live, slices.Clone(rest))
		}
		order, unions = append(order, best), append(unions, rest)
	}
	return order, unions, nil
}

func newFamilyAt(net *bn.Network, v int, place map[int]int) familyAt {
	t := net.CPT(v)
	card := t.Child.Cardinality()
	f := familyAt{possible: card}
	f.lo, _ = net.Layout().Family(v)
	add := func(u, stride int) {
		if at, ok := place[u]; ok {
			f.hidden, f.steps = append(f.hidden, at), append(f.steps, stride)
		} else {
			f.observed, f.strides = append(f.observed, u), append(f.strides, stride)
		}
	}
	for i, u := range net.DAG().Parents(v) {
		add(u, t.Configs().Stride(i)*card)
		if _, ok := place[u]; ok {
			f.possible *= t.Configs().Card(i)
		}
	}
	add(v, 1)
	return f
}

// places returns, for each entry of the table of step i, where an operand over the variables
// at places vars has it.
func (p *Part) places(net *bn.Network, e *sumStep, i int, vars, strides []int) []int32 {
	at := make([]int32, len(e.table))
	for k, u := range vars {
		card, stride := e.card, 1
		if u != i {
			card = net.Variable(p.vars[u]).Cardinality()
			stride = e.card * e.strides[slices.Index(e.outer, u)]
		}
		for j := range at {
			at[j] += int32(j / stride % card * strides[k])
		}
	}
	return at
}
