package verdict

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Simulated is a p-value from simulated data sets in which the statement holds.
type Simulated struct {
	// IsCounted: the p-value is (1 + the number of costs as large) / (1 + Draws) (Davison and Hinkley 1997, Eq.
	// 4.11); else the mean of what the draws add.
	IsCounted bool
	Cost      float64 // observed, in nats
	Draws     int
	sum       float64
	squares   float64
	above     float64 // costs above 0: their number, sum and squares
	costs     float64
	squared   float64
}

// AddCost counts the cost of a simulated data set, in nats, 0 for none.
func (s *Simulated) AddCost(cost float64) {
	as := 0.0
	if cost >= s.Cost {
		as = 1
	}
	s.Add(as)
	if cost > 0 {
		s.above++
		s.costs += cost
		s.squared += cost * cost
	}
}

// Add adds what one draw says of the p-value.
func (s *Simulated) Add(p float64) {
	s.Draws++
	s.sum += p
	s.squares += p * p
}

// P returns the p-value and its standard error; where no draw was as large, no more than what [Simulated.Bounds] has as
// the upper bound, which is then the error too.
func (s *Simulated) P() (p, stderr float64) {
	n := float64(s.Draws)
	if s.IsCounted {
		p = (1 + s.sum) / (1 + n)
		if tail := s.tail(); tail < p {
			return tail, tail
		}
		return p, math.Sqrt(p * (1 - p) / (1 + n))
	}
	p = s.sum / n
	return p, math.Sqrt(max(0, s.squares/n-p*p) / n)
}

// IsOpen reports that no draw was as large, so that a counted p-value is what so few draws can say.
func (s *Simulated) IsOpen() bool { return s.IsCounted && s.sum == 0 }

// tail bounds the p-value where no draw was as large: by a hundred times the tail of a gamma distribution with the mean
// and the variance of the costs above 0, of a hundred at least. That tail was up to ten times too small. 1 is no bound.
func (s *Simulated) tail() float64 {
	const enough, safe = 100, 100
	if s.sum > 0 || s.above < enough {
		return 1
	}
	mean := s.costs / s.above
	variance := s.squared/s.above - mean*mean
	if !(variance > 0) {
		return 1
	}
	gamma := distuv.Gamma{Alpha: mean * mean / variance, Beta: mean / variance}
	return min(1, safe*s.above/float64(s.Draws)*gamma.Survival(s.Cost))
}

// Looks is how often it is looked whether more draws are needed, each time after twice as many.
const Looks = 9

// wrong is the probability that an interval of [Simulated.Bounds] does not hold the p-value of endless draws, at any
// look.
const wrong = 0.01

// Bounds returns an interval of the p-value of endless draws, by the method of Clopper and Pearson (1934) where it is
// counted and by normal approximation where it is a mean. One of which no draw was as large is bounded by the tail of
// a distribution that is fitted to the costs.
func (s *Simulated) Bounds() (low, high float64) {
	const tail = wrong / Looks / 2
	if !s.IsCounted {
		p, stderr := s.P()
		z := -distuv.UnitNormal.Quantile(tail)
		return max(0, p-z*stderr), min(1, p+z*stderr)
	}
	n := float64(s.Draws)
	high = 1
	if s.sum > 0 {
		low = distuv.Beta{Alpha: s.sum, Beta: n - s.sum + 1}.Quantile(tail)
	}
	if s.sum < n {
		high = distuv.Beta{Alpha: s.sum + 1, Beta: n - s.sum}.Quantile(1 - tail)
	}
	return low, min(high, s.tail())
}

// Unsettled lists the tests of which it is not sure, by the bounds of their p-values, on which side of each limit of
// the words the adjusted one lies. Those that are not simulated have equal bounds.
func Unsettled(low, high []float64) []int {
	var list []int
	least, most := Holm(low), Holm(high)
	for i := range low {
		for _, limit := range []float64{doubtful, contradicted} {
			if low[i] < high[i] && least[i] < limit && most[i] >= limit {
				list = append(list, i)
				break
			}
		}
	}
	return list
}
