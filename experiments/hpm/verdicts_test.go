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
		c.Last[m] = &hpm.Validation{}
		for fold := range 8 {
			c.Last[m].FoldScores = append(c.Last[m].FoldScores, many[m]+0.1*float64((fold>>m)%2))
		}
	}
	c.Cells[hie] = cells[:]
	return c
}

// made are results of real sources in which sharing is worth so much, and unequal noise is found or not.
func made(t *testing.T, gain float64, cells [2]int, noise bool) *Results {
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
	r.Unequal = u
	for i := range index {
		one := Recovery{NoiseSD: float64(i)}
		one.Rand[hie] = []float64{index[i]}
		one.Score[hie], one.Score[st] = []float64{gain}, []float64{0}
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
	for _, r := range []*Results{made(t, 5, [2]int{1, 4}, true), made(t, -5, [2]int{4, 3}, false),
		made(t, 0, [2]int{1, 4}, true)} {
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
		"means of seven regions: with few examples":            "yes no no",
		"means of seven regions: HieHPM performs better":       "yes no no",
		"Haxby: with two runs one shape":                       "yes no no",
		"Haxby: with two runs HieHPM":                          "yes no no",
		"Haxby: HieHPM finds more clusters":                    "yes no yes",
		"Haxby: what one variance per voxel gains":             "yes no yes",
		"Haxby: what HieHPM gains by splitting":                "yes no yes",
		"Algorithm 2 converges in 3 to 5 iterations on haxby":  "yes no yes",
		"HieHPM finds known clusters":                          "yes no yes",
		"it finds less with more noise":                        "yes no yes",
		"where clusters share processes":                       "yes no no",
		"heteroscedastic noise alone":                          "yes no yes",
		"with one variance per voxel it does not":              "yes no yes",
		"nor does it with equal noise":                         "yes no yes",
	})
}
