package noisyor

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bnlab/bnkit/knowledge"
	"bnlab/experiments/run"
)

// readingClaims judges how close the readings come.
func (j judge) readingClaims() {
	if len(j.Sweeps) == 0 {
		return
	}
	say := func(claim string, p run.Prediction, note, paper, ours string, holds bool) {
		s := run.Statement{Claim: claim, Source: partFigure3, Data: run.Real, Prediction: p,
			Basis: p.From(run.Pilot("a first look at a few readings", "9dcefdb")), Note: note}
		if lacking := j.lacking(); lacking != "" {
			j.job.Missing(s, paper, ours+"; no data: "+lacking)
			return
		}
		if j.job.Profile != run.Paper {
			j.job.Missing(s, paper, "judged in the paper profile; here "+ours)
			return
		}
		j.job.Order(s, paper, ours, holds)
	}
	j.judgeReadings(say)
	j.stoppingClaims()
}

// A sayer records a claim with what it is judged to be.
type sayer func(claim string, p run.Prediction, note, paper, ours string, holds bool)

func (j judge) judgeReadings(say sayer) {
	const close = 0.02 // of the bars, which were read to 0.002
	all := j.all()
	best, nearest := all[0], j.fits(all[0], knowledge.Learners()...)
	for _, reading := range all {
		if f := j.fits(reading, knowledge.Learners()...); f.bars >= nearest.bars && f.difference < nearest.difference {
			best, nearest = reading, f
		}
	}
	say("some reading of the procedure gives the bars of Figure 3", run.PredictNo,
		fmt.Sprintf("judged: a mean difference of at most %g; the best is a selection among %d readings, and says "+
			"nothing of which was used", close, len(all)), "bars",
		fmt.Sprintf("%s: mean difference %.3f, Spearman %.2f", best.Name, nearest.difference, nearest.spearman),
		nearest.difference <= close)
	j.disagreementClaim(all[0])
	n, of := j.inside(knowledge.Learners()...)
	m, four := j.inside(informed()...)
	say("most bars of the learners with signs lie within the spread of our single splits", run.PredictYes,
		"judged: four in five, by 5 to 95 % of the splits; a bar is one test set", "–",
		fmt.Sprintf("%d of %d; of all bars %d of %d", m, four, n, of), 5*m >= 4*four)
	for _, reading := range all {
		if !strings.HasPrefix(reading.Name, "Algorithm 1, 3 iterations, step 1, None untrained; 10:1, ROC") ||
			!strings.HasSuffix(reading.Name, "10:1, ROC") {
			continue
		}
		f := j.fits(reading, knowledge.Learners()...)
		so, not := j.beatNoisyOR()
		j.read("monotonicity and synergy both beat noisy-OR in nine domains, with None untrained and the others "+
			"stopped after three steps", run.PredictYes, fmt.Sprintf("judged: in nine or more, each by more than the "+
			"standard error over splits; Spearman %.2f, mean difference %.3f", f.spearman, f.difference),
			func(s run.Statement) { j.settled(s, "9", so, not, len(j.Sweeps), 9) })
	}
}

// disagreementClaim asks which learners the reading of the exact method fails.
func (j judge) disagreementClaim(exact Reading) {
	var more []float64
	plain, signs := j.fits(exact, knowledge.None, knowledge.NoisyOR), j.fits(exact, informed()...)
	for i, s := range j.Sweeps {
		sum := 0.0
		for _, l := range knowledge.Learners() {
			gap := math.Abs(exact.AUC[l][i] - j.Published[mark{domain: s.name, learner: l}])
			if l != knowledge.None && l != knowledge.NoisyOR {
				gap = -gap
			}
			sum += gap
		}
		if !math.IsNaN(sum) {
			more = append(more, sum)
		}
	}
	share := 2 * plain.difference / (2*plain.difference + 4*signs.difference)
	j.read("the two learners without signs carry most of the disagreement with the exact method", run.PredictYes,
		fmt.Sprintf("judged: their absolute differences less those of the four with signs, paired by domain; %.0f %% "+
			"with a third of the bars: they differ by %.3f on average, the four with signs by %.3f", 100*share,
			plain.difference, signs.difference),
		func(s run.Statement) {
			s.Unit = "AUC, summed over learners"
			j.compared(s, "–", more)
		})
}

// threeSteps is the way to learn by three steps of Algorithm 1 at the first length, or −1.
func (c Config) threeSteps() int {
	return slices.IndexFunc(c.ways(), func(w way) bool {
		return !w.exact && !w.even && w.starts == 0 && w.iterations == 3 && w.step == c.SweepSteps[0]
	})
}

// beatNoisyOR names the domains in which both learners with signs lead a noisy-OR after three steps, by more than the
// standard error over splits, and those in which one of them is led by it.
func (r *Results) beatNoisyOR() (so, not []string) {
	three := r.Config.threeSteps()
	for _, s := range r.Sweeps {
		areas := func(l knowledge.Learner) []float64 {
			return s.areas(three, int(l), 0, roc)
		}
		first, behind := leads(less(areas(knowledge.Monotone), areas(knowledge.NoisyOR)))
		second, led := leads(less(areas(knowledge.Synergy), areas(knowledge.NoisyOR)))
		switch {
		case first && second:
			so = append(so, s.name)
		case behind || led:
			not = append(not, s.name)
		}
	}
	return so, not
}

// read records a claim on readings, in the paper profile.
func (j judge) read(claim string, p run.Prediction, note string, record func(s run.Statement)) {
	s := run.Statement{Claim: claim, Source: partFigure3, Data: run.Real, Prediction: p,
		Basis: p.From(run.Pilot("a first look at a few readings", "9dcefdb")), Note: note}
	if j.job.Profile != run.Paper {
		j.job.Missing(s, "", "judged in the paper profile")
		return
	}
	record(s)
}

// stoppingClaims asks whether an ascent that is stopped predicts better than the exact maximum.
func (j judge) stoppingClaims() {
	for _, c := range []struct {
		turned int
		name   string
	}{{0, "ten elevenths of the cases"}, {1, "one eleventh of the cases"}} {
		parts, text := j.stopped(c.turned)
		above, below := told(parts)
		j.read("Algorithm 1, stopped early, has a better log score than the exact method with "+c.name,
			run.PredictUnknown, "judged: for some number of iterations the mean over the learners with signs is "+
				"higher, paired by domain, corrected by Holm over the numbers of iterations; no where it is lower for "+
				"each; shown: the difference, nats per case",
			func(s run.Statement) {
				switch lacking := j.lacking(); {
				case lacking != "":
					j.job.Missing(s, "–", text+"; no data: "+lacking)
				case len(above) == 0 && len(below) < len(parts):
					j.job.Missing(s, "–", text+"; not told apart")
				default:
					j.job.Order(s, "–", text, len(above) > 0)
				}
			})
	}
}

// stopped compares the log score of each ascent that is stopped with that of the exact maximum, by domain, averaged
// over the learners with signs.
func (r *Results) stopped(turned int) (parts []run.Comparison, text string) {
	for i, w := range r.Config.ways() {
		if w.exact || w.iterations == 0 || w.even || w.starts > 0 || w.step != r.Config.SweepSteps[0] {
			continue
		}
		part := run.Comparison{Name: fmt.Sprintf("%d iterations", w.iterations)}
		for _, s := range r.Sweeps {
			mean := 0.0
			for _, l := range informed() {
				_, b := s.skill(i, int(l), turned)
				_, exact := s.skill(0, int(l), turned)
				mean += (b - exact) / float64(len(informed()))
			}
			part.Differences = append(part.Differences, mean)
		}
		parts = append(parts, part)
		mean, _ := part.Mean()
		text = strings.TrimPrefix(fmt.Sprintf("%s, %s %+.3f", text, part.Name, mean), ", ")
	}
	return parts, text
}
