package structure

import (
	"slices"
	"strings"
	"sync"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/structure/internal/monotone"
)

// shapes keeps what the statements come to in families. Families of one child whose other parents have the same states
// are alike to statements that do not name these parents: a search asks for hundreds of them, that differ in one
// candidate.
type shapes struct {
	sync.RWMutex
	kept map[string]*shape
}

// keptShapes bounds them; those beyond are made anew each time.
const keptShapes = 1 << 12

// A shape is what the statements say of a family.
type shape struct {
	problem *constraint.Problem // nil when nothing is said
	orders  *monotone.Table     // nil when they are not all of stochastic order
	first   int                 // of the child's entries
	net     *bn.Network
	bounds  [][]constraint.Bound // by statement

	sync.Mutex
	relaxed map[string]*constraint.Problem // by what is left out
}

// of returns the shape of a family under some of the statements.
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
	b.WriteString(c.Child.Name)
	named := func(name string) bool {
		return slices.ContainsFunc(stated, func(i int) bool { return slices.Contains(s.scopes[i].named, name) })
	}
	byName := false
	for _, i := range stated {
		if s.scopes[i].named == nil {
			return ""
		}
		if _, ok := s.Statements[i].(constraint.Influence); !ok {
			byName = true
		}
	}
	for _, p := range c.Parents {
		switch {
		case named(p.Name):
			b.WriteByte(0)
			b.WriteString(p.Name)
		case byName:
			for _, state := range p.States {
				b.WriteByte(1)
				b.WriteString(state)
			}
			b.WriteByte(2)
		default:
			b.WriteByte(3)
			b.WriteByte(byte(p.Cardinality()))
			b.WriteByte(byte(p.Cardinality() >> 8))
			b.WriteByte(byte(p.Cardinality() >> 16))
		}
	}
	return b.String()
}

func (s Constrained) newShape(c *Counts, stated []int) (*shape, error) {
	net, statements, err := s.problem(c, stated)
	if err != nil || len(statements) == 0 {
		return &shape{}, err
	}
	p, err := constraint.Compile(net, statements...)
	if err != nil {
		return nil, err
	}
	out := &shape{problem: p, net: net, relaxed: make(map[string]*constraint.Problem)}
	out.first, _ = p.Layout().Family(net.Len() - 1)
	for _, st := range statements {
		bounds, err := st.Bind(net)
		if err != nil {
			return nil, err
		}
		out.bounds = append(out.bounds, bounds)
	}
	out.orders = monotone.New(slices.Concat(out.bounds...), out.first, c.Q, c.R)
	return out, nil
}
