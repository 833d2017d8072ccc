package structure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure/internal/independence"
	"bnlab/internal/datatest"
	"bnlab/internal/numtest"
)

// testOf asks for one test of complete cases.
func testOf(t *testing.T, table *data.Table, x, y string, given ...string) independence.Answer {
	t.Helper()
	return testUnder(t, RefuseMissing, table, x, y, given...)
}

// testUnder asks for one test.
func testUnder(t *testing.T, missing Missing, table *data.Table, x, y string, given ...string) independence.Answer {
	t.Helper()
	s, err := NewScorer(table, BIC{}, &ScorerOptions{Missing: missing})
	if err != nil {
		t.Fatal(err)
	}
	tests, err := newTesting(IndependenceTests{}, &task{Scorer: s, Workers: 1}, "PCStable")
	if err != nil {
		t.Fatal(err)
	}
	index := indexOf(s.vars)
	q := independence.Query{X: index[x], Y: index[y]}
	for _, name := range given {
		q.Given = append(q.Given, index[name])
	}
	answers, err := tests.Test(t.Context(), []independence.Query{q})
	if err != nil {
		t.Fatal(err)
	}
	return answers[0]
}

// ci.test(test = "cor") and pc.stable(test = "cor", alpha = 0.01) of bnlearn 5.2.1.
func TestPartialCorrelationOfBnlearn(t *testing.T) {
	table, err := data.ReadCSVFile(datatest.Oracle(t, "gaussian.csv"), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := datatest.OracleNumbers(t, "gaussian.txt", "ci cor A~E|C,D ") // r, degrees, p
	for _, pair := range [][2]string{{"A", "E"}, {"E", "A"}} {
		a := testOf(t, table, pair[0], pair[1], "C", "D")
		numtest.Close(t, -math.Expm1(-a.Statistic/400), want[0]*want[0], 0, 1e-8)
		numtest.Close(t, a.P, want[2], 0, 1e-8)
	}
	how := PCStable{IndependenceTests: IndependenceTests{Alpha: 0.01}}
	r, err := Learn(t.Context(), table, BIC{}, how, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := r.DAG.CPDAG().String(); got != "[A][B][C][D][E] — [B–C][C–E]" {
		t.Errorf("found %v", got)
	}
	if tree, err := Learn(t.Context(), table, BIC{}, ChowLiu{}, nil); err != nil || tree.DAG.Arcs() != 4 {
		t.Errorf("tree %v, %v", tree, err)
	}
}

// A number with two means by the state: the ratio is 2·[Σ_s −n_s ln σ_s + n ln σ], with two degrees, one of the mean
// and one of the variance.
func TestLikelihoodRatioOfStatesAndNumbers(t *testing.T) {
	states, values := []bn.State{}, []float64{}
	random := rand.New(rand.NewPCG(1, 2))
	for row := range 60 {
		states = append(states, bn.State(row%2))
		values = append(values, random.NormFloat64()*(1+float64(row%2))+0.5*float64(row%2))
	}
	spread := func(keep func(bn.State) bool) (n, s float64) {
		sum, square := 0.0, 0.0
		for row, x := range values {
			if keep(states[row]) {
				n, sum, square = n+1, sum+x, square+x*x
			}
		}
		return n, n / 2 * math.Log(square/n-sum/n*sum/n)
	}
	_, all := spread(func(bn.State) bool { return true })
	_, zero := spread(func(s bn.State) bool { return s == 0 })
	_, one := spread(func(s bn.State) bool { return s == 1 })
	other := make([]bn.State, len(states))
	for i := range other {
		other[i] = bn.State(i / 2 % 2)
	}
	table, err := data.New(data.Column{Var: bn.Discrete("s", "a", "b"), States: states},
		data.Column{Var: bn.Continuous("x"), Values: values},
		data.Column{Var: bn.Discrete("o", "a", "b"), States: other})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []independence.Answer{testOf(t, table, "s", "x"), testOf(t, table, "x", "s")} {
		numtest.Close(t, a.Statistic, 2*(all-zero-one), 1e-9, 0)
		numtest.Close(t, a.P, math.Exp(-a.Statistic/2), 1e-12, 0) // chi-square of two degrees
		if a.Degrees != 2 || !a.Tested {
			t.Errorf("%+v", a)
		}
	}
	if a := testOf(t, table, "s", "o", "x"); a.Tested {
		t.Errorf("states given a number: %+v", a)
	}
	_, err = Learn(t.Context(), table, BIC{}, PCStable{IndependenceTests: IndependenceTests{Permutations: 9}}, nil)
	if err == nil || !strings.Contains(err.Error(), `"x" has numbers`) {
		t.Errorf("permutations: %v", err)
	}
}

// From 5,000 cases with states and numbers PC-stable and MMHC find the class, in which no number is a parent of states.
func TestPCStableOnMixedCases(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var k, l []bn.State
	var x, y, z []float64
	for range 5000 {
		s, u := bn.State(random.IntN(2)), bn.State(random.IntN(2))
		a := float64(s) + random.NormFloat64()
		b := float64(u)*1.5 + random.NormFloat64()
		k, l, x, y, z = append(k, s), append(l, u), append(x, a), append(y, b), append(z, a+b+random.NormFloat64())
	}
	table, err := data.New(data.Column{Var: bn.Discrete("k", "0", "1"), States: k},
		data.Column{Var: bn.Continuous("z"), Values: z}, data.Column{Var: bn.Continuous("y"), Values: y},
		data.Column{Var: bn.Discrete("l", "0", "1"), States: l}, data.Column{Var: bn.Continuous("x"), Values: x})
	if err != nil {
		t.Fatal(err)
	}
	tests := IndependenceTests{Alpha: 0.001}
	for _, how := range []Search{PCStable{IndependenceTests: tests}, MMHC{IndependenceTests: tests}} {
		r, err := Learn(t.Context(), table, BIC{}, how, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := fmt.Sprint(r.DAG), "[k][z|y:x][y|l][l][x|k]"; got != want {
			t.Errorf("%v: %v, want %v", how, got, want)
		}
	}
}

// A test of cases with gaps is that of the rows that have values of all its variables, under either policy.
func TestIndependenceOfCasesWithGaps(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	const rows = 400
	states, values := make([][]bn.State, 3), make([][]float64, 3)
	complete := []int(nil)
	for row := range rows {
		gap, x := false, 0.0
		for v := range states {
			state := bn.State(random.IntN(2 + v%2))
			x = x/2 + float64(state) + random.NormFloat64()
			values[v] = append(values[v], x)
			states[v] = append(states[v], state)
			if random.Float64() < 0.1 {
				states[v][row], gap = bn.Missing, true
			}
			if random.Float64() < 0.1 {
				values[v][row], gap = math.NaN(), true
			}
		}
		if !gap {
			complete = append(complete, row)
		}
	}
	table, err := data.New(data.Column{Var: bn.Discrete("s", "a", "b"), States: states[0]},
		data.Column{Var: bn.Continuous("x"), Values: values[0]},
		data.Column{Var: bn.Discrete("u", "a", "b", "c"), States: states[1]},
		data.Column{Var: bn.Continuous("y"), Values: values[1]},
		data.Column{Var: bn.Discrete("w", "a", "b"), States: states[2]},
		data.Column{Var: bn.Continuous("z"), Values: values[2]})
	if err != nil {
		t.Fatal(err)
	}
	whole := table.Select(complete)
	for _, names := range [][]string{ // all have a part in each, so that the complete rows are those of the table
		{"x", "y", "z", "s", "u", "w"}, {"z", "x", "y", "s", "u", "w"}, {"s", "x", "y", "z", "u", "w"},
		{"x", "u", "y", "z", "s", "w"}, {"w", "z", "x", "y", "s", "u"},
	} {
		want := testOf(t, whole, names[0], names[1], names[2:]...)
		for _, missing := range []Missing{CompleteCases, NodeAverage} {
			got := testUnder(t, missing, table, names[0], names[1], names[2:]...)
			numtest.Close(t, got.Statistic, want.Statistic, 1e-9, 0)
			numtest.Close(t, got.P, want.P, 1e-9, 0)
			if got.Degrees != want.Degrees || got.Tested != want.Tested || got.Cases != float64(len(complete)) {
				t.Errorf("%v, %v: %+v, want %+v", names, missing, got, want)
			}
		}
	}
}

// Where too few rows have values of both, no test is made, however many rows there are.
func TestGSquareWantsCasesWithValues(t *testing.T) {
	a, b := make([]bn.State, 200), make([]bn.State, 200)
	for row := range a {
		a[row], b[row] = bn.State(row%2), bn.Missing
	}
	b[0], b[1], b[2], b[3] = 0, 1, 0, 1
	table, err := data.New(data.Column{Var: bn.Discrete("a", "0", "1"), States: a},
		data.Column{Var: bn.Discrete("b", "0", "1"), States: b})
	if err != nil {
		t.Fatal(err)
	}
	if got := testUnder(t, CompleteCases, table, "a", "b"); got.Tested {
		t.Errorf("4 cases: %+v", got)
	}
	b[4] = 0
	if got := testUnder(t, CompleteCases, table, "a", "b"); !got.Tested || got.Cases != 5 {
		t.Errorf("5 cases: %+v", got)
	}
}
