package validate

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"gonum.org/v1/gonum/stat"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// A Result is a finished cross-validation. It prints as a table.
type Result struct {
	Target         bn.Variable
	Event          string // what AUC is about, as in "recurrence=yes"; empty for nothing
	Folds, Repeats int
	Rows           int
	Learners       []LearnerResult // in the order given
	// Warnings name folds without an AUC, and settings that could not be chosen as asked.
	Warnings []string
	// Interrupted: the context ended before all folds were complete. Those that were, for all
	// learners, are here.
	Interrupted bool

	sample *sample
}

// A LearnerResult holds the results of one learner on all folds.
type LearnerResult struct {
	Name       string
	Candidates []string     // in words
	Folds      []FoldResult // by repeat and then fold
	// Means over folds.
	AUC, LogScore, Accuracy Mean
	// Predicted is, by repeat, row and state, the distribution of the target when the row was
	// held out; nil for a fold that is not complete, and for cases in a database.
	Predicted [][][]float64
}

// A FoldResult holds the results of a learner on one fold, trained on the others. Repeats, folds
// and candidates count from 0.
type FoldResult struct {
	Repeat, Fold, Candidate int
	Scores
}

// A Mean is the mean of a measure over N folds. Without folds it is 0 and means no value.
//
// With N values of variance s² and k folds a repeat,
//
//	StdErr² = (1/N + 1/(k−1))·s²,
//
// corrected for overlapping training sets as in [metric.PairedT]; s/√N would go to 0 with more
// repeats. It is 0 for fewer than two values, and NaN where one of them is −Inf. (Nadeau and
// Bengio 2003.)
type Mean struct {
	Value, StdErr float64
	N             int
}

// summarise takes means over the folds; ratio is test cases for each training case.
func (l *LearnerResult) summarise(ratio float64) {
	for m, to := range map[Measure]*Mean{AUC: &l.AUC, LogScore: &l.LogScore, Accuracy: &l.Accuracy} {
		var values []float64
		for _, f := range l.Folds {
			if x, ok := f.of(m); ok {
				values = append(values, x)
			}
		}
		if to.N = len(values); to.N == 0 {
			continue
		}
		to.Value = stat.Mean(values, nil)
		switch {
		case to.N > 1 && math.IsInf(to.Value, 0):
			to.StdErr = math.NaN()
		case to.N > 1:
			to.StdErr = math.Sqrt((1/float64(to.N) + ratio) * stat.Variance(values, nil))
		}
	}
}

// Setting returns the candidate that was chosen most often, in words, and in how many folds.
func (l *LearnerResult) Setting() (words string, folds int) {
	n := make([]int, len(l.Candidates))
	for _, f := range l.Folds {
		n[f.Candidate]++
	}
	folds = slices.Max(n)
	return l.Candidates[slices.Index(n, folds)], folds
}

// String prints the means with their standard errors and the settings that were chosen.
func (r *Result) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d-fold cross-validation of %s, %d cases", r.Folds, r.Target.Name, r.Rows)
	if r.Repeats > 1 {
		fmt.Fprintf(&b, ", %d times", r.Repeats)
	}
	if r.Interrupted {
		fmt.Fprintf(&b, "; interrupted after %d of %d folds", len(r.Learners[0].Folds), r.Folds*r.Repeats)
	}
	b.WriteByte('\n')
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	auc := "AUC"
	if r.Event != "" {
		auc += " of " + r.Event
	}
	fmt.Fprintf(w, "learner\t%s\tlog score (nats)\taccuracy\tsetting\n", auc)
	for _, l := range r.Learners {
		words, folds := l.Setting()
		if len(l.Candidates) > 1 {
			words += fmt.Sprintf(" (%d of %d folds)", folds, len(l.Folds))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", l.Name, l.AUC, l.LogScore, l.Accuracy, words)
	}
	w.Flush()
	for _, line := range r.Warnings {
		b.WriteString("warning: " + line + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// String prints the mean, as in "0.712 ± 0.031"; a dash for no value.
func (m Mean) String() string {
	switch {
	case m.N == 0:
		return "–"
	case m.StdErr == 0 || math.IsNaN(m.StdErr):
		return fmt.Sprintf("%.3f", m.Value)
	}
	return fmt.Sprintf("%.3f ± %.3f", m.Value, m.StdErr)
}

// learner finds one by name.
func (r *Result) learner(name string) (*LearnerResult, error) {
	var names []string
	for i := range r.Learners {
		if r.Learners[i].Name == name {
			return &r.Learners[i], nil
		}
		names = append(names, r.Learners[i].Name)
	}
	return nil, say.Errorf("validate: there is no learner %q (learners: %s)", name, say.List(names))
}
