package hpm

import (
	"math"

	"bnlab/bnkit/hpm"
	"bnlab/experiments/run"
)

// Of V voxels with the same processes and noise of variances σ_v², one variance for all costs, against one for each,
//
//	V T / 2 · ln(mean σ_v² / geometric mean of σ_v²) ≥ 0   nats per trial of T images
//
// (Jensen's inequality), whatever the processes. A partition whose cells have a variance each gains up to that.
// It is exact for the trials that were learned from, and to first order for others. Where ln σ_v is normal with
// standard deviation s, it is V T s².

// A Gap is what unequal noise is worth in a study, in nats per trial.
type Gap struct {
	source   string
	Trials   int
	Values   int      // V T, terms other than processes subtracted
	Split    float64  // HieHPM over ShHPM, one variance for each cluster
	Voxels   *float64 // ShHPM with one variance for each voxel over that with one for all
	Identity *float64
	Left     *float64 // HieHPM over ShHPM, one variance for each voxel
}

// jensen is the identity of variances that were estimated.
func jensen(variance []float64, values int) float64 {
	sum, logs := 0.0, 0.0
	for _, s := range variance {
		sum, logs = sum+s, logs+math.Log(s)
	}
	n := float64(len(variance))
	return float64(values) / 2 * (math.Log(sum/n) - logs/n)
}

// spread is s of the identity, for so many nats.
func spread(nats float64, values int) float64 { return math.Sqrt(max(0, nats) / float64(values)) }

// valuesOf are V T of a study whose trials are alike.
func valuesOf(s *hpm.Study) int {
	terms := 0
	if s.Nuisance.Intercept || s.Nuisance.Drift > 0 {
		terms = 1 + s.Nuisance.Drift
	}
	return len(s.Voxels) * (s.Trials[0].Images - terms)
}

// gaps are those of N06's tables, where nothing but the gain of splitting is printed, and of all studies.
func (r *Results) gaps() []Gap {
	calc, _ := r.Published.trials(40)
	same, _ := r.Published.region(focus)
	all := []Gap{
		{source: "published-" + focus, Trials: 40, Values: same.size * images, Split: calc.score[hie] - calc.score[sh]},
		{source: "published-all", Trials: 40, Values: r.Published.whole.size * images,
			Split: r.Published.whole.score[hie] - r.Published.whole.score[sh]},
	}
	for _, name := range []string{fromVoxels, fromROI, fromStandin, fromHaxby} {
		var one, each [3]Variant
		for _, v := range r.Variants {
			switch {
			case v.name != name:
			case v.Noise == byVoxel:
				each[v.Model] = v
			default:
				one[v.Model] = v
			}
		}
		if each[sh].Values == 0 { // no data
			continue
		}
		gain, left := each[sh].Score-one[sh].Score, each[hie].Score-each[sh].Score
		identity := jensen(each[sh].Variance, each[sh].Values)
		all = append(all, Gap{name, one[sh].Trials, each[sh].Values, one[hie].Score - one[sh].Score, &gain, &identity,
			&left})
	}
	return all
}

// gapTable shows the identity. The spread is the standard deviation of ln σ_v that gives it, or the gain of splitting
// where there is no more.
func (r *Results) gapTable() *run.Table {
	t := run.NewTable("source", "trials", "values_per_trial", "gain_by_splitting", "gain_by_voxel_variances",
		"identity", "gain_by_splitting_left", "spread_of_noise")
	or := func(x *float64) any {
		if x == nil {
			return "n/a"
		}
		return *x
	}
	for _, g := range r.gaps() {
		nats := g.Split
		if g.Identity != nil {
			nats = *g.Identity
		}
		t.Append(g.source, g.Trials, g.Values, g.Split, or(g.Voxels), or(g.Identity), or(g.Left),
			spread(nats, g.Values))
	}
	return t
}

// dimensions is what sharing processes without error is worth over StHPM after n trials of each order, in nats per
// trial of V T values, by the expected score of StHPM (package comment): a count of dimensions, whatever σ² and the
// brain.
//
//	V T {½ (n + 1)/(n − 1) + ½ log(1 − 1/n) − ½}
func dimensions(values int, n float64) float64 {
	return float64(values) * (0.5*(n+1)/(n-1) + 0.5*math.Log(1-1/n) - 0.5)
}

// advantageTable is the gain of sharing with the fewest trials beside the count of dimensions.
func (r *Results) advantageTable() *run.Table {
	t := run.NewTable("source", "trials", "values_per_trial", "gain_of_sharing", "count_of_dimensions")
	same, _ := r.Published.region(focus)
	t.Append("published-"+focus, 6, same.size*images, r.Published.gain(6, sh, st),
		dimensions(same.size*images, trained(6)))
	for _, c := range r.Table2 {
		values := valuesOf(c.Study)
		t.Append(c.name, c.Sizes[0], values, c.Score[sh][0]-c.Score[st][0], dimensions(values, trained(c.Sizes[0])))
	}
	return t
}
