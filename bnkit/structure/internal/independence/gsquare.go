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

// enough is the number of shuffles as extreme after which a p-value may be known well enough (Besag and Clifford 1991),
// mostFold how many times more shuffles are made than asked for while a p-value is not told apart from the level, and
// apart how many standard errors it then lies from it: the error of each look is .13 %, and there are seven.
const (
	enough   = 20
	mostFold = 64
	apart    = 3
)

// Permutation is the p-value of a G² when x is shuffled among the cases of each stratum, with its standard error. It is
// (1 + as extreme) / (1 + shuffles), or as extreme / shuffles where 20, 40, 80, ... were as extreme, and a few tell it
// apart from the level. So many shuffles are made, and up to 64 times as many while they do not; open says that these
// were not enough. Counts must be whole numbers.
func (s Strata) Permutation(shuffles int, level float64, src rand.Source) (p, stderr float64, open bool) {
	observed, _ := s.GSquare()
	random := rand.New(src)
	shuffled := Strata{N: make([]float64, len(s.N)), X: s.X, Y: s.Y}
	var columns []int
	extreme, look, after := 0, enough, shuffles
	for k := 1; k <= mostFold*shuffles; k++ {
		columns = s.shuffle(&shuffled, columns, random)
		if g, _ := shuffled.GSquare(); g >= observed-1e-9*(1+observed) {
			if extreme++; extreme == look {
				look *= 2
				p = float64(extreme) / float64(k)
				if stderr = p * math.Sqrt((1-p)/float64(extreme)); math.Abs(p-level) > apart*stderr {
					return p, stderr, false
				}
			}
		}
		if k == after {
			after *= 2
			p = float64(1+extreme) / float64(1+k)
			if stderr = math.Sqrt(p * (1 - p) / float64(1+k)); math.Abs(p-level) > apart*stderr {
				return p, stderr, false
			}
		}
	}
	return p, stderr, true
}

// shuffle deals the cases of each stratum anew.
func (s Strata) shuffle(dst *Strata, columns []int, random *rand.Rand) []int {
	clear(dst.N)
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
				dst.N[cell+x*s.Y+columns[at]]++
				at++
			}
		}
	}
	return columns
}
