package cores

import (
	"errors"
	"fmt"

	"bnlab/internal/num"
	"bnlab/internal/presolve"
	"bnlab/internal/say"

	"bnlab/internal/centre"
	"bnlab/internal/rows"
	"bnlab/internal/spare"
)

// linear is a core that only an iteration solves. An inequality as a penalty may be broken by a
// slack, a variable of its own that costs the price. (N06 §4.3, type 6 in general and types 10 and 11 with sums
// that overlap; W00 Eq. 4.)
type linear struct {
	s      *centre.Solver
	nodes  int
	sums   []presolve.Relation // disjoint equalities of all nodes, if that is what they are
	most   []presolve.Relation
	spaces spare.List[*linearSpace]
}

type linearSpace struct {
	report centre.Report
	x, n   []float64 // slacks among them
}

func newLinear(relations []presolve.Relation, nodes int) (*linear, error) {
	l := &linear{nodes: nodes}
	set := rows.Set{Len: nodes}
	var cost []float64
	covered := 0
	seen := make([]bool, nodes)
	disjoint := true
	for _, r := range relations {
		row := rows.Row{Index: r.Index, Coef: r.Coef, Value: r.Value}
		switch {
		case !r.AtMost:
			set.Equal = append(set.Equal, row)
			l.sums = append(l.sums, r)
			for i, at := range r.Index {
				disjoint = disjoint && !seen[at] && r.Coef[i] > 0
				seen[at] = true
			}
			covered += len(r.Index)
			continue
		case r.Price > 0:
			if cost == nil {
				cost = make([]float64, nodes)
			}
			most := 1 - r.Value // more than any excess, so that the slack is bounded
			for _, c := range r.Coef {
				most += max(c, -c)
			}
			row.Index = append(append([]int(nil), r.Index...), set.Len)
			row.Coef = append(append([]float64(nil), r.Coef...), -1)
			set.AtMost = append(set.AtMost, rows.Row{Index: []int{set.Len}, Coef: []float64{1}, Value: max(most, 1)})
			cost = append(cost, r.Price)
			set.Len++
		}
		l.most = append(l.most, r)
		set.AtMost = append(set.AtMost, row)
	}
	if !disjoint || covered < nodes {
		l.sums = nil
	}
	var err error
	if l.s, err = centre.NewPriced(set, cost); err != nil {
		return nil, infeasible(err)
	}
	l.spaces.Fresh = func() *linearSpace {
		return &linearSpace{x: make([]float64, set.Len), n: make([]float64, set.Len)}
	}
	return l, nil
}

// infeasible translates an error of package centre.
func infeasible(err error) error {
	switch {
	case errors.Is(err, centre.ErrInfeasible):
		return fmt.Errorf("%w: no probabilities satisfy them all", presolve.ErrInfeasible)
	case errors.Is(err, centre.ErrNotConverged):
		return say.Errorf("%w: %v", ErrNotConverged, err)
	}
	return err
}

// looseTol is the gap, relative to the cases, up to which there is an answer, where rounding allows no
// better: next to margins that are just possible, or for counts of very different sizes.
const looseTol = 1e-6

func (l *linear) name() string { return "" }

func (l *linear) solve(x, n []float64) (Report, error) {
	if l.apart(x, n) {
		return Report{Method: closedForm, Certificate: GlobalMaximum}, nil
	}
	w := l.spaces.Take()
	defer l.spaces.Give(w)
	copy(w.n, n)
	err := l.s.SolveInto(&w.report, w.x, w.n)
	if errors.Is(err, centre.ErrNotConverged) && w.report.Gap <= looseTol*num.Sum(n) {
		err = nil // missed its own aim, and when it misses gapTol too there is no certificate
	}
	if err != nil {
		return Report{}, infeasible(err)
	}
	copy(x, w.x)
	return Report{Method: w.report.Method, Iterations: w.report.Iterations, Gap: w.report.Gap}, nil
}

// apart writes the maximum of each equality by itself, where they share no node. It reports
// whether that satisfies the inequalities: then it is the maximum.
func (l *linear) apart(x, n []float64) bool {
	if l.sums == nil || l.most == nil {
		return false
	}
	for _, sum := range l.sums {
		cases := 0.0
		for _, at := range sum.Index {
			cases += n[at]
		}
		if !(cases > 0) {
			return false
		}
		for i, at := range sum.Index {
			x[at] = n[at] / cases * sum.Value / sum.Coef[i]
		}
	}
	for _, r := range l.most {
		excess := -r.Value
		for i, at := range r.Index {
			excess += r.Coef[i] * x[at]
		}
		if !(excess <= 0) {
			return false
		}
	}
	return true
}
