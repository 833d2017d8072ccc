package constraint

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// A family is a child's table as qualitative statements see it: by sums of its highest states.
type family struct {
	child  int
	states int // of the child
	layout bn.Layout
}

// compare says, of the sums of the states m and higher in some rows,
//
//	Σ_low P(Child ≥ m | row) + margin ≤ Σ_high P(Child ≥ m | row)
//
// (W00 Eq. 6; Y13 Eqs. 1, 2, 5 and 6.)
func (d family) compare(low, high []int, m int, margin float64) Linear {
	size := (len(low) + len(high)) * (d.states - m)
	l := Linear{Cells: make([]int, 0, size), Coef: make([]float64, 0, size)}
	if margin > 0 {
		l.Value = -margin // and not −0
	}
	add := func(configs []int, coef float64) {
		for _, config := range configs {
			for state := m; state < d.states; state++ {
				l.Cells, l.Coef = append(l.Cells, d.layout.Cell(d.child, config, state)), append(l.Coef, coef)
			}
		}
	}
	add(low, 1)
	add(high, -1)
	return l
}

// checkMargin rejects a margin that is negative, not finite, or larger than any distribution allows.
func checkMargin(margin, most float64) error {
	if !(margin >= 0 && margin <= most) {
		return say.Errorf("the margin is %v; give a difference from 0 to %v", margin, most)
	}
	return nil
}

// proviso prints a margin and conditions, as in ", by 0.05 at least, wherever Noise=loud".
func proviso(margin float64, given bn.Given) string {
	text := ""
	if margin != 0 {
		text = fmt.Sprintf(", by %v at least", margin)
	}
	if len(given) > 0 {
		if text != "" {
			text += ","
		}
		text += " wherever " + given.String()
	}
	return text
}

// place finds a parent of t that a statement compares the states of. given are its conditions.
func place(net *bn.Network, t *bn.CPT, name string, given bn.Given) (int, error) {
	v, err := variable(net, name)
	if err != nil {
		return 0, err
	}
	if name = net.Variable(v).Name; name == t.Child.Name {
		return 0, errors.New("a variable has no influence on itself; name one of its parents")
	}
	at := whichOf(t.Parents, name)
	if at < 0 {
		return 0, say.Errorf("%q is no parent of %q (parents: %s); name one of them, or add the arc to the network",
			name, t.Child.Name, names(t.Parents))
	}
	if _, ok := asNamed(t.Parents, given)[name]; ok {
		return 0, say.Errorf("it compares the states of %q, and Given fixes one; leave it out of Given", name)
	}
	return at, nil
}

// ladders are the rows of the child's table that an influence compares: a ladder for each
// configuration of the other parents, with a row for each state of the parent, in the
// order in which the child rises.
type ladders struct {
	family
	steps int // states of the parent that are compared
	rows  [][]int
}

// ladders resolves the names.
func (s Influence) ladders(net *bn.Network) (ladders, error) {
	if s.Parent == "" || s.Child == "" {
		return ladders{}, say.Errorf("constraint: an influence of %q on %q; name the Parent and the Child", s.Parent,
			s.Child)
	}
	if err := errors.Join(s.Sign.check(), checkMargin(s.Margin, 1)); err != nil {
		return ladders{}, wrong(s, err)
	}
	t, v, err := table(net, s, s.Child)
	if err != nil {
		return ladders{}, err
	}
	parent, err := place(net, t, s.Parent, s.Given)
	if err != nil {
		return ladders{}, wrong(s, err)
	}
	if err := checkOrder(t.Parents[parent], t.Child); err != nil {
		return ladders{}, wrong(s, err)
	}
	configs, err := matching(t, s.Given)
	if err != nil {
		return ladders{}, wrong(s, err)
	}
	over, err := s.over(t.Parents[parent])
	if err != nil {
		return ladders{}, wrong(s, err)
	}
	d := ladders{family: family{v, t.Child.Cardinality(), net.Layout()}, steps: len(over)}
	stride := t.Configs().Stride(parent)
	for _, config := range configs {
		if config/stride%t.Parents[parent].Cardinality() > 0 {
			continue
		}
		ladder := make([]int, d.steps)
		for i, state := range over {
			ladder[i] = config + state*stride
		}
		if s.Sign == Negative {
			slices.Reverse(ladder)
		}
		d.rows = append(d.rows, ladder)
	}
	return d, nil
}

// over are the states of the parent that are compared.
func (s Influence) over(parent bn.Variable) ([]int, error) {
	if s.Over == nil {
		all := make([]int, parent.Cardinality())
		for i := range all {
			all[i] = i
		}
		return all, nil
	}
	if len(s.Over) < 2 {
		return nil, say.Errorf("it is over %d states of %q; name two at least, or leave Over out for all", len(s.Over),
			parent.Name)
	}
	list := make([]int, len(s.Over))
	for i, name := range s.Over {
		var err error
		if list[i], err = parent.StateIndex(name); err != nil {
			return nil, err
		}
		switch {
		case slices.Contains(list[:i], list[i]):
			return nil, say.Errorf("%w: Over names state %q of %q twice; name it once", bn.ErrDuplicate, name,
				parent.Name)
		case i > 0 && list[i] < list[i-1]:
			return nil, say.Errorf("it names %q before %q, which is lower in %q; name states in their order, and "+
				"turn the sign for a fall", s.Over[i-1], name, parent.Name)
		}
	}
	return list, nil
}

// among prints the states that are compared, as in " among young, middle and old".
func among(states []string) string {
	if len(states) == 0 {
		return ""
	}
	last := len(states) - 1
	return " among " + strings.TrimPrefix(strings.Join(states[:last], ", ")+" and "+states[last], " and ")
}

// broken calls f with each pair of rows of a ladder, and each m, for which the states m and
// higher are less likely in the row that is higher up, or more by less than the margin for each
// step between them. It returns an error when a row of the table is no distribution. (W00 Eq. 7.)
func (d ladders) broken(net *bn.Network, margin float64, f func(low, high, m int, excess float64)) error {
	t := net.CPT(d.child)
	if err := t.Validate(); err != nil {
		return err
	}
	for _, ladder := range d.rows {
		for i, high := range ladder {
			for j, low := range ladder[:i] {
				difference := 0.0
				for m := d.states - 1; m > 0; m-- {
					difference += t.Row(low)[m] - t.Row(high)[m]
					if excess := difference + float64(i-j)*margin; excess > 0 {
						f(low, high, m, excess)
					}
				}
			}
		}
	}
	return nil
}
