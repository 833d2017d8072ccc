package exteriorpenalty

import (
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn/internal/orsets"
	"bnlab/bnkit/learn/internal/statement"
	"bnlab/internal/say"
	"bnlab/internal/spare"
)

// A Search is a method made ready for a network. It does not change.
type Search struct {
	Settings // defaults filled in
	net      *bn.Network
	Children []*Child // those under statements, in the order of the network
}

// A Child is one whose table is climbed.
type Child struct {
	V, Lo, Hi int // the variable and its entries in the network's layout
	tables    []softTable
	Sets      *orsets.Sets // nil without a noisy-OR
	NoisyOR   constraint.NoisyOR
	start     []float64 // logits of links, then μ of the tables
	climbs    spare.List[*climb]
}

// softTable is a table with a penalty: of a child, or of the cause of a set.
type softTable struct {
	penalty    *constraint.SquaredPenalty // over the layout of the table and its parents alone
	lo, hi     int                        // where the table lies in that layout
	size       int                        // of that layout
	states, mu int                        // mu is where its coordinates begin
}

// New compiles the statements.
func New(net *bn.Network, m Settings) (*Search, error) {
	s := &Search{Settings: m.filled(), net: net}
	said, err := m.byChild(net)
	if err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	for v := range net.Len() {
		if said[v] == nil {
			continue
		}
		c, err := said[v].penalised(net, v)
		if err != nil {
			return nil, say.Errorf("learn: %w", err)
		}
		s.Children = append(s.Children, c)
	}
	s.begin()
	return s, nil
}

// With is the search with other settings, whose statements and margin are the same.
func (s *Search) With(m Settings) *Search {
	other := &Search{Settings: m.filled(), net: s.net}
	for _, c := range s.Children {
		own := &Child{V: c.V, Lo: c.Lo, Hi: c.Hi, tables: c.tables, Sets: c.Sets, NoisyOR: c.NoisyOR,
			start: make([]float64, len(c.start))}
		own.climbs.Fresh = func() *climb { return newClimb(own) }
		other.Children = append(other.Children, own)
	}
	other.begin()
	return other
}

// begin draws where children start.
func (s *Search) begin() {
	if s.Src == nil {
		return
	}
	rng := rand.New(s.Src)
	for _, c := range s.Children {
		for i := range c.start {
			c.start[i] = rng.NormFloat64()
		}
	}
}

// knowledge is what is said of one child.
type knowledge struct {
	all       []constraint.Constraint // as stated
	noisyOR   *constraint.NoisyOR
	penalties []priced
}

// priced is an influence or a synergy, with the margin that J has for it.
type priced struct {
	constraint.Constraint
	parents []string // that it names, in Given too
}

// byChild sorts the statements by variable.
func (m Settings) byChild(net *bn.Network) ([]*knowledge, error) {
	said := make([]*knowledge, net.Len())
	for _, s := range m.Constraints {
		var child string
		var p priced
		noisyOR, isNoisyOR := statement.As[constraint.NoisyOR](s)
		if influence, ok := statement.As[constraint.Influence](s); ok {
			influence.Margin += m.Margin
			child = influence.Child
			p = priced{influence, append(named(influence.Given), influence.Parent)}
		} else if synergy, ok := statement.As[constraint.Synergy](s); ok {
			synergy.Margin += m.Margin
			child = synergy.Child
			p = priced{synergy, append(named(synergy.Given), synergy.Parents...)}
		} else if isNoisyOR {
			child = noisyOR.Child
		} else {
			return nil, say.Errorf("ExteriorPenalty takes influences, synergies and noisy-ORs, and %q is none; use "+
				"MAP, or EM for incomplete cases, which take statements of all kinds", s)
		}
		if _, err := s.Bind(net); err != nil {
			return nil, err
		}
		v, err := net.Index(child)
		if err != nil {
			return nil, err
		}
		if said[v] == nil {
			said[v] = &knowledge{}
		}
		said[v].all = append(said[v].all, s)
		switch {
		case !isNoisyOR:
			said[v].penalties = append(said[v].penalties, p)
		case said[v].noisyOR != nil:
			return nil, say.Errorf("%q and %q are about one table; leave one out", said[v].noisyOR, s)
		default:
			said[v].noisyOR = &noisyOR
		}
	}
	return said, nil
}

func named(given bn.Given) []string {
	var names []string
	for name := range given {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// penalised compiles what is said of variable v.
func (k *knowledge) penalised(net *bn.Network, v int) (*Child, error) {
	c := &Child{V: v}
	c.Lo, c.Hi = net.Layout().Family(v)
	tables := []*bn.CPT{net.CPT(v)}
	places := 0
	if k.noisyOR != nil {
		sets, err := orsets.Bind(*k.noisyOR, net)
		if err != nil {
			return nil, err
		}
		c.Sets, c.NoisyOR, tables, places = sets, *k.noisyOR, sets.Causes, sets.Len()
	}
	of, err := k.perTable(net, tables)
	if err != nil {
		return nil, err
	}
	for i, cpt := range tables {
		t, err := newSoftTable(cpt, of[i])
		if err != nil {
			return nil, err
		}
		t.mu = places
		places += t.hi - t.lo
		c.tables = append(c.tables, t)
	}
	c.start = make([]float64, places)
	c.climbs.Fresh = func() *climb { return newClimb(c) }
	return c, nil
}

// perTable deals the statements out to the tables that have all their parents (Y13 §4). What is said of parents of
// different sets contradicts the noisy-OR or follows from it, which Compile knows; then only pairs in one
// set need a penalty.
func (k *knowledge) perTable(net *bn.Network, tables []*bn.CPT) ([][]constraint.Constraint, error) {
	of := make([][]constraint.Constraint, len(tables))
	for _, s := range k.penalties {
		i := slices.IndexFunc(tables, func(t *bn.CPT) bool { return hasParents(t, s.parents...) })
		if i >= 0 {
			of[i] = append(of[i], s.Constraint)
			continue
		}
		if _, err := constraint.Compile(net, k.all...); err != nil {
			return nil, err
		}
		synergy, _ := statement.As[constraint.Synergy](s.Constraint)
		for i, t := range tables {
			part := synergy
			part.Parents = slices.DeleteFunc(slices.Clone(part.Parents),
				func(name string) bool { return !hasParents(t, name) })
			if len(part.Parents) > 1 {
				of[i] = append(of[i], part)
			}
		}
	}
	return of, nil
}

func hasParents(t *bn.CPT, names ...string) bool {
	for _, name := range names {
		if !slices.ContainsFunc(t.Parents, func(p bn.Variable) bool { return p.Name == name }) {
			return false
		}
	}
	return true
}

// newSoftTable binds statements to a network of the table's child and parents.
func newSoftTable(t *bn.CPT, statements []constraint.Constraint) (softTable, error) {
	names, parents := []string{t.Child.Name}, make([][]int, len(t.Parents)+1)
	for p, v := range t.Parents {
		names, parents[0] = append(names, v.Name), append(parents[0], p+1)
	}
	dag, err := bn.NewDAG(names, parents)
	if err != nil {
		return softTable{}, err
	}
	net, err := bn.NewNetwork(dag, append([]bn.Variable{t.Child}, t.Parents...))
	if err != nil {
		return softTable{}, err
	}
	s := softTable{size: net.Layout().Len(), states: t.Child.Cardinality()}
	s.lo, s.hi = net.Layout().Family(0)
	s.penalty, err = constraint.CompilePenalty(net, statements...)
	return s, err
}

// At is, for each row of the table, what cases of it bear on: the row itself, or the places of the sets.
func (c *Child) At(t *bn.CPT) (of []int, places, width int) {
	if c.Sets != nil {
		return c.Sets.At, c.Sets.Places(), c.Sets.Len()
	}
	for config := range t.Configs().Len() {
		of = append(of, config)
	}
	return of, len(of), 1
}
