package apn

import "bnlab/experiments/run"

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
