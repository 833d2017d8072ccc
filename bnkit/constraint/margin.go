package constraint

import (
	"bnlab/internal/presolve"
	"bnlab/internal/say"
	"errors"
	"fmt"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/linprog"
)

// LargestMargin returns the largest ε with which all influences and synergies among the statements
// can hold together when each of them has the Margin ε in place of its own, and all other statements
// as they are. It is that of a linear program for each group of linked distributions, of which the
// least counts. An influence of a parent with r states alone allows 1/(r−1); influences of several parents
// allow one over the sum of all r−1, two parents in synergy besides, each of two states, 1/3; a synergy
// without influences up to 2. (Y13 Eqs. 2 and 6.)
//
// It returns an error when there is no influence or synergy, when one links distributions that a statement
// that is not linear is about, one that wraps [ErrInfeasible] when the statements contradict each other even
// without margins, and the errors of [Compile] about names.
func LargestMargin(net *bn.Network, statements ...Constraint) (float64, error) {
	if net == nil {
		return 0, errNoNetwork
	}
	var bounds []Bound
	var of []int // by bound, its statement
	for i, s := range statements {
		if isNil(s) {
			return 0, fmt.Errorf("constraint: statement %d is nil", i+1)
		}
		list, err := s.Bind(net)
		if err != nil {
			return 0, err
		}
		for _, b := range list {
			bounds, of = append(bounds, b), append(of, i)
		}
	}
	if err := checkSigns(statements); err != nil {
		return 0, err
	}
	largest := math.Inf(1) // none yet
	for _, members := range link(net.Layout(), bounds) {
		m := newMarginProgram(net.Layout(), bounds, members)
		for _, at := range members {
			weight := 0.0
			if isQualitative(statements[of[at]]) {
				weight = 1
			}
			if err := m.add(bounds[at], weight); err != nil {
				return 0, wrong(statements[of[at]], err)
			}
		}
		if m.inequalities == 0 {
			continue
		}
		margin, err := m.solve()
		if errors.Is(err, linprog.ErrInfeasible) {
			return 0, fmt.Errorf("constraint: %w: the statements cannot hold together even without margins; Compile "+
				"names those that do not", ErrInfeasible)
		}
		if err != nil {
			return 0, say.Errorf("constraint: %w", err)
		}
		largest = min(largest, margin)
	}
	if math.IsInf(largest, 1) {
		return 0, errors.New("constraint: no influence or synergy compares any states; a margin is a matter of theirs")
	}
	return largest, nil
}

// A marginProgram is the linear program for a group of linked distributions. Its variables are the
// table entries, but for the first of each row, which is 1 less the others, and the last of all is the
// margin, or what all margins are multiplied by.
type marginProgram struct {
	linprog.Problem
	leaf         map[int]int // by table entry of the group
	row          [][2]int    // by leaf, the leaves of its row: from, to
	at           []int       // by leaf, its variable
	inequalities int         // that have a margin
}

func newMarginProgram(layout bn.Layout, bounds []Bound, members []int) *marginProgram {
	m := &marginProgram{leaf: make(map[int]int)}
	for _, member := range members {
		for _, row := range bounds[member].Links {
			lo, hi := layout.Row(row.Var, row.Config)
			if _, ok := m.leaf[lo]; ok {
				continue
			}
			first := len(m.at)
			sum := linprog.Row{Value: 1}
			for cell := lo; cell < hi; cell++ {
				m.leaf[cell] = len(m.at)
				m.row = append(m.row, [2]int{first, first + hi - lo})
				m.at = append(m.at, m.Len)
				if cell > lo {
					sum.Index = append(sum.Index, m.Len)
					m.Len++
				}
			}
			m.AtMost = append(m.AtMost, sum)
		}
	}
	m.Len++
	return m
}

// add adds what a bound says, with a margin of weight times the last variable when the weight is positive.
func (m *marginProgram) add(b Bound, weight float64) error {
	if len(b.Ratios) > 0 || len(b.Smooth) > 0 {
		return errors.New("it is not linear, and may be about distributions that an influence or synergy is about; " +
			"leave it out to find the largest margin")
	}
	equal, atMost := b.linear(m.leaf)
	for _, r := range equal {
		m.Equal = append(m.Equal, m.free(r))
	}
	for _, r := range atMost {
		r = m.free(r)
		if weight > 0 {
			r.Index, r.Coef, r.Value = append(r.Index, m.Len-1), append(r.Coef, weight), 0
			m.inequalities++
		}
		m.AtMost = append(m.AtMost, r)
	}
	return nil
}

// free writes a row over leaves in the variables.
func (m *marginProgram) free(r linprog.Row) linprog.Row {
	out := linprog.Row{Value: r.Value}
	coef := make(map[int]float64)
	add := func(variable int, c float64) {
		if _, ok := coef[variable]; !ok {
			out.Index = append(out.Index, variable)
		}
		coef[variable] += c
	}
	for k, leaf := range r.Index {
		first := m.row[leaf][0]
		if leaf > first {
			add(m.at[leaf], r.Factor(k))
			continue
		}
		out.Value -= r.Factor(k)
		for other := first + 1; other < m.row[leaf][1]; other++ {
			add(m.at[other], -r.Factor(k))
		}
	}
	for _, variable := range out.Index {
		out.Coef = append(out.Coef, coef[variable])
	}
	return out
}

// solve returns the largest value of the last variable.
func (m *marginProgram) solve() (float64, error) {
	objective := make([]float64, m.Len)
	objective[m.Len-1] = 1
	margin, _, err := linprog.Maximise(m.Problem, objective)
	return max(margin, 0), err
}

// room is the largest number that the margins of some linked bounds can be multiplied by. It is false when
// they have none, and when that is not what they contradict each other by.
func (p *Problem) room(members []int) (times float64, ok bool) {
	m := newMarginProgram(p.layout, p.bounds, members)
	for _, at := range members {
		if b := p.bounds[at]; b.price == 0 && m.add(b, marginOf(p.statements[p.of[at]])) != nil {
			return 0, false
		}
	}
	if m.inequalities == 0 {
		return 0, false
	}
	times, err := m.solve()
	return times, err == nil
}

// tooLarge reports whether the margins of some bounds are.
func (p *Problem) tooLarge(members []int) bool {
	times, ok := p.room(members)
	return ok && times < 1-presolve.FeasibleTol
}

// narrow is the share of its margins that a part has to leave for a solver to find its way inside.
const narrow = 1e-4

// advice says in words how large the margins of some bounds can be, if that is not enough times as large.
func (p *Problem) advice(members []int, enough float64) string {
	times, ok := p.room(members)
	if !ok || !(times < enough) {
		return ""
	}
	var margins []float64
	for _, s := range p.statementsOf(members) {
		if margin := marginOf(p.statements[s]); margin > 0 {
			margins = append(margins, margin)
		}
	}
	if slices.Min(margins) < slices.Max(margins) {
		return fmt.Sprintf("; margins can be %v times theirs at most, and should be less", roundedDown(times))
	}
	return fmt.Sprintf("; the margin can be %v at most, and should be less", roundedDown(times*margins[0]))
}

// roundedDown keeps six digits behind the point.
func roundedDown(x float64) float64 { return math.Floor(x*1e6+1e-6) / 1e6 }

func marginOf(s Constraint) float64 {
	switch s := s.(type) {
	case Influence:
		return s.Margin
	case *Influence:
		return s.Margin
	case Synergy:
		return s.Margin
	case *Synergy:
		return s.Margin
	}
	return 0
}
