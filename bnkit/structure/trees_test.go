package structure_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
	"bnlab/internal/datatest"
	"bnlab/internal/numtest"
)

// chow.liu(), tree.bayes(root) and naive.bayes() of bnlearn 5.2.1.
func TestTreesOfBnlearn(t *testing.T) {
	table := clinic(t)
	tree := find(t, table, structure.ChowLiu{}, nil)
	want := strings.Fields("age-lung age-xray cold-cough cold-fever cold-season cough-lung lung-smokes")
	for i, pair := range want {
		ends := strings.Split(pair, "-")
		slices.Sort(ends)
		want[i] = strings.Join(ends, "-")
	}
	slices.Sort(want)
	if got := pairsOf(tree.DAG); !slices.Equal(got, want) {
		t.Errorf("tree %v, want %v", got, want)
	}
	for v := range tree.DAG.Len() {
		if n := len(tree.DAG.Parents(v)); n > 1 || n == 0 && v != 0 {
			t.Errorf("%d parents of %s", n, tree.DAG.Name(v))
		}
	}
	if root := find(t, table, structure.ChowLiu{Root: "xray"}, nil); !root.DAG.Equivalent(tree.DAG) ||
		!arcs(root.DAG)[structure.Arc{From: "xray", To: "age"}] {
		t.Errorf("from xray: %v", root.DAG)
	}
	naive := find(t, table, structure.NaiveBayes{Class: bnlearnClass(t, table)}, nil)
	numtest.Close(t, naive.Score, datatest.OracleNumbers(t, "bnlearn.txt", "naive bayes bic ")[0], 1e-9, 0)
	tan := find(t, table, structure.TAN{Class: "cough", Root: "season"}, nil)
	model := "[cough][season|cough][age|cough:season][cold|cough:season][lung|cough:age][fever|cough:cold]" +
		"[xray|cough:age][smokes|cough:lung]"
	if !tan.DAG.Equivalent(dag(t, model)) {
		t.Errorf("TAN %v, want %v", tan.DAG, model)
	}
	numtest.Close(t, tan.Score, -3474.8797040427, 1e-9, 0)
}

// bnlearnClass is the class whose naive Bayes network has the score in the file, which does not name it.
func bnlearnClass(t *testing.T, table *data.Table) string {
	want := datatest.OracleNumbers(t, "bnlearn.txt", "naive bayes bic ")[0]
	for _, c := range table.Columns() {
		if found := find(t, table, structure.NaiveBayes{Class: c.Var.Name}, nil); math.Abs(found.Score-want) < 1e-6 {
			return c.Var.Name
		}
	}
	t.Fatal("no class has the score")
	return ""
}

// Against all directed trees of four variables, with and without rules and a class: none that keeps the rules has a
// larger likelihood.
func TestTreesAgainstAll(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for trial := range 30 {
		table := made(t, 5, 60+random.IntN(100))
		names := []string{}
		for _, c := range table.Columns() {
			names = append(names, c.Var.Name)
		}
		rules := &structure.Rules{}
		for _, from := range names[1:] {
			for _, to := range names[1:] {
				switch x := random.Float64(); {
				case from == to:
				case trial%3 == 1 && x < 0.5, trial%3 == 2 && x < 0.3:
					rules.Forbidden = append(rules.Forbidden, structure.Arc{From: from, To: to})
				case trial%3 == 2 && x < 0.4 && len(rules.Required) == 0:
					rules.Required = append(rules.Required, structure.Arc{From: from, To: to})
				}
			}
		}
		found, err := structure.Learn(context.Background(), table, structure.LogLikelihood{},
			structure.TAN{Class: names[0]}, &structure.Settings{Rules: rules})
		best := math.Inf(-1)
		forests := 5
		limits, bad := rules.Bind(table.Variables())
		if bad != nil {
			t.Fatal(bad)
		}
		scorer, bad := structure.NewScorer(table, structure.LogLikelihood{}, nil)
		if bad != nil {
			t.Fatal(bad)
		}
		for code := range 625 { // the parent of each of the four but the class, 0 for none
			parents := make([][]int, 5)
			ok, roots := true, 0
			for v := 1; v < 5; v++ {
				u := code % 5
				code /= 5
				parents[v] = []int{0}
				if u == 0 {
					roots++
				} else {
					ok = ok && u != v && limits.Allowed(u, v)
					parents[v] = append(parents[v], u)
				}
				for _, r := range limits.Required[v] {
					ok = ok && r == u
				}
			}
			g, bad := bn.NewDAG(names, parents)
			if !ok || bad != nil {
				continue
			}
			score, _, bad := scorer.Score(context.Background(), g)
			if bad != nil {
				t.Fatal(bad)
			}
			if roots < forests || roots == forests && score > best {
				forests, best = roots, score
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(found.Score-best) > 1e-9*math.Abs(best) {
			t.Errorf("trial %d: %v scores %.9f, the best of %d trees %.9f", trial, found.DAG, found.Score, forests,
				best)
		}
	}
}

// Two parents that are required leave a tree no room.
func TestTreesRefuse(t *testing.T) {
	rules := &structure.Rules{Required: []structure.Arc{{From: "age", To: "lung"}, {From: "smokes", To: "lung"}}}
	var conflict *structure.RuleError
	_, err := structure.Learn(context.Background(), clinic(t), structure.BIC{}, structure.ChowLiu{},
		&structure.Settings{Rules: rules})
	if !errors.As(err, &conflict) || !strings.Contains(err.Error(), "no room") {
		t.Errorf("two required parents: %v", err)
	}
}

// A class of numbers cannot be the parent of columns with states, and the error says so.
func TestClassOfNumbers(t *testing.T) {
	table, err := data.New(data.Column{Var: bn.Continuous("x"), Values: []float64{1, 2, 4, 3}},
		data.Column{Var: bn.Discrete("s", "a", "b"), States: []bn.State{0, 1, 0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, how := range []structure.Search{structure.NaiveBayes{Class: "x"}, structure.TAN{Class: "x"}} {
		_, err := structure.Learn(t.Context(), table, structure.BIC{}, how, nil)
		if err == nil || !strings.Contains(err.Error(), `parent "x", which holds numbers`) ||
			strings.Contains(err.Error(), "rules") {
			t.Errorf("%v: %v", how, err)
		}
	}
}

// With gaps too the error says so: no rows of such a family are counted.
func TestMixedFamiliesWithGaps(t *testing.T) {
	table := tableOf(t, data.Column{Var: bn.Continuous("x"), Values: []float64{1, 2, 4, 3, math.NaN(), 7}},
		data.Column{Var: bn.Discrete("s", "a", "b"), States: []bn.State{0, 1, 0, 1, 1, 0}})
	set := &structure.Settings{Missing: structure.NodeAverage}
	for _, how := range []structure.Search{structure.NaiveBayes{Class: "x"}, structure.TAN{Class: "x"}} {
		found, err := structure.Learn(t.Context(), table, structure.BIC{}, how, set)
		if found != nil || err == nil || !strings.Contains(err.Error(), `parent "x", which holds numbers`) {
			t.Errorf("%v: %v, %v", how, found, err)
		}
	}
}

// A root of numbers cannot have children with states, so that a tree cannot grow from it; the error says so.
func TestRootOfNumbers(t *testing.T) {
	table := tableOf(t, data.Column{Var: bn.Continuous("x"), Values: []float64{1, 2, 4, 3, 5, 7}},
		data.Column{Var: bn.Continuous("y"), Values: []float64{3, 1, 4, 1, 5, 9}},
		data.Column{Var: bn.Discrete("s", "a", "b"), States: []bn.State{0, 1, 0, 1, 1, 0}},
		data.Column{Var: bn.Discrete("class", "a", "b"), States: []bn.State{0, 0, 0, 1, 1, 1}})
	for _, how := range []structure.Search{structure.ChowLiu{Root: "x"}, structure.TAN{Class: "class", Root: "x"}} {
		_, err := structure.Learn(t.Context(), table, structure.LogLikelihood{}, how, nil)
		if err == nil || !strings.Contains(err.Error(), `Root "x" holds numbers`) ||
			!strings.Contains(err.Error(), `"s"`) {
			t.Errorf("%v: %v", how, err)
		}
	}
	numbers, err := table.Keep("x", "y", "class") // beside the class there are numbers only
	if err != nil {
		t.Fatal(err)
	}
	found := find(t, numbers, structure.TAN{Class: "class", Root: "y"}, nil)
	if got := found.DAG.String(); got != "[x|y:class][y|class][class]" {
		t.Errorf("from y: %s", got)
	}
}

// Of a column with many gaps the information is that of the rows that have it: it does not count for less.
func TestTreeOfCasesWithGaps(t *testing.T) {
	states := make([][]bn.State, 3)
	for row := range 400 {
		cause, flip := bn.State(row%2), func(every int) bn.State {
			if row/every%5 == 0 { // one of five differs
				return 1 - bn.State(row%2)
			}
			return bn.State(row % 2)
		}
		if row/50%4 > 0 { // seen in a quarter of the rows
			cause = bn.Missing
		}
		states[0], states[1], states[2] = append(states[0], flip(2)), append(states[1], cause),
			append(states[2], flip(10))
	}
	table, err := data.New(data.Column{Var: bn.Discrete("x", "0", "1"), States: states[0]},
		data.Column{Var: bn.Discrete("cause", "0", "1"), States: states[1]},
		data.Column{Var: bn.Discrete("y", "0", "1"), States: states[2]})
	if err != nil {
		t.Fatal(err)
	}
	// ln 2 − H(1/5) = 0.193 nats of the cause with each, and ln 2 − H(8/25) = 0.066 of the two. By all rows the first
	// would be 0.048.
	set := &structure.Settings{Missing: structure.CompleteCases}
	found, err := structure.Learn(t.Context(), table, structure.BIC{}, structure.ChowLiu{Root: "cause"}, set)
	if err != nil {
		t.Fatal(err)
	}
	if got := found.DAG.String(); got != "[x|cause][cause][y|cause]" {
		t.Errorf("tree %s", got)
	}
}
