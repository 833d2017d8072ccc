package bnkit

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/incomplete"
	"bnlab/internal/say"
)

// SearchSettings are the settings of [Search] and related verbs. Nil means the defaults.
type SearchSettings struct {
	// Columns are those to search over; nil means all. Leave out row names and identifiers.
	Columns []string
	// States gives columns their states, lowest first, in place of those that occur in
	// the frame in natural order. Lists of columns of the frame that are not searched over do not count.
	States map[string][]string
	// Intervened names the column that says which variables were set in a row by intervention; see Settings.
	// A row has no part in the score of a variable that was set in it, so interventions tell arcs apart
	// that observed cases do not. The column is not searched over.
	Intervened string
	// Discretization makes states of columns of numbers; see [Discretize]. The model keeps it.
	Discretization *data.Discretization
	// Step is the time between two slices, in SearchSeries; see Settings.
	Step int64
	// Rules constrain the graph: arcs required and forbidden, tiers, a limit on parents, a start.
	Rules *structure.Rules
	// Missing is the treatment of rows with missing cells; by default they are an error.
	Missing structure.Missing
	// Incomplete, when not nil, makes Search take all rows, whatever is missing in them, and look for hidden
	// variables if it names or proposes some: &incomplete.StructuralEM{}. It takes the place of Missing. Of the
	// related verbs, ScoreStructure takes it, without hidden variables.
	Incomplete *incomplete.StructuralEM
	// Prior and GraphPrior are priors of the graph.
	Prior      structure.FamilyPrior
	GraphPrior structure.GraphPrior
	// Method fits the tables of the graph that was found; nil means learn.MAP{Pseudocount: 1}, a pseudocount of 1
	// in each cell, and with Incomplete learn.EM with the same, both under those statements of a
	// structure.Constrained score that speak of the graph; a note names the others.
	Method learn.Method
	// Replicates is the number of replicates of [ArcStrengths]; 0 means 200. They are drawn by Seed.
	Replicates int
	Seed       uint64
	// Workers bounds the number of processors; 0 means all. Results do not depend on it.
	Workers  int
	Progress func(structure.Progress) // called now and then, and at the end; may be nil; nb.Progress shows it
}

// Found is a graph that was learned from a frame, with a fitted model of it. It prints the graph, its
// score and that of each family, and notes; nb.Network(found.Model) draws it.
type Found struct {
	*structure.Result
	Model *Model
	// Trace is the score after each step of SearchSettings.Incomplete; it never falls. Otherwise nil.
	Trace []float64
}

// Search learns the structure of a network from the columns of a frame and fits its tables. It
// returns the graph with the highest score that the search finds. A nil score means
// [structure.BIC], a nil search [structure.HillClimb], the best of climbs from eight orders of the
// columns. A column of numbers is a linear regression on those of its parents that are numbers, in each configuration
// of those that have states, under [structure.BIC], AIC and LogLikelihood; [structure.BGe] is for numbers only; other
// scores are for states only. No arc points from a column of numbers to one of states.
//
//	df, err := bnkit.ReadCSV("patients.csv", nil)
//	found, err := bnkit.Search(ctx, df, nil, nil, nil)
//	fmt.Println(found)
//
// Any member of the Markov equivalence class may be returned, so the direction of an arc is not a
// finding by itself; [ArcStrengths] returns the bootstrap strength of each arc. A done ctx ends the
// search: the best graph so far, if any, is returned with a note. Errors name columns of numbers that
// the score is not for, that are constant or a linear function of others, a missing cell, and rules that
// contradict each other; see [structure.Learn]. A graph that was found and cannot be scored or fitted is returned
// beside the error.
//
// A frame with missing cells needs SearchSettings.Incomplete, or a policy in Missing that leaves rows out. Incomplete
// also finds places for variables that have no column; see [incomplete.StructuralEM] for its errors:
//
//	set := &bnkit.SearchSettings{Incomplete: &incomplete.StructuralEM{Hidden: map[string]int{"cause": 2}}}
func Search(ctx context.Context, df dataframe.DataFrame, score structure.Score, how structure.Search,
	set *SearchSettings) (*Found, error) {
	if set == nil {
		set = &SearchSettings{}
	}
	t, err := set.table(openFrame(df), score)
	if err != nil {
		return nil, err
	}
	if set.Incomplete != nil {
		return set.incomplete(ctx, t, df, scoreOr(score), how)
	}
	r, err := structure.Learn(ctx, t, scoreOr(score), how, set.structure())
	if r != nil && r.Interrupted {
		err = nil // a note says it
	}
	if err != nil && r != nil {
		return &Found{Result: r}, say.Errorf("bnkit: the search found %s, but it could not be scored: %w", r.DAG,
			err)
	}
	if err != nil {
		return nil, searchError(err)
	}
	r.Notes = append(r.Notes, unique(t)...)
	return set.fit(ctx, r, df, score)
}

// incomplete is Search by structural EM.
func (s *SearchSettings) incomplete(ctx context.Context, t *data.Table, df dataframe.DataFrame, score structure.Score,
	how structure.Search) (*Found, error) {
	if err := checkDiscrete(t); err != nil {
		return nil, err
	}
	em := *s.Incomplete
	em.States = maps.Clone(em.States)
	for name := range em.Hidden {
		if list, ok := s.States[name]; ok && em.States[name] == nil {
			if em.States == nil {
				em.States = make(map[string][]string)
			}
			em.States[name] = list
		}
	}
	r, err := em.Learn(ctx, t, score, how, s.structure())
	if r != nil && r.Interrupted {
		err = nil // a note says it
	}
	if err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	r.Notes = append(r.Notes, unique(t)...)
	var m learn.Method = learn.EM{Pseudocount: 1, Constraints: r.Statements}
	if s.Method != nil {
		m = s.Method
	} else {
		_, left := obeyed(r.Net, score)
		r.Notes = append(r.Notes, left...)
	}
	set := &Settings{Workers: s.Workers, Discretization: s.Discretization, Seed: s.Seed}
	if learn.Iterates(m) {
		set.From, set.Starts = r.Net, 1
	}
	model, err := Fit(ctx, r.Net, df, m, set)
	if err != nil {
		return nil, err
	}
	model.provenance.Structure = learnedBy(r.Result)
	return &Found{r.Result, model, r.Trace}, nil
}

// ScoreStructure scores the graph of a model string, in bnlearn's syntax, on the columns that it
// names, and fits its tables:
//
//	bdeu := structure.BDeu{EquivalentSampleSize: 10}
//	found, err := bnkit.ScoreStructure(ctx, df, "[age][smoker|age][cough|smoker]", bdeu, nil)
//
// Scores are comparable only on the same columns and rows. A nil score means [structure.BIC]. Rules
// and priors of the whole graph in the settings are ignored. With SearchSettings.Incomplete all rows count, whatever is
// missing in them, and the score is the objective of [incomplete.StructuralEM]; it takes no hidden variables here.
func ScoreStructure(ctx context.Context, df dataframe.DataFrame, model string, score structure.Score,
	set *SearchSettings) (*Found, error) {
	if set == nil {
		set = &SearchSettings{}
	}
	if em := set.Incomplete; em != nil && (len(em.Hidden) > 0 || em.Propose > 0) {
		return nil, errors.New("bnkit: ScoreStructure takes cases with missing cells, but no hidden variables, for " +
			"which Search finds a place; leave Hidden and Propose of SearchSettings.Incomplete empty")
	}
	g, err := bn.ParseDAG(model)
	if err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	named := *set
	named.Columns = nil
	for v := range g.Len() {
		named.Columns = append(named.Columns, g.Name(v))
	}
	t, err := named.table(openFrame(df), score)
	if err != nil {
		return nil, err
	}
	if named.Incomplete != nil {
		named.Rules, named.GraphPrior = only(g), nil
		return given(named.incomplete(ctx, t, df, scoreOr(score), structure.HillClimb{}))
	}
	s, err := structure.NewScorer(t, scoreOr(score), &structure.ScorerOptions{Missing: set.Missing, Prior: set.Prior,
		Workers: set.Workers})
	if err != nil {
		return nil, searchError(err)
	}
	r, err := s.ScoreGraph(ctx, g)
	if err != nil {
		return nil, searchError(err)
	}
	return given(set.fit(ctx, r, df, score))
}

// given takes back that a graph was learned.
func given(f *Found, err error) (*Found, error) {
	if f != nil && f.Model != nil {
		f.Model.provenance.Structure = ""
	}
	return f, err
}

// only are rules that allow one graph.
func only(g *bn.DAG) *structure.Rules {
	rules := &structure.Rules{Start: g}
	for from := range g.Len() {
		for to := range g.Len() {
			arc := structure.Arc{From: g.Name(from), To: g.Name(to)}
			switch {
			case slices.Contains(g.Parents(to), from):
				rules.Required = append(rules.Required, arc)
			case from != to:
				rules.Forbidden = append(rules.Forbidden, arc)
			}
		}
	}
	return rules
}

// ArcStrengths returns the bootstrap strengths of the arcs that [Search] finds: it learns a graph
// from each of many replicates of the rows, drawn with replacement. They are frequencies; posterior probabilities
// are those of [GraphPosterior]. Chance has them too: of 20 rows of five independent columns the strongest is about .65
// (docs/arcs.md). The frame has a row for each
// pair of columns ever joined by an arc, the strongest first:
//
//	from, to   in the direction found more often
//	strength   share of the replicates in which the two are joined, in either direction
//	stderr     its standard error, for so many replicates
//	direction  share of these with this direction
//
// The second result builds an averaged network:
//
//	frame, strengths, err := bnkit.ArcStrengths(ctx, df, nil, nil, &bnkit.SearchSettings{Seed: 1})
//	average, err := strengths.Average(strengths.SignificantThreshold())
//
// A done ctx ends it with the replicates finished by then, whose number the second result prints. See
// [structure.ArcStrengths]; the defaults are those of [Search].
func ArcStrengths(ctx context.Context, df dataframe.DataFrame, score structure.Score, how structure.Search,
	set *SearchSettings) (dataframe.DataFrame, *structure.Strengths, error) {
	if set == nil {
		set = &SearchSettings{}
	}
	if err := set.refuseIncomplete("ArcStrengths"); err != nil {
		return dataframe.DataFrame{}, nil, err
	}
	t, err := set.table(openFrame(df), score)
	if err != nil {
		return dataframe.DataFrame{}, nil, err
	}
	if how == nil {
		how = structure.HillClimb{}
	}
	boot := structure.Bootstrap{Replicates: set.Replicates, Seed: set.Seed}
	s, err := structure.ArcStrengths(ctx, t, scoreOr(score), how, boot, set.structure())
	if err != nil && (s == nil || ctx.Err() == nil) {
		return dataframe.DataFrame{}, nil, searchError(err)
	}
	var from, to []string
	var strength, stderr, direction []float64
	for _, a := range s.Arcs() {
		stderr = append(stderr, s.StdErr(a))
		from, to = append(from, a.From), append(to, a.To)
		strength, direction = append(strength, a.Strength), append(direction, a.Direction)
	}
	return dataframe.New(
		series.New(from, series.String, "from"), series.New(to, series.String, "to"),
		series.New(strength, series.Float, "strength"), series.New(stderr, series.Float, "stderr"),
		series.New(direction, series.Float, "direction"),
	), s, nil
}
