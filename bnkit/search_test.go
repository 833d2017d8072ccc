package bnkit_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/incomplete"
	"bnlab/internal/numtest"
)

// lawns are forty mornings: rain wets the grass nearly always, and the weekday tells nothing.
func lawns() dataframe.DataFrame {
	var b strings.Builder
	b.WriteString("rain,grass,weekday\n")
	for i := range 40 {
		rain, grass := "no", "dry"
		if i%5 < 2 {
			rain, grass = "yes", "wet"
		}
		if i == 0 || i == 7 {
			grass = "dry"
		}
		fmt.Fprintf(&b, "%s,%s,%s\n", rain, grass, []string{"mon", "tue"}[i/2%2])
	}
	return dataframe.ReadCSV(strings.NewReader(b.String()))
}

// Rain has 16 of 40 mornings, after which the grass is wet on 15, and never otherwise:
//
//	BIC = 16 ln 0.4 + 24 ln 0.6 + 15 ln(15/16) + ln(1/16) + 40 ln 0.5 − 4·ln(40)/2
func ExampleSearch() {
	found, err := bnkit.Search(context.Background(), lawns(), nil, nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(found.DAG)
	fmt.Printf("%s %.3f\n", found.ScoreName, found.Score)
	table, err := found.Model.Net.Table("grass")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(table.Parents[0].Name, table.P)
	// Output:
	// [rain][grass|rain][weekday]
	// BIC -65.765
	// rain [0.9615384615384616 0.038461538461538464 0.1111111111111111 0.8888888888888888]
}

// PC-stable separates what is independent given others, and says by which test. Arcs between dashes could
// point either way.
func ExampleSearch_tests() {
	df, err := bnkit.ReadCSV("../testdata/oracles/clinic.csv", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	how := structure.PCStable{FDR: true}
	found, err := bnkit.Search(context.Background(), df, nil, how, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(found.DAG.CPDAG())
	for _, pair := range found.PairTests {
		if pair.A == "season" && pair.Separated {
			fmt.Println(pair)
		}
	}
	// Output:
	// [season][smokes][age][cold][lung|smokes:age:xray][fever][cough|cold:lung][xray] — [season–cold][age–xray][cold–fever]
	// season ⊥ smokes (p = 0.455)
	// season ⊥ age (p = 0.327)
	// season ⊥ lung (p = 0.471)
	// season ⊥ fever | cold (p = 0.907)
	// season ⊥ cough | cold (p = 0.433)
	// season ⊥ xray (p = 0.644)
}

func ExampleScoreStructure() {
	for _, model := range []string{"[rain][grass|rain]", "[grass][rain|grass]", "[rain][grass]"} {
		found, err := bnkit.ScoreStructure(context.Background(), lawns(), model,
			structure.BDeu{EquivalentSampleSize: 4}, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s %.3f\n", model, found.Score)
	}
	// Output:
	// [rain][grass|rain] -37.057
	// [grass][rain|grass] -37.057
	// [rain][grass] -56.040
}

func ExampleArcStrengths() {
	frame, strengths, err := bnkit.ArcStrengths(context.Background(), lawns(), nil, nil,
		&bnkit.SearchSettings{Seed: 1, Replicates: 50})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(frame.Names(), frame.Elem(0, 0), frame.Elem(0, 1), frame.Elem(0, 2))
	average, err := strengths.Average(strengths.SignificantThreshold())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(average.DAG.Arcs())
	// Output:
	// [from to strength stderr direction] rain grass 1.000000
	// 1
}

func TestSearchFindsWhatLearnDoes(t *testing.T) {
	df := lawns()
	table, err := bnkit.Table(df, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := structure.Learn(context.Background(), table, structure.BIC{}, structure.HillClimb{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := bnkit.Search(t.Context(), df, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.DAG.String() != want.DAG.String() || got.Score != want.Score ||
		!strings.HasPrefix(got.String(), got.DAG.String()) {
		t.Errorf("%v, want %v", got, want)
	}
	again, err := bnkit.ScoreStructure(t.Context(), df, got.DAG.String(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, again.Score, got.Score, 1e-9, 0)
	if again.Model.Net.String() != got.Model.Net.String() {
		t.Errorf("%v and %v", again.Model.Net, got.Model.Net)
	}
	// The model's tables are those of a fit by hand, and it scores rows.
	byHand, err := bnkit.Fit(t.Context(), got.Model.Net, df, learn.MAP{Pseudocount: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := bnkit.LogScore(got.Model, df)
	if err != nil {
		t.Fatal(err)
	}
	b, err := bnkit.LogScore(byHand, df)
	if err != nil {
		t.Fatal(err)
	}
	if a.LogScore != b.LogScore || a.Cases != b.Cases {
		t.Errorf("scores %v and %v", a, b)
	}
	// The order of columns in the model string is not that of the frame, and others are left aside.
	part, err := bnkit.ScoreStructure(t.Context(), df, "[weekday|rain][rain]", structure.LogLikelihood{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if part.Families[0].Child != "weekday" || part.Families[1].Child != "rain" {
		t.Errorf("families %v", part.Families)
	}
	numtest.Close(t, part.Families[1].Score, 16*math.Log(0.4)+24*math.Log(0.6), 1e-9, 0)
	numtest.Close(t, part.Families[0].Score+part.Families[1].Score, part.Score, 1e-9, 0)
}

func TestSearchSettings(t *testing.T) {
	df := lawns()
	rules := &structure.Rules{Required: []structure.Arc{{From: "weekday", To: "rain"}},
		Forbidden: []structure.Arc{{From: "rain", To: "grass"}}}
	got, err := bnkit.Search(t.Context(), df, structure.BDeu{EquivalentSampleSize: 1}, structure.Exact{},
		&bnkit.SearchSettings{Rules: rules, Method: learn.ML{}})
	if err != nil {
		t.Fatal(err)
	}
	// With rain → grass forbidden they are joined the other way.
	if got.DAG.String() != "[rain|grass:weekday][grass][weekday]" || got.Search != (structure.Exact{}).String() {
		t.Errorf("%v", got)
	}
	part, err := bnkit.Search(t.Context(), df, nil, nil, &bnkit.SearchSettings{Columns: []string{"weekday", "rain"}})
	if err != nil || part.DAG.String() != "[weekday][rain]" {
		t.Errorf("%v, %v", part, err)
	}
	for _, how := range []structure.Search{nil, structure.Annealing{Seed: 1}} {
		if _, err := bnkit.Search(t.Context(), df, nil, how,
			&bnkit.SearchSettings{Rules: &structure.Rules{Required: []structure.Arc{{From: "rain",
				To: "snow"}}}}); !errors.Is(err, bn.ErrUnknownVariable) {
			t.Errorf("a rule about no column: %v", err)
		}
	}
}

func TestSearchNumbers(t *testing.T) {
	df := dataframe.New(
		series.New([]float64{1.5, 2.5, 3.25, 4.75, 1.25, 3.5, 2.25, 4.5}, series.Float, "dose"),
		series.New([]float64{0.5, 0.25, 0.75, 0.1, 0.2, 0.3, 0.4, 0.6}, series.Float, "level"),
		series.New([]string{"no", "no", "yes", "yes", "no", "yes", "no", "yes"}, series.String, "ill"),
	)
	_, err := bnkit.Search(t.Context(), df, structure.K2{}, nil, nil)
	if !errors.Is(err, bn.ErrNotDiscrete) || !strings.Contains(err.Error(), `"dose", "level"`) ||
		!strings.Contains(err.Error(), "Discretize") || !strings.Contains(err.Error(), "structure.BIC{}") {
		t.Errorf("columns of numbers: %v", err)
	}
	numbers, err := bnkit.Search(t.Context(), df, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if at, err := numbers.Model.Net.Index("dose"); err != nil || numbers.Model.Net.Gaussian(at) == nil ||
		numbers.ScoreName != "conditional-Gaussian BIC" {
		t.Errorf("by default: %v, %v", numbers, err)
	}
	cuts, err := bnkit.Discretize(df, data.Quantiles{Column: "dose", Bins: 2}, data.Quantiles{Column: "level", Bins: 2})
	if err != nil {
		t.Fatal(err)
	}
	got, err := bnkit.Search(t.Context(), df, structure.LogLikelihood{}, nil,
		&bnkit.SearchSettings{Discretization: cuts, Columns: []string{"dose", "ill"}})
	if err != nil {
		t.Fatal(err)
	}
	if got.DAG.Arcs() != 1 {
		t.Errorf("%v", got)
	}
	if s, err := bnkit.LogScore(got.Model, df); err != nil || s.Cases != 8 {
		t.Errorf("new rows are discretised by the model: %v, %v", s, err)
	}
}

func TestSearchMissing(t *testing.T) {
	df := smokers()
	_, err := bnkit.Search(t.Context(), df, nil, nil, nil)
	var where *data.ValueError
	if !errors.As(err, &where) || where.Row != 3 || where.Name != "cough" ||
		!strings.Contains(err.Error(), "SearchSettings.Missing") {
		t.Errorf("a missing cell: %v", err)
	}
	got, err := bnkit.Search(t.Context(), df, nil, nil, &bnkit.SearchSettings{Missing: structure.NodeAverage})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(got.String(), `"age" has another state in each of the 10 rows`) {
		t.Errorf("nothing is said of the column age:\n%v", got)
	}
}

// Settings for all columns do for some of them.
func TestSearchSomeColumns(t *testing.T) {
	df := lawns()
	set := &bnkit.SearchSettings{States: map[string][]string{"rain": {"no", "yes"}, " weekday": {"mon", "tue"},
		"grass": {"wet", "dry"}}}
	got, err := bnkit.ScoreStructure(t.Context(), df, "[rain][grass|rain]", nil, set)
	if err != nil {
		t.Fatal(err)
	}
	if states := got.Variables[1].States; !slices.Equal(states, []string{"wet", "dry"}) {
		t.Errorf("the states of grass are %q", states)
	}
	_, err = bnkit.Search(t.Context(), df, nil, nil, &bnkit.SearchSettings{Columns: []string{}})
	if err == nil || !strings.Contains(err.Error(), "SearchSettings.Columns names no column") {
		t.Errorf("no columns: %v", err)
	}
	_, err = bnkit.Search(t.Context(), df, nil, nil,
		&bnkit.SearchSettings{States: map[string][]string{"snow": {"no", "yes"}}})
	if !errors.Is(err, bn.ErrUnknownVariable) {
		t.Errorf("states of no column: %v", err)
	}
}

func TestSearchBadInput(t *testing.T) {
	df := lawns()
	for name, search := range map[string]func() error{
		"no column": func() error {
			_, err := bnkit.Search(t.Context(), df, nil, nil, &bnkit.SearchSettings{Columns: []string{"snow"}})
			return err
		},
		"empty frame": func() error {
			_, err := bnkit.Search(t.Context(), dataframe.DataFrame{}, nil, nil, nil)
			return err
		},
		"score": func() error {
			_, err := bnkit.Search(t.Context(), df, structure.BDeu{EquivalentSampleSize: -1}, nil, nil)
			return err
		},
		"model string": func() error {
			_, err := bnkit.ScoreStructure(t.Context(), df, "[rain", nil, nil)
			return err
		},
		"model's column": func() error {
			_, err := bnkit.ScoreStructure(t.Context(), df, "[snow]", nil, nil)
			return err
		},
		"cycle": func() error {
			_, err := bnkit.ScoreStructure(t.Context(), df, "[rain|grass][grass|rain]", nil, nil)
			return err
		},
		"states": func() error {
			_, err := bnkit.Search(t.Context(), df, nil, nil,
				&bnkit.SearchSettings{States: map[string][]string{"rain": {"no"}}})
			return err
		},
		"no columns": func() error {
			_, err := bnkit.Search(t.Context(), df, nil, nil, &bnkit.SearchSettings{Columns: []string{}})
			return err
		},
		"strengths column": func() error {
			_, _, err := bnkit.ArcStrengths(t.Context(), df, nil, nil, &bnkit.SearchSettings{Columns: []string{"snow"}})
			return err
		},
		"replicates": func() error {
			_, _, err := bnkit.ArcStrengths(t.Context(), df, nil, nil, &bnkit.SearchSettings{Replicates: -2})
			return err
		},
		"no series": func() error { _, err := bnkit.SearchSeries(t.Context(), df, nil, nil, nil); return err },
	} {
		if err := search(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := bnkit.Search(ctx, df, nil, structure.Exact{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before there was a graph: %v", err)
	}
}

func ExampleSearchSeries() {
	var b strings.Builder
	b.WriteString("series,time,rain,umbrella\n")
	weather := "001001000011111101101010100010001000010110100011000010001101" // π in binary
	for i, rain := range weather {
		umbrella := 0
		if i > 0 {
			umbrella = int(weather[i-1] - '0') // taken when it rained the day before
		}
		fmt.Fprintf(&b, "a,%d,r%c,u%d\n", i, rain, umbrella)
	}
	df := dataframe.ReadCSV(strings.NewReader(b.String()))
	found, err := bnkit.SearchSeries(context.Background(), df, nil, structure.Exhaustive{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(found.Model())
	fit, err := bnkit.FitSeries(context.Background(), found.Network, df, learn.MAP{Pseudocount: 1}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(fit.Series, fit.Net)
	// Output:
	// [rain][umbrella|rain[t-1]]
	// 1 [rain][umbrella|rain[t-1]]
}

// Nobody sees the cause of four symptoms, and every fifth cell was not written down.
func ExampleSearch_incomplete() {
	var b strings.Builder
	b.WriteString("fever,cough,ache,rash\n")
	random := rand.New(rand.NewPCG(1, 1))
	for range 600 {
		ill := random.IntN(2) == 0
		for symptom := range 4 {
			cell := "no"
			if (random.Float64() < 0.9) == ill {
				cell = "yes"
			}
			if random.IntN(5) == 0 {
				cell = ""
			}
			b.WriteString(cell + []string{",", ",", ",", "\n"}[symptom])
		}
	}
	df := dataframe.ReadCSV(strings.NewReader(b.String()))
	found, err := bnkit.Search(context.Background(), df, nil, nil, &bnkit.SearchSettings{
		Incomplete: &incomplete.StructuralEM{Hidden: map[string]int{"ill": 2}},
		Rules:      &structure.Rules{Tiers: [][]string{{"ill"}, {"fever", "cough", "ache", "rash"}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(found.DAG)
	fmt.Printf("%s %.2f, after the first tables %.2f\n", found.ScoreName, found.Score, found.Trace[0])
	// Output:
	// [fever|ill][cough|ill][ache|ill][rash|ill][ill]
	// BIC -1000.12, after the first tables -1146.85
}

// Bad input of a search over incomplete rows.
func TestSearchIncompleteErrors(t *testing.T) {
	df := dataframe.ReadCSV(strings.NewReader("a,b,empty,x\nno,no,,1.5\nyes,,,2.5\nno,yes,,3.5\nyes,no,,4.25\n"))
	ab := []string{"a", "b"}
	for _, c := range []struct {
		set  bnkit.SearchSettings
		want string
	}{
		{bnkit.SearchSettings{Columns: ab}, "let SearchSettings.Incomplete take all rows (&incomplete.StructuralEM{})"},
		{bnkit.SearchSettings{Columns: ab, Incomplete: &incomplete.StructuralEM{Hidden: map[string]int{"x": 2}}},
			`"x" is hidden and also a column`},
		{bnkit.SearchSettings{Columns: ab, Incomplete: &incomplete.StructuralEM{Hidden: map[string]int{"h": 1}}},
			`the hidden variable "h" has 1 states`},
		{bnkit.SearchSettings{Columns: []string{"a", "empty"}, Incomplete: &incomplete.StructuralEM{},
			States: map[string][]string{"empty": {"no", "yes"}}}, `column "empty" has no value in any row`},
		{bnkit.SearchSettings{Columns: []string{"a", "empty"}, Incomplete: &incomplete.StructuralEM{}}, `"empty"`},
		{bnkit.SearchSettings{Columns: []string{"a", "x"}, Incomplete: &incomplete.StructuralEM{}},
			`column "x" holds numbers`},
		{bnkit.SearchSettings{Columns: ab, Incomplete: &incomplete.StructuralEM{},
			Missing: structure.CompleteCases}, "leave it unset"},
	} {
		_, err := bnkit.Search(t.Context(), df, nil, nil, &c.set)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	set := &bnkit.SearchSettings{Columns: ab, Incomplete: &incomplete.StructuralEM{}}
	if _, _, err := bnkit.ArcStrengths(t.Context(), df, nil, nil, set); err == nil ||
		!strings.Contains(err.Error(), "is for Search") {
		t.Errorf("ArcStrengths: %v", err)
	}
	found, err := bnkit.Search(t.Context(), df, nil, nil, set)
	if err != nil || len(found.Trace) == 0 || found.Model.Net.Len() != 2 {
		t.Errorf("%v, %v", found, err)
	}
}
