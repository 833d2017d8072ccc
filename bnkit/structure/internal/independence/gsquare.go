package independence

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// A Strata is a contingency table of x and y for each configuration of what is given: N[(config·X + x)·Y + y].
type Strata struct {
	N    []float64
	X, Y int // states
}

// GSquare is the likelihood-ratio statistic of independence in each stratum, 2 Σ n ln(n·total / (row·column)), and its
// degrees of freedom. Rows and columns without cases in a stratum have none, as in bnlearn's “adf” tests.
func (s Strata) GSquare() (g float64, degrees int) {
	row, column := make([]float64, s.X), make([]float64, s.Y)
	for cell := 0; cell < len(s.N); cell += s.X * s.Y {
		clear(row)
		clear(column)
		sum, total := 0.0, 0.0
		for x := range s.X {
			for y, n := range s.N[cell+x*s.Y : cell+(x+1)*s.Y] {
				row[x] += n
				column[y] += n
				sum += xlogx(n)
			}
		}
		rows, columns := -1, -1
		for _, n := range row {
			sum -= xlogx(n)
			total += n
			rows += positive(n)
		}
		for _, n := range column {
			sum -= xlogx(n)
			columns += positive(n)
		}
		if total > 0 {
			g += 2 * (sum + xlogx(total))
			degrees += rows * columns
		}
	}
	return max(g, 0), degrees
}

func xlogx(n float64) float64 {
	if n <= 0 {
		return 0
	}
	return n * math.Log(n)
}

func positive(n float64) int {
	if n > 0 {
		return 1
	}
	return 0
}

// ChiSquare is the p-value of a statistic in large samples; 1 without degrees of freedom.
func ChiSquare(statistic float64, degrees int) float64 {
	if degrees == 0 {
		return 1
	}
	return distuv.ChiSquared{K: float64(degrees)}.Survival(statistic)
}

// enough is the number of shuffles as extreme after which a p-value is known well enough: it ends the shuffling
// (Besag and Clifford 1991).
const enough = 20

// Permutation is the p-value of a G² when x is shuffled among the cases of each stratum, up to so many times. It is
// (1 + as extreme) / (1 + shuffles), or enough / shuffles once so many were as extreme. Counts must be whole numbers.
func (s Strata) Permutation(shuffles int, src rand.Source) float64 {
	observed, _ := s.GSquare()
	random := rand.New(src)
	shuffled := Strata{N: make([]float64, len(s.N)), X: s.X, Y: s.Y}
	var columns []int
	extreme := 0
	for k := 1; k <= shuffles; k++ {
		clear(shuffled.N)
		for cell := 0; cell < len(s.N); cell += s.X * s.Y {
			columns = columns[:0]
			for i, n := range s.N[cell : cell+s.X*s.Y] {
				for range int(n) {
					columns = append(columns, i%s.Y)
				}
			}
			random.Shuffle(len(columns), func(i, j int) { columns[i], columns[j] = columns[j], columns[i] })
			at := 0
			for x := range s.X {
				size := 0.0
				for _, n := range s.N[cell+x*s.Y : cell+(x+1)*s.Y] {
					size += n
				}
				for range int(size) {
					shuffled.N[cell+x*s.Y+columns[at]]++
					at++
				}
			}
		}
		if g, _ := shuffled.GSquare(); g >= observed-1e-9*(1+observed) {
			if extreme++; extreme == enough {
				return float64(enough) / float64(k)
			}
		}
	}
	return float64(1+extreme) / float64(1+shuffles)
}
