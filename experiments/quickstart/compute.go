package quickstart

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/metric"
	"bnlab/datasets"
	"bnlab/experiments/run"
)

// Models are the fits that are compared, in this order: the share of recurrences in
// the training cases, the network fitted without and with the statements.
var Models = []string{"base rate", "data alone", "data and knowledge"}

// Scores are held-out log scores of the target in nats a case, by model, size of the
// training set and draw.
type Scores [][][]float64

// Compute shuffles, fits and scores. The result depends on the job's seed only.
func Compute(ctx context.Context, job *run.Job, c Config) (Scores, error) {
	net, table, err := load()
	if err != nil {
		return nil, err
	}
	job.UsesData("breast-cancer", table.Hash())
	if most := slices.Max(c.Sizes) + c.HeldOut; most > table.Rows() {
		return nil, fmt.Errorf("quickstart: %d training and test cases of %d", most, table.Rows())
	}
	target, err := net.Index(Target)
	if err != nil {
		return nil, err
	}
	alone, err := bn.New("["+Target+"]", net.Variable(target))
	if err != nil {
		return nil, err
	}
	fits := []struct {
		net    *bn.Network
		method learn.Method
	}{
		{alone, learn.MAP{Pseudocount: c.Virtual}},
		{net, learn.MAP{Pseudocount: c.Virtual}},
		{net, learn.MAP{Pseudocount: c.Virtual, Constraints: Knowledge()}},
	}
	scores := make(Scores, len(fits))
	for m := range scores {
		scores[m] = make([][]float64, len(c.Sizes))
		for s := range scores[m] {
			scores[m][s] = make([]float64, c.Draws)
		}
	}
	err = job.Replicates(ctx, "shuffle, fit and score", c.Draws, func(draw int, src *rand.PCG) error {
		shuffled := table.Select(rand.New(src).Perm(table.Rows()))
		heldOut := shuffled.Select(last(c.HeldOut, table.Rows()))
		for s, size := range c.Sizes {
			for m, f := range fits {
				fit, err := learn.Fit(f.net, shuffled.Head(size), f.method, &learn.Settings{Workers: 1})
				if err != nil {
					return err
				}
				score, err := metric.ConditionalLogScore(fit.Net, heldOut, Target)
				if err != nil {
					return err
				}
				scores[m][s][draw] = score.Average
			}
		}
		return nil
	})
	return scores, err
}

// last returns the numbers of the last n of so many rows.
func last(n, rows int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = rows - n + i
	}
	return list
}

// load returns the network, not fitted, and the cases that are complete in it.
func load() (*bn.Network, *data.Table, error) {
	df, err := datasets.BreastCancer()
	if err != nil {
		return nil, nil, err
	}
	dag, err := bn.ParseDAG(Structure)
	if err != nil {
		return nil, nil, err
	}
	names := make([]string, dag.Len())
	for v := range names {
		names[v] = dag.Name(v)
	}
	if df, err = bnkit.DropMissing(df, names...); err != nil {
		return nil, nil, err
	}
	net, err := bnkit.NewNetwork(Structure, df, nil)
	if err != nil {
		return nil, nil, err
	}
	table, err := bnkit.Table(df.Select(names), data.StatesOf(net.Variables()...))
	return net, table, err
}
