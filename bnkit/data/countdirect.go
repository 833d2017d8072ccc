package data

import (
	"math"

	"bnlab/bnkit/bn"
)

// direct counts one family at a time straight into its counts, in the order of
// the rows, with weights and missing cells.
type direct struct {
	plan *plan
	at   []int // index into the counts by row of a chunk, negative when left out
}

const directChunk = 1024

func newDirect(p *plan) *direct { return &direct{p, make([]int, min(directChunk, p.table.rows))} }

func (d *direct) count(f *family) {
	weights := d.plan.table.weights
	for lo := 0; lo < d.plan.table.rows; lo += directChunk {
		at := d.at[:min(directChunk, d.plan.table.rows-lo)]
		clear(at)
		d.plan.views[f.child].addTo(at, lo, 1)
		for i, p := range f.parents {
			d.plan.views[p].addTo(at, lo, f.mul[i])
		}
		for i, cell := range at {
			w := 1.0
			if weights != nil {
				w = weights[lo+i]
			}
			if cell < 0 {
				*f.skipped += w
			} else {
				f.n[cell] += w
			}
		}
	}
}

// leftOut is so far below zero that no sum of parents brings it back.
const leftOut = math.MinInt / 2

// addTo adds mul × state to the entries of at, for the rows from lo on.
func (v *view) addTo(at []int, lo, mul int) {
	states := v.states[lo : lo+len(at)]
	for i, s := range states {
		switch {
		case s == bn.Missing:
			at[i] = leftOut
		case v.remap != nil:
			at[i] += mul * int(v.remap[s])
		default:
			at[i] += mul * int(s)
		}
	}
}
