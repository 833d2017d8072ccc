package main

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/say"
)

// claims are random statements about a small network, and what they say of the cells of its tables: read here, by
// whoever draws them, since the library's own reading is on trial.
type claims struct {
	rng        *rand.Rand
	net        *bn.Network
	layout     bn.Layout
	truth      []float64 // tables to take numbers from; nil for numbers at random
	sign       constraint.Sign
	statements []constraint.Constraint
	equal      []relation // Σ coef θ = value
	atMost     []relation // Σ coef θ ≤ value
	products   []product
}

type relation struct {
	coef  map[int]float64
	value float64
}

// A product says θ[a]·θ[b] = factor·θ[c]·θ[d].
type product struct {
	a, b, c, d int
	factor     float64
}

// tryStatements solves random statements with random counts. What is linear is judged by a linear program of
// another's, the rest by points that a plain search finds.
func tryStatements(t *trial) (string, error) {
	c := draw(t.rng)
	n := c.counts()
	p, err := constraint.Compile(c.net, c.statements...)
	var s *constraint.Solution
	if err == nil {
		s, err = p.Solve(n)
	}
	what, bad := c.judge(n, s, err)
	if bad != nil {
		bad = say.Errorf("%w\nstatements %s\ncounts %v", bad, fmt.Sprint(c.statements), n)
	}
	return what, bad
}

func (c *claims) judge(n []float64, s *constraint.Solution, err error) (string, error) {
	linear := len(c.products) == 0
	switch {
	case errors.Is(err, constraint.ErrOverlap):
		return "refused as too much at once", nil
	case err != nil && linear && !errors.Is(err, constraint.ErrInfeasible):
		return "", say.Errorf("neither an answer nor a contradiction: %w", err)
	case err != nil && linear:
		return c.confirm(err)
	case err != nil:
		return c.contest(err)
	}
	most := met
	if !linear {
		most = metCurved
	}
	if miss := c.miss(s.Theta); !(miss <= most) {
		return "", say.Errorf("the answer misses a statement by %v", miss)
	}
	if linear {
		return c.certify(n, s.Theta)
	}
	global := !slices.ContainsFunc(s.Parts, func(p constraint.Part) bool { return !p.Global })
	return c.beat(n, s.Theta, global)
}

// draw makes a network and one to five statements about it.
func draw(rng *rand.Rand) *claims {
	spell := func(letter string, n int) []string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprint(letter, i)
		}
		return list
	}
	u := spell("u", 2+rng.IntN(4))
	net := must(bn.New("[P][Q][X|P:Q][U|P][W|P]", bn.Discrete("P", spell("p", 2+rng.IntN(2))...),
		bn.Discrete("Q", spell("q", 2)...), bn.Discrete("X", spell("x", 2+rng.IntN(4))...), bn.Discrete("U", u...),
		bn.Discrete("W", u...)))
	c := &claims{rng: rng, net: net, layout: net.Layout(), sign: constraint.Sign(rng.IntN(2))}
	if rng.IntN(3) > 0 {
		c.truth = c.distributions()
	}
	kinds := []func(){c.fixed, c.limits, c.limits, c.limits, c.shareStates, c.proportional, c.shareSums, c.shareAcross,
		c.shareCells, c.sumsAcross, c.order, c.order, c.linearSum, c.linearSum, c.influence, c.influence, c.synergy,
		c.sameTables}
	if rng.IntN(5) == 0 {
		[]func(){c.ratios, c.noisyOR, c.odds}[rng.IntN(3)]()
	}
	for range 1 + rng.IntN(5) {
		kinds[rng.IntN(len(kinds))]()
	}
	return c
}

func (c *claims) say(s constraint.Constraint) { c.statements = append(c.statements, s) }

// rows are the distributions of all tables, as ranges of cells.
func (c *claims) rows() [][2]int {
	var list [][2]int
	for v := range c.net.Len() {
		for config := range c.net.CPT(v).Configs().Len() {
			lo, hi := c.layout.Row(v, config)
			list = append(list, [2]int{lo, hi})
		}
	}
	return list
}

func (c *claims) distributions() []float64 {
	theta := make([]float64, c.layout.Len())
	for _, r := range c.rows() {
		sum := 0.0
		for i := r[0]; i < r[1]; i++ {
			theta[i] = 0.1 + c.rng.ExpFloat64()
			sum += theta[i]
		}
		for i := r[0]; i < r[1]; i++ {
			theta[i] /= sum
		}
	}
	return theta
}

// counts are whole numbers with zeros, or of very unequal size, or with nothing in some distributions.
func (c *claims) counts() []float64 {
	n := make([]float64, c.layout.Len())
	unequal, zeros, empty := c.rng.IntN(3) == 0, c.rng.IntN(2) == 0, c.rng.IntN(3) == 0
	for _, r := range c.rows() {
		nothing := empty && c.rng.IntN(3) == 0
		for i := r[0]; i < r[1]; i++ {
			switch {
			case nothing, zeros && c.rng.IntN(3) == 0:
			case unequal:
				n[i] = math.Exp(math.Log(1e-2) + c.rng.Float64()*math.Log(1e6))
			default:
				n[i] = float64(1 + c.rng.IntN(30))
			}
		}
	}
	return n
}

// some draws at least one state and at most most, in any order.
func (c *claims) some(v, most int) []string {
	all := slices.Clone(c.net.Variable(v).States)
	c.rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:1+c.rng.IntN(min(most, len(all)))]
}

// divided draws two or more disjoint groups of states of at most most, nil when there are too few.
func (c *claims) divided(v, most int) [][]string {
	all := c.some(v, 1<<20)
	var groups [][]string
	for len(all) > 0 {
		size := 1 + c.rng.IntN(min(most, len(all)))
		groups, all = append(groups, all[:size]), all[size:]
	}
	if len(groups) < 2 {
		return nil
	}
	return groups
}

const varX, varU, varW = 2, 3, 4

// where draws a variable with parents, a condition on them, and the configurations that meet it.
func (c *claims) where(whole bool) (v int, given bn.Given, configs []int) {
	v = []int{varX, varX, varU, varW}[c.rng.IntN(4)]
	t := c.net.CPT(v)
	want := make([]int, len(t.Parents))
	for i, p := range t.Parents {
		want[i] = -1
		if whole || c.rng.IntN(2) == 0 {
			want[i] = c.rng.IntN(p.Cardinality())
			if given == nil {
				given = bn.Given{}
			}
			given[p.Name] = p.States[want[i]]
		}
	}
	for config := range t.Configs().Len() {
		meets := true
		for i, s := range want {
			meets = meets && (s < 0 || s == config/t.Configs().Stride(i)%t.Configs().Card(i))
		}
		if meets {
			configs = append(configs, config)
		}
	}
	return v, given, configs
}

func (c *claims) name(v int) string { return c.net.Variable(v).Name }

func (c *claims) cell(v, config int, state string) int {
	return c.layout.Cell(v, config, slices.Index(c.net.Variable(v).States, state))
}

// sum is Σ factor·θ over states of a distribution, added to a map of coefficients, which it makes when nil.
func (c *claims) sum(coef map[int]float64, factor float64, v, config int, states ...string) map[int]float64 {
	if coef == nil {
		coef = map[int]float64{}
	}
	for _, s := range states {
		coef[c.cell(v, config, s)] += factor
	}
	return coef
}

func (c *claims) isEqual(coef map[int]float64, value float64) {
	c.equal = append(c.equal, relation{coef, value})
}
func (c *claims) isAtMost(coef map[int]float64, value float64) {
	c.atMost = append(c.atMost, relation{coef, value})
}

// value is what the truth has for a sum, or a number at random.
func (c *claims) value(coef map[int]float64) float64 {
	if c.truth == nil {
		return c.rng.Float64()
	}
	return dot(coef, c.truth)
}

func dot(coef map[int]float64, theta []float64) float64 {
	sum := 0.0
	for i, f := range coef {
		sum += f * theta[i]
	}
	return sum
}
