package infer

import (
	"container/heap"
	"errors"
	"math"
	"slices"

	"bnlab/bnkit/bn"
)

// explainer finds the most probable states of its targets.
type explainer struct {
	e       *Engine
	q       *question
	targets []int
	total   float64 // log P(evidence)

	spaces    []*workspace // of the parts, in use until close
	decisions []decision   // on targets, in all parts
	log       float64      // of the greatest product
	states    []int        // by variable
}

func (s *explainer) close() {
	for _, w := range s.spaces {
		spaces.Put(w)
	}
	s.spaces, s.decisions, s.log = nil, nil, 0
}

// tables computes the tables of all parts, with maxima over the targets: exact, when the others are summed
// out before, otherwise in the cheapest order, so that maxima may be summed, which gives an upper bound.
func (s *explainer) tables(exact bool) error {
	wanted := func(v int) bool { return slices.Contains(s.targets, v) }
	known, err := s.e.query(s.q, wanted, func(p part) error {
		w := spaces.Get().(*workspace)
		s.spaces = append(s.spaces, w)
		b := &w.plan
		b.start(s.q.m, p, s.q.c, first)
		b.most = b.set()
		for i, v := range b.vars {
			if wanted(v) {
				b.most.Add(i)
			}
		}
		if exact {
			b.kept = b.most
			b.eliminate(b.order())
			b.kept = b.set()
		}
		b.eliminate(b.order())
		t, blk, err := b.finish(s.e.limit)
		if err != nil {
			return err
		}
		log, err := s.q.m.evidence(t, w, blk, s.q.c, s.q.parameters(), false)
		if err != nil {
			return err
		}
		if math.IsInf(log, -1) {
			return s.q.c.impossible(s.q.m.net, 0)
		}
		s.log += log
		for _, d := range t.decisions(w, blk) {
			if wanted(d.free[0]) {
				s.decisions = append(s.decisions, d)
			}
		}
		return nil
	})
	s.log += known
	return err
}

// best lists the k best. After a list of choices is found to be best, the lists that leave it at one place, for
// another choice there, are put on the heap, with what they lose if everything after that is best.
func (s *explainer) best(k int) []Explanation {
	var list []Explanation
	var open branches
	found := 0
	heap.Push(&open, branch{at: -1})
	for len(list) < k && len(open) > 0 {
		var fresh []branch
		from := heap.Pop(&open).(branch)
		choices := slices.Clone(from.base)
		if from.at >= 0 {
			choices = append(choices[:from.at:from.at], from.choice)
		}
		for i := range s.decisions {
			d := &s.decisions[i]
			if i < len(choices) {
				d.choose(choices[i], s.states)
				continue
			}
			losses := d.losses(s.states)
			best := slices.Index(losses, slices.Min(losses))
			for choice, loss := range losses {
				if choice != best && !math.IsInf(loss, 1) {
					fresh = append(fresh, branch{loss: from.loss + loss, at: i, choice: choice})
				}
			}
			choices = append(choices, best)
			d.choose(best, s.states)
		}
		for _, b := range fresh {
			found++
			b.base, b.number = choices, found
			heap.Push(&open, b)
		}
		list = append(list, s.explanation(s.log-from.loss))
	}
	return list
}

// explanation is that of the current states.
func (s *explainer) explanation(log float64) Explanation {
	x := Explanation{States: make(bn.Given, len(s.targets)), LogProbability: log, P: min(math.Exp(log-s.total), 1)}
	x.Bound = x.P
	for _, v := range s.targets {
		variable := s.q.m.net.Variable(v)
		state := s.states[v]
		if s.q.c.states[v] != nil {
			state = int(s.q.c.states[v][0])
		}
		x.States[variable.Name] = variable.States[state]
	}
	return x
}

// branch is a list of choices that follows a base to one place and makes another choice there.
type branch struct {
	loss   float64
	base   []int
	at     int
	choice int
	number int // in the order in which they were found
}

type branches []branch

func (b branches) Len() int { return len(b) }

func (b branches) Less(i, j int) bool {
	if b[i].loss != b[j].loss {
		return b[i].loss < b[j].loss
	}
	return b[i].number < b[j].number
}

func (b branches) Swap(i, j int) { b[i], b[j] = b[j], b[i] }

func (b *branches) Push(x any) { *b = append(*b, x.(branch)) }

func (b *branches) Pop() any {
	last := (*b)[len(*b)-1]
	*b = (*b)[:len(*b)-1]
	return last
}

// search climbs from two starts, changing one target at a time to its most probable state given the
// others: from the states that attain the bound, and from those that are most probable one after another.
func (s *explainer) search() (*Explanation, error) {
	for i := range s.decisions {
		d := &s.decisions[i]
		d.choose(d.best(s.states), s.states)
	}
	bound := s.log
	fixed := s.q.fix(s.targets, s.states)
	log, err := s.climb(fixed)
	if err != nil && !errors.Is(err, ErrImpossibleEvidence) {
		return nil, err
	}
	if err != nil {
		log = math.Inf(-1)
	}
	if log < bound-1e-12 {
		start := s.q.fix(nil, nil)
		for _, v := range s.targets {
			if start.c.states[v] != nil {
				continue
			}
			p, err := s.e.marginals(start, []int{v})
			if err != nil {
				return nil, err
			}
			start.c.states[v] = []bn.State{bn.State(slices.Index(p[0], slices.Max(p[0])))}
		}
		other, err := s.climb(start)
		if err != nil {
			return nil, err
		}
		if other > log {
			fixed, log = start, other
		}
	}
	for _, v := range s.targets {
		s.states[v] = int(fixed.c.states[v][0])
	}
	x := s.explanation(log)
	x.Bound = max(x.P, min(math.Exp(bound-s.total), 1))
	return &x, nil
}

// climb changes the states of the targets in q until no single change makes them more probable, and returns
// the logarithm of their probability together with the evidence.
func (s *explainer) climb(q *question) (float64, error) {
	log, err := s.e.logProbability(q)
	if err != nil {
		return 0, err
	}
	for changed := true; changed; {
		changed = false
		for _, v := range s.targets {
			if s.q.c.states[v] != nil {
				continue
			}
			at := q.c.states[v]
			q.c.states[v] = nil
			p, err := s.e.marginals(q, []int{v})
			if err != nil {
				return 0, err
			}
			best := slices.Index(p[0], slices.Max(p[0]))
			if gain := p[0][best] / p[0][at[0]]; gain > 1+1e-9 {
				changed = true
				at = []bn.State{bn.State(best)}
				log += math.Log(gain)
			}
			q.c.states[v] = at
		}
	}
	return log, nil
}

// fix returns the question with the states of some variables observed besides.
func (q *question) fix(vars, states []int) *question {
	out, c := *q, *q.c
	c.states = slices.Clone(c.states)
	for _, v := range vars {
		if c.states[v] == nil {
			c.states[v] = []bn.State{bn.State(states[v])}
		}
	}
	out.c = &c
	return &out
}
