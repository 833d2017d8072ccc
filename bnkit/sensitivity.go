package bnkit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/internal/say"
)

// SensitivitySettings govern Sensitivity. Nil means entries that move by 10 % of themselves, and the
// threshold 0.5.
type SensitivitySettings struct {
	// Spread is how far an entry x moves, as a share of itself: from x·(1 − Spread) to x·(1 + Spread), at
	// most 1. It is above 0 and at most 1; 0 means 0.1. An entry of zero stays.
	Spread float64
	// Intervals, when not nil, moves each entry over its credible interval instead, as [Intervals] finds it.
	// The model must have been fitted to cases.
	Intervals *IntervalSettings
	// Threshold is the probability at which the decision turns, between 0 and 1; 0 means 0.5.
	Threshold float64
}

// Sensitivity returns how an answer, P(target = state | evidence), depends on each entry of the tables. An entry
// moves, and the other entries of its row move in proportion, so that the row still sums to 1. The frame has
// a row for each entry that the answer depends on, the widest range of answers first, and
//
//	entry       in words, as in P(lung=yes | smoke=no)
//	variable, parents, state  which entry it is; parents is empty without parents
//	value       the entry
//	derivative  of the answer by the entry
//	from, to    the range over which the entry moves
//	low, high   the least and the greatest answer in that range
//	answer      as the tables are, the same in all rows
//	change      of the entry that brings the answer to the threshold, the smallest that turns the decision;
//	            NaN where none does
//	note        that an entry of zero stays, statements that bind the row, or the CPD that makes the table
//
// The answer is a ratio of linear functions of the entry, so it is monotone, and all columns are exact
// ([infer.Sensitivity]). Entries that a statement shares, or makes multiples of each other, move together and have
// one row, that of the first; the note says how many. Then the answer is a ratio of polynomials: the derivative
// is exact, low and high are the least and the greatest of 33 exact answers over the range, and change is found
// among as many on either side of the entry. Other statements are not followed: the note tells that the entry
// cannot move alone in a model that keeps them. Entries of continuous variables are not listed.
// nb.Plot draws the ranges.
//
// State "" means the last state of the target. Errors are those of [Posterior], for a [infer.Distribution] in the
// evidence, a Spread or Threshold out of range, and with Intervals those of the verb [Intervals], as when a done ctx
// ended the draws too early.
func Sensitivity(ctx context.Context, m bn.Model, evidence infer.Evidence, target, state string,
	set *SensitivitySettings) (dataframe.DataFrame, error) {
	model, err := asked(m)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	if set, err = set.defaults(); err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: sensitivity: %w", err)
	}
	engine, evidence, err := engineFor(m, evidence)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	if v, err := model.Net.Index(target); err == nil && state == "" && model.Net.Variable(v).IsDiscrete() {
		states := model.Net.Variable(v).States
		state = states[len(states)-1]
	}
	found, err := engine.Sensitivity(evidence, target, state)
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	entries, err := model.ties(ctx, swings(model.Net, found, set.Threshold), found, evidence, target, state,
		set.Threshold)
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: sensitivity: %w", err)
	}
	if set.Intervals == nil {
		for i := range entries {
			x := entries[i].value
			if err := entries[i].move(found, x*(1-set.Spread), min(1, x*(1+set.Spread))); err != nil {
				return dataframe.DataFrame{}, say.Errorf("bnkit: sensitivity: %w", err)
			}
		}
	} else if err := model.moveInIntervals(ctx, entries, found, set.Intervals); err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: sensitivity: %w", err)
	}
	slices.SortStableFunc(entries, func(a, b swing) int {
		switch x, y := a.high-a.low, b.high-b.low; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return model.swingFrame(entries, found.P)
}

// defaults returns the settings with defaults for zeros, and an error for what is out of range.
func (s *SensitivitySettings) defaults() (*SensitivitySettings, error) {
	var out SensitivitySettings
	if s != nil {
		out = *s
	}
	if out.Spread == 0 {
		out.Spread = 0.1
	}
	if out.Threshold == 0 {
		out.Threshold = 0.5
	}
	if !(out.Spread > 0 && out.Spread <= 1) {
		return nil, say.Errorf("a Spread of %v; give a share above 0 and at most 1", out.Spread)
	}
	if !(out.Threshold > 0 && out.Threshold < 1) {
		return nil, say.Errorf("a Threshold of %v; give a probability between 0 and 1", out.Threshold)
	}
	return &out, nil
}

// moveInIntervals moves entries over their credible intervals and to where they are.
func (m *Model) moveInIntervals(ctx context.Context, entries []swing, s *infer.Sensitivity,
	set *IntervalSettings) error {
	if _, err := fittedNetwork(m); err != nil {
		return err
	}
	var names []string
	start := make(map[int]int) // of the variable in a draw
	for i, size := 0, 0; i < len(entries); i++ {
		v := entries[i].v
		if _, ok := start[v]; ok {
			continue
		}
		names = append(names, m.Net.Variable(v).Name)
		start[v] = size
		size += len(m.Net.CPT(v).P)
	}
	if len(names) == 0 {
		return nil
	}
	_, draws, err := m.drawTables(ctx, set, names...)
	if err != nil {
		return err
	}
	for i := range entries {
		if err := draws.hurry(ctx, len(entries)); err != nil {
			return err
		}
		w := &entries[i]
		lo, _ := m.Net.Layout().Family(w.v)
		from, to := draws.Interval(start[w.v]+w.cell-lo, set.Probability())
		if err := w.move(s, max(0, min(from, w.value)), min(1, max(to, w.value))); err != nil {
			return err
		}
	}
	return nil
}

// swingFrame lays entries out.
func (m *Model) swingFrame(entries []swing, answer float64) (dataframe.DataFrame, error) {
	n := len(entries)
	texts := make([][]string, 5)
	numbers := make([][]float64, 8)
	for k := range texts {
		texts[k] = make([]string, n)
	}
	for k := range numbers {
		numbers[k] = make([]float64, n)
	}
	notes := make(map[int][]string) // by variable, for each configuration
	for i, w := range entries {
		if _, ok := notes[w.v]; !ok {
			found, err := m.rowNotes(w.v)
			if err != nil {
				return dataframe.DataFrame{}, err
			}
			notes[w.v] = found
		}
		t := m.Net.CPT(w.v)
		var given []string
		for k, s := range t.ConfigNames(w.config) {
			given = append(given, t.Parents[k].Name+"="+s)
		}
		parents, bar := strings.Join(given, ", "), ""
		if parents != "" {
			bar = " | "
		}
		state := t.Child.States[w.state]
		note := notes[w.v][w.config]
		if w.along != nil {
			note = fmt.Sprintf("%d tied entries move together; %s", len(w.along.cells), note)
		}
		if w.value == 0 && w.from == w.to {
			note = strings.TrimSuffix("0 stays, as Spread is a share of it: Intervals moves it; "+note, "; ")
		}
		for k, s := range []string{"P(" + t.Child.Name + "=" + state + bar + parents + ")", t.Child.Name, parents,
			state, note} {
			texts[k][i] = s
		}
		for k, x := range []float64{w.value, w.derivative, w.from, w.to, w.low, w.high, answer, w.change} {
			numbers[k][i] = x
		}
	}
	var cols []series.Series
	for k, name := range []string{"entry", "variable", "parents", "state"} {
		cols = append(cols, series.New(texts[k], series.String, name))
	}
	for k, name := range []string{"value", "derivative", "from", "to", "low", "high", "answer", "change"} {
		cols = append(cols, series.New(numbers[k], series.Float, name))
	}
	return dataframe.New(append(cols, series.New(texts[4], series.String, "note"))...), nil
}

// rowNotes are what binds the rows of a table, by configuration.
func (m *Model) rowNotes(v int) ([]string, error) {
	name := m.Net.Variable(v).Name
	out := make([]string, m.Net.CPT(v).Configs().Len())
	if len(m.Statements) > 0 {
		bound, err := m.RowStatements(name)
		if err != nil {
			return nil, say.Errorf("bnkit: %w", err)
		}
		for config, statements := range bound {
			out[config] = strings.Join(statements, "; ")
		}
	}
	for _, f := range m.CPDs {
		if slices.Contains(f.Children, name) {
			for config := range out {
				out[config] = "made by " + f.Family
			}
		}
	}
	return out, nil
}
