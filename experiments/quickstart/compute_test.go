package quickstart

import (
	"math"
	"slices"
	"testing"

	"bnlab/bnkit"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/metric"
	"bnlab/bnkit/validate"
	"bnlab/datasets"
	"bnlab/experiments/noisyor"
	"bnlab/experiments/run"
	"bnlab/experiments/runtest"
)

func small(t *testing.T, job *run.Job) (*Study, error) {
	t.Helper()
	runtest.Offline(t)
	c := ConfigFor(run.Quick)
	c.Draws, c.Simulations = 6, 10
	return Compute(t.Context(), job, c)
}

func study(t *testing.T) *Study {
	t.Helper()
	s, err := small(t, &run.Job{Seed: 3, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSameResults(t *testing.T) {
	runtest.SameResults(t, func(job *run.Job) (*Study, error) { return small(t, job) })
}

func TestSameBytes(t *testing.T) {
	dir, claims := runtest.Once(t, Experiment{})
	runtest.Hold(t, claims)
	runtest.Files(t, dir, "quickstart-audit.csv", "quickstart-gain.csv", "quickstart-gain.png", "quickstart-gain.svg",
		"quickstart-scores.csv", "quickstart-worth.csv", "quickstart-statement.csv", "quickstart-statement-scores.csv",
		"quickstart-statement-worth.csv", "quickstart-statement.png", "quickstart-statement.svg")
}

// The base rate ranks nobody, and its log score is −(p log q + (1−p) log(1−q)) with the shares p
// among the test and q among the training cases, half a virtual case added to either state in each
// of the 32 rows.
func TestBaseRate(t *testing.T) {
	s := study(t)
	base := s.learner(BaseRate)
	for i, size := range s.Curve.Sizes {
		sick := math.Round(float64(size) * 85 / 286)
		q := (sick + 16) / (float64(size) + 32)
		p := (85 - sick) / float64(286-size)
		want := p*math.Log(q) + (1-p)*math.Log1p(-q)
		if got := base.LogScore[i].Mean; math.Abs(got-want) > 1e-12 {
			t.Errorf("%d cases: %v, want %v", size, got, want)
		}
		if auc := base.AUC[i]; auc.P05 != 0.5 || auc.P95 != 0.5 {
			t.Errorf("%d cases: AUC %v, want 0.5", size, auc)
		}
	}
}

// All cases to learn from and to predict: the table of counts, and what its scores are.
func TestWorstIsLeftOut(t *testing.T) {
	s := study(t)
	if len(s.Verdicts) != 7 {
		t.Fatalf("%d statements weighed, the file has 5 influences and 2 synergies", len(s.Verdicts))
	}
	for _, v := range s.Verdicts {
		if v.Cost > s.Verdicts[s.Worst].Cost {
			t.Errorf("%q costs more than the worst", v.Statement)
		}
	}
	domains, err := noisyor.Domains(t.Context(), "breast")
	if err != nil {
		t.Fatal(err)
	}
	d := domains[0]
	var scores []float64
	for _, statements := range [][]int{{}, {0, 1, 2, 3, 4, 5, 6}} {
		m := learn.ML{}
		for _, i := range statements {
			m.Constraints = append(m.Constraints, s.Verdicts[i].Statement)
		}
		fit, err := learn.Fit(t.Context(), d.Net, d.Cases, m, nil)
		if err != nil {
			t.Fatal(err)
		}
		score, err := metric.ConditionalLogScore(fit.Net, d.Cases, d.Target)
		if err != nil {
			t.Fatal(err)
		}
		scores = append(scores, score.LogScore)
	}
	// Together they cost more than the one, given the others, that costs most.
	if cost := scores[0] - scores[1]; cost < s.Verdicts[s.Worst].Cost {
		t.Errorf("all statements cost %v nats, one of them %v", cost, s.Verdicts[s.Worst].Cost)
	}
}

func TestGains(t *testing.T) {
	score := func(x float64) validate.Scores { return validate.Scores{LogScore: x} }
	s := &Study{Curve: &validate.Curve{Sizes: []int{20, 40}, Learners: []validate.LearnerCurve{
		{Name: DataAlone, Scores: [][]validate.Scores{{score(-0.7), score(-0.5)}, {score(-0.6), score(-0.5)}}},
		{Name: Knowledge, Scores: [][]validate.Scores{{score(-0.5), score(-0.5)}, {score(-0.9), score(-0.4)}}},
	}}}
	gains := s.gains(Knowledge, DataAlone)
	for i, want := range [][]float64{{0.2, -0.3}, {0, 0.1}} {
		if !slices.EqualFunc(gains[i], want, func(a, b float64) bool { return math.Abs(a-b) < 1e-15 }) {
			t.Errorf("size %d: gains %v, want %v", i, gains[i], want)
		}
	}
	if got := share([]float64{0.2, -0.3, 0, 1}); got != 0.5 {
		t.Errorf("share of draws gained %v, want 0.5", got)
	}
}

func TestErrors(t *testing.T) {
	runtest.Offline(t)
	c := ConfigFor(run.Quick)
	c.Simulations = 10
	all := c
	all.Sizes = []int{20, 286}
	if _, err := Compute(t.Context(), &run.Job{}, all); err == nil {
		t.Error("no error for more cases than there are")
	}
	runtest.Refuses(t, Compute, c)
}

// All patients bear the statement out, but for the seven irradiated ones of degree 1: three had a recurrence, and 9 of
// the 32 of degree 2.
func TestFirstStatement(t *testing.T) {
	df, err := datasets.Load("breast-cancer")
	if err != nil {
		t.Fatal(err)
	}
	net, err := bnkit.NewNetwork(firstModel, df, nil)
	if err != nil {
		t.Fatal(err)
	}
	under := learn.ML{Constraints: []constraint.Constraint{firstStatement()}}
	rows, err := oneTable(t.Context(), net, df, []learn.Method{learn.ML{}, under})
	if err != nil {
		t.Fatal(err)
	}
	pooled := [6]float64{rows[0].P[0], rows[1].P[0], rows[2].P[0], 12. / 39, 12. / 39, rows[5].P[0]}
	for i, r := range rows {
		if math.Abs(r.P[1]-pooled[i]) > 1e-9 {
			t.Errorf("%s: %v under the statement, want %v", r.Context, r.P[1], pooled[i])
		}
	}
	if rows[3].P[0] != 3./7 || rows[4].P[0] != 9./32 {
		t.Errorf("irradiated: %v and %v, want 3/7 and 9/32", rows[3].P[0], rows[4].P[0])
	}
	if want := "irradiated, degree 3"; rows[5].Context != want {
		t.Errorf("last row is %q, want %q", rows[5].Context, want)
	}
	if rows[3].Cases != 7 || rows[4].Cases != 32 {
		t.Errorf("irradiated: %d and %d cases, want 7 and 32", rows[3].Cases, rows[4].Cases)
	}
}
