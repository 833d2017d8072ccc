package bnkit

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/posterior"
	"bnlab/internal/say"
)

// Graphs is the posterior distribution of the graph of a frame's columns; see [GraphPosterior]. Several goroutines
// may use it.
type Graphs struct {
	*posterior.Graphs

	scorer         *structure.Scorer
	score          structure.Score
	discretization *data.Discretization
	seed           uint64
	workers        int
}

// GraphPosterior returns how probable each arc, directed path and Markov blanket is given the rows of a frame, and
// graphs drawn from their posterior distribution, over which Posterior and Expectation average:
//
//	graphs, err := bnkit.GraphPosterior(ctx, df, nil, nil, &bnkit.SearchSettings{Seed: 1})
//	nb.Table(graphs.ArcProbabilities())
//	average, err := graphs.Average(0.5) // nb.Show(viz.Graph(average.DAG, …Strengths: average.Map()))
//	answer, err := graphs.Posterior(ctx, infer.Evidence{"rain": "yes"}, "grass")
//
// The score is the log marginal likelihood of a family: nil means BDeu with an equivalent sample size of 1, and BGe
// where all columns hold numbers (a note says when units are far apart); BIC approximates it, and is the default
// where only some do. A nil method is
// [posterior.Exact], the sum over all graphs, up to 18 columns, 14 with a hierarchy as GraphPrior, and
// [posterior.Partitions], Markov chains, else, with the Seed of the settings; posterior.Exact{} takes 20 columns, in
// half a minute. Rules, Missing, Prior and GraphPrior are those of [Search]; without Rules.MaxParents a variable has at
// most 4 parents beyond 8 columns, 3 beyond 20.
//
// A probability is not the strength of [ArcStrengths], the share of replicates of the rows in which a search finds the
// arc. That says how stable a search is, at the cost of many searches; this says what the rows tell, given the prior.
//
// Errors are those of Search and of [posterior.Learn]. A done ctx ends chains as far as they came, which a note says.
func GraphPosterior(ctx context.Context, df dataframe.DataFrame, score structure.Score, how posterior.Method,
	set *SearchSettings) (*Graphs, error) {
	if set == nil {
		set = &SearchSettings{}
	}
	if err := set.refuseIncomplete("GraphPosterior"); err != nil {
		return nil, err
	}
	t, err := set.table(openFrame(df), score)
	if err != nil {
		return nil, err
	}
	var notes []string
	if score == nil {
		score = structure.BDeu{}
		discrete, numbers := sorts(t)
		switch {
		case numbers != "" && discrete != "":
			score = structure.BIC{}
			notes = append(notes, fmt.Sprintf("column %q holds numbers and %q states: scored by BIC, which "+
				"approximates the marginal likelihood", numbers, discrete))
		case numbers != "":
			score = structure.BGe{}
		}
	}
	s, err := structure.NewScorer(t, score, &structure.ScorerOptions{Missing: set.Missing, Prior: set.Prior,
		Workers: set.Workers})
	if err != nil {
		return nil, searchError(err)
	}
	if how == nil {
		how = posterior.Exact{Seed: set.Seed}
		if len(t.Variables()) > mostSummed(set.GraphPrior) {
			how = posterior.Partitions{Seed: set.Seed}
		}
	}
	found, err := posterior.Learn(ctx, s, how, set.structure())
	if found == nil {
		return nil, searchError(err)
	}
	found.Notes = append(append(notes, found.Notes...), unique(t)...)
	return &Graphs{found, s, score, set.Discretization, set.Seed, set.Workers}, nil
}

// mostSummed is the largest number of columns over which all graphs are summed without being asked: fewer where a prior
// of the graph makes it dozens of sums, none where it allows none.
func mostSummed(prior structure.GraphPrior) int {
	if prior == nil {
		return 18
	}
	if _, ok := prior.(interface {
		Mixture(most int) (weights, bases []float64)
	}); ok {
		return 14
	}
	return 0
}

// ArcProbabilities returns a row for each arc, the most probable first:
//
//	from, to
//	probability  of the arc in this direction
//	error        its standard error; 0 when it is exact
func (g *Graphs) ArcProbabilities() dataframe.DataFrame { return g.pairs(g.Arc) }

// PathProbabilities returns a row for each pair of variables, as ArcProbabilities, with the probability that a
// directed path of any length leads from the one to the other.
func (g *Graphs) PathProbabilities() dataframe.DataFrame { return g.pairs(g.Path) }

// pairs makes a frame of probabilities by two variables.
func (g *Graphs) pairs(of func(u, v int) (p, err float64)) dataframe.DataFrame {
	var rows [][2]int
	for u := range g.Variables {
		for v := range g.Variables {
			if u != v {
				rows = append(rows, [2]int{u, v})
			}
		}
	}
	var from, to []string
	p, errs := sorted(rows, func(r [2]int) (float64, float64) { return of(r[0], r[1]) })
	for _, r := range rows {
		from, to = append(from, g.Variables[r[0]].Name), append(to, g.Variables[r[1]].Name)
	}
	return dataframe.New(series.New(from, series.String, "from"), series.New(to, series.String, "to"),
		series.New(p, series.Float, "probability"), series.New(errs, series.Float, "error"))
}

// sorted sorts rows by falling probability, and returns these and their errors.
func sorted[R any](rows []R, of func(R) (p, err float64)) (p, errs []float64) {
	slices.SortStableFunc(rows, func(a, b R) int {
		x, _ := of(a)
		y, _ := of(b)
		return cmp.Compare(y, x)
	})
	for _, r := range rows {
		x, err := of(r)
		p, errs = append(p, x), append(errs, err)
	}
	return p, errs
}

// BlanketProbabilities returns a row for each other variable, the most probable first, with the probability that it
// is in the Markov blanket of the target, as a parent, a child, or another parent of a child:
//
//	variable
//	probability
//	error        its standard error; 0 when it is exact
func (g *Graphs) BlanketProbabilities(target string) (dataframe.DataFrame, error) {
	at := slices.IndexFunc(g.Variables, func(v bn.Variable) bool { return v.Name == target })
	if at < 0 {
		var names []string
		for _, v := range g.Variables {
			names = append(names, v.Name)
		}
		return dataframe.DataFrame{}, say.Errorf("bnkit: the blanket of a variable: %w %q (there are: %s)",
			bn.ErrUnknownVariable, target, say.List(names))
	}
	var rows []int
	for v := range g.Variables {
		if v != at {
			rows = append(rows, v)
		}
	}
	p, errs := sorted(rows, func(v int) (float64, float64) { return g.Blanket(at, v) })
	var names []string
	for _, v := range rows {
		names = append(names, g.Variables[v].Name)
	}
	return dataframe.New(series.New(names, series.String, "variable"), series.New(p, series.Float, "probability"),
		series.New(errs, series.Float, "error")), nil
}
