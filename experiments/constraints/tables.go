package constraints

import (
	"gonum.org/v1/gonum/stat"

	"bnlab/experiments/run"
)

// table is the divergence of both models by scene and size.
func (r *Curves) table() *run.Table {
	t := run.NewTable("class", "examples", "model", "mean_kl_nats", "p05", "p50", "p95", "replicates")
	for s, scene := range r.Scenes {
		for i, size := range r.Sizes {
			for m, model := range Models {
				b := run.NewBand(r.KL[s][m][i])
				t.Append(scene.Class, size, model, b.Mean, b.P05, b.P50, b.P95, b.Replicates)
			}
		}
	}
	return t
}

func (r *Missing) table(c Config) *run.Table {
	t := run.NewTable("missing_fraction", "examples", "model", "mean_kl_nats", "p05", "p50", "p95", "replicates")
	for f, fraction := range c.Fractions {
		for i, size := range c.MissingSizes {
			for m, model := range MissingModels {
				b := run.NewBand(r.KL[f][i][m])
				t.Append(fraction, size, model, b.Mean, b.P05, b.P50, b.P95, b.Replicates)
			}
		}
	}
	return t
}

// table has, besides the means over replicates, the standard error of the mean divergence.
func (r *Learned) table() *run.Table {
	t := run.NewTable("examples", "method", "mean_kl_nats", "adjusted_rand_index", "stderr", "replicates")
	for i, size := range r.Sizes {
		for m, method := range r.Methods {
			n := float64(len(r.KL[i][m]))
			mean, sd := stat.MeanStdDev(r.KL[i][m], nil)
			t.Append(size, method, mean, stat.Mean(r.ARI[i][m], nil), stat.StdErr(sd, n), len(r.KL[i][m]))
		}
	}
	return t
}
