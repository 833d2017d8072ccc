package structure_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
	"bnlab/internal/numtest"
)

// family scores a child by name.
func familyScore(t testing.TB, s *structure.Scorer, child string, parents ...string) float64 {
	t.Helper()
	number := func(name string) int {
		return slices.IndexFunc(s.Variables(), func(v bn.Variable) bool { return v.Name == name })
	}
	var set []int
	for _, p := range parents {
		set = append(set, number(p))
	}
	got, err := s.Family(context.Background(), number(child), set)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// counted makes a table of Y, Z and X in which N[y][x] rows have Y = y and X = x; Z alternates.
func countedXY(t testing.TB, n [][]int) *data.Table {
	t.Helper()
	var b strings.Builder
	b.WriteString("Y,Z,X\n")
	row := 0
	for y := range n {
		for x := range n[y] {
			for range n[y][x] {
				fmt.Fprintf(&b, "y%d,z%d,x%d\n", y, row%2, x)
				row++
			}
		}
	}
	table, err := data.ReadCSV(strings.NewReader(b.String()), nil)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// Y has three states; X is stated to have the same distribution in two of them. By hand: the two rows
// are one, (12, 8) of 20 cases, and there are two free parameters instead of three.
func TestConstrainedEqualRows(t *testing.T) {
	table := countedXY(t, [][]int{{7, 3}, {5, 5}, {1, 9}})
	same := constraint.ShareAcross{Var: "X", Given: []bn.Given{{"Y": "y0"}, {"Y": "y1"}}}
	under := func(score structure.Score) *structure.Scorer {
		return scorer(t, table, structure.Constrained{Statements: []constraint.Constraint{same}, Score: score})
	}
	loglik := 12*math.Log(0.6) + 8*math.Log(0.4) + math.Log(0.1) + 9*math.Log(0.9)
	numtest.Close(t, familyScore(t, under(structure.LogLikelihood{}), "X", "Y"), loglik, 1e-9, 0)
	numtest.Close(t, familyScore(t, under(nil), "X", "Y"), loglik-2*math.Log(30)/2, 1e-9, 0)
	numtest.Close(t, familyScore(t, under(structure.AIC{}), "X", "Y"), loglik-2, 1e-9, 0)

	// K2: the prior of each cell is 1. Restricted to equal rows the Dirichlet density of both, p⁰(1−p)⁰
	// each, is that of one row with the parameters 1 + 1 − 1 = 1; so its marginal likelihood is the Beta
	// integral 12! 8! / 21!.
	beta := func(a, b float64) float64 {
		x, _ := math.Lgamma(a)
		y, _ := math.Lgamma(b)
		z, _ := math.Lgamma(a + b)
		return x + y - z
	}
	numtest.Close(t, familyScore(t, under(structure.K2{}), "X", "Y"), beta(13, 9)+beta(2, 10), 1e-9, 0)
	// BDeu with 24 cases has 24/6 = 4 in each cell; both rows together p³(1−p)³ · p³(1−p)³, parameters 7.
	numtest.Close(t, familyScore(t, under(structure.BDeu{EquivalentSampleSize: 24}), "X", "Y"),
		beta(7+12, 7+8)-beta(7, 7)+beta(4+1, 4+9)-beta(4, 4), 1e-9, 0)

	// Families that the statement does not touch are as usual, and so is X without Y.
	plain := scorer(t, table, structure.BIC{})
	for _, f := range [][]string{{"X"}, {"X", "Z"}, {"Y", "X"}, {"Y"}, {"Z", "X", "Y"}} {
		numtest.Close(t, familyScore(t, under(nil), f[0], f[1:]...), familyScore(t, plain, f[0], f[1:]...), 1e-12, 0)
	}
	// With a further parent the rows are shared state by state of it, or all together; it is in
	// any case no dearer than without the statement.
	if got, usual := familyScore(t, under(structure.LogLikelihood{}), "X", "Y", "Z"),
		familyScore(t, scorer(t, table, structure.LogLikelihood{}), "X", "Y", "Z"); !(got < usual) {
		t.Errorf("log-likelihood %v under the statement, %v without", got, usual)
	}
}

// Statements that nothing can break leave every score as it is.
func TestConstrainedVacuous(t *testing.T) {
	table := randomCases(t, 3, 4, 80)
	var a bn.Variable
	for _, v := range table.Variables() {
		if v.Name == "A" {
			a = v
		}
	}
	for _, score := range []structure.Score{structure.LogLikelihood{}, structure.BIC{}, structure.AIC{}, structure.K2{},
		structure.BDeu{EquivalentSampleSize: 3}} {
		plain := scorer(t, table, score)
		for name, st := range map[string][]constraint.Constraint{
			"none":     nil,
			"at most":  {constraint.AtMost{Var: "A", States: a.States[:1], P: 1}},
			"at least": {constraint.AtLeast{Var: "A", Given: bn.Given{"B": "a"}, States: a.States[:1], P: 0}},
		} {
			s := scorer(t, table, structure.Constrained{Statements: st, Score: score})
			for child := range 4 {
				for _, set := range subsetsBySize(others(4, child), 3) {
					got, err := s.Family(context.Background(), child, set)
					if err != nil {
						t.Fatalf("%s, %v: %v", name, score, err)
					}
					want, err := plain.Family(context.Background(), child, set)
					if err != nil {
						t.Fatal(err)
					}
					numtest.Close(t, got, want, 1e-6, 1e-9)
				}
			}
		}
	}
}

// An influence that the counts agree with costs nothing and saves nothing; one that they break pools
// the rows, and the parameter they share is saved.
func TestConstrainedInfluence(t *testing.T) {
	table := countedXY(t, [][]int{{7, 3}, {2, 8}}) // X rises with Y
	plain := scorer(t, table, structure.BIC{})
	with := func(sign constraint.Sign) float64 {
		st := constraint.Influence{Parent: "Y", Child: "X", Sign: sign}
		return familyScore(t, scorer(t, table, structure.Constrained{Statements: []constraint.Constraint{st}}), "X",
			"Y")
	}
	numtest.Close(t, with(constraint.Positive), familyScore(t, plain, "X", "Y"), 1e-8, 0)
	numtest.Close(t, with(constraint.Negative), 9*math.Log(9./20)+11*math.Log(11./20)-math.Log(20)/2, 1e-6, 0)
}

// Sharing makes a parent affordable: of eight states of Y all but one have the same row.
func TestConstrainedFindsParent(t *testing.T) {
	n := make([][]int, 8)
	for y := range n {
		n[y] = []int{3, 2}
	}
	n[7] = []int{0, 5}
	table := countedXY(t, n)
	var rows []bn.Given
	for y := range 7 {
		rows = append(rows, bn.Given{"Y": fmt.Sprintf("y%d", y)})
	}
	same := constraint.ShareAcross{Var: "X", Given: rows}
	for _, c := range []struct {
		score structure.Score
		want  string
	}{{structure.BIC{}, "[]"}, {structure.Constrained{Statements: []constraint.Constraint{same}}, "[0]"}} {
		got, err := structure.Exhaustive{}.Parents(context.Background(), scorer(t, table, c.score), 2, []int{0, 1}, 0)
		if err != nil || fmt.Sprint(got.Set) != c.want {
			t.Errorf("%v: %v, %v; want parents %s", c.score, got, err, c.want)
		}
	}
}

func TestConstrainedBadInput(t *testing.T) {
	table := countedXY(t, [][]int{{7, 3}, {5, 5}})
	for name, c := range map[string]structure.Constrained{
		"unknown variable": {Statements: []constraint.Constraint{constraint.ShareStates{Var: "Q",
			Groups: [][]string{{"a", "b"}}}}},
		"unknown state": {Statements: []constraint.Constraint{constraint.ShareStates{Var: "X",
			Groups: [][]string{{"x0", "x9"}}}}},
		"unknown parent": {Statements: []constraint.Constraint{constraint.Influence{Parent: "Q", Child: "X"}}},
		"nil":            {Statements: []constraint.Constraint{nil}},
		"score":          {Score: structure.ACL{}},
		"size":           {Score: structure.BDeu{EquivalentSampleSize: -1}},
	} {
		if _, err := structure.NewScorer(table, c, nil); err == nil {
			t.Errorf("%s: no error", name)
		} else {
			t.Logf("%s: %v", name, err)
		}
	}
	// Statements that the cases break, and a prior that does not exist under the statements.
	for name, c := range map[string]structure.Constrained{
		"impossible": {Statements: []constraint.Constraint{constraint.AtMost{Var: "X", Given: bn.Given{"Y": "y0"},
			States: []string{"x0"}, P: 0}}},
		"contradictions": {Statements: []constraint.Constraint{constraint.AtMost{Var: "X", States: []string{"x0"},
			P: 0.2}, constraint.AtLeast{Var: "X", States: []string{"x0"}, P: 0.3}}},
	} {
		s := scorer(t, table, c)
		if got, err := s.Family(context.Background(), 2, []int{0}); !errors.Is(err, constraint.ErrInfeasible) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	small := structure.Constrained{Score: structure.BDeu{EquivalentSampleSize: 0.01},
		Statements: []constraint.Constraint{constraint.ShareAcross{Var: "X",
			Given: []bn.Given{{"Y": "y0"}, {"Y": "y1"}}}}}
	if got, err := scorer(t, table, small).Family(context.Background(), 2, []int{0}); !errors.Is(err,
		constraint.ErrImproper) {
		t.Errorf("improper: %v, %v", got, err)
	}
	// Used by hand: without statements nothing has to be bound, with them it is said.
	counts := &structure.Counts{Child: bn.Discrete("X", "x0", "x1"), N: []float64{3, 1}, R: 2, Q: 1, Rows: 4, Scale: 1}
	if got, want := (structure.Constrained{}).Family(counts), (structure.BIC{}).Family(counts); got != want {
		t.Errorf("no statements: %v, want %v", got, want)
	}
	if got, err := small.TryFamily(counts); err == nil || !strings.Contains(err.Error(), "not bound") {
		t.Errorf("not bound: %v, %v", got, err)
	}
}
