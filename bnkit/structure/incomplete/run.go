package incomplete

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
	"bnlab/internal/absent"
	"bnlab/internal/say"
)

// A run is one call of Learn.
type run struct {
	StructuralEM
	table *data.Table // the distinct rows
	score structure.Score
	how   structure.Search
	set   structure.Settings
	rng   *rand.Rand
	notes []string
	steps int // made so far, for the progress
}

// newRun checks what Learn is given.
func (s StructuralEM) newRun(ctx context.Context, src data.Source, score structure.Score, how structure.Search,
	set *structure.Settings) (*run, error) {
	if absent.Is(src) {
		return nil, errors.New("incomplete: the source of cases is nil; give a *data.Table or another data.Source")
	}
	if score == nil {
		return nil, errors.New("incomplete: the score is nil; give one, such as structure.BIC{}")
	}
	if how == nil {
		how = structure.HillClimb{}
	}
	switch how.(type) {
	case structure.TAN, structure.NaiveBayes, structure.ChowLiu:
		return nil, say.Errorf("incomplete: %s makes a graph of one form whatever its score, and structural EM goes "+
			"to graphs of higher scores only; use structure.HillClimb or structure.Exact", how)
	}
	if set == nil {
		set = &structure.Settings{}
	}
	if set.Missing != structure.RefuseMissing {
		return nil, say.Errorf("incomplete: Settings.Missing is %q, which leaves rows out; structural EM takes all of "+
			"them, so leave it unset", set.Missing)
	}
	if err := s.check(src.Variables()); err != nil {
		return nil, err
	}
	if t, ok := src.(*data.Table); ok {
		if t.Regimes() != nil {
			return nil, say.Errorf("incomplete: %s set by intervention in some rows, and structural EM takes cases "+
				"that were observed; leave those rows out, or search with Missing: structure.NodeAverage in its place",
				setIn(t))
		}
		ctx = context.WithoutCancel(ctx) // a done one still gets the first graph
	}
	table, err := src.DistinctRows(ctx)
	if err != nil {
		return nil, say.Errorf("incomplete: %w", err)
	}
	if err := checkTable(table); err != nil {
		return nil, err
	}
	if s.MaxStates == 0 {
		s.MaxStates = defaultStates
	}
	if s.Starts == 0 {
		s.Starts = defaultStarts
	}
	if s.MaxSteps == 0 {
		s.MaxSteps = defaultSteps
	}
	r := &run{StructuralEM: s, table: table, score: score, how: how, set: *set, rng: rand.New(rand.NewPCG(s.Seed, 0))}
	_, err = set.Rules.Bind(r.all())
	return r, err
}

// all are the variables of the columns and the hidden ones that have names.
func (r *run) all() []bn.Variable {
	vars := slices.Clone(r.table.Variables())
	for _, name := range slices.Sorted(maps.Keys(r.Hidden)) {
		vars = append(vars, r.hidden(name, max(r.Hidden[name], 2)))
	}
	return vars
}

// hidden makes a hidden variable.
func (s StructuralEM) hidden(name string, states int) bn.Variable {
	list, ok := s.States[name]
	if !ok {
		list = make([]string, states)
		for i := range list {
			list[i] = fmt.Sprint(i + 1)
		}
	}
	v := bn.Discrete(name, list...)
	v.Hidden = true
	return v
}

// note adds a note.
func (r *run) note(format string, args ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

// stepped reports the progress.
func (r *run) stepped(st *state) {
	r.steps++
	if r.set.Progress != nil {
		r.set.Progress(structure.Progress{Done: 1 - 10/float64(10+r.steps), Score: st.objective,
			What: fmt.Sprintf("structural EM, step %d", r.steps)})
	}
}

// rules are those of the run that speak of these variables, with a start.
func (r *run) rules(vars []bn.Variable, start *bn.DAG) *structure.Rules {
	out := &structure.Rules{Start: start}
	if r.set.Rules == nil {
		return out
	}
	has := func(name string) bool {
		return slices.ContainsFunc(vars, func(v bn.Variable) bool { return v.Name == name })
	}
	for _, a := range r.set.Rules.Required {
		if has(a.From) && has(a.To) {
			out.Required = append(out.Required, a)
		}
	}
	for _, a := range r.set.Rules.Forbidden {
		if has(a.From) && has(a.To) {
			out.Forbidden = append(out.Forbidden, a)
		}
	}
	absent := func(name string) bool { return !has(name) }
	for _, tier := range r.set.Rules.Tiers {
		out.Tiers = append(out.Tiers, slices.DeleteFunc(slices.Clone(tier), absent))
	}
	out.MaxParents = r.set.Rules.MaxParents
	return out
}

// settings are those of a search of package structure.
func (r *run) settings(vars []bn.Variable, start *bn.DAG) *structure.Settings {
	return &structure.Settings{Rules: r.rules(vars, start), Prior: r.set.Prior, GraphPrior: r.set.GraphPrior,
		Workers: r.set.Workers}
}

// complete is Learn for cases that hide nothing.
func (r *run) complete(ctx context.Context, src data.Source) (*Result, error) {
	found, err := structure.Learn(ctx, src, r.score, r.how, &r.set)
	if found == nil || err != nil && ctx.Err() == nil {
		return nil, err
	}
	st, failed := r.fit(context.WithoutCancel(ctx), found.Variables, found.DAG, nil, 1, 1)
	if failed != nil {
		return nil, failed
	}
	return &Result{Result: found, Net: st.net, Trace: []float64{found.Score},
		Statements: r.method(st.net).Constraints}, err
}

// result makes a result of the best state.
func (r *run) result(ctx context.Context, st *state) (*Result, error) {
	found, err := st.scorer.ScoreGraph(context.WithoutCancel(ctx), st.graph)
	if err != nil {
		return nil, err
	}
	found.Score, found.Moves = st.objective, len(st.trace)-1
	found.Search = fmt.Sprintf("%s, each step by %s", r.StructuralEM, r.how)
	found.Notes = append(r.notes, found.Notes...)
	out := &Result{Result: found, Net: st.net, Trace: st.trace, Statements: r.method(st.net).Constraints}
	for _, v := range found.Variables[len(r.table.Variables()):] {
		out.Hidden = append(out.Hidden, v.Name)
	}
	if ctx.Err() != nil {
		found.Interrupted = true
		found.Notes = append(found.Notes, "interrupted: the best graph so far")
		return out, ctx.Err()
	}
	if r.set.Progress != nil {
		r.set.Progress(structure.Progress{Done: 1, Score: st.objective, What: "structural EM"})
	}
	return out, nil
}

// setIn names the columns that were set in some rows, with their verb.
func setIn(t *data.Table) string {
	var names []string
	for _, regime := range t.Regimes() {
		for _, name := range regime.Set {
			names = append(names, fmt.Sprintf("%q", name))
		}
	}
	slices.Sort(names)
	if names = slices.Compact(names); len(names) == 1 {
		return "column " + names[0] + " was"
	}
	return "columns " + strings.Join(names, ", ") + " were"
}
