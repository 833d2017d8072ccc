package data

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"bnlab/internal/say"
)

// Merge returns the counts of the rows of c and of other together, as one pass over all rows would.
// The rows of c are weighted by fading, 1 for no fading. It returns an error for counts of another
// network, a fading that is negative or not finite, and a sum that is not finite.
func (c *Counts) Merge(fading float64, other *Counts) (*Counts, error) {
	if err := mergeable(fading, len(c.N), len(other.N), len(c.Skipped), len(other.Skipped)); err != nil {
		return nil, err
	}
	out := &Counts{Layout: c.Layout, N: merged(fading, c.N, other.N), Rows: fading*c.Rows + other.Rows,
		Skipped: merged(fading, c.Skipped, other.Skipped)}
	for _, n := range append(out.N, out.Rows) {
		if math.IsInf(n, 0) || math.IsNaN(n) {
			return nil, say.Errorf("data: counts cannot be merged: a sum is %v", n)
		}
	}
	return out, nil
}

// Merge returns the moments of the rows of m and of other together; see [Counts.Merge].
func (m *Moments) Merge(fading float64, other *Moments) (*Moments, error) {
	err := mergeable(fading, len(m.Factors), len(other.Factors), len(m.Skipped), len(other.Skipped))
	if err != nil {
		return nil, err
	}
	out := &Moments{Factors: make([][]Factor, len(m.Factors)), Rows: fading*m.Rows + other.Rows,
		Skipped: merged(fading, m.Skipped, other.Skipped)}
	for v, factors := range m.Factors {
		if len(factors) != len(other.Factors[v]) {
			return nil, errOtherNetwork
		}
		for config, f := range factors {
			g := other.Factors[v][config]
			if f.R != nil && g.R != nil && len(f.R) != len(g.R) {
				return nil, errOtherNetwork
			}
			f = f.faded(fading).Merge(g)
			if !f.IsFinite() {
				return nil, fmt.Errorf("data: moments cannot be merged: a sum of squares of variable %d is no finite "+
					"number", v+1)
			}
			out.Factors[v] = append(out.Factors[v], f)
		}
	}
	return out, nil
}

// faded is the factor of rows whose weights are multiplied.
func (f Factor) faded(by float64) Factor {
	if by == 0 || f.R == nil {
		return Factor{}
	}
	out := Factor{N: by * f.N, R: slices.Clone(f.R)}
	for i := range out.R {
		out.R[i] *= math.Sqrt(by)
	}
	return out
}

var errOtherNetwork = errors.New("data: statistics of two networks cannot be merged")

func mergeable(fading float64, sizes ...int) error {
	if !(fading >= 0) || math.IsInf(fading, 0) {
		return say.Errorf("data: a fading of %v; give a number from 0 to 1", fading)
	}
	if sizes[0] != sizes[1] || sizes[2] != sizes[3] {
		return errOtherNetwork
	}
	return nil
}

func merged(fading float64, a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range out {
		out[i] = fading*a[i] + b[i]
	}
	return out
}
