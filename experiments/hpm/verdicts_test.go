package hpm

import (
	"testing"

	"bnlab/bnkit/hpm"
	"bnlab/experiments/run"
	"bnlab/experiments/runtest"
)

// madeCourse has scores by model at two sizes, and the same by fold at the larger one, up to a little.
func madeCourse(s *Source, few, many [3]float64, cells [2]int) *Course {
	c := &Course{Source: s, Sizes: []int{6, 40}}
	for m := range models {
		c.Score[m] = []float64{few[m], many[m]}
		c.Cells[m] = []int{1, 1}
		c.Folds[m] = make([][]float64, 2)
		for fold := range 8 {
			x := 0.1 * float64((fold>>m)%2)
			c.Folds[m][0], c.Folds[m][1] = append(c.Folds[m][0], few[m]+x), append(c.Folds[m][1], many[m]+x)
		}
		c.Last[m] = &hpm.Validation{FoldScores: c.Folds[m][1]}
	}
	c.Cells[hie] = cells[:]
	return c
}

// made are results of real sources in which sharing is worth so much, and unequal noise is found or not.
func made(t *testing.T, gain float64, cells [2]int, noise bool, wide float64) *Results {
	t.Helper()
	r := &Results{Published: tables(t), Sources: make(map[string]*Source)}
	for _, name := range []string{fromVoxels, fromROI, fromStandin, fromHaxby} {
		r.Sources[name] = &Source{name: name, title: name, kind: run.Real}
	}
	scores := [3]float64{st: 0, sh: gain, hie: 2 * gain}
	r.Table2 = []*Course{madeCourse(r.Sources[fromROI], scores, scores, cells)}
	r.Haxby = madeCourse(r.Sources[fromHaxby], scores, scores, cells)
	split, identity := 1.0, 100.0
	if !noise {
		split, identity = 200, 50
	}
	for _, v := range []Variant{
		{Model: sh, Noise: byCluster, Cells: 1}, {Model: hie, Noise: byCluster, Cells: 4, Score: split},
		{Model: sh, Noise: byVoxel, Cells: 1, Score: 100, Values: 200, Variance: jensenOf(identity, 200),
			Folds: r.Haxby.Last[sh].FoldScores},
		{Model: hie, Noise: byVoxel, Cells: cells[1], Score: 100 + gain, Folds: r.Haxby.Last[hie].FoldScores},
	} {
		v.Source = r.Sources[fromHaxby]
		r.Variants = append(r.Variants, v)
	}
	sweeps := 4
	index := []float64{1, 0.2}
	u := Unequal{Equal: [2][]float64{{1, 1}, {1, 1}}, Apart: [2][]float64{{4, 4}, {1, 1}}}
	if !noise {
		sweeps, index = 9, []float64{0.2, 1}
		u = Unequal{Equal: [2][]float64{{4, 4}, {4, 4}}, Apart: [2][]float64{{1, 1}, {4, 4}}}
	}
	for _, tolerance := range tolerances {
		r.Efforts = append(r.Efforts, Effort{r.Sources[fromHaxby], "", tolerance, sweeps})
	}
	if wide > 1 { // split in one of two
		half := []float64{1, 4}
		u = Unequal{Equal: [2][]float64{half, half}, Apart: [2][]float64{half, half}}
	}
	r.Unequal = u
	for i := range index {
		one := Recovery{NoiseSD: float64(i)}
		one.Rand[hie] = []float64{index[i] + wide*float64(1-2*i), index[i] - wide*float64(1-2*i)}
		one.Score[hie], one.Score[st] = []float64{gain + 0.1, gain - 0.1}, []float64{0, 0}
		r.Recovery = append(r.Recovery, one)
	}
	return r
}

// jensenOf are two variances whose identity is so many nats.
func jensenOf(nats float64, values int) []float64 {
	low, high := 1.0, 1e9
	for range 200 {
		middle := (low + high) / 2
		if jensen([]float64{1, middle}, values) < nats {
			low = middle
		} else {
			high = middle
		}
	}
	return []float64{1, low}
}

// TestVerdicts: rules on real and simulated data have results for which they say yes and no, and comparisons, by fold,
// some that do not tell. Claims on files are n/a without them (TestSameBytes), and sentences that need the voxels of
// StarPlus are not judged without these.
func TestVerdicts(t *testing.T) {
	var worlds [][]run.Claim
	for _, r := range []*Results{made(t, 5, [2]int{1, 4}, true, 0.001),
		made(t, -5, [2]int{4, 3}, false, 0.001), made(t, 0, [2]int{1, 4}, true, 2)} {
		worlds = append(worlds, runtest.Claims(t, func(job *run.Job) error {
			j := judge{r, job}
			j.meansClaims()
			j.haxbyClaims()
			j.noiseClaims()
			j.gapClaims()
			j.sweepClaims()
			j.simulatedClaims()
			return nil
		}))
	}
	runtest.Verdicts(t, worlds, map[string]string{
		"means of seven regions: with all examples":            "yes no n/a",
		"Haxby: with most runs HieHPM performs better":         "yes no n/a",
		"HieHPM performs better than ShHPM on haxby":           "yes no n/a",
		"HieHPM performs better than ShHPM on starplus-voxels": "n/a n/a n/a",
		"means of seven regions: with few examples":            "yes no n/a",
		"means of seven regions: HieHPM performs better":       "yes no n/a",
		"Haxby: with two runs one shape":                       "yes no n/a",
		"Haxby: with two runs HieHPM":                          "yes no n/a",
		"Haxby: HieHPM finds more clusters":                    "yes no yes",
		"Haxby: what one variance per voxel gains":             "yes no yes",
		"Haxby: what HieHPM gains by splitting":                "yes no yes",
		"Algorithm 2 converges in 3 to 5 iterations on haxby":  "yes no yes",
		"HieHPM finds known clusters":                          "yes no n/a",
		"it finds less with more noise":                        "yes no n/a",
		"where clusters share processes":                       "yes no n/a",
		"heteroscedastic noise alone":                          "yes no n/a",
		"with one variance per voxel it does not":              "yes no n/a",
		"nor does it with equal noise":                         "yes no n/a",
	})
}

// voxelWorld is made of the scores and clusters of the voxels of StarPlus at 6, 12 and 40 trials, and of the scores
// and cells of each region.
func voxelWorld(t *testing.T, score [3][3]float64, cells [3]int, largest int, region [3]float64, off int) []run.Claim {
	t.Helper()
	s := &Source{name: fromVoxels, title: "voxels", kind: run.Real}
	c := &Course{Source: s, Sizes: []int{6, 12, 40}}
	for m := range models {
		c.Score[m], c.Cells[m] = score[m][:], []int{1, 1, 1}
		for k := range c.Sizes {
			var folds []float64
			for fold := range 8 {
				folds = append(folds, score[m][k]+0.1*float64((fold>>m)%2))
			}
			c.Folds[m] = append(c.Folds[m], folds)
		}
		c.Last[m] = &hpm.Validation{Model: &hpm.Model{}}
	}
	c.Cells[hie] = cells[:]
	c.Last[hie].Model.Clusters = append(c.Last[hie].Model.Clusters, hpm.Cluster{Voxels: make([]int, largest)})
	for range 12 {
		c.Last[hie].Model.Clusters = append(c.Last[hie].Model.Clusters, hpm.Cluster{Voxels: make([]int, 1)})
	}
	r := &Results{Published: tables(t), Sources: map[string]*Source{fromVoxels: s, fromStandin: {name: fromStandin}},
		Table2: []*Course{c}}
	w := &Whole{Source: s}
	for m := range models {
		w.Validations[m] = &hpm.Validation{Score: region[m]}
		for i, p := range r.Published.table3 {
			x := region[m]
			if i < off && m != st { // below StHPM
				x = region[st] - 1
			}
			clusters := 1
			if region[hie] < region[sh] {
				clusters = 2
			}
			w.Validations[m].Regions = append(w.Validations[m].Regions, hpm.RegionScore{Region: p.name, Score: x,
				Clusters: clusters})
		}
	}
	r.Table3 = []*Whole{w}
	return runtest.Claims(t, func(job *run.Job) error {
		j := judge{r, job}
		j.voxelClaims()
		j.regionClaims()
		return nil
	})
}

// TestVoxelVerdicts: with the voxels at hand rules say yes and no, and comparisons by fold that nothing can be told.
func TestVoxelVerdicts(t *testing.T) {
	worlds := [][]run.Claim{
		voxelWorld(t, [3][3]float64{st: {-1000, -500, 0}, sh: {-501, -410, -50}, hie: {-500, -400, 106}},
			[3]int{1, 1, 59}, 41, [3]float64{st: 0, sh: 1, hie: 2}, 6),
		voxelWorld(t, [3][3]float64{st: {-100, -500, 0}, sh: {-501, -300, 50}, hie: {-500, -590, -1}},
			[3]int{2, 1, 1}, 30, [3]float64{st: 2, sh: 1, hie: 0}, 1),
		voxelWorld(t, [3][3]float64{st: {-1000, -900, 0}, sh: {-1000, -900, 0}, hie: {-1000, -900, 0}},
			[3]int{1, 1, 59}, 41, [3]float64{st: 0, sh: 1, hie: 2}, 1),
	}
	runtest.Verdicts(t, worlds, map[string]string{
		"the largest difference between HieHPM and StHPM is at 6": "yes no yes",
		"the largest difference between HieHPM and ShHPM is at":   "yes no no",
		"HieHPM performs better than StHPM at all sizes":          "yes no n/a",
		"HieHPM performs better than ShHPM at all sizes":          "yes no n/a",
		"with few examples sharing in all of CALC":                "yes no n/a",
		"with all examples ShHPM is worse":                        "yes no n/a",
		"with more examples StHPM performs better":                "yes no yes",
		"with more examples HieHPM performs better":               "yes no yes",
		"at 40 trials HieHPM outperforms StHPM by 106":            "yes no no",
		"StHPM needs on average 2.9 times the examples":           "no no no",
		"at small sample size HieHPM uses one cluster":            "yes no yes",
		"HieHPM finds more clusters with more examples":           "yes no yes",
		"at 40 examples the largest cluster has 41 voxels":        "yes no yes",
		"the scores of Table 2":                                   "no no no",
		"ShHPM outperforms StHPM in 18 of 24 regions":             "yes no no",
		"HieHPM outperforms StHPM in 23 regions":                  "no no yes",
		"over the whole brain HieHPM outperforms ShHPM":           "yes no yes",
		"several regions are best described by one":               "yes no yes",
	})
	var printed [3][3]float64
	for k, size := range []int{6, 12, 40} {
		row, _ := tables(t).trials(size)
		for m := range models {
			printed[m][k] = row.score[m]
		}
	}
	others := [3]float64{0, 1, 2}
	runtest.Verdicts(t, [][]run.Claim{
		voxelWorld(t, printed, [3]int{1, 1, 59}, 41, others, 1),
		voxelWorld(t, [3][3]float64{st: {-1000, -800, 0}, sh: {-1000, -800, 0}, hie: {-200, -170, 0}},
			[3]int{1, 1, 59}, 41, others, 1),
	}, map[string]string{"the scores of Table 2": "yes no", "StHPM needs on average 2.9 times": "no yes"})
}
