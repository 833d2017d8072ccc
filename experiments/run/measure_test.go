package run_test

import (
	"context"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"bnlab/experiments/run"
)

// TestMeasured has two tables and two claims, one each with a measured value: the record lists these and no others.
func TestMeasured(t *testing.T) {
	e := &fake{id: "fake", run: func(_ context.Context, job *run.Job) error {
		took, counted := run.NewTable("task", "seconds", "moves", "peak_mb"), run.NewTable("moves")
		took.Measure("seconds", "peak_mb")
		took.Append("climb", 0.5, 3, 12)
		counted.Append(3)
		s := run.Statement{Claim: "it takes less than a second", Source: "N06 §0", Data: run.Simulated,
			Prediction: run.PredictUnknown, Measured: true}
		job.Order(s, "", "0.5", true)
		s.Claim, s.Measured = "it takes three moves", false
		job.Order(s, "", "3", true)
		if err := job.SaveTable("took.csv", took); err != nil {
			return err
		}
		return job.SaveTable("counted.csv", counted)
	}}
	o := options(t.TempDir())
	if _, _, err := run.Execute(t.Context(), e, o); err != nil {
		t.Fatal(err)
	}
	r, err := run.Load(filepath.Join(o.Out, "fake"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{"took": {"seconds", "peak_mb"}, "claims": {"it takes less than a second"}}
	if !reflect.DeepEqual(r.Measured, want) {
		t.Errorf("measured are %v, want %v", r.Measured, want)
	}

	e.run = func(_ context.Context, job *run.Job) error {
		tab := run.NewTable("task", "seconds")
		tab.Measure("second")
		return job.SaveTable("took.csv", tab)
	}
	_, _, err = run.Execute(t.Context(), e, o)
	if err == nil || !strings.Contains(err.Error(), `column "second" is measured, but the columns are task, seconds`) {
		t.Errorf("a column that is not there: %v", err)
	}
}
