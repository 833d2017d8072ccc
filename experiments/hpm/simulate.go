package hpm

import (
	"context"
	"math"
	"math/rand/v2"

	"bnlab/bnkit/hpm"
	"bnlab/bnkit/metric"
	"bnlab/experiments/run"
)

const (
	squareSide   = 12 // voxels, of the region of a simulation
	squareTrials = 20
)

// square is a region of one slice.
func square() []hpm.Voxel {
	var voxels []hpm.Voxel
	for y := range squareSide {
		for x := range squareSide {
			voxels = append(voxels, hpm.Voxel{X: x, Y: y, Region: "square"})
		}
	}
	return voxels
}

// sevenClusters are three quadrants of the square and the four quadrants of the fourth, which splits through the
// middle find exactly.
func sevenClusters(v hpm.Voxel) int {
	const half = squareSide / 2
	switch {
	case v.X >= half && v.Y >= half:
		return 6
	case v.X >= half:
		return 5
	case v.Y >= half:
		return 4
	}
	return v.X/(half/2) + 2*(v.Y/(half/2))
}

// simulate draws clusters' processes and voxels' amplitudes as the stand-in has them, and signals with Gaussian
// noise of a standard deviation by voxel.
func (s Standin) simulate(voxels []hpm.Voxel, cluster func(hpm.Voxel) int, sd func(hpm.Voxel) float64, trials int,
	src rand.Source) *hpm.Study {
	rng := rand.New(src)
	base := make(map[int][2][]float64)
	response := make([][2][]float64, len(voxels))
	waves := [2][]wave{newWaves(rng), newWaves(rng)}
	for i, v := range voxels {
		c := cluster(v)
		if _, ok := base[c]; !ok {
			base[c] = [2][]float64{s.process(rng), s.process(rng)}
		}
		for k := range 2 {
			response[i][k] = scaled(math.Exp(s.Smooth*field(waves[k], v)), base[c][k])
		}
	}
	study := &hpm.Study{Processes: twoProcesses(), Voxels: voxels, ImageSeconds: imageSeconds}
	for n := range trials {
		t := trial(n%2 == 0)
		for image := range t.Images {
			for i, v := range voxels {
				t.Data = append(t.Data, mean(study.Processes, t.Onsets, image, response[i])+sd(v)*rng.NormFloat64())
			}
		}
		study.Trials = append(study.Trials, t)
	}
	return study
}

// A Recovery is how well known clusters are found again under a noise, by model and replicate.
type Recovery struct {
	NoiseSD float64
	// Rand is the adjusted index of Hubert and Arabie, Score in nats per trial.
	Rand, Score [3][]float64
}

// recovery simulates with each noise. The same replicate has the same processes and amplitudes under all.
func recovery(ctx context.Context, job *run.Job, c Config) ([]Recovery, error) {
	all := make([]Recovery, len(c.RecoveryNoise))
	for i, sd := range c.RecoveryNoise {
		all[i].NoiseSD = sd
		for m := range models {
			all[i].Rand[m], all[i].Score[m] = make([]float64, c.Replicates), make([]float64, c.Replicates)
		}
	}
	voxels := square()
	truth := make([]int, len(voxels))
	for i, v := range voxels {
		truth[i] = sevenClusters(v)
	}
	err := job.Replicates(ctx, "recover clusters", len(all)*c.Replicates, func(task int, _ *rand.PCG) error {
		r, replicate := &all[task%len(all)], task/len(all)
		study := c.Standin.simulate(voxels, sevenClusters, func(hpm.Voxel) float64 { return r.NoiseSD }, squareTrials,
			job.Source(recoveryStream, replicate))
		for m, model := range models {
			v, err := study.CrossValidate(ctx, model.sharing, &hpm.Settings{Workers: 1})
			if err != nil {
				return err
			}
			r.Rand[m][replicate], r.Score[m][replicate] = metric.AdjustedRandIndex(truth, v.Model.Partition()), v.Score
		}
		return nil
	})
	return all, err
}

// Unequal is what happens to a region that truly shares its processes when the noise of its voxels is unequal: how many
// cells there are, by kind of noise that is modelled and replicate.
type Unequal struct {
	Equal, Apart [2][]float64
}

// apartRatio is that of the standard deviations in the two halves of the region.
const apartRatio = 1.5

// unequal simulates one cluster, with equal noise and with unequal.
func unequal(ctx context.Context, job *run.Job, c Config) (Unequal, error) {
	var u Unequal
	for k := range 2 {
		u.Equal[k], u.Apart[k] = make([]float64, c.Replicates), make([]float64, c.Replicates)
	}
	err := job.Replicates(ctx, "unequal noise", c.Replicates, func(replicate int, _ *rand.PCG) error {
		for i, cells := range []*[2][]float64{&u.Equal, &u.Apart} {
			study := c.Standin.simulate(square(), func(hpm.Voxel) int { return 0 }, func(v hpm.Voxel) float64 {
				if i == 1 && v.X >= squareSide/2 {
					return 2 * apartRatio
				}
				return 2
			}, squareTrials, job.Source(unequalStream, replicate))
			for k, noise := range []bool{false, true} {
				m, err := hpm.Fit(ctx, study, hpm.Hierarchical, &hpm.Settings{VoxelNoise: noise, Workers: 1})
				if err != nil {
					return err
				}
				cells[k][replicate] = float64(len(m.Clusters))
			}
		}
		return nil
	})
	return u, err
}

// Saturated is StHPM on Gaussian noise of known variance, in the dimensions of CALC.
type Saturated struct {
	Sizes    []int
	Score    []float64 // by size
	Expected []float64
}

// saturation cross-validates StHPM.
func saturation(ctx context.Context, job *run.Job, c Config, p published) (Saturated, error) {
	job.Step("StHPM on Gaussian noise")
	s := Saturated{Sizes: c.Sizes}
	r, _ := p.region(focus)
	voxels := formulaVoxels([]row{r})
	study := c.Standin.simulate(voxels, func(hpm.Voxel) int { return 0 },
		func(hpm.Voxel) float64 { return math.Sqrt(c.Standin.Variance) }, c.Standin.Trials,
		job.Source(saturatedStream, 0))
	folds := study.LeaveOneOfEachOut()
	for _, n := range s.Sizes {
		part, err := only(study, folds, n)
		if err != nil {
			return s, err
		}
		v, err := validate(ctx, job, part, hpm.Voxelwise, false)
		if err != nil {
			return s, err
		}
		s.Score, s.Expected = append(s.Score, v.Score),
			append(s.Expected, saturated(len(voxels), images, trained(n), c.Standin.Variance))
	}
	return s, nil
}
