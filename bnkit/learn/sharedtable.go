package learn

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/learn/internal/softmax"
	"bnlab/internal/say"
)

// SharedTable gives one table to several variables, as for a test that is done twice (R95 §6): the
// derivatives are sums over the variables. Tables are alike when the variables have equally
// many states and their parents, in order, too; states are matched by position. The parameters
// are the β of [LBFGS]; the entries of the table are reported. Under EM the same is said by
// [constraint.ShareTables].
type SharedTable struct{ Children []string }

var _ ParametricCPD = SharedTable{}

// String names the family, as in "one table for test1, test2".
func (f SharedTable) String() string { return "one table for " + strings.Join(f.Children, ", ") }

// Bind implements [ParametricCPD]. It returns an error for fewer than two variables, one that stands
// twice, and tables of different shapes.
func (f SharedTable) Bind(net *bn.Network) (*Parametric, error) {
	if len(f.Children) < 2 {
		return nil, say.Errorf("%s: %d variables; name at least two", f, len(f.Children))
	}
	first, err := net.Table(f.Children[0])
	if err != nil {
		return nil, say.Errorf("%s: %w", f, err)
	}
	seen := make(map[string]bool)
	for _, name := range f.Children {
		t, err := net.Table(name)
		if err != nil {
			return nil, say.Errorf("%s: %w", f, err)
		}
		if seen[name] {
			return nil, say.Errorf("%s: %q: %w", f, name, bn.ErrDuplicate)
		}
		seen[name] = true
		if shape, want := shapeOf(t), shapeOf(first); shape != want {
			return nil, say.Errorf("%s: the tables of %q and %q are not alike: %s and %s states of parents and child",
				f, name, f.Children[0], shape, want)
		}
	}
	size, states := len(first.P), first.Child.Cardinality()
	w, sum := make([]float64, size), make([]float64, size)
	out := &Parametric{Children: f.Children}
	for config := range first.Configs().Len() {
		for s := range states {
			out.Names = append(out.Names, "P("+cellName(first, config, s)+")")
		}
	}
	out.Start = func(lambda []float64, _ *rand.Rand) error {
		clear(lambda)
		return nil
	}
	out.Table = func(dst, lambda []float64) {
		softmax.Rows(w, lambda, states)
		for range f.Children {
			dst = dst[copy(dst, w):]
		}
	}
	out.Pullback = func(dst, lambda, g []float64) {
		softmax.Rows(w, lambda, states)
		clear(sum)
		for i, x := range g {
			sum[i%size] += x * w[i%size]
		}
		softmax.Pull(dst, w, sum, states)
	}
	out.Natural = func(dst, lambda []float64) { softmax.Rows(dst, lambda, states) }
	return out, nil
}

// shapeOf lists the numbers of states of parents and child, as in "2×3×2".
func shapeOf(t *bn.CPT) string {
	text := ""
	for _, p := range t.Parents {
		text += fmt.Sprintf("%d×", p.Cardinality())
	}
	return text + fmt.Sprint(t.Child.Cardinality())
}

// cellName spells an entry, as in "grass=wet | rain=yes, sprinkler=off".
func cellName(t *bn.CPT, config, state int) string {
	text := t.Child.Name + "=" + t.Child.States[state]
	for p, name := range t.ConfigNames(config) {
		if p == 0 {
			text += " | "
		} else {
			text += ", "
		}
		text += t.Parents[p].Name + "=" + name
	}
	return text
}
