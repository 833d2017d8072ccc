package infer

import (
	"math"
	"slices"

	"bnlab/internal/factor"
	"bnlab/internal/num"
)

// slopes are derivatives by table entry of P(state, evidence) and of P(evidence), both divided by
// P(evidence).
type slopes struct {
	*question
	target, state int
	p             float64 // P(state | evidence)
	of            []table // by variable
}

// table has the slopes by the entries of a table that agree with the evidence; the others are 0.
type table struct {
	by      []factor.Pair // nil without influence
	strides []int         // of the members of the family in by, 0 for observed ones
}

// The places of a pair of slopes: of P(state, evidence) and of P(evidence).
const (
	joint = iota
	total
)

// beyond is where slopes are too large to calculate with.
const beyond = 1e300

// find computes the slopes.
func (s *slopes) find(e *Engine) error {
	observed := func(v int) bool { return s.c.observed(v, 0) }
	relevant := s.m.relevant(func(v int) bool { return v == s.target || observed(v) })
	if err := s.summable(relevant); err != nil {
		return err
	}
	if _, err := s.known(relevant); err != nil {
		return err
	}
	parts := s.m.parts(relevant, observed)
	for i, p := range parts {
		if slices.Contains(p.hidden, s.target) { // first, since it says what p is
			parts[0], parts[i] = p, parts[0]
		}
	}
	w := spaces.Get().(*workspace)
	defer spaces.Put(w)
	for _, p := range parts {
		if err := s.pass(e, p, w); err != nil {
			return err
		}
	}
	for f := range s.m.net.Len() {
		if fam := &s.m.families[f]; !fam.gauss && relevant.Has(f) && allObserved(fam.members, s.c) {
			x := s.m.own.theta[s.m.bases(f, s.c, first)[0]]
			s.of[f] = table{[]factor.Pair{{joint: s.p / x, total: 1 / x}}, make([]int, len(fam.members))}
			if !(1/x < beyond) {
				return errBeyond
			}
		}
	}
	return nil
}

// pass finds the slopes of one part.
func (s *slopes) pass(e *Engine, p part, w *workspace) error {
	var kept []int
	if slices.Contains(p.hidden, s.target) {
		kept = []int{s.target}
	}
	t, blk, err := e.tree(s.question, p, &w.plan, kept...)
	if err != nil {
		return err
	}
	own := s.m.own
	own.points = true
	if err := s.m.up(t, w, blk, s.c, own, false); err != nil {
		return err
	}
	if t.lost(w, blk, 0) {
		if err := s.m.upLogs(t, w, blk, s.c, own, false); err != nil {
			return err
		}
		if !math.IsInf(slices.Max(t.root(w, blk, 0)), -1) {
			return errBeyond
		}
		return s.c.impossible(s.m.net, 0)
	}
	root := t.root(w, blk, 0)
	sum := num.Sum(root)
	if !(sum > 0) {
		return s.c.impossible(s.m.net, 0)
	}
	seed := slices.Repeat([]factor.Pair{{total: 1 / sum}}, len(root))
	if kept != nil {
		s.p = root[s.state] / sum
		seed[s.state][joint] = 1 / sum
	} else {
		seed[0][joint] = s.p / sum // numerator and denominator change alike
	}
	tables := s.tables(t, blk)
	t.derive(w, blk, seed, tables)
	for _, by := range tables {
		for i := range by {
			if x := &by[i]; !(x[joint] < beyond && x[total] < beyond) {
				return errBeyond
			}
		}
	}
	return nil
}

// tables makes those of the leaves of a tree, by node.
func (s *slopes) tables(t *tree, blk *block) [][]factor.Pair {
	has := func(i int) bool {
		n := &t.nodes[i]
		return n.family >= 0 && blk.slots[i].rows == nil && !s.m.isFinding(n.family)
	}
	cells, members := 0, 0
	for i := range t.nodes {
		if has(i) {
			cells, members = cells+t.nodes[i].size, members+len(s.m.families[t.nodes[i].family].members)
		}
	}
	room, strides, tables := make([]factor.Pair, cells), make([]int, 0, members), make([][]factor.Pair, len(t.nodes))
	for i := range t.nodes {
		if !has(i) {
			continue
		}
		n, from := &t.nodes[i], len(strides)
		for _, v := range s.m.families[n.family].members {
			strides = append(strides, n.shape.Stride(v))
		}
		tables[i], room = room[:n.size:n.size], room[n.size:]
		s.of[n.family] = table{tables[i], strides[from:]}
	}
	return tables
}

// at returns the slopes by an entry of the table of v.
func (s *slopes) at(v, entry int) factor.Pair {
	of, fam, place := &s.of[v], &s.m.families[v], 0
	for i, u := range fam.members {
		state := entry / fam.strides[i] % s.m.cards[u]
		if c := s.c.states[u]; c != nil && int(c[0]) != state {
			return factor.Pair{}
		}
		place += state * of.strides[i]
	}
	return of.by[place]
}

// mass is what some entries of a row have together.
type mass struct{ rest, sum, slope float64 }

func (m mass) with(x, slope float64) mass { return mass{m.rest + x, m.sum + x*slope, m.slope + slope} }

// along returns the slopes by an entry when the others of its row move in proportion, or equally where all
// of them are zero. These are added up from both ends and not by taking the entry from the whole, which would lose
// digits.
func (s *slopes) along(entry int) factor.Pair {
	v, config, state := s.m.net.Layout().Locate(entry)
	r := s.m.cards[v]
	if s.of[v].by == nil || r == 1 { // without influence, or 1 whatever happens
		return factor.Pair{}
	}
	row := s.m.own.theta[entry-state:][:r]
	own := s.at(v, config*r+state)
	var before, after [2]mass
	for i := range state {
		before = both(before, row[i], s.at(v, config*r+i))
	}
	for i := r - 1; i > state; i-- {
		after = both(after, row[i], s.at(v, config*r+i))
	}
	for which := range own {
		others := mass{before[which].rest + after[which].rest, before[which].sum + after[which].sum,
			before[which].slope + after[which].slope}
		if others.rest > 0 {
			own[which] -= others.sum / others.rest
		} else {
			own[which] -= others.slope / float64(r-1)
		}
	}
	return own
}

func both(m [2]mass, x float64, slope factor.Pair) [2]mass {
	return [2]mass{m[0].with(x, slope[0]), m[1].with(x, slope[1])}
}

// derive adds to tables by node the derivatives of two numbers, of which seed are those by the entries of the root;
// where a node has no table they are not kept. The tables of up stay.
func (t *tree) derive(w *workspace, blk *block, seed []factor.Pair, tables [][]factor.Pair) {
	w.slope = slices.Grow(w.slope[:0], blk.cells)[:blk.cells]
	of := func(i int) []factor.Pair {
		if tables[i] != nil {
			return tables[i]
		}
		return w.slope[blk.slots[i].start:][:t.nodes[i].size]
	}
	for i := range t.nodes {
		if tables[i] == nil {
			clear(of(i))
		}
	}
	copy(of(len(t.nodes)-1), seed)
	for i := len(t.nodes) - 1; i >= 0; i-- {
		n := &t.nodes[i]
		if n.family >= 0 {
			continue
		}
		own := of(i)
		if w.scaled {
			if shift := t.ownShift(w, blk, i, 0); shift != 0 {
				for j, x := range own {
					own[j] = factor.Pair{math.Ldexp(x[0], shift), math.Ldexp(x[1], shift)}
				}
			}
		}
		a, b := w.operands(blk, n)
		var db []factor.Pair
		if n.b >= 0 {
			db = of(n.b)
		}
		n.join.Derive(of(n.a), db, own, a, b)
	}
}
