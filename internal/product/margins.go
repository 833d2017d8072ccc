package product

import "fmt"

// prune leaves out margins that follow from others. A margin in a context,
//
//	(Σ_more g − Σ_less g) · Π_j g_j(context) ≥ margin   over the other sets j,
//
// is the harder to meet the smaller the product is. So it follows from the same in a context that the
// orders of each other set put below: where they leave one lowest configuration a set, one of
// exponentially many remains. (Y13 Eqs. 2 and 6 have margins.)
func (d *reduction) prune() {
	lowest := make([][]int, len(d.Sizes))
	for j := range lowest {
		lowest[j] = d.lowest(j)
	}
	key := func(r within, context int) string {
		context += (r.more[0] - d.local(context, r.set)) * d.strides[r.set]
		return fmt.Sprint(r.set, r.less, r.more, r.margin, context)
	}
	stated := make(map[string]bool)
	for _, r := range d.relations {
		if r.margin > 0 {
			stated[key(r, r.context)] = true
		}
	}
	kept := d.relations[:0]
	for _, r := range d.relations {
		if r.margin > 0 {
			low := r.context
			for j := range d.Sizes {
				if x := d.local(low, j); j != r.set {
					low += (lowest[j][x] - x) * d.strides[j]
				}
			}
			if k := key(r, low); k != key(r, r.context) && stated[k] {
				continue
			}
		}
		kept = append(kept, r)
	}
	d.relations = kept
}

// lowest is, for each configuration of a set, one that the orders put below it, or itself, and that
// nothing is below of.
func (d *reduction) lowest(set int) []int {
	n := d.Sizes[set]
	out := make([]int, n)
	for x := range n {
		out[x] = x
		for y := range n {
			// Orders have no circles between classes, so that the steps end.
			if low := out[x]; d.class[set][y] != d.class[set][low] && d.below(set, y, low) {
				out[x] = y
			}
		}
		out[x] = d.class[set][out[x]]
	}
	return out
}
