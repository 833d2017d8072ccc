package bnkit_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/metric"
	"bnlab/bnkit/validate"
	"bnlab/internal/numtest"
)

// The frame has the numbers of the result, and missing cells where there are none.
func TestScoreTable(t *testing.T) {
	if bnkit.ScoreTable(nil).Err == nil {
		t.Error("the frame of no result has no error")
	}
	net, df, statements, err := relapse()
	if err != nil {
		t.Fatal(err)
	}
	set := &validate.Settings{Seed: 1, Folds: 5}
	cv, err := bnkit.CrossValidate(t.Context(), net, df, "relapse",
		[]validate.Learner{tuned("free"), tuned("monotone", statements...)}, set)
	if err != nil {
		t.Fatal(err)
	}
	table := bnkit.ScoreTable(cv)
	if got := strings.Join(table.Names(), " "); got != "learner auc auc_stderr log_score_nats log_score_stderr "+
		"accuracy accuracy_stderr setting chosen folds" {
		t.Error(got)
	}
	for i, l := range cv.Learners {
		words, chosen := l.Setting()
		if table.Col("learner").Elem(i).String() != l.Name || table.Col("setting").Elem(i).String() != words ||
			table.Col("folds").Elem(i).Float() != 5 || table.Col("chosen").Elem(i).Float() != float64(chosen) {
			t.Errorf("row %d of\n%v", i, table)
		}
		numtest.Close(t, table.Col("auc").Float()[i], l.AUC.Value, 0, 0)
		numtest.Close(t, table.Col("log_score_stderr").Float()[i], l.LogScore.StdErr, 0, 0)
	}
	// Each fold is a single case, so there is no AUC.
	few := df.Subset([]int{0, 1, 2, 3, 4, 5})
	if cv, err = bnkit.CrossValidate(t.Context(), net, few, "relapse", []validate.Learner{tuned("free")},
		&validate.Settings{Seed: 1, Folds: 6, InnerFolds: 2}); err != nil {
		t.Fatal(err)
	}
	if table = bnkit.ScoreTable(cv); !math.IsNaN(table.Col("auc").Float()[0]) ||
		math.IsNaN(table.Col("accuracy").Float()[0]) {
		t.Errorf("%v", table)
	}
}

// A discretisation is applied to the frame, and a hidden variable needs no column.
func TestCrossValidateFrames(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	var age []float64
	var ill, cough []string
	for range 60 {
		x := 20 + 60*rng.Float64()
		age = append(age, x)
		sick := rng.Float64() < x/100
		ill = append(ill, map[bool]string{true: "yes", false: "no"}[sick])
		cough = append(cough, map[bool]string{true: "yes", false: "no"}[sick != (rng.Float64() < 0.3)])
	}
	df := dataframe.New(series.New(age, series.Float, "age"), series.New(ill, series.String, "ill"),
		series.New(cough, series.String, "cough"))
	cuts, err := bnkit.Discretize(df, data.Cuts{Column: "age", Cuts: []float64{50},
		Names: []string{"younger", "older"}})
	if err != nil {
		t.Fatal(err)
	}
	net, err := bnkit.NewNetwork("[age][ill|age][cough|ill]", df, &bnkit.NetworkOptions{Discretization: cuts})
	if err != nil {
		t.Fatal(err)
	}
	free := []validate.Learner{{Name: "free", Candidates: []learn.Method{learn.MAP{Pseudocount: 1}}}}
	raw := &validate.Settings{Seed: 1, Folds: 3, Discretization: cuts}
	cv, err := bnkit.CrossValidate(t.Context(), net, df, "ill", free, raw)
	if err != nil {
		t.Fatal(err)
	}
	if raw.Discretization != cuts {
		t.Error("the caller's settings have changed")
	}
	applied, err := bnkit.Apply(df, cuts)
	if err != nil {
		t.Fatal(err)
	}
	same, err := bnkit.CrossValidate(t.Context(), net, applied, "ill", free, &validate.Settings{Seed: 1, Folds: 3})
	if err != nil {
		t.Fatal(err)
	}
	if cv.String() != same.String() {
		t.Errorf("%v\n%v", cv, same)
	}
	em := []validate.Learner{{Name: "em", Candidates: []learn.Method{learn.EM{Pseudocount: 1}}}}
	hidden, err := bnkit.NewNetwork("[age][state|age][ill|state][cough|state]", applied,
		&bnkit.NetworkOptions{Hidden: map[string][]string{"state": {"low", "high"}}})
	if err != nil {
		t.Fatal(err)
	}
	set := &validate.Settings{Seed: 1, Folds: 3, Fit: &learn.Settings{MaxIterations: 10, Starts: 1}}
	if cv, err = bnkit.CrossValidate(t.Context(), hidden, applied, "ill", em, set); err != nil ||
		cv.Learners[0].LogScore.N != 3 {
		t.Errorf("%v, %v", cv, err)
	}
	if _, err = bnkit.CrossValidate(t.Context(), hidden, applied, "ill", free, set); !errors.Is(
		err, bn.ErrUnknownVariable) {
		t.Errorf("a method that needs all columns: %v", err)
	}
	if _, err = bnkit.CrossValidate(t.Context(), hidden, applied, "state", em, set); err == nil ||
		!strings.Contains(err.Error(), `no column "state"`) {
		t.Errorf("a hidden target: %v", err)
	}
}

func TestValidationErrors(t *testing.T) {
	net, df, _, err := relapse()
	if err != nil {
		t.Fatal(err)
	}
	free := tuned("free")
	src := &validate.Settings{Seed: 1}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for want, call := range map[string]func() error{
		"no network": func() error {
			_, err := bnkit.CrossValidate(ctx, nil, df, "relapse", []validate.Learner{free}, src)
			return err
		},
		"empty DataFrame": func() error {
			_, err := bnkit.CrossValidate(ctx, net, dataframe.New(), "relapse", []validate.Learner{free}, src)
			return err
		},
		"no learners": func() error { _, err := bnkit.CrossValidate(ctx, net, df, "relapse", nil, src); return err },
		"no sizes": func() error {
			_, err := bnkit.LearningCurve(ctx, net, df, "relapse", []validate.Learner{free}, nil, src)
			return err
		},
		"two learners are called": func() error {
			_, err := bnkit.EquivalentSampleSize(ctx, net, df, "relapse", free, free, []int{10, 20}, src)
			return err
		},
		"context canceled": func() error {
			_, err := bnkit.LearningCurve(ctx, net, df, "relapse", []validate.Learner{free}, []int{10},
				&validate.Settings{Seed: 1})
			return err
		},
		"there is no network": func() error { _, err := bnkit.ROC(nil, df, "relapse", ""); return err },
		"unknown state": func() error {
			_, err := bnkit.ROC(bnkit.ModelOf(net), df, "relapse",
				"maybe")
			return err
		},
		"no column": func() error {
			_, err := bnkit.Confusion(bnkit.ModelOf(net), df.Drop("old"), "relapse",
				nil)
			return err
		},
		"-2 bins": func() error {
			_, err := bnkit.Calibration(bnkit.ModelOf(net), df, "relapse", "", &metric.CalibrationOptions{Bins: -2})
			return err
		},
	} {
		if err := call(); err == nil || !strings.HasPrefix(err.Error(), "bnkit: ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if c, err := bnkit.Calibration(bnkit.ModelOf(net), df, "relapse", "yes", nil); err != nil || c.Cases != 150 {
		t.Errorf("%v, %v", c, err)
	}
	if c, err := bnkit.LearningCurve(t.Context(), net, df, "relapse", []validate.Learner{free}, []int{20},
		&validate.Settings{Seed: 1, Repeats: 3}); err != nil || c.Draws != 3 {
		t.Errorf("%v, %v", c, err)
	}
}

// TestInSample: judged by the cases of the fit, or of an update, a model is said to be; by others it is not.
func TestInSample(t *testing.T) {
	truth := must[*bn.Network](t)(bn.New("[x][y|x]", bn.Discrete("x", "no", "yes"), bn.Discrete("y", "no", "yes")))
	sample := func(n int, seed uint64) dataframe.DataFrame {
		return must[dataframe.DataFrame](t)(bnkit.Sample(truth, n, rand.NewPCG(seed, 0)))
	}
	seen, later, fresh := sample(100, 1), sample(60, 2), sample(60, 3)
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), truth, seen, learn.MAP{Pseudocount: 1}, nil))
	m = must[*bnkit.Model](t)(bnkit.Update(t.Context(), m, later, nil))
	for _, c := range []struct {
		df   dataframe.DataFrame
		want bool
	}{{seen, true}, {later, true}, {fresh, false}} {
		for i, s := range []fmt.Stringer{
			must[metric.LogScores](t)(bnkit.LogScore(m, c.df)),
			must[metric.LogScores](t)(bnkit.ConditionalLogScore(m, c.df, "y")),
			must[*metric.ROCCurve](t)(bnkit.ROC(m, c.df, "y", "")),
			must[*metric.CalibrationCurve](t)(bnkit.Calibration(m, c.df, "y", "", nil)),
			must[*metric.ConfusionMatrix](t)(bnkit.Confusion(m, c.df, "y", nil)),
		} {
			if strings.Contains(s.String(), "; these are the cases of the fit") != c.want {
				t.Errorf("%d: %v, want %v", i, s, c.want)
			}
		}
	}
	if s := must[metric.LogScores](t)(bnkit.LogScore(truth, fresh)); s.InSample {
		t.Error("a network that was not fitted has seen cases")
	}
}

// TestSuggestedByTestCases: statements that all cases suggested have seen those of each fold; those that others
// suggested have not.
func TestSuggestedByTestCases(t *testing.T) {
	truth := must[*bn.Network](t)(bn.New("[x][y|x]", bn.Discrete("x", "a", "b", "c", "d"),
		bn.Discrete("y", "no", "yes")))
	df := must[dataframe.DataFrame](t)(bnkit.Sample(truth, 80, rand.NewPCG(1, 0)))
	other := must[dataframe.DataFrame](t)(bnkit.Sample(truth, 70, rand.NewPCG(2, 0)))
	for i, from := range []dataframe.DataFrame{df, other} {
		free := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), truth, from, learn.ML{}, nil))
		found, _, err := bnkit.GroupAll(t.Context(), free, nil)
		if err != nil || len(found) == 0 {
			t.Fatal(found, err)
		}
		learners := []validate.Learner{{Name: "free", Candidates: []learn.Method{learn.MAP{Pseudocount: 1}}},
			{Name: "grouped", Candidates: []learn.Method{learn.MAP{Pseudocount: 1, Constraints: found}}}}
		set := &validate.Settings{Seed: 1}
		cv := must[*validate.Result](t)(bnkit.CrossValidate(t.Context(), truth, df, "y", learners, set))
		few := &validate.Settings{Seed: 1, Repeats: 3}
		curve := must[*validate.Curve](t)(bnkit.LearningCurve(t.Context(), truth, df, "y", learners, []int{40}, few))
		worth := must[*validate.SampleSizeEquivalence](t)(bnkit.EquivalentSampleSize(t.Context(), truth, df, "y",
			learners[0], learners[1], []int{20, 40}, few))
		for _, r := range []fmt.Stringer{cv, curve, worth} {
			all := r.String()
			if strings.Contains(all, `of "grouped", those to test among them`) != (i == 0) ||
				strings.Contains(all, `"free"`) {
				t.Errorf("from %d: %s", i, all)
			}
		}
	}
}
