package guarantees

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// Theorems 3 and 4 for the continuous types. The proofs carry over to 12 and 13 with moments in place of counts,
// E[zz'], E[zy] and E[y²] for the columns z of what shares a weight: the estimate from the true moments maximizes
// E log Q, so it is the closest; and the moments of a sample converge by the law of large numbers, where second moments
// exist, and the estimate is a continuous function of them, where E[zz'] has full rank and a residual is left. The
// truth need not be linear or Gaussian.
//
// For type 14 the estimate from the true moments is the closest too, if it is the maximum, which Algorithm 2 finds for
// one process (a singular value decomposition) and need not find for several. But "this implies that P̂ converges to
// P*" does not carry over: there may be several closest distributions, and then the estimate is no continuous function
// of the moments. Two voxels with orthogonal responses of equal size are an example ([twoEqual]): every unit vector is
// as good a shape, and samples choose among them for ever. What converges is KL(P, P̂).

// spreads are distances between the estimates of one sample and the next, by size and sample.
type spreads [][]float64

// shared is type 14.
func shared(name string) class { return class{number: 14, name: name} }

// continuousDivergences is the part of Theorems 3 and 4 for types 12 to 14.
func (r *Results) continuousDivergences(ctx context.Context, job *run.Job) error {
	line, err := newLineTruth()
	if err != nil {
		return err
	}
	var lines []*course
	for _, c := range stockClasses() {
		for _, wrong := range []bool{false, true} {
			one := &course{class: c, wrong: wrong}
			one.statements = append(one.statements, c.right)
			if wrong {
				one.statements[0] = c.wrong
			}
			lines = append(lines, one)
		}
	}
	for _, one := range lines {
		q, err := line.best(one.statements...)
		if err != nil {
			return err
		}
		one.best = line.divergence(q)
	}
	truths := []processTruth{oneShape, twoShapes, twoEqual}
	processes := []*course{{class: shared("shared process")}, {class: shared("shared process"), wrong: true},
		{class: shared("shared process, two equal shapes"), wrong: true}}
	for i, one := range processes {
		q, err := truths[i].best(ctx)
		if err != nil {
			return err
		}
		one.best = truths[i].divergence(q)
	}
	all := append(lines, processes...)
	estimates := make([][][]process, len(truths)) // by truth, sample and size
	for i := range estimates {
		estimates[i] = make([][]process, r.Config.Samples)
	}
	for _, one := range all {
		one.kl = newGrid(len(r.Config.Examples), r.Config.Samples)
	}
	follow := func(sample int, _ *rand.PCG) error {
		if err := line.follow(r.Config, lines, sample, job.Source(streamLines, sample)); err != nil {
			return err
		}
		for i, truth := range truths {
			list, err := truth.follow(ctx, r.Config.Examples, job.Source(streamProcesses+uint32(i), sample))
			if err != nil {
				return err
			}
			estimates[i][sample] = list
			for size, q := range list {
				processes[i].kl[size][sample] = truth.divergence(q)
			}
		}
		return nil
	}
	if err := job.Replicates(ctx, "follow growing continuous samples", r.Config.Samples, follow); err != nil {
		return err
	}
	r.Courses = append(r.Courses, all...)
	r.Simple, r.Tied = apart(estimates[1], len(r.Config.Examples)), apart(estimates[2], len(r.Config.Examples))
	return r.continuousRivals(ctx, job, line)
}

// apart compares the estimates of each sample with those of the next.
func apart(samples [][]process, sizes int) spreads {
	s := newGrid(sizes, len(samples))
	for size, row := range s {
		for i := range row {
			row[i] = samples[i][size].apart(samples[(i+1)%len(samples)][size])
		}
	}
	return s
}

// continuousRivals is Theorem 3 for types 12 to 14, as [compete] is for tables.
func (r *Results) continuousRivals(ctx context.Context, job *run.Job, line *lineTruth) error {
	against := func(c class, best float64, rival func(sigma float64, rng *rand.Rand) (kl, violation float64,
		err error)) error {
		rng := rand.New(job.Source(streamRivals, c.number))
		one := closest{class: c, rivals: r.Config.Rivals, best: best, nearest: math.Inf(1)}
		for range one.rivals {
			kl, violation, err := rival(0.01*math.Pow(300, rng.Float64()), rng)
			if err != nil {
				return say.Errorf("%s: %w", c.label(), err)
			}
			one.nearest, one.mean = min(one.nearest, kl), one.mean+kl/float64(one.rivals)
			one.violation = max(one.violation, violation)
			if kl < best {
				one.closer++
			}
		}
		r.Closest = append(r.Closest, one)
		return nil
	}
	for k, c := range stockClasses() {
		q, err := line.best(c.wrong)
		if err != nil {
			return err
		}
		other := []int{2, 3}[k] // whose weight the wrong statement makes that of large1
		err = against(c, line.divergence(q), func(sigma float64, rng *rand.Rand) (float64, float64, error) {
			g, err := line.rival(c.wrong, sigma, rng)
			if err != nil {
				return 0, 0, err
			}
			return line.divergence(g), math.Abs(g.weights[0] - g.weights[other]), nil
		})
		if err != nil {
			return err
		}
	}
	q, err := twoShapes.best(ctx)
	if err != nil {
		return err
	}
	return against(shared("shared process"), twoShapes.divergence(q), func(sigma float64, rng *rand.Rand) (float64,
		float64, error) {
		g, err := twoShapes.rival(ctx, sigma, rng)
		if err != nil {
			return 0, 0, err
		}
		return twoShapes.divergence(g), g.secondShape(), nil
	})
}

// secondShape is 0 where the means are multiples of one shape: the largest of their 2 × 2 minors with the first row.
func (q process) secondShape() float64 {
	largest, first := 0.0, q.means[0]
	for _, row := range q.means {
		for i := range row {
			for j := range i {
				largest = max(largest, math.Abs(row[i]*first[j]-row[j]*first[i]))
			}
		}
	}
	return largest
}

// newGrid makes room by size and sample.
func newGrid(sizes, samples int) [][]float64 {
	grid := make([][]float64, sizes)
	for i := range grid {
		grid[i] = make([]float64, samples)
	}
	return grid
}

// continuousClaims judges what is other than for tables.
func (r *Results) continuousClaims(job *run.Job) {
	last := len(r.Config.Examples) - 1
	for _, one := range []struct {
		what     string
		of       spreads
		expected run.Prediction
		note     string
	}{
		{"one closest distribution", r.Simple, run.PredictYes,
			"the largest singular value of the means is a simple one"},
		{"two voxels with orthogonal responses of equal size", r.Tied, run.PredictNo,
			"all unit vectors are equally good shapes; the divergence still falls to its minimum"},
	} {
		first, _ := meanError(one.of[0])
		end, _ := meanError(one.of[last])
		job.Order(run.Statement{
			Claim:  "type 14: P̂ converges to P* with probability 1, " + one.what,
			Source: "N06 §6.2, conjecture", Data: run.Simulated, Unit: "distance of two samples' estimates",
			Prediction: one.expected, Basis: run.Theory,
			Note: one.note + "; judged: at the most examples it is at most a tenth of that at the fewest",
		}, "0", fmt.Sprintf("%.3g at %d examples, %.3g at %d", first, r.Config.Examples[0], end,
			r.Config.Examples[last]), end <= 0.1*first)
	}
}

// apartTable is how far the estimates of samples are from each other under type 14.
func (r *Results) apartTable() *run.Table {
	t := run.NewTable("truth", "examples", "mean_distance", "stderr", "replicates")
	for _, one := range []struct {
		name string
		of   spreads
	}{{"one closest distribution", r.Simple}, {"two equal shapes", r.Tied}} {
		for size, n := range r.Config.Examples {
			mean, stderr := meanError(one.of[size])
			t.Append(one.name, n, mean, stderr, r.Config.Samples)
		}
	}
	return t
}
