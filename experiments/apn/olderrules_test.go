package apn

import (
	"testing"

	"bnlab/experiments/run"
)

// TestSettles: at the correct distribution, not there, and not told apart.
func TestSettles(t *testing.T) {
	for want, c := range map[run.Verdict]*Curve{
		run.Yes: curveOf("", []int{settled}, .1, .0001), run.No: curveOf("", []int{settled}, .1, .01),
		run.NotJudged: curveOf("", []int{settled}, 1, .0004),
	} {
		claims := judged(t, func(job *run.Job) { c.settles(job, "", .004, pilot, "") })
		if claims[0].Holds != want {
			t.Errorf("error %v: %s, want %s", c.Mean(), claims[0].Holds, want)
		}
	}
}

// TestTwiceTheCases: 3-3 with twice the cases is worse, better, or not told apart.
func TestTwiceTheCases(t *testing.T) {
	sizes := []int{100, 200}
	for want, later := range map[run.Verdict][2]float64{run.Yes: {.02, .1}, run.No: {.002, .1},
		run.NotJudged: {.011, 1}} {
		direct := curveOf(directName, sizes, .1, .04, .02)
		direct.Errors[1] = spreadAround(later[0], later[0]*later[1])
		r := &Results{First: Curves{curveOf(hiddenName, sizes, .1, .01, .005), direct,
			curveOf(neuralName, sizes, .1, .02, .01), curveOf(hiddenPriorName, sizes, .1, .005, .004)}}
		if got := verdictOf(t, judged(t, r.firstClaims), "twice"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestThirdClaims: learning, gradients and their cost, each in three ways.
func TestThirdClaims(t *testing.T) {
	sizes := []int{10, 30}
	for _, tt := range []struct {
		want                             run.Verdict
		later, weighted                  float64 // errors with 30 series; before, .01
		start, end, growing, most, noise float64
	}{
		{run.Yes, .005, .006, .9, .1, 1, 2, .01},
		{run.No, .02, .1, .4, .5, 3, 2, .01},
		{run.NotJudged, .0095, .018, .71, .3, 2.1, 2, 3},
	} {
		noisy := func(mean, noise float64) []float64 { return spreadAround(mean, noise*mean) }
		exact := curveOf(exactName, sizes, .01, .01, tt.later)
		sampled := curveOf(sampledName, sizes, .01, 0.01*tt.weighted/tt.later, tt.weighted)
		exact.Errors[1], sampled.Errors[1] = noisy(tt.later, tt.noise), noisy(tt.weighted, 0)
		r := &Results{Third: &Third{Curves: Curves{exact, sampled, curveOf(jointName, sizes, .01, .02, .02)},
			Parameters: [2]int{34, 160}, Gradients: []Gradient{{0, 5, noisy(tt.start, tt.noise)},
				{-1, 5, noisy(tt.end, 0)}},
			Effort: []Effort{{Drawn: noisy(tt.growing, tt.noise), Below: noisy(1, 0)},
				{Drawn: noisy(tt.most, 0), Below: noisy(1, 0)}}}}
		r.Config.Time.Samples = []int{5}
		claims := judged(t, r.thirdClaims)
		for _, text := range []string{"falls with each size", "very rough", "later, more", "such estimates are cheap",
			"learns as well"} {
			if got := verdictOf(t, claims, text); got != tt.want {
				t.Errorf("%s: %s, want %s", text, got, tt.want)
			}
		}
	}
}

// TestAscentClaims: nothing is gained, much is, and one start of many decides; maxima differ, do not, or nobody knows.
func TestAscentClaims(t *testing.T) {
	for _, tt := range []struct {
		want  run.Verdict
		gains [6]float64
		ends  [6]float64 // two starts for each of three draws
	}{
		{run.Yes, [6]float64{0, .001, 0, 0, .002, 0}, [6]float64{-5, -9, -5, -9.1, -5, -8.9}},
		{run.No, [6]float64{5, 5.1, 4.9, 5, 5, 5}, [6]float64{-5, -5, -6, -6.001, -7, -7}},
		{run.NotJudged, [6]float64{0, 0, 0, 0, 0, 30}, [6]float64{-5, -9, -5, -5, -5, -5}},
	} {
		a := &Ascent{Network: "3-1-3"}
		for i, g := range tt.gains {
			a.Ends = append(a.Ends, End{Replicate: i/2 + 1, Start: i%2 + 1, EM: tt.ends[i], AfterEM: g, AfterLBFGS: g,
				AfterCG: g})
		}
		r := &Results{Ascents: []*Ascent{a}}
		r.Config.Learners = Learners{Train: 100, Starts: 2, Draws: 3}
		for _, c := range judged(t, r.ascentClaims) {
			if c.Holds != tt.want {
				t.Errorf("%s: %s (%s), want %s", c.Claim, c.Holds, c.Ours, tt.want)
			}
		}
	}
}

// TestFourthClaims: noisy-ORs learn from fewer cases, from more, or nobody knows; and so with random starts.
func TestFourthClaims(t *testing.T) {
	for _, tt := range []struct {
		want               run.Verdict
		noisy, free, blind []float64
	}{
		{run.Yes, spreadAround(80, .1), spreadAround(85, .1), spreadAround(80.2, .1)},
		{run.No, spreadAround(80, .1), spreadAround(75, .2), spreadAround(90, .3)},
		{run.NotJudged, spreadAround(80, .1), spreadAround(80.1, 5), spreadAround(81.1, 5)},
	} {
		r := &Results{Fourth: &Fourth{Sizes: []int{50}, NLL: [][][]float64{{tt.noisy}, {tt.free}, {tt.blind},
			{tt.noisy}},
			Links: 1, Cells: 2}}
		for _, c := range judged(t, r.fourthClaims) {
			if c.Kind == run.Finding && c.Holds != tt.want {
				t.Errorf("%s: %s (%s), want %s", c.Claim, c.Holds, c.Ours, tt.want)
			}
		}
	}
}
