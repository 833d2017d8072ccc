package hierarchy

import (
	"fmt"
	"slices"

	"bnlab/experiments/run"
)

// A view is what claims on one study are made of.
type view struct {
	judge
	*Study
}

// Sentences that are judged in several studies.
const (
	wide        = "wide"
	precise     = "precise"
	drops       = "drops"
	harder      = "harder"
	littleNoise = "little noise"
	muchNoise   = "much noise"
	violate     = "violate"
	five        = "five"
	gradual     = "gradual"
)

// A forecast is a prediction with its basis.
type forecast struct {
	run.Prediction
	run.Basis
}

// What was known when the further studies were set up: a first look at the paper's panels, the figures of the first
// study, and theory: candidates that are fewer give fewer false links, series with noise of their own hide what the
// classes differ in, and PW-Hier cannot find links that violate its rule.
var (
	byTheory  = forecast{run.PredictYes, run.Theory}
	firstLook = forecast{run.PredictYes, run.Pilot("a first look at 4 states and 400 images, outside this repository",
		"54cf02f")}
	sameC    = forecast{run.PredictYes, run.Pilot("the IID panel at this c, 60 networks", "d398c84")}
	noLosses = forecast{run.PredictNo, run.Pilot("all links were found under noise at c = 0.005, 60 networks",
		"d398c84")}
)

// forecasts are by study and sentence; what is not here is unknown.
var forecasts = map[string]map[string]forecast{
	parentWise: {precise: byTheory},
	literal:    {precise: byTheory, harder: byTheory},
	largerC:    {harder: byTheory, littleNoise: sameC, muchNoise: noLosses, violate: byTheory},
	beside: {wide: firstLook, precise: byTheory, harder: byTheory, littleNoise: firstLook, muchNoise: noLosses,
		violate: byTheory, five: firstLook},
}

// state is the statement of a sentence in this study.
func (v view) state(sentence, claim, source, note string) run.Statement {
	f, ok := forecasts[v.Name][sentence]
	if !ok {
		f.Prediction = run.PredictUnknown
	}
	if v.Title != "" {
		claim = fmt.Sprintf("%s (%s)", claim, v.Title)
	}
	return run.Statement{Claim: claim, Source: source, Data: run.Simulated, Prediction: f.Prediction, Basis: f.Basis,
		Note: note}
}

// furtherClaims are the sentences on accuracy and precision in another study. Where only the fixed c is another one,
// the panels without it are as before.
func (v view) furtherClaims() error {
	if v.Name != largerC {
		if err := v.wide(); err != nil {
			return err
		}
		v.precision()
		v.dropping()
	}
	v.noisyAccuracy()
	return v.violationClaims()
}

// room is how far above chance the true links come when only the tables are learned. Where that is below the
// difference that the runs could show, nothing can be told.
func (v view) room(x int) float64 {
	best, _ := meanError(ofKnown(v.Known[x], 1))
	return best - 0.5
}

// powerless says why the accuracies of a panel with a fixed c cannot be judged, "" when they can.
func (v view) powerless(p *Panel) string {
	at := slices.Index(v.Panels[iid].X, v.Study.Config.Change)
	if at < 0 {
		at = len(v.Panels[iid].X) - 1
	}
	return v.limits(p, 0, at)
}

// powerlessAt is the same of a point of the panel iid.
func (v view) powerlessAt(p *Panel, x int) string { return v.limits(p, x, x) }

// limits compares what could be seen at a point of a panel with the room at a c.
func (v view) limits(p *Panel, x, c int) string {
	seen := run.Comparison{Differences: p.differences(x, v.pw, v.flat, accuracyOf)}.Detectable()
	if v.room(c) >= seen {
		return ""
	}
	return fmt.Sprintf("at this c the true links with learned tables are right in %.3f of the cases, and differences "+
		"from %.3f could be seen", 0.5+v.room(c), seen)
}

// compare records accuracies of a panel that are compared in pairs, n/a where nothing can be told.
func (v view) compare(s run.Statement, paper string, p *Panel, parts ...run.Comparison) {
	if why := v.powerless(p); why != "" {
		v.job.Missing(s, paper, why)
		return
	}
	if len(parts) == 1 {
		v.job.Compare(s, paper, parts[0])
		return
	}
	v.job.CompareAll(s, paper, parts...)
}

// trialClaims are about the searches and priors that the paper defines and does not show.
func (j judge) trialClaims() {
	trial := func(rule string) *Trial {
		i := slices.IndexFunc(j.Trials, func(t *Trial) bool { return t.Rule == rule })
		return j.Trials[i]
	}
	s := statement("the family-wise search without relaxation also has a higher precision than flat search",
		"B06 §2.2, §5", run.PredictYes, "on structures of its own rule; it has far fewer candidates")
	s.Unit = "precision"
	j.job.Compare(s, "higher", run.Comparison{Differences: trial(familyWise).differences(unrelaxed, flat, precisionOf)})
	s = statement("the relaxed assumption does not limit candidate parents as effectively as the unrelaxed", partSearch,
		run.PredictYes, "judged by the precision that the relaxation costs, on structures that need no relaxation")
	s.Unit = "precision"
	j.job.Compare(s, "less effectively", run.Comparison{
		Differences: trial(familyWise).differences(unrelaxed, rfw, precisionOf)})
	for _, alpha := range j.Config.Alphas {
		t, name := trial(parentWise), byPrior(alpha)
		if alpha > 1 {
			free := 0
			runs := t.Outcomes[t.place(name)]
			for _, o := range runs {
				if o.Broken == 0 {
					free++
				}
			}
			j.order(fmt.Sprintf("with α = %g the prior 1/(1 + αv) is as good as limiting candidate parents", alpha),
				partSearch, run.PredictNo, "judged: no network found under it has a violating link. The first costs "+
					"ln(1 + α), 14 nats, and each further one less, where false links gain more together", "equivalent",
				fmt.Sprintf("%d of %d pairs of networks without violating links", free, len(runs)), free == len(runs))
			continue
		}
		for _, m := range []struct {
			than, what string
			of         measure
		}{{flat, "precision", precisionOf}, {flat, "accuracy", accuracyOf}, {pw, "accuracy", accuracyOf}} {
			s := statement(fmt.Sprintf("a small α is promising: with α = %g a higher %s than %s", alpha, m.what,
				map[string]string{flat: "flat search", pw: "PW-Hier"}[m.than]), partSearch, run.PredictUnknown,
				"future work of the paper; at the largest c")
			s.Unit = m.what
			j.job.Compare(s, "promising", run.Comparison{Differences: t.differences(name, m.than, m.of)})
		}
	}
}
