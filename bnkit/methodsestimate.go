package bnkit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
	"bnlab/internal/english"
)

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
