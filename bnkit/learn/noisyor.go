package learn

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
)

// NoisyOR says that each parent that is present causes the child by itself with a
// probability of its own, its link q (R95 §6):
//
//	P(child absent | parents) = (1 − q_leak) · Π over present parents (1 − q)
//
// The child and its parents have two states, of which the last means present unless Present
// says otherwise. A parameter is the logit of a link, and a link is what is reported. Links of
// the child to k parents take the place of 2^k rows. Parents that act together are in [NoisyORSets].
type NoisyOR struct {
	Child string
	// Leak lets the child be present when no parent is. Without it, a case in which the child
	// is present and all parents are absent is impossible.
	Leak bool
	// Present gives, by variable, the state that means present.
	Present map[string]string
}

var _ Family = NoisyOR{}

// String names the family, as in "noisy-OR of fever with leak".
func (f NoisyOR) String() string {
	if f.Leak {
		return "noisy-OR of " + f.Child + " with leak"
	}
	return "noisy-OR of " + f.Child
}

// noisyOR is bound: the causes in a configuration are the parents that are present, and the
// leak, which always is.
type noisyOR struct {
	causes  [][]int // by configuration
	present int     // state of the child
}

// Bind implements [Family]. It returns an error for a variable of the family that has not two
// states, a state in Present that a variable does not have, and a name in it that is not of the
// family.
func (f NoisyOR) Bind(net *bn.Network) (*Parametric, error) {
	t, err := net.Table(f.Child)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f, err)
	}
	family := append(slices.Clone(t.Parents), t.Child)
	present := make([]int, len(family))
	named := 0
	for i, v := range family {
		if v.Cardinality() != 2 {
			return nil, fmt.Errorf("%s: %q has %d states, and must be present or absent; merge states, or use NeuralNet", f, v.Name, v.Cardinality())
		}
		present[i] = 1
		if state, ok := f.Present[v.Name]; ok {
			named++
			if present[i], err = v.StateIndex(state); err != nil {
				return nil, fmt.Errorf("%s: Present: %w", f, err)
			}
		}
	}
	if named < len(f.Present) {
		for _, name := range slices.Sorted(maps.Keys(f.Present)) {
			if !slices.ContainsFunc(family, func(v bn.Variable) bool { return v.Name == name }) {
				return nil, fmt.Errorf("%s: Present names %q, which is neither the child nor a parent", f, name)
			}
		}
	}
	b := noisyOR{causes: make([][]int, t.Configs().Len()), present: present[len(t.Parents)]}
	out := &Parametric{Children: []string{f.Child}, Start: startLinks, Table: b.table, Pullback: b.pullback, Natural: logistics}
	for _, parent := range t.Parents {
		out.Names = append(out.Names, "link of "+parent.Name)
	}
	if f.Leak {
		out.Names = append(out.Names, "leak")
	}
	for config := range b.causes {
		for i, state := range t.Configs().States(nil, config) {
			if state == present[i] {
				b.causes[config] = append(b.causes[config], i)
			}
		}
		if f.Leak {
			b.causes[config] = append(b.causes[config], len(t.Parents))
		}
	}
	return out, nil
}

// startLinks starts links at one half, or somewhat about it.
func startLinks(lambda []float64, rng *rand.Rand) error {
	clear(lambda)
	if rng != nil {
		for i := range lambda {
			lambda[i] = rng.NormFloat64()
		}
	}
	return nil
}

func (b noisyOR) table(dst, lambda []float64) {
	for config, causes := range b.causes {
		z := b.logAbsent(causes, lambda)
		dst[2*config+b.present] = 0 - math.Expm1(z) // −Expm1(0) would be −0
		dst[2*config+1-b.present] = math.Exp(z)
	}
}

// logAbsent is Σ log(1 − q) = −Σ log(1 + e^λ).
func (b noisyOR) logAbsent(causes []int, lambda []float64) float64 {
	z := 0.0
	for _, i := range causes {
		z -= softplus(lambda[i])
	}
	return z
}

// pullback uses ∂P(absent)/∂λ = −P(absent)·q for a cause that is present, 0 for another.
func (b noisyOR) pullback(dst, lambda, g []float64) {
	clear(dst)
	for config, causes := range b.causes {
		absent := math.Exp(b.logAbsent(causes, lambda))
		slope := (g[2*config+b.present] - g[2*config+1-b.present]) * absent
		for _, i := range causes {
			dst[i] += slope * logistic(lambda[i])
		}
	}
}

// softplus is log(1 + e^x).
func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func logistics(dst, lambda []float64) {
	for i, x := range lambda {
		dst[i] = logistic(x)
	}
}
