package learn

import (
	"fmt"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

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
	b, err := bindSets(constraint.NoisyOR(f), net)
	if err != nil {
		return nil, err
	}
	return &Parametric{
		Children: []string{f.Child}, Names: f.parameters(b),
		Start: startLinks, Table: b.table, Pullback: b.pullback, Natural: logistics,
	}, nil
}

// parameters names links and probabilities of causes, as in "link of {age, menopause}" and
// "P(Y1=1 | age=low, menopause=pre)".
func (f NoisyORSetsCPD) parameters(b *orSets) []string {
	var list []string
	for _, name := range f.names() {
		list = append(list, "link of "+name)
	}
	for i, cause := range b.causes {
		child := cause.Child.Name + "=" + cause.Child.States[b.present]
		for config := range cause.Configs().Len() {
			given := strings.TrimPrefix(cellName(cause, config, b.present), child)
			list = append(list, fmt.Sprintf("P(Y%d=1%s)", i+1, given))
		}
	}
	return list
}

// read takes λ: logits of links, then those of P_i(1) by place.
func (b *orSets) read(lambda []float64) {
	sets := b.sets()
	b.link(lambda[:sets])
	for place, x := range lambda[sets:] {
		b.p[place], b.nop[place] = logistics2(x)
	}
	b.mix()
}

func (b *orSets) table(dst, lambda []float64) {
	b.read(lambda)
	for config := range len(dst) / 2 {
		dst[2*config+1-b.present], dst[2*config+b.present] = b.entries(config)
	}
}

func (b *orSets) pullback(dst, lambda, g []float64) {
	b.read(lambda)
	clear(b.slope)
	for config := range len(g) / 2 {
		b.pull(config, g[2*config+1-b.present]-g[2*config+b.present])
	}
	sets := b.sets()
	b.linkSlopes(dst[:sets])
	for i := range sets {
		for place := b.first[i]; place < b.first[i+1]; place++ {
			dst[sets+place] = b.causeSlope(i, place) * b.p[place] * b.nop[place]
		}
	}
}
