package structure

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/structure/internal/ancestors"
	"bnlab/internal/elimination"
	"bnlab/internal/factor"
	"bnlab/internal/num"
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
		return nil, fmt.Errorf("structure: BDe: the prior network: %w", err)
	}
	for _, v := range vars {
		at, err := s.Prior.Index(v.Name)
		if err != nil {
			return nil, fmt.Errorf("structure: BDe: the prior network: %w", err)
		}
		if w := s.Prior.Variable(at); !v.Equal(w) {
			return nil, fmt.Errorf("structure: BDe: the cases have %v and the prior network %v; give both the same "+
				"states in the same order (data.CSVOptions.States)", v, w)
		}
	}
	return boundBDe{s, size, newJoints(s.Prior)}, nil
}

// A boundBDe is a BDe with a prior network that has the variables.
type boundBDe struct {
	BDe
	size   float64
	joints *joints
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
	members := make([]int, 0, len(c.Parents)+1)
	for _, v := range append(slices.Clip(c.Parents), c.Child) {
		at, err := s.Prior.Index(v.Name)
		if err != nil {
			return 0, err
		}
		members = append(members, at)
	}
	joint, err := s.joints.of(members)
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for row := 0; row < len(c.N); row += c.R {
		n, total := 0.0, 0.0
		for i := row; i < row+c.R; i++ {
			alpha := s.size * joint[i]
			total += alpha
			if c.N[i] == 0 {
				continue
			}
			if !(alpha > 0) {
				return 0, fmt.Errorf("the prior network gives probability 0 to %q = %q with parents in configuration "+
					"%d, which occurs %g times",
					c.Child.Name, c.Child.States[i-row], row/c.R, c.N[i])
			}
			n += c.N[i]
			sum += num.Lgamma(alpha+c.N[i]) - num.Lgamma(alpha)
		}
		if n > 0 {
			sum += num.Lgamma(total) - num.Lgamma(total+n)
		}
	}
	return c.Scale * sum, nil
}

// joints keeps the joint distributions of sets of variables of a network: one set has the families of several children.
type joints struct {
	net     *bn.Network
	parents [][]int
	above   *ancestors.Set

	sync.Mutex
	kept map[string]*factor.Factor
	room int // entries that may still be kept
}

// keptJoints bounds the entries (64 MiB).
const keptJoints = 1 << 23

func newJoints(net *bn.Network) *joints {
	j := &joints{net: net, parents: make([][]int, net.Len()), above: ancestors.New(net.Len()),
		kept: make(map[string]*factor.Factor), room: keptJoints}
	for v := range j.parents {
		j.parents[v] = net.DAG().Parents(v)
	}
	j.above.Rebuild(j.parents)
	return j
}

// of returns the joint distribution of some variables, the first varying slowest.
func (j *joints) of(members []int) ([]float64, error) {
	key := make([]byte, 0, 64)
	for _, v := range slices.Sorted(slices.Values(members)) {
		key = append(key, byte(v), byte(v>>8), byte(v>>16))
	}
	j.Lock()
	joint := j.kept[string(key)]
	j.Unlock()
	if joint == nil {
		var err error
		if joint, err = j.marginal(members); err != nil {
			return nil, err
		}
		j.Lock()
		if size := len(joint.Values); size <= j.room && j.kept[string(key)] == nil {
			j.room -= size
			j.kept[string(key)] = joint
		}
		j.Unlock()
	}
	return factor.Permute(nil, joint, members...).Values, nil
}

// marginal sums out the other ancestors of some variables.
func (j *joints) marginal(members []int) (*factor.Factor, error) {
	net := j.net
	var tables []*factor.Factor
	for v := range net.Len() {
		if !slices.Contains(members, v) &&
			!slices.ContainsFunc(members, func(m int) bool { return j.above.Has(m, v) }) {
			continue
		}
		t := &factor.Factor{Values: net.CPT(v).P}
		for _, p := range append(slices.Clip(j.parents[v]), v) {
			t.Vars = append(t.Vars, p)
			t.Cards = append(t.Cards, net.Variable(p).Cardinality())
		}
		tables = append(tables, t)
	}
	family := 1.0
	for _, v := range members {
		family *= float64(net.Variable(v).Cardinality())
	}
	joint, err := elimination.SumProduct(tables, members, elimination.Plain, max(maxPriorCells, family))
	if err != nil {
		return nil, fmt.Errorf("the prior network is too densely connected for the joint distribution of this "+
			"family: %w", err)
	}
	return joint, nil
}

// maxPriorCells bounds a table of the elimination (32 MiB).
const maxPriorCells = 1 << 22
