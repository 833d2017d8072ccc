package guarantees

import (
	"context"
	"math"
	"math/rand/v2"

	"bnlab/bnkit/hpm"
)

// A processTruth is one process in several voxels, always at the first image: the signal has these means, by voxel and
// image, and noise of variance 1. Type 14 says that the means are multiples of one shape, M = c p', and that all
// variances are equal.
type processTruth [][]float64

// A process is an estimate of the means and of the variance.
type process struct {
	means    [][]float64
	variance float64
}

// Truths for type 14: shapes that are multiples of one, that are not, and two shapes that explain equally much.
var (
	oneShape  = processTruth{{0, 2, 1, 0.5}, {0, 1, 0.5, 0.25}, {0, -1, -0.5, -0.25}}
	twoShapes = processTruth{{0, 2, 1, 0.5}, {0, 1, 0.5, 0.25}, {1, 0, 0.5, 0}}
	twoEqual  = processTruth{{2, 0}, {0, 2}}
)

// divergence is KL(P, Q) in nats per trial.
func (t processTruth) divergence(q process) float64 {
	sum := 0.0
	for v, row := range t {
		for i, m := range row {
			off := m - q.means[v][i]
			sum += (math.Log(q.variance) + (1+off*off)/q.variance - 1) / 2
		}
	}
	return sum
}

// estimate is Algorithm 2 on any trials whose means and mean squared deviations from them, by voxel and image, are
// these: on two of them.
func (t processTruth) estimate(ctx context.Context, means, squares [][]float64) (process, error) {
	images := len(t[0])
	s := &hpm.Study{Processes: []hpm.Process{{Name: "shape", Length: images}}, Voxels: make([]hpm.Voxel, len(t))}
	for _, sign := range []float64{-1, 1} {
		trial := hpm.Trial{Images: images, Onsets: []hpm.Onset{{Process: "shape", Image: 1}}}
		for i := range images {
			for v := range t {
				trial.Data = append(trial.Data, means[v][i]+sign*math.Sqrt(squares[v][i]))
			}
		}
		s.Trials = append(s.Trials, trial)
	}
	m, err := hpm.Fit(ctx, s, hpm.Shared, &hpm.Settings{Workers: 1, Tolerance: 1e-14})
	if err != nil {
		return process{}, err
	}
	q := process{variance: m.Variance[0]}
	for v := range t {
		q.means = append(q.means, m.Response(v)[0])
	}
	return q, nil
}

// constant is x for each voxel and image.
func (t processTruth) constant(x float64) [][]float64 {
	all := make([][]float64, len(t))
	for v := range all {
		all[v] = make([]float64, len(t[0]))
		for i := range all[v] {
			all[v][i] = x
		}
	}
	return all
}

// best is P*: the estimate from the true means and variances.
func (t processTruth) best(ctx context.Context) (process, error) {
	return t.estimate(ctx, t, t.constant(1))
}

// rival is the estimate from other means and variances. Each distribution of one shape is such an estimate.
func (t processTruth) rival(ctx context.Context, sigma float64, rng *rand.Rand) (process, error) {
	means := t.constant(0)
	for v, row := range t {
		for i, m := range row {
			means[v][i] = m + sigma*rng.NormFloat64()
		}
	}
	return t.estimate(ctx, means, t.constant(math.Exp(sigma*rng.NormFloat64())))
}

// follow draws one sample and estimates from its prefixes. Sums over trials are all that an estimate needs.
func (t processTruth) follow(ctx context.Context, examples []int, src rand.Source) ([]process, error) {
	rng := rand.New(src)
	sum, square := t.constant(0), t.constant(0)
	means, deviations := t.constant(0), t.constant(0)
	var list []process
	drawn := 0
	for _, n := range examples {
		for ; drawn < n; drawn++ {
			for v, row := range t {
				for i := range row {
					e := rng.NormFloat64()
					sum[v][i] += e
					square[v][i] += e * e
				}
			}
		}
		for v, row := range t {
			for i, m := range row {
				e := sum[v][i] / float64(n)
				means[v][i], deviations[v][i] = m+e, square[v][i]/float64(n)-e*e
			}
		}
		q, err := t.estimate(ctx, means, deviations)
		if err != nil {
			return nil, err
		}
		list = append(list, q)
	}
	return list, nil
}

// apart is the distance of two estimates' means, the root of the sum of squares.
func (q process) apart(p process) float64 {
	sum := 0.0
	for v, row := range q.means {
		for i, m := range row {
			sum += (m - p.means[v][i]) * (m - p.means[v][i])
		}
	}
	return math.Sqrt(sum)
}
