package run_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"bnlab/experiments/run"
)

// fake is an experiment whose parts tests replace.
type fake struct {
	id     string
	config int
	run    func(ctx context.Context, job *run.Job) error
}

func (f *fake) Info() run.Info {
	return run.Info{ID: f.id, Title: "A fake", Paper: "N06 §0", Notebook: "99-fake"}
}
func (f *fake) Config(run.Profile) any { return map[string]any{"n": f.config} }
func (f *fake) Run(ctx context.Context, job *run.Job) error {
	if f.run == nil {
		return writeMeans(ctx, job)
	}
	return f.run(ctx, job)
}

// writeMeans writes a table that depends on the random numbers of ten replicates.
func writeMeans(ctx context.Context, job *run.Job) error {
	means := make([]float64, 10)
	err := job.Replicates(ctx, "draw", len(means), func(replicate int, src *rand.PCG) error {
		means[replicate] = rand.New(src).Float64() / 3
		return nil
	})
	if err != nil {
		return err
	}
	t := run.NewTable("replicate", "mean_nats")
	for i, m := range means {
		t.Append(i, m)
	}
	b := run.NewBand(means)
	job.Number(run.Statement{Claim: "mean", Source: "N06 §0", Data: run.Simulated, Unit: "nats",
		Prediction: run.PredictYes}, b.P50, b.Mean, b)
	if err := job.SaveFigure("n06-fig0", picture("drawn")); err != nil {
		return err
	}
	return job.SaveTable("means.csv", t)
}

type picture string

func (p picture) PNG() ([]byte, error) { return []byte("png " + p), nil }
func (p picture) SVG() ([]byte, error) { return []byte("svg " + p), nil }

// tree returns the files below dir and what they hold, run.json without its text.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(b)
		if d.Name() == "run.json" {
			files[filepath.ToSlash(name)] = ""
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func same(a, b map[string]string) error {
	for name, text := range a {
		if other, ok := b[name]; !ok || other != text {
			return fmt.Errorf("%s differs: %q and %q", name, text, other)
		}
	}
	if len(a) != len(b) {
		return fmt.Errorf("%d and %d files", len(a), len(b))
	}
	return nil
}
