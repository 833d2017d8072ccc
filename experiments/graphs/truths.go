package graphs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/format/bif"
	"bnlab/datasets"
)

// simulated names the networks that are drawn anew in each draw.
const simulated = "simulated"

// groups and members are those of a simulated network.
const (
	groups  = 4
	members = 4
)

// linked are the pairs of groups between which a simulated network may have arcs.
var linked = [][2]int{{0, 1}, {0, 2}, {2, 3}}

// openNetwork reads a network of the repository; the second value is set where it cannot be had.
func openNetwork(ctx context.Context, name string) (net *bn.Network, missing, err error) {
	file, err := datasets.Open(ctx, "networks/"+name+".bif", nil)
	if errors.Is(err, datasets.ErrNotAvailable) {
		return nil, err, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	net, _, err = bif.Read(file)
	return net, nil, err
}

// variableName is that of a member of a group, and groupName that of a composite.
func variableName(v int) string { return fmt.Sprintf("X%d", v+1) }
func groupName(g int) string    { return fmt.Sprintf("G%d", g+1) }

// drawNetwork draws a simulated network. A table is an ordinal logistic regression on the parents, whose weights have
// random signs.
func drawNetwork(rng *rand.Rand) (*bn.Network, error) {
	net, err := drawGraph(rng, 2)
	if err != nil {
		return nil, err
	}
	for v := range net.Len() {
		drawTable(net, v, rng)
	}
	return net, net.Validate()
}

// drawGraph draws the graph of a simulated network, without tables. One variable of every so many has three states.
// Each pair of a group is joined with probability .5
// while the later one has fewer than two parents, and each variable of a group below another has, with probability .4,
// a parent there.
func drawGraph(rng *rand.Rand, every int) (*bn.Network, error) {
	var vars []bn.Variable
	parents := make([][]int, groups*members)
	var names []string
	for v := range groups * members {
		states := []string{"0", "1", "2"}[:2+rng.IntN(every)/(every-1)]
		vars = append(vars, bn.Discrete(variableName(v), states...))
		names = append(names, variableName(v))
		for u := v / members * members; u < v; u++ {
			if len(parents[v]) < 2 && rng.Float64() < 0.5 {
				parents[v] = append(parents[v], u)
			}
		}
		for _, l := range linked {
			if l[1] == v/members && rng.Float64() < 0.4 {
				parents[v] = append(parents[v], l[0]*members+rng.IntN(members))
			}
		}
	}
	g, err := bn.NewDAG(names, parents)
	if err != nil {
		return nil, err
	}
	return bn.NewNetwork(g, vars)
}

// drawTable fills the table of a variable: P(state ≥ m) = 1/(1 + exp(c_m − Σ w x)), x from −1 to 1 along the states of
// a parent, 1.2 ≤ |w| ≤ 2.5.
func drawTable(net *bn.Network, v int, rng *rand.Rand) {
	t := net.CPT(v)
	configs := t.Configs()
	weights := make([]float64, configs.Parents())
	for i := range weights {
		weights[i] = 1.2 + 1.3*rng.Float64()
		if rng.IntN(2) == 0 {
			weights[i] = -weights[i]
		}
	}
	card := net.Variable(v).Cardinality()
	cuts := []float64{rng.Float64() - 0.5}
	if card == 3 {
		cuts = []float64{-0.5 - rng.Float64(), 0.5 + rng.Float64()}
	}
	var states []int
	for config := range configs.Len() {
		sum := 0.0
		states = configs.States(states, config)
		for i, s := range states {
			sum += weights[i] * (2*float64(s)/float64(configs.Card(i)-1) - 1)
		}
		row, above := t.Row(config), 1.0
		for m := range card {
			next := 0.0
			if m < card-1 {
				next = 1 / (1 + math.Exp(cuts[m]-sum))
			}
			row[m], above = above-next, next
		}
	}
}

// signsOf are the influences of single arcs that a network has, in the order in which its states are declared. An arc
// without any effect, or whose effect has both signs, has none.
func signsOf(net *bn.Network) ([]constraint.Influence, error) {
	const exact = 1e-9
	var list []constraint.Influence
	g := net.DAG()
	for v := range g.Len() {
		for _, u := range g.Parents(v) {
			up := constraint.Influence{Parent: g.Name(u), Child: g.Name(v)}
			down := up
			down.Sign = constraint.Negative
			broken, err := up.Violation(net)
			if err != nil {
				return nil, err
			}
			other, err := down.Violation(net)
			if err != nil {
				return nil, err
			}
			switch {
			case broken <= exact && other > exact:
				list = append(list, up)
			case other <= exact && broken > exact:
				list = append(list, down)
			}
		}
	}
	return list, nil
}

// reverse turns a quarter of the signs round.
func reverse(signs []constraint.Influence, rng *rand.Rand) []constraint.Influence {
	list := slices.Clone(signs)
	for _, i := range rng.Perm(len(list))[:(len(list)+3)/4] {
		if list[i].Sign == constraint.Negative {
			list[i].Sign = constraint.Positive
		} else {
			list[i].Sign = constraint.Negative
		}
	}
	return list
}

// layers is the number of tiers.
const layers = 3

// tierOf is the tier of each variable: a third of the longest path to the deepest variable.
func tierOf(g *bn.DAG) []int {
	depth, deepest := make([]int, g.Len()), 0
	for _, v := range g.Order() {
		for _, u := range g.Parents(v) {
			depth[v] = max(depth[v], depth[u]+1)
		}
		deepest = max(deepest, depth[v])
	}
	for v := range depth {
		depth[v] = depth[v] * layers / (deepest + 1)
	}
	return depth
}

// misplace puts a quarter of the variables into another tier.
func misplace(tier []int, rng *rand.Rand) []int {
	moved := slices.Clone(tier)
	for _, v := range rng.Perm(len(tier))[:(len(tier)+3)/4] {
		moved[v] = (moved[v] + 1 + rng.IntN(layers-1)) % layers
	}
	return moved
}

// named are the tiers by names.
func named(g *bn.DAG, tier []int) [][]string {
	list := make([][]string, layers)
	for v, t := range tier {
		list[t] = append(list[t], g.Name(v))
	}
	return slices.DeleteFunc(list, func(names []string) bool { return len(names) == 0 })
}
