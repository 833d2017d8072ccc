// Package maxsets is the noisy-MAX over sets of parents as a function of its parameters, with its derivatives.
package maxsets

import (
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// Sets is a noisy-MAX: with the distribution of an effect for each configuration of each set,
//
//	P(child ≤ y | x) = Π_i P(effect of set i ≤ y | x_i)          (Díez 1993, Eq. 15)
//
// The parameters of a distribution are the logarithms of the odds of its states against the weakest, which has none.
type Sets struct {
	Causes  []*bn.CPT // by set, a table of the child given its parents alone; the leak has no parents
	Order   []int     // the states of the child, the weakest first
	First   [][]int   // by set and configuration, its first parameter; −1 where it is idle
	Len     int       // of the parameters
	states  int
	configs int
	at      []int     // by configuration of the child and set, the first parameter
	p, sums []float64 // by distribution and place in the order, of an effect and of weaker ones with it
	slope   []float64 // ∂/∂sums
	before  []float64 // by set
}

// Bind resolves a statement.
func Bind(f constraint.NoisyMAX, net *bn.Network) (*Sets, error) {
	if _, err := f.Bind(net); err != nil {
		return nil, err
	}
	t, err := net.Table(f.Child)
	if err != nil {
		return nil, err
	}
	s := &Sets{states: t.Child.Cardinality(), configs: t.Configs().Len()}
	for y := range s.states {
		if s.Order = append(s.Order, y); f.Min {
			s.Order[y] = s.states - 1 - y
		}
	}
	sets := slices.Clone(f.Sets)
	if f.Sets == nil {
		for _, p := range t.Parents {
			sets = append(sets, []string{p.Name})
		}
	}
	if len(f.Idle) > 0 {
		sets = append(sets, nil) // the leak
	}
	of := make([][]int, len(sets)) // by set, the places of its parents in the table
	for i, set := range sets {
		var parents []bn.Variable
		var idle []int
		for _, name := range set {
			p := slices.IndexFunc(t.Parents, func(v bn.Variable) bool { return v.Name == name })
			of[i], parents = append(of[i], p), append(parents, t.Parents[p])
			if state, err := t.Parents[p].StateIndex(f.Idle[name]); err == nil && len(f.Idle) > 0 {
				idle = append(idle, state)
			}
		}
		cause, err := bn.NewCPT(t.Child, parents...)
		if err != nil {
			return nil, err
		}
		s.Causes = append(s.Causes, cause)
		first := make([]int, cause.Configs().Len())
		for x := range first {
			if first[x] = s.Len; len(idle) > 0 && x == cause.Configs().Index(idle) {
				first[x] = -1
				continue
			}
			s.Len += s.states - 1
		}
		s.First = append(s.First, first)
	}
	for config := range s.configs {
		states := t.Configs().States(nil, config)
		for i, places := range of {
			own := make([]int, len(places))
			for k, p := range places {
				own[k] = states[p]
			}
			s.at = append(s.at, s.First[i][s.Causes[i].Configs().Index(own)])
		}
	}
	all := s.Len / (s.states - 1) * s.states
	s.p, s.sums, s.slope = make([]float64, all), make([]float64, all), make([]float64, all)
	s.before = make([]float64, len(sets)+1)
	return s, nil
}

// effect is where the distribution with a first parameter is.
func (s *Sets) effect(first int) int { return first / (s.states - 1) * s.states }

// Mix makes the distributions of effects.
func (s *Sets) Mix(lambda []float64) {
	for first := 0; first < s.Len; first += s.states - 1 {
		own := lambda[first : first+s.states-1]
		p := s.p[s.effect(first):][:s.states]
		most := max(0, slices.Max(own))
		p[0] = math.Exp(-most)
		total := p[0]
		for y, x := range own {
			p[y+1] = math.Exp(x - most)
			total += p[y+1]
		}
		sum := 0.0
		for y := range p {
			p[y] /= total
			sum = min(sum+p[y], 1)
			s.sums[s.effect(first)+y] = sum
		}
		s.sums[s.effect(first)+s.states-1] = 1
	}
}

// Natural writes the probabilities of all states but the weakest of each effect, in the places of its parameters.
func (s *Sets) Natural(dst, lambda []float64) {
	s.Mix(lambda)
	for first := 0; first < s.Len; first += s.states - 1 {
		copy(dst[first:first+s.states-1], s.p[s.effect(first)+1:])
	}
}

// Table writes the entries. A state is seen where some set shows it and none a stronger one; the sum is over the
// first set that shows it, so that small entries have their digits.
func (s *Sets) Table(dst, lambda []float64) {
	s.Mix(lambda)
	n := len(s.Causes)
	for x := range s.configs {
		at := s.at[x*n : (x+1)*n]
		for y, state := range s.Order {
			s.before[0] = 1 // of what the sets before show at most y−1
			for i, first := range at {
				_, below, _ := s.values(first, y)
				s.before[i+1] = s.before[i] * below
			}
			entry, after := 0.0, 1.0
			for i := n - 1; i >= 0; i-- {
				p, _, upTo := s.values(at[i], y)
				entry += s.before[i] * p * after
				after *= upTo
			}
			dst[x*s.states+state] = min(entry, 1)
		}
	}
}

// Pullback writes for each parameter the sum Σ g·∂entry. An entry is F_y − F_(y−1), F_y a product of sums.
func (s *Sets) Pullback(dst, lambda, g []float64) {
	s.Mix(lambda)
	clear(s.slope)
	n := len(s.Causes)
	for x := range s.configs {
		at := s.at[x*n : (x+1)*n]
		for y := range s.states - 1 {
			by := g[x*s.states+s.Order[y]] - g[x*s.states+s.Order[y+1]]
			if by == 0 {
				continue
			}
			s.before[0] = by
			for i, first := range at {
				_, _, upTo := s.values(first, y)
				s.before[i+1] = s.before[i] * upTo
			}
			after := 1.0
			for i := n - 1; i >= 0; i-- {
				_, _, upTo := s.values(at[i], y)
				if at[i] >= 0 {
					s.slope[s.effect(at[i])+y] += s.before[i] * after
				}
				after *= upTo
			}
		}
	}
	for first := 0; first < s.Len; first += s.states - 1 {
		p, slope := s.p[s.effect(first):][:s.states], s.slope[s.effect(first):][:s.states]
		mean := 0.0
		for y := s.states - 2; y >= 0; y-- { // by p(y) those of all sums with it
			slope[y] += slope[y+1]
			mean += p[y] * slope[y]
		}
		for y := range s.states - 1 {
			dst[first+y] = p[y+1] * (slope[y+1] - mean)
		}
	}
}

// values are P(effect = y), P(effect < y) and P(effect ≤ y).
func (s *Sets) values(first, y int) (p, below, upTo float64) {
	if first < 0 {
		if y == 0 {
			return 1, 0, 1
		}
		return 0, 1, 1
	}
	at := s.effect(first) + y
	if y > 0 {
		below = s.sums[at-1]
	}
	return s.p[at], below, s.sums[at]
}
