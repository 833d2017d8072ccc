package hpm

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"bnlab/experiments/run"
)

// A Worth is how many trials StHPM needs to be as good as HieHPM with some.
type Worth struct {
	Trials     int
	Score      float64 // of HieHPM
	Equivalent float64
	Beyond     int // +1: StHPM never is, −1: it is at the least number already
}

// worths compares two columns of Table 2.
func worths(trials []int, st, hie []float64) []Worth {
	var all []Worth
	for i, n := range trials {
		w := Worth{Trials: n, Score: hie[i]}
		w.Equivalent, w.Beyond = equivalent(trials, st, hie[i])
		all = append(all, w)
	}
	return all
}

func (w Worth) String() string {
	switch {
	case w.Beyond > 0:
		return fmt.Sprintf(">%.0f", w.Equivalent)
	case w.Beyond < 0:
		return fmt.Sprintf("<%.0f", w.Equivalent)
	}
	return run.Format(w.Equivalent)
}

// factor is how many times as many trials StHPM needs, on average where it gets there at all.
func factor(all []Worth) (mean float64, reached int) {
	for _, w := range all {
		if w.Beyond == 0 {
			mean, reached = mean+w.Equivalent/float64(w.Trials), reached+1
		}
	}
	if reached > 0 {
		mean /= float64(reached)
	}
	return mean, reached
}

// factorText is the factor and where it is defined, in words.
func factorText(all []Worth) string {
	mean, reached := factor(all)
	if reached == 0 {
		return fmt.Sprintf("none: it gets there at no size of %d", len(all))
	}
	return fmt.Sprintf("%.1f, at the %d of %d sizes where it gets there", mean, reached, len(all))
}

// columns are the scores of N06 Table 2, by model.
func (p published) columns() (trials []int, score [3][]float64) {
	for _, r := range p.table2 {
		trials = append(trials, r.size)
		for m := range models {
			score[m] = append(score[m], r.score[m])
		}
	}
	return trials, score
}

// equivalentTable has the published columns as a source of their own.
func (r *Results) equivalentTable() *run.Table {
	t := run.NewTable("source", "trials", "log_score_hie", "equivalent_trials_st", "factor")
	add := func(name string, all []Worth) {
		for _, w := range all {
			var f any = absent
			if w.Beyond == 0 {
				f = w.Equivalent / float64(w.Trials)
			}
			t.Append(name, w.Trials, w.Score, w.String(), f)
		}
	}
	trials, score := r.Published.columns()
	add("published", worths(trials, score[st], score[hie]))
	for _, name := range starplusSources {
		if c, ok := r.on(name); ok {
			add(name, worths(c.Sizes, c.Score[st], c.Score[hie]))
		} else {
			t.Append(name, absent, absent, absent, absent)
		}
	}
	return t
}

// A Saturation is the formula of saturated, fitted to a column of scores.
type Saturation struct {
	name                 string
	voxels               int
	trials               []int
	score                []float64
	variance, rms, worst float64
}

// saturations fits the formula to the published column and to ours. On Gaussian noise nothing is fitted.
func (r *Results) saturations() []Saturation {
	trials, score := r.Published.columns()
	calc, _ := r.Published.region(focus)
	all := []Saturation{{name: "published", voxels: calc.size, trials: trials, score: score[st]}}
	for _, name := range starplusSources {
		if c, ok := r.on(name); ok {
			all = append(all, Saturation{name: name, voxels: len(c.Study.Voxels), trials: c.Sizes, score: c.Score[st]})
		}
	}
	for i := range all {
		s := &all[i]
		s.variance, s.rms, s.worst = fitVariance(s.voxels, images, s.trials, s.score)
	}
	return all
}

// saturatedTable has the formula beside each score.
func (r *Results) saturatedTable() *run.Table {
	t := run.NewTable("source", "trials", "log_score_st", "formula", "variance", "variance_fitted")
	for _, s := range r.saturations() {
		for i, n := range s.trials {
			t.Append(s.name, n, s.score[i], saturated(s.voxels, images, trained(n), s.variance), s.variance, true)
		}
	}
	for i, n := range r.Saturated.Sizes {
		t.Append("Gaussian noise", n, r.Saturated.Score[i], r.Saturated.Expected[i], r.Config.Standin.Variance, false)
	}
	return t
}

// recoveryTable has means over replicates; the standard error is that of the score.
func (r *Results) recoveryTable() *run.Table {
	t := run.NewTable("noise_sd", "model", "adjusted_rand_index", "log_score", "stderr", "replicates")
	for _, one := range r.Recovery {
		for m, model := range models {
			mean, sd := stat.MeanStdDev(one.Score[m], nil)
			n := float64(len(one.Score[m]))
			t.Append(one.NoiseSD, model.name, stat.Mean(one.Rand[m], nil), mean, stat.StdErr(sd, n), len(one.Score[m]))
		}
	}
	return t
}

// unequalTable is how many cells a region of one true cluster is split into.
func (r *Results) unequalTable() *run.Table {
	t := run.NewTable("true_noise", "noise", "mean_cells", "stderr", "split_share", "replicates")
	for _, u := range []struct {
		name  string
		cells [2][]float64
	}{{"equal", r.Unequal.Equal}, {"unequal", r.Unequal.Apart}} {
		for k, noise := range []string{byCluster, byVoxel} {
			mean, sd := stat.MeanStdDev(u.cells[k], nil)
			t.Append(u.name, noise, mean, sd/math.Sqrt(float64(len(u.cells[k]))), split(u.cells[k]),
				len(u.cells[k]))
		}
	}
	return t
}

// split is the share of regions with more than one cell.
func split(cells []float64) float64 {
	n := 0.0
	for _, c := range cells {
		if c > 1 {
			n++
		}
	}
	return n / float64(len(cells))
}
