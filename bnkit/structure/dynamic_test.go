package structure_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/structure"
	"bnlab/internal/numtest"
)

func seriesFrom(t testing.TB, csv string) *dbn.Series {
	t.Helper()
	table, err := data.ReadCSV(strings.NewReader(csv), nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := dbn.NewSeries(table, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTransitions(t *testing.T) {
	// Rows of the series are mixed; b leaves time 4 out; c has one slice only.
	s := seriesFrom(t, `series,time,rain,wind
a,0,no,weak
b,3,yes,weak
a,1,yes,strong
c,9,no,weak
a,2,yes,
b,5,no,strong
b,6,yes,weak
`)
	got, err := s.Transitions()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"no weak yes strong", // a: 0 to 1
		"yes strong yes -",   // a: 1 to 2
		"yes weak - -",       // b: 3 to 4
		"- - no strong",      // b: 4 to 5
		"no strong yes weak", // b: 5 to 6
	}
	var names []string
	for _, v := range got.Variables() {
		names = append(names, v.Name)
	}
	if !slices.Equal(names, []string{"rain[0]", "wind[0]", "rain[1]", "wind[1]"}) {
		t.Errorf("columns %v", names)
	}
	for row := range got.Rows() {
		var cells []string
		for _, c := range got.Columns() {
			text := c.Text(row)
			if c.IsMissing(row) {
				text = "-"
			}
			cells = append(cells, text)
		}
		if line := strings.Join(cells, " "); row >= len(want) || line != want[row] {
			t.Errorf("row %d: %s, want %v", row+1, line, want[min(row, len(want)-1)])
		}
	}
	if got.Rows() != len(want) {
		t.Errorf("%d rows, want %d", got.Rows(), len(want))
	}
	// Series that were chosen, one of them twice.
	part, err := s.Select(1, 0, 1).Transitions()
	if err != nil {
		t.Fatal(err)
	}
	if part.Rows() != 8 || part.Columns()[0].Text(0) != "yes" || part.Columns()[0].Text(3) != "no" {
		t.Errorf("chosen series:\n%v", part)
	}
}

func TestTransitionsRefuse(t *testing.T) {
	if _, err := (*dbn.Series)(nil).Transitions(); err == nil {
		t.Error("no series: no error")
	}
	if _, err := seriesFrom(t, "series,time,x\na,1,u\nb,1,v\n").Transitions(); !errors.Is(err,
		data.ErrNoRows) {
		t.Errorf("one slice each: %v", err)
	}
	if _, err := seriesFrom(t, "series,time\na,1\na,2\n").Transitions(); err == nil {
		t.Error("no variables: no error")
	}
}

// One variable: x goes 0 0 0 0 1 1 1 1 0 0. Its nine steps are 00 four times, 01 once, 11 three times, 10
// once.
func TestLearnDynamicOneVariable(t *testing.T) {
	var csv strings.Builder
	csv.WriteString("series,time,x\n")
	for i, x := range []int{0, 0, 0, 0, 1, 1, 1, 1, 0, 0} {
		fmt.Fprintf(&csv, "s,%d,%d\n", i, x)
	}
	pairs, err := seriesFrom(t, csv.String()).Transitions()
	if err != nil {
		t.Fatal(err)
	}
	// After: five 0 and four 1. Before 0 (five): four 0, one 1. Before 1 (four): one 0, three 1.
	empty := 5*math.Log(5./9) + 4*math.Log(4./9) - math.Log(9)/2
	own := 4*math.Log(4./5) + math.Log(1./5) + math.Log(1./4) + 3*math.Log(3./4) - 2*math.Log(9)/2
	for _, how := range []structure.ParentSearch{nil, structure.Exhaustive{},
		structure.AnnealParents{Seed: 1}} {
		got, err := structure.LearnDynamic(context.Background(), pairs, structure.BIC{}, how, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, model := empty, "[x]"
		if own > empty {
			want, model = own, "[x|x[t-1]]"
		}
		numtest.Close(t, got.Score, want, 1e-12, 0)
		if got.Model() != model || got.Network.String() != model || got.Scored < 2 {
			t.Errorf("%v: %v, want %s", how, got, model)
		}
	}
	// AIC asks for less.
	got, err := structure.LearnDynamic(context.Background(), pairs, structure.LogLikelihood{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, got.Score, own+math.Log(9), 1e-12, 0)
	if got.Model() != "[x|x[t-1]]" {
		t.Errorf("model %s", got.Model())
	}
}

// weather drives itself, mood follows weather of the same slice, and taste follows weather before.
func dynamicPairs(t testing.TB) *data.Table {
	t.Helper()
	net, err := dbn.New("[weather|weather[t-1]][mood|weather][taste|weather[t-1]][noise]",
		bn.Discrete("weather", "dry", "wet"), bn.Discrete("mood", "bad", "good"), bn.Discrete("taste", "x", "y", "z"),
		bn.Discrete("noise", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"weather[1]": "weather[0] | dry wet\ndry | 0.8 0.2\nwet | 0.3 0.7",
		"mood[1]":    "weather[1] | bad good\ndry | 0.1 0.9\nwet | 0.7 0.3",
		"taste[1]":   "weather[0] | x y z\ndry | 0.7 0.2 0.1\nwet | 0.1 0.2 0.7",
	} {
		if err := net.SetTable(name, text); err != nil {
			t.Fatal(err)
		}
	}
	s, err := net.Sample([]int{150, 150, 150}, rand.NewPCG(2, 0))
	if err != nil {
		t.Fatal(err)
	}
	pairs, err := s.Transitions()
	if err != nil {
		t.Fatal(err)
	}
	return pairs
}

func TestLearnDynamicFindsStructure(t *testing.T) {
	ctx := context.Background()
	pairs := dynamicPairs(t)
	learn := func(set *structure.Settings) *structure.DynamicResult {
		got, err := structure.LearnDynamic(ctx, pairs, structure.BIC{}, structure.Exhaustive{}, set)
		if err != nil {
			t.Fatal(err)
		}
		if got.Network == nil || got.Network.String() != got.Model() {
			t.Errorf("network %v of model %s; notes %v", got.Network, got.Model(), got.Notes)
		}
		return got
	}
	plain := learn(&structure.Settings{Workers: 1})
	if want := "[weather|weather[t-1]][mood|weather[t-1]][taste|weather[t-1]][noise]"; plain.Model() != want {
		t.Errorf("learned %s, want %s", plain.Model(), want)
	}
	many := learn(&structure.Settings{Workers: 4})
	if many.Model() != plain.Model() || many.Score != plain.Score || many.Scored != plain.Scored {
		t.Errorf("one worker: %v; four: %v", plain, many)
	}
	var total float64
	for _, f := range plain.Families {
		total += f.Score
	}
	numtest.Close(t, plain.Score, total, 1e-9, 0)

	// Arcs inside a slice, asked for by tiers.
	inside := learn(&structure.Settings{Rules: &structure.Rules{Tiers: [][]string{{"weather[1]"},
		{"mood[1]", "taste[1]"}}}})
	if want := "[weather|weather[t-1]][mood|weather][taste|weather[t-1]][noise]"; inside.Model() != want {
		t.Errorf("with tiers: %s, want %s", inside.Model(), want)
	}
	// Rules by name.
	rules := &structure.Rules{
		Required:  []structure.Arc{{From: "noise[0]", To: "weather[1]"}, {From: "taste[1]", To: "noise[1]"}},
		Forbidden: []structure.Arc{{From: "weather[0]", To: "mood[1]"}}, MaxParents: 2,
	}
	ruled := learn(&structure.Settings{Rules: rules})
	for child, want := range []string{"weather[t-1],noise[t-1]", "", "weather[t-1]", "taste"} {
		if got := strings.Join(ruled.Families[child].Parents, ","); got != want && child != 1 {
			t.Errorf("under rules %s has the parents %s, want %s", ruled.Families[child].Child, got, want)
		}
	}
	if mood := ruled.Families[1].Parents; slices.Contains(mood, "weather[t-1]") {
		t.Errorf("a forbidden parent: %v", mood)
	}
	rules.MaxParents = 1
	if got := learn(&structure.Settings{Rules: rules}); strings.Join(got.Families[0].Parents, ",") != "noise[t-1]" {
		t.Errorf("one parent, which is required: %v", got)
	}
	// The best of each child is the best of brute force.
	s := scorer(t, pairs, structure.BDeu{EquivalentSampleSize: 30})
	got, err := s.LearnDynamic(ctx, structure.Exhaustive{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range got.Parents {
		if want := bruteForce(t, s, 4+i, []int{0, 1, 2, 3}, 4); !slices.Equal(p.Set, want.Set) {
			t.Errorf("%s: %v, brute force %v", got.Families[i].Child, p, want)
		}
	}
	// A graph prior counts at each family's violations.
	few, err := s.LearnDynamic(ctx, structure.Exhaustive{}, &structure.Settings{GraphPrior: countArcs{},
		Rules: &structure.Rules{Required: []structure.Arc{{From: "noise[0]", To: "mood[1]"}}}})
	if err != nil || !slices.Contains(few.Families[1].Parents, "noise[t-1]") || len(few.Families[1].Parents) > 2 {
		t.Errorf("with a prior: %v, %v", few, err)
	}
}

func TestLearnDynamicBadInput(t *testing.T) {
	column := func(name string, states ...string) data.Column {
		return data.Column{Var: bn.Discrete(name, states...), States: []bn.State{0, 1, 1}}
	}
	for name, cols := range map[string][]data.Column{
		"no slice":     {column("x[0]", "a", "b"), column("x[1]", "a", "b"), column("y", "a", "b")},
		"no later":     {column("x[0]", "a", "b")},
		"no earlier":   {column("x[1]", "a", "b")},
		"other states": {column("x[0]", "a", "b"), column("x[1]", "b", "a")},
		"not discrete": {{Var: bn.Continuous("x[0]"), Values: []float64{1, 2, 3}},
			{Var: bn.Continuous("x[1]"), Values: []float64{1, 2, 3}}},
		"missing cells": {column("x[0]", "a", "b"),
			{Var: bn.Discrete("x[1]", "a", "b"), States: []bn.State{0, bn.Missing, 1}}},
	} {
		table, err := data.New(cols...)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := structure.LearnDynamic(context.Background(), table, structure.BIC{}, nil, nil); err == nil {
			t.Errorf("%s: %v", name, got)
		} else {
			t.Logf("%s: %v", name, err)
		}
	}
	if _, err := (*structure.Scorer)(nil).LearnDynamic(context.Background(), nil, nil); err == nil {
		t.Error("no scorer: no error")
	}
	// A required cycle inside a slice.
	loop := &structure.Rules{Required: []structure.Arc{{From: "mood[1]", To: "taste[1]"},
		{From: "taste[1]", To: "mood[1]"}}}
	if _, err := structure.LearnDynamic(context.Background(), dynamicPairs(t), structure.BIC{}, nil,
		&structure.Settings{Rules: loop}); err == nil {
		t.Error("a required cycle: no error")
	}
}

// A name that a model string cannot hold is said so, and the rest is there.
func TestLearnDynamicOddName(t *testing.T) {
	table, err := data.New(
		data.Column{Var: bn.Discrete("a:b[0]", "a", "b"), States: []bn.State{0, 1, 1, 0}},
		data.Column{Var: bn.Discrete("a:b[1]", "a", "b"), States: []bn.State{1, 0, 0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := structure.LearnDynamic(context.Background(), table, structure.LogLikelihood{}, nil, nil)
	if err != nil || got.Network != nil || len(got.Notes) == 0 || len(got.Parents[0].Set) != 1 {
		t.Errorf("%v, %v", got, err)
	}
}

// Of the twelve steps five end with rain: 5 ln(5/12) + 7 ln(7/12) − ln(12)/2 = −9.3928. The umbrella is
// taken exactly after rain, so that its family costs its two parameters only, 2·ln(12)/2 = 2.4849.
func ExampleLearnDynamic() {
	table, err := data.ReadCSV(strings.NewReader(`series,time,rain,umbrella
a,1,no,no
a,2,no,no
a,3,yes,no
a,4,yes,yes
a,5,yes,yes
a,6,no,yes
a,7,no,no
b,1,yes,no
b,2,yes,yes
b,3,no,yes
b,4,no,no
b,5,no,no
b,6,yes,no
b,7,no,yes
`), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	series, err := dbn.NewSeries(table, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	pairs, err := series.Transitions()
	if err != nil {
		fmt.Println(err)
		return
	}
	found, err := structure.LearnDynamic(context.Background(), pairs, structure.BIC{}, structure.Exhaustive{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(found)
	// Output:
	// [rain][umbrella|rain[t-1]]
	// BIC -11.8777 over 2 variables, 0.50 parents each on average, by all sets of parents; 7 families scored
	//   rain given nothing: -9.3928
	//   umbrella given rain[t-1]: -2.4849
}

// An interrupted search of a dynamic network has the parents that were found by then, and names the variables
// whose were not.
func TestDynamicIsInterrupted(t *testing.T) {
	pairs := dynamicPairs(t)
	all, err := structure.LearnDynamic(t.Context(), pairs, structure.BIC{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var last structure.Progress
	found, err := structure.LearnDynamic(ctx, pairs, structure.BIC{}, nil, &structure.Settings{Workers: 1,
		Progress: func(p structure.Progress) {
			cancel()
			last = p
		}})
	if !errors.Is(err, context.Canceled) || found == nil || !found.Interrupted || !last.Interrupted {
		t.Fatalf("%v, %+v, error %v", found, last, err)
	}
	if !slices.Equal(found.Families[0].Parents, all.Families[0].Parents) {
		t.Errorf("the first family is %v, want %v", found.Families[0], all.Families[0])
	}
	var left []string
	for _, f := range found.Families[1:] {
		if left = append(left, f.Child); len(f.Parents) > 0 {
			t.Errorf("%v was not looked for", f)
		}
	}
	if want := "not to the end, of " + strings.Join(left, ", "); !strings.Contains(found.String(), want) ||
		found.Network == nil {
		t.Errorf("it prints %v, without %q", found, want)
	}

}

// That nobody declared the order of states is not forgotten on the way to a dynamic network.
func TestDynamicSorted(t *testing.T) {
	s := seriesFrom(t,
		"series,time,sky,mm\na,0,clear,1\na,1,rain,20\na,2,clear,3\na,3,rain,20\na,4,fog,1\na,5,rain,3\n")
	pairs, err := s.Transitions()
	if err != nil {
		t.Fatal(err)
	}
	got, err := structure.LearnDynamic(context.Background(), pairs, structure.BIC{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range slices.Concat(pairs.Variables(), got.Variables, got.Network.Variables()) {
		if v.Sorted != strings.HasPrefix(v.Name, "sky") {
			t.Errorf("%s: order undeclared %v", v, v.Sorted)
		}
	}
}
