package structure

import (
	"fmt"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/structure/internal/joints"
	"bnlab/bnkit/structure/internal/logs"
	"bnlab/internal/say"
)

// BDe is the log marginal likelihood under Dirichlet priors from a prior network: the parameter of a cell
// is EquivalentSampleSize × its probability in the prior network (Heckerman, Geiger and Chickering 1995,
// Eq. 28). Variables are matched by name, with the same states in the same order; the prior network may
// have more. A nil Prior is the uniform joint distribution: [BDeu]. (B06 §3.)
type BDe struct {
	EquivalentSampleSize float64     // in cases; 0 means 1
	Prior                *bn.Network // nil for the uniform one
}

// Family scores one family. It needs Bind first when there is a prior network, and is the uniform
// one's score otherwise; a [Scorer] calls Bind.
func (s BDe) Family(c *Counts) float64 { return BDeu{s.EquivalentSampleSize}.Family(c) }

func (s BDe) String() string {
	if s.Prior == nil {
		return fmt.Sprintf("BDe with equivalent sample size %g", BDeu{s.EquivalentSampleSize}.size())
	}
	return fmt.Sprintf("BDe with equivalent sample size %g and a prior network of %d arcs",
		BDeu{s.EquivalentSampleSize}.size(), s.Prior.DAG().Arcs())
}

// Bind checks the equivalent sample size and finds the variables in the prior network.
func (s BDe) Bind(vars []bn.Variable) (Score, error) {
	size := BDeu{s.EquivalentSampleSize}.size()
	if err := checkSize("BDe", size); err != nil {
		return nil, err
	}
	if s.Prior == nil {
		return BDeu{size}, nil
	}
	if err := s.Prior.Validate(); err != nil {
		return nil, say.Errorf("structure: BDe: the prior network: %w", err)
	}
	for _, v := range vars {
		at, err := s.Prior.Index(v.Name)
		if err != nil {
			return nil, say.Errorf("structure: BDe: the prior network: %w", err)
		}
		if w := s.Prior.Variable(at); !v.Equal(w) {
			return nil, say.Errorf("structure: BDe: the cases have %v and the prior network %v; give both the same "+
				"states in the same order (data.CSVOptions.States)", v, w)
		}
	}
	return newBoundBDe(s, size), nil
}

// A boundBDe is a BDe with a prior network that has the variables.
type boundBDe struct {
	BDe
	size   float64
	number map[string]int // of a variable in the prior network
	joints *joints.Joints
}

func newBoundBDe(s BDe, size float64) boundBDe {
	n := s.Prior.Len()
	cards, parents, tables := make([]int, n), make([][]int, n), make([][]float64, n)
	b := boundBDe{BDe: s, size: size, number: make(map[string]int, n)}
	for v := range n {
		b.number[s.Prior.Variable(v).Name] = v
		if t := s.Prior.CPT(v); t != nil {
			cards[v], parents[v], tables[v] = t.Child.Cardinality(), s.Prior.DAG().Parents(v), t.P
		} else { // numbers are above no states, and say nothing of them
			cards[v], tables[v] = 1, []float64{1}
		}
	}
	b.joints = joints.New(cards, parents, tables)
	return b
}

// Family is TryFamily, the lowest number where that fails.
func (s boundBDe) Family(c *Counts) float64 {
	v, err := s.TryFamily(c)
	if err != nil {
		return -math.MaxFloat64
	}
	return v
}

// TryFamily scores one family. It returns an error when the prior network is too densely connected to
// compute the family's joint distribution, and when it gives probability 0 to what occurs.
func (s boundBDe) TryFamily(c *Counts) (float64, error) {
	var room, cards, steps, at [8]int // seldom more, so that they need no memory of their own
	members, digits, step, state := room[:0], cards[:0], steps[:0], at[:0]
	for _, v := range c.Parents {
		members, digits, state = append(members, s.number[v.Name]), append(digits, v.Cardinality()), append(state, 0)
	}
	child := s.number[c.Child.Name]
	step = append(step, members...) // first their numbers
	members = append(members, child)
	slices.Sort(members)
	joint, err := s.joints.Of(members)
	if err != nil {
		return 0, err
	}
	for i, v := range step {
		step[i] = joint.Stride(v)
	}
	own := joint.Stride(child)
	var sum logs.RisingSum
	from := 0 // the configuration in the joint distribution
	for row := 0; row < len(c.N); row += c.R {
		n, total := 0.0, 0.0
		for i, k := range c.N[row : row+c.R] {
			alpha := s.size * joint.Values[from+i*own]
			total += alpha
			if k == 0 {
				continue
			}
			if !(alpha > 0) {
				return 0, say.Errorf("the prior network gives probability 0 to %q = %q with parents in configuration "+
					"%d, which occurs %g times", c.Child.Name, c.Child.States[i], row/c.R, k)
			}
			n += k
			sum.Add(alpha, k)
		}
		if n > 0 {
			sum.Subtract(total, n)
		}
		for i := len(digits) - 1; i >= 0; i-- { // the last parent varies fastest
			from += step[i]
			if state[i]++; state[i] < digits[i] {
				break
			}
			from -= digits[i] * step[i]
			state[i] = 0
		}
	}
	return c.Scale * sum.Value(), nil
}
