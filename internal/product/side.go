package product

import (
	"math"
	"slices"

	"bnlab/internal/num"
)

// A side is a sum of terms, of which many relations may have the same: of F with a margin, or of e to entries of u.
type side struct {
	configs []int   // of F
	entries []int   // of u, where there are no configs
	margin  float64 // the last term, where it is positive
	first   int     // of its shares in a space
}

// sideOf finds or adds a side of a relation. A single entry of u has none, and is ^e.
func (s *Solver) sideOf(r *relation, terms []term) int {
	var one side
	for _, t := range terms {
		switch {
		case r.margin == 0:
			one.entries = append(one.entries, r.vars[t.at[0]])
		case t.config >= 0:
			one.configs = append(one.configs, t.config)
		default:
			one.margin = r.margin
		}
	}
	if len(one.entries) == 1 {
		return ^one.entries[0]
	}
	for i := range s.sides {
		if other := &s.sides[i]; other.margin == one.margin && slices.Equal(other.configs, one.configs) &&
			slices.Equal(other.entries, one.entries) {
			return i
		}
	}
	one.first = s.terms
	s.terms += len(terms)
	s.sides = append(s.sides, one)
	return len(s.sides) - 1
}

// measure writes the terms of sides in proportion, their sums and the logarithms. F at u is in the space.
func (c *climb) measure(lo, hi int, u []float64) {
	if lo == hi {
		return
	}
	scale := math.Exp(u[c.scale()])
	logs, most := c.logSides[lo:hi], c.most[lo:hi]
	for i := range logs {
		s := &c.sides[lo+i]
		sum := 0.0
		shares := c.shares[s.first:]
		if len(s.entries) == 0 {
			most[i] = 0
			for k, x := range s.configs {
				shares[k] = c.f[x]
				sum += shares[k]
			}
			if s.margin > 0 {
				k := len(s.configs)
				shares[k] = s.margin * scale
				sum += shares[k]
			}
		} else {
			most[i] = math.Inf(-1)
			for _, e := range s.entries {
				most[i] = max(most[i], u[e])
			}
			for k, e := range s.entries {
				share := 1.0
				if below := u[e] - most[i]; below != 0 {
					share = math.Exp(below)
				}
				shares[k] = share
				sum += share
			}
		}
		c.sums[lo+i] = sum
	}
	num.Logs(logs, c.sums[lo:hi])
	for i, x := range most {
		logs[i] = x + logs[i]
	}
}

// slackOf is log Σ_more − log Σ_less, of sides that are measured at u.
func (c *climb) slackOf(r *relation, u []float64) float64 {
	return c.logarithm(r.moreSide, u) - c.logarithm(r.lessSide, u)
}

func (c *climb) logarithm(side int, u []float64) float64 {
	if side < 0 {
		return u[^side]
	}
	return c.logSides[side]
}
