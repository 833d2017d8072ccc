package run_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"bnlab/experiments/run"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

func TestReport(t *testing.T) {
	dir := t.TempDir()
	o := options(dir)
	band := run.Band{Mean: 0.056464, P05: 0.03265, P50: 0.05, P95: 0.08718, Replicates: 100}
	words := run.Statement{Claim: "A is below B | always", Source: "N06 Figure 2", Data: run.Simulated,
		Prediction: run.PredictYes, Note: "theory"}
	number := run.Statement{Claim: "largest gap", Source: "N06 §5.1.2", Data: run.Simulated, Unit: "nats",
		Prediction: run.PredictNo}
	beta := &fake{id: "beta", run: func(_ context.Context, job *run.Job) error {
		job.Order(words, "all", "9 of 10", false)
		job.Number(number, 0.05, band.Mean, band)
		number.Data = run.StandIn
		job.NumberAbove(number, 1000, band.Mean, band)
		job.Missing(words, "", "voxel data are not public")
		words.Kind = run.Theorem
		job.Order(words, "all", "10 of 10", true)
		for i := range 5 {
			words := run.Statement{Claim: fmt.Sprintf("bar %d", i), Source: "N06 Figure 3", Data: run.Simulated,
				Prediction: run.PredictYes, Basis: run.Pilot("60 draws", "abc1234")}
			job.Compare(words, "higher", run.Comparison{Differences: []float64{1, 2, 2.5, float64(i) / 2}})
		}
		return errors.Join(job.SaveFigure("n06-fig2", picture("")), job.SaveTable("n06-fig2.csv", run.NewTable("a")))
	}}
	for _, e := range []run.Experiment{&fake{id: "alpha", run: func(context.Context, *run.Job) error { return nil }},
		beta} {
		if _, _, err := run.Execute(t.Context(), e, o); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "no-result"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := run.WriteReport(dir, []string{"beta"}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "REPORT.md"))
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "REPORT.md")
	if *update {
		if err := errors.Join(os.MkdirAll("testdata", 0o755), os.WriteFile(golden, got, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("the report differs from %s (go test -update rewrites it):\n%s", golden, got)
	}
}
