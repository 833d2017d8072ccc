package hierarchy

import (
	"fmt"
	"math"
	"slices"

	"bnlab/experiments/run"
)

// iidClaims are about the first panel of the first study.
func (v view) iidClaims() error {
	p := v.Panels[iid]
	zero, last := slices.Index(p.X, 0), len(p.X)-1
	if zero >= 0 {
		impossible := true
		binomial := math.Sqrt(0.25 / float64(2*v.Study.Config.Tests*len(p.Outcomes[zero][0])))
		var list []float64
		for i := range v.Searches {
			mean := p.mean(zero, i, accuracyOf)
			list = append(list, mean)
			impossible = impossible && math.Abs(mean-0.5) <= 4*binomial
		}
		s := statement("when c = 0 classification is impossible", partIID, run.PredictYes,
			"the classes are the same; within four standard errors of coin tosses")
		s.Kind = run.Theorem
		v.job.Order(s, "0.5", numbers(list), impossible)
	}
	best, _ := meanError(ofKnown(v.Known[last], 0))
	var ends []float64
	for _, k := range []int{v.flat, v.rfw, v.pw} {
		ends = append(ends, p.mean(last, k, accuracyOf))
	}
	trivial := statement("when c = 0.02 classification is trivial", partIID, run.PredictUnknown, fmt.Sprintf("judged: "+
		"the accuracy of PW-Hier exceeds 95 %%; it depends on the length of a series, which we chose by numbers of "+
		"parents: with this length the true tables themselves reach %.3f; flat, RFW-Hier, PW-Hier: %s", best,
		numbers(ends)))
	trivial.Unit = "accuracy less 0.95"
	var above []float64
	for _, x := range values(p.Outcomes[last][v.pw], accuracyOf) {
		above = append(above, x-0.95)
	}
	v.job.Compare(trivial, "1", run.Comparison{Differences: above})
	if err := v.wide(); err != nil {
		return err
	}
	v.precision()
	v.above(statement("RFW-Hier has a higher structural precision than flat search at every c", partIID,
		run.PredictUnknown, "the paper does not show RFW-Hier and calls it qualitatively very similar; under this "+
			"rule every variable is a candidate parent of composites at level 1 and of their children"),
		"higher", p, v.rfw, v.flat, precisionOf, p.points())
	v.parentClaims(p)
	q := v.study(familyWise).Panels[iid]
	v.above(statement("structures that comply with the relaxed family-wise rule give similar results", "B06 §3.1",
		run.PredictUnknown, "judged: RFW-Hier has a higher precision than flat search at every c on them"),
		"similar", q, v.rfw, v.flat, precisionOf, q.points())
	return nil
}

// wide judges accuracy over the range of c.
func (v view) wide() error {
	p := v.Panels[iid]
	ahead, err := p.ahead(v.pw, v.flat, accuracyOf)
	if err != nil {
		return err
	}
	s := v.state(wide, "PW-Hier's accuracy is significantly higher than the flat search's over a wide range of c",
		partIID, "judged: at half or more of the points with c above 0 (paired t-tests corrected by Holm, p < 0.05)")
	s.Note = join(s.Note, fmt.Sprintf("%s against %s", numbers(p.curve(v.pw, accuracyOf)),
		numbers(p.curve(v.flat, accuracyOf))))
	if why := v.powerlessAt(p, len(p.X)-1); why != "" {
		v.job.Missing(s, "wide range", why)
		return nil
	}
	v.job.Order(s, "wide range", p.at(ahead), 2*len(ahead) >= len(p.X)-1)
	return nil
}

// precision judges that of PW-Hier over the range of c.
func (v view) precision() {
	p := v.Panels[iid]
	v.above(v.state(precise, "PW-Hier has a higher structural precision than flat search at every c", partIID,
		"fewer candidates give fewer false links"),
		"higher", p, v.pw, v.flat, precisionOf, p.points())
}

// sizeClaims are about the equivalent sample size.
func (v view) sizeClaims() error {
	p := v.Panels[sampleSize]
	f, w := p.curve(v.flat, precisionOf), p.curve(v.pw, precisionOf)
	pf, pp := p.curve(v.flat, parentsOf), p.curve(v.pw, parentsOf)
	s := statement("as the equivalent sample size increases the search adds more noisy parents", partSize,
		run.PredictYes, fmt.Sprintf("parents per child at each size: flat %s, PW-Hier %s; judged from one end of the "+
			"range to the other, paired by network", numbers(pf), numbers(pp)))
	s.Unit = "searches; parents a child"
	v.job.CompareAll(s, "more", p.rise(v.flat, parentsOf, 1), p.rise(v.pw, parentsOf, 1))
	s = statement("this decreases the precision of both classifiers", partSize, run.PredictYes,
		fmt.Sprintf("flat %s; PW-Hier %s; from one end of the range to the other, paired by network", numbers(f),
			numbers(w)))
	s.Unit = "searches; share of right links"
	v.job.CompareAll(s, "decreases", p.rise(v.flat, precisionOf, -1), p.rise(v.pw, precisionOf, -1))
	v.dropping()
	return nil
}

// rise compares a search at the ends of the range, by network: by how much a measure rises, or, with a sign of -1,
// falls.
func (p *Panel) rise(search int, f measure, sign float64) run.Comparison {
	first, end := values(p.Outcomes[0][search], f), values(p.Outcomes[len(p.X)-1][search], f)
	c := run.Comparison{Name: fmt.Sprint("search ", search+1)}
	for i := range end {
		c.Differences = append(c.Differences, sign*(end[i]-first[i]))
	}
	return c
}

// dropping compares how much precision the searches lose over the whole range of equivalent sample sizes.
func (v view) dropping() {
	p := v.Panels[sampleSize]
	last := len(p.X) - 1
	f, w := p.curve(v.flat, precisionOf), p.curve(v.pw, precisionOf)
	first, end := p.differences(0, v.pw, v.flat, precisionOf), p.differences(last, v.pw, v.flat, precisionOf)
	for i := range end {
		end[i] -= first[i]
	}
	s := v.state(drops, "PW-Hier's precision drops less quickly than the flat search's", partSize,
		fmt.Sprintf("over the whole range; fewer candidates mean fewer false links, but where neither has any "+
			"precision left there is nothing to lose, as in quick runs; drops of %.3f against %.3f", w[0]-w[last],
			f[0]-f[last]))
	s.Unit = "precision"
	v.job.Compare(s, "less", run.Comparison{Differences: end})
}

// noiseClaims are about noise within classes.
func (v view) noiseClaims() error {
	p := v.Panels[noisy]
	last := len(p.X) - 1
	recall := [2][]float64{p.curve(v.flat, recallOf), p.curve(v.pw, recallOf)}
	v.noisyAccuracy()
	v.above(statement("the structural precision of PW-Hier always dominates the flat search", partNoise,
		run.PredictYes, "at every ρ"), "dominates", p, v.pw, v.flat, precisionOf, p.points())
	s := statement("PW-Hier's recall diminishes before that of the flat classifier, on particularly noisy data",
		partNoise, run.PredictUnknown, fmt.Sprintf("at the largest ρ, where losing a link at level 1 loses those "+
			"below it; %s against %s", numbers(recall[1]), numbers(recall[0])))
	s.Unit = "recall"
	v.job.Compare(s, "lower", run.Comparison{Differences: p.differences(last, v.flat, v.pw, recallOf)})
	return nil
}

// noisyAccuracy are the sentences on accuracy under noise.
func (v view) noisyAccuracy() {
	p := v.Panels[noisy]
	last := len(p.X) - 1
	curves := fmt.Sprintf("flat %s; PW-Hier %s", numbers(p.curve(v.flat, accuracyOf)),
		numbers(p.curve(v.pw, accuracyOf)))
	var falls []run.Comparison
	for _, k := range []int{v.flat, v.pw} {
		d := values(p.Outcomes[0][k], accuracyOf)
		for i, end := range values(p.Outcomes[last][k], accuracyOf) {
			d[i] -= end
		}
		falls = append(falls, run.Comparison{Name: titles[v.Searches[k]], Differences: d})
	}
	s := v.state(harder, "as ρ increases class discrimination becomes more difficult", partNoise,
		"the fall from no noise to the largest ρ, of flat search and PW-Hier; "+curves)
	s.Unit = "searches; least and largest mean fall"
	v.compare(s, "falls", p, falls...)
	var small []run.Comparison
	for x, rho := range p.X {
		if rho == 1 || rho == 2 {
			small = append(small, run.Comparison{Name: run.Format(rho),
				Differences: p.differences(x, v.pw, v.flat, accuracyOf)})
		}
	}
	s = v.state(littleNoise, "when ρ is 1 or 2 PW-Hier's accuracy is significantly higher than the flat classifier's",
		partNoise, curves)
	s.Unit = "points; least and largest mean difference"
	v.compare(s, "at 1, 2", p, small...)
	s = v.state(muchNoise, "as more randomizations occur the flat classifier's accuracy eventually surpasses PW-Hier's",
		partNoise, "at the largest ρ; "+curves)
	s.Unit = "accuracy"
	v.compare(s, "surpasses", p, run.Comparison{Differences: p.differences(last, v.flat, v.pw, accuracyOf)})
}

// violationClaims are about links that do not comply.
func (v view) violationClaims() error {
	p := v.Panels[violating]
	last := len(p.X) - 1
	f, w := p.curve(v.flat, accuracyOf), p.curve(v.pw, accuracyOf)
	curves := fmt.Sprintf("flat %s; PW-Hier %s", numbers(f), numbers(w))
	s := v.state(violate, "as violating links increase the flat classifier's accuracy catches up with PW-Hier's and "+
		"surpasses it", partViolate, "judged at the largest number; flat search can find these links, PW-Hier cannot; "+
		curves)
	s.Unit = "accuracy"
	v.compare(s, "surpasses", p, run.Comparison{Differences: p.differences(last, v.flat, v.pw, accuracyOf)})
	v.meeting(p, w, f)

	steepest := 0.0
	for x := 1; x <= last; x++ {
		steepest = max(steepest, w[x-1]-w[x])
	}
	s = v.state(gradual, "PW-Hier's performance degrades gradually", partViolate,
		"judged: its accuracy falls by more than 0.05 in all, and by at most 0.05 from one number of violating links "+
			"to the next shown")
	if why := v.powerless(p); why != "" {
		v.job.Missing(s, "gradually", why)
		return nil
	}
	v.job.Order(s, "gradually", fmt.Sprintf("%.3f in all, at most %.3f", w[0]-w[last], steepest),
		w[0]-w[last] > 0.05 && steepest <= 0.05)
	return nil
}

// meeting judges where the accuracies of PW-Hier, w, and of flat search, f, are the same.
func (v view) meeting(p *Panel, w, f []float64) {
	s := v.state(five, "at roughly five violating links the accuracies are identical", partViolate,
		"judged: PW-Hier is significantly better without violating links, with five they are not told apart, and the "+
			"mean curves cross between 3 and 7 (curves of pure chance cross too)")
	told := func(x int) bool {
		low, high := run.Comparison{Differences: p.differences(x, v.pw, v.flat, accuracyOf)}.Interval()
		return low > 0 || high < 0
	}
	at, ok := crossing(p.X, w, f)
	text := "not in the range"
	if ok {
		text = fmt.Sprintf("at %.2g", at)
	}
	middle := slices.Index(p.X, 5)
	switch why := v.powerless(p); {
	case why != "":
		v.job.Missing(s, "5", why)
	case middle < 0:
		v.job.Missing(s, "5", "no five among the numbers of violating links")
	case !told(0):
		v.job.Missing(s, "5", "not told apart without violating links")
	case w[0] > f[0] && !told(middle) && !(ok && at >= 3 && at <= 7):
		v.job.Missing(s, "5", "not told apart at five, where the mean curves do not cross: "+text)
	default:
		v.job.Order(s, "5", text, w[0] > f[0] && !told(middle))
	}
}
