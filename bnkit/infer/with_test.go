package infer_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/infer/infertest"
)

// TestWith asks engines for draws of the tables, several at once, with and without zeros, in small networks and in
// ones with a continuous variable: every answer is, bit for bit, that of an engine of its own.
func TestWith(t *testing.T) {
	for seed := range some(12) {
		rng := rand.New(rand.NewPCG(uint64(seed), 19))
		net := infertest.Random(rng, 3+rng.IntN(6), 0)
		if seed%3 == 0 {
			net = mostlyDiscrete(t, rng)
		}
		base, err := infer.New(net, nil)
		if err != nil {
			t.Fatal(err)
		}
		if seed%3 == 2 {
			base.PlanAnew()
		}
		table := holes(t, rng, net)
		target := net.Variable(0)
		evidence := infer.Evidence{net.Variable(2).Name: net.Variable(2).States[1]}
		var all sync.WaitGroup
		for worker := range 3 {
			all.Go(func() {
				rng := rand.New(rand.NewPCG(uint64(seed), uint64(worker)))
				own := net.Clone()
				for range 6 {
					for v := range own.Len() {
						if cpt := own.CPT(v); cpt != nil {
							infertest.Fill(rng, cpt, 0.1)
						}
					}
					if err := sameAnswers(base, own, table, evidence, target.Name, seed%3 == 2); err != nil {
						t.Errorf("seed %d: %v", seed, err)
						return
					}
				}
			})
		}
		all.Wait()
	}
}

var errDiffers = errors.New("the answers differ")

// sameAnswers compares those of an engine that shares plans with those of one of its own.
func sameAnswers(base *infer.Engine, net *bn.Network, table *data.Table, evidence infer.Evidence, target string,
	anew bool) error {
	shared, err := base.With(net)
	if err != nil {
		return err
	}
	own, err := infer.New(net, nil)
	if err != nil {
		return err
	}
	if anew {
		own.PlanAnew()
	}
	for _, target := range []string{target, net.Variable(1).Name} {
		got, err := shared.Marginals(evidence)
		want, errOwn := own.Marginals(evidence)
		switch {
		case errors.Is(err, infer.ErrImpossibleEvidence) && errors.Is(errOwn, infer.ErrImpossibleEvidence):
		case err != nil || errOwn != nil:
			return errors.Join(err, errOwn, errDiffers)
		case !slices.EqualFunc(got.P, want.P, slices.Equal):
			return errDiffers
		}
		p, err := shared.Predict(table, target)
		q, errOwn := own.Predict(table, target)
		switch {
		case errors.Is(err, infer.ErrImpossibleEvidence) && errors.Is(errOwn, infer.ErrImpossibleEvidence):
		case err != nil || errOwn != nil:
			return errors.Join(err, errOwn, errDiffers)
		case !slices.EqualFunc(p, q, slices.Equal):
			return errDiffers
		}
	}
	return nil
}

// holes draws a few cases of a network and takes out a third of the cells.
func holes(t *testing.T, rng *rand.Rand, net *bn.Network) *data.Table {
	t.Helper()
	table, err := data.Sample(net, 12, rng)
	if err != nil {
		t.Fatal(err)
	}
	cols := table.Columns()
	for i, c := range cols {
		if !c.Var.IsDiscrete() {
			continue
		}
		c.States = slices.Clone(c.States)
		for row := range c.States {
			if rng.IntN(3) == 0 {
				c.States[row] = bn.Missing
			}
		}
		cols[i] = c
	}
	if table, err = data.New(cols...); err != nil {
		t.Fatal(err)
	}
	return table
}

func TestWithRefuses(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 19))
	net := mostlyDiscrete(t, rng)
	e, err := infer.New(net, nil)
	if err != nil {
		t.Fatal(err)
	}
	broken := net.Clone()
	broken.CPT(0).P[0]++
	for name, other := range map[string]*bn.Network{"nil": nil, "another": infertest.Asia(), "broken": broken} {
		if _, err := e.With(other); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestTargetsTwice: targets that stand twice, as many as there are variables, each have their distribution.
func TestTargetsTwice(t *testing.T) {
	net := infertest.Random(rand.New(rand.NewPCG(2, 19)), 3, 0)
	all, err := infer.Posterior(net, nil, "x0", "x1", "x2")
	if err != nil {
		t.Fatal(err)
	}
	for _, targets := range [][]int{{0, 0, 1}, {2, 1, 0}, {1, 1, 2}} {
		var names []string
		for _, v := range targets {
			names = append(names, net.Variable(v).Name)
		}
		got, err := infer.Posterior(net, nil, names...)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range targets {
			if !slices.Equal(got.P[i], all.Of(net.Variable(v).Name)) {
				t.Errorf("%v: %v, want %v", names, got.P[i], all.Of(net.Variable(v).Name))
			}
		}
	}
}
