package bnkit

import (
	"context"
	"math"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
	"bnlab/internal/say"
)

// Elicit returns which statements would be worth most to know: what to ask an expert next, from a model that was
// fitted by [learn.Averaged], [learn.EM] or another method with a Dirichlet prior. Missing cells are averaged over, by
// draws; that needs the rows, which a model from a file has not. Nil candidates are both signs
// of every arc between variables whose states are in order. The frame has a row for each candidate, the one whose
// answer is worth most first, and
//
//	statement   the sentence
//	holds       the probability that it holds, given the cases
//	yes         the probability that the expert says so
//	if yes      the expected gain in log score for the next case by that answer, in millinats
//	if no       and by the other one
//	gain        yes · if yes + (1 − yes) · if no
//	stderr      of gain, from simulation; 0 for a closed form
//	cases       how many more complete cases are expected to gain as much; exact for tables without statements, the
//	            statements of other tables are ignored there
//	note        that a gain is not told apart from the first (within 2.6 standard errors), and what is odd about
//	            the statement; see [Check]
//
// An answer turns the posterior of the tables by Bayes' rule; [learn.Result.Elicit] has the mathematics, what is taken
// to be known of a candidate before the cases, and the errors. An expert's yes goes into the next fit as a statement of
// learn.Averaged with a strength, then Elicit says what to ask next. Draw the frame by nb.Plot.
func Elicit(ctx context.Context, m *Model, candidates []constraint.Constraint, set *learn.ElicitSettings) (
	dataframe.DataFrame, error) {
	if _, err := fittedNetwork(m); err != nil {
		return dataframe.DataFrame{}, err
	}
	r := *m.Result
	r.Pseudocounts = m.pseudo()
	list, err := r.Elicit(ctx, candidates, set)
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	const milli = 1000
	statements, notes := make([]string, len(list)), make([]string, len(list))
	numbers := make([][]float64, 7)
	for i, q := range list {
		statements[i] = q.Statement.String()
		_, notes[i] = constraint.Describe(m.Net, q.Statement)
		if away := 2.6 * math.Hypot(q.StdErr, list[0].StdErr); i > 0 && away > 0 && list[0].Gain-q.Gain < away {
			notes[i] = strings.TrimSuffix(notFirst+"; "+notes[i], "; ")
		}
		for k, x := range []float64{q.Holds, q.Yes, milli * q.IfYes, milli * q.IfNo, milli * q.Gain, milli * q.StdErr,
			q.Cases} {
			numbers[k] = append(numbers[k], x)
		}
	}
	cols := []series.Series{series.New(statements, series.String, "statement")}
	for k, name := range []string{"holds", "yes", "if yes", "if no", "gain", "stderr", "cases"} {
		cols = append(cols, series.New(numbers[k], series.Float, name))
	}
	return dataframe.New(append(cols, series.New(notes, series.String, "note"))...), nil
}

// notFirst is the note on a question that may as well be the first.
const notFirst = "not told apart from the first"
