package structure

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

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
				answers[i] = t.compare(q, max(0, 2*(l[2*k+1]-l[2*k])))
			}
		}
	}
	return nil
}

// compare returns the answer of a likelihood ratio.
func (t *tester) compare(q independence.Query, ratio float64) independence.Answer {
	vars, n := t.p.Scorer.vars, t.p.Scorer.own.total
	a := independence.Answer{Statistic: ratio, Degrees: 1}
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
