package bnkit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/learn"
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
		cases = english.Count(w.series.Series, "series")
		if w.series.Series != 1 {
			cases = fmt.Sprintf("%d series", w.series.Series)
		}
		if w.known != nil && w.known.Rows > 0 {
			cases += " with " + english.Count(w.known.Rows, "time point") + " in all"
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

// gaps says what was missing and what was done about it.
func (w *writer) gaps() {
	k := w.known
	hidden := w.fit.Hidden
	if w.series != nil {
		hidden = nil
		for _, name := range w.fit.Hidden {
			name, _, _ = strings.Cut(name, "[")
			if !slices.Contains(hidden, name) {
				hidden = append(hidden, name)
			}
		}
	}
	if len(hidden) > 0 {
		w.say("%s %s latent: no case observes %s.", and(hidden), are(len(hidden), "is", "are"),
			are(len(hidden), "it", "them"))
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
		w.say("Of %s %d (%.3g %%) had a missing value (missing values by variable: %s).",
			english.Count(k.Rows, "row"), k.Incomplete, 100*float64(k.Incomplete)/float64(k.Rows),
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
			"out by variable: %s).", strings.Join(parts, ", "))
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

// estimation names the estimator.
func (w *writer) estimation() {
	const by = "Parameters were estimated by "
	prior := w.prior() != nil || slices.ContainsFunc(w.fit.GaussianPriors,
		func(p *constraint.GaussianPrior) bool { return p != nil })
	goal := "maximum likelihood"
	if prior {
		goal = "maximum a posteriori (the mode of the posterior)"
	}
	switch w.estimator() {
	case "ML", "MAP":
		w.say(by+"%s.", goal)
	case "Priced":
		w.say(by+"%s, with the prices of statements chosen by leave-one-out prediction.", goal)
	case "PosteriorMean", "BDeu":
		w.say(by + "the mean of the posterior.")
	case "Averaged":
		w.say(by + "the mean of the posterior, averaged over which of the statements are imposed (Bayesian model " +
			"averaging).")
	case "AveragedSharing":
		w.say(by+"the mean of the posterior, averaged over which probabilities are equal (%s).", w.fit.Method)
	case "EM":
		w.say(by+"%s with the expectation-maximisation algorithm.", goal)
	case "APN":
		if len(w.fit.Targets) > 0 {
			goal += fmt.Sprintf(" of the conditional likelihood of %s given all other variables", and(w.fit.Targets))
		}
		w.say(by+"%s with adaptive probabilistic networks, that is, by gradients (Russell et al. 1995; %s).", goal,
			w.fit.Method)
	case "Gibbs":
		w.say(by+"the mean of the posterior with Gibbs sampling (Tanner and Wong 1987): %s after %d of burn-in.",
			english.Count(w.known.Sweeps, "sweep"), w.known.BurnIn)
	default:
		w.say(by+"%s.", w.fit.Method)
	}
}

// isMean reports whether the estimate is a posterior mean.
func (w *writer) isMean() bool { return w.fit.Means != nil || w.estimator() == "Gibbs" }

// priors says which densities, and what they mean in cases.
func (w *writer) priors() {
	net, added := w.fit.Net, w.prior()
	tables := net.Layout().Len() > 0
	bayes := w.isMean() || slices.Contains([]string{"MAP", "Priced"}, w.estimator())
	switch {
	case !tables || added == nil && !bayes:
	case added == nil && w.isMean():
		w.say("The prior of each row of a conditional probability table was uniform, a Dirichlet distribution with " +
			"the " +
			"parameter 1 for each state, which adds one case to each.")
	case added == nil:
		w.say("The prior of each row of a conditional probability table was uniform, so that the mode is the maximum " +
			"of the likelihood.")
	default:
		alpha := make([]float64, len(added))
		for i, a := range added {
			alpha[i] = a + 1
		}
		weight := "the mode adds " + casesOf(added)
		if w.isMean() {
			weight = "the mean adds " + casesOf(alpha)
		}
		weight += " to each count"
		if size, ok := equivalentSize(net, alpha); ok && w.estimator() == "BDeu" {
			weight += fmt.Sprintf(", %.6g in all to each table (the equivalent sample size)", size)
		}
		w.say("The prior of each row of a conditional probability table was a Dirichlet distribution with a parameter "+
			"of %s for each state: %s.", spread(alpha), weight)
	}
	if tables && (added != nil || bayes) && len(w.fit.Statements) > 0 {
		w.say("Priors were restricted to the parameters that obey the statements below.")
	}
	if slices.ContainsFunc(net.Variables(), func(v bn.Variable) bool { return !v.IsDiscrete() }) {
		w.gaussians()
	}
}

// casesOf is a number of cases, or the range of several.
func casesOf(x []float64) string {
	if n := spread(x); n != "1" {
		return n + " cases"
	}
	return "1 case"
}

// equivalentSize is the sum of the Dirichlet parameters of each table, where it is the same for all.
func equivalentSize(net *bn.Network, alpha []float64) (float64, bool) {
	var sizes []float64
	for v := range net.Len() {
		lo, hi := net.Layout().Family(v)
		if lo == hi {
			continue
		}
		sum := 0.0
		for _, a := range alpha[lo:hi] {
			sum += a
		}
		sizes = append(sizes, sum)
	}
	if len(sizes) == 0 || slices.Max(sizes)-slices.Min(sizes) > 1e-9*slices.Max(sizes) {
		return 0, false
	}
	return sizes[0], true
}

// gaussians says how continuous variables were modelled.
func (w *writer) gaussians() {
	w.say("Each continuous variable was normally distributed, with a mean that is linear in its continuous parents " +
		"and " +
		"a variance of its own, in each configuration of its discrete parents (a linear-Gaussian model)")
	priors := make(map[string][]string)
	for v, p := range w.fit.GaussianPriors {
		if p == nil {
			continue
		}
		text := fmt.Sprintf("an inverse-gamma prior of the variance with the shape %.4g and the scale %.4g, and "+
			"normal "+
			"priors of the coefficients with %.4g (weights) and %.4g (intercept) times the precision of the noise",
			p.Shape, p.Scale, p.Precision, p.InterceptPrecision)
		for _, name := range slices.Sorted(maps.Keys(p.Mean)) {
			text += fmt.Sprintf(", the mean of %s being %.4g", name, p.Mean[name])
		}
		priors[text] = append(priors[text], w.fit.Net.Variable(v).Name)
	}
	switch {
	case len(priors) == 0 && !w.fit.Expected:
		w.say(", and fitted by least squares.")
	case len(priors) == 0:
		w.say(", without a prior.")
	default:
		var parts []string
		for _, text := range slices.Sorted(maps.Keys(priors)) {
			parts = append(parts, fmt.Sprintf("for %s %s", and(priors[text]), text))
		}
		w.say(": %s.", strings.Join(parts, "; "))
	}
}

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

// found says how the estimate was found, and what is proven of it.
func (w *writer) found() {
	r := w.fit
	if r.Means != nil && r.Means.StdErr > 0 {
		w.say("Posterior means without a closed form were simulated (seed %d; standard error at most %.1g).",
			r.Means.Seed, r.Means.StdErr)
	}
	if s := r.Solution; s != nil && !r.Expected && len(s.Parts) > 0 {
		words := "The maximum under the statements was certified to be global."
		for _, p := range s.Parts {
			if !p.Global {
				words = "The estimate under the statements is " + p.Certificate() + "."
			}
			if !p.Local {
				break
			}
		}
		w.say("%s", words)
	}
	n := len(r.Trace)
	if n > 1 && w.estimator() != "Gibbs" {
		w.iterated(english.Count(r.Trace[n-1].Iteration, "iteration"))
	}
	if r.Status == learn.Interrupted {
		w.say("The computation was interrupted, and the estimate is the best until then.")
	}
	if k, err := r.FreeParameters(); err == nil {
		w.say("The model has %s.", english.Count(k, "free parameter"))
	}
	open, zero := 0, 0
	for _, f := range r.Flags {
		if f.ZeroProbability {
			zero += 1 + f.More
		} else {
			open += 1 + f.More
		}
	}
	if open > 0 {
		w.say("Of its distributions the data do not determine %d, wholly or in part.", open)
	}
	if zero > 0 {
		w.say("In %s states that were never seen have probability 0.", english.Count(zero, "distribution"))
	}
}

// iterated says how an iteration ended.
func (w *writer) iterated(iterations string) {
	r := w.fit
	status := r.Status
	if 0 < r.Best && r.Best <= len(r.Ends) {
		status = r.Ends[r.Best-1].Status
	}
	switch status {
	case learn.Converged:
		w.say("The algorithm converged after %s", iterations)
	case learn.HeldOutFalls:
		w.say("The algorithm was stopped after %s, when the likelihood of %s rose no more, at the best for them",
			iterations,
			w.heldOut())
	case learn.IterationLimit:
		w.say("The algorithm was stopped after %s, before it converged", iterations)
	default:
		w.say("The algorithm made %s", iterations)
	}
	if r.Starts > 1 {
		w.say("; the estimate is the best of %d starts, of which %d came within 0.1 nats of it", r.Starts, r.Agreed)
	}
	w.say(".")
}

// heldOut are the cases of early stopping.
func (w *writer) heldOut() string {
	if w.known != nil && w.known.HeldOut > 0 {
		return english.Count(w.known.HeldOut, "held-out case")
	}
	return "held-out cases"
}
