package noisyor

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/knowledge"
	"bnlab/experiments/run"
	"bnlab/experiments/runtest"
)

// tiny is the whole experiment at a size for tests.
func tiny(domains ...string) Config {
	return Config{
		Domains: domains, Draws: 2, Folds: 4, InnerFolds: 2, TunedDraws: 2, TunedFolds: 2,
		Margins: []float64{0, 0.01}, Pseudocounts: []float64{0.5},
		CurveDraws: 2, CurveSizes: map[string][]int{"glass": {30, 60}, "hepatitis": {50, 60}}, WorthDraws: 2,
		WorthSizes: []int{15, 30}, WorthShare: 0.85,
		PenaltyDraws: 1, PenaltyWeights: []float64{100}, Simulations: 5,
		SweepDraws: 1, SweepFolds: 2, SweepIterations: []int{0, 3}, SweepSteps: []float64{1},
		MeanStarts: 2, MeanIterations: 3,
	}
}

func tinyExperiment(domains ...string) run.Experiment {
	return runtest.With(Experiment{}, tiny(domains...), reproduce)
}

func TestSameResults(t *testing.T) {
	runtest.WithoutData(t)
	runtest.SameResults(t, func(job *run.Job) (*Results, error) {
		return Compute(t.Context(), job,
			tiny("iris", "glass"))
	})
}

// TestSameBytes has two shipped domains, too few for what is claimed of eleven.
func TestSameBytes(t *testing.T) {
	runtest.WithoutData(t)
	dir, _ := runtest.Once(t, tinyExperiment("iris", "glass"))
	runtest.Files(t, dir, "y13-fig3-auc.csv", "y13-fig3-auc.png", "y13-fig3-auc.svg", "y13-fig4-learning-curve.csv",
		"y13-fig4-learning-curve.png",
		"y13-ttests.csv", "y13-questions.csv", "y13-constraint-counts.csv", "y13-audit.csv", "y13-equivalent-size.csv",
		"y13-equivalent-size.svg", "y13-algorithm1.csv", "y13-settings.csv",
		"y13-readings.csv", "y13-splits.csv", "y13-early-stopping.csv",
		"y13-early-stopping.png", "y13-early-stopping.svg")
}

// TestWithoutData: a domain whose data cannot be had is n/a wherever it stands, and what is said of all domains
// is not judged.
func TestWithoutData(t *testing.T) {
	runtest.WithoutData(t)
	dir, claims := runtest.Execute(t, tinyExperiment("heart", "iris"), 1)
	for name, want := range map[string]int{"y13-fig3-auc.csv": 6, "y13-ttests.csv": 15, "y13-questions.csv": 12,
		"y13-audit.csv": 9, "y13-equivalent-size.csv": 5, "y13-constraint-counts.csv": 0} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(strings.NewReader(string(b))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, row := range rows {
			if slices.Contains(row, "heart") && slices.Contains(row, absent) {
				n++
			}
		}
		if n != want {
			t.Errorf("%s: %d rows of heart are %s, want %d", name, n, absent, want)
		}
	}
	all, bars := 0, 0
	for _, c := range claims {
		if c.Claim == "all learners with qualitative constraints are better than none" {
			all++
			if c.Holds != run.NotJudged || !strings.Contains(c.Note, "no data: heart") {
				t.Errorf("a claim on all domains: %+v", c)
			}
		}
		if c.Claim == "some reading of the procedure gives the bars of Figure 3" && c.Holds != run.NotJudged {
			t.Errorf("readings are judged without heart: %+v", c)
		}
		if strings.HasPrefix(c.Claim, "heart: AUC of") && c.Holds == run.NotJudged &&
			strings.Contains(c.Note, "BNLAB_DATA") {
			bars++
		}
	}
	if all != 1 || bars != 6 {
		t.Errorf("%d claims on Q1 and %d on the bars of heart", all, bars)
	}
}

func TestErrors(t *testing.T) {
	runtest.WithoutData(t)
	runtest.Refuses(t, Compute, tiny("iris"))
	if _, err := Domains(t.Context(), "iris", "moon"); err == nil || !strings.Contains(err.Error(), "moon") {
		t.Errorf("an unknown domain: %v", err)
	}
}

func TestPublished(t *testing.T) {
	marks, err := publishedAUC()
	if err != nil {
		t.Fatal(err)
	}
	if len(marks) != 11*6+10*4 {
		t.Errorf("%d numbers, want 106", len(marks))
	}
	for m, want := range map[mark]float64{
		{"heart", 0, knowledge.None}: 0.582, {"hepatitis", 0, knowledge.SynergyNoisyOR}: 0.825,
		{"iris", 0, knowledge.Monotone}: 0.931,
		{"glass", 30, knowledge.None}:   0.353, {"hepatitis", 120, knowledge.MonotoneNoisyOR}: 0.77,
	} {
		if marks[m] != want {
			t.Errorf("%+v is %v, want %v", m, marks[m], want)
		}
	}
}

// TestBars checks what is said of the paper's own bars against a count by hand.
func TestBars(t *testing.T) {
	runtest.Offline(t)
	domains, err := Domains(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	marks, err := publishedAUC()
	if err != nil {
		t.Fatal(err)
	}
	r := &Results{Domains: domains, Published: marks}
	job := &run.Job{}
	judge{r, job}.barClaims()
	n, text := r.whereBars(func(s score) bool { return s(combination(s)) < s(plain(s)) })
	if n != 2 || text != "2 of 11: heart, pima" {
		t.Errorf("the combination is lower in %s, want heart and pima", text)
	}
	if n, text := r.whereBars(func(s score) bool { return s(knowledge.Synergy) < s(knowledge.NoisyOR) }); n != 1 ||
		text != "1 of 11: breast" {
		t.Errorf("synergy is lower than noisy-OR in %s, want breast", text)
	}
}

// TestTuned: with as many inner folds as otherwise, the first draws are the same, so that with all of them so are the
// means.
func TestTuned(t *testing.T) {
	runtest.WithoutData(t)
	domains, err := Domains(t.Context(), "glass")
	if err != nil {
		t.Fatal(err)
	}
	for _, inner := range []int{2, 3} {
		c := tiny("glass")
		c.TunedFolds, c.Pseudocounts = inner, []float64{0.1, 2}
		studies, err := crossValidate(t.Context(), &run.Job{Seed: 1, Workers: 2}, c, domains)
		if err != nil {
			t.Fatal(err)
		}
		same := true
		for _, l := range knowledge.Learners() {
			mean, _ := studies[0].mean(l)
			same = same && math.Abs(mean-studies[0].Tuned[l]) < 1e-12
		}
		if same != (inner == c.InnerFolds) {
			t.Errorf("%d inner folds: the same %v: %v", inner, same, studies[0].Tuned)
		}
	}
}
