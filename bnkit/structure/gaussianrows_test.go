package structure_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
	"bnlab/internal/numtest"
)

// table makes a table of columns, or fails.
func tableOf(tb testing.TB, columns ...data.Column) *data.Table {
	tb.Helper()
	t, err := data.New(columns...)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// A family is scored from the rows in which its child was not set and no member is missing, as if there were no
// others; BGe's prior mean is that of all rows.
func TestGaussianRowsLeftOut(t *testing.T) {
	plain := regressed(t, "[s][x|s][y|x:s][z|x:y]", 300, 11,
		append([]bn.Variable{bn.Discrete("s", "a", "b")}, continuous("x y z")...)...)
	columns := plain.Columns()
	random := rand.New(rand.NewPCG(4, 2))
	cells := make([]string, plain.Rows())
	for i := range columns {
		columns[i].States, columns[i].Values = slices.Clone(columns[i].States), slices.Clone(columns[i].Values)
	}
	for row := range cells {
		switch random.IntN(6) {
		case 0:
			cells[row] = "x"
		case 1:
			cells[row] = "y; z"
		case 2:
			columns[2].Values[row] = math.NaN()
		case 3:
			columns[0].States[row] = bn.Missing
		}
	}
	table, err := tableOf(t, columns...).WithInterventions("set", cells)
	if err != nil {
		t.Fatal(err)
	}
	s, err := structure.NewScorer(table, structure.BIC{}, &structure.ScorerOptions{Missing: structure.CompleteCases})
	if err != nil {
		t.Fatal(err)
	}
	for child := 1; child < 4; child++ {
		for set := range 16 {
			var members []int
			for v := range 4 {
				if set>>v&1 == 1 {
					members = append(members, v)
				}
			}
			if slices.Contains(members, child) {
				continue
			}
			got, err := s.Family(t.Context(), child, members)
			if err != nil {
				t.Fatal(err)
			}
			var rows []int
			for row, cell := range cells {
				complete := true
				for _, v := range append(slices.Clone(members), child) {
					complete = complete && !columns[v].IsMissing(row)
				}
				if complete && !strings.Contains(cell, columns[child].Var.Name) {
					rows = append(rows, row)
				}
			}
			var names []string
			for _, v := range append(slices.Clone(members), child) {
				names = append(names, columns[v].Var.Name)
			}
			part, err := tableOf(t, columns...).Select(rows).Keep(names...)
			if err != nil {
				t.Fatal(err)
			}
			alone := scorer(t, part, structure.BIC{})
			want, err := alone.Family(t.Context(), len(members), others(len(names), len(members)))
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, got, want, 1e-9, 0)
		}
	}
}

// Weights are copies of rows.
func TestGaussianWeights(t *testing.T) {
	table := regressed(t, "[x][y|x]", 50, 2, continuous("x y")...)
	weights, rows := make([]float64, 50), []int(nil)
	for row := range weights {
		weights[row] = float64(row % 3)
		rows = append(rows, slices.Repeat([]int{row}, row%3)...)
	}
	weighted, err := table.WithWeights(weights)
	if err != nil {
		t.Fatal(err)
	}
	for _, score := range []structure.Score{structure.BIC{}, structure.BGe{}} {
		got, err := scorer(t, weighted, score).Family(t.Context(), 1, []int{0})
		if err != nil {
			t.Fatal(err)
		}
		want, err := scorer(t, table.Select(rows), score).Family(t.Context(), 1, []int{0})
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, got, want, 1e-10, 0)
	}
}

// Far from zero the scores have the digits that the values have.
func TestGaussianFarFromZero(t *testing.T) {
	table := regressed(t, "[x][y|x]", 200, 2, continuous("x y")...)
	columns := table.Columns()
	for i := range columns {
		columns[i].Values = slices.Clone(columns[i].Values)
		for row := range columns[i].Values {
			columns[i].Values[row] += 1e8
		}
	}
	want, err := scorer(t, table, structure.BIC{}).Family(t.Context(), 1, []int{0})
	if err != nil {
		t.Fatal(err)
	}
	got, err := scorer(t, tableOf(t, columns...), structure.BIC{}).Family(t.Context(), 1, []int{0})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, got, want, 1e-5, 0) // the values have eight digits less
}

func TestGaussianDoesNotDependOnWorkers(t *testing.T) {
	table := regressed(t, "[s][a|s][b|a][c|a:b][d|c:s]", 3000, 6,
		append([]bn.Variable{bn.Discrete("s", "a", "b")}, continuous("a b c d")...)...)
	var first *structure.Result
	for _, workers := range []int{1, 2, 5} {
		r, err := structure.Learn(t.Context(), table, structure.BIC{}, nil, &structure.Settings{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = r
		}
		if r.String() != first.String() || r.Score != first.Score {
			t.Errorf("with %d workers %v, with 1 %v", workers, r, first)
		}
	}
	if !strings.Contains(first.String(), "conditional-Gaussian BIC") {
		t.Errorf("the score is not named: %v", first)
	}
}

// No search gives a discrete variable a continuous parent, and none is above the exact one, which is that of all
// graphs.
func TestMixedSearches(t *testing.T) {
	table := regressed(t, "[s][q|s][x|s][y|x:q][z|x:y:s]", 500, 9,
		append([]bn.Variable{bn.Discrete("s", "a", "b"), bn.Discrete("q", "0", "1")}, continuous("x y z")...)...)
	families := tableOfFamilies(t, scorer(t, table, structure.BIC{}))
	best := math.Inf(-1)
	everyDAG(5, func(int, int) bool { return true }, func(parents []int) {
		score := 0.0
		for v, set := range parents {
			score += families[v][set]
		}
		best = max(best, score)
	})
	exact, err := structure.Learn(t.Context(), table, structure.BIC{}, structure.Exact{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, exact.Score, best, 1e-8, 0)
	for _, how := range []structure.Search{structure.HillClimb{}, structure.Annealing{Seed: 1}} {
		r, err := structure.Learn(t.Context(), table, structure.BIC{}, how, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Score > exact.Score+1e-8 {
			t.Errorf("%s finds %v with %v, and the exact search %v", r.Search, r.DAG, r.Score, exact.Score)
		}
	}
}

func TestGaussianRefused(t *testing.T) {
	x := []float64{1, 4, 2, 8, 5, 7, 3}
	y := []float64{2, 1, 0, 3, 9, 2, 5}
	sum, same := make([]float64, 7), make([]float64, 7)
	for i := range x {
		sum[i], same[i] = 3*x[i]-y[i]+1, 0.1
	}
	hole := slices.Clone(x)
	hole[2] = math.NaN()
	column := func(name string, values []float64) data.Column {
		return data.Column{Var: bn.Continuous(name), Values: values}
	}
	states := data.Column{Var: bn.Discrete("s", "a", "b"), States: []bn.State{0, 1, 0, 1, 0, 1, 0}}
	for name, test := range map[string]struct {
		score   structure.Score
		columns []data.Column
		says    []string
	}{
		"collinear": {structure.BGe{}, []data.Column{column("x", x), column("other", y), column("sum", sum)},
			[]string{`"sum"`, `"x", "other"`, "leave one of them out"}},
		"collinear for BIC": {structure.BIC{}, []data.Column{column("x", x), column("twice", x)},
			[]string{`"twice" is a linear function of "x"`}},
		"constant": {structure.BIC{}, []data.Column{column("x", x), column("same", same)},
			[]string{`"same" is 0.1`, "leave it out"}},
		"missing": {structure.BIC{}, []data.Column{column("x", x), column("y", hole)},
			[]string{"row 3", `"y"`, "CompleteCases"}},
		"two cases": {structure.BIC{}, []data.Column{column("x", x[:2])}, []string{"2 cases are too few"}},
		"another score": {structure.BDeu{}, []data.Column{column("x", x), states},
			[]string{`"x"`, "variable is continuous", "structure.BGe{}"}},
		"BGe of states": {structure.BGe{}, []data.Column{column("x", x), states},
			[]string{`"s"`, "structure.BIC{}"}},
		"BGe out of range": {structure.BGe{DegreesOfFreedom: 3}, []data.Column{column("x", x), column("y", y)},
			[]string{"more than 3"}},
		"BGe negative":    {structure.BGe{MeanSize: -1}, []data.Column{column("x", x)}, []string{"MeanSize"}},
		"BGe of too many": {structure.BGe{MeanSize: 1e10}, []data.Column{column("x", x)}, []string{"at most 1e+09"}},
		"BGe too certain": {structure.BGe{DegreesOfFreedom: 1e10}, []data.Column{column("x", x)},
			[]string{"at most 1e+09"}},
	} {
		_, err := structure.NewScorer(tableOf(t, test.columns...), test.score, nil)
		for _, says := range test.says {
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v, want %q", name, err, says)
			}
		}
	}
	mixed := tableOf(t, column("x", x), column("y", y), states)
	s := scorer(t, mixed, structure.BIC{})
	_, err := s.ScoreGraph(t.Context(), dag(t, "[x][y][s|x]"))
	if err == nil || !strings.Contains(err.Error(), "x → s") {
		t.Errorf("a continuous parent of states: %v", err)
	}
	var rule *structure.RuleError
	_, err = structure.Learn(t.Context(), mixed, structure.BIC{}, nil, &structure.Settings{Rules: &structure.Rules{
		Required: []structure.Arc{{From: "x", To: "s"}}}})
	if !errors.As(err, &rule) {
		t.Errorf("a required arc to states: %v", err)
	}
}

// A configuration with as many cases as coefficients is fitted exactly: such a family is never found, and scoring
// it says why.
func TestGaussianTooFewCases(t *testing.T) {
	table := tableOf(t,
		data.Column{Var: bn.Continuous("x"), Values: []float64{1, 4, 2, 8, 5, 7, 3}},
		data.Column{Var: bn.Continuous("y"), Values: []float64{2, 1, 0, 3, 9, 2, 5}},
		data.Column{Var: bn.Discrete("s", "a", "b"), States: []bn.State{0, 0, 0, 0, 0, 1, 1}})
	s := scorer(t, table, structure.BIC{})
	if got, err := s.Family(t.Context(), 0, []int{1, 2}); err != nil || !math.IsInf(got, -1) {
		t.Errorf("the family scores %v, %v", got, err)
	}
	if _, err := s.ScoreGraph(t.Context(), dag(t, "[s][y][x|y:s]")); err == nil ||
		!strings.Contains(err.Error(), "2 cases given s=b are too few for 2 coefficients") {
		t.Errorf("scoring the graph: %v", err)
	}
	if _, err := structure.Learn(t.Context(), table, structure.BIC{}, nil, nil); err != nil {
		t.Errorf("searching: %v", err)
	}
}

// TestScoresBeyondDigits moves columns so far that float64 has but a few digits for how they differ: scores of
// regressions do not depend on where zero is, and a column that is a line of another is found there too.
func TestScoresBeyondDigits(t *testing.T) {
	columns := func(offset float64) []data.Column {
		rng := rand.New(rand.NewPCG(3, 0))
		x, y, line := make([]float64, 300), make([]float64, 300), make([]float64, 300)
		for i := range x { // in steps of 8, which float64 has up to 3e16
			x[i] = offset + 8*math.Round(8*rng.NormFloat64())
			y[i] = offset + 2*(x[i]-offset) + 8*math.Round(4*rng.NormFloat64())
			line[i] = offset - 3*(x[i]-offset)
		}
		return []data.Column{{Var: bn.Continuous("x"), Values: x}, {Var: bn.Continuous("y"), Values: y},
			{Var: bn.Continuous("line"), Values: line}}
	}
	for _, score := range []structure.Score{structure.LogLikelihood{}, structure.BIC{}, structure.BGe{}} {
		of := func(offset float64) float64 {
			got, err := scorer(t, tableOf(t, columns(offset)[:2]...), score).Family(t.Context(), 1, []int{0})
			if err != nil {
				t.Errorf("%v at %g: %v", score, offset, err)
			}
			return got
		}
		want := of(0)
		for _, offset := range []float64{1e9, -1e13, 1e14, 1e15, 1e16} {
			numtest.Close(t, of(offset), want, 0, 1e-12)
		}
	}
	for _, offset := range []float64{0, 1e13, 1e15} {
		_, err := structure.NewScorer(tableOf(t, columns(offset)...), structure.BIC{}, nil)
		if err == nil || !strings.Contains(err.Error(), "is a linear function of") {
			t.Errorf("a line at %g: %v", offset, err)
		}
	}
}
