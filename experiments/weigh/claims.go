package weigh

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bnlab/experiments/run"
)

// prototype is the basis of what was predicted before the first run.
var prototype = run.Pilot("a prototype, 30 to 100 draws a cell", "4b007f9")

const (
	source = "weigh"
	// margin is the loss that is tolerated, in nats a case, and kept the share of a gain that is to be kept.
	margin, kept = 0.020, 0.9
)

func statement(claim string, data run.Data, unit string, p run.Prediction, b run.Basis, note string) run.Statement {
	return run.Statement{Claim: claim, Source: source, Data: data, Unit: unit, Prediction: p, Basis: p.From(b),
		Note: note}
}

func (r *Results) claims(job *run.Job) {
	r.truthClaims(job)
	r.domainClaims(job)
	r.holdsClaim(job)
	r.sharingClaims(job)
	r.interviewClaim(job)
	r.wordClaims(job)
}

// each are comparisons at all sizes from least to most.
func (s *Scores) each(name string, least, most int, differences func(size int) []float64) []run.Comparison {
	var parts []run.Comparison
	for i, n := range s.Sizes {
		if n >= least && n <= most {
			parts = append(parts, run.Comparison{Name: fmt.Sprintf("%s%d", name, n), Differences: differences(i)})
		}
	}
	return parts
}

// noWorse compares with none, less the margin.
func (s *Scores) noWorse(size int) []float64 {
	d := s.gain(averaged, none, size)
	for i := range d {
		d[i] += margin
	}
	return d
}

// keeps compares the gain of averaging with the share that is to be kept of what all believed gain.
func (s *Scores) keeps(size int) []float64 {
	return less(s.gain(averaged, none, size), s.gain(all, none, size), kept)
}

const anySize = math.MaxInt

func (r *Results) truthClaims(job *run.Job) {
	var notWorse, dearer []run.Comparison
	var together []run.Candidate
	for _, l := range r.Truths[0].Learners {
		if strings.HasPrefix(l, averaged) {
			together = append(together, run.Candidate{Name: l, Values: r.overTruths(l)})
		}
	}
	for _, t := range r.Truths {
		over := func(other string) func(int) []float64 {
			return func(size int) []float64 { return t.gain(averaged, other, size) }
		}
		name := fmt.Sprintf("%d wrong, ", t.Wrong)
		notWorse = append(notWorse, t.each(name, 0, anySize, t.noWorse)...)
		dearer = append(dearer, t.each(name, 0, anySize, over(priced))...)
		if t.Wrong == 0 {
			job.CompareAll(statement("nothing wrong: averaging keeps .9 of what all believed gain over none",
				run.Simulated, "sizes; nats above that", run.PredictYes, prototype,
				"the weight of the subset with all statements grows with the cases"), "–",
				t.each("", 0, anySize, t.keeps)...)
			continue
		}
		job.CompareAll(statement(fmt.Sprintf("%d wrong: averaging predicts better than all believed, from 40 cases on",
			t.Wrong), run.Simulated, "sizes; nats a case", run.PredictYes, prototype,
			"no number of cases mends a wrong statement that is believed"), "–",
			t.each("", 40, anySize, over(all))...)
		if t.Wrong < 2 {
			continue
		}
		job.CompareAll(statement("2 wrong: averaging predicts better than dropping what the audit finds worst",
			run.Simulated, "sizes; nats a case", run.PredictYes, prototype,
			"one is dropped, if its p-value is .05 or less"), "–", t.each("", 0, anySize, over(dropped))...)
		if slices.Contains(t.Learners, withStrength(0.95)) {
			job.CompareAll(statement("2 wrong, up to 40 cases: the default prior predicts better than independent "+
				"strengths of .95", run.Simulated, "sizes; nats a case", run.PredictYes, prototype,
				"if the source may be poor, two wrong statements cost less to leave out"), "–",
				t.each("", 0, 40, over(withStrength(0.95)))...)
		}
	}
	job.CompareAll(statement("whatever is wrong, averaging is not worse than none by more than 20 millinats a case",
		run.Simulated, "truths and sizes; nats above that", run.PredictYes, prototype,
		"none is one of the subsets, and its prior weight bounds the regret"), "–", notWorse...)
	job.CompareAll(statement("averaging predicts better than statements at a price chosen by cross-validation",
		run.Simulated, "truths and sizes; nats a case", run.PredictYes, prototype,
		"one price for all statements cannot tell the wrong from the right"), "–", dearer...)
	if len(together) > 1 {
		job.Best(statement("of all strengths the default prior predicts best, over all simulated truths, up to 40 "+
			"cases", run.Simulated, "nats a case over none", run.PredictUnknown, "", "the mean over truths and sizes"),
			averaged, together...)
	}
}

// overTruths is the gain over none by replicate, in the mean over truths and sizes at which all strengths are tried.
func (r *Results) overTruths(learner string) []float64 {
	mean := make([]float64, r.Config.Replicates)
	n := 0
	for _, t := range r.Truths {
		for i, size := range t.Sizes {
			if size > r.Config.StrengthSize {
				continue
			}
			n++
			for k, x := range t.gain(learner, none, i) {
				mean[k] += x
			}
		}
	}
	for k := range mean {
		mean[k] /= float64(n)
	}
	return mean
}

func (r *Results) domainClaims(job *run.Job) {
	var notWorse, keeps, better, fewer []run.Comparison
	var lacking []string
	raised, overDropped, overPriced := []float64(nil), []float64(nil), []float64(nil)
	for _, d := range r.Domains {
		if d.Missing != nil {
			lacking = append(lacking, d.Name)
			continue
		}
		notWorse = append(notWorse, d.each(d.Name+", ", 0, anySize, d.noWorse)...)
		for i, n := range d.Sizes {
			if mean, _ := (run.Comparison{Differences: d.gain(all, none, i)}).Mean(); mean > 0 {
				keeps = append(keeps, d.each(d.Name+", ", n, n, d.keeps)...)
			}
			if n == r.Config.StrengthSize {
				raised = append(raised, meanOf(d.raise(averaged, none, i)))
			}
			overDropped = append(overDropped, meanOf(d.gain(averaged, dropped, i)))
			overPriced = append(overPriced, meanOf(d.gain(averaged, priced, i)))
		}
	}
	better = append(better, run.Comparison{Name: "dropped", Differences: overDropped},
		run.Comparison{Name: "price", Differences: overPriced})
	fewer = append(fewer, run.Comparison{Differences: raised})
	compare := func(s run.Statement, parts ...run.Comparison) {
		switch {
		case len(lacking) > 0:
			job.Missing(s, "–", "no data: "+strings.Join(lacking, ", "))
		case len(parts) == 1:
			job.Compare(s, "–", parts[0])
		default:
			job.CompareAll(s, "–", parts...)
		}
	}
	compare(statement("in the domains averaging is nowhere worse than none by more than 20 millinats a case", run.Real,
		"domains and sizes; nats above that", run.PredictYes, prototype, worstOf(notWorse, "worst", margin)),
		notWorse...)
	compare(statement("where all believed predict better than none, averaging keeps .9 of that in the domains",
		run.Real, "domains and sizes; nats above that", run.PredictYes, prototype, worstOf(keeps, "least kept", 0)),
		keeps...)
	compare(statement(fmt.Sprintf("averaging raises the AUC of none in the mean over the domains, with %d cases",
		r.Config.StrengthSize), run.Real, "AUC", run.PredictYes, prototype, "pairs are domains"), fewer...)
	compare(statement("over the domains averaging predicts better than dropping the worst, and than a price", run.Real,
		"two others; nats a case", run.PredictYes, prototype, "pairs are domains and sizes"), better...)
	r.irradiatClaim(job)
}

func meanOf(values []float64) float64 {
	mean, _ := run.Comparison{Differences: values}.Mean()
	return mean
}

// worstOf names the comparison with the least mean, less what was added to it.
func worstOf(parts []run.Comparison, word string, added float64) string {
	if len(parts) == 0 {
		return ""
	}
	worst := slices.MinFunc(parts, func(a, b run.Comparison) int {
		x, _ := a.Mean()
		y, _ := b.Mean()
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	mean, stderr := worst.Mean()
	return fmt.Sprintf("%s: %.1f millinats (standard error %.1f), %s", word, 1000*(mean-added), 1000*stderr, worst.Name)
}

// irradiatClaim is about the statement of which it is known that all cases contradict it.
func (r *Results) irradiatClaim(job *run.Job) {
	s := statement("breast: of all statements that on irradiation is least likely to hold, with the most cases",
		run.Real, "probability", run.PredictYes, prototype, "patients with radiotherapy have more recurrences")
	at := slices.IndexFunc(r.Domains, func(d *Domain) bool { return d.Name == "breast" })
	if at < 0 || r.Domains[at].Missing != nil {
		job.Missing(s, "least", "no data: breast")
		return
	}
	d := r.Domains[at]
	after := d.After[len(d.Sizes)-1]
	least := slices.Index(after, slices.Min(after))
	job.Order(s, "least", fmt.Sprintf("%.2f: %s", after[least], d.Statements[least]),
		strings.Contains(d.Statements[least].String(), "irradiat"))
}

// leastOpinions is how many a bin has to have, and off by how much its share may be.
const (
	leastOpinions = 100
	off           = 0.05
)

// holdsClaim: a bin is off when its gap exceeds what is tolerated by two standard errors; the claim holds when no gap
// exceeds it.
func (r *Results) holdsClaim(job *run.Job) {
	s := statement(fmt.Sprintf("statements drawn from the prior hold as often as stated, within %g in each bin of %d "+
		"or more", off, leastOpinions), run.Simulated, "probability", run.PredictYes, run.Theory,
		"posterior probabilities are calibrated under their own prior; what is tested is the computation")
	largest, far, n := 0.0, false, 0
	for _, b := range binned(r.opinions()) {
		if b.N < leastOpinions {
			continue
		}
		n++
		gap := math.Abs(b.Mean - b.Share)
		largest = max(largest, gap)
		far = far || gap-2*b.stderr() > off
	}
	ours := fmt.Sprintf("largest gap %.3f in %d bins", largest, n)
	switch {
	case n == 0:
		job.Missing(s, "calibrated", "no bin has so many")
	case far || largest <= off:
		job.Order(s, "calibrated", ours, !far)
	default:
		job.Missing(s, "calibrated", ours+", within its error")
	}
}

func (r *Results) sharingClaims(job *run.Job) {
	var closer []run.Comparison
	against := func(s *Sharing, other string, factor float64, name string) []run.Comparison {
		var parts []run.Comparison
		for i, n := range r.Config.SharingSizes {
			d := less(s.KL[averaged][i], s.KL[other][i], factor)
			for k := range d {
				d[k] = -d[k]
			}
			parts = append(parts, run.Comparison{Name: fmt.Sprintf("%s%d", name, n), Differences: d})
		}
		return parts
	}
	for _, s := range r.Sharing {
		last := len(r.Config.SharingSizes) - 1
		first, _, _ := s.ratio(averaged, 0)
		end, _, _ := s.ratio(averaged, last)
		note := fmt.Sprintf("divergence over that of none: %.3f at %d, %.3f at %d", first, r.Config.SharingSizes[0],
			end, r.Config.SharingSizes[last])
		if s.Truth == n06Truth {
			for _, other := range []string{none, picked} {
				job.CompareAll(statement(fmt.Sprintf("%s: averaged sharing is closer to the truth than %s", s.Truth,
					other), run.Simulated, "sizes; nats by which it is closer", run.PredictYes, prototype, note), "–",
					against(s, other, 1, "")...)
			}
			continue
		}
		closer = append(closer, against(s, picked, 1, s.Truth+", ")...)
		p := run.PredictYes
		if s.Truth == fifty {
			p = run.PredictNo
			note += "; 1.04 at 100 in the prototype"
		}
		job.CompareAll(statement(s.Truth+": averaged sharing has at most 1.02 times the divergence of none",
			run.Simulated, "sizes; nats below that", p, prototype, note), "–", against(s, none, 1.02, "")...)
	}
	job.CompareAll(statement("no sharing in the truth: averaged sharing is closer to it than what the Bayes factor "+
		"picks", run.Simulated, "truths and sizes; nats by which it is closer", run.PredictYes, prototype,
		"what is picked uses the cases twice"), "–", closer...)
}
