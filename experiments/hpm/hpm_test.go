package hpm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/stat"

	"bnlab/bnkit/hpm"
	"bnlab/experiments/run"
)

// near reports whether got is want within an absolute or a relative tolerance.
func near(t testing.TB, got, want, abs, rel float64) bool {
	t.Helper()
	if !scalar.EqualWithinAbsOrRel(got, want, abs, rel) {
		t.Errorf("got %v, want %v (within %v or %v of it)", got, want, abs, rel)
		return false
	}
	return true
}

func tables(t testing.TB) published {
	t.Helper()
	p, err := publishedTables()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPublished checks sums that the paper states: 4,698 voxels, 24 regions, 40 trials in steps of two.
func TestPublished(t *testing.T) {
	p := tables(t)
	voxels := 0
	for _, r := range p.table3 {
		voxels += r.size
	}
	if len(p.table2) != 18 || len(p.table3) != 24 || voxels != 4698 || p.whole.size != 4698 || p.whole.cells != 299 {
		t.Errorf("%d and %d rows, %d voxels, %+v", len(p.table2), len(p.table3), voxels, p.whole)
	}
	for i, r := range p.table2 {
		if r.size != 6+2*i {
			t.Errorf("row %d of Table 2 has %d trials", i+1, r.size)
		}
	}
	if r, ok := p.trials(12); !ok || r.score != [3]float64{-25085, -24079, -24084} || r.cells != 1 {
		t.Errorf("12 trials: %+v", r)
	}
	if few, many := p.gain(6, sh, st), p.gain(40, st, sh); few != 30497-24020 || many != 24182-24024 {
		t.Errorf("ShHPM is %v nats above StHPM at 6 trials and %v below at 40", few, many)
	}
}

// TestSaturated compares the formula with a simulation that knows nothing of processes: the means of n trials
// of each order and their maximum-likelihood variance, on a new pair.
func TestSaturated(t *testing.T) {
	// By hand at n = 2: −½ log 2πσ² − ½ log ½ − 3/2 for each value.
	near(t, saturated(3, 4, 2, 6.2), 12*(-0.5*math.Log(2*math.Pi*6.2)+0.5*math.Log(2)-1.5), 0, 1e-14)
	const cells, sd = 20000, 1.7
	rng := rand.New(rand.NewPCG(5, 0))
	for _, n := range []int{2, 5, 19} {
		within, held := 0.0, 0.0
		for range cells {
			x := make([]float64, n)
			for i := range x {
				x[i] = sd * rng.NormFloat64()
			}
			m := stat.Mean(x, nil)
			for _, v := range x {
				within += (v - m) * (v - m)
			}
			fresh := sd*rng.NormFloat64() - m
			held += fresh * fresh
		}
		variance := within / float64(n*cells)
		score := -0.5*cells*math.Log(2*math.Pi*variance) - held/(2*variance)
		// The standard error of Σ e²/2σ̂² is about √(2 cells)(n+1)/2(n−1) nats: 0.4 % at n = 2.
		near(t, score, saturated(cells, 1, float64(n), sd*sd), 0, 0.015)
	}
}

// TestFitVariance recovers the variance behind scores that follow the formula, and finds that of N06 Table 2.
func TestFitVariance(t *testing.T) {
	trials := []int{6, 10, 40}
	var scores []float64
	for _, n := range trials {
		scores = append(scores, saturated(318, 32, trained(n), 3.3))
	}
	variance, rms, worst := fitVariance(318, 32, trials, scores)
	near(t, variance, 3.3, 0, 1e-12)
	near(t, rms+worst, 0, 1e-9, 0)
	// Least squares: no other variance is closer to the published column.
	all, score := tables(t).columns()
	variance, rms, _ = fitVariance(318, 32, all, score[st])
	for _, other := range []float64{variance * 0.999, variance * 1.001} {
		miss := 0.0
		for i, n := range all {
			d := saturated(318, 32, trained(n), other) - score[st][i]
			miss += d * d / float64(len(all))
		}
		if math.Sqrt(miss) <= rms {
			t.Errorf("σ² %v misses by %v, %v by %v", variance, rms, other, math.Sqrt(miss))
		}
	}
	if n := trained(40); n != 19 || trained(6) != 2 {
		t.Errorf("%v trials of each order are left of 40, want 19", n)
	}
	// With n = size/2, the pair not counted, the formula misses by thousands.
	if off := saturated(318, 32, 3, variance) - score[st][0]; off < 2000 {
		t.Errorf("at 6 trials, none held out: %v above the published score", off)
	}
}

func TestEquivalent(t *testing.T) {
	trials, scores := []int{10, 20, 40}, []float64{-4, -2, -1}
	for score, want := range map[float64]Worth{
		-4:   {Equivalent: 10},
		-5:   {Equivalent: 10, Beyond: -1},
		-3:   {Equivalent: math.Sqrt(200)}, // half way on a logarithmic axis
		-2:   {Equivalent: 20},
		-0.5: {Equivalent: 40, Beyond: 1},
	} {
		n, beyond := equivalent(trials, scores, score)
		if !near(t, n, want.Equivalent, 1e-12, 0) || beyond != want.Beyond {
			t.Errorf("%v: %v (%d), want %v (%d)", score, n, beyond, want.Equivalent, want.Beyond)
		}
	}
	all := worths(trials, scores, []float64{-3, -2, 0})
	mean, reached := factor(all)
	near(t, mean, (math.Sqrt(2)+1)/2, 1e-12, 0)
	if reached != 2 || all[2].String() != ">40" {
		t.Errorf("%d reached, %v", reached, all)
	}
	if got, want := factorText(all), "1.2, at the 2 of 3 sizes where it gets there"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := factorText(all[2:]); strings.Contains(got, "0.0") || !strings.Contains(got, "no size") {
		t.Errorf("nowhere reached: %q", got)
	}
}

func TestFormulaVoxels(t *testing.T) {
	p := tables(t)
	voxels := formulaVoxels(p.table3)
	size, place := make(map[string]int), make(map[[3]int]bool)
	for _, v := range voxels {
		size[v.Region]++
		place[[3]int{v.X, v.Y, v.Z}] = true
		if v.Z < 1 || v.Z > layers {
			t.Fatalf("voxel %+v is in no slice", v)
		}
	}
	if len(voxels) != 4698 || len(place) != 4698 {
		t.Errorf("%d voxels at %d places", len(voxels), len(place))
	}
	for _, r := range p.table3 {
		if size[r.name] != r.size {
			t.Errorf("region %s has %d voxels, want %d", r.name, size[r.name], r.size)
		}
	}
}

func stream(region int) rand.Source { return rand.NewPCG(9, uint64(region)) }

// TestStandin looks at what was made: clusters, noise, and that a region does not depend on the others.
func TestStandin(t *testing.T) {
	p := tables(t)
	s := defaultStandin()
	voxels := formulaVoxels([]row{p.table3[0], p.table3[8]}) // CALC and LSGA
	study, truth := s.make(voxels, stream)
	if warnings, err := study.Check(); err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	distinct := slices.Compact(slices.Sorted(slices.Values(truth.cluster)))
	if want := (318+79)/80 + 1; len(distinct) != want {
		t.Errorf("%d clusters, want %d", len(distinct), want)
	}
	// What is left without the responses, laid out by hand, is noise.
	var noise []float64
	for n, trial := range study.Trials {
		first, second := 0, 1
		if n%2 == 1 {
			first, second = 1, 0
		}
		for v := range voxels {
			for image := range images {
				x := trial.Data[image*len(voxels)+v] - truth.response[v][first][image]
				if image >= 16 {
					x -= truth.response[v][second][image-16]
				}
				noise = append(noise, x)
			}
		}
	}
	// 414,720 values with kurtosis 9: the mean has a standard error of 0.004, the variance of 0.027.
	mean, variance := stat.MeanVariance(noise, nil)
	near(t, mean, 0, 0.016, 0)
	near(t, variance, 6.2, 0.12, 0)
	if k := stat.ExKurtosis(noise, nil); k < 2 {
		t.Errorf("excess kurtosis %v: no heavy tails", k)
	}
	alone, _ := s.make(voxels[318:], func(int) rand.Source { return stream(1) })
	for n, trial := range alone.Trials {
		for image := range images {
			all := study.Trials[n].Data[image*len(voxels):][318:324]
			if !slices.Equal(trial.Data[image*6:(image+1)*6], all) {
				t.Fatalf("trial %d, image %d: LSGA is other without CALC", n+1, image+1)
			}
		}
	}
}

// TestSevenClusters counts: three quadrants of 36 voxels and four of 9.
func TestSevenClusters(t *testing.T) {
	size := make(map[int]int)
	for _, v := range square() {
		size[sevenClusters(v)]++
	}
	if got := fmt.Sprint(size); got != "map[0:9 1:9 2:9 3:9 4:36 5:36 6:36]" {
		t.Error(got)
	}
}

func TestBlocks(t *testing.T) {
	trials, processes, err := blocks([]byte("rest 0\nface 0\nface 0\nhouse 0\nrest 0\nface 1\nrest 1\nface 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(len(trials), trials[0].Images, trials[0].Onsets, trials[1].Images, trials[1].Onsets, processes)
	if want := "2 5 [{face 2} {house 4}] 3 [{face 1} {face 3}] [{face 15} {house 15}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, bad := range []string{"", "rest", "rest x", "rest 1", "rest 0\nrest 2"} {
		if _, _, err := blocks([]byte(bad)); err == nil || !strings.Contains(err.Error(), "line") {
			t.Errorf("%q: error %v", bad, err)
		}
	}
}

// TestJackknife: before the second stimulus the response is a mean over the trials of one order, whose jackknife
// error is that of a mean.
func TestJackknife(t *testing.T) {
	s := defaultStandin()
	s.Trials = 8
	study, _ := s.make(formulaVoxels([]row{{name: "A", size: 3}}), stream)
	stderr, err := jackknife(t.Context(), study, study.LeaveOneOfEachOut())
	if err != nil {
		t.Fatal(err)
	}
	for v := range 3 {
		for image := range 16 {
			var x []float64
			for n := 0; n < 8; n += 2 { // sentence first
				x = append(x, study.Trials[n].Data[image*3+v])
			}
			near(t, stderr[v][0][image], stat.StdDev(x, nil)/2, 0, 1e-8)
		}
	}
}

func TestCounting(t *testing.T) {
	rows := []row{{score: [3]float64{1, 2, 2}}, {score: [3]float64{1, 1, 3}}, {score: [3]float64{2, 1, 1}}}
	if above, tied := wins(rows, sh, st); above != 1 || tied != 1 || winText(above, tied) != "1, and 1 as good" {
		t.Errorf("%d above, %d tied", above, tied)
	}
	n, a, b := []int{6, 8, 10}, []float64{1, 5, 4}, []float64{0, 1, 4}
	if at, gap := widest(n, a, b); at != 8 || gap != 4 {
		t.Errorf("widest at %d: %v", at, gap)
	}
	if got := below(n, a, b); !slices.Equal(got, []int{10}) || except(got) != "not at [10]" ||
		except(nil) != "at all sizes" {
		t.Errorf("below at %v", got)
	}
	if got := rises(n, a); got != "falls at [10]" {
		t.Error(got)
	}
	if got := split([]float64{1, 2, 1, 4}); got != 0.5 {
		t.Error(got)
	}
	if got := slice([]hpm.Voxel{{X: 1, Z: 5}, {X: 2, Z: 4}, {X: 1, Z: 5}, {X: 3, Z: 5}}, 5); !slices.Equal(got,
		[]int{0, 3}) {
		t.Error(got)
	}
}

func TestConfig(t *testing.T) {
	for _, p := range []run.Profile{run.Quick, run.Paper} {
		if err := ConfigFor(p).check(); err != nil {
			t.Error(err)
		}
	}
	for _, spoil := range []func(*Config){
		func(c *Config) { c.Sizes = []int{7} },
		func(c *Config) { c.Sizes = []int{42} },
		func(c *Config) { c.Replicates = 1 },
		func(c *Config) { c.HaxbyRuns = []int{12} },
		func(c *Config) { c.Regions = []string{"LSGA"} },
		func(c *Config) { c.Standin.Trials = 8 },
		func(c *Config) { c.Standin.Degrees = math.NaN() },
	} {
		c := ConfigFor(run.Paper)
		spoil(&c)
		if c.check() == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
}

// TestIdentity: variances of 1 and 2.25 have the means 1.625 and 1.5; CALC's count of dimensions at six trials is
// 6,649; and the nats of a spread give the spread again.
func TestIdentity(t *testing.T) {
	near(t, jensen([]float64{1, 2.25}, 64), 32*math.Log(1.625/1.5), 1e-12, 0)
	near(t, jensen([]float64{3, 3, 3}, 64), 0, 1e-12, 0)
	near(t, dimensions(318*32, trained(6)), 6649, 0.5, 0)
	if dimensions(1, 1000) > 0.01 {
		t.Error("with many trials sharing is still worth much")
	}
	src := rand.New(rand.NewPCG(1, 0))
	variance := make([]float64, 200_000)
	for i := range variance {
		variance[i] = math.Exp(2 * 0.3 * src.NormFloat64())
	}
	near(t, spread(jensen(variance, 64), 64), 0.3, 0, 0.01)
}

// TestIdentityOfFits: fits with the same processes differ in log-likelihood by the identity: here there is one voxel
// shape, so close to it, for two halves with noise of 1 and 1.5.
func TestIdentityOfFits(t *testing.T) {
	study := defaultStandin().simulate(square(), func(hpm.Voxel) int { return 0 }, func(v hpm.Voxel) float64 {
		if v.X >= squareSide/2 {
			return 1.5
		}
		return 1
	}, squareTrials, rand.NewPCG(1, 0))
	var fits [2]*hpm.Model
	for i, each := range []bool{false, true} {
		var err error
		if fits[i], err = hpm.Fit(t.Context(), study, hpm.Shared, &hpm.Settings{VoxelNoise: each}); err != nil {
			t.Fatal(err)
		}
	}
	gain := (fits[1].LogLikelihood - fits[0].LogLikelihood) / float64(len(study.Trials))
	near(t, gain, jensen(fits[1].Variance, valuesOf(study)), 0, 0.01)
}
