package layered

import "slices"

// swaps exchanges neighbours of a row while fewer edges cross; with even, also once when as many do.
func (o *ordering) swaps(even bool) {
	if o.above == nil {
		o.above, o.below = make([][]int, len(o.spots)), make([][]int, len(o.spots))
	}
	// A row is looked at again when it or one beside it has changed.
	changed := make([]bool, len(o.layer)+2)
	for r := range changed {
		changed[r] = true
	}
	for round := 0; round < 20; round++ {
		again := false
		for r := range o.layer {
			if changed[r] || changed[r+1] || changed[r+2] {
				changed[r+1] = o.swapRow(r, even && round == 0) > 0
				again = again || changed[r+1]
			}
		}
		changed[0], changed[len(changed)-1] = false, false
		if !again || o.work <= 0 {
			return
		}
	}
}

func (o *ordering) swapRow(r int, even bool) int {
	row := o.layer[r]
	for _, v := range row {
		o.above[v] = o.sorted(o.above[v], o.spots[v].up)
		o.below[v] = o.sorted(o.below[v], o.spots[v].down)
	}
	total := 0
	for round := 0; round < 20; round++ {
		gained := 0
		for i := 1; i < len(row); i++ {
			v, w := row[i-1], row[i]
			o.work -= len(o.above[v]) + len(o.above[w]) + len(o.below[v]) + len(o.below[w])
			gain := inversions(o.above[v], o.above[w]) + inversions(o.below[v], o.below[w])
			if gain > 0 || gain == 0 && even {
				row[i-1], row[i] = w, v
				gained += gain
			}
		}
		even = false
		total += gained
		if gained == 0 {
			break
		}
	}
	o.work -= 2 * len(row)
	o.number(r)
	return total
}

func (o *ordering) sorted(dst, near []int) []int {
	dst = dst[:0]
	for _, w := range near {
		dst = append(dst, o.spots[w].at)
	}
	slices.Sort(dst)
	return dst
}

// inversions is by how many the crossings of the edges of two neighbours fall when these change places; a and b are
// the sorted places of the other ends.
func inversions(a, b []int) int {
	gain, less, equal := 0, 0, 0
	for _, x := range a {
		for less < len(b) && b[less] < x {
			less++
		}
		equal = max(equal, less)
		for equal < len(b) && b[equal] == x {
			equal++
		}
		gain += less - (len(b) - equal)
	}
	return gain
}

// crossings counts the pairs of edges between neighbouring rows that cross (Barth, Mutzel and Jünger, 2002).
func (p *part) crossings() int {
	total := 0
	var ends, tree, near []int
	for r := 1; r < len(p.layer); r++ {
		ends = ends[:0]
		for _, v := range p.layer[r-1] {
			near = near[:0]
			for _, w := range p.spots[v].down {
				near = append(near, p.spots[w].at)
			}
			slices.Sort(near)
			ends = append(ends, near...)
		}
		leaves := 1
		for leaves < len(p.layer[r]) {
			leaves *= 2
		}
		tree = append(tree[:0], make([]int, 2*leaves)...)
		for _, at := range ends {
			for i := at + leaves; i > 0; i /= 2 {
				if i%2 == 0 {
					total += tree[i+1] // those to the right that came before
				}
				tree[i]++
			}
		}
	}
	return total
}
