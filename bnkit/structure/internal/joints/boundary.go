package joints

import (
	"slices"

	"bnlab/internal/elimination"
)

// boundary returns those of z, in their order, that b depends on given the others: a path leads to them from b, and
// past no other of z, in the moral graph of b, z and their ancestors. Given these, b is independent of the rest of z.
// (Lauritzen, Dawid, Larsen and Leimer 1990, Proposition 3.)
func (j *Joints) boundary(b, z []int) []int {
	n := len(j.cards)
	in, seen := elimination.NewSet(n), elimination.NewSet(n)
	list := make([]int, 0, n)
	enter := func(v int) {
		if !in.Has(v) {
			in.Add(v)
			list = append(list, v)
		}
	}
	for _, v := range z {
		enter(v)
	}
	for _, v := range b {
		enter(v)
	}
	for i := 0; i < len(list); i++ {
		for _, p := range j.parents[list[i]] {
			enter(p)
		}
	}
	// Each family is entered when one of its members is reached that is not in z.
	open := append(list[:0], b...)
	for _, v := range b {
		seen.Add(v)
	}
	reach := func(v int) {
		if !seen.Has(v) {
			seen.Add(v)
			if !slices.Contains(z, v) {
				open = append(open, v)
			}
		}
	}
	family := func(v int) {
		reach(v)
		for _, p := range j.parents[v] {
			reach(p)
		}
	}
	for i := 0; i < len(open); i++ {
		family(open[i])
		for _, c := range j.children[open[i]] {
			if in.Has(c) {
				family(c)
			}
		}
	}
	var out []int
	for _, v := range z {
		if seen.Has(v) {
			out = append(out, v)
		}
	}
	return out
}
