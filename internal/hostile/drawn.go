package main

import (
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

func (c *claims) fixed() {
	v, given, configs := c.where(true)
	states := c.some(v, c.net.Variable(v).Cardinality()-1)
	s, left := constraint.Fixed{Var: c.name(v), Given: given, P: map[string]float64{}}, 1.0
	for _, state := range states {
		p := left * c.rng.Float64()
		if c.truth != nil {
			p = c.truth[c.cell(v, configs[0], state)]
		}
		s.P[state] = p
		left -= p
		c.isEqual(c.sum(nil, 1, v, configs[0], state), p)
	}
	c.say(s)
}

func (c *claims) limits() {
	v, given, configs := c.where(c.rng.IntN(3) > 0)
	states := c.some(v, c.net.Variable(v).Cardinality()-1)
	p := c.value(c.sum(nil, 1, v, configs[0], states...))
	low, high := p*c.rng.Float64(), p+(1-p)*c.rng.Float64()
	which := c.rng.IntN(3)
	for _, config := range configs {
		if which != 0 {
			c.isAtMost(c.sum(nil, -1, v, config, states...), -low)
		}
		if which != 1 {
			c.isAtMost(c.sum(nil, 1, v, config, states...), high)
		}
	}
	switch name := c.name(v); which {
	case 0:
		c.say(constraint.AtMost{Var: name, Given: given, States: states, P: high})
	case 1:
		c.say(constraint.AtLeast{Var: name, Given: given, States: states, P: low})
	default:
		c.say(constraint.Between{Var: name, Given: given, States: states, Low: low, High: high})
	}
}

func (c *claims) shareStates() {
	v, given, configs := c.where(false)
	s := constraint.ShareStates{Var: c.name(v), Given: given, Groups: c.divided(v, 3)}
	if s.Groups == nil {
		return
	}
	for _, config := range configs {
		for _, g := range s.Groups {
			for _, state := range g[1:] {
				c.isEqual(c.sum(c.sum(nil, 1, v, config, g[0]), -1, v, config, state), 0)
			}
		}
	}
	c.say(s)
}

func (c *claims) proportional() {
	v, given, configs := c.where(false)
	states := c.some(v, 4)
	if len(states) < 2 {
		return
	}
	s := constraint.Proportional{Var: c.name(v), Given: given, Weights: map[string]float64{}}
	for _, state := range states {
		s.Weights[state] = 0.1 + 3*c.rng.Float64()
	}
	for _, config := range configs {
		for _, state := range states[1:] {
			first := c.sum(nil, s.Weights[state], v, config, states[0])
			c.isEqual(c.sum(first, -s.Weights[states[0]], v, config, state), 0)
		}
	}
	c.say(s)
}

func (c *claims) shareSums() {
	v, given, configs := c.where(false)
	s := constraint.ShareSums{Var: c.name(v), Given: given, Groups: c.divided(v, 2)}
	if s.Groups == nil {
		return
	}
	for _, config := range configs {
		for _, g := range s.Groups[1:] {
			c.isEqual(c.sum(c.sum(nil, 1, v, config, s.Groups[0]...), -1, v, config, g...), 0)
		}
	}
	c.say(s)
}

func (c *claims) shareAcross() {
	v := []int{varX, varU}[c.rng.IntN(2)]
	s := constraint.ShareAcross{Var: c.name(v)}
	var groups [][]string
	for _, state := range c.net.Variable(v).States {
		groups = append(groups, []string{state})
	}
	if c.rng.IntN(2) == 0 {
		if groups = c.divided(v, 2); groups == nil {
			return
		}
		groups = groups[:1]
		s.Groups = groups
	}
	for _, g := range groups {
		first := c.cell(v, 0, g[0])
		for config := range c.net.CPT(v).Configs().Len() {
			for _, state := range g {
				if cell := c.cell(v, config, state); cell != first {
					c.isEqual(map[int]float64{first: 1, cell: -1}, 0)
				}
			}
		}
	}
	c.say(s)
}

func (c *claims) shareCells() {
	var group []constraint.Cell
	var cells []int
	for range 2 + c.rng.IntN(2) {
		v, given, configs := c.where(true)
		state := c.some(v, 1)[0]
		if cell := c.cell(v, configs[0], state); !slices.Contains(cells, cell) {
			cells = append(cells, cell)
			group = append(group, constraint.Cell{Var: c.name(v), State: state, Given: given})
		}
	}
	if len(group) < 2 {
		return
	}
	for _, cell := range cells[1:] {
		c.isEqual(map[int]float64{cells[0]: 1, cell: -1}, 0)
	}
	c.say(constraint.ShareCells{Groups: [][]constraint.Cell{group}})
}

func (c *claims) sumsAcross() {
	v, given, configs := c.where(true)
	w, also, others := c.where(true)
	if v == w && configs[0] == others[0] {
		return
	}
	a, b := c.some(v, c.net.Variable(v).Cardinality()-1), c.some(w, c.net.Variable(w).Cardinality()-1)
	c.isEqual(c.sum(c.sum(nil, 1, v, configs[0], a...), -1, w, others[0], b...), 0)
	c.say(constraint.ShareSumsAcross{Events: []constraint.Event{{Var: c.name(v), States: a, Given: given},
		{Var: c.name(w), States: b, Given: also}}})
}

func (c *claims) order() {
	v, given, configs := c.where(false)
	s := constraint.OrderSums{Var: c.name(v), Given: given, Groups: c.divided(v, 2)}
	if s.Groups == nil {
		return
	}
	factor := 1.0
	if c.rng.IntN(2) == 0 {
		factor = 0.5 + 2*c.rng.Float64()
		s.Factor = factor
	}
	for _, config := range configs {
		for i, g := range s.Groups[1:] {
			c.isAtMost(c.sum(c.sum(nil, 1, v, config, s.Groups[i]...), -factor, v, config, g...), 0)
		}
	}
	c.say(s)
}

func (c *claims) linearSum() {
	s := constraint.LinearSum{Relation: constraint.Relation(c.rng.IntN(3))}
	coef := map[int]float64{}
	for range 2 + c.rng.IntN(3) {
		v, given, configs := c.where(true)
		state := c.some(v, 1)[0]
		cell := c.cell(v, configs[0], state)
		if _, ok := coef[cell]; ok {
			continue
		}
		coef[cell] = c.rng.NormFloat64()
		s.Terms = append(s.Terms, constraint.Term{Cell: constraint.Cell{Var: c.name(v), State: state, Given: given},
			Factor: coef[cell]})
	}
	s.Value = c.value(coef)
	switch s.Relation {
	case constraint.Equal:
		c.isEqual(coef, s.Value)
	case constraint.NoMore:
		s.Value += 0.1 * c.rng.Float64()
		c.isAtMost(coef, s.Value)
	case constraint.NoLess:
		s.Value -= 0.1 * c.rng.Float64()
		negative := map[int]float64{}
		for cell, f := range coef {
			negative[cell] = -f
		}
		c.isAtMost(negative, -s.Value)
	}
	c.say(s)
}

// above adds the probability of states from m on.
func (c *claims) above(coef map[int]float64, factor float64, config, m int) map[int]float64 {
	return c.sum(coef, factor, varX, config, c.net.Variable(varX).States[m:]...)
}

func (c *claims) influence() {
	parent := c.rng.IntN(2)
	s := constraint.Influence{Parent: c.name(parent), Child: "X", Sign: c.sign}
	if c.rng.IntN(3) == 0 {
		s.Margin = 0.2 * c.rng.Float64()
	}
	configs := c.net.CPT(varX).Configs()
	for config := range configs.Len() {
		if config/configs.Stride(parent)%configs.Card(parent)+1 == configs.Card(parent) {
			continue
		}
		low, high := config, config+configs.Stride(parent)
		if s.Sign == constraint.Negative {
			low, high = high, low
		}
		for m := 1; m < c.net.Variable(varX).Cardinality(); m++ {
			c.isAtMost(c.above(c.above(nil, 1, low, m), -1, high, m), -s.Margin)
		}
	}
	c.say(s)
}

func (c *claims) synergy() {
	s := constraint.Synergy{Parents: []string{"P", "Q"}, Child: "X", Sub: c.rng.IntN(2) == 0}
	if c.rng.IntN(3) == 0 {
		s.Margin = 0.1 * c.rng.Float64()
	}
	sign := 1.0
	if s.Sub {
		sign = -1
	}
	configs := c.net.CPT(varX).Configs()
	for i := range configs.Card(0) - 1 {
		at := i * configs.Stride(0)
		for m := 1; m < c.net.Variable(varX).Cardinality(); m++ {
			// F = 1 − P(X ≥ m), so that the ones cancel.
			coef := c.above(c.above(nil, -sign, at, m), -sign, at+configs.Stride(0)+1, m)
			c.isAtMost(c.above(c.above(coef, sign, at+configs.Stride(0), m), sign, at+1, m), -s.Margin)
		}
	}
	c.say(s)
}

func (c *claims) sameTables() {
	lo, hi := c.layout.Family(varU)
	other, _ := c.layout.Family(varW)
	for i := range hi - lo {
		c.isEqual(map[int]float64{lo + i: 1, other + i: -1}, 0)
	}
	c.say(constraint.ShareTables{Vars: []string{"U", "W"}})
}

// ratios: two pairs of states in one proportion, of one distribution or of two.
func (c *claims) ratios() {
	v, given, configs := c.where(true)
	w, also, others := v, given, configs
	a := c.some(v, 1<<20)
	var b []string
	if c.rng.IntN(2) == 0 {
		if len(a) < 4 {
			return
		}
		a, b = a[:2], a[2:4]
		c.say(constraint.ShareRatios{Var: c.name(v), Given: given, Groups: [][]string{a, b}})
	} else {
		w, also, others = c.where(true)
		b = c.some(w, 1<<20)
		if v == w && configs[0] == others[0] || len(a) < 2 || len(b) < 2 {
			return
		}
		a, b = a[:2], b[:2]
		c.say(constraint.ShareRatiosAcross{Events: []constraint.Event{{Var: c.name(v), States: a, Given: given},
			{Var: c.name(w), States: b, Given: also}}})
	}
	c.products = append(c.products, product{c.cell(v, configs[0], a[0]), c.cell(w, others[0], b[1]),
		c.cell(v, configs[0], a[1]), c.cell(w, others[0], b[0]), 1})
}

// noisyOR: log P(absent) is a sum over the parents.
func (c *claims) noisyOR() {
	if c.net.Variable(varX).Cardinality() != 2 {
		return
	}
	c.say(constraint.NoisyOR{Child: "X", Sets: [][]string{{"P"}, {"Q"}}})
	cell := func(p, q int) int { return c.layout.Cell(varX, 2*p+q, 0) }
	for p := 1; p < c.net.Variable(0).Cardinality(); p++ {
		c.products = append(c.products, product{cell(p, 1), cell(0, 0), cell(p, 0), cell(0, 1), 1})
	}
}

// odds: those of U in one row are a multiple of those in another.
func (c *claims) odds() {
	if c.net.Variable(varU).Cardinality() != 2 {
		return
	}
	k := math.Exp(c.rng.NormFloat64())
	states, parents := c.net.Variable(varU).States, c.net.Variable(0).States
	at := func(p, s int) constraint.Cell {
		return constraint.Cell{Var: "U", State: states[s], Given: bn.Given{"P": parents[p]}}
	}
	c.say(constraint.Formula{Text: "the odds of U are a multiple",
		Cells: []constraint.Cell{at(1, 1), at(0, 0), at(1, 0), at(0, 1)},
		Equal: []constraint.Function{{Value: func(x []float64) float64 { return x[0]*x[1] - k*x[2]*x[3] }}}})
	c.products = append(c.products, product{c.layout.Cell(varU, 1, 1), c.layout.Cell(varU, 0, 0),
		c.layout.Cell(varU, 1, 0), c.layout.Cell(varU, 0, 1), k})
}
