package netdoc

import (
	"fmt"
	"math"

	"bnlab/bnkit/bn"
	"bnlab/internal/num"
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
		return fmt.Errorf("%s: %d orders of strength and %d sets of effects for %d parents", who, len(m.Strengths),
			len(m.Effects), len(m.Parents))
	}
	r := m.Child.Cardinality()
	if r < 2 {
		return fmt.Errorf("%s: %d states, and two are needed at least", who, r)
	}
	for p, parent := range m.Parents {
		if len(m.Strengths[p]) != parent.Cardinality() || len(m.Effects[p]) != parent.Cardinality() {
			return fmt.Errorf("%s: the parent %q has %d states, its order of strength %d and its effects %d", who,
				parent.Name, parent.Cardinality(), len(m.Strengths[p]), len(m.Effects[p]))
		}
		seen := make([]bool, parent.Cardinality())
		for k, s := range m.Strengths[p] {
			if s < 0 || s >= len(seen) || seen[s] {
				return fmt.Errorf("%s: the order of strength %v of the parent %q does not name each of its states 0 "+
					"to %d once", who, m.Strengths[p], parent.Name, len(seen)-1)
			}
			seen[s] = true
			where := fmt.Sprintf("%s: the effects of %s=%s", who, parent.Name, parent.States[s])
			if err := distribution(m.Effects[p][k], r, where); err != nil {
				return err
			}
			if last := k == len(seen)-1; last && m.Effects[p][k][r-1] != 1 {
				return fmt.Errorf("%s are %v, but this state is the weakest and has none, (0, ..., 0, 1)", where,
					m.Effects[p][k])
			}
		}
	}
	return distribution(m.Leak, r, who+": the leak")
}

func distribution(p []float64, r int, where string) error {
	if len(p) != r {
		return fmt.Errorf("%s are %d numbers, and the child has %d states", where, len(p), r)
	}
	sum := 0.0
	for _, x := range p {
		if !(x >= 0 && x <= 1) {
			return fmt.Errorf("%s: %v is not a probability", where, x)
		}
		sum += x
	}
	if !(math.Abs(sum-1) <= num.RowTolerance) {
		return fmt.Errorf("%s sum to %v, not 1", where, sum)
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
	states := make([]int, len(m.Parents))
	at := make([]float64, r+1)
	for config := range t.Configs().Len() {
		t.Configs().States(states, config)
		copy(at, leak)
		for p, s := range states {
			for y, x := range effects[p][s] {
				at[y] *= x
			}
		}
		row := t.Row(config)
		for y := range row {
			row[y] = at[y] - at[y+1]
		}
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
			return nil, nil, 0, fmt.Errorf("noisy-MAX node %q: %q has %d states, noisy-OR is for two", m.Child.Name,
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
