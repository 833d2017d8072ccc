package validate

import (
	"errors"
	"fmt"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// A sample are the cases as folds see them.
type sample struct {
	net      *bn.Network
	table    *data.Table
	column   *data.Table // the target's column, to stratify by
	target   bn.Variable
	states   []bn.State // of the target, by row
	weights  []float64  // nil for ones
	positive int        // state that AUC is about, −1 for none
	dense    *dense     // nil where rows are needed
}

// newTarget checks what does not depend on the cases.
func newTarget(net *bn.Network, target string, set *Settings) (*sample, error) {
	if net == nil {
		return nil, errNothing
	}
	v, err := net.Index(target)
	if err != nil {
		return nil, say.Errorf("validate: target: %w", err)
	}
	if set.Intervened != "" {
		return nil, errors.New("validate: Settings.Intervened is for frames; give a table made with " +
			"data.Table.WithInterventions")
	}
	s := &sample{net: net, target: net.Variable(v)}
	if !s.target.IsDiscrete() {
		return nil, say.Errorf("validate: target %q: %w; discretise it first", target, bn.ErrNotDiscrete)
	}
	if s.positive = slices.Index(s.target.States, set.Positive); set.Positive == "" && len(s.target.States) == 2 {
		s.positive = 1
	} else if set.Positive != "" && s.positive < 0 {
		return nil, say.Errorf("validate: target %q: %w %q (states: %v)", target, bn.ErrUnknownState, set.Positive,
			s.target.States)
	}
	if s.positive < 0 && set.Criterion == AUC {
		return nil, say.Errorf("validate: target %q has %d states; say in Settings which one is Positive, or choose "+
			"by LogScore", target, len(s.target.States))
	}
	return s, nil
}

var errNothing = errors.New("validate: there is no network or no table; look at the error that came with it")

// newSample checks what the verbs have in common.
func newSample(net *bn.Network, t *data.Table, target string, set *Settings) (*sample, error) {
	if t == nil {
		return nil, errNothing
	}
	s, err := newTarget(net, target, set)
	if err != nil {
		return nil, err
	}
	s.table, s.weights = t, t.Weights()
	if set.Discretization != nil {
		if s.table, err = set.Discretization.Apply(t); err != nil {
			return nil, say.Errorf("validate: %w", err)
		}
	}
	if s.states, err = s.table.As(s.target); err != nil {
		return nil, say.Errorf("validate: target: %w", err)
	}
	if row := slices.Index(s.states, bn.Missing); row >= 0 {
		err := fmt.Errorf("%w; predictions of the target are scored by it, so drop the rows without it "+
			"(bnkit.DropMissing)", data.ErrMissing)
		return nil, say.Errorf("validate: %w", &data.ValueError{Row: row + 1, Name: target, Err: err})
	}
	for row, w := range s.weights {
		if !(w > 0) {
			return nil, say.Errorf("validate: row %d has the weight %v; drop it", row+1, w)
		}
	}
	if s.column, err = s.table.Keep(target); err != nil {
		return nil, say.Errorf("validate: %w", err)
	}
	parts := s.table.Regimes()
	for _, r := range parts {
		if slices.Contains(r.Set, target) {
			return nil, say.Errorf("validate: row %d: the target %q was set there, so it cannot be predicted; drop "+
				"such rows", r.Index[0]+1, target)
		}
	}
	if parts == nil { // otherwise what a row is predicted from depends on what was set
		v, _ := net.Index(target) // which newTarget has found
		s.dense, err = newDense(net, s.table, v)
	}
	return s, err
}

// event is what AUC is about, in words; empty for nothing.
func (s *sample) event() string {
	if s.positive < 0 {
		return ""
	}
	return s.target.Name + "=" + s.target.States[s.positive]
}

// place is where the prediction of a row stands: rows of one context share theirs.
func (s *sample) place(row int) int {
	if s.dense != nil {
		return s.dense.context[row]
	}
	return row
}

// An item is a place in the predictions at which a state of the target occurred.
type item struct {
	place  int
	state  bn.State
	weight float64
	row    int // the first one that is there
}

// A part are some rows of the sample: a fold, or all but a fold.
type part struct {
	rows    []int
	n       []float64 // counts by layout; nil where rows are needed
	classes []float64 // weight by state of the target
	items   []item    // by place
}

// part gathers rows to be predicted, and to be left out of training.
func (s *sample) part(rows []int) *part {
	p := &part{rows: rows, classes: make([]float64, len(s.target.States))}
	if s.dense != nil {
		s.dense.gather(p, s.states, s.weights)
	} else {
		for _, row := range rows {
			p.items = append(p.items, item{s.place(row), s.states[row], s.weight(row), row})
		}
	}
	for _, it := range p.items {
		p.classes[it.state] += it.weight
	}
	return p
}

// weight is that of all cases.
func (p *part) weight() float64 {
	sum := 0.0
	for _, w := range p.classes {
		sum += w
	}
	return sum
}

func (s *sample) weight(row int) float64 {
	if s.weights == nil {
		return 1
	}
	return s.weights[row]
}

// without returns the training part that leaves one of the parts out; rows are those of the
// others. Counts are added up, not subtracted from a total, so that none is negative by rounding.
func without(parts []*part, left int, rows []int) *part {
	all := &part{rows: rows, classes: make([]float64, len(parts[left].classes))}
	if parts[left].n != nil {
		all.n = make([]float64, len(parts[left].n))
	}
	for i, p := range parts {
		if i == left {
			continue
		}
		for cell, x := range p.n {
			all.n[cell] += x
		}
		for state, x := range p.classes {
			all.classes[state] += x
		}
	}
	return all
}
