package isotonic

import (
	"math"

	"bnlab/internal/say"
)

// largest bounds values and weights so that sums of their products stay finite.
const largest = 1e150

// A Workspace holds the blocks of Chain, so that it does not allocate once it has
// grown. The zero value is ready. It serves one call at a time.
type Workspace struct{ blocks []block }

// A block is a run of entries that share one value.
type block struct {
	end          int // one past its last entry
	weight, mean float64
}

// pool joins two blocks.
func (b block) pool(next block) block {
	weight := b.weight + next.weight
	return block{next.end, weight, b.mean + (next.mean-b.mean)*(next.weight/weight)}
}

// Chain writes to dst the x_1 ≤ x_2 ≤ … that minimise Σ w_p (x_p − y_p)², by pooling
// neighbours that violate the order. dst may be y.
//
// An entry of weight zero is not identified: it gets the mean of its neighbours' values,
// the value of the only one at an end. If no weight is positive, all entries get the
// plain mean of y.
//
// The slices are of one length; it panics otherwise. It returns an error if an entry of y
// or w is not a number of at most 1e150 or a weight is negative. The cost is O(s) for s entries. (Ayer,
// Brunk, Ewing, Reid and Silverman 1955.)
func (ws *Workspace) Chain(dst, y, w []float64) error {
	if err := check(dst, y, w); err != nil {
		return err
	}
	blocks := ws.blocks[:0]
	total := 0.0
	for p, weight := range w {
		total += y[p] / float64(len(y))
		if weight == 0 {
			continue
		}
		last := block{p + 1, weight, y[p]}
		for len(blocks) > 0 && blocks[len(blocks)-1].mean >= last.mean {
			last = blocks[len(blocks)-1].pool(last)
			blocks = blocks[:len(blocks)-1]
		}
		blocks = append(blocks, last)
	}
	ws.blocks = blocks
	if len(blocks) == 0 {
		for p := range dst {
			dst[p] = total
		}
		return nil
	}
	p, before := 0, blocks[0].mean
	for _, b := range blocks {
		// What lies between the blocks and has no weight is the start of this one.
		for ; w[p] == 0; p++ {
			dst[p] = before/2 + b.mean/2
		}
		for ; p < b.end; p++ {
			dst[p] = b.mean
		}
		before = b.mean
	}
	for ; p < len(dst); p++ {
		dst[p] = before
	}
	return nil
}

func check(dst, y, w []float64) error {
	if len(y) != len(dst) || len(w) != len(dst) {
		panic("isotonic: slices of different lengths")
	}
	for p := range y {
		if !(math.Abs(y[p]) <= largest) {
			return say.Errorf("isotonic: entry %d is %v", p, y[p])
		}
		if !(w[p] >= 0 && w[p] <= largest) {
			return say.Errorf("isotonic: entry %d has the weight %v", p, w[p])
		}
	}
	return nil
}
