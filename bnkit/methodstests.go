package bnkit

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
	"bnlab/internal/english"
	"bnlab/internal/say"
)

// tested says what a frame of another verb tested or validated.
func (w *writer) tested(df dataframe.DataFrame) error {
	if df.Error() != nil {
		return say.Errorf("bnkit: Methods: the frame carries an error: %w", df.Error())
	}
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(df.Names(), name) })
	}
	switch {
	case df.Nrow() == 0:
		return errors.New("bnkit: Methods: the frame of tests has no rows")
	case has("statement", "p_value", "holm_p_value", "method"):
		return w.audited(df)
	case has("learner", "log_score_nats", "log_score_stderr", "auc", "setting", "folds"):
		w.validated(df)
		return nil
	}
	return say.Errorf("bnkit: Methods takes frames of Audit, AuditKnowledge and ScoreTable, not one with the "+
		"columns %s",
		say.List(df.Names()))
}

// audited says how statements were tested, and what came out.
func (w *writer) audited(df dataframe.DataFrame) error {
	statements := df.Col("statement").Records()
	for _, s := range statements {
		if !slices.ContainsFunc(w.fit.Statements, func(of constraint.Constraint) bool { return of.String() == s }) {
			if w.weighs(s) {
				return say.Errorf("bnkit: Methods: the audit is about %q, which the model weighs and does not impose; "+
					"leave the audit out: the text has the probability that it holds", s)
			}
			return say.Errorf("bnkit: Methods: the audit is about %q, which is no statement of the model; audit this "+
				"model", s)
		}
	}
	p, holm := df.Col("p_value").Float(), df.Col("holm_p_value").Float()
	tested, smallest := 0, -1
	var ways []string
	for i, way := range df.Col("method").Records() {
		if math.IsNaN(p[i]) {
			continue
		}
		tested++
		way, _, _ = strings.Cut(way, ", Bayes factor") // of which nothing is said here
		if !slices.Contains(ways, way) {
			ways = append(ways, way)
		}
		if smallest < 0 || holm[i] < holm[smallest] {
			smallest = i
		}
	}
	ways = slices.DeleteFunc(slices.Clone(ways), func(way string) bool { // "EM" of one that costs nothing
		return slices.ContainsFunc(ways, func(other string) bool { return strings.HasPrefix(other, way+", ") })
	})
	if tested == 0 {
		w.say("No statement could be tested against the data.")
		return nil
	}
	w.say("%s %s tested against the data, given the others, by a likelihood-ratio test (%s); p-values were adjusted "+
		"for "+
		"the number of statements by Holm's method.", english.Count(tested, "statement"), are(tested, "was", "were"),
		strings.Join(ways, "; "))
	if n := len(statements) - tested; n > 0 {
		w.say("%s could not be tested.", english.Count(n, "other statement"))
	}
	at := slices.IndexFunc(w.fit.Statements,
		func(of constraint.Constraint) bool { return of.String() == statements[smallest] })
	w.say("The smallest adjusted p-value is %s, of statement %d.", pValue(holm[smallest]), at+1)
	return nil
}

// weighs reports whether the model weighs a statement.
func (w *writer) weighs(statement string) bool {
	return w.fit.Weighing != nil && slices.ContainsFunc(w.fit.Weighing.Statements,
		func(of learn.Belief) bool { return of.Statement.String() == statement })
}

// pValue prints a p-value with two digits.
func pValue(p float64) string {
	if p < 0.0001 {
		return "below 0.0001"
	}
	return fmt.Sprintf("%.2g", p)
}

// validated says what a cross-validation found.
func (w *writer) validated(df dataframe.DataFrame) {
	names, settings := df.Col("learner").Records(), df.Col("setting").Records()
	folds, auc := df.Col("folds").Float(), df.Col("auc").Float()
	score, wide := df.Col("log_score_nats").Float(), df.Col("log_score_stderr").Float()
	items := make([]string, len(names))
	for i, name := range names {
		items[i] = fmt.Sprintf("%s (%s): log score %.3f nats a case", name, settings[i], score[i])
		if !math.IsNaN(wide[i]) {
			items[i] += fmt.Sprintf(" (standard error %.3f)", wide[i])
		}
		if !math.IsNaN(auc[i]) {
			items[i] += fmt.Sprintf(", area under the ROC curve %.3f", auc[i])
		}
	}
	w.say("Predictions were assessed by cross-validation with %.0f folds: %s.", folds[0], strings.Join(items, "; "))
}

// software says what computed it, from which data.
func (w *writer) software() {
	if w.known != nil {
		w.say("Computations were made with bnlab %s and %s", w.known.Version, strings.Replace(w.known.Go, "go", "Go ",
			1))
		if w.drew() {
			w.say("; the seed of random numbers was %d", w.seed)
		}
		w.say(".")
	} else if w.drew() {
		w.say("The seed of random numbers was %d.", w.seed)
	}
	hashes := strings.FieldsFunc(w.hash, func(r rune) bool { return r == '+' })
	if len(hashes) == 0 {
		return
	}
	w.say("The data have the SHA-256 %s ", are(len(hashes), "hash", "hashes (first fit and updates)"))
	for i, h := range hashes {
		if i > 0 {
			w.say(", ")
		}
		w.code(h)
	}
	w.say(".")
}

// drew reports whether the fit drew random numbers of its seed.
func (w *writer) drew() bool {
	return w.seed != 0 || w.fit.Starts > 1 || w.fit.Status == learn.Sampled || len(w.fit.Hidden) > 0
}
