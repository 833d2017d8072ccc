package structure

import (
	"fmt"
	"slices"

	"bnlab/bnkit/bn"
)

// A family is a child and its parents, ascending. add is the place of one of them: families that
// differ in that parent alone are counted together. It is −1 without parents.
type family struct {
	child   int
	parents []int
	add     int
}

// key names the family, in as few bytes as tell it from others.
func (f family) key(dst []byte) []byte {
	dst = append(dst, byte(f.child), byte(f.child>>8), byte(f.child>>16))
	for _, p := range f.parents {
		dst = append(dst, byte(p), byte(p>>8), byte(p>>16))
	}
	return dst
}

// sameSplit reports whether the families differ in the added parent alone.
func (f family) sameSplit(g family) bool {
	if f.child != g.child || len(f.parents) != len(g.parents) || f.add < 0 || g.add < 0 {
		return false
	}
	for i, j := 0, 0; ; i, j = i+1, j+1 {
		if i == f.add {
			i++
		}
		if j == g.add {
			j++
		}
		if i >= len(f.parents) || j >= len(g.parents) {
			return i >= len(f.parents) && j >= len(g.parents)
		}
		if f.parents[i] != g.parents[j] {
			return false
		}
	}
}

// with is the family of a child with one parent more than base, which is ascending. Its parents are
// appended to dst.
func with(dst []int, child int, base []int, u int) family {
	at, _ := slices.BinarySearch(base, u)
	from := len(dst)
	dst = append(append(append(dst, base[:at]...), u), base[at:]...)
	return family{child, dst[from:len(dst):len(dst)], at}
}

// without is the family of a child with one parent less than base.
func without(child int, base []int, u int) family {
	parents := make([]int, 0, len(base)-1)
	for _, p := range base {
		if p != u {
			parents = append(parents, p)
		}
	}
	return family{child, parents, len(parents) - 1}
}

// maxCells bounds the counts of one family (128 MiB of them).
const maxCells = 1 << 24

// size returns the numbers of configurations and counts of a family, or an error that names it when
// there are too many.
func size(vars []bn.Variable, f family) (q, cells int, err error) {
	q, r := 1, vars[f.child].Cardinality()
	for _, p := range f.parents {
		card := vars[p].Cardinality()
		if q > maxCells/card/r {
			return 0, 0, fmt.Errorf("structure: the family of %q with parents %s has more than %d counts; leave out "+
				"or merge columns of many states, or set a limit on parents (Rules.MaxParents)",
				vars[f.child].Name, quoted(vars, f.parents), maxCells)
		}
		q *= card
	}
	return q, q * r, nil
}

// group chooses which parent of each family counts as added, so that neighbours are counted
// together where they can be: the parent that the first of them lacks.
func group(families []family) {
	for i := 1; i < len(families); i++ {
		f, before := &families[i], &families[i-1]
		if f.sameSplit(*before) || len(f.parents) != len(before.parents) {
			continue
		}
		own, theirs := lacks(f.parents, before.parents), lacks(before.parents, f.parents)
		if own < 0 || theirs < 0 {
			continue
		}
		if i == 1 || !before.sameSplit(families[i-2]) {
			before.add = theirs
		}
		f.add = own
	}
}

// lacks returns the place of the one number in a that b lacks, −1 unless there is exactly one. Both
// ascend.
func lacks(a, b []int) int {
	at := -1
	for i, x := range a {
		if _, ok := slices.BinarySearch(b, x); !ok {
			if at >= 0 {
				return -1
			}
			at = i
		}
	}
	return at
}
