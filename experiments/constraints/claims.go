package constraints

import (
	"fmt"
	"slices"
	"strings"

	"bnlab/experiments/run"
)

// The predictions below were set before the experiment first ran at the paper's size,
// from the theory that the notes name and, for sharing found in data, from a pilot.
var (
	pilot     = run.Pilot("10 draws", "75f46ae")
	prototype = run.Pilot("30 to 100 draws of another program", "before there was a commit")
)

// convex are the classes that leave a convex set of each distribution by itself.
var convex = []string{"1", "2", "3", "4", "10", "11"}

// kindOf is a theorem for classes under which no sample makes the estimate worse.
func kindOf(class string) run.Kind {
	if slices.Contains(convex, class) {
		return run.Theorem
	}
	return run.Finding
}

// why says for each class what makes a true statement help.
func why(class string) string {
	switch {
	case slices.Contains(convex, class):
		return "never worse, in any sample: the feasible set is convex, so Σ p q_free/q ≤ 1 at the estimate q, and " +
			"by Jensen's inequality KL(p, q) ≤ KL(p, q_free)"
	case class == "5" || class == "9":
		return "the masses are unchanged, and the common shape is the average, weighted by cases, of the separate " +
			"estimates; KL is convex, so the estimate is better on average"
	case class == "6" || class == "7" || class == "8":
		return "the feasible set is convex, but the argument of type 1 weights distributions by their cases, not by " +
			"their probability: better on average, not in every sample"
	}
	return "least squares with fewer coefficients has a smaller variance in every direction; not better in every sample"
}

func (r *Results) claims(job *run.Job) {
	r.classClaims(job)
	r.closedFormClaims(job)
	r.variableClaim(job)
	r.missingClaims(job)
	r.mixtureClaims(job)
	r.States.claims(job, "equal states of N06 §5.1's T", run.PredictNo,
		"many probabilities are too close for the data to separate, and merging such states adds more bias than it "+
			"removes variance; 10 other draws showed this")
	r.Rows.claims(job, "equal rows of a small network", run.PredictUnknown,
		"the 24 rows come from 6 distributions; sharing should help once these can be distinguished, which took "+
			"about 200 cases in 10 other draws")
	r.States.averageClaims(job, "equal states of N06 §5.1's T", prototype)
	r.Rows.averageClaims(job, "equal rows of a small network", run.Theory)
}

// below counts the sizes at which the constrained mean is lower, and those at which it is
// lower or the same, and spells the ratio of the means at the smallest and at the largest.
func (r *Curves) below(scene int) (lower, atMost int, ratio string) {
	last := len(r.Sizes) - 1
	for i := range r.Sizes {
		free, constrained := r.mean(scene, 0, i), r.mean(scene, 1, i)
		if constrained < free-rounding {
			lower++
		}
		if constrained <= free+rounding {
			atMost++
		}
	}
	at := func(i int) string {
		return fmt.Sprintf("%.2f at %d", r.mean(scene, 1, i)/r.mean(scene, 0, i), r.Sizes[i])
	}
	return lower, atMost, at(0) + ", " + at(last)
}

// closer compares, at each size, the distances of the two estimates of a sample to the truth.
func (r *Curves) closer(scene int) []run.Comparison {
	parts := make([]run.Comparison, len(r.Sizes))
	for i, size := range r.Sizes {
		parts[i] = closerBy(fmt.Sprint(size), r.KL[scene][1][i], r.KL[scene][0][i])
	}
	return parts
}

// classClaims judges N06's "taking advantage of parameter constraints can be beneficial"
// for each class. An inequality that no sample of a size breaks changes nothing there.
func (r *Results) classClaims(job *run.Job) {
	c := r.Classes
	for s, scene := range c.Scenes {
		lower, atMost, ratio := c.below(s)
		where, holds := "at each size", lower == len(c.Sizes)
		if scene.Class == "10" || scene.Class == "11" {
			where, holds = "where samples violate the constraint, and unchanged elsewhere", lower > 0 &&
				atMost == len(c.Sizes)
		}
		claim := run.Statement{
			Claim: fmt.Sprintf("type %s, %s: the constrained estimate is closer to the truth %s", scene.Class,
				scene.Title, where),
			Source: "N06 §4.3, §7", Data: run.Simulated, Unit: "sizes; KL divided by that of the free estimate",
			Kind: kindOf(scene.Class), Prediction: run.PredictYes, Basis: run.Theory, Note: why(scene.Class),
		}
		if claim.Kind == run.Theorem {
			job.Order(claim, "beneficial", fmt.Sprintf("%d of %d; %s", lower, len(c.Sizes), ratio), holds)
			continue
		}
		claim.Unit = "sizes; nats by which it is closer"
		claim.Note = "KL divided by that of the free estimate: " + ratio + "; " + claim.Note
		job.CompareAll(claim, "beneficial", c.closer(s)...)
	}
	worse, pairs := 0, 0
	for s, scene := range c.Scenes {
		if slices.Contains(convex, scene.Class) {
			w, p := c.worse(s)
			worse, pairs = worse+w, pairs+p
		}
	}
	job.Order(run.Statement{
		Claim:  "types " + strings.Join(convex, ", ") + ": a true constraint is never harmful, in any sample",
		Source: "beyond N06 §6.1", Kind: run.Theorem, Data: run.Simulated, Unit: "pairs of estimates",
		Prediction: run.PredictYes, Basis: run.Theory,
		Note: "N06 proves a smaller variance; this is stronger: " + why("1"),
	}, "–", fmt.Sprintf("worse in %d of %d", worse, pairs), worse == 0)
}

// closedFormClaims judges Theorem 1, the other estimators, and the normalisation constant.
func (r *Results) closedFormClaims(job *run.Job) {
	const tol = 1e-9 // nats per case; parameters then agree to its square root, or better
	var objective, parameter float64
	closed, certified := true, true
	for _, check := range r.Checks {
		objective, parameter = max(objective, check.Objective), max(parameter, check.Parameter)
		certified = certified && check.Certified
		for _, method := range check.Methods {
			closed = closed && strings.HasPrefix(method, "closed form")
		}
		if check.Scene.Class == "2" {
			job.Order(run.Statement{
				Claim: "Theorem 1 gives the maximum: a general optimizer finds none higher", Source: "N06 Theorem 1",
				Kind: run.Theorem, Data: run.Simulated, Unit: "nats per case", Prediction: run.PredictYes,
				Basis: run.Theory,
				Note: "the general optimizer takes the constraints as functions g(θ) = 0 (N06 §3.2) and solves the " +
					"Karush-Kuhn-Tucker system by an augmented Lagrangian",
			}, "equal", within(check.Objective, tol), check.Objective <= tol && check.Parameter <= 1e-6)
		}
	}
	job.Order(run.Statement{
		Claim: "types 1 to 11: the estimators are maxima, and the general approach finds the same", Source: "N06 " +
			"§3.2, §4.3",
		Kind: run.Theorem, Data: run.Simulated, Unit: "nats per case", Prediction: run.PredictYes, Basis: run.Theory,
		Note: fmt.Sprintf("%d data sets of 100 cases for each class and mixture; parameters agree %s", r.Config.Checks,
			within(parameter, 1e-6)),
	}, "equal", within(objective, tol), objective <= tol && parameter <= 1e-6 && certified)
	job.Order(run.Statement{
		Claim:  "types 1 to 11 have closed forms, 6 and 7 if each parameter occurs equally often in its distributions",
		Source: "N06 §4.3", Kind: run.Theorem, Data: run.Simulated, Prediction: run.PredictYes, Basis: run.Theory,
		Note: "in these examples, after separating masses from shapes. The paper states no condition, but parameters " +
			"that occur unequally often need an iteration",
	}, "closed form", yesNo(closed, "each example", "not each example"), closed)
	job.Order(run.Statement{
		Claim: "the normalizing constant of the Constrained Dirichlet Prior", Source: "N06 §4.1.2",
		Kind: run.Theorem, Data: run.Simulated, Unit: "nats", Prediction: run.PredictYes, Basis: run.Theory,
		Note: "log marginal likelihood from N06's Z with either parameter eliminated, by quadrature, and from the " +
			"library",
	}, "Z_n, whichever parameter is eliminated", within(r.Normaliser, 1e-9), r.Normaliser <= 1e-9)
}

// within writes a number that depends on rounding so that it reads the same everywhere.
func within(x, tol float64) string {
	if x <= tol {
		return fmt.Sprintf("within %.0e", tol)
	}
	return fmt.Sprintf("%.2g apart", x)
}

func yesNo(holds bool, yes, no string) string {
	if holds {
		return yes
	}
	return no
}

func (r *Results) variableClaim(job *run.Job) {
	v := r.Variables
	same := v.Difference <= 1e-12 // sums of eight products
	job.Order(run.Statement{
		Claim:  "new variables for the groups fail to encode the constraints, and complicate the network",
		Source: "N06 §4.1", Kind: run.Theorem, Data: run.Simulated, Unit: "free parameters",
		Prediction: run.PredictYes, Basis: run.Theory,
		Note: "the maximum likelihood estimate with X12 and X134 as parents of X equals the unconstrained one, " +
			"because together they only refine it; " +
			fmt.Sprintf("it violates the constraints by at least %.2g in each of %d data sets", v.Violation,
				r.Config.Checks),
	}, "two more nodes", fmt.Sprintf("%d with new variables, %d without, %d under the constraints; estimates %s",
		v.Parameters, v.Free, v.Stated, yesNo(same, "equal the unconstrained ones", "differ")),
		same && v.Violation > 0 && v.Parameters > v.Free && v.Free > v.Stated)
}

func (r *Results) missingClaims(job *run.Job) {
	fall, steps := 0.0, 0
	for i, f := range r.Missing.Fall {
		fall, steps = max(fall, f), steps+r.Missing.Steps[i]
	}
	job.Order(run.Statement{
		Claim: "Algorithm 1 never lowers the log-likelihood", Source: "N06 Algorithm 1", Kind: run.Theorem,
		Data: run.Simulated, Unit: "steps", Prediction: run.PredictYes, Basis: run.Theory,
		Note: "it is EM with an exact M-step; a decrease below 1e-12 of the log-likelihood counts as rounding",
	}, "–", fmt.Sprintf("%d steps, %s", steps, yesNo(fall <= 1e-12, "no decrease", "some decrease")), fall <= 1e-12)

	const free, families, em = 2, 1, 3 // of MissingModels
	against := func(f, i, other int) run.Comparison {
		kl := r.Missing.KL[f][i]
		return closerBy(fmt.Sprintf("%g of %d", r.Config.Fractions[f], r.Config.MissingSizes[i]), kl[em], kl[other])
	}
	var parts []run.Comparison
	for f := range r.Config.Fractions {
		for i := range r.Config.MissingSizes {
			parts = append(parts, against(f, i, free))
		}
	}
	job.CompareAll(run.Statement{
		Claim:  "EM under a true constraint is closer to the truth than EM without, whatever fraction is missing",
		Source: "N06 §4.1.3, §7", Data: run.Simulated, Unit: "fractions and sizes; nats by which it is closer",
		Prediction: run.PredictYes, Basis: run.Theory, Note: "smaller variance, as with complete cases",
	}, "beneficial", parts...)
	for i, size := range r.Config.MissingSizes {
		var parts []run.Comparison
		for f, fraction := range r.Config.Fractions {
			if fraction > 0 {
				parts = append(parts, against(f, i, families))
			}
		}
		expected, note := run.PredictYes, "symptoms are evidence about a missing disease, and EM uses them"
		if i == 0 {
			expected, note = run.PredictUnknown, "with half of the cells missing in so few cases, EM may overfit"
		}
		job.CompareAll(run.Statement{
			Claim: fmt.Sprintf("EM gains from incomplete cases, %d cases", size), Source: "N06 §4.1.3",
			Data: run.Simulated, Unit: "fractions; nats by which it is closer than from complete families",
			Prediction: expected, Basis: expected.From(run.Theory), Note: note,
		}, "–", parts...)
	}
}

// closerBy compares the distances of two estimates of each sample to the truth.
func closerBy(name string, kl, other []float64) run.Comparison {
	c := run.Comparison{Name: name, Differences: make([]float64, len(kl))}
	for i := range kl {
		c.Differences[i] = other[i] - kl[i]
	}
	return c
}

func (r *Results) mixtureClaims(job *run.Job) {
	for s, scene := range r.Mixed.Scenes {
		count, _, ratio := r.Mixed.below(s)
		at := slices.IndexFunc(r.Checks, func(c Check) bool { return c.Scene.Class == scene.Class })
		solved := r.Checks[at].Certified && r.Checks[at].Objective <= 1e-9
		ours := fmt.Sprintf("%s; closer at %d of %d sizes, KL divided by that of the free estimate %s",
			yesNo(solved, "maximum certified", "not solved"), count, len(r.Mixed.Sizes), ratio)
		statement := run.Statement{Claim: "types can be mixed where their scopes do not overlap (" + scene.Class + ")",
			Source: "N06 §4.3, §7", Data: run.Simulated, Unit: "sizes; nats by which it is closer",
			Prediction: run.PredictYes, Basis: run.Theory, Note: "each is then solved separately; " + ours}
		paper, parts := "can be combined", r.Mixed.closer(s)
		if s > 0 {
			statement.Claim = "types can be mixed only where their scopes do not overlap (" + scene.Class +
				", one inside the other)"
			statement.Prediction, paper = run.PredictNo, "as long as the scopes do not overlap"
			statement.Note = "masses and shapes separate when one group of states contains the other, so bnlab goes " +
				"beyond N06 here; the claim fails if the overlapping combination is solved and helps at some size; " +
				ours
			for _, part := range parts {
				for i := range part.Differences {
					part.Differences[i] = -part.Differences[i]
				}
			}
		}
		if !solved {
			job.Order(statement, paper, "not solved", s > 0)
			continue
		}
		job.CompareAll(statement, paper, parts...)
	}
}

// claims judges what sharing found in data is worth. useful is whether it is expected to
// beat no sharing at each size, because of reason.
func (r *Learned) claims(job *run.Job, what string, useful run.Prediction, reason string) {
	last := len(r.Sizes) - 1
	kl := func(m, i int) float64 { return run.NewBand(r.KL[i][m]).Mean }
	ari := func(m, i int) float64 { return run.NewBand(r.ARI[i][m]).Mean }
	for m := 2; m < len(r.Methods); m++ {
		if averages(r.Methods[m]) {
			continue
		}
		byFactor := r.Methods[m] != crossValidation
		expected, note := run.PredictYes, "the Bayes factor selects the true groups asymptotically"
		if !byFactor {
			expected, note = run.PredictUnknown, "cross-validation selects for prediction, and need not find the true "+
				"number of groups even asymptotically"
		}
		job.CompareAll(run.Statement{
			Claim: what + ", " + r.Methods[m] + ": nearest to the oracle with the most data, and nearer than no " +
				"sharing",
			Source: "N06 §3.2", Data: run.Simulated, Unit: "sizes and sides", Prediction: expected,
			Basis: expected.From(run.Theory),
			Note: note + fmt.Sprintf(". The adjusted Rand index is %.2f at %d and %.2f at %d. Also judged on the KL: "+
				"its excess over the oracle, and that it is below that without sharing, which was added after the "+
				"results were seen", ari(m, 0), r.Sizes[0], ari(m, last), r.Sizes[last]),
		}, "–", r.nearer(m)...)

		job.CompareAll(run.Statement{
			Claim:  what + ", " + r.Methods[m] + ": closer to the truth than without sharing at each size",
			Source: "N06 §3.2, §7", Data: run.Simulated, Unit: "sizes; nats by which it is closer",
			Prediction: useful, Basis: useful.From(pilot),
			Note: fmt.Sprintf("%s; KL divided by that without sharing: %.2f at %d, %.2f at %d", reason,
				kl(m, 0)/kl(0, 0), r.Sizes[0], kl(m, last)/kl(0, last), r.Sizes[last]),
		}, "useful", r.against(m, 0)...)
	}
	job.CompareAll(run.Statement{
		Claim:  what + ": the Bayes factor is closer to the truth than cross-validation at each size",
		Source: "N06 §3.2, §5.2", Data: run.Simulated, Unit: "sizes; nats by which it is closer",
		Prediction: run.PredictUnknown, Note: "N06 §5.2 finds sharing by cross-validation and makes no comparison",
	}, "–", r.against(slices.Index(r.Methods, bayesFactor), slices.Index(r.Methods, crossValidation))...)
}

// averages reports whether a method weighs all partitions and picks none.
func averages(method string) bool { return method == averaged || method == averagedRuns }

// averageClaims judges averages over partitions, predicted to be useful on a basis.
func (r *Learned) averageClaims(job *run.Job, what string, basis run.Basis) {
	last := len(r.Sizes) - 1
	kl := func(m, i int) float64 { return run.NewBand(r.KL[i][m]).Mean }
	for m, method := range r.Methods {
		if !averages(method) {
			continue
		}
		job.CompareAll(run.Statement{
			Claim:  what + ", " + method + ": closer to the truth than without sharing at each size",
			Source: "N06 §3.2", Data: run.Simulated, Unit: "sizes; nats by which it is closer",
			Prediction: run.PredictYes, Basis: basis,
			Note: fmt.Sprintf("the mean over all partitions loses little where nothing is clear; KL divided by that "+
				"without sharing: %.2f at %d, %.2f at %d", kl(m, 0)/kl(0, 0), r.Sizes[0], kl(m, last)/kl(0, last),
				r.Sizes[last]),
		}, "useful", r.against(m, 0)...)
		job.CompareAll(run.Statement{
			Claim:  what + ", " + method + ": closer to the truth than what the Bayes factor picks, at each size",
			Source: "N06 §3.2", Data: run.Simulated, Unit: "sizes; nats by which it is closer",
			Prediction: run.PredictYes, Basis: basis,
			Note: "a partition that is picked uses the cases twice, for the groups and for their values",
		}, "–", r.against(m, slices.Index(r.Methods, bayesFactor))...)
	}
}

// nearer compares a method with the most data with itself at each other size, by the adjusted Rand index and by the
// excess of the KL over the oracle's, and with no sharing.
func (r *Learned) nearer(m int) []run.Comparison {
	last := len(r.Sizes) - 1
	excess := func(i int) []float64 { return closerBy("", r.KL[i][1], r.KL[i][m]).Differences }
	parts := []run.Comparison{closerBy("KL without sharing", r.KL[last][m], r.KL[last][0])}
	for i := range last {
		parts = append(parts, closerBy(fmt.Sprintf("Rand index at %d", r.Sizes[i]), r.ARI[i][m], r.ARI[last][m]),
			closerBy(fmt.Sprintf("excess at %d", r.Sizes[i]), excess(last), excess(i)))
	}
	return parts
}

// against compares two methods at each size.
func (r *Learned) against(m, other int) []run.Comparison {
	parts := make([]run.Comparison, len(r.Sizes))
	for i, size := range r.Sizes {
		parts[i] = closerBy(fmt.Sprint(size), r.KL[i][m], r.KL[i][other])
	}
	return parts
}
