package noisyor

import (
	"context"
	"math/rand/v2"
	"sync"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/learn"
	"bnlab/internal/say"
)

// maxima are the methods that find the exact maxima of a domain, and those that climb to them, made ready once for all
// splits.
type maxima struct {
	lock   sync.Mutex
	of     map[maximum]*learn.Compiled
	climbs map[knowledge.Learner]climb
}

// A climb is Algorithm 1 with the knowledge of a learner.
type climb struct {
	learn.ExteriorPenalty
	ready *learn.Compiled
}

type maximum struct {
	learner knowledge.Learner
	prior   float64
}

func (m *maxima) take(d *Domain, l knowledge.Learner, prior float64) (*learn.Compiled, error) {
	m.lock.Lock()
	defer m.lock.Unlock()
	if c := m.of[maximum{l, prior}]; c != nil {
		return c, nil
	}
	c, err := learn.Compile(d.Net, learn.MAP{Pseudocount: prior, Constraints: l.Select(d.Knowledge.Statements())})
	if err == nil {
		m.of[maximum{l, prior}] = c
	}
	return c, err
}

func newMaxima() *maxima {
	return &maxima{of: make(map[maximum]*learn.Compiled), climbs: make(map[knowledge.Learner]climb)}
}

// climb has the statements of a learner. A free table is climbed like the others: with a statement whose violation
// costs nothing.
func (m *maxima) climb(d *Domain, l knowledge.Learner) (climb, error) {
	m.lock.Lock()
	defer m.lock.Unlock()
	if c, ok := m.climbs[l]; ok {
		return c, nil
	}
	c := climb{ExteriorPenalty: learn.ExteriorPenalty{Constraints: l.Select(d.Knowledge.Statements()), Rounds: 1}}
	if l == knowledge.None {
		parent := d.Net.CPT(d.Net.Len() - 1).Parents[0].Name
		c.Constraints = []constraint.Constraint{constraint.Influence{Parent: parent, Child: d.Target,
			Sign: constraint.Positive}}
		c.Weight = nothing
	}
	var err error
	if c.ready, err = learn.Compile(d.Net, c.ExteriorPenalty); err == nil {
		m.climbs[l] = c
	}
	return c, err
}

// learn returns the probability of the target's last state by way and configuration of its parents. Each way has the
// same random numbers. What differs in the number of iterations alone is one ascent.
func (s *Sweep) learn(ctx context.Context, ways []way, l knowledge.Learner, counts *data.Counts,
	source func() rand.Source) ([][]float64, error) {
	out := make([][]float64, len(ways))
	for i, w := range ways {
		if out[i] != nil {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var err error
		switch {
		case w.exact:
			out[i], err = s.exact(w, l, counts)
		case w.starts > 0:
			out[i], err = s.mean(w, l, counts, source())
		default:
			err = s.stopped(ways, out, i, l, counts, source())
		}
		if err != nil {
			return nil, say.Errorf("%s: %w", w.name, err)
		}
	}
	return out, nil
}

// exact takes the maximum.
func (s *Sweep) exact(w way, l knowledge.Learner, counts *data.Counts) ([]float64, error) {
	prior := w.prior
	if l != knowledge.None && prior == 0 {
		prior = duelPseudocount // unseen rows are a question of the free table only
	}
	c, err := s.maxima.take(s.Domain, l, prior)
	if err != nil {
		return nil, err
	}
	theta := make([]float64, len(counts.N))
	if err := c.Tables(theta, counts.N); err != nil {
		return nil, err
	}
	lo, hi := counts.Layout.Family(s.Net.Len() - 1)
	out, n := last(theta[lo:hi]), counts.N[lo:hi]
	for config := range out {
		if w.prior == 0 && l == knowledge.None && n[2*config]+n[2*config+1] == 0 {
			out[config] = w.unseen
		}
	}
	return out, nil
}

// mean averages the tables of ascents from several starts.
func (s *Sweep) mean(w way, l knowledge.Learner, counts *data.Counts, src rand.Source) ([]float64, error) {
	var mean []float64
	one := w
	one.starts = 0
	for range w.starts {
		out := make([][]float64, 1)
		if err := s.stopped([]way{one}, out, 0, l, counts, src); err != nil {
			return nil, err
		}
		if mean == nil {
			mean = make([]float64, len(out[0]))
		}
		for i, p := range out[0] {
			mean[i] += p / float64(w.starts)
		}
	}
	return mean, nil
}

// stopped is Algorithm 1 in one of the ways, and in those that differ from it in the number of iterations alone.
func (s *Sweep) stopped(ways []way, out [][]float64, like int, l knowledge.Learner, counts *data.Counts,
	src rand.Source) error {
	w := ways[like]
	var of []int
	most := 0
	for i, other := range ways {
		if !other.exact && other.step == w.step && other.even == w.even && other.starts == 0 {
			of, most = append(of, i), max(most, other.iterations)
		}
	}
	climb, err := s.maxima.climb(s.Domain, l)
	if err != nil {
		return err
	}
	a := climb.ExteriorPenalty
	a.StepCPT, a.StepLink, a.MaxIterations, a.Src = w.step, w.step, most, src
	if most == 0 {
		a.MaxIterations, a.StepCPT, a.StepLink = 1, nothing, nothing
	}
	if w.even {
		a.Src = nil
	}
	var at []float64 // the last table that was seen
	seen := -1
	keep := func(upTo int) {
		for _, i := range of {
			if n := ways[i].iterations; n >= seen && n < upTo {
				out[i] = last(at)
			}
		}
	}
	a.Watch = func(_ string, iterations int, table []float64) {
		keep(iterations)
		seen, at = iterations, append(at[:0], table...)
	}
	c, err := climb.ready.With(a)
	if err == nil {
		err = c.Tables(make([]float64, len(counts.N)), counts.N)
	}
	keep(most + 1) // where it ended early too
	return err
}

// last is the probability of the last of two states, by configuration.
func last(table []float64) []float64 {
	out := make([]float64, len(table)/2)
	for config := range out {
		out[config] = table[2*config+1]
	}
	return out
}
