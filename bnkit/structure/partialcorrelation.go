package structure

import (
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"bnlab/bnkit/structure/internal/count"
	"bnlab/bnkit/structure/internal/independence"
)

// isNumber reports whether a variable is continuous.
func (t *tester) isNumber(v int) bool { return !t.p.Scorer.vars[v].IsDiscrete() }

// testNumbers answers the queries of these places, in which numbers have a part, by the log-likelihoods of a continuous
// one of the two given the others, with and without the other one:
//
//	statistic = 2 (l₁ − l₀) = −n ln(1−r²),   t = r √((n − 2 − k) / (1 − r²))
//
// for the partial correlation r given k numbers. Where states have a part it is compared with a chi-square.
func (t *tester) testNumbers(ctx context.Context, queries []independence.Query, places []int,
	answers []independence.Answer) error {
	sets := make([][][]int, len(t.p.Scorer.vars)) // by child
	of := make([][]int, len(sets))
	for _, i := range places {
		q := queries[i]
		child, other := q.Y, q.X
		if !t.isNumber(child) {
			child, other = other, child
		}
		if !t.isNumber(child) {
			continue // two with states given numbers
		}
		if t.p.Scorer.missing != RefuseMissing {
			ratio, rows, err := t.sameRows(ctx, child, other, q.Given)
			switch {
			case errors.Is(err, errImpossible):
			case err != nil:
				return err
			default:
				answers[i] = t.compare(q, ratio, rows)
			}
			continue
		}
		sets[child] = append(sets[child], q.Given, append(slices.Clone(q.Given), other))
		of[child] = append(of[child], i)
	}
	for child, list := range sets {
		if len(list) == 0 {
			continue
		}
		l, err := t.numbers.Families(ctx, child, list)
		if err != nil {
			return err
		}
		for k, i := range of[child] {
			if q := queries[i]; !math.IsInf(l[2*k], -1) && !math.IsInf(l[2*k+1], -1) {
				answers[i] = t.compare(q, max(0, 2*(l[2*k+1]-l[2*k])), t.p.Scorer.own.total)
			}
		}
	}
	return nil
}

// sameRows is the likelihood ratio from the rows, so many, that have values of all variables of the test: the scores
// of two families would be from different rows. Its error wraps errImpossible where they are too few.
func (t *tester) sameRows(ctx context.Context, child, other int, given []int) (ratio, rows float64, err error) {
	s, f := t.numbers, count.With(nil, child, given, other)
	discrete, slopes, configs := s.numbers.split(f)
	cells, err := s.part(ctx, child, configs, discrete, slopes)
	if err != nil {
		return 0, 0, err
	}
	columns := all(len(slopes))
	with, err := s.numbers.fit(f, cells, configs, columns)
	if err != nil {
		return 0, 0, err
	}
	for _, c := range cells {
		rows += c.n
	}
	if t.isNumber(other) {
		columns = slices.DeleteFunc(columns, func(i int) bool { return slopes[i] == other })
	} else {
		states, after := s.vars[other].Cardinality(), 1
		for _, v := range discrete[slices.Index(discrete, other)+1:] {
			after *= s.vars[v].Cardinality()
		}
		cells, configs = without(cells, states, after), configs/states
	}
	f = count.Family{Child: child, Parents: given, Add: -1}
	less, err := s.numbers.fit(f, cells, configs, columns)
	return max(0, 2*(with-less)), rows, err
}

// fit is the log-likelihood of a family from its cells, by the columns of these that are parents.
func (m *moments) fit(f count.Family, cells []cell, configs int, columns []int) (float64, error) {
	r := &regression{m: m, family: f, configs: configs, slopes: len(columns)}
	var factor factoring
	for i := range cells {
		factor.of(&cells[i], collinear, columns, len(cells[i].mean)-1)
		r.fits = append(r.fits, factor.fit)
	}
	return r.logLikelihood()
}

// without adds up the cells that differ only in one discrete variable, which has so many states; the variables
// after it have so many configurations together.
func without(cells []cell, states, after int) []cell {
	var out []cell
	for _, c := range cells {
		c.config = c.config/(states*after)*after + c.config%after
		c.mean, c.s = slices.Clone(c.mean), slices.Clone(c.s)
		if i := slices.IndexFunc(out, func(d cell) bool { return d.config == c.config }); i >= 0 {
			out[i].add(c)
		} else {
			out = append(out, c)
		}
	}
	return out
}

// compare returns the answer of a likelihood ratio of n cases.
func (t *tester) compare(q independence.Query, ratio, n float64) independence.Answer {
	vars := t.p.Scorer.vars
	a := independence.Answer{Statistic: ratio, Degrees: 1, Cases: n}
	numbers, states := 0, 0
	for _, v := range append([]int{q.X, q.Y}, q.Given...) {
		if t.isNumber(v) {
			numbers++
		} else {
			states++
		}
	}
	if states == 0 {
		free := n - float64(numbers) // n − 2 − k
		if a.Tested = free > 0; !a.Tested {
			return a
		}
		square := -math.Expm1(-ratio / n)
		student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: free}
		a.P = 1
		if square > 0 {
			a.P = 2 * student.Survival(math.Sqrt(square*free/(1-square)))
		}
		return a
	}
	for _, v := range q.Given {
		if !t.isNumber(v) {
			a.Degrees *= vars[v].Cardinality()
		}
	}
	for _, v := range []int{q.X, q.Y} {
		if !t.isNumber(v) { // each further configuration has an intercept, slopes and a variance of its own
			a.Degrees *= (vars[v].Cardinality() - 1) * (numbers + 1)
		}
	}
	a.P, a.Tested = independence.ChiSquare(ratio, a.Degrees), n >= t.cases()*float64(a.Degrees)
	return a
}
