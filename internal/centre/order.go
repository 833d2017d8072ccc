package centre

import "math/bits"

// A graph is the pattern of a symmetric matrix, one bit for each pair of vertices.
type graph struct {
	n, words int
	bits     []uint64
}

func newGraph(n int) *graph {
	words := (n + 63) / 64
	return &graph{n, words, make([]uint64, n*words)}
}

func (g *graph) row(v int) []uint64 { return g.bits[v*g.words : (v+1)*g.words] }

func (g *graph) join(a, b int) {
	g.bits[a*g.words+b/64] |= 1 << (b % 64)
	g.bits[b*g.words+a/64] |= 1 << (a % 64)
}

// dense is the share of the vertices left that the least vertex must be joined to for
// all that are left to be factored as one dense block.
const dense = 0.75

// order eliminates the vertices of g by minimum degree, the lowest number first among
// equals, and returns them with the number of those that come before the dense block, and
// for each of these its neighbours at that time, which is the pattern of its column of
// the factor. g is used up.
func (g *graph) order() (order []int, sparse int, pattern [][]int) {
	degree, gone := make([]int, g.n), make([]bool, g.n)
	for v := range g.n {
		g.row(v)[v/64] &^= 1 << (v % 64)
		degree[v] = count(g.row(v))
	}
	for left := g.n; left > 0; left-- {
		least := -1
		for v := range g.n {
			if !gone[v] && (least < 0 || degree[v] < degree[least]) {
				least = v
			}
		}
		if float64(degree[least]) >= dense*float64(left-1) {
			break
		}
		at := g.row(least)
		neighbours := make([]int, 0, degree[least])
		for w, word := range at {
			for ; word != 0; word &= word - 1 {
				neighbours = append(neighbours, 64*w+bits.TrailingZeros64(word))
			}
		}
		for _, v := range neighbours {
			row := g.row(v)
			for w := range row {
				row[w] |= at[w]
			}
			row[v/64] &^= 1 << (v % 64)
			row[least/64] &^= 1 << (least % 64)
			degree[v] = count(row)
		}
		gone[least] = true
		order, pattern = append(order, least), append(pattern, neighbours)
	}
	sparse = len(order)
	for v := range g.n {
		if !gone[v] {
			order = append(order, v)
		}
	}
	return order, sparse, pattern
}

func count(row []uint64) int {
	total := 0
	for _, word := range row {
		total += bits.OnesCount64(word)
	}
	return total
}
