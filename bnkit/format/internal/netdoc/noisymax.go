package netdoc

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// A NoisyMAX is a child whose parents act independently, each producing an effect of its
// own, the strongest of which is what is seen (F. J. Díez, Parameter adjustment in Bayes
// networks: the generalized noisy OR-gate, UAI 1993). States of the child are ordered from
// the strongest, number 0, to the last, which means that nothing happened. With Y_p the
// effect of parent p alone, Y_0 that of the leak (M. Henrion, UAI 1987), and at(y) standing
// for "state y or a weaker one",
//
//	P(Y at y | x) = P(Y_0 at y) · Π_p P(Y_p at y | x_p).
//
// With two states each it is noisy-OR, and the probability of the first state, given that
// only parent p is present and there is no leak, is its link.
type NoisyMAX struct {
	Child   bn.Variable
	Parents []bn.Variable
	// Strengths order the states of each parent from the strongest to the one that does
	// nothing: Strengths[p][k] is the state in place k.
	Strengths [][]int
	// Effects are distributions of the child's states when parent p alone acts, in the
	// state Strengths[p][k]: Effects[p][k][state]. They do not include the leak (Díez's
	// parameters; Henrion's include it). The last of each parent is (0, ..., 0, 1).
	Effects [][][]float64
	// Leak is the distribution of the child's states when no parent acts.
	Leak []float64
}

// Validate returns an error that names what is not of the right size, no permutation of
// states, or no distribution.
func (m *NoisyMAX) Validate() error {
	who := fmt.Sprintf("noisy-MAX node %q", m.Child.Name)
	if len(m.Strengths) != len(m.Parents) || len(m.Effects) != len(m.Parents) {
		return say.Errorf("%s: %d orders of strength and %d sets of effects for %d parents", who, len(m.Strengths),
			len(m.Effects), len(m.Parents))
	}
	r := m.Child.Cardinality()
	if r < 2 {
		return say.Errorf("%s: %d states, and two are needed at least", who, r)
	}
	for p, parent := range m.Parents {
		if len(m.Strengths[p]) != parent.Cardinality() || len(m.Effects[p]) != parent.Cardinality() {
			return say.Errorf("%s: the parent %q has %d states, its order of strength %d and its effects %d", who,
				parent.Name, parent.Cardinality(), len(m.Strengths[p]), len(m.Effects[p]))
		}
		seen := make([]bool, parent.Cardinality())
		for k, s := range m.Strengths[p] {
			if s < 0 || s >= len(seen) || seen[s] {
				return say.Errorf("%s: the order of strength %v of the parent %q does not name each of its states 0 "+
					"to %d once", who, m.Strengths[p], parent.Name, len(seen)-1)
			}
			seen[s] = true
			where := fmt.Sprintf("%s: the effects of %s=%s", who, parent.Name, parent.States[s])
			if err := distribution(m.Effects[p][k], r, where); err != nil {
				return err
			}
			if last := k == len(seen)-1; last && m.Effects[p][k][r-1] != 1 {
				return say.Errorf("%s are %v, but this state is the weakest and has none, (0, ..., 0, 1)", where,
					m.Effects[p][k])
			}
		}
	}
	return distribution(m.Leak, r, who+": the leak")
}

func distribution(p []float64, r int, where string) error {
	if len(p) != r {
		return say.Errorf("%s are %d numbers, and the child has %d states", where, len(p), r)
	}
	sum := 0.0
	for _, x := range p {
		if !(x >= 0 && x <= 1) {
			return say.Errorf("%s: %v is not a probability", where, x)
		}
		sum += x
	}
	if !(math.Abs(sum-1) <= num.RowTolerance) {
		return say.Errorf("%s sum to %v, not 1", where, sum)
	}
	return nil
}

// CPT returns the table of the node, each entry the difference of two products. Effects
// that are off 1 by rounding are divided by their sum.
func (m *NoisyMAX) CPT() (*bn.CPT, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	t, err := bn.NewCPT(m.Child, m.Parents...)
	if err != nil {
		return nil, err
	}
	r := m.Child.Cardinality()
	leak := weaker(m.Leak)
	effects := make([][][]float64, len(m.Parents)) // by parent and its state
	for p := range m.Parents {
		effects[p] = make([][]float64, len(m.Effects[p]))
		for k, s := range m.Strengths[p] {
			effects[p][s] = weaker(m.Effects[p][k])
		}
	}
	// The products of the leak and the first p effects, which configurations that agree on the first p parents share: a
	// table takes two products for each entry, however many parents there are.
	states := make([]int, len(m.Parents))
	products := make([][]float64, len(m.Parents)+1)
	products[0] = leak
	for p := range m.Parents {
		products[p+1] = make([]float64, r+1)
	}
	from := 0 // the first parent whose state is another than in the row before
	for config := range t.Configs().Len() {
		for p := from; p < len(states); p++ {
			for y, x := range effects[p][states[p]] {
				products[p+1][y] = products[p][y] * x
			}
		}
		at, row := products[len(states)], t.Row(config)
		for y := range row {
			row[y] = at[y] - at[y+1]
		}
		for from = len(states) - 1; from >= 0; from-- {
			if states[from]++; states[from] < len(effects[from]) {
				break
			}
			states[from] = 0
		}
		from = max(from, 0)
	}
	return t, nil
}

// weaker returns for each state y the probability of y and all weaker states, with 0
// after the last. The sums are monotone, hence so are their products.
func weaker(p []float64) []float64 {
	at := make([]float64, len(p)+1)
	for y := len(p) - 1; y >= 0; y-- {
		at[y] = at[y+1] + p[y]
	}
	total := at[0]
	for y := range p {
		at[y] /= total
	}
	return at
}

// Links returns what learn.NoisyORCPD calls the same node: the state of each variable of the
// family that means present, by name; for each parent, in order, the probability q that it
// causes the child when it is present alone; and that of the leak,
//
//	P(child absent | parents) = (1 − leak) · Π over present parents (1 − q).
//
// It returns an error when a variable of the family has not two states.
func (m *NoisyMAX) Links() (present map[string]string, links []float64, leak float64, err error) {
	if err := m.Validate(); err != nil {
		return nil, nil, 0, err
	}
	present = make(map[string]string, 1+len(m.Parents))
	for _, v := range append([]bn.Variable{m.Child}, m.Parents...) {
		if v.Cardinality() != 2 {
			return nil, nil, 0, say.Errorf("noisy-MAX node %q: %q has %d states, noisy-OR is for two", m.Child.Name,
				v.Name, v.Cardinality())
		}
	}
	present[m.Child.Name] = m.Child.States[0]
	for p, parent := range m.Parents {
		present[parent.Name] = parent.States[m.Strengths[p][0]]
		links = append(links, 1-weaker(m.Effects[p][0])[1])
	}
	return present, links, 1 - weaker(m.Leak)[1], nil
}

// Idle returns the state of each parent that does nothing, by name: what constraint.NoisyMAX and learn.NoisyMAXCPD
// take as Idle. States of the node are ordered from the strongest, so for them its lowest effect is seen: Min is
// true.
func (m *NoisyMAX) Idle() map[string]string {
	idle := make(map[string]string, len(m.Parents))
	for p, parent := range m.Parents {
		order := m.Strengths[p]
		idle[parent.Name] = parent.States[order[len(order)-1]]
	}
	return idle
}

// tableTolerance is by how much a table may differ from a noisy-MAX to be read as one.
const tableTolerance = 1e-6

// Refit puts a network of the same variables in the place of the file's, as one that was learned under
// constraint.NoisyMAX, and reads the effects and leaks of the noisy-MAX nodes off its tables, so that they are
// written as such. It returns an error, and leaves the file as it is, for other variables and for a table that is
// further than 1e-6 from such a node.
func (f *File) Refit(net *bn.Network) error {
	net = net.Clone()
	nodes := make(map[string]*NoisyMAX, len(f.NoisyMAX))
	for _, name := range slices.Sorted(maps.Keys(f.NoisyMAX)) {
		t, err := net.Table(name)
		if err != nil {
			return say.Errorf("noisy-MAX node %q: %w", name, err)
		}
		m, err := f.NoisyMAX[name].refit(t)
		if err != nil {
			return err
		}
		again, err := m.CPT()
		if err != nil {
			return err
		}
		for k, p := range again.P {
			if off := math.Abs(p - t.P[k]); !(off <= tableTolerance) {
				return say.Errorf("noisy-MAX node %q: the table is off by %.2g from one; learn it under "+
					"constraint.NoisyMAX", name, off)
			}
		}
		copy(t.P, again.P)
		nodes[name] = m
	}
	f.Network, f.NoisyMAX = net, nodes
	return nil
}

// refit is the node with the effects of what t shows where one parent acts.
func (m *NoisyMAX) refit(t *bn.CPT) (*NoisyMAX, error) {
	who := fmt.Sprintf("noisy-MAX node %q", m.Child.Name)
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if !same(t.Child, m.Child) || !slices.EqualFunc(t.Parents, m.Parents, same) {
		return nil, say.Errorf("%s: its parents or states are other ones in the network; give one of the variables of "+
			"the file", who)
	}
	if err := t.Validate(); err != nil {
		return nil, say.Errorf("%s: %w", who, err)
	}
	idle := make([]int, len(m.Parents))
	for p, order := range m.Strengths {
		idle[p] = order[len(order)-1]
	}
	out := &NoisyMAX{Child: m.Child, Parents: m.Parents, Strengths: m.Strengths,
		Leak: slices.Clone(t.Row(t.Configs().Index(idle)))}
	leak := weaker(out.Leak)
	for p, order := range m.Strengths {
		var effects [][]float64
		for _, state := range order {
			alone := slices.Clone(idle)
			alone[p] = state
			effects = append(effects, without(weaker(t.Row(t.Configs().Index(alone))), leak))
		}
		out.Effects = append(out.Effects, effects)
	}
	return out, nil
}

func same(a, b bn.Variable) bool { return a.Name == b.Name && slices.Equal(a.States, b.States) }

// without takes the leak out of what a parent does alone, both as probabilities of a state or a weaker one. Their
// ratios to those of the next stronger state fall as they should; rounding above 1 is cut.
func without(alone, leak []float64) []float64 {
	effect := make([]float64, len(alone)-1)
	at := 1.0
	for y := range effect {
		next := at
		if own, all := leak[y+1]*alone[y], alone[y+1]*leak[y]; all < own {
			next *= all / own
		}
		effect[y] = at - next
		at = next
	}
	effect[len(effect)-1] += at
	return effect
}
