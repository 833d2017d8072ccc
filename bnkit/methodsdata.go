package bnkit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"bnlab/bnkit/dbn"
	"bnlab/bnkit/knowledge"
	"bnlab/internal/english"
)

// data says what was fitted to what.
func (w *writer) data() {
	net := w.fit.Net
	vars, structure, kind := net.Variables(), net.DAG().String(), "Bayesian network"
	cases := fmt.Sprintf("%.6g cases", w.fit.Cases)
	if w.fit.Cases == 1 {
		cases = "1 case"
	}
	if w.series != nil {
		vars, structure, kind = w.series.Net.Variables(), w.series.Net.String(), "dynamic Bayesian network"
		if isHiddenMarkov(w.series.Net, w.latent()) {
			kind = "hidden Markov model"
		}
		cases = english.Count(w.series.Series, "series")
		if w.series.Series != 1 {
			cases = fmt.Sprintf("%d series", w.series.Series)
		}
		if w.known != nil && w.known.Rows > 0 {
			cases += " with " + english.Count(w.known.Rows, "time point") + " in all"
			if empty := w.fit.Cases - float64(w.known.Rows); empty > 0 {
				cases += fmt.Sprintf(", and %.6g between them of which nothing was observed", empty)
			}
		}
	} else if w.known != nil && w.known.Weight != "" {
		cases = fmt.Sprintf("%s, weighted by %s (sum of the weights %.6g)", english.Count(w.known.Rows, "row"),
			w.known.Weight, w.fit.Cases)
	}
	discrete := 0
	for _, v := range vars {
		if v.IsDiscrete() {
			discrete++
		}
	}
	var kinds []string
	if discrete > 0 {
		kinds = append(kinds, english.Count(discrete, "discrete variable"))
	}
	if n := len(vars) - discrete; n > 0 {
		kinds = append(kinds, english.Count(n, "continuous variable"))
	}
	w.say("A %s of %s was fitted to %s.", kind, and(kinds), cases)
	if w.known != nil && w.known.Structure != "" {
		w.say("Its structure was learned from the same cases (%s): ", w.known.Structure)
	} else {
		w.say("Its structure was ")
	}
	w.code(structure)
	w.say(".")
	w.cuts()
	if w.known != nil && w.known.Fading > 0 {
		w.say("At each update with new cases, earlier ones were multiplied by %.6g (%s without that).", w.known.Fading,
			english.Count(w.known.Rows, "row"))
	}
	if w.known != nil && w.known.Intervened != "" {
		w.say("Values that were set by intervention (column %s) were left out of the distributions of the variables "+
			"that were set (Cooper and Yoo 1999).", w.known.Intervened)
	}
}

// cuts says how columns of numbers became states.
func (w *writer) cuts() {
	var made []string
	add := func(column string, states []string, cuts []float64, upper bool) {
		at := make([]string, len(cuts))
		for i, c := range cuts {
			at[i] = fmt.Sprintf("%.6g", c)
		}
		side := "lower"
		if upper {
			side = "upper"
		}
		made = append(made, fmt.Sprintf("%s at %s (%s; a value at a cut point is in the %s state)", column, and(at),
			strings.Join(states, ", "), side))
	}
	if w.steps != nil {
		for _, b := range w.steps.Columns {
			if len(b.Cuts) > 0 {
				add(b.Column, b.States, b.Cuts, b.LeftClosed)
			}
		}
	}
	for _, v := range w.fit.Net.Variables() {
		of, ok := v.Encoding.(knowledge.Variable)
		if p, is := v.Encoding.(*knowledge.Variable); is {
			of, ok = *p, true
		}
		switch {
		case ok && len(of.From) > 0:
			add(v.Name, v.States, of.From, true)
		case ok && len(of.Above) > 0:
			add(v.Name, v.States, of.Above, false)
		}
	}
	if len(made) > 0 {
		w.say("Numbers were discretised: %s.", strings.Join(made, "; "))
	}
}

// latent are the variables that no case observes, those of series without their slices.
func (w *writer) latent() []string {
	if w.series == nil {
		return w.fit.Hidden
	}
	var hidden []string
	for _, name := range w.fit.Hidden {
		name, _, _ = strings.Cut(name, "[")
		if !slices.Contains(hidden, name) {
			hidden = append(hidden, name)
		}
	}
	return hidden
}

// isHiddenMarkov reports whether one latent variable depends on itself a step before, and all others on it alone.
func isHiddenMarkov(net *dbn.Network, latent []string) bool {
	if len(latent) != 1 {
		return false
	}
	two := net.Template()
	for v := range two.Len() {
		name, now := strings.CutSuffix(two.Variable(v).Name, "[1]")
		want := latent[0] + "[1]"
		if name == latent[0] {
			want = latent[0] + "[0]"
		}
		if p := two.DAG().Parents(v); now && (len(p) != 1 || two.Variable(p[0]).Name != want) {
			return false
		}
	}
	return true
}

// gaps says what was missing and what was done about it.
func (w *writer) gaps() {
	k, hidden := w.known, w.latent()
	if len(hidden) > 0 {
		w.say("%s %s latent: no case observes %s.", and(hidden), are(len(hidden), "is", "are"),
			are(len(hidden), "it", "them"))
		if len(w.fit.Interchangeable()) > 0 {
			w.say("The labels of latent states are arbitrary, since no statement tells the states apart.")
		}
	}
	switch {
	case k == nil || k.Rows == 0: // not known
		if w.fit.Expected && len(hidden) == 0 {
			w.say("Some values were missing.")
		}
	case k.Incomplete == 0 && len(hidden) == 0:
		w.say("No value was missing.")
	case k.Incomplete == 0:
		w.say("No value of the other variables was missing.")
	default:
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(k.Missing)) {
			parts = append(parts, fmt.Sprintf("%s %d", name, k.Missing[name]))
		}
		rows := "row"
		if w.series != nil {
			rows = "time point"
		}
		w.say("Of %s %d (%.3g %%) had a missing value (missing values by variable: %s).",
			english.Count(k.Rows, rows), k.Incomplete, 100*float64(k.Incomplete)/float64(k.Rows),
			strings.Join(parts, ", "))
	}
	left := slices.ContainsFunc(w.fit.Skipped, func(weight float64) bool { return weight > 0 })
	switch {
	case left:
		var parts []string
		for v, weight := range w.fit.Skipped {
			if weight > 0 {
				parts = append(parts, fmt.Sprintf("%s %.6g", w.fit.Net.Variable(v).Name, weight))
			}
		}
		w.say("A case was left out of the estimation of each distribution in which it has a missing value (cases left "+
			"out by variable: %s), which assumes that whether a value is missing does not depend on the values.",
			strings.Join(parts, ", "))
	case !w.fit.Expected || k != nil && k.Rows > 0 && k.Incomplete == 0:
	case w.estimator() == "Gibbs" || w.estimator() == "Averaged":
		w.say("All cases were used: missing values were drawn together with the parameters (data augmentation), " +
			"which " +
			"assumes that values are missing at random.")
	default:
		w.say("All cases were used: the likelihood sums over missing values, which assumes that values are missing " +
			"at " +
			"random.")
	}
}
