package baseline

import (
	"errors"
	"math/bits"

	"bnlab/bnkit/bn"
)

// Neighbours predict the proportions among the k nearest cases by the number of inputs
// that differ. All cases as near as the last of the k count, so it may be more than k.
type Neighbours struct {
	k      float64
	cases  *Cases
	masks  []uint64    // of the distinct inputs, a bit for each state
	near   []float64   // cases by distance
	counts [][]float64 // output values of the cases by distance
}

var _ Predictor = (*Neighbours)(nil)

// TrainNeighbours keeps the cases. It returns an error when k is not positive or the inputs
// have more than 64 states together.
func TrainNeighbours(c *Cases, k int) (*Neighbours, error) {
	if k < 1 || sum(c.In) > 64 {
		return nil, errors.New("baseline: nearest neighbours need k of 1 or more and at most 64 states of the inputs " +
			"together")
	}
	n := &Neighbours{k: float64(k), cases: c, near: make([]float64, len(c.In)+1)}
	for _, x := range c.X {
		n.masks = append(n.masks, mask(c.In, x))
	}
	for range n.near {
		n.counts = append(n.counts, make([]float64, sum(c.Out)))
	}
	return n, nil
}

// mask has a bit set for the state of each input.
func mask(in []int, x []bn.State) uint64 {
	m, lo := uint64(0), 0
	for i, card := range in {
		m |= 1 << (lo + int(x[i]))
		lo += card
	}
	return m
}

// Predict implements [Predictor]. It is for one goroutine.
func (n *Neighbours) Predict(dst []float64, x []bn.State) {
	clear(n.near)
	for _, counts := range n.counts {
		clear(counts)
	}
	at := mask(n.cases.In, x)
	for i, m := range n.masks {
		distance := len(x) - bits.OnesCount64(at&m)
		for o, k := range n.cases.N[i] {
			n.counts[distance][o] += k
		}
		for _, k := range n.cases.N[i][:n.cases.Out[0]] {
			n.near[distance] += k
		}
	}
	clear(dst)
	found := 0.0
	for distance, counts := range n.counts {
		for o, k := range counts {
			dst[o] += k
		}
		if found += n.near[distance]; found >= n.k {
			break
		}
	}
	normalise(dst, n.cases.Out)
}
