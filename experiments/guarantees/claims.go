package guarantees

import (
	"fmt"
	"math"
	"strconv"

	"bnlab/experiments/run"
)

// The predictions below were set before the experiment first ran, from the theory.

// identityClaims judges Theorem 2.
func (r *Results) identityClaims(job *run.Job) {
	const source = "N06 §6.1, Theorem 2"
	limit := chance(len(r.Identity), r.Config.Studies)
	farthest, least, unbiased := 0.0, math.Inf(1), 0.0
	for _, s := range r.Identity {
		mean, stderr := meanError(s.difference)
		job.Number(run.Statement{
			Claim: fmt.Sprintf("Var[ML] − Var[sharing], s = %d, %s", s.s, s.setting), Source: source,
			Kind: run.Theorem, Data: run.Simulated, Unit: "variance", Prediction: run.PredictYes, Basis: run.Theory,
			Note: fmt.Sprintf("paper: θ (1 − 1/s) E[1/N | N ≠ 0], both variances given N ≠ 0; the band is over %d "+
				"studies, and the standard error of the mean is %.2g", r.Config.Studies, stderr),
		}, five(s.theory), mean, run.NewBand(s.difference))
		farthest, least = max(farthest, s.distance()), min(least, mean)
		_, errors := s.bias()
		unbiased = max(unbiased, errors)
	}
	job.Order(run.Statement{
		Claim: "the six differences agree with Theorem 2 up to simulation error", Source: source,
		Kind: run.Theorem, Data: run.Simulated, Prediction: run.PredictYes, Basis: run.Theory,
		Note: fmt.Sprintf("by chance one run in a thousand exceeds %.2f", limit),
	}, "equal", fmt.Sprintf("at most %.2f standard errors away", farthest), farthest <= limit)
	job.Order(run.Statement{
		Claim: "sharing never has the larger variance", Source: source, Kind: run.Theorem, Data: run.Simulated,
		Prediction: run.PredictYes, Basis: run.Theory,
		Note: "the right-hand side of the identity is nonnegative, and 0 only for s = 1",
	}, "≥ 0", fmt.Sprintf("least difference %.3g", least), least >= 0)
	job.Order(run.Statement{
		Claim: "the estimate under parameter sharing is unbiased where it exists", Source: source,
		Kind: run.Theorem, Data: run.Simulated, Prediction: run.PredictYes, Basis: run.Theory,
		Note: fmt.Sprintf("given N ≠ 0 it is an average of unbiased estimates, by symmetry; by chance one run in a "+
			"thousand exceeds %.2f standard errors", limit),
	}, "0", fmt.Sprintf("at most %.2f standard errors", unbiased), unbiased <= limit)
	last := r.Identity[len(r.Identity)-1]
	mean, stderr := meanError(last.all)
	job.Number(run.Statement{
		Claim: fmt.Sprintf("Var[ML] − Var[sharing] without a condition (as printed), s = %d, %s", last.s,
			last.setting),
		Source: source, Kind: run.Theorem, Data: run.Simulated, Unit: "variance", Prediction: run.PredictNo,
		Basis: run.Theory,
		Note: fmt.Sprintf("where N = 0 both methods return the uniform default, so the difference should be P(N ≠ 0) "+
			"= %.3f times the right-hand side, %.3g; standard error %.2g", familyNonzero(), familyNonzero()*last.theory,
			stderr),
	}, five(last.theory), mean, run.NewBand(last.all))
}

// familyNonzero is P(N ≠ 0) for the parent configuration of Theorem 2.
func familyNonzero() float64 { return 1 - math.Pow(1-familySeen, familyExamples) }

// reasons say why each class should lower the summed variance.
var reasons = map[int]string{
	1: "fixed entries have no variance, and the others share a fixed remainder",
	2: "Theorem 2, for each shared parameter; the others are estimated as before",
	3: "sharing after rescaling",
	4: "the two sums are replaced by their average, which has a smaller variance",
	5: "the proportions are estimated from the cases of both groups",
	6: "the shared parameter is estimated from four distributions",
	7: "each shared parameter is estimated from two or four distributions",
	8: "the shared sum is estimated from two distributions",
	9: "the proportions are estimated from two distributions",
	10: "where the counts violate the order the two sums become equal: a projection onto a convex set, which is " +
		"nonexpansive",
	11: "where the counts exceed the bound the sum is set to it, again a projection",
	12: "restricted least squares, whose variance is no larger in any direction if the restriction holds " +
		"(Gauss-Markov)",
	13: "as for 12",
}

// classClaims judges the conjecture that the other classes lower variances too.
func (r *Results) classClaims(job *run.Job) {
	const source = "N06 §6 and §7, conjecture"
	lower, higher, parameters := 0, 0, 0
	equalities, biased, tested, least := 0.0, math.Inf(1), 0, ""
	for _, s := range r.Classes {
		share, stderr := s.removed()
		job.Compare(run.Statement{
			Claim: s.class.label() + ": a correct constraint lowers the summed variance", Source: source,
			Data: run.Simulated, Unit: "Var[ML] − Var", Prediction: run.PredictYes, Basis: run.Theory,
			Note: fmt.Sprintf("%s; %.2f %% of Var[ML], standard error %.2g", reasons[s.class.number], 100*share,
				100*stderr),
		}, "lower", run.Comparison{Differences: s.difference})
		l, h := s.sides()
		lower, higher, parameters = lower+l, higher+h, parameters+len(s.parameters)
		if _, errors := s.bias(); s.class.bound {
			if errors < biased {
				biased, least = errors, s.class.label()
			}
		} else {
			equalities, tested = max(equalities, errors), tested+len(s.parameters)
		}
	}
	job.Order(run.Statement{
		Claim: "no single parameter's variance rises in these settings", Source: source, Data: run.Simulated,
		Unit: "parameters", Prediction: run.PredictUnknown,
		Note: "to first order in 1/N an equality lowers each one; for few cases and for bounds there is no such result",
	}, "none", fmt.Sprintf("%d of %d rise by more than 3 standard errors, %d fall", higher, parameters, lower),
		higher == 0)
	limit := chance(tested, r.Config.Studies)
	job.Order(run.Statement{
		Claim: "estimates under equalities are unbiased, as far as these simulations can tell", Source: source,
		Data: run.Simulated, Prediction: run.PredictYes, Basis: run.Theory,
		Note: fmt.Sprintf("the exact bias of small samples is in n06-enumeration.csv; here blocks without a case are "+
			"too rare to show it. By chance one run in a thousand exceeds %.2f", limit),
	}, "0", fmt.Sprintf("at most %.2f standard errors, of %d parameters", equalities, tested), equalities <= limit)
	job.Order(run.Statement{
		Claim: "estimates under inequalities are unbiased", Source: source, Data: run.Simulated,
		Prediction: run.PredictNo, Basis: run.Theory,
		Note: "estimates beyond the bound are moved to it and the others stay, so the mean lies inside the bound",
	}, "0", fmt.Sprintf("%.0f standard errors or more (%s)", biased, least), biased <= limit)
}

// closestClaims judges Theorem 3.
func (r *Results) closestClaims(job *run.Job) {
	closer, rivals := 0, 0
	for _, c := range r.Closest {
		if c.class.number != theorem {
			closer, rivals = closer+c.closer, rivals+c.rivals
			continue
		}
		job.Order(run.Statement{
			Claim:  "P* is the closest distribution to P that satisfies a wrong sharing constraint",
			Source: "N06 §6.2, Theorem 3", Kind: run.Theorem, Data: run.Simulated, Unit: "nats",
			Prediction: run.PredictYes, Basis: run.Theory,
			Note: "KL(P, Q) decreases as the expected log-likelihood of Q increases, and P* maximizes it",
		}, "closest", fmt.Sprintf("%d of %d random distributions are closer; P* %.4g, the closest %.4g", c.closer,
			c.rivals,
			c.best, c.nearest), c.closer == 0)
	}
	job.Order(run.Statement{
		Claim: "the same under wrong constraints of the other classes", Source: "N06 §6.2, conjecture",
		Kind: run.Theorem, Data: run.Simulated, Unit: "rivals", Prediction: run.PredictYes, Basis: run.Theory,
		Note: "the proof needs only that the estimate is the exact maximum, which it is for each class",
	}, "closest", fmt.Sprintf("%d of %d are closer, in %d classes", closer, rivals, len(r.Closest)-1), closer == 0)
}

// limitClaims judges Theorem 4 and Corollary 5.
func (r *Results) limitClaims(job *run.Job) {
	first, last := r.Config.Examples[0], len(r.Config.Examples)-1
	most := r.Config.Examples[last]
	for _, c := range r.Courses {
		if !c.wrong {
			continue
		}
		source, kind := "N06 §6.2, Theorem 4", run.Theorem
		if c.class.number != theorem {
			source, kind = "N06 §6.2, conjecture", run.Finding
		}
		mean, stderr := c.mean()
		job.Order(run.Statement{
			Claim: c.class.label() + ": under a wrong constraint the mean KL falls to KL(P, P*)", Source: source,
			Kind: kind, Data: run.Simulated, Unit: "nats", Prediction: run.PredictYes, Basis: run.Theory,
			Note: "near the true distribution the estimate is a continuous function of the relative frequencies; " +
				"judged: the mean falls at every size, and at most a hundredth of the initial gap is left",
		}, run.Format(five(c.best)), fmt.Sprintf("%.4g at %d examples, %.6g at %d (standard error %.1g)", mean[0],
			first, mean[last], most, stderr[last]), c.arrives() && c.best > rounding)
	}
	all, far := true, 0.0
	for _, c := range r.Courses {
		if c.wrong || c.class.number == 0 {
			continue
		}
		mean, _ := c.mean()
		arrives := c.arrives() && c.best <= rounding
		if c.class.number != theorem {
			all, far = all && arrives, max(far, mean[last])
			continue
		}
		job.Order(run.Statement{
			Claim: "under a correct sharing constraint the mean KL falls to 0", Source: "N06 §6.2, Corollary 5",
			Kind: run.Theorem, Data: run.Simulated, Unit: "nats", Prediction: run.PredictYes, Basis: run.Theory,
			Note: "P* is P; judged as for Theorem 4",
		}, "0", fmt.Sprintf("%.4g at %d examples, %.2g at %d", mean[0], first, mean[last], most), arrives)
	}
	job.Order(run.Statement{
		Claim: "the same under correct constraints of the other classes", Source: "N06 §6.2, conjecture",
		Data: run.Simulated, Unit: "nats", Prediction: run.PredictYes, Basis: run.Theory,
		Note: "P* is P; judged as for Theorem 4",
	}, "0", fmt.Sprintf("at most %.2g at %d examples", far, most), all)
}

// five rounds to five digits.
func five(x float64) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 5, 64), 64)
	return y
}

// theorem is the class that the theorems are about.
const theorem = 2
