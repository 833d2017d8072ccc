package strongest

import (
	"fmt"
	"math"
	"slices"

	"bnlab/internal/rows"
)

// A relation is log Σ_less ≤ log Σ_more over monomials.
type relation struct {
	less, more []monomial
}

// A monomial is e to Value − Σ Coef·p_Index.
type monomial struct{ rows.Row }

// log is the logarithm of the monomial at p.
func (m monomial) log(p []float64) float64 { return m.Value - m.Dot(p) }

// dust is the coefficient, relative to the largest of its relation, that counts as rounding.
const dust = 1e-12

// read sorts a relation into equations, limits and curved ones.
func (s *Solver) read(r Relation) error {
	coef := make(map[[2]int]float64)
	var order [][2]int
	most := math.Abs(r.Value)
	for _, t := range r.Terms {
		key := [2]int{t.Config, t.Level}
		if _, ok := coef[key]; !ok {
			order = append(order, key)
		}
		coef[key] += t.Coef
		most = max(most, math.Abs(t.Coef))
	}
	var left, right []monomial
	add := func(c float64, m monomial) {
		if math.Abs(c) <= dust*most {
			return
		}
		side := &left
		if c < 0 {
			side = &right
		}
		for k, other := range *side {
			if slices.Equal(other.Index, m.Index) && slices.Equal(other.Coef, m.Coef) {
				(*side)[k].Value = math.Log(math.Exp(other.Value) + math.Abs(c))
				return
			}
		}
		m.Value = math.Log(math.Abs(c))
		*side = append(*side, m)
	}
	add(-r.Value, monomial{})
	for _, key := range order {
		add(coef[key], s.f(key[0], key[1]))
	}
	switch {
	case len(left)+len(right) == 0, len(left) == 0 && !r.Equal:
		return nil
	case len(left) == 0 || len(right) == 0:
		if len(left)+len(right) == 1 {
			return fmt.Errorf("%w, which makes a probability 0", ErrUnsupported)
		}
		return ErrInfeasible
	case len(left) == 1 && len(right) == 1:
		s.line(left[0], right[0], r.Equal)
	case r.Equal:
		return fmt.Errorf("%w: an equation of more than two terms P(at most a state)", ErrUnsupported)
	default:
		s.curved = append(s.curved, relation{left, right})
	}
	return nil
}

// f is F of a configuration and level.
func (s *Solver) f(config, level int) monomial {
	var m monomial
	for y := level; y < s.levels; y++ {
		m.Index = append(m.Index, s.sums[config*s.levels+y]...)
	}
	slices.Sort(m.Index)
	m.Coef = slices.Repeat([]float64{1}, len(m.Index))
	return m
}

// line adds left ≤ right, or =, which is linear in p: (right − left)·p ≤ log of the ratio.
func (s *Solver) line(left, right monomial, equal bool) {
	r := rows.Row{Value: right.Value - left.Value}
	for i, j := 0, 0; i < len(left.Index) || j < len(right.Index); {
		switch {
		case j == len(right.Index) || i < len(left.Index) && left.Index[i] < right.Index[j]:
			r.Index, r.Coef = append(r.Index, left.Index[i]), append(r.Coef, -1)
			i++
		case i == len(left.Index) || right.Index[j] < left.Index[i]:
			r.Index, r.Coef = append(r.Index, right.Index[j]), append(r.Coef, 1)
			j++
		default:
			i, j = i+1, j+1
		}
	}
	to := &s.limits
	if equal {
		to = &s.known
	}
	if !slices.ContainsFunc(*to, func(o rows.Row) bool {
		return o.Value == r.Value && slices.Equal(o.Index, r.Index) && slices.Equal(o.Coef, r.Coef)
	}) {
		*to = append(*to, r)
	}
}

// slack is log Σ_more − log Σ_less at p.
func (r *relation) slack(p []float64) float64 { return logSum(r.more, p) - logSum(r.less, p) }

func logSum(list []monomial, p []float64) float64 {
	most, sum := math.Inf(-1), 0.0
	for _, m := range list {
		most = max(most, m.log(p))
	}
	for _, m := range list {
		sum += math.Exp(m.log(p) - most)
	}
	return most + math.Log(sum)
}

// slopes writes the gradient of the slack at p, and adds by times its second derivatives to the lower triangle of
// curve, by rows of n. Those of log Σ_more, which are not negative, are left out when tangent is true.
func (r *relation) slopes(gradient, mean, p, curve []float64, n int, by float64, tangent bool) {
	clear(gradient)
	for side, list := range [...][]monomial{r.less, r.more} {
		sign := float64(2*side - 1)
		total := logSum(list, p)
		clear(mean)
		bends := len(list) > 1 && !(side == 1 && tangent)
		for _, m := range list {
			share := math.Exp(m.log(p) - total)
			for a, e := range m.Index {
				mean[e] -= share * m.Coef[a]
				for b, d := range m.Index {
					if bends && d <= e {
						curve[e*n+d] += by * sign * share * m.Coef[a] * m.Coef[b]
					}
				}
			}
		}
		for e, x := range mean {
			gradient[e] += sign * x
			if !bends || x == 0 {
				continue
			}
			for d := range e + 1 {
				curve[e*n+d] -= by * sign * x * mean[d]
			}
		}
	}
}
