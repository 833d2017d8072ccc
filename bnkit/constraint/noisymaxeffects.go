package constraint

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// An Effect says what one set of a [NoisyMAX] does by itself.
type Effect struct {
	// Parents of the set; nil for the leak.
	Parents []string
	// P are the distributions of the effect, over the states of the child in their order, by configuration of the
	// parents, of which the first varies slowest. The leak has one.
	P [][]float64
}

// String describes the effect, as in "{flu}: 1 0 0; 0.3 0.6 0.1", a distribution for each configuration.
func (e Effect) String() string {
	rows := make([]string, len(e.P))
	for x, p := range e.P {
		parts := make([]string, len(p))
		for y := range p {
			parts[y] = fmt.Sprintf("%.3g", math.Round(p[y]*1e6)/1e6)
		}
		rows[x] = strings.Join(parts, " ")
	}
	name := "leak"
	if e.Parents != nil {
		name = braces(e.Parents)
	}
	return name + ": " + strings.Join(rows, "; ")
}

// Effects reads the table of the child in net as effects, one for each set in their order and the leak last. Without
// Idle many are as good; of those it returns the ones in which for each y some configuration of each set does
// nothing to P(effect ≤ y | effect ≤ y+1), and the leak what is left. [NoisyMAX.Table] makes the table again.
//
// It returns an error for a table that is further than 1e-6 from a noisy-MAX of the sets, and those of Bind.
func (s NoisyMAX) Effects(net *bn.Network) ([]Effect, error) {
	c, err := s.causes(net)
	if err != nil {
		return nil, err
	}
	t := net.CPT(c.child)
	if err := t.Validate(); err != nil {
		return nil, wrong(s, err)
	}
	levels := len(c.order) - 1
	shares := make([][][]float64, len(c.sizes)+1) // by set, configuration and level, P(effect ≤ y | effect ≤ y+1)
	for i, size := range append(slices.Clone(c.sizes), 1) {
		shares[i] = make([][]float64, size)
		for x := range shares[i] {
			shares[i][x] = slices.Repeat([]float64{1}, levels)
		}
	}
	for level := range levels {
		f := make([]float64, len(c.config))
		for x, config := range c.config {
			below, upTo := 0.0, 0.0
			for y, state := range c.order[:level+2] {
				if upTo += t.Row(config)[state]; y == level {
					below = upTo
				}
			}
			if f[x] = 1; upTo > 0 {
				f[x] = below / upTo
			}
		}
		base := reference(f)
		if c.idle != nil {
			base = 0
			for i, x := range c.idle {
				base = base*c.sizes[i] + x
			}
		}
		shares[len(c.sizes)][0][level] = f[base]
		for i, size := range c.sizes {
			for by := 1; by < size && f[base] > 0; by++ {
				x := c.after(base, move{i, by})
				shares[i][c.local(x, i)][level] = min(f[x]/f[base], 1)
			}
		}
	}
	out := make([]Effect, len(shares))
	for i := range out {
		if i < len(c.sizes) {
			out[i].Parents = c.names(t, i)
		}
		for _, share := range shares[i] {
			p, at := make([]float64, len(c.order)), 1.0 // P(effect ≤ y)
			for y := levels; y > 0; y-- {
				p[c.order[y]] = at * (1 - share[y-1])
				at *= share[y-1]
			}
			p[c.order[0]] = at
			out[i].P = append(out[i].P, p)
		}
	}
	again, err := s.Table(net, out)
	if err != nil {
		return nil, err
	}
	for k, p := range again.P {
		if off := math.Abs(p - t.P[k]); !(off <= linksTol) {
			lo, _ := net.Layout().Family(c.child)
			problem := Problem{net: net, layout: net.Layout()}
			return nil, wrong(s, say.Errorf("the table of %q is none: P(%s) is off by %.2g; learn it under the "+
				"statement", s.Child, problem.Name(lo+k), off))
		}
	}
	return out, nil
}

// names of the parents of a set, in its order.
func (c *causes) names(t *bn.CPT, set int) (list []string) {
	for _, p := range c.parents[set] {
		list = append(list, t.Parents[p].Name)
	}
	return list
}

// Table returns the table of the child that effects make: one for each set in their order, and for a leak another at
// the end. It returns an error for another number of effects, of configurations or of states, and for what is no
// distribution, and those of Bind. (Díez 1993, Eq. 15.)
func (s NoisyMAX) Table(net *bn.Network, effects []Effect) (*bn.CPT, error) {
	c, err := s.causes(net)
	if err != nil {
		return nil, err
	}
	if k := len(effects); k != len(c.sizes) && k != len(c.sizes)+1 {
		return nil, wrong(s, fmt.Errorf("%d effects for %d sets; give one for each, and one for a leak", k,
			len(c.sizes)))
	}
	t := net.CPT(c.child).Clone()
	sums := make([][][]float64, len(effects)) // P(effect ≤ y) by set, configuration and place in the order
	for i, e := range effects {
		size := 1
		if i < len(c.sizes) {
			size = c.sizes[i]
		}
		name := Effect{Parents: e.Parents}.String()
		if len(e.P) != size {
			return nil, wrong(s, say.Errorf("the effect %s has %d distributions for %d configurations; give one "+
				"for each", name, len(e.P), size))
		}
		for _, p := range e.P {
			row := make([]float64, len(c.order))
			total := 0.0
			for y, state := range c.order {
				if len(p) != len(row) || !(p[state] >= 0 && p[state] <= 1) {
					return nil, wrong(s, say.Errorf("the effect %s has %v, which is no distribution of %d states", name,
						p, len(row)))
				}
				total += p[state]
				row[y] = total
			}
			if !(math.Abs(total-1) <= linksTol) {
				return nil, wrong(s, say.Errorf("the effect %s has %v, which is %v in all, not 1", name, p, total))
			}
			for y := range row {
				row[y] /= total
			}
			sums[i] = append(sums[i], row)
		}
	}
	for x, config := range c.config {
		before := 0.0
		for y, state := range c.order {
			f := 1.0
			for i := range sums {
				local := 0
				if i < len(c.sizes) {
					local = c.local(x, i)
				}
				f *= sums[i][local][y]
			}
			t.Row(config)[state] = f - before
			before = f
		}
	}
	return t, nil
}
