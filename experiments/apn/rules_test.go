package apn

import (
	"context"
	"math"
	"strings"
	"testing"

	"bnlab/experiments/run"
	"bnlab/experiments/runtest"
)

// judged runs a rule on results made up by the test, and returns the claims.
func judged(t *testing.T, rule func(job *run.Job)) []run.Claim {
	t.Helper()
	_, claims := runtest.Execute(t, runtest.With(Experiment{}, struct{}{},
		func(_ context.Context, job *run.Job, _ struct{}) error {
			rule(job)
			return nil
		}), 1)
	return claims
}

// verdictOf is that of the first claim that contains a text.
func verdictOf(t *testing.T, claims []run.Claim, text string) run.Verdict {
	t.Helper()
	for _, c := range claims {
		if strings.Contains(c.Claim, text) {
			return c.Holds
		}
	}
	t.Fatalf("no claim %q", text)
	return ""
}

// spreadAround are values by draw with this mean and a spread.
func spreadAround(mean, spread float64) []float64 {
	return []float64{mean - spread, mean - spread/2, mean, mean + spread/2, mean + spread}
}

// curveOf has the errors of a curve around these means.
func curveOf(name string, sizes []int, spread float64, means ...float64) *Curve {
	c := &Curve{Name: name, Sizes: sizes}
	for _, m := range means {
		c.Errors = append(c.Errors, spreadAround(m, spread*m))
	}
	return c
}

// TestWideClaims: the level is taken where the right structure learns; then 12-3 is above it, below it, or not
// told apart; where the right structure never learns nothing can be told.
func TestWideClaims(t *testing.T) {
	sizes, wide := []int{400, 1600}, []int{400, 1600, 6400, 25_600}
	for _, tt := range []struct {
		name  string
		right *Curve
		wide  []float64
		noise float64
		want  run.Verdict
	}{
		{"above", curveOf("", sizes, .1, .01, .001), []float64{.02, .02, .01, .0001}, .1, run.Yes},
		{"at once", curveOf("", sizes, .1, .01, .001), []float64{.0001, .02, .01, .0001}, .1, run.No},
		{"noisy", curveOf("", sizes, .1, .01, .001), []float64{.02, .02, .002, .0001}, 2, run.NotJudged},
		{"never learns", curveOf("", sizes, .1, .01, .006), []float64{.02, .02, .01, .0001}, .1, run.NotJudged},
	} {
		prior, stopped := *tt.right, *tt.right
		prior.Name, stopped.Name = trueStructurePriorName, stoppedName
		r := &Results{Second: &Second{Spread: .004, Curves: Curves{&prior, &stopped,
			curveOf(wideName, wide, tt.noise, tt.wide...), curveOf(wideProportionsName, wide, tt.noise, tt.wide...)}}}
		for _, c := range judged(t, r.wideClaims) {
			if c.Holds != tt.want {
				t.Errorf("%s: %s: %s, want %s (%s)", tt.name, c.Claim, c.Holds, tt.want, c.Note)
			}
		}
	}
	if got := curveOf("", sizes, .1, .01, .001).learns(.004); got != 1600 {
		t.Errorf("learns at %d, want 1600", got)
	}
}

// TestFootnoteClaims: a learner that predicts the proportions, one that does not, one that cannot be told; and a
// structure that is better than each learner, worse than one, or not told apart.
func TestFootnoteClaims(t *testing.T) {
	sizes := []int{100, 6400}
	r := &Results{Second: &Second{Curves: Curves{
		curveOf(proportionsName, sizes, .01, .004, .004),
		curveOf(neuralName, sizes, .01, .004, .004), curveOf(decayedName, sizes, .01, .004, .001),
		curveOf(errorsTreeName, sizes, 1, .004, .004), curveOf(scoreTreeName, sizes, .01, .008, .003),
		curveOf(nearestName, sizes, .01, .004, .003),
		curveOf(trueStructureName, sizes, .01, .01, .002), curveOf(trueStructurePriorName, sizes, .01, .01, .0001),
		curveOf(stoppedName, sizes, 2, .01, .0005),
	}}}
	r.Second.Curves.Of(errorsTreeName).Errors[1] = spreadAround(.004, .0005)
	claims := judged(t, r.footnoteClaims)
	for text, want := range map[string]run.Verdict{
		neuralName + ": predicts": run.Yes, decayedName + ": predicts": run.No, errorsTreeName + ": " +
			"predicts": run.NotJudged,
		"(" + trueStructureName + ")": run.No, "(" + trueStructurePriorName + ")": run.Yes,
		"(" + stoppedName + ")": run.NotJudged,
	} {
		if got := verdictOf(t, claims, text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestSlopeClaims: errors that fall with 1/n, with 1/√n, and with nobody knows what.
func TestSlopeClaims(t *testing.T) {
	sizes := []int{500, 1000, 2000, 5000}
	falls := func(name string, power, noise float64) *Curve {
		c := &Curve{Name: name, Sizes: sizes}
		for i, n := range sizes {
			var errors []float64
			for draw := range 5 {
				e := math.Pow(float64(n), -power)
				errors = append(errors, e*(1+noise*float64(draw%3-1)*float64(i%2)))
			}
			c.Errors = append(c.Errors, errors)
		}
		return c
	}
	r := &Results{First: Curves{falls(hiddenName, 1, .01), falls(hiddenPriorName, .5, .01),
		falls(stoppedHiddenName, 1, .9), falls(directName, 1, .01)}}
	for i := range r.First[3].Errors {
		for draw := range r.First[3].Errors[i] {
			r.First[3].Errors[i][draw] *= 4
		}
	}
	claims := judged(t, r.slopeClaims)
	for text, want := range map[string]run.Verdict{
		hiddenName + ": the": run.Yes, hiddenPriorName + ": the": run.No, stoppedHiddenName + ": the": run.NotJudged,
		"162/39": run.Yes,
	} {
		if got := verdictOf(t, claims, text); got != want {
			t.Errorf("%s: %s, want %s: %+v", text, got, want, claims)
		}
	}
	if s := newSlope("", 45, falls("", 1, 0)); len(s.Sizes) != 4 || s.All {
		t.Errorf("%+v: all sizes have two cases for each parameter", s)
	} else {
		near(t, "slope", s.Slopes[0], -1, 1e-12)
	}
	if s := newSlope("", 1008, falls("", 1, 0)); !s.All || len(s.Sizes) != 4 {
		t.Errorf("%+v: one size is too few, so all are taken", s)
	}
}

// TestCourseClaims: Polak–Ribière ahead of the plain step, behind it, and not told apart.
func TestCourseClaims(t *testing.T) {
	c := Courses{Evaluations: []int{30, 100, 1000}, Alphas: []float64{1}}
	for want, lead := range map[run.Verdict][2]float64{run.Yes: {1, .1}, run.No: {-1, .1}, run.NotJudged: {.1, 5}} {
		r := &Results{Config: Config{Courses: c}}
		for _, way := range []string{conjugateName, emName, dividedName + ", α = 1"} {
			mean, spread := -5.0, 0.0
			if way == conjugateName {
				mean, spread = mean+lead[0], lead[1]
			}
			one := &Course{Network: "3-1-3", Way: way}
			for range c.Evaluations {
				one.Likelihood = append(one.Likelihood, spreadAround(mean, spread))
			}
			r.Courses = append(r.Courses, one)
		}
		claims := judged(t, r.courseClaims)
		if len(claims) != 3 {
			t.Fatalf("%d claims", len(claims))
		}
		for _, claim := range claims {
			if claim.Holds != want {
				t.Errorf("%s: %s, want %s", claim.Claim, claim.Holds, want)
			}
		}
	}
}

// TestClassClaims: one goal better than the other, worse, and not told apart.
func TestClassClaims(t *testing.T) {
	c := Classes{Sizes: []int{100, 1600}}
	for want, gain := range map[run.Verdict][2]float64{run.Yes: {.1, .01}, run.No: {-.1, .01}, run.NotJudged: {.01,
		5}} {
		r := &Results{Config: Config{Classes: c}}
		for _, structure := range []string{rightStructure, naiveStructure} {
			for _, goal := range []string{jointGoal, classGoal} {
				one := &Class{Network: "3-1-3", Structure: structure, Goal: goal}
				for i := range c.Sizes {
					mean, spread := 1.0, 0.0
					if goal == classGoal {
						mean, spread = 1-gain[0], gain[1]
					}
					if structure == rightStructure || i == 0 { // there the joint goal is to win
						mean = 2 - mean
					}
					one.NLL = append(one.NLL, spreadAround(mean, spread))
					one.Wrong = append(one.Wrong, spreadAround(mean, spread))
				}
				r.Classes = append(r.Classes, one)
			}
		}
		for _, claim := range judged(t, r.classClaims) {
			if claim.Holds != want {
				t.Errorf("%s: %s, want %s", claim.Claim, claim.Holds, want)
			}
		}
	}
}

// TestNaive: the class is the only parent, and hidden variables are gone.
func TestNaive(t *testing.T) {
	net, err := ThreeOneThree()
	if err != nil {
		t.Fatal(err)
	}
	simple, err := naive(net, "O1", []string{"H"})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := simple.FreeParameters(), 2+5*3*2; simple.Len() != 6 || got != want {
		t.Errorf("%d variables with %d parameters, want 6 with %d", simple.Len(), got, want)
	}
}
