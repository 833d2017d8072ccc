package bnkit

import (
	"fmt"
	"slices"
	"strings"

	"bnlab/bnkit/constraint"
	"bnlab/internal/english"
)

// statements lists the knowledge.
func (w *writer) statements() {
	list := w.fit.Statements
	if w.fit.Weighing != nil {
		w.weighed()
	}
	if n := len(list); n > 0 {
		how := "imposed exactly"
		if w.fit.ViolationWeight > 0 {
			how = fmt.Sprintf("imposed exactly, but influences and synergies by a penalty of %.6g nats for each "+
				"unit of "+
				"probability by which they are violated (Wittig and Jameson 2000)", w.fit.ViolationWeight)
		} else if w.estimator() == "ExteriorPenalty" {
			how = "imposed by a penalty (Yang and Natarajan 2013)"
		}
		if slices.ContainsFunc(list, isPriced) {
			how += ", but for those with a price, in nats for each unit of probability by which they are violated"
		}
		items := make([]string, n)
		unsure := false
		for i, s := range list {
			note, _ := w.known.of(s.String())
			unsure = unsure || note.Strength > 0 && note.Strength < 1
			items[i] = fmt.Sprintf("(%d) %s%s", i+1, s, inBrackets(append(note.words(), note.sure(), foundBy(s))...))
		}
		w.say("The estimate was constrained by %s, %s: %s.", english.Count(n, "statement"), how,
			strings.Join(items, "; "))
		if unsure {
			w.say("The strengths, which are probabilities that a statement is true, were not used.")
		}
	}
	if (len(list) > 0 || w.fit.Weighing != nil) && (w.known == nil || len(w.known.Sources) == 0) {
		w.say("Who states them was not recorded.")
	}
}

// weighed lists the statements that were weighed.
func (w *writer) weighed() {
	g := w.fit.Weighing
	if len(g.Statements) == 0 {
		return
	}
	items := make([]string, len(g.Statements))
	for i, b := range g.Statements {
		note, _ := w.known.of(b.Statement.String())
		words := append(note.words(), fmt.Sprintf("strength %.3g", b.Strength),
			fmt.Sprintf("probability that it holds %.2f before the data and %.2f after", b.Before, b.After))
		items[i] = fmt.Sprintf("(%s) %s%s", letter(i), b.Statement, inBrackets(words...))
	}
	w.say("%s %s weighed: each subset of them, imposed on the prior, has its prior probability by "+
		"the strengths times the marginal likelihood of the cases as weight: %s.",
		english.Count(len(items), "statement"), are(len(items), "was", "were"), strings.Join(items, "; "))
	if !g.Independent {
		w.say("Their source was taken to be poor with the prior probability %.2g (posterior %.2f), and its statements "+
			"then to be imposed with a probability of 0.2 at most.", g.Poor, g.PoorAfter)
	}
}

// isPriced reports whether a statement may be violated at a price.
func isPriced(s constraint.Constraint) bool {
	switch s.(type) {
	case constraint.AtPrice, *constraint.AtPrice:
		return true
	}
	return false
}

// letter numbers statements that are weighed, apart from those that are imposed.
func letter(i int) string { return fmt.Sprintf("w%d", i+1) }

// words are who states it.
func (s sourceNote) words() []string {
	var words []string
	if s.Source != "" {
		words = append(words, "source: "+s.Source)
	}
	if s.Mark != "" {
		words = append(words, "mark: "+s.Mark)
	}
	return words
}

// sure is how sure they are, "" for no word of it.
func (s sourceNote) sure() string {
	if s.Strength == 0 {
		return ""
	}
	return fmt.Sprintf("strength %.3g", s.Strength)
}

// foundBy says so of a statement that data suggested.
func foundBy(s constraint.Constraint) string {
	by := ""
	switch s := s.(type) {
	case constraint.ShareStates:
		by = s.SuggestedBy
	case constraint.ShareAcross:
		by = s.SuggestedBy
	}
	if by != "" {
		by = "suggested by data"
	}
	return by
}

// inBrackets sets words off, none where there are none.
func inBrackets(words ...string) string {
	words = slices.DeleteFunc(words, func(s string) bool { return s == "" })
	if len(words) == 0 {
		return ""
	}
	return " (" + strings.Join(words, "; ") + ")"
}
