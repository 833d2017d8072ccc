package bnkit

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/say"
)

// IntervalSettings are the settings of [Intervals]. Src is required; the rest has defaults.
type IntervalSettings struct {
	// Level is the posterior probability of an interval, between 0 and 1; 0 means 0.95.
	Level float64
	// Draws from the posterior, 100 to a million; 0 means 4000. A Level near 1 needs more, and the note says so where
	// next to none lie beyond the ends.
	Draws int
	// Src drives the draws, as in rand.NewPCG(1, 0).
	Src rand.Source
	// Progress, when not nil, is called from time to time, and once more when the simulation is
	// interrupted, with total lowered to done; nb.Progress shows it.
	Progress func(done, total int)
	// Cases, when not nil, is the frame of the fit, for a model with missing cells or hidden variables. Then
	// these are drawn together with the tables, from their posterior under the statements
	// ([constraint.Problem.DrawCompleted]), instead of taking expected counts as known, which makes intervals too
	// narrow. Where that is not possible ([learn.Result.Completion]) the note begins with "too narrow" and says why.
	Cases *dataframe.DataFrame
}

// Probability returns the level of the intervals, 0.95 unless Level is set.
func (s *IntervalSettings) Probability() float64 {
	if s == nil || s.Level == 0 {
		return 0.95
	}
	return s.Level
}

// count returns the number of draws, 4000 unless Draws is set.
func (s *IntervalSettings) count() int {
	if s.Draws == 0 {
		return 4000
	}
	return s.Draws
}

// check returns an error for invalid settings.
func (s *IntervalSettings) check() error {
	if s == nil || s.Src == nil {
		return say.Errorf("intervals are simulated: %w as Src", bn.ErrNoSource)
	}
	if level := s.Probability(); !(level > 0 && level < 1) {
		return say.Errorf("an interval of probability %v; give a Level between 0 and 1", s.Level)
	}
	if s.Draws != 0 && (s.Draws < minDraws || s.Draws > maxDraws) {
		return say.Errorf("%d draws; give a number from %d to %d, or 0 for the default", s.Draws, minDraws, maxDraws)
	}
	return nil
}

// errNoIntervals is returned where the posterior is not available.
var errNoIntervals = errors.New("no intervals")

// maxDraws bounds the memory of draws; with fewer than minDraws the ends of an interval are mostly
// noise.
const (
	minDraws = 100
	maxDraws = 1_000_000
)

// worstRhat is the split R-hat above which chains have not yet forgotten their starts.
const worstRhat = 1.05

// Intervals returns the posterior mean and a credible interval of each entry of the table of a
// variable, under the model's statements and prior, by simulation. For ML the prior is uniform,
// whose mode ML is. The frame has the parents as columns, a row for each parent configuration and
// state in the order of the table, and
//
//	state        the state of the variable
//	mean         the probability of the state for the next case. The table of the model has most often the
//	             mode, which may lie outside of the interval
//	low, high    the ends of the interval, with equal probability below and above it
//	note         empty for independent draws; otherwise how well Markov chains agree, and "too narrow" with the
//	             reason where missing cells are taken as known, or the same cases suggested a statement ([GroupAll])
//	             or the graph ([Search]); for weights that sum to more than the rows how many cases they make
//
// Over truths that come from the prior, 90 % of the intervals of level 0.9 hold the truth. Of truths on the boundary of
// an inequality it may be fewer (70 to 92 % where two of three ordered rows are equal, 60 cases): the posterior has a
// density, and lies to one side of it.
//
// A done ctx ends the simulation with the draws made by then, and the note gives their number.
//
// It returns [bn.ErrNoSource] without a source, and errors for a model that was not fitted to
// cases, for a continuous variable, for statements without a density ([constraint.ErrNoPrior]), for
// an improper prior ([constraint.ErrImproper]), and an error for a table of a
// [learn.ParametricCPD], influences with a penalty (ViolationWeight), and a fit to the conditional
// likelihood of Targets.
func Intervals(ctx context.Context, m *Model, name string, set *IntervalSettings) (dataframe.DataFrame, error) {
	net, err := fittedNetwork(m)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	p, draws, err := m.drawTables(ctx, set, name)
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	t, err := net.Table(name)
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	mean, err := posteriorMean(ctx, p, m, name, draws)
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	_, low, high, err := draws.summaries(ctx, len(t.P), set.Probability())
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	return frameOf(t, mean, low, high, drawsNote(draws, set.Probability())), nil
}

// frameOf returns intervals as a frame with a row for each entry of the table.
func frameOf(t *bn.CPT, mean, low, high []float64, note string) dataframe.DataFrame {
	n := len(t.P)
	parents := make([][]string, len(t.Parents))
	states, notes := make([]string, n), make([]string, n)
	for i := range n {
		low[i], high[i] = max(0, low[i]), min(1, high[i]) // what rounding leaves
		config, state := i/t.Child.Cardinality(), i%t.Child.Cardinality()
		states[i], notes[i] = t.Child.States[state], note
		for k, s := range t.ConfigNames(config) {
			parents[k] = append(parents[k], s)
		}
	}
	var cols []series.Series
	for k, parent := range t.Parents {
		cols = append(cols, series.New(parents[k], series.String, parent.Name))
	}
	return dataframe.New(append(cols,
		series.New(states, series.String, "state"),
		series.New(mean, series.Float, "mean"),
		series.New(low, series.Float, "low"),
		series.New(high, series.Float, "high"),
		series.New(notes, series.String, "note"),
	)...)
}

// posteriorMean is exact where there is a closed form for all tables, and otherwise the
// mean of the draws.
func posteriorMean(ctx context.Context, p *constraint.Problem, m *Model, name string, draws *tableDraws) ([]float64,
	error) {
	if m.Weighing != nil {
		t, _ := m.Net.Table(name)
		return t.P, nil
	}
	all := make([]float64, len(m.Counts))
	if _, err := p.PosteriorMean(ctx, all, m.Counts, m.pseudo(), nil); err == nil && !draws.completed {
		v, _ := m.Net.Index(name)
		lo, hi := m.Net.Layout().Family(v)
		return all[lo:hi], nil
	}
	mean := make([]float64, len(draws.Theta[0]))
	for i := range mean {
		if err := draws.hurry(ctx, len(mean)); err != nil {
			return nil, err
		}
		mean[i] = draws.mean(i)
	}
	return mean, nil
}

// drawsNote returns the note on the draws, for intervals of a level.
func drawsNote(d *tableDraws, level float64) string {
	note := ""
	switch {
	case d.Exact:
	case d.SplitRhat <= worstRhat:
		note = fmt.Sprintf("Markov chains: R-hat %.2f, as good as %.0f independent draws", d.SplitRhat,
			d.EffectiveDraws)
	default:
		note = fmt.Sprintf("not to be trusted: the Markov chains disagree (R-hat %.2f); raise Draws above %d",
			d.SplitRhat, len(d.Theta))
	}
	notes := []string{note}
	if len(d.Theta) < d.Planned {
		notes = append(notes, fmt.Sprintf("interrupted: %d of %d draws", len(d.Theta), d.Planned))
	}
	if beyond := d.EffectiveDraws * (1 - level) / 2; beyond < 2 && d.Exact || beyond < 1 {
		notes = append(notes, fmt.Sprintf("beyond each end lie %.1g independent draws, so that the ends are noise: "+
			"raise Draws", beyond))
	}
	if d.missing != "" {
		notes = append(notes, d.missing)
	}
	notes = append(notes, d.limits...)
	return strings.TrimPrefix(strings.Join(notes, "; "), "; ")
}
