package timecourse

import (
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/experiments/run"
	"bnlab/experiments/runtest"
)

// A level is what a method reaches on average over the sets, the limit of violations being 1; spread is how much sets
// differ.
type level struct{ test, train, violation, falls, end, spread float64 }

// resulting are the claims on the first structure when methods reach these levels, by name; the sweep's settings of
// other weights reach that of em-soft, flat starts and no influences theirs.
func resulting(t *testing.T, renamed float64, of map[string]level) []run.Claim {
	t.Helper()
	list, err := structures()
	if err != nil {
		t.Fatal(err)
	}
	const sets, iterations = 6, 30
	s := &study{structure: list[0], maximum: 100}
	r := &Results{Config: Config{Iterations: iterations, Sets: sets, Starts: 1}}
	for set := range sets {
		s.subjects = append(s.subjects, &subject{set: set + 1, starts: make([]*bn.Network, 1)})
		s.aligned = append(s.aligned, []float64{renamed + of[plainEM].spread*noise(set)})
	}
	for _, m := range methods() {
		v, ok := of[m.name]
		if !ok {
			t.Fatalf("no level of %s", m.name)
		}
		r.Methods = append(r.Methods, m.name)
		var outcomes [][]*outcome
		for set := range sets {
			x := v.spread * noise(set)
			o := &outcome{quality: quality{train: v.train + x, test: v.test + x, quadratic: v.test + x,
				fromCauses: v.test + x}, violation: v.violation + x, falls: int(v.falls + x), end: v.end + x}
			o.course = []point{{0, 0, 10, 10}, {iterations, o.train, o.test, o.violation}}
			outcomes = append(outcomes, []*outcome{o})
		}
		s.outcomes = append(s.outcomes, outcomes)
	}
	s.sweep = make([][]sweepOutcome, sets)
	for set := range sets {
		for _, one := range sweepSettings(len(s.children())) {
			v := of[one.method]
			if one.method == exactEM && one.share == 0 {
				v = of["none"]
			}
			x := v.spread * noise(set)
			s.sweep[set] = append(s.sweep[set], sweepOutcome{test: v.test + x, train: v.train + x,
				violation: v.violation + x, shift: v.falls - 20})
		}
	}
	return runtest.Claims(t, func(job *run.Job) error {
		judge{Results: r, study: s, job: job}.all()
		return nil
	})
}

// TestStudyVerdicts: results for which each rule says yes, no, and that it cannot be told.
func TestStudyVerdicts(t *testing.T) {
	const e = .001
	worlds := [][]run.Claim{
		resulting(t, 3, map[string]level{
			plainEM: {test: 4, train: -4, violation: 5, spread: e}, plainAPN: {test: 4, violation: 5, spread: e},
			hybridA: {test: 2, train: -1, violation: .1, falls: 20, end: -5}, penalisedAPN: {test: 2, violation: .1},
			hybridB: {test: 2, train: -1, violation: .1, end: -9, spread: e}, exactEM: {test: 2, end: -1, train: -4},
			softEM: {violation: 3, spread: e}, flatEM: {train: -5, spread: e}, "none": {test: 3},
		}),
		resulting(t, .5, map[string]level{
			plainEM: {test: 2, train: 4, violation: .5, spread: e}, plainAPN: {test: 4, violation: 5, spread: e},
			hybridA: {test: 3, train: 5, violation: 2, end: -9}, penalisedAPN: {test: 6, violation: 2, spread: e},
			hybridB: {test: 3, train: 3, violation: 2, end: -5, spread: e},
			exactEM: {test: 5, violation: 1, falls: 1, end: -11, train: -4},
			softEM:  {violation: .5, spread: e}, flatEM: {train: -3, spread: e}, "none": {test: 3},
		}),
		resulting(t, 1, map[string]level{
			plainEM: {test: .1, train: .1, violation: 1, spread: 5}, plainAPN: {test: 4, violation: 5, spread: 3},
			hybridA:      {violation: 1, falls: 3, end: -5, spread: -5},
			penalisedAPN: {test: 4, violation: 1, spread: -3}, hybridB: {violation: 1, end: -5, spread: 3},
			exactEM: {end: -5, spread: 4}, softEM: {violation: 1, spread: 3}, flatEM: {spread: -3},
			"none": {test: .1, spread: -4},
		}),
	}
	every := "load: without constraints every network violates substantially after 100 iterations"
	want := map[string][3]run.Verdict{
		every:                   {run.Yes, run.No, run.No},
		every + ": most truths": {run.Yes, run.No, run.NotJudged},
		"load: an exact M-step leaves no violation":              {run.Yes, run.No, run.No},
		"load: em never decreases the likelihood":                {run.Yes, run.Yes, run.No},
		"load: em-exact never decreases the likelihood":          {run.Yes, run.No, run.No},
		"load: the weight w makes no difference to em-w00-a":     {run.Yes, run.Yes, run.Yes},
		"load: constraints also bring APN closer to the truth":   {run.Yes, run.No, run.NotJudged},
		"load: em overfits the training data more than em-w00-b": {run.Yes, run.No, run.NotJudged},
	}
	for _, name := range []string{"em", hybridA, hybridB} {
		worse := "load: " + name + " fits the test data worse than the truth in every case"
		better := "load: " + name + " fits the training data better than the truth in every case"
		want[worse], want[worse+": most truths"] = [3]run.Verdict{run.Yes, run.Yes, run.No},
			[3]run.Verdict{run.Yes, run.Yes, run.NotJudged}
		want[better], want[better+": most truths"] = [3]run.Verdict{run.Yes, run.No, run.No},
			[3]run.Verdict{run.Yes, run.No, run.NotJudged}
	}
	for _, text := range []string{"relabelling the hidden states does not account for all violations",
		"an exact M-step comes closer to the truth on average", "em-w00-a's violations are essentially zero",
		"em-w00-b's violations are essentially zero", "em-w00-a comes closer to the truth on average",
		"em-w00-a has the smaller quadratic loss of Error", "em-w00-b has the smaller quadratic loss of Error",
		"em-w00-b has the smaller quadratic loss of Error given its causes only",
		"em-w00-b comes closer to the truth on average", "em-w00-a often decreases Eq. 4",
		"the other reading of footnote 7 ends lower in Eq. 4",
		"the exact method ends higher in Eq. 4 than em-w00-a",
		"maximizing Eq. 4 with w = 2 still leaves substantial violations",
		"constrained APN ends close to violation 0",
		"em-exact fits the training data better from flat starts than from random ones",
		"the more variables are constrained, the closer to the truth: all against none"} {
		want["load: "+text] = [3]run.Verdict{run.Yes, run.No, run.NotJudged}
	}
	for text, verdicts := range want {
		for i, claims := range worlds {
			found := 0
			for _, c := range claims {
				if c.Claim != text {
					continue
				}
				found++
				if c.Holds != verdicts[i] {
					t.Errorf("world %d: %q is %s (ours %s; %s), want %s", i+1, c.Claim, c.Holds, c.Value(), c.Note,
						verdicts[i])
				}
			}
			if found != 1 {
				t.Errorf("world %d: %d claims are %q", i+1, found, text)
			}
		}
	}
}
