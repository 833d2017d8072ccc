package baseline

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"bnlab/bnkit/bn"
)

// Trees are decision trees, one for each output. A tree is grown by information gain, a
// branch for each state of the input, until no split gains anything or leaves two branches
// of two cases or more, and then pruned from the leaves upwards: a subtree becomes a leaf
// when that costs no more. Leaves predict the proportions of their cases (Quinlan, C4.5:
// Programs for Machine Learning, 1993).
type Trees struct {
	out   []int
	roots []*node
}

var _ Predictor = (*Trees)(nil)

// A Cost is what pruning goes by: that of a leaf with so many cases of each value, in a
// tree grown from total cases.
type Cost func(counts []float64, total float64) float64

// Errors is C4.5's: the number of cases that are not of the most frequent value, taken
// pessimistically as the upper end of its one-sided 75 % interval,
//
//	N · q,   P(at most E errors | N, q) = 0.25.
func Errors(counts []float64, _ float64) float64 {
	cases := 0.0
	for _, n := range counts {
		cases += n
	}
	errors := cases - slices.Max(counts)
	switch {
	case cases == 0:
		return 0
	case errors == cases:
		return cases
	}
	return cases * distuv.Beta{Alpha: errors + 1, Beta: cases - errors}.Quantile(0.75)
}

// Likelihood is the negative log-likelihood of the proportions, and half the logarithm of
// all cases for each free one, as in the Bayesian information criterion.
func Likelihood(counts []float64, total float64) float64 {
	cost, cases := 0.5*float64(len(counts)-1)*math.Log(total), 0.0
	for _, n := range counts {
		cases += n
	}
	for _, n := range counts {
		if n > 0 {
			cost -= n * math.Log(n/cases)
		}
	}
	return cost
}

// TrainTrees grows and prunes.
func TrainTrees(c *Cases, cost Cost) *Trees {
	t := &Trees{out: c.Out}
	rows := make([]int, len(c.X))
	for i := range rows {
		rows[i] = i
	}
	lo := 0
	for _, card := range c.Out {
		g := grower{cases: c, lo: lo, card: card, cost: cost}
		for _, n := range g.counts(rows) {
			g.total += n
		}
		root, _ := g.grow(rows)
		t.roots = append(t.roots, root)
		lo += card
	}
	return t
}

// Predict implements [Predictor].
func (t *Trees) Predict(dst []float64, x []bn.State) {
	lo := 0
	for o, at := range t.roots {
		for at.branches != nil {
			at = at.branches[x[at.input]]
		}
		copy(dst[lo:lo+t.out[o]], at.p)
		lo += t.out[o]
	}
}

// Leaves is the number of leaves of all trees.
func (t *Trees) Leaves() int {
	leaves := 0
	for _, root := range t.roots {
		leaves += root.leaves()
	}
	return leaves
}

type node struct {
	p        []float64
	input    int
	branches []*node // nil for a leaf
}

func (n *node) leaves() int {
	if n.branches == nil {
		return 1
	}
	leaves := 0
	for _, b := range n.branches {
		leaves += b.leaves()
	}
	return leaves
}

// A grower grows the tree of one output, whose values begin at lo.
type grower struct {
	cases    *Cases
	lo, card int
	cost     Cost
	total    float64
}

// leastCases are what two branches of a split must have.
const leastCases = 2

// grow returns the pruned tree of some distinct inputs, and what it costs.
func (g *grower) grow(rows []int) (*node, float64) {
	counts := g.counts(rows)
	cost, input := g.cost(counts, g.total), g.split(rows, counts)
	leaf := &node{p: counts}
	normalise(leaf.p, []int{g.card})
	if input < 0 {
		return leaf, cost
	}
	n, below := &node{input: input}, 0.0
	for _, part := range g.parts(rows, input) {
		if len(part) == 0 {
			n.branches = append(n.branches, &node{p: leaf.p})
			continue
		}
		b, c := g.grow(part)
		n.branches, below = append(n.branches, b), below+c
	}
	if cost <= below {
		return leaf, cost
	}
	return n, below
}

// split is the input with the greatest gain, −1 when none gains.
func (g *grower) split(rows []int, counts []float64) int {
	best, gain := -1, 1e-9*g.total // more than rounding
	whole := entropy(counts)
	for input := range g.cases.In {
		left, enough := 0.0, 0
		for _, part := range g.parts(rows, input) {
			n := g.counts(part)
			left += entropy(n)
			cases := 0.0
			for _, k := range n {
				cases += k
			}
			if cases >= leastCases {
				enough++
			}
		}
		if enough >= 2 && whole-left > gain {
			best, gain = input, whole-left
		}
	}
	return best
}

// parts divides rows by the state of an input.
func (g *grower) parts(rows []int, input int) [][]int {
	parts := make([][]int, g.cases.In[input])
	for _, i := range rows {
		state := g.cases.X[i][input]
		parts[state] = append(parts[state], i)
	}
	return parts
}

// counts are the cases of each value.
func (g *grower) counts(rows []int) []float64 {
	counts := make([]float64, g.card)
	for _, i := range rows {
		for k, n := range g.cases.N[i][g.lo : g.lo+g.card] {
			counts[k] += n
		}
	}
	return counts
}

// entropy is −Σ n log(n/N), that of all cases together.
func entropy(counts []float64) float64 {
	h, cases := 0.0, 0.0
	for _, n := range counts {
		cases += n
	}
	for _, n := range counts {
		if n > 0 {
			h -= n * math.Log(n/cases)
		}
	}
	return h
}
