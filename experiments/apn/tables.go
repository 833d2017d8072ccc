package apn

import (
	"slices"
	"strconv"

	"bnlab/experiments/run"
)

// curveTable is the data of a figure.
func curveTable(c Curves) *run.Table {
	t := run.NewTable("examples", "model", "mean_mse", "p05", "p50", "p95", "replicates")
	for _, one := range c {
		for i, size := range one.Sizes {
			b := run.NewBand(one.Errors[i])
			t.Append(size, one.Name, b.Mean, b.P05, b.P50, b.P95, b.Replicates)
		}
	}
	return t
}

// secondTable is empty where the insurance network cannot be had.
func (r *Results) secondTable() *run.Table {
	if r.Second == nil {
		return curveTable(nil)
	}
	return curveTable(r.Second.Curves)
}

// of are the curves of those names.
func (r *Third) of(names ...string) Curves {
	var c Curves
	for _, one := range r.Curves {
		if slices.Contains(names, one.Name) {
			c = append(c, one)
		}
	}
	return c
}

// stage names an iteration of the exact ascent.
func (g Gradient) stage() string {
	switch g.Iteration {
	case -1:
		return "end"
	case 0:
		return "start"
	}
	return "iteration " + strconv.Itoa(g.Iteration)
}

// gradientTable is how well gradients are estimated.
func (r *Third) gradientTable() *run.Table {
	t := run.NewTable("stage", "samples_per_series", "mean_cosine", "p05", "p50", "p95", "replicates")
	for _, g := range r.Gradients {
		b := run.NewBand(g.Cosine)
		t.Append(g.stage(), g.Samples, b.Mean, b.P05, b.P50, b.P95, b.Replicates)
	}
	return t
}

// effortTable is what schedules of samples cost and bring.
func (r *Third) effortTable() *run.Table {
	t := run.NewTable("schedule", "slices_drawn_millions", "nats_per_series_below_exact", "p05", "p50", "p95",
		"replicates")
	for _, e := range r.Effort {
		b := run.NewBand(e.Below)
		t.Append(e.Name, run.NewBand(e.Drawn).Mean, b.Mean, b.P05, b.P50, b.P95, b.Replicates)
	}
	return t
}

// learnerTable has means over the replicates. The seconds are measured; nothing else in the
// results of this experiment depends on the time.
func (r *Results) learnerTable() *run.Table {
	t := run.NewTable("network", "learner", "nll_train", "nll_test", "seconds", "iterations")
	t.Measure("seconds")
	for _, s := range r.Scores {
		t.Append(s.Network, s.Learner, run.NewBand(s.Train).Mean, run.NewBand(s.Test).Mean, run.NewBand(s.Seconds).Mean,
			run.NewBand(s.Iterations).Mean)
	}
	return t
}

// ascentTable is where EM and gradient ascents end from the same random tables.
func (r *Results) ascentTable() *run.Table {
	t := run.NewTable("network", "replicate", "start", "loglik_em_nats", "loglik_lbfgs_nats", "loglik_cg_nats",
		"gain_after_em_nats", "gain_after_lbfgs_nats", "gain_after_cg_nats", "em_at_limit")
	for _, a := range r.Ascents {
		for _, e := range a.Ends {
			t.Append(a.Network, e.Replicate, e.Start, e.EM, e.LBFGS, e.CG, e.AfterEM, e.AfterLBFGS, e.AfterCG,
				e.Limited)
		}
	}
	return t
}

// table is the test likelihood of the clinics.
func (r *Fourth) table() *run.Table {
	t := run.NewTable("examples", "model", "mean_nll_nats", "p05", "p50", "p95", "replicates")
	for k, name := range r.Names {
		for i, size := range r.Sizes {
			b := run.NewBand(r.NLL[k][i])
			t.Append(size, name, b.Mean, b.P05, b.P50, b.P95, b.Replicates)
		}
	}
	return t
}
