package learn

import (
	"fmt"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn/internal/orsets"
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
