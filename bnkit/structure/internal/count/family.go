// Package count counts families in cases: how often each state of a child stands together with each
// configuration of its parents.
package count

import "slices"

// A Family is a child and its parents, ascending. Add is the place of one of them: families that
// differ in that parent alone are counted together. It is −1 without parents.
type Family struct {
	Child   int
	Parents []int
	Add     int
}

// Key names the family, in as few bytes as tell it from others.
func (f Family) Key(dst []byte) []byte {
	dst = append(dst, byte(f.Child), byte(f.Child>>8), byte(f.Child>>16))
	for _, p := range f.Parents {
		dst = append(dst, byte(p), byte(p>>8), byte(p>>16))
	}
	return dst
}

// SameSplit reports whether the families differ in the added parent alone.
func (f Family) SameSplit(g Family) bool {
	if f.Child != g.Child || len(f.Parents) != len(g.Parents) || f.Add < 0 || g.Add < 0 {
		return false
	}
	for i, j := 0, 0; ; i, j = i+1, j+1 {
		if i == f.Add {
			i++
		}
		if j == g.Add {
			j++
		}
		if i >= len(f.Parents) || j >= len(g.Parents) {
			return i >= len(f.Parents) && j >= len(g.Parents)
		}
		if f.Parents[i] != g.Parents[j] {
			return false
		}
	}
}

// With is the family of a child with one parent more than base, which is ascending. Its parents are
// appended to dst.
func With(dst []int, child int, base []int, u int) Family {
	at, _ := slices.BinarySearch(base, u)
	from := len(dst)
	dst = append(append(append(dst, base[:at]...), u), base[at:]...)
	return Family{child, dst[from:len(dst):len(dst)], at}
}

// Without is the family of a child with one parent less than base.
func Without(child int, base []int, u int) Family {
	parents := make([]int, 0, len(base)-1)
	for _, p := range base {
		if p != u {
			parents = append(parents, p)
		}
	}
	return Family{child, parents, len(parents) - 1}
}

// MaxCells bounds the counts of one family (128 MiB of them).
const MaxCells = 1 << 24

// Group chooses which parent of each family counts as added, so that neighbours are counted
// together where they can be: the parent that the first of them lacks.
func Group(families []Family) {
	for i := 1; i < len(families); i++ {
		f, before := &families[i], &families[i-1]
		if f.SameSplit(*before) || len(f.Parents) != len(before.Parents) {
			continue
		}
		own, theirs := lacks(f.Parents, before.Parents), lacks(before.Parents, f.Parents)
		if own < 0 || theirs < 0 {
			continue
		}
		if i == 1 || !before.SameSplit(families[i-2]) {
			before.Add = theirs
		}
		f.Add = own
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
