package structure

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"bnlab/bnkit/structure/internal/count"
	"bnlab/bnkit/structure/internal/independence"
	"bnlab/internal/say"
)

// IndependenceTests are the settings of the tests of [PCStable] and [MMHC]: G², the likelihood-ratio test of
// conditional independence in the table of two variables for each configuration of the others. Degrees of freedom
// are of the rows and columns with cases. Numbers are tested by their partial correlation, with Student's t; where
// numbers and states meet it is the likelihood ratio of two conditional-Gaussian regressions, and two variables with
// states are tested given states only, since numbers are no parents of theirs. Where cells are missing a test takes the
// rows that have values of all its variables.
type IndependenceTests struct {
	// Alpha is the level: two variables with a larger p-value are taken for independent. 0 means 0.05.
	Alpha float64
	// MostGiven bounds the variables that are conditioned on; 0 means no bound, below 0 that there are none.
	MostGiven int
	// CasesPerDegree is the number of cases for each degree of freedom, states counted as declared, below which a
	// test is not made and two variables stay joined; 0 means 5.
	CasesPerDegree float64
	// Permutations, when not 0, replaces the chi-square distribution by so many shuffles of the cases in
	// each configuration: fewer where 20 are as extreme, and up to 64 times as many while the p-value is not told
	// apart from Alpha (PairTest.Open). Seed drives them.
	Permutations int
	Seed         uint64
}

const (
	defaultAlpha = 0.05
	defaultCases = 5
)

func (t IndependenceTests) alpha() float64 {
	if t.Alpha == 0 {
		return defaultAlpha
	}
	return t.Alpha
}

func (t IndependenceTests) cases() float64 {
	if t.CasesPerDegree == 0 {
		return defaultCases
	}
	return t.CasesPerDegree
}

func (t IndependenceTests) String() string {
	s := fmt.Sprintf("G² at level %v", t.alpha())
	if t.Permutations > 0 {
		s += fmt.Sprintf(" by %d permutations", t.Permutations)
	}
	return s
}

func (t IndependenceTests) check(where string) error {
	switch {
	case !(t.alpha() > 0 && t.alpha() < 1):
		return say.Errorf("structure: %s.Alpha is %v; give a level between 0 and 1, or 0 for 0.05", where, t.Alpha)
	case !(t.cases() > 0):
		return say.Errorf("structure: %s.CasesPerDegree is %v; give a positive number, or 0 for 5", where,
			t.CasesPerDegree)
	case t.Permutations < 0:
		return say.Errorf("structure: %s.Permutations is %d; give a positive number, or 0 for chi-square", where,
			t.Permutations)
	}
	return nil
}

// A PairTest is what tests found of two variables: of those that were made the one with the largest p-value.
type PairTest struct {
	A, B      string
	Given     []string
	Statistic float64 // the likelihood ratio: G², or −n ln(1−r²) of a partial correlation r
	Degrees   int     // of freedom
	PValue    float64
	// PError is the standard error of a p-value by Permutations, 0 of others; Open says that more of them might put it
	// on the other side of Alpha.
	PError float64
	Open   bool
	Tested bool // false: rules keep the two apart, or there were too few cases for any test
	// Separated: the two were taken for independent given the set, so no arc joins them.
	Separated bool
}

// String prints the pair as in "smoke ⊥ cancer | tar (p = 0.31)".
func (t PairTest) String() string {
	sign := "–"
	if t.Separated {
		sign = "⊥"
	}
	s := t.A + " " + sign + " " + t.B
	if len(t.Given) > 0 {
		s += " | " + strings.Join(t.Given, ", ")
	}
	if !t.Tested {
		return s + " (not tested)"
	}
	switch {
	case t.Open:
		return s + fmt.Sprintf(" (p = %.3g ± %.1g, not told apart from the level)", t.PValue, t.PError)
	case t.PError > 0:
		return s + fmt.Sprintf(" (p = %.3g ± %.1g)", t.PValue, t.PError)
	}
	return s + fmt.Sprintf(" (p = %.3g)", t.PValue)
}

// A tester answers queries from the counts of a task.
type tester struct {
	IndependenceTests
	p       *task
	numbers *Scorer // by log-likelihood; nil when all variables are discrete
}

// newTesting returns an error for settings out of range and cases that tests cannot take.
func newTesting(t IndependenceTests, p *task, where string) (*tester, error) {
	if err := t.check(where); err != nil {
		return nil, err
	}
	s := p.Scorer
	if intervened(s.src) {
		return nil, errors.New("structure: a test of independence takes cases as observed, and some were intervened " +
			"on; search by score, as structure.HillClimb does, or leave these rows out")
	}
	if t.Permutations > 0 && s.logs == nil {
		return nil, say.Errorf("structure: %s.Permutations shuffles cases, which have no weights and are in memory; "+
			"leave it out", where)
	}
	if t.Permutations > 0 && s.numbers != nil {
		return nil, say.Errorf("structure: %s.Permutations shuffles states, and %q has numbers; leave it out, or "+
			"discretise first", where, s.vars[s.numbers.numbers[0]].Name)
	}
	numbers, err := numbersOf(s)
	return &tester{t, p, numbers}, err
}

// numbersOf scores families of numbers by their log-likelihood; nil when there are none.
func numbersOf(s *Scorer) (*Scorer, error) {
	if s.numbers == nil {
		return nil, nil
	}
	out, err := s.With(LogLikelihood{})
	if err == nil {
		out.prior = nil
	}
	return out, err
}

// settings of the search for a skeleton.
func (t *tester) settings(what string) independence.Settings {
	set := independence.Settings{Alpha: t.alpha(), MostGiven: t.MostGiven, Rank: t.rank()}
	switch {
	case t.MostGiven == 0:
		set.MostGiven = -1
	case t.MostGiven < 0:
		set.MostGiven = 0
	}
	set.Done = func(share float64) { t.p.Progress(Progress{Done: share / 2, What: what}) }
	return set
}

// rank orders the variables by their names, so that the order of columns does not matter.
func (t *tester) rank() []int {
	vars := t.p.Scorer.vars
	byName := all(len(vars))
	slices.SortFunc(byName, func(a, b int) int { return strings.Compare(vars[a].Name, vars[b].Name) })
	rank := make([]int, len(vars))
	for at, v := range byName {
		rank[v] = at
	}
	return rank
}

// Test implements [independence.Tester].
func (t *tester) Test(ctx context.Context, queries []independence.Query) ([]independence.Answer, error) {
	s := t.p.Scorer
	answers := make([]independence.Answer, len(queries))
	var families []count.Family
	var of []int
	var numbers []int
	for i, q := range queries {
		if t.numbers != nil && slices.ContainsFunc(append([]int{q.X, q.Y}, q.Given...), t.isNumber) {
			numbers = append(numbers, i)
			continue
		}
		f := count.With(nil, q.Y, q.Given, q.X)
		_, _, err := size(s.vars, f)
		if err == nil && s.own.total >= t.cases()*t.declared(q) {
			families, of = append(families, f), append(of, i)
		}
	}
	if len(numbers) > 0 {
		if err := t.testNumbers(ctx, queries, numbers, answers); err != nil {
			return nil, err
		}
	}
	err := s.own.count(ctx, families, t.p.Workers, func(i int, n []float64, rows float64) {
		q := queries[of[i]]
		strata := strataOf(s, families[i], n)
		a := &answers[of[i]]
		a.Statistic, a.Degrees = strata.GSquare()
		if a.Cases, a.Tested = rows, rows >= t.cases()*t.declared(q); !a.Tested {
			return
		}
		if t.Permutations > 0 {
			a.P, a.StdErr, a.Open = strata.Permutation(t.Permutations, t.alpha(), rand.NewPCG(t.Seed, queryStream(q)))
		} else {
			a.P = independence.ChiSquare(a.Statistic, a.Degrees)
		}
	})
	return answers, err
}

// declared are the degrees of freedom of a test of states if all of them occur.
func (t *tester) declared(q independence.Query) float64 {
	vars := t.p.Scorer.vars
	degrees := float64((vars[q.X].Cardinality() - 1) * (vars[q.Y].Cardinality() - 1))
	for _, g := range q.Given {
		degrees *= float64(vars[g].Cardinality())
	}
	return degrees
}

// strataOf are the tables of a family's added parent and child, by the configurations of its other parents.
func strataOf(s *Scorer, f count.Family, n []float64) independence.Strata {
	x, y := s.vars[f.Parents[f.Add]].Cardinality(), s.vars[f.Child].Cardinality()
	after := 1
	for _, u := range f.Parents[f.Add+1:] {
		after *= s.vars[u].Cardinality()
	}
	if after > 1 {
		n = lastParent(n, x, y, after)
	}
	return independence.Strata{N: n, X: x, Y: y}
}

// lastParent reorders counts by (before, x, after, y) to (before, after, x, y).
func lastParent(n []float64, x, y, after int) []float64 {
	out := make([]float64, len(n))
	for cell, m := range n {
		state, rest := cell%y, cell/y
		behind, rest := rest%after, rest/after
		own, before := rest%x, rest/x
		out[((before*after+behind)*x+own)*y+state] = m
	}
	return out
}

// queryStream is a stream of random numbers of a test's own.
func queryStream(q independence.Query) uint64 {
	hash := arcHash(q.X, q.Y)
	for _, g := range q.Given {
		hash ^= arcHash(g, -1)
	}
	return hash
}

// pairTests names what a skeleton found.
func pairTests(s *Scorer, skeleton *independence.Skeleton) []PairTest {
	list := []PairTest{}
	for _, p := range skeleton.Pairs() {
		list = append(list, PairTest{A: s.vars[p.A].Name, B: s.vars[p.B].Name, Given: names(s.vars, p.Given),
			Statistic: p.Statistic, Degrees: p.Degrees, PValue: p.P, PError: p.StdErr, Open: p.Open, Tested: p.Tested,
			Separated: p.Tested && !p.Adjacent})
	}
	return list
}

// skeletonNotes say how much a skeleton rests on.
func skeletonNotes(skeleton *independence.Skeleton) []string {
	notes := []string{fmt.Sprintf("%d tests of independence, given up to %d variables; PairTests has each pair's",
		skeleton.Tests, skeleton.Level)}
	if skeleton.Untested > 0 {
		notes = append(notes, fmt.Sprintf("%d tests were not made, for want of cases, and separate nothing",
			skeleton.Untested))
	}
	return notes
}
