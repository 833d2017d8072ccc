package infer

import (
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/internal/clg"
	"bnlab/internal/elimination"
	"bnlab/internal/factor"
	"bnlab/internal/say"
)

// A mixture is a leaf for hidden continuous variables that families connect. They are summed out before
// anything discrete is, in each configuration of the discrete parents of these families, so that the leaf is a
// table over those of them that are hidden: the strong elimination order, in which the discrete
// neighbours of connected continuous variables are a clique (Lauritzen 1992).
type mixture struct {
	plan     *clg.Plan
	hidden   []int     // continuous variables
	families []int     // by the order of the plan
	kinds    [][]int32 // by family, then kind of case: configuration of the observed discrete parents
	distance [][]int32 // by family, then entry of the leaf: how far its configuration is from that
}

// A mixing is room for the computations of a mixture.
type mixing struct {
	space   clg.Space
	nodes   []*bn.LinearGaussian
	configs []int
	rows    []int32 // cases of a kind
	at      []int   // and their places among the configurations of the leaf
	points  []int   // by entry of the leaf
}

// mixtures are those of a part, and the families that are in none.
func (m *model) mixtures(p part) (list []*mixture, rest []int) {
	if p.continuous == nil {
		return nil, p.families
	}
	of := make(map[int]int, len(p.continuous)) // 1 + the mixture of a hidden variable
	at := make(map[int]int, len(p.families))   // and of a family
	inPart := elimination.NewSet(len(m.families))
	for _, f := range p.families {
		inPart.Add(f)
	}
	for _, v := range p.continuous {
		if of[v] > 0 {
			continue
		}
		mx := &mixture{hidden: []int{v}}
		list = append(list, mx)
		of[v] = len(list)
		for i := 0; i < len(mx.hidden); i++ {
			near := mx.hidden[i : i+1]
			if slices.Contains(p.together, near[0]) {
				near = p.together
			}
			for _, f := range m.touching[mx.hidden[i]] {
				if inPart.Has(f) && at[f] == 0 {
					at[f] = len(list)
					mx.families = append(mx.families, f)
					near = slices.Concat(near, m.families[f].linear, []int{f})
				}
			}
			for _, u := range near {
				if _, hidden := slices.BinarySearch(p.continuous, u); hidden && of[u] == 0 {
					of[u] = len(list)
					mx.hidden = append(mx.hidden, u)
				}
			}
		}
		slices.Sort(mx.hidden)
		slices.Sort(mx.families)
		m.planMixture(mx, p.together)
	}
	for _, f := range p.families {
		if at[f] == 0 {
			rest = append(rest, f)
		}
	}
	return list, rest
}

// planMixture plans the elimination of continuous variables, with the covariances of those in together.
func (m *model) planMixture(mx *mixture, together []int) {
	families := make([]clg.Family, len(mx.families))
	for i, f := range mx.families {
		families[i] = clg.Family{Child: f, Parents: m.families[f].linear}
	}
	hidden := func(v int) bool { _, ok := slices.BinarySearch(mx.hidden, v); return ok }
	var pairs [][2]int
	for i, u := range together {
		for _, v := range together[i:] {
			if hidden(u) && hidden(v) {
				pairs = append(pairs, [2]int{u, v})
			}
		}
	}
	mx.plan = clg.NewPlan(families, func(v int) bool { return !hidden(v) }, nil, pairs...)
}

// mix adds the leaf of a mixture.
func (b *builder) mix(mx *mixture) {
	var scope []int
	kinds := alike(len(b.rows))
	bases := make([][]int32, len(mx.families))
	for i, f := range mx.families {
		for _, v := range b.m.families[f].members {
			if at := b.local[v]; at >= 0 && !slices.Contains(scope, at) {
				scope = inserted(scope, at)
			}
		}
		bases[i] = b.m.bases(f, b.c, b.rows)
		if len(b.rows) > 1 {
			all := keys{bases[i], int(slices.Max(bases[i])) + 1}
			kinds = b.join.join(kinds, b.join.pairs(make([]int32, len(b.rows)), all, alike(len(b.rows))))
		}
	}
	mx.kinds = make([][]int32, len(mx.families))
	for i := range mx.kinds {
		mx.kinds[i] = make([]int32, kinds.n)
		for row, k := range kinds.of {
			mx.kinds[i][k] = bases[i][row]
		}
	}
	b.add(node{family: mx.families[0], a: -1, b: -1, mixture: mx}, slot{base: kinds.of, rows: b.rows}, scope,
		keys{identity(len(b.rows)), len(b.rows)})
	b.cells += float64(len(mx.families)) * b.size(scope) // so that what would take for ever is refused
}

// links names the hidden continuous variables that make a clique of discrete ones in the widest product.
func (b *builder) links() []string {
	var names []string
	for i := range b.nodes {
		mx := b.nodes[i].mixture
		if mx == nil {
			continue
		}
		shared := 0
		for _, v := range b.scopes[i] {
			if slices.Contains(b.widest, v) {
				shared++
			}
		}
		if shared < 2 {
			continue
		}
		for _, v := range mx.hidden {
			names = append(names, b.m.net.Variable(v).Name)
		}
	}
	return names
}

// lay numbers the configurations of the families by entry of the leaf.
func (mx *mixture) lay(m *model, shape factor.Shape) {
	mx.distance = make([][]int32, len(mx.families))
	for i, f := range mx.families {
		mx.distance[i] = make([]int32, shape.Size())
		distances(mx.distance[i], shape, &m.families[f])
	}
}

// each calls f with the cases of each kind in a slot, their places there, and each entry of the leaf with
// the configurations of the families.
func (x *mixing) each(n *node, s *slot, densities []*bn.LinearGaussian, f func(entry int) error) error {
	mx := n.mixture
	x.nodes = densities
	x.configs = slices.Grow(x.configs[:0], len(mx.families))[:len(mx.families)]
	for kind := range mx.kinds[0] {
		x.rows, x.at = x.rows[:0], x.at[:0]
		for k, of := range s.base {
			if int(of) == kind {
				x.rows, x.at = append(x.rows, s.rows[k]), append(x.at, k)
			}
		}
		if len(x.rows) == 0 {
			continue
		}
		for entry := range n.size {
			for i := range mx.families {
				x.configs[i] = int(mx.kinds[i][kind] + mx.distance[i][entry])
			}
			if err := f(entry); err != nil {
				return err
			}
		}
	}
	return nil
}

// pointed is how much less likely, as a logarithm, evidence is taken to be where it is a density than where a
// variable without variance has just the value that it must have: there the probability of a small
// interval does not vanish with its length.
const pointed = 1e5

// logMixture writes to out, by case and entry of the leaf, the logarithm of the density of what is observed among
// the children. It returns [ErrNoDensity] where a variable has no density and p.points does not allow it. With that a
// density is of the others, and entries with fewer such variables than another of the same case are less
// likely beyond compare.
func (m *model) logMixture(out []float64, w *workspace, n *node, s *slot, c *cases, p parameters) error {
	x := &w.mix
	if len(s.rows) == 0 {
		return nil
	}
	x.points = slices.Grow(x.points[:0], n.size)[:n.size]
	any := false
	err := x.each(n, s, nodesOf(p.densities), func(entry int) error {
		x.space.Solve(n.mixture.plan, x.nodes, x.configs, c.values, x.rows)
		points, v := x.space.Points()
		logs := x.space.LogDensities()
		possible := func(log float64) bool { return !math.IsInf(log, -1) }
		if points > 0 && !p.points && slices.ContainsFunc(logs, possible) {
			return say.Errorf("infer: %w: %q is observed, and what else is known determines it; leave that out",
				ErrNoDensity, m.net.Variable(v).Name)
		}
		x.points[entry] = points
		any = any || points > 0
		for i, k := range x.at {
			out[k*n.size+entry] = logs[i]
		}
		if any && entry == n.size-1 {
			for _, k := range x.at {
				x.compare(out[k*n.size:][:n.size])
			}
		}
		return nil
	})
	return err
}

// compare puts entries with fewer points below those with most.
func (x *mixing) compare(logs []float64) {
	most := 0
	for entry, log := range logs {
		if !math.IsInf(log, -1) {
			most = max(most, x.points[entry])
		}
	}
	for entry := range logs {
		logs[entry] -= pointed * float64(most-x.points[entry])
	}
}

func nodesOf(densities []*density) []*bn.LinearGaussian {
	nodes := make([]*bn.LinearGaussian, len(densities))
	for v, d := range densities {
		if d != nil {
			nodes[v] = d.LinearGaussian
		}
	}
	return nodes
}

// withPoints are the same parameters for a query that needs no density.
func (p parameters) withPoints() parameters {
	p.points = true
	return p
}
