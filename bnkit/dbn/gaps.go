package dbn

import "bnlab/internal/say"

// gaps are the times between the rows of series that follow each other.
type gaps struct {
	n, ones        int   // how many there are, and how many of 1
	least, largest int64 // 0 without any
	divisor        int64 // the greatest common one
	row            int   // the later one of the first largest
	rows, slices   int64 // of all series; slices in steps of divisor
}

// gapsOf gathers the gaps between the rows of each series, which ascend in time.
func gapsOf(rows [][]int, times []int64) gaps {
	var g gaps
	for _, of := range rows {
		for k := 1; k < len(of); k++ {
			gap := times[of[k]] - times[of[k-1]]
			g.n++
			if gap == 1 {
				g.ones++
			}
			if g.least == 0 || gap < g.least {
				g.least = gap
			}
			if gap > g.largest {
				g.largest, g.row = gap, of[k]
			}
			g.divisor = commonDivisor(g.divisor, gap)
		}
	}
	for _, of := range rows {
		g.rows += int64(len(of))
		g.slices += 1 + (times[of[len(of)-1]]-times[of[0]])/max(g.divisor, 1)
	}
	return g
}

// step is the time between two slices that the gaps tell; 0 when they do not. A single gap tells nothing.
func (g gaps) step() int64 {
	switch {
	case g.n < 2:
		return 1
	case g.least == g.largest:
		return g.least
	case g.least == 1 && (2*g.ones >= g.n || g.slices <= 2*g.rows): // some times are left out
		return 1
	}
	return 0
}

// uneven is the error for gaps that tell no step; the series is that of the largest.
func (g gaps) uneven(series string) error {
	return say.Errorf("%w: the times between rows differ, from %d to %d here in series %q; set Step to %d if slices "+
		"are that far apart (%d slices for %d rows), or correct the times", errTime, g.least, g.largest, series,
		g.divisor, g.slices, g.rows)
}

// commonDivisor is the greatest number that divides both; that of 0 and b is b.
func commonDivisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
