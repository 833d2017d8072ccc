package sharing

import (
	"context"
	"slices"

	"bnlab/internal/partition"
)

// An Average is what all partitions of the members say together, each with its posterior probability, the prior of
// parameters being that of Settings without Restrict. Nothing is picked, so the cases are used once: a mean is what
// predicts best under the prior, and a pair is as likely tied as it says.
//
// Up to ten members are summed exactly, half of the prior on nothing tied, the rest in proportion to Ewens'
// distribution with θ = m members: θ^b Π (k_G − 1)! for b groups of sizes k_G. More are sampled (Gibbs), each number of
// groups being as likely as another, and so the S(m, b) partitions into b groups among themselves. With Settings.Runs
// groups are runs of neighbouring states, half of the prior on nothing tied, summed exactly up to 400 members.
type Average struct {
	// Tied is the posterior probability that two members are in one group, by their numbers.
	Tied [][]float64
	// Mean is the posterior mean of the probabilities: by state, or by row of the table and state.
	Mean []float64
	// Separate is the posterior probability that nothing is tied.
	Separate float64
	// StdErr is the largest standard error of an entry of Tied; 0 for exact sums.
	StdErr float64
}

// averageStates averages over partitions of the states; nil for too many.
func (s *search) averageStates(n []float64) *Average {
	return average(partition.OfStates(context.Background(), n, s.Alpha, s.Runs, s.Seed))
}

// averageRows averages over partitions of the rows, of so many states each; nil for too many.
func (s *search) averageRows(n []float64, states int) *Average {
	rows := slices.Collect(slices.Chunk(n, states))
	return average(partition.Of(context.Background(), partition.Rows{Alpha: s.Alpha}, rows, s.Runs, s.Seed))
}

func average(a *partition.Average) *Average {
	if a == nil {
		return nil
	}
	return &Average{Tied: a.Tied, Mean: slices.Concat(a.Mean...), Separate: a.Separate, StdErr: a.StdErr}
}
