package sharing

import (
	"fmt"
	"math"

	"bnlab/experiments/run"
)

// figure2Table is the data of N06 Figure 2.
func figure2Table(stbn, pdkbn []run.Band) *run.Table {
	t := run.NewTable("examples", "model", "mean_kl_nats", "p05", "p50", "p95", "replicates")
	for i := range stbn {
		for _, m := range []struct {
			name string
			band run.Band
		}{{"STBN", stbn[i]}, {"PDKBN", pdkbn[i]}} {
			t.Append(i+1, m.name, m.band.Mean, m.band.P05, m.band.P50, m.band.P95, m.band.Replicates)
		}
	}
	return t
}

// gapTable is KL(T, STBN) − KL(T, PDKBN) by training set.
func gapTable(gap []run.Band) *run.Table {
	t := run.NewTable("examples", "mean_gap_nats", "p05", "p50", "p95", "replicates")
	for i, b := range gap {
		t.Append(i+1, b.Mean, b.P05, b.P50, b.P95, b.Replicates)
	}
	return t
}

// equivalentTable is N06 Table 1 beside ours.
func (r *Curves) equivalentTable() *run.Table {
	t := run.NewTable("examples", "paper_kl", "mean_kl_nats", "paper_equivalent", "equivalent_p05", "equivalent_p50",
		"equivalent_p95", "replicates")
	for _, row := range table1 {
		b := run.NewBand(at(r.Equivalent, row.examples))
		paper := fmt.Sprint(row.equivalent)
		if row.more {
			paper = ">" + paper
		}
		t.Append(row.examples, row.kl, run.NewBand(at(r.PDKBN, row.examples)).Mean, paper,
			r.size(b.P05), r.size(b.P50), r.size(b.P95), b.Replicates)
	}
	return t
}

// factorTable is equivalent size ÷ size at the sizes that factors are averaged
// over.
func (r *Curves) factorTable() *run.Table {
	t := run.NewTable("examples", "equivalent_p05", "equivalent_p50", "equivalent_p95", "beyond_search", "replicates")
	for size := r.Config.Every; size <= r.Config.Examples; size += r.Config.Every {
		values, beyond := at(r.Equivalent, size), 0
		for _, e := range values {
			if math.IsInf(e, 1) {
				beyond++
			}
		}
		b := run.NewBand(values)
		t.Append(size, r.size(b.P05), r.size(b.P50), r.size(b.P95), beyond, b.Replicates)
	}
	return t
}

// size writes an equivalent size; those beyond the search as ">5000".
func (r *Curves) size(x float64) string {
	if math.IsInf(x, 1) {
		return fmt.Sprintf(">%d", r.Config.Search)
	}
	return fmt.Sprint(int(x))
}
