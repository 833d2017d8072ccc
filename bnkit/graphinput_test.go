package bnkit_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/incomplete"
	"bnlab/bnkit/structure/posterior"
)

// Three rows are enough for BGe to find a graph, too few for least squares: the model then has BGe's prior.
func TestBGeOfThreeRows(t *testing.T) {
	df := dataframe.ReadCSV(strings.NewReader("x,y,z\n0.5,10.1,3.5\n10.5,0.3,1.5\n20.5,-9.9,7.5\n"))
	both := &structure.Rules{Required: []structure.Arc{{From: "x", To: "z"}, {From: "y", To: "z"}}}
	found, err := bnkit.Search(t.Context(), df, structure.BGe{}, nil, &bnkit.SearchSettings{Rules: both})
	if err != nil {
		t.Fatal(err)
	}
	if found.Model == nil || !strings.Contains(found.String(), "prior of BGe") {
		t.Fatalf("%v", found)
	}
	// By hand, the weight of one parent is Sxy/(t + Sxx), with t = ½ as α_w = n + 2.
	two, err := bnkit.ScoreStructure(t.Context(), df, "[x][y|x]", structure.BGe{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	prior := structure.BGe{}.Prior(2, 1)
	m, err := bnkit.Fit(t.Context(), two.Model.Net, df, learn.MAP{Gaussian: &prior}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if w, want := m.Net.Gaussian(1).Weights[0][0], -200/(200+0.5); math.Abs(w-want) > 1e-9 {
		t.Errorf("weight %v, want %v", w, want)
	}
	// A method that was named is not replaced; the graph comes back beside the error.
	set := &bnkit.SearchSettings{Method: learn.ML{}, Rules: both}
	found, err = bnkit.Search(t.Context(), df, structure.BGe{}, nil, set)
	if err == nil || found == nil || found.DAG == nil || !strings.Contains(err.Error(), found.DAG.String()) ||
		!strings.Contains(err.Error(), "SearchSettings.Method") {
		t.Errorf("%v, %v", found, err)
	}
}

// Input that no graph can be found from is refused with the column and a remedy.
func TestBadGraphInput(t *testing.T) {
	numbers := dataframe.ReadCSV(strings.NewReader("a,b,c,d\n1.5,2.25,3.75,5.5\n2,1.5,3.5,5.5\n4,3,7,5.5\n" +
		"3,7,10,5.5\n0.5,1,1.5,5.5\n"))
	search := func(score structure.Score, how structure.Search, set *bnkit.SearchSettings,
		df dataframe.DataFrame) error {
		_, err := bnkit.Search(t.Context(), df, score, how, set)
		return err
	}
	three := &bnkit.SearchSettings{Columns: []string{"a", "b", "c"}}
	_, posteriorOfThree := bnkit.GraphPosterior(t.Context(), numbers, structure.BGe{}, nil, three)
	states := dataframe.ReadCSV(strings.NewReader("rain,grass,set\nyes,wet,\nno,dry,snow\nno,wet,\nyes,wet,\n"))
	empty := states.Mutate(series.New([]string{"", "", "", ""}, series.String, "set"))
	header, row := "v0", "no"
	for i := range 70 {
		header, row = header+fmt.Sprintf(",v%d", i+1), row+",no"
	}
	wide := dataframe.ReadCSV(strings.NewReader(header + "\n" + row + "\n" + strings.ReplaceAll(row, "no", "yes") +
		"\n" + row + "\n"))
	_, tooWide := bnkit.GraphPosterior(t.Context(), wide, nil, posterior.Exact{}, nil)
	_, chains := bnkit.GraphPosterior(t.Context(), wide, nil, nil, nil)
	intervened := func(column string) *bnkit.SearchSettings { return &bnkit.SearchSettings{Intervened: column} }
	_, raised := bnkit.GraphPosterior(t.Context(), wide, nil, posterior.Exact{MaxVariables: 24}, nil)
	misspelt := structure.Constrained{Score: structure.BIC{}, Statements: []constraint.Constraint{
		constraint.Influence{Parent: "rian", Child: "grass"}}}
	open := structure.Constrained{Score: structure.BDeu{EquivalentSampleSize: 1}, Statements: []constraint.Constraint{
		constraint.Influence{Parent: "rain", Child: "grass", Margin: 0.1}}}
	two := &bnkit.SearchSettings{Columns: []string{"rain", "grass"}}
	outside := &bnkit.SearchSettings{Columns: []string{"grass"}, Intervened: "set"}
	setEM := &bnkit.SearchSettings{Intervened: "set", Incomplete: &incomplete.StructuralEM{}}
	em := &bnkit.SearchSettings{Incomplete: &incomplete.StructuralEM{}}
	missing := dataframe.ReadCSV(strings.NewReader("a,ill\n1.5,yes\n2.5,no\nNaN,no\n3,yes\n"))
	for what, c := range map[string]struct {
		err  error
		want []string
	}{
		"collinear": {search(structure.BGe{}, nil, three, numbers),
			[]string{`"c"`, `"a"`, `"b"`, "collinear", "leave one of them out"}},
		"collinear, posterior":    {posteriorOfThree, []string{`"c"`, "collinear", "leave one of them out"}},
		"constant":                {search(structure.BGe{}, nil, nil, numbers), []string{`"d" is 5.5`, "leave it out"}},
		"constant, BIC":           {search(nil, nil, nil, numbers), []string{`"d" is 5.5`, "leave it out"}},
		"intervened, no column":   {search(nil, nil, intervened("sett"), states), []string{`"sett"`}},
		"intervened, no variable": {search(nil, nil, intervened("set"), states), []string{`"set"`, `"snow"`}},
		"intervened, none at all": {search(nil, nil, intervened("set"), empty),
			[]string{`"set"`, "Intervened out"}},
		"too many, exact search":      {search(nil, structure.Exact{}, nil, wide), []string{"71", "HillClimb"}},
		"too many, exact sums":        {tooWide, []string{"71", "at most 20 variables", "Partitions"}},
		"too many, chains":            {chains, []string{"71", "at most 64 variables", "fewer columns"}},
		"too many for Exact to raise": {raised, []string{"71", "posterior.Partitions{}"}},
		"a misspelt parent":           {search(misspelt, nil, two, states), []string{`"rian"`, "rain, grass"}},
		"no closed form":              {search(open, nil, two, states), []string{`"grass"`, "score by BIC"}}, // and no word of Src,
		"set, but left out": {search(nil, nil, outside, states.Mutate(series.New([]string{"", "rain", "", ""},
			series.String, "set"))), []string{`"rain"`, "SearchSettings.Columns"}},
		"set, structural EM": {search(nil, nil, setEM, states.Mutate(series.New([]string{"", "rain", "", ""},
			series.String, "set"))), []string{`"rain"`, "NodeAverage"}},
		"numbers of structural EM": {search(nil, nil, em, missing), []string{`"a"`, "Discretize"}},
	} {
		if c.err == nil {
			t.Errorf("%s: no error", what)
			continue
		}
		if strings.Contains(c.err.Error(), "Src") {
			t.Errorf("%s: %q names a field that there is not", what, c.err)
		}
		for _, want := range c.want {
			if !strings.Contains(c.err.Error(), want) {
				t.Errorf("%s: %q does not say %s", what, c.err, want)
			}
		}
	}
}

// The score of a graph from cases with missing cells is, for an arc into a variable without children, the one by hand:
// the parent's counts are of all rows, the child's of those that have it, and the penalty is for all rows.
func TestScoreStructureOfIncomplete(t *testing.T) {
	df := dataframe.ReadCSV(strings.NewReader("a,b\nx,u\nx,u\nx,v\nx,\ny,v\ny,v\ny,\ny,u\ny,v\nx,u\n"),
		dataframe.DetectTypes(false), dataframe.DefaultType("string"))
	set := &bnkit.SearchSettings{Incomplete: &incomplete.StructuralEM{}}
	part := func(n, of float64) float64 { return n * math.Log(n/of) }
	penalty := math.Log(10) / 2
	for model, want := range map[string]float64{
		"[a][b|a]": 2*part(5, 10) + part(3, 4) + part(1, 4) + part(1, 4) + part(3, 4) - 3*penalty,
		"[a][b]":   2*part(5, 10) + 2*part(4, 8) - 2*penalty,
	} {
		found, err := bnkit.ScoreStructure(t.Context(), df, model, nil, set)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(found.Score-want) > 1e-4 || found.DAG.String() != model || found.Model == nil {
			t.Errorf("%s: %v of %v, want %v", model, found.Score, found.DAG, want)
		}
	}
	hidden := &bnkit.SearchSettings{Incomplete: &incomplete.StructuralEM{Propose: 1}}
	if _, err := bnkit.ScoreStructure(t.Context(), df, "[a][b|a]", nil, hidden); err == nil ||
		!strings.Contains(err.Error(), "Propose") {
		t.Errorf("hidden variables: %v", err)
	}
}

// What nobody said is said: an audit of statements that are only weighed, and the order of two states.
func TestNothingSilent(t *testing.T) {
	df := dataframe.ReadCSV(strings.NewReader("sex,ill\nmale,no\nmale,yes\nfemale,no\nfemale,no\nmale,yes\n" +
		"female,yes\nmale,yes\nfemale,no\n"))
	net, err := bnkit.NewNetwork("[sex][ill|sex]", df, nil)
	if err != nil {
		t.Fatal(err)
	}
	averaged := learn.Averaged{Pseudocount: 1, Constraints: []constraint.Constraint{constraint.Influence{Parent: "sex",
		Child: "ill"}}}
	m, err := bnkit.Fit(t.Context(), net, df, averaged, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bnkit.Audit(t.Context(), m, nil); err == nil || !strings.Contains(err.Error(), "weighed") ||
		!strings.Contains(err.Error(), "learn.MAP") {
		t.Errorf("audit: %v", err)
	}
	plain, err := bnkit.Fit(t.Context(), net, df, learn.MAP{Pseudocount: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	asked, err := bnkit.Elicit(t.Context(), plain, nil, nil)
	if err != nil || asked.Nrow() != 2 ||
		!strings.Contains(asked.Col("note").Elem(0).String(), `"male" is taken as the`) {
		t.Errorf("%v, %v", asked, err)
	}
	_, err = bnkit.Update(&doneLater{Context: t.Context(), after: 1}, m, df, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is done after the cases are counted: %v", err)
	}
}

// doneLater is a context that is done after it has been looked at so many times.
type doneLater struct {
	context.Context
	after int
}

func (c *doneLater) Err() error {
	if c.after--; c.after >= 0 {
		return nil
	}
	return context.Canceled
}
