package structure

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// shapes keeps what the statements come to in families. Families of one child whose other parents have the same states
// are alike to statements that do not name these parents: a search asks for hundreds of them, that differ in one
// candidate. Influences of one child in families with the same named parents are the same in each state of the others.
type shapes struct {
	sync.RWMutex
	kept   map[string]*shape
	orders map[string]*orders
}

// keptShapes bounds them; those beyond are made anew each time.
const keptShapes = 1 << 12

// A shape is what the statements say of a family.
type shape struct {
	problem *constraint.Problem // nil when nothing is said, or where rows are shared and no more
	shared  *sharedRows         // nil when more is said
	first   int                 // of the child's entries
	net     *bn.Network
	bounds  [][]constraint.Bound // by statement
	equal   bool                 // all of them are equalities between sums of parameters
	bound   func() int           // how many of these are independent, then

	sync.Mutex
	relaxed map[string]*constraint.Problem // by what is left out
}

// shape returns that of a family under some of the statements.
func (s Constrained) shape(c *Counts, stated []int) (*shape, error) {
	key := s.key(c, stated)
	if key != "" {
		s.shapes.RLock()
		known := s.shapes.kept[key]
		s.shapes.RUnlock()
		if known != nil {
			return known, nil
		}
	}
	out, err := s.newShape(c, stated)
	if err != nil || key == "" {
		return out, err
	}
	s.shapes.Lock()
	defer s.shapes.Unlock()
	if len(s.shapes.kept) < keptShapes {
		s.shapes.kept[key] = out
	}
	return out, nil
}

// key is the same for families that are alike; it is empty when statements are of a kind that may look at other names.
func (s Constrained) key(c *Counts, stated []int) string {
	var b strings.Builder
	word := func(kind byte, text string) {
		b.WriteByte(kind)
		b.WriteString(strconv.Itoa(len(text)))
		b.WriteByte(' ')
		b.WriteString(text)
	}
	word('c', c.Child.Name)
	byStates := false
	for _, i := range stated {
		if s.scopes[i].named == nil {
			return ""
		}
		switch s.Statements[i].(type) {
		case constraint.Influence, constraint.Synergy, constraint.ShareStates, constraint.ShareAcross:
		default:
			byStates = true // to be on the safe side
		}
	}
	for _, p := range c.Parents {
		if s.named(stated, p.Name) {
			word('p', p.Name)
			continue
		}
		word('o', strconv.Itoa(p.Cardinality()))
		if byStates {
			for _, state := range p.States {
				word('s', state)
			}
		}
	}
	return b.String()
}

// named reports whether one of some statements may name a variable.
func (s Constrained) named(stated []int, name string) bool {
	return slices.ContainsFunc(stated, func(i int) bool { return slices.Contains(s.scopes[i].named, name) })
}

func (s Constrained) newShape(c *Counts, stated []int) (*shape, error) {
	net, statements, err := s.problem(c, stated)
	if err != nil || len(statements) == 0 {
		return &shape{}, err
	}
	out := &shape{net: net, relaxed: make(map[string]*constraint.Problem)}
	out.first, _ = net.Layout().Family(net.Len() - 1)
	if out.bounds, err = bindAll(net, statements); err != nil {
		return nil, err
	}
	if _, ok := s.penalty(c); ok {
		if out.shared = newSharedRows(out.bounds, out.first, c.Q, c.R); out.shared != nil {
			return out, nil
		}
	}
	p, err := constraint.Compile(net, statements...)
	if err != nil {
		return nil, err
	}
	out.problem = p
	out.equal = true
	for _, bounds := range out.bounds {
		for _, b := range bounds {
			out.equal = out.equal && len(b.AtMost)+len(b.Ratios)+len(b.Smooth) == 0
		}
	}
	// The rank of linear equations is the same at every point, such as this one.
	out.bound = sync.OnceValue(func() int { return p.Binding(make([]float64, p.Layout().Len())) })
	return out, nil
}

func bindAll(net *bn.Network, statements []constraint.Constraint) (bounds [][]constraint.Bound, err error) {
	bounds = make([][]constraint.Bound, len(statements))
	for i, st := range statements {
		if bounds[i], err = st.Bind(net); err != nil {
			return nil, err
		}
	}
	return bounds, nil
}
