package infer

import (
	"fmt"
	"math"
	"slices"

	"bnlab/internal/num"
)

// Sensitivity is the probability of a state given evidence as a function of each table entry alone,
//
//	P(x) = (α·x + β)/(γ·x + δ),
//
// where x is the entry and the others of its row move in proportion, so that the row still sums to 1;
// where all others are zero, they share equally what x leaves (Castillo, Gutiérrez and Hadi 1997; Coupé
// and van der Gaag 2002). Entries are numbered by the network's layout.
type Sensitivity struct {
	P            float64 // as the tables are
	theta        []float64
	alpha, gamma []float64
}

// Coefficients returns the function of an entry. Numerator and denominator are multiples of
// P(state, evidence) and P(evidence) such that the denominator is 1 at the entry as it is. Without
// influence alpha and gamma are 0. It panics for a number that no entry has.
func (s *Sensitivity) Coefficients(entry int) (alpha, beta, gamma, delta float64) {
	x := s.theta[entry]
	alpha, gamma = s.alpha[entry], s.gamma[entry]
	return alpha, s.P - alpha*x, gamma, 1 - gamma*x
}

// Derivative returns that of P(x) at the entry as it is. It panics for a number that no entry has.
func (s *Sensitivity) Derivative(entry int) float64 { return s.alpha[entry] - s.P*s.gamma[entry] }

// Sensitivity returns the sensitivity of P(target = state | evidence) to every table entry, by one
// pass up and two down: for the state with the evidence, and for the evidence (Darwiche 2003). It
// differentiates and does not divide expected counts by parameters, so that entries of zero have
// their functions too.
//
// Errors are those of [Engine.Posterior]. A [Distribution] in the evidence is an error, since the
// likelihood that makes it hold changes with the tables, and so is evidence so improbable that the
// derivatives are beyond float64.
func (e *Engine) Sensitivity(evidence Evidence, target, state string) (*Sensitivity, error) {
	v, err := e.target(target)
	if err != nil {
		return nil, err
	}
	y, err := e.m.net.Variable(v).StateIndex(state)
	if err != nil {
		return nil, fmt.Errorf("infer: target: %w", err)
	}
	q, err := e.question(evidence)
	if err != nil {
		return nil, err
	}
	for _, f := range q.soft {
		if f.must {
			return nil, fmt.Errorf("infer: sensitivity: the evidence has a Distribution of %q, whose likelihood "+
				"changes with the tables; give the one that Engine.Jeffrey finds", e.m.net.Variable(f.v).Name)
		}
	}
	size := len(q.m.own.theta)
	s := &slopes{question: q, target: v, state: y, p: 1, joint: make([]float64, size), total: make([]float64, size)}
	if c := q.c.states[v]; c != nil && int(c[0]) != y {
		s.p = 0
	}
	if err := s.find(e); err != nil {
		return nil, err
	}
	if err := s.alongRows(); err != nil {
		return nil, err
	}
	size = e.m.net.Layout().Len() // without what findings add
	return &Sensitivity{P: s.p, theta: e.m.own.theta, alpha: s.joint[:size:size], gamma: s.total[:size:size]}, nil
}

// slopes are derivatives by table entry of P(state, evidence) and of P(evidence), both divided by
// P(evidence).
type slopes struct {
	*question
	target, state int
	p             float64 // P(state | evidence)
	joint, total  []float64
}

// find computes the slopes.
func (s *slopes) find(e *Engine) error {
	wanted := func(v int) bool { return v == s.target }
	var parts []part
	if _, err := e.query(s.question, wanted, func(p part) error {
		parts = append(parts, p)
		if slices.Contains(p.hidden, s.target) { // first, since it says what p is
			parts[0], parts[len(parts)-1] = p, parts[0]
		}
		return nil
	}); err != nil {
		return err
	}
	w := spaces.Get().(*workspace)
	defer spaces.Put(w)
	for _, p := range parts {
		if err := s.pass(e, p, w); err != nil {
			return err
		}
	}
	relevant := s.m.relevant(func(v int) bool { return s.c.observed(v, 0) || wanted(v) })
	for f := range s.m.families {
		if fam := &s.m.families[f]; !fam.gauss && relevant.Has(f) && allObserved(fam.members, s.c) {
			at := s.m.bases(f, s.c, first)[0]
			s.total[at] = 1 / s.m.own.theta[at]
			s.joint[at] = s.p / s.m.own.theta[at]
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
	seed := slices.Repeat([]float64{1 / sum}, len(root))
	t.derive(w, blk, seed, s.total)
	if kept != nil {
		s.p = root[s.state] / sum
		clear(seed)
		seed[s.state] = 1 / sum
		t.derive(w, blk, seed, s.joint)
		return nil
	}
	for i := range t.nodes { // numerator and denominator change alike
		if n := &t.nodes[i]; n.family >= 0 && blk.slots[i].rows == nil {
			for _, d := range n.distance {
				at := blk.slots[i].base[0] + d
				s.joint[at] = s.p * s.total[at]
			}
		}
	}
	return nil
}

// alongRows replaces the slopes by those along which the other entries of a row move too.
func (s *slopes) alongRows() error {
	var after []mass
	for v := range s.m.net.Len() {
		r := s.m.cards[v]
		if r == 0 {
			continue
		}
		fam := &s.m.families[v]
		after = append(after[:0], make([]mass, r)...)
		for lo := fam.lo; lo < fam.lo+fam.entries; lo += r {
			row, joint, total := s.m.own.theta[lo:][:r], s.joint[lo:][:r], s.total[lo:][:r]
			if !slices.ContainsFunc(total, func(x float64) bool { return x != 0 }) {
				continue // the row has no part in the evidence, so none in the state with it
			}
			along(row, joint, after)
			along(row, total, after)
			for i, gamma := range total {
				if x := joint[i] - s.p*gamma; math.IsNaN(x) || math.IsInf(x, 0) {
					return errBeyond
				}
			}
		}
	}
	return nil
}

// mass is what some entries of a row have together.
type mass struct{ rest, sum, slope float64 }

func (m mass) with(x, slope float64) mass { return mass{m.rest + x, m.sum + x*slope, m.slope + slope} }

// along replaces the slopes by entry of a row by those for which the others move in proportion, or
// equally where all of them are zero. The others are added up from both ends and not by taking the entry
// from the whole, which would lose digits. after is room for the length of the row.
func along(row, slope []float64, after []mass) {
	if len(row) == 1 {
		slope[0] = 0 // the entry stays 1
		return
	}
	var m mass
	for i := len(row) - 1; i >= 0; i-- {
		after[i] = m
		m = m.with(row[i], slope[i])
	}
	m = mass{}
	for i, x := range row {
		others := mass{m.rest + after[i].rest, m.sum + after[i].sum, m.slope + after[i].slope}
		own := slope[i]
		m = m.with(x, own)
		if others.rest > 0 {
			slope[i] = own - others.sum/others.rest
		} else {
			slope[i] = own - others.slope/float64(len(row)-1)
		}
	}
}

// derive passes down the derivatives of a number, of which seed are those by the entries of the root,
// and adds them up by table entry. The tables of up stay.
func (t *tree) derive(w *workspace, blk *block, seed, by []float64) {
	if len(w.share) < blk.cells {
		w.share = make([]float64, blk.cells)
	} else {
		clear(w.share[:blk.cells])
	}
	d := w.share[:blk.cells]
	copy(d[blk.slots[len(t.nodes)-1].start:], seed)
	var spare [1]float64
	for i := len(t.nodes) - 1; i >= 0; i-- {
		n, s := &t.nodes[i], &blk.slots[i]
		own := d[s.start:][:n.size]
		if n.family >= 0 {
			if s.rows == nil {
				for j, place := range n.distance {
					by[s.base[0]+place] += own[j]
				}
			}
			continue
		}
		if w.scaled {
			if shift := t.ownShift(w, blk, i, 0); shift != 0 {
				for j, x := range own {
					own[j] = math.Ldexp(x, shift)
				}
			}
		}
		a, b := w.operands(blk, n)
		db := spare[:]
		if n.b >= 0 {
			db = d[blk.slots[n.b].start:]
		}
		n.join.Derive(d[blk.slots[n.a].start:], db, own, a, b, s.a, s.b)
	}
}
