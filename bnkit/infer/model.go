package infer

import (
	"fmt"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/elimination"
	"bnlab/internal/say"
)

// model is a network as inference sees it: families over numbered variables.
type model struct {
	net      *bn.Network // a copy
	own      parameters  // of the network
	cards    []int       // 0 for a continuous variable
	families []family    // by child, then those of findings (see question)
	touching [][]int     // by variable, the families it is a member of
	noValues [][]float64 // by variable, none; nil when some variable is continuous
}

// parameters are all numbers of a network.
type parameters struct {
	theta     []float64  // table entries by the network's layout
	densities []*density // by variable, nil for a discrete one
	points    bool       // observed variables without variance are all right; see logMixture
	mild      bool       // no product of an entry of each table is too small; there are no densities
}

// family is one factor of the network.
type family struct {
	members  []int // discrete parents, and the child when it is discrete
	strides  []int // of the members in the table
	lo       int   // first entry in the layout
	entries  int   // of the table
	positive bool  // no entry is zero
	gauss    bool  // linear-Gaussian: configurations of the parents take the place of entries
	linear   []int // continuous parents
}

func newModel(net *bn.Network) (*model, error) {
	if net == nil {
		return nil, errNoNetwork
	}
	if err := net.Validate(); err != nil {
		return nil, say.Errorf("infer: %w", err)
	}
	net = net.Clone()
	layout := net.Layout()
	if layout.Len() > math.MaxInt32 {
		return nil, fmt.Errorf("infer: the network has %d table entries, at most %d are possible", layout.Len(),
			math.MaxInt32)
	}
	m := &model{
		net: net, cards: make([]int, net.Len()),
		families: make([]family, net.Len()), touching: make([][]int, net.Len()),
	}
	for v := range net.Len() {
		m.cards[v] = net.Variable(v).Cardinality()
		f := &m.families[v]
		step := 1 // entries of a row
		var configs bn.Configs
		if g := net.Gaussian(v); g != nil {
			f.gauss, configs = true, g.Configs()
		} else {
			t := net.CPT(v)
			f.lo, _ = layout.Family(v)
			configs, step, f.entries = t.Configs(), m.cards[v], len(t.P)
		}
		for _, p := range net.DAG().Parents(v) {
			if !net.Variable(p).IsDiscrete() {
				f.linear = append(f.linear, p)
				continue
			}
			f.strides = append(f.strides, configs.Stride(len(f.members))*step)
			f.members = append(f.members, p)
		}
		if !f.gauss {
			f.members, f.strides = append(f.members, v), append(f.strides, 1)
		}
		for _, u := range slices.Concat(f.members, f.linear) {
			m.touching[u] = append(m.touching[u], v)
		}
		if f.gauss {
			m.touching[v] = append(m.touching[v], v)
		}
	}
	m.take(net)
	if !slices.Contains(m.cards, 0) {
		m.noValues = make([][]float64, net.Len())
	}
	return m, nil
}

// take makes the parameters of a network of this structure those of the model. It writes to families and, of
// parameters, to none that were there.
func (m *model) take(net *bn.Network) {
	m.own = parameters{theta: make([]float64, net.Layout().Len()), densities: make([]*density, net.Len())}
	floor := 0 // exponent of a lower bound of products of entries that are not zero
	for v := range net.Len() {
		f := &m.families[v]
		if f.gauss {
			m.own.densities[v], floor = newDensity(net.Gaussian(v)), math.MinInt32
			continue
		}
		t := net.CPT(v)
		copy(m.own.theta[f.lo:], t.P)
		floor += exponent(t.P)
		f.positive = !slices.ContainsFunc(t.P, func(p float64) bool { return !(p > 0) })
	}
	m.own.mild = floor >= lowest
}

// graph is the interaction graph of all discrete variables.
func (m *model) graph(cards []float64) *elimination.Graph {
	g := elimination.NewGraph(len(cards), cards)
	for _, f := range m.families {
		g.Join(f.members)
	}
	return g
}

// isFinding reports whether family f is not that of a variable but a finding; see question.
func (m *model) isFinding(f int) bool { return f >= m.net.Len() }

// relevant marks what the wanted variables and the evidence depend on: these and their
// ancestors. The others are barren: they sum to one and change nothing. (Shachter 1986.)
func (m *model) relevant(wanted func(v int) bool) elimination.Set {
	keep := elimination.NewSet(len(m.families))
	for f := m.net.Len(); f < len(m.families); f++ {
		keep.Add(f)
		for _, v := range m.families[f].members {
			keep.Add(v)
		}
	}
	order := m.net.DAG().Order()
	for i := len(order) - 1; i >= 0; i-- {
		v := order[i]
		if wanted(v) {
			keep.Add(v)
		}
		if keep.Has(v) {
			for _, p := range m.net.DAG().Parents(v) {
				keep.Add(p)
			}
		}
	}
	return keep
}

// part is what falls apart from the rest of the network once the evidence is taken out:
// hidden variables that are connected by families, and these families.
type part struct {
	hidden     []int // discrete
	continuous []int // hidden too
	families   []int
	together   []int // continuous variables that are to be in one mixture
}

// has reports whether a discrete variable is hidden in the part.
func (p part) has(v int) bool {
	_, yes := slices.BinarySearch(p.hidden, v)
	return yes
}

// parts finds the connected parts among the relevant families. observed says which
// variables are known. Families without a hidden member belong to no part. The hidden continuous
// variables in together are made to be connected.
func (m *model) parts(relevant elimination.Set, observed func(v int) bool, together ...int) []part {
	var parts []part
	hidden, families := make([]int, 0, m.net.Len()), make([]int, 0, len(m.families)) // of all parts
	seenVar, seenFamily := elimination.NewSet(m.net.Len()), elimination.NewSet(len(m.families))
	for v := range m.net.Len() {
		if !relevant.Has(v) || observed(v) || seenVar.Has(v) {
			continue
		}
		p := part{hidden: hidden[len(hidden):], families: families[len(families):]}
		find := func(vars []int) {
			for _, u := range vars {
				switch {
				case observed(u) || seenVar.Has(u):
					continue
				case m.cards[u] > 0:
					p.hidden = append(p.hidden, u)
				default:
					p.continuous = append(p.continuous, u)
				}
				seenVar.Add(u)
			}
		}
		find([]int{v})
		for i, j := 0, 0; i < len(p.hidden) || j < len(p.continuous); {
			var u int
			if i < len(p.hidden) {
				u = p.hidden[i]
				i++
			} else {
				u = p.continuous[j]
				j++
				if slices.Contains(together, u) {
					p.together = together
					find(together)
				}
			}
			for _, f := range m.touching[u] {
				if seenFamily.Has(f) || !relevant.Has(f) {
					continue
				}
				seenFamily.Add(f)
				p.families = append(p.families, f)
				find(m.families[f].members)
				if m.families[f].gauss && !m.isFinding(f) {
					find(m.families[f].linear)
					find([]int{f})
				}
			}
		}
		hidden, families = hidden[:len(hidden)+len(p.hidden)], families[:len(families)+len(p.families)]
		p.hidden, p.families = slices.Clip(p.hidden), slices.Clip(p.families)
		slices.Sort(p.hidden)
		slices.Sort(p.continuous)
		slices.Sort(p.families)
		parts = append(parts, p)
	}
	return parts
}
