package bnkit

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/internal/interrupt"
	"bnlab/internal/pool"
	"bnlab/internal/say"
)

// answerDraws draws the tables of the named variables from the posterior and asks a question of the network
// with each draw of them. Theta of what it returns are the answers, which all have the same length; ask
// may be called by several goroutines, each time with a network that is its own until it returns.
func (m *Model) answerDraws(ctx context.Context, set *IntervalSettings, names []string,
	ask func(net *bn.Network) ([]float64, error)) (*tableDraws, error) {
	if err := set.check(); err != nil {
		return nil, err
	}
	quiet := *set
	quiet.Progress = nil
	_, draws, err := m.drawTables(ctx, &quiet, names...)
	if err != nil {
		return nil, err
	}
	const block = 200 // answers between calls of Progress
	answers, errs := make([][]float64, len(draws.Theta)), make([]error, len(draws.Theta))
	done := 0
	for done < len(answers) && ctx.Err() == nil {
		from, to := done, min(done+block, len(answers))
		pool.Share(to-from, 0, func() func(int) {
			net := m.Net.Clone()
			return func(task int) {
				if ctx.Err() != nil {
					return
				}
				theta := draws.Theta[from+task]
				for _, name := range names {
					v, _ := net.Index(name)
					theta = theta[copy(net.CPT(v).P, theta):]
				}
				answers[from+task], errs[from+task] = ask(net)
			}
		})
		for done < to && answers[done] != nil && errs[done] == nil {
			done++
		}
		if done < to && errs[done] != nil {
			return nil, errs[done]
		}
		if done < to {
			break
		}
		if set.Progress != nil {
			set.Progress(done, len(answers))
		}
	}
	if done < len(answers) {
		interrupt.Last(set.Progress, done, len(answers))
		if err := enough(ctx, done, draws.Planned); err != nil {
			return nil, err
		}
		draws.EffectiveDraws = min(draws.EffectiveDraws, float64(done))
	}
	draws.Theta = answers[:done]
	return draws, nil
}

// relevant lists the discrete variables on whose tables an answer about some variables depends, given
// evidence on others: all of these and their ancestors. Those that are set from outside do not count. It
// returns an error for a continuous one, whose parameters have no draws.
func relevant(net *bn.Network, of ...string) ([]string, error) {
	above, err := net.DAG().Ancestors(of...)
	if err != nil {
		return nil, err
	}
	in := make(map[string]bool)
	for _, name := range append(above, of...) {
		in[name] = true
	}
	var names []string
	for _, v := range net.Variables() {
		if in[v.Name] && !v.IsDiscrete() {
			return nil, say.Errorf("%w: the answer depends on the regression of %q, of which there are no draws yet",
				errNoIntervals, v.Name)
		}
		if in[v.Name] {
			names = append(names, v.Name)
		}
	}
	return names, nil
}

// drawTables draws the tables of the named variables from the posterior, together with the problem that says
// how. Draws that a done context ended are enough when an interval can be had from them.
func (m *Model) drawTables(ctx context.Context, set *IntervalSettings, names ...string) (*constraint.Problem,
	*tableDraws, error) {
	if err := set.check(); err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		if err := m.hasPosterior(name); err != nil {
			return nil, nil, err
		}
	}
	p, err := m.compile(m.Statements)
	if err != nil {
		return nil, nil, err
	}
	cases, err := m.missing(set)
	if err != nil {
		return nil, nil, err
	}
	wanted := names
	if cases != nil && m.Weighing == nil {
		if names, err = m.allTables(); err != nil {
			return nil, nil, err
		}
	}
	sampling := &constraint.Sampling{Draws: set.Draws, Src: set.Src, Progress: set.Progress}
	found := &tableDraws{}
	if found.limits, err = m.limits(wanted); err != nil {
		return nil, nil, err
	}
	var complete func(n, theta []float64, rng *rand.Rand) error
	var align func(theta []float64)
	switch {
	case cases != nil && m.Weighing != nil:
	case cases != nil:
		var impossible error
		if complete, align, impossible = m.Completion(cases, m.pseudo()); impossible != nil {
			found.missing = asKnown + ", since there is no other way: " +
				strings.TrimPrefix(impossible.Error(), "learn: ")
			cases, names = nil, wanted
		}
	case m.Expected:
		found.missing = asKnown + ": give the Cases of the fit"
	}
	switch {
	case m.Weighing != nil:
		found.Draws, err = m.Weighing.Draw(ctx, m.Result, cases, sampling, names...)
	case cases != nil:
		found.Draws, err = p.DrawCompleted(ctx, m.Counts, m.pseudo(), sampling, complete, align)
	default:
		found.Draws, err = p.Draw(ctx, m.Counts, m.pseudo(), sampling, names...)
	}
	if found.Draws != nil && ctx.Err() != nil {
		err = enough(ctx, len(found.Theta), found.Planned)
	}
	if errors.Is(err, constraint.ErrNoPrior) && m.ViolationWeight > 0 {
		err = say.Errorf("%w under statements with a penalty (ViolationWeight); fit under hard ones, as "+
			"learn.EM without a ViolationWeight does (%w)", errNoIntervals, err)
	}
	if err != nil {
		return p, nil, err
	}
	if cases != nil {
		found.completed = true
		found.missing = "missing cells: drawn with the tables"
		if m.Weighing == nil {
			found.keep(m.Net, wanted)
		}
	}
	return p, found, nil
}

// asKnown is the note on draws that leave out what is not known of missing cells.
const asKnown = "too narrow: the missing cells are taken as known, by their expected counts"

// enough returns an error when fewer draws were made than an interval needs.
func enough(ctx context.Context, done, planned int) error {
	if done >= minDraws {
		return nil
	}
	return say.Errorf("interrupted after %d of %d draws, and an interval needs %d: %w", done, planned, minDraws,
		ctx.Err())
}

// tableDraws are draws of tables, or of answers made with them.
type tableDraws struct {
	*constraint.Draws
	missing   string   // how far missing cells are accounted for
	completed bool     // they are, as they were drawn with the tables
	limits    []string // what draws take for granted
}

// summedLate is how many numbers an interruption leaves to be summed up.
const summedLate = 400_000

// hurry leaves evenly spaced draws when the context is done, so that there are no more numbers to sum up, of so many
// entries, than take no time.
func (d *tableDraws) hurry(ctx context.Context, entries int) error {
	if ctx.Err() == nil {
		return nil
	}
	keep := max(minDraws, summedLate/max(1, entries))
	if minDraws > summedLate/max(1, entries) {
		return say.Errorf("interrupted while intervals of %d numbers were found: %w", entries, ctx.Err())
	}
	if len(d.Theta) <= keep {
		return nil
	}
	step := (len(d.Theta) + keep - 1) / keep
	some := make([][]float64, 0, keep)
	for i := 0; i < len(d.Theta); i += step {
		some = append(some, d.Theta[i])
	}
	d.Theta, d.EffectiveDraws = some, min(d.EffectiveDraws, float64(len(some)))
	return nil
}

// summaries returns the mean of some entries, from the first on, and the ends of their intervals.
func (d *tableDraws) summaries(ctx context.Context, n int, level float64) (mean, low, high []float64, err error) {
	mean, low, high = make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		if err := d.hurry(ctx, n); err != nil {
			return nil, nil, nil, err
		}
		mean[i] = d.mean(i)
		low[i], high[i] = d.Interval(i, level)
	}
	return mean, low, high, nil
}

// mean returns the mean of an entry.
func (d *tableDraws) mean(entry int) float64 {
	mean := 0.0
	for _, theta := range d.Theta {
		mean += theta[entry] / float64(len(d.Theta))
	}
	return mean
}

// missing returns the cases of a fit with missing cells when the settings have them, nil for none.
func (m *Model) missing(set *IntervalSettings) (*data.Table, error) {
	if set.Cases == nil || !m.Expected {
		return nil, nil
	}
	f := openFrame(*set.Cases)
	s := &Settings{Discretization: m.Discretization, Hidden: m.without(f)}
	t, err := s.cases(m.Net, f, learn.EM{})
	if err != nil {
		return nil, say.Errorf("cases of the fit: %w", err)
	}
	if t.Hash() != m.DataHash {
		return nil, say.Errorf("the Cases are not those of the fit; give the frame that the model was fitted to")
	}
	return t, nil
}

// allTables names the discrete variables, whose tables have a posterior.
func (m *Model) allTables() ([]string, error) {
	var names []string
	for _, v := range m.Net.Variables() {
		if !v.IsDiscrete() {
			continue
		}
		if err := m.hasPosterior(v.Name); err != nil {
			return nil, err
		}
		names = append(names, v.Name)
	}
	return names, nil
}

// keep keeps the tables of some variables, in their order, of draws of all.
func (d *tableDraws) keep(net *bn.Network, names []string) {
	start := make(map[string]int)
	at := 0
	for v, x := range net.Variables() {
		if t := net.CPT(v); t != nil {
			start[x.Name] = at
			at += len(t.P)
		}
	}
	for i, theta := range d.Theta {
		var some []float64
		for _, name := range names {
			v, _ := net.Index(name)
			some = append(some, theta[start[name]:][:len(net.CPT(v).P)]...)
		}
		d.Theta[i] = slices.Clip(some)
	}
}

// hasPosterior returns an error for a table that was not estimated from counts and statements.
func (m *Model) hasPosterior(name string) error {
	if len(m.Targets) > 0 {
		return say.Errorf("%w: the fit maximizes the likelihood of %s given the rest, which needs more than "+
			"counts; fit without Targets", errNoIntervals, say.List(m.Targets))
	}
	if m.Means != nil && m.Means.Sharing != nil {
		return say.Errorf("%w: the tables are averaged over what may be tied, whose draws are not there yet; "+
			"fit by learn.PosteriorMean", errNoIntervals)
	}
	for _, f := range m.CPDs {
		if slices.Contains(f.Children, name) {
			return say.Errorf("%w: the table of %q is that of %s, whose parameters have no intervals yet; fit a free "+
				"table", errNoIntervals, name, f.Family)
		}
	}
	return nil
}
