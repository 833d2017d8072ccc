package learn

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn/internal/maxsets"
	"bnlab/bnkit/learn/internal/orsets"
	"bnlab/internal/say"
)

// NoisyORCPD says that each parent that is present causes the child by itself with a
// probability of its own, its link q (R95 §6):
//
//	P(child absent | parents) = (1 − q_leak) · Π over present parents (1 − q)
//
// The child and its parents have two states, of which the last means present unless Present
// says otherwise. A parameter is the logit of a link, and a link is what is reported. Links of
// the child to k parents take the place of 2^k rows, of which each step still makes all: k is at most 20, which
// takes some ten seconds to fit. Parents that act together are in [NoisyORSetsCPD].
type NoisyORCPD struct {
	Child string
	// Leak lets the child be present when no parent is. Without it, a case in which the child
	// is present and all parents are absent is impossible.
	Leak bool
	// Present gives, by variable, the state that means present.
	Present map[string]string
}

var _ ParametricCPD = NoisyORCPD{}

// String names the family, as in "noisy-OR of fever with leak".
func (f NoisyORCPD) String() string {
	if f.Leak {
		return "noisy-OR of " + f.Child + " with leak"
	}
	return "noisy-OR of " + f.Child
}

// mostParents of two states make a million rows, all of which each evaluation of a gradient goes through.
const mostParents = 20

// noisyOR is bound. The causes in a configuration are the parents that are present, and the leak, which always
// is and comes last.
type noisyOR struct {
	child   int       // the state of the child that means present
	parents []int     // by parent, the state that means present
	causes  int       // parents and leak
	loss    []float64 // by cause, −log(1 − q), scratch
	rows    []float64 // by configuration, scratch
}

// Bind implements [ParametricCPD]. It returns an error for a variable of the family that has not two
// states, a state in Present that a variable does not have, a name in it that is not of the
// family, and for more than 20 parents.
func (f NoisyORCPD) Bind(net *bn.Network) (*Parametric, error) {
	t, err := net.Table(f.Child)
	if err != nil {
		return nil, say.Errorf("%s: %w", f, err)
	}
	if k := len(t.Parents); k > mostParents {
		return nil, say.Errorf("%s: %w: %d parents make 2^%d rows; a noisy-OR may have %d parents", f,
			bn.ErrTooLarge, k, k, mostParents)
	}
	family := append(slices.Clone(t.Parents), t.Child)
	present := make([]int, len(family))
	named := 0
	for i, v := range family {
		if v.Cardinality() != 2 {
			return nil,
				say.Errorf("%s: %q has %d states, and must be present or absent; merge states, or use NeuralNet", f,
					v.Name, v.Cardinality())
		}
		present[i] = 1
		if state, ok := f.Present[v.Name]; ok {
			named++
			if present[i], err = v.StateIndex(state); err != nil {
				return nil, say.Errorf("%s: Present: %w", f, err)
			}
		}
	}
	if named < len(f.Present) {
		for _, name := range slices.Sorted(maps.Keys(f.Present)) {
			if !slices.ContainsFunc(family, func(v bn.Variable) bool { return v.Name == name }) {
				return nil, say.Errorf("%s: Present names %q, which is neither the child nor a parent", f, name)
			}
		}
	}
	k := len(t.Parents)
	b := &noisyOR{child: present[k], parents: present[:k], causes: k, rows: make([]float64, t.Configs().Len())}
	out := &Parametric{Children: []string{f.Child}, Start: startLinks, Table: b.table, Pullback: b.pullback,
		Natural: logistics}
	for _, parent := range t.Parents {
		out.Names = append(out.Names, "link of "+parent.Name)
	}
	if f.Leak {
		out.Names = append(out.Names, "leak")
		b.causes++
	}
	b.loss = make([]float64, b.causes)
	return out, nil
}

// startLinks starts links somewhat about one half.
func startLinks(lambda []float64, rng *rand.Rand) error {
	for i := range lambda {
		lambda[i] = rng.NormFloat64()
	}
	return nil
}

func (b *noisyOR) table(dst, lambda []float64) {
	for config, z := range b.logAbsent(lambda) {
		dst[2*config+b.child] = 0 - math.Expm1(z) // −Expm1(0) would be −0
		dst[2*config+1-b.child] = math.Exp(z)
	}
}

// logAbsent is Σ log(1 − q) = −Σ log(1 + e^λ) over the causes of each configuration. The sums are made parent by
// parent: those of the first parents are where those of one parent more begin.
func (b *noisyOR) logAbsent(lambda []float64) []float64 {
	for i, x := range lambda {
		b.loss[i] = softplus(x)
	}
	z := b.rows
	z[0] = 0
	for i, present := range b.parents {
		for config := 1<<i - 1; config >= 0; config-- { // backwards, since each is read where two are written
			sum := z[config]
			z[2*config+1-present] = sum
			z[2*config+present] = sum - b.loss[i]
		}
	}
	if b.causes > len(b.parents) {
		for config := range z {
			z[config] -= b.loss[b.causes-1]
		}
	}
	return z
}

// pullback uses ∂P(absent)/∂λ = −P(absent)·q for a cause that is present, 0 for another. The slopes of the
// configurations in which a parent is present are added up parent by parent, the last, which varies fastest, first.
func (b *noisyOR) pullback(dst, lambda, g []float64) {
	slope := b.logAbsent(lambda)
	for config, z := range slope {
		slope[config] = 0
		if by := g[2*config+b.child] - g[2*config+1-b.child]; by != 0 {
			slope[config] = by * math.Exp(z)
		}
	}
	for i := len(b.parents) - 1; i >= 0; i-- {
		present, total := b.parents[i], 0.0
		for config := range 1 << i {
			total += slope[2*config+present]
			slope[config] = slope[2*config] + slope[2*config+1]
		}
		dst[i] = total * logistic(lambda[i])
	}
	if b.causes > len(b.parents) {
		dst[b.causes-1] = slope[0] * logistic(lambda[b.causes-1])
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

// NoisyORSetsCPD says that sets of parents cause the child independently, each through a hidden
// cause of its own: cause Y_i is present with probability P_i(1 | x_i), any function of the
// configuration x_i of its set, and brings about the child with probability q_i, its link
//
//	P(child absent | x) = Π_i [1 − q_i + q_i P_i(0 | x_i)]                 (Y13 Eqs. 4 and 8)
//
// The parameters are the logits of links and of the P_i(1 | x_i), which are reported. Only the products
// q_i P_i(1 | x_i) make a difference, and of these too some can pass from set to set; see
// [constraint.NoisyOR], the statement that a table is of this form, whose Links reads parameters that
// mean something by themselves off any such table. [NoisyORCPD] is the case of a set for each parent, where a
// parent that is absent never causes the child.
//
// A statement is turned into the family by NoisyORSetsCPD(statement). With complete cases [ML] and [MAP]
// under the statement find the maximum itself.
type NoisyORSetsCPD constraint.NoisyOR

var _ ParametricCPD = NoisyORSetsCPD{}

// String names the family, as in "noisy-OR of recurrence from {age, menopause} and {irradiat}".
func (f NoisyORSetsCPD) String() string {
	return "noisy-OR of " + f.Child + " from " + strings.Join(f.names(), " and ")
}

// names are those of the sets.
func (f NoisyORSetsCPD) names() []string {
	names := make([]string, len(f.Sets))
	for i, set := range f.Sets {
		names[i] = "{" + strings.Join(set, ", ") + "}"
	}
	return names
}

// Bind implements [ParametricCPD]. The errors are those of [constraint.NoisyOR.Bind].
func (f NoisyORSetsCPD) Bind(net *bn.Network) (*Parametric, error) {
	b, err := orsets.Bind(constraint.NoisyOR(f), net)
	if err != nil {
		return nil, err
	}
	return &Parametric{
		Children: []string{f.Child}, Names: f.parameters(b),
		Start: startLinks, Table: b.Table, Pullback: b.Pullback, Natural: logistics,
	}, nil
}

// parameters names links and probabilities of causes, as in "link of {age, menopause}" and
// "P(Y1=1 | age=low, menopause=pre)".
func (f NoisyORSetsCPD) parameters(b *orsets.Sets) []string {
	var list []string
	for _, name := range f.names() {
		list = append(list, "link of "+name)
	}
	for i, cause := range b.Causes {
		child := cause.Child.Name + "=" + cause.Child.States[b.Present]
		for config := range cause.Configs().Len() {
			given := strings.TrimPrefix(cellName(cause, config, b.Present), child)
			list = append(list, fmt.Sprintf("P(Y%d=1%s)", i+1, given))
		}
	}
	return list
}

// NoisyMAXCPD is the noisy-MAX of a [constraint.NoisyMAX] as a family, with its fields: parents, or sets of them,
// have independent effects on the child, and the strongest, or with Min the weakest, is what is seen. With Idle each
// parent has a state without effect, and a leak is learned. The parameters of an effect are the logarithms of the
// odds of its states against the weakest; what is reported are its probabilities. A noisy-AND is the family of a
// child of two states with Min.
//
// A statement is turned into the family by NoisyMAXCPD(statement). With complete cases [ML] and [MAP], and with
// missing cells or hidden variables [EM], under the statement find the maximum of each step itself.
type NoisyMAXCPD constraint.NoisyMAX

var _ ParametricCPD = NoisyMAXCPD{}

// String says what is seen, as in "the highest of independent effects of {flu} and {cold} is seen as fever
// (noisy-MAX)".
func (f NoisyMAXCPD) String() string { return constraint.NoisyMAX(f).String() }

// Bind implements [ParametricCPD]. The errors are those of [constraint.NoisyMAX.Bind].
func (f NoisyMAXCPD) Bind(net *bn.Network) (*Parametric, error) {
	b, err := maxsets.Bind(constraint.NoisyMAX(f), net)
	if err != nil {
		return nil, err
	}
	out := &Parametric{Children: []string{f.Child}, Start: startLinks, Table: b.Table, Pullback: b.Pullback,
		Natural: b.Natural}
	for i, cause := range b.Causes {
		of := "leak"
		if len(cause.Parents) > 0 {
			var names []string
			for _, p := range cause.Parents {
				names = append(names, p.Name)
			}
			of = "effect of {" + strings.Join(names, ", ") + "}"
		}
		for config, first := range b.First[i] {
			if first < 0 {
				continue
			}
			for _, state := range b.Order[1:] {
				cell := strings.TrimPrefix(cellName(cause, config, state), cause.Child.Name)
				out.Names = append(out.Names, "P("+of+cell+")")
			}
		}
	}
	return out, nil
}
