package run_test

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"os"

	"bnlab/experiments/run"
)

// coin asks how far the mean of ten fair throws lies from one half.
type coin struct{}

func (coin) Info() run.Info         { return run.Info{ID: "coin", Title: "Ten throws of a coin"} }
func (coin) Config(run.Profile) any { return map[string]int{"throws": 10} }

func (coin) Run(ctx context.Context, job *run.Job) error {
	heads := make([]float64, 1000)
	err := job.Replicates(ctx, "throw", len(heads), func(replicate int, src *rand.PCG) error {
		rng := rand.New(src)
		for range 10 {
			heads[replicate] += float64(rng.IntN(2))
		}
		return nil
	})
	if err != nil {
		return err
	}
	band := run.NewBand(heads)
	job.Number(run.Statement{Claim: "heads in ten throws", Source: "folklore", Data: run.Simulated,
		Prediction: run.PredictYes}, 5, band.P50, band)
	table := run.NewTable("heads_p05", "heads_p50", "heads_p95", "replicates")
	table.Append(band.P05, band.P50, band.P95, band.Replicates)
	return job.SaveTable("heads.csv", table)
}

func ExampleExecute() {
	dir, err := os.MkdirTemp("", "coin")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	_, claims, err := run.Execute(context.Background(), coin{}, run.Options{Profile: run.Paper, Seed: 1, Out: dir,
		Workers: 2})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range claims {
		fmt.Printf("%s: paper %s, ours %s, holds: %s\n", c.Claim, c.Paper, c.Value(), c.Holds)
	}
	// Output: heads in ten throws: paper 5, ours 5 (2 to 7), holds: yes
}
