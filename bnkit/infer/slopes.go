package infer

import (
	"math"
	"slices"

	"bnlab/internal/factor"
	"bnlab/internal/num"
)

// slopes are derivatives by table entry of P(state, evidence) and of P(not state, evidence), both divided by
// P(evidence). Neither they nor what is added up from them is ever negative, so that no digits are lost: P(evidence)
// is the sum of both, and P(not state, evidence) is not what P(state, evidence) leaves of it.
type slopes struct {
	*question
	target, state int
	p             factor.Pair // P(state | evidence) and P(not state | evidence)
	of            []table     // by variable
}

// table has the slopes by the entries of a table that agree with the evidence; the others are 0.
type table struct {
	by        []factor.Pair // nil without influence
	strides   []int         // of the members of the family in by, 0 for observed ones
	elsewhere []factor.Pair // by configuration, P(± state, evidence) in all the others, over P(evidence)
}

// The places in a pair: of what goes with the state and of what goes without it.
const (
	with = iota
	without
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
			slopes := []factor.Pair{{s.p[with] / x, s.p[without] / x}}
			s.of[f] = table{by: slopes, strides: make([]int, len(fam.members))}
			if !(1/x < beyond) {
				return errBeyond
			}
		}
	}
	for v := range s.of {
		if s.of[v].by != nil {
			s.of[v].elsewhere = s.others(v)
		}
	}
	return nil
}

// others adds up, for each configuration of a table, what the other configurations have, from both ends: taking one
// from the whole would lose digits.
func (s *slopes) others(v int) []factor.Pair {
	r := s.m.cards[v]
	first, end := s.m.net.Layout().Family(v)
	theta := s.m.own.theta[first:end]
	out := make([]factor.Pair, len(theta)/r)
	own := slices.Clone(out)
	for cell, x := range theta {
		if x > 0 {
			own[cell/r] = plus(own[cell/r], x, s.at(v, cell))
		}
	}
	var before, after factor.Pair
	for config := range out {
		out[config], before = before, plus(before, 1, own[config])
	}
	for config := len(out) - 1; config >= 0; config-- {
		out[config], after = plus(out[config], 1, after), plus(after, 1, own[config])
	}
	return out
}

// plus returns p + x·q.
func plus(p factor.Pair, x float64, q factor.Pair) factor.Pair {
	return factor.Pair{p[0] + x*q[0], p[1] + x*q[1]}
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
	if t.gone(w, blk, 0) { // there are no derivatives by logarithms, so entries that have lost digits count as nothing
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
	seed := slices.Repeat([]factor.Pair{{without: 1 / sum}}, len(root))
	if kept != nil {
		seed[s.state] = factor.Pair{with: 1 / sum}
		s.p = factor.Pair{}
		for i, x := range root {
			s.p = plus(s.p, x, seed[i])
		}
	} else {
		seed[0] = factor.Pair{s.p[with] / sum, s.p[without] / sum} // both change alike
	}
	tables := s.tables(t, blk)
	t.derive(w, blk, seed, tables)
	for _, by := range tables {
		for i := range by {
			if x := &by[i]; !(x[with] < beyond && x[without] < beyond) {
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
		s.of[n.family] = table{by: tables[i], strides: strides[from:]}
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

// A line is how both numbers change with an entry x of a row, elsewhere + x·own + left·others, where left is what x
// leaves to the others of its row.
type line struct {
	own, others, elsewhere factor.Pair
	x, rest                float64 // the entry and the others as they are
}

// along returns the line of an entry when the others of its row move in proportion, or equally where all of them are
// zero, and whether there is any: it has no influence otherwise.
func (s *slopes) along(entry int) (line, bool) {
	v, config, state := s.m.net.Layout().Locate(entry)
	r := s.m.cards[v]
	if s.of[v].by == nil || r == 1 { // without influence, or 1 whatever happens
		return line{}, false
	}
	row := s.m.own.theta[entry-state:][:r]
	l := line{own: s.at(v, config*r+state), elsewhere: s.of[v].elsewhere[config], x: row[state]}
	for i, x := range row {
		if i != state {
			l.rest += x
		}
	}
	for i, x := range row {
		if i == state {
			continue
		}
		share := 1 / float64(r-1)
		if l.rest > 0 {
			share = x / l.rest // before the product, which may be too small
		}
		l.others = plus(l.others, share, s.at(v, config*r+i))
	}
	return l, true
}

// at returns both numbers with the entry at x. The others have at its value what they have, and nothing at 1, even
// where rounding lets a row sum to a little more or less.
func (l line) at(x float64) factor.Pair {
	left := l.rest + (l.x - x)
	if x > l.x {
		left = l.rest * (1 - x) / (1 - l.x)
	}
	return plus(plus(l.elsewhere, x, l.own), max(0, left), l.others)
}

// derivative returns that of the share of the first number, both being 1 together, and the sum of the sizes of its
// terms. They are determinants of the three parts of the line: what they share does not enter, and so does not cancel.
func (l line) derivative() (d, size float64) {
	add := func(scale float64, a, b factor.Pair) {
		up, down := a[with]*b[without], a[without]*b[with]
		d += scale * (up - down)
		size += math.Abs(scale) * (up + down)
	}
	add(1, l.own, l.elsewhere)
	add(-1, l.others, l.elsewhere)
	add(l.x+l.rest, l.own, l.others)
	return d, size
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
