package hpm

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"bnlab/bnkit/hpm"
	"bnlab/experiments/run"
)

// onStandin says where the numbers come from when the voxels cannot be had.
const onStandin = "needs the voxels of StarPlus"

// voxelClaims are the sentences on Table 2, on the voxels or the stand-in.
func (j judge) voxelClaims() {
	c, _ := j.voxelwise()
	order := func(claim string, expected run.Prediction, note, paper, ours string, holds bool) {
		j.order(c.kind, claim, partText, expected, j.joined(note), paper, ours, holds)
	}
	n := c.Sizes
	first, last := 0, len(n)-1
	stScore, shScore, hieScore := c.Score[st], c.Score[sh], c.Score[hie]
	at, gap := widest(n, hieScore, stScore)
	order("the largest difference between HieHPM and StHPM is at 6 examples", run.PredictYes,
		"with two trials of each order StHPM has one residual degree of freedom",
		fmt.Sprintf("6 (%.0f nats)", j.Published.gain(6, hie, st)), fmt.Sprintf("%d (%.0f nats)", at, gap),
		at == n[first])
	at, gap = widest(n, hieScore, shScore)
	order("the largest difference between HieHPM and ShHPM is at the maximum number of examples", run.PredictUnknown,
		"the published table has it at 26", "40", fmt.Sprintf("%d (%.0f nats)", at, gap), at == n[last])
	state := func(claim string, expected run.Prediction, note string) run.Statement {
		return run.Statement{Claim: claim, Source: partText, Data: c.kind, Unit: "nats", Prediction: expected,
			Basis: expected.From(run.Theory), Note: j.joined(note)}
	}
	j.job.CompareAll(state("HieHPM performs better than StHPM at all sizes", run.PredictUnknown, ""), "all",
		c.ahead(hie, st)...)
	j.job.CompareAll(state("HieHPM performs better than ShHPM at all sizes", run.PredictUnknown,
		"the published table has ties up to 10 and a lower score at 12"), "all", c.ahead(hie, sh)...)
	j.job.Compare(state("with few examples sharing in all of CALC predicts better than not sharing", run.PredictYes,
		""), fmt.Sprintf("%.0f nats more at 6 than without", j.Published.gain(6, sh, st)), c.ahead(sh, st)[first])
	j.job.Compare(state("with all examples ShHPM is worse than StHPM in CALC: it is biased", run.PredictUnknown, ""),
		fmt.Sprintf("%.0f nats worse", j.Published.gain(40, st, sh)), c.ahead(st, sh)[last])
	order("with more examples StHPM performs better and better", run.PredictUnknown,
		"each size has different trials", "rises", rises(n, stScore), slices.IsSorted(stScore))
	order("with more examples HieHPM performs better and better", run.PredictUnknown,
		"the published table does not rise", "rises", rises(n, hieScore), slices.IsSorted(hieScore))
	order("at 40 trials HieHPM outperforms StHPM by 106", run.PredictUnknown, "ours within a tenth", "106",
		fmt.Sprintf("%.0f", hieScore[last]-stScore[last]), math.Abs(hieScore[last]-stScore[last]-106) <= 10.6)
	all := worths(n, stScore, hieScore)
	f, reached := factor(all)
	order("StHPM needs on average 2.9 times the examples of HieHPM", run.PredictUnknown,
		"within a tenth, and at all sizes", "2.9", factorText(all), reached == len(n) && math.Abs(f-2.9) <= 0.29)
	order("at small sample size HieHPM uses one cluster", run.PredictUnknown, "at 6 to 12", "1",
		fmt.Sprint(upTo(n, c.Cells[hie], 12)), slices.Max(upTo(n, c.Cells[hie], 12)) == 1)
	order("HieHPM finds more clusters with more examples", run.PredictUnknown, "the largest size against the smallest",
		"1 to 59", fmt.Sprintf("%d to %d", c.Cells[hie][first], c.Cells[hie][last]),
		c.Cells[hie][last] > c.Cells[hie][first])
	largest, single := clusterSizes(c.Last[hie].Model)
	order("at 40 examples the largest cluster has 41 voxels while many have one", run.PredictUnknown, "",
		"59 clusters, the largest of 41 voxels", fmt.Sprintf("%d clusters, the largest of %d voxels, %d of one",
			c.Cells[hie][last], largest, single), largest == 41 && single >= 10)

	off, text := 0.0, ""
	for m, model := range models {
		worst := 0.0
		for i, size := range n {
			if p, ok := j.Published.trials(size); ok {
				worst = max(worst, math.Abs(p.score[m]-c.Score[m][i]))
			}
		}
		off = max(off, worst)
		text += fmt.Sprintf("%s within %.0f nats; ", model.name, worst)
	}
	j.order(c.kind, "the scores of Table 2", partTable2, run.PredictUnknown,
		j.joined("judged within one nat, which preprocessing alone may exceed"), "as printed", text[:len(text)-2],
		off <= 1)
}

// joined adds to a note where the numbers come from.
func (j judge) joined(note string) string {
	switch _, have := j.on(fromVoxels); {
	case have:
		return note
	case note == "":
		return onStandin
	}
	return note + "; " + onStandin
}

// ahead compares the scores of two models at each size, by fold. What folds learn from overlaps, so that the intervals
// are somewhat too narrow.
func (c *Course) ahead(a, b int) []run.Comparison {
	var parts []run.Comparison
	for k, size := range c.Sizes {
		part := foldwise(c.Folds[a][k], c.Folds[b][k])
		part.Name = fmt.Sprint(size)
		parts = append(parts, part)
	}
	return parts
}

// except says at which sizes something does not hold.
func except(sizes []int) string {
	if len(sizes) == 0 {
		return "at all sizes"
	}
	return fmt.Sprintf("not at %v", sizes)
}

// upTo are the values at sizes up to a limit.
func upTo(sizes, values []int, limit int) []int {
	var out []int
	for i, n := range sizes {
		if n <= limit {
			out = append(out, values[i])
		}
	}
	return out
}

// clusterSizes returns the size of the largest cluster and the number of those with one voxel.
func clusterSizes(m *hpm.Model) (largest, single int) {
	for _, c := range m.Clusters {
		largest = max(largest, len(c.Voxels))
		if len(c.Voxels) == 1 {
			single++
		}
	}
	return largest, single
}

// regionClaims are the sentences on Table 3.
func (j judge) regionClaims() {
	_, w := j.voxelwise()
	var ours []row
	for _, p := range j.Published.table3 {
		if part, ok := w.region(p.name); ok {
			ours = append(ours, row{p.name, part[st].Voxels, [3]float64{part[st].Score, part[sh].Score,
				part[hie].Score}, part[hie].Clusters})
		}
	}
	of := fmt.Sprintf(" of %d", len(ours))
	above, tied := wins(ours, sh, st)
	j.order(w.kind, "ShHPM outperforms StHPM in 18 of 24 regions", partText, run.PredictUnknown,
		j.joined("the published table has 16, and a tie"), "18", winText(above, tied)+of, above == 18 &&
			len(ours) == 24)
	above, tied = wins(ours, hie, st)
	j.order(w.kind, "HieHPM outperforms StHPM in 23 regions", partText, run.PredictUnknown,
		j.joined("the published table has 22, and a tie"), "23", winText(above, tied)+of, above == 23 &&
			len(ours) == 24)
	v := w.Validations
	j.order(w.kind, "over the whole brain HieHPM outperforms ShHPM, and that StHPM", partText, run.PredictUnknown,
		j.joined("in nats per trial"),
		"1792 and 464 above StHPM", fmt.Sprintf("%.0f and %.0f above StHPM in %d regions", v[hie].Score-v[st].Score,
			v[sh].Score-v[st].Score, len(ours)), v[hie].Score > v[sh].Score && v[sh].Score > v[st].Score)
	most := 0
	for _, r := range ours {
		if r.cells == 1 {
			most++
		}
	}
	j.order(w.kind, "several regions are best described by one shared model", partText, run.PredictUnknown,
		j.joined("regions with one cell"), "11 of 24", fmt.Sprint(most)+of, most >= 2)
}

// meansClaims ask the same of the means over seven regions, which are real.
func (j judge) meansClaims() {
	ask := func(claim, unit string, expected run.Prediction, note string, record func(s run.Statement, c *Course)) {
		s := run.Statement{Claim: "means of seven regions: " + claim, Source: partText, Data: run.Real, Unit: unit,
			Prediction: expected, Basis: expected.From(run.Theory), Note: note}
		if c, ok := j.on(fromROI); ok {
			record(s, c)
		} else {
			j.job.Missing(s, "", "needs "+meansFile)
		}
	}
	ask("with few examples one shape for all regions predicts better than one for each", "nats", run.PredictYes,
		"with two trials of each order StHPM has one residual degree of freedom per value; 6 trials",
		func(s run.Statement, c *Course) { j.job.Compare(s, "", c.ahead(sh, st)[0]) })
	ask("HieHPM performs better than StHPM at all sizes", "sizes; nats", run.PredictUnknown, "",
		func(s run.Statement, c *Course) { j.job.CompareAll(s, "", c.ahead(hie, st)...) })
	ask("with all examples one shape for all regions still predicts better", "nats", run.PredictUnknown,
		"regions differ in shape; 40 trials",
		func(s run.Statement, c *Course) { j.job.Compare(s, "", c.ahead(sh, st)[len(c.Sizes)-1]) })
}

// haxbyClaims ask the same of real voxels from another study.
func (j judge) haxbyClaims() {
	ask := func(claim, unit string, expected run.Prediction, note string, record func(s run.Statement, c *Course)) {
		s := run.Statement{Claim: "Haxby: " + claim, Source: partText, Data: run.Real, Unit: unit, Prediction: expected,
			Basis: expected.From(run.Theory),
			Note:  strings.TrimSuffix("voxels of another study, leave-one-run-out; "+note, "; ")}
		if j.Haxby == nil {
			j.job.Missing(s, "", "needs haxby/bold.nii.gz")
			return
		}
		record(s, j.Haxby)
	}
	const nats = "nats per run"
	ask("with two runs one shape for all voxels predicts better than one for each", nats, run.PredictYes,
		"StHPM has 120 free parameters for 238 values; three folds",
		func(s run.Statement, c *Course) { j.job.Compare(s, "", c.ahead(sh, st)[0]) })
	ask("with two runs HieHPM performs better than StHPM", nats, run.PredictYes,
		"it may keep the slice whole; three folds",
		func(s run.Statement, c *Course) { j.job.Compare(s, "", c.ahead(hie, st)[0]) })
	ask("HieHPM finds more clusters with more runs", "", run.PredictUnknown, "", func(s run.Statement, c *Course) {
		cells := c.Cells[hie]
		j.job.Order(s, "", fmt.Sprint(cells), cells[len(cells)-1] > cells[0])
	})
	for _, m := range []int{st, sh} {
		ask("with most runs HieHPM performs better than "+models[m].name, nats, run.PredictUnknown,
			"the noise is heteroscedastic, which favours one variance per cell",
			func(s run.Statement, c *Course) { j.job.Compare(s, "", c.ahead(hie, m)[len(c.Sizes)-1]) })
	}
}

// foldwise compares the scores of two models by fold. Those that they learn from overlap, so that the interval is
// somewhat too narrow.
func foldwise(a, b []float64) run.Comparison {
	c := run.Comparison{Differences: slices.Clone(a)}
	for i := range c.Differences {
		c.Differences[i] -= b[i]
	}
	return c
}

// noiseClaims ask whether HieHPM's gain is one of shapes or one of variances.
func (j judge) noiseClaims() {
	for _, name := range []string{fromVoxels, fromROI, fromStandin, fromHaxby} {
		s := j.Sources[name]
		claim := run.Statement{Claim: "HieHPM performs better than ShHPM on " + s.title +
			" also with one variance per voxel", Source: partAlgorithm, Data: s.kind, Prediction: run.PredictUnknown,
			Note: "a split replaces one variance by several, which helps where the noise is heteroscedastic, " +
				"whatever the processes"}
		found := make(map[string][3]Variant)
		for _, v := range j.Variants {
			if v.name == name {
				all := found[v.Noise]
				all[v.Model] = v
				found[v.Noise] = all
			}
		}
		if len(found) == 0 {
			g := j.gaps()[0]
			j.job.Missing(claim, "", fmt.Sprintf("no data; unequal noise alone gives the gain of %.0f nats in %s at "+
				"%d trials where standard deviations of voxels vary by %.0f %%; a fit with one for each would decide",
				g.Split, focus, g.Trials, 100*spread(g.Split, g.Values)))
			continue
		}
		var text [2]string
		for i, noise := range []string{byCluster, byVoxel} {
			v := found[noise]
			text[i] = fmt.Sprintf("%.4g nats more %s with %d cells", v[hie].Score-v[sh].Score, noise, v[hie].Cells)
		}
		v := found[byVoxel]
		if v[hie].Cells == v[sh].Cells { // not split: the same model
			j.job.Order(claim, "", text[0]+"; "+text[1], false)
			continue
		}
		claim.Note, claim.Unit = text[0]+"; "+text[1]+"; "+claim.Note, "nats"
		j.job.Compare(claim, "", foldwise(v[hie].Folds, v[sh].Folds))
	}
}

// gapClaims ask whether the identity of [jensen] explains what unequal noise is worth.
func (j judge) gapClaims() {
	gain := run.Statement{Claim: "Haxby: what one variance per voxel gains over one for all is the identity's, " +
		"within a fifth", Source: partAlgorithm, Data: run.Real, Unit: "nats per run", Prediction: run.PredictYes,
		Basis: run.Theory, Note: "V T / 2 · ln(mean σ² / geometric mean σ²), whatever the processes; exact for the " +
			"runs that were learned from"}
	split := gain
	split.Claim = "Haxby: what HieHPM gains by splitting is no more than the identity"
	split.Note = "its cells have a variance each, of which voxels of a cell have the mean"
	found := false
	for _, g := range j.gaps() {
		if g.source != fromHaxby {
			continue
		}
		found = true
		j.job.Order(gain, "", fmt.Sprintf("%.0f, by the identity %.0f", *g.Voxels, *g.Identity),
			math.Abs(*g.Voxels / *g.Identity - 1) <= 0.2)
		j.job.Order(split, "", fmt.Sprintf("%.0f, at most %.0f", g.Split, *g.Identity), g.Split <= *g.Identity)
	}
	if !found {
		j.job.Missing(gain, "", "no data")
		j.job.Missing(split, "", "no data")
	}
}

// sweepClaims judge how fast Algorithm 2 converges.
func (j judge) sweepClaims() {
	for _, name := range []string{fromVoxels, fromROI, fromStandin, fromHaxby} {
		s := j.Sources[name]
		claim := run.Statement{Claim: "Algorithm 2 converges in 3 to 5 iterations on " + s.title, Source: partModel,
			Data: s.kind, Prediction: run.PredictUnknown,
			Note: fmt.Sprintf("N06 gives no stopping criterion: here a relative decrease of the squared error below "+
				"%g, started from a singular value decomposition; weak signals take longer", tolerances[0])}
		var sweeps [2][]int
		for _, e := range j.Efforts {
			if e.name == name {
				k := slices.Index(tolerances[:], e.Tolerance)
				sweeps[k] = append(sweeps[k], e.Sweeps)
			}
		}
		if sweeps[0] == nil {
			j.job.Missing(claim, "3 to 5", "no data")
			continue
		}
		j.job.Order(claim, "3 to 5", fmt.Sprintf("%d to %d; below %g: %d to %d", slices.Min(sweeps[0]),
			slices.Max(sweeps[0]), tolerances[1], slices.Min(sweeps[1]), slices.Max(sweeps[1])),
			slices.Max(sweeps[0]) <= 5)
	}
}

// simulatedClaims are about studies whose truth is known.
func (j judge) simulatedClaims() {
	state := func(claim, source, unit, note string) run.Statement {
		return run.Statement{Claim: claim, Source: source, Data: run.Simulated, Unit: unit, Prediction: run.PredictYes,
			Basis: run.Theory, Note: note}
	}
	compare := func(s run.Statement, differences []float64) {
		j.job.Compare(s, "", run.Comparison{Differences: differences})
	}
	quiet, loud := j.Recovery[0], j.Recovery[len(j.Recovery)-1]
	var high []float64
	for _, x := range quiet.Rand[hie] {
		high = append(high, x-0.9)
	}
	compare(state("HieHPM finds known clusters when the noise is low", partAlgorithm, "adjusted Rand index less 0.9",
		fmt.Sprintf("clusters that halving splits can find; %.2f with noise of %g", stat.Mean(quiet.Rand[hie], nil),
			quiet.NoiseSD)), high)
	compare(state("it finds less with more noise", partAlgorithm, "adjusted Rand index",
		fmt.Sprintf("%.2f with noise of %g", stat.Mean(loud.Rand[hie], nil), loud.NoiseSD)),
		foldwise(quiet.Rand[hie], loud.Rand[hie]).Differences)
	var under []run.Comparison
	for _, r := range j.Recovery {
		one := foldwise(r.Score[hie], r.Score[st])
		one.Name = fmt.Sprint(r.NoiseSD)
		under = append(under, one)
	}
	j.job.CompareAll(state("where clusters share processes HieHPM predicts better than StHPM under each noise",
		partText, "noises; nats", ""), "", under...)
	u := j.Unequal
	for _, one := range []struct {
		claim, note string
		cells       []float64
		sign        float64
	}{
		{"heteroscedastic noise alone makes HieHPM split a region with shared processes",
			fmt.Sprintf("standard deviations of 1 and %g in the two halves; one variance per cell, as in N06",
				apartRatio), u.Apart[0], 1},
		{"with one variance per voxel it does not", "", u.Apart[1], -1},
		{"nor does it with equal noise", "one variance per cell", u.Equal[0], -1},
	} {
		var halves []float64
		for _, cells := range one.cells {
			halves = append(halves, one.sign*(split([]float64{cells})-0.5))
		}
		unit := "share of the regions split, less one half"
		if one.sign < 0 {
			unit = "one half less the share of the regions split"
		}
		note := fmt.Sprintf("in %.0f %%; %s", 100*split(one.cells), one.note)
		compare(state(one.claim, partAlgorithm, unit, strings.TrimSuffix(note, "; ")), halves)
	}
}
