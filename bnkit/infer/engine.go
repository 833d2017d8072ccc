package infer

import (
	"math"
	"slices"
	"sync"

	"bnlab/bnkit/bn"
	"bnlab/internal/elimination"
	"bnlab/internal/pool"
	"bnlab/internal/say"
)

// An Engine answers queries on one network, exactly. It keeps a copy of the network, so
// that may change afterwards without effect, and may be used by several goroutines at once.
//
// A query drops what is barren, slices the evidence out of the tables, finds an order for what is
// left, eliminates each connected part of it and, for marginals, passes back once: all of them cost
// about three times what one does. A network of discrete variables whose tables are small has one tree
// for all queries of posteriors instead, as in a junction tree, and the messages of the last query are
// kept: where a finding changes, those above it are computed again.
type Engine struct {
	m       *model
	limit   int
	workers int

	discrete []int // variables
	order    []int // of elimination, of the whole network when it is small
	small    bool  // its tables are small without any evidence
	*shared
}

// shared is what engines for the same structure share.
type shared struct {
	standing func() *standing
	plans    plans
	tables   predictions
}

// New returns an engine for the network. It returns an error when a distribution of the
// network is not valid. A network too wide for exact inference shows itself in a query,
// since evidence makes it narrower.
func New(net *bn.Network, opts *Options) (*Engine, error) {
	m, err := newModel(net)
	if err != nil {
		return nil, err
	}
	e := &Engine{m: m, limit: opts.maxCells(), workers: opts.workers()}
	cards := make([]float64, len(m.cards))
	for v, r := range m.cards {
		cards[v] = float64(max(r, 1))
		if r > 0 {
			e.discrete = append(e.discrete, v)
		}
	}
	var cells float64
	most := smallQuery * float64(len(cards))
	e.order, cells = m.graph(cards).MinFill(elimination.Cost{Weighted: true}, most)
	e.small = cells <= most
	e.shared = &shared{standing: sync.OnceValue(e.newStanding)}
	return e, nil
}

// With returns an engine for a network that has other parameters only, as draws of the tables have. The two share
// their plans, of which the second time that a question is asked makes use, and may be used at the same time.
//
// It returns an error for a network with other variables, states or parents, and one whose distributions are
// not valid.
func (e *Engine) With(net *bn.Network) (*Engine, error) {
	if net == nil {
		return nil, errNoNetwork
	}
	if err := e.m.net.Matches(net); err != nil {
		return nil, say.Errorf("infer: %w", err)
	}
	if err := net.Validate(); err != nil {
		return nil, say.Errorf("infer: %w", err)
	}
	m := *e.m
	m.families = slices.Clone(m.families)
	m.take(net)
	e.tables.several.Store(true)
	other := *e
	other.m = &m
	return &other, nil
}

// whole returns the tree of the whole network, nil when there is none.
func (e *Engine) whole() *standing {
	if !e.small || !e.m.own.mild {
		return nil
	}
	return e.standing()
}

// Posterior returns the distribution of each target given the evidence, in one call; see
// [Engine.Posterior].
func Posterior(net *bn.Network, evidence Evidence, targets ...string) (*Posteriors, error) {
	e, err := New(net, nil)
	if err != nil {
		return nil, err
	}
	return e.Posterior(evidence, targets...)
}

// Posterior returns the distribution of each target given the evidence. An observed target
// has its state with probability 1. The evidence of a continuous variable is a number.
//
// It returns an error for an unknown or continuous target, an unknown variable or state in
// the evidence, an [*ImpossibleError], and a [*WidthError] when the tables would be too large.
func (e *Engine) Posterior(evidence Evidence, targets ...string) (*Posteriors, error) {
	vars := make([]int, len(targets))
	for i, name := range targets {
		v, err := e.target(name)
		if err != nil {
			return nil, err
		}
		vars[i] = v
	}
	return e.posteriors(evidence, vars)
}

// target returns the number of a discrete variable.
func (e *Engine) target(name string) (int, error) {
	v, err := e.m.net.Index(name)
	if err != nil {
		return 0, say.Errorf("infer: target: %w", err)
	}
	if e.m.cards[v] == 0 {
		return 0, say.Errorf("infer: no posterior of %q: %w", name, bn.ErrNotDiscrete)
	}
	return v, nil
}

// Marginals returns the distribution of every discrete variable given the evidence, in the
// order of the network. Errors are those of [Engine.Posterior].
func (e *Engine) Marginals(evidence Evidence) (*Posteriors, error) {
	return e.posteriors(evidence, e.discrete)
}

func (e *Engine) posteriors(evidence Evidence, targets []int) (*Posteriors, error) {
	q, err := e.question(evidence)
	if err != nil {
		return nil, err
	}
	found, err := e.marginals(q, targets)
	if err != nil {
		return nil, err
	}
	out := &Posteriors{Variables: make([]bn.Variable, len(targets)), P: found}
	for i, v := range targets {
		out.Variables[i] = e.m.net.Variable(v)
	}
	return out, nil
}

// question resolves evidence and, where distributions must hold, fits their likelihoods.
func (e *Engine) question(evidence Evidence) (*question, error) {
	q, _, err := e.fitted(evidence)
	return q, err
}

// marginals returns the distribution of each target.
func (e *Engine) marginals(q *question, targets []int) ([][]float64, error) {
	wanted, size := elimination.NewSet(e.m.net.Len()), 0
	for _, v := range targets {
		wanted.Add(v)
		size += e.m.cards[v]
	}
	found, room := make([][]float64, e.m.net.Len()), make([]float64, size)
	for _, v := range targets {
		r := e.m.cards[v]
		found[v], room = room[:r:r], room[r:]
	}
	if s := e.whole(); s != nil && q.m == e.m {
		if err := s.marginals(q, found); err != nil {
			return nil, err
		}
		return q.listed(found, targets), nil
	}
	w := spaces.Get().(*workspace)
	defer spaces.Put(w)
	_, err := e.query(q, wanted.Has, func(p part) error {
		asked := slices.ContainsFunc(p.hidden, wanted.Has)
		if !asked && q.m.positive(p) {
			return nil // separated from all targets, and possible
		}
		t, blk, _, err := e.run(q, p, w, false)
		if err != nil {
			return err
		}
		if asked {
			t.marginals(w, blk, found, w.up)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return q.listed(found, targets), nil
}

// listed lists the distributions of the targets; an observed one has its state with probability 1. It is found
// itself when the targets are all variables in order.
func (q *question) listed(found [][]float64, targets []int) [][]float64 {
	out, all := found, len(targets) == len(found)
	for i, v := range targets {
		all = all && v == i
	}
	if !all {
		out = make([][]float64, len(targets))
	}
	for i, v := range targets {
		if out[i] = found[v]; q.c.states[v] != nil {
			out[i][q.c.states[v][0]] = 1
		}
	}
	return out
}

// positive reports whether the tables of a part have no zero, so that no evidence in it is
// impossible.
func (m *model) positive(p part) bool {
	for _, f := range p.families {
		if !m.families[f].positive {
			return false
		}
	}
	return true
}

// LogProbability returns the natural logarithm of the probability of the evidence; for
// continuous variables it is the density. Errors are those of [Engine.Posterior].
func (e *Engine) LogProbability(evidence Evidence) (float64, error) {
	q, err := e.question(evidence)
	if err != nil {
		return 0, err
	}
	return e.logProbability(q)
}

// logProbability is LogProbability of resolved evidence.
func (e *Engine) logProbability(q *question) (float64, error) {
	q.density = true
	w := spaces.Get().(*workspace)
	defer spaces.Put(w)
	hidden := 0.0
	known, err := e.query(q, func(int) bool { return false }, func(p part) error {
		_, _, log, err := e.run(q, p, w, false)
		hidden += log
		return err
	})
	if err != nil {
		return 0, err
	}
	return known + hidden, nil
}

// Options are the options of exact inference. The zero value, and nil, are useful.
type Options struct {
	// MaxCells bounds the entries of the tables that are held at once, each once with a
	// message and once with counts of 8 bytes: of one connected part of what is hidden. Where continuous
	// variables are summed out, the regressions of each configuration of their discrete parents count too.
	// 0 means 1<<27 (2 GiB), and no more than 1<<31−1 is possible.
	MaxCells int
	// Workers is the number of goroutines; 0 means GOMAXPROCS. Results do not depend on it.
	Workers int
	// Ended, such as the Err of a context, is asked again and again while a [Plan] is made and passes over its cases;
	// an error ends them, and is theirs. Nil for never. An [Engine] does not ask.
	Ended func() error
}

const (
	defaultMaxCells = 1 << 27
	bytesOfCell     = 16 // a message and a count
)

func (o *Options) maxCells() int {
	if o == nil || o.MaxCells <= 0 {
		return defaultMaxCells
	}
	return min(o.MaxCells, math.MaxInt32)
}

func (o *Options) ended() func() error {
	if o == nil || o.Ended == nil {
		return func() error { return nil }
	}
	return o.Ended
}

func (o *Options) workers() int {
	if o == nil {
		return pool.Workers(0)
	}
	return pool.Workers(o.Workers)
}
