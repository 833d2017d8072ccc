// Package partition averages over the partitions of items that may have equal parameters: the states of a distribution,
// or the rows of a table (N06 §3.2, where sharing is learned from data).
//
// The weight of a partition is its prior times the marginal likelihood of the cases, which is a product over its
// blocks. So what is asked — how probable it is that two items are tied, the posterior mean of each — needs sums over
// blocks only: exactly for a few items ([Exact]) and for runs of neighbours ([Runs]), by Gibbs sampling otherwise
// ([Gibbs]).
package partition

import (
	"context"
	"math"

	"bnlab/internal/num"
)

// A Family is the marginal likelihood of a block of items with equal parameters, and the mean given that block.
type Family interface {
	// Score is the log marginal likelihood of a block of so many items with the pooled counts, up to a constant
	// that is the same for all partitions.
	Score(pooled []float64, size int) float64
	// Mean writes the posterior mean of the parameters of each item in the block.
	Mean(dst, pooled []float64, size int)
}

// An Average is what the partitions say together, each with its posterior probability.
type Average struct {
	// Tied is the posterior probability that two items are in one block, symmetric, with 1 on the diagonal.
	Tied [][]float64
	// Mean is the posterior mean of the parameters of each item.
	Mean [][]float64
	// Separate is the posterior probability that nothing is tied.
	Separate float64
	// StdErr is the largest standard error of an entry of Tied; 0 for what is summed exactly.
	StdErr float64
}

// States are the states of one distribution, with one count for each: a block of k states has the Dirichlet count
// kAlpha, so its cases have the likelihood Γ(kα+N) / (Γ(kα) k^N), and each of its states the posterior mean
// (N+kα) / (k (Cases+mα)).
type States struct {
	Alpha float64
	// Cases and Items are the sums over all states.
	Cases float64
	Items int

	lgamma *lgammas
}

// Score of a block of states.
func (s States) Score(pooled []float64, size int) float64 {
	a := float64(size) * s.Alpha
	return s.lgamma.at(a+pooled[0]) - s.lgamma.at(a) - pooled[0]*math.Log(float64(size))
}

// Mean of each state of a block.
func (s States) Mean(dst, pooled []float64, size int) {
	a := float64(size) * s.Alpha
	dst[0] = (pooled[0] + a) / (float64(size) * (s.Cases + float64(s.Items)*s.Alpha))
}

// Rows are rows of a table: those of a block are one distribution with the Dirichlet count Alpha for each state.
type Rows struct {
	Alpha float64

	lgamma *lgammas
}

// Score of a block of rows is Σ_j [lnΓ(α+N_j) − lnΓ(α)] − lnΓ(rα+N) + lnΓ(rα).
func (r Rows) Score(pooled []float64, _ int) float64 {
	total, score, one := 0.0, 0.0, r.lgamma.at(r.Alpha)
	for _, n := range pooled {
		if n > 0 {
			score += r.lgamma.at(r.Alpha+n) - one
			total += n
		}
	}
	all := r.Alpha * float64(len(pooled))
	return score - r.lgamma.at(all+total) + r.lgamma.at(all)
}

// Mean of each row of a block.
func (r Rows) Mean(dst, pooled []float64, _ int) {
	total := num.Sum(pooled) + r.Alpha*float64(len(pooled))
	for j, n := range pooled {
		dst[j] = (n + r.Alpha) / total
	}
}

// MostItems is the most that [Of] averages over: sampling takes time that grows with their square.
const MostItems = 500

// Of averages over all partitions of items with these counts: by [Runs] if the items are runs of neighbours, by [Exact]
// for a few, and by [Gibbs] otherwise. It is nil for more than [MaxRuns] or [MostItems], and when ctx was done first.
func Of(ctx context.Context, f Family, counts [][]float64, runs bool, seed uint64) *Average {
	switch m := len(counts); {
	case runs && m <= MaxRuns:
		return Runs(f, counts)
	case m <= MaxExact:
		return Exact(f, counts)
	case m <= MostItems && !runs:
		return Gibbs(ctx, f, counts, 0, seed)
	}
	return nil
}

// OfStates is [Of] for the states of one distribution with these counts; the means sum to one, also where sampling
// leaves a little.
func OfStates(ctx context.Context, n []float64, alpha float64, runs bool, seed uint64) *Average {
	items := make([][]float64, len(n))
	for i := range n {
		items[i] = n[i : i+1]
	}
	a := Of(ctx, States{Alpha: alpha, Cases: num.Sum(n), Items: len(n)}, items, runs, seed)
	if a == nil {
		return nil
	}
	total := 0.0
	for _, mean := range a.Mean {
		total += mean[0]
	}
	for _, mean := range a.Mean {
		mean[0] /= total
	}
	return a
}

// newAverage returns an average of zeros over items with so many parameters.
func newAverage(items, width int) *Average {
	a := &Average{Tied: square(items, items), Mean: square(items, width)}
	for i := range a.Tied {
		a.Tied[i][i] = 1
	}
	return a
}

func square(rows, columns int) [][]float64 {
	all := make([]float64, rows*columns)
	out := make([][]float64, rows)
	for i := range out {
		out[i] = all[i*columns : (i+1)*columns]
	}
	return out
}

// add adds a block with its posterior probability.
func (a *Average) add(members []int, weight float64, mean []float64) {
	for _, i := range members {
		for _, j := range members {
			if i != j {
				a.Tied[i][j] += weight
			}
		}
		for k, x := range mean {
			a.Mean[i][k] += weight * x
		}
	}
}
