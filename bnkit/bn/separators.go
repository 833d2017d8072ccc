package bn

import (
	"fmt"
	"iter"
	"maps"
	"slices"
)

// separators yields the minimal sets that separate x from y in an undirected graph, given by neighbours,
// in which they are not neighbours: from the set nearest to x one variable after another is taken over
// to its side (Shen and Liang 1997; Berry, Bordat and Cogis 2000). A set may not be changed.
func separators(near []map[int]bool, x, y int, yield func([]int) bool) {
	// last is the set that separates y from what is cut away.
	last := func(cut map[int]bool) []int {
		set, seen := make(map[int]bool), map[int]bool{y: true}
		for waiting := []int{y}; len(waiting) > 0; {
			v := waiting[len(waiting)-1]
			waiting = waiting[:len(waiting)-1]
			for u := range near[v] {
				switch {
				case cut[u]:
					set[u] = true
				case !seen[u]:
					seen[u] = true
					waiting = append(waiting, u)
				}
			}
		}
		return slices.Sorted(maps.Keys(set))
	}
	sets := [][]int{last(near[x])}
	known := map[string]bool{fmt.Sprint(sets[0]): true}
	for i := 0; i < len(sets); i++ {
		if !yield(sets[i]) {
			return
		}
		for _, v := range sets[i] {
			if near[v][y] {
				continue
			}
			cut := maps.Clone(near[v])
			for _, u := range sets[i] {
				cut[u] = true
			}
			set := last(cut)
			if key := fmt.Sprint(set); !known[key] {
				known[key] = true
				sets = append(sets, set)
			}
		}
	}
}

// sorted returns the names of sets of variables, small sets first.
func (g *DAG) sorted(sets [][]int) [][]string {
	slices.SortFunc(sets, func(a, b []int) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return slices.Compare(a, b)
	})
	out := make([][]string, len(sets))
	for i, set := range sets {
		out[i] = make([]string, len(set))
		for j, v := range set {
			out[i][j] = g.names[v]
		}
	}
	return out
}

// subsets yields the subsets of a size, in the order of their members; a set is valid until the next.
func subsets(of []int, size int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		at, set := make([]int, size), make([]int, size)
		for i := range at {
			at[i] = i
		}
		for {
			for i, a := range at {
				set[i] = of[a]
			}
			if !yield(set) {
				return
			}
			i := size - 1
			for i >= 0 && at[i] == len(of)-size+i {
				i--
			}
			if i < 0 {
				return
			}
			at[i]++
			for j := i + 1; j < size; j++ {
				at[j] = at[j-1] + 1
			}
		}
	}
}

// isSubset reports whether all of a stand in b; both are sorted.
func isSubset(a, b []int) bool {
	for _, v := range a {
		if _, ok := slices.BinarySearch(b, v); !ok {
			return false
		}
	}
	return true
}

// ones lists what is marked.
func ones(marked []bool) []int {
	var out []int
	for v, is := range marked {
		if is {
			out = append(out, v)
		}
	}
	return out
}
