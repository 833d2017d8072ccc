package relabel

import "math"

// assign returns for each row of a square matrix a column of its own such that the sum of
// their entries is the least: rows are added one by one along shortest augmenting paths,
// with dual prices of rows and columns (Kuhn 1955; Tomizawa 1971).
func assign(cost [][]float64) []int {
	n := len(cost)
	row, column := make([]float64, n), make([]float64, n) // prices
	owner := make([]int, n)                               // by column, −1 for none
	for j := range owner {
		owner[j] = -1
	}
	for first := range n {
		distance, before, done := make([]float64, n), make([]int, n), make([]bool, n)
		for j := range distance {
			distance[j] = math.Inf(1)
		}
		last, at, length := -1, first, 0.0
		for { // from row at, which lies at this length from the first, to the nearest column
			next := -1
			for j := range n {
				if done[j] {
					continue
				}
				if d := length + cost[at][j] - row[at] - column[j]; d < distance[j] {
					distance[j], before[j] = d, last
				}
				if next < 0 || distance[j] < distance[next] {
					next = j
				}
			}
			done[next], last, length = true, next, distance[next]
			if owner[next] < 0 {
				break
			}
			at = owner[next]
		}
		row[first] += length
		for j := range n {
			if done[j] && j != last {
				row[owner[j]] += length - distance[j]
				column[j] -= length - distance[j]
			}
		}
		for j := last; ; j = before[j] {
			if before[j] < 0 {
				owner[j] = first
				break
			}
			owner[j] = owner[before[j]]
		}
	}
	names := make([]int, n)
	for j, i := range owner {
		names[i] = j
	}
	return names
}
