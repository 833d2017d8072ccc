package run_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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
	if leftOut, err := run.WriteReport(dir, []string{"beta"}); err != nil || leftOut != nil {
		t.Fatal(leftOut, err)
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

// Claims or seeds that an earlier version wrote keep nobody else out of the report.
func TestReportLeavesOutOldFormats(t *testing.T) {
	dir := t.TempDir()
	for _, id := range []string{"new", "old"} {
		words := run.Statement{Claim: "the claim of " + id, Source: "N06 §1", Data: run.Simulated,
			Prediction: run.PredictYes}
		e := &fake{id: id, run: func(_ context.Context, job *run.Job) error {
			job.Order(words, "all", "most", true)
			return nil
		}}
		if _, _, err := run.Execute(t.Context(), e, options(dir)); err != nil {
			t.Fatal(err)
		}
	}
	for path, text := range map[string]string{"old/claims.csv": "claim,paper,ours\na,1,2\n",
		"seeds/new.csv": "seed\n1\n"} {
		path = filepath.Join(dir, path)
		err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644))
		if err != nil {
			t.Fatal(err)
		}
	}
	leftOut, err := run.WriteReport(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(leftOut) != 2 || !strings.Contains(leftOut[0], "the seeds of new are left out") ||
		!strings.Contains(leftOut[1], "old is left out") ||
		!strings.Contains(leftOut[1], "delete the folder "+filepath.Join(dir, "old")+" or run the experiment again") {
		t.Errorf("%q", leftOut)
	}
	report, err := os.ReadFile(filepath.Join(dir, "REPORT.md"))
	if err != nil || !strings.Contains(string(report), "the claim of new") ||
		strings.Contains(string(report), "the claim of old") ||
		!strings.Contains(string(report), "Note: old is left out") ||
		strings.Contains(string(report), dir) {
		t.Errorf("%v\n%s", err, report)
	}
}
