package bnkit_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

func parse(t *testing.T, text string) *knowledge.File {
	t.Helper()
	k, err := knowledge.Parse("k.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func ExampleEncode() {
	k, err := knowledge.Parse("ill.yaml", []byte(`
network: "[age][test][ill|age:test]"
variables:
  - {name: age, states: [young, old], column: years, from: [50]}
  - {name: test, states: [negative, positive], values: {negative: [0], positive: [1, 2]}}
  - {name: ill, states: [no, yes]}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	df := dataframe.New(
		series.New([]string{"40-49", "50-59", "?"}, series.String, "years"),
		series.New([]int{2, 0, 1}, series.Int, "test"),
		series.New([]string{"no", "no", "no"}, series.String, "ill"),
	)
	cases, notes, err := bnkit.Encode(df, k)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range cases.Records() {
		fmt.Println(row)
	}
	fmt.Println(notes)
	// Output:
	// [age test ill]
	// [young positive no]
	// [old negative no]
	// [NaN positive no]
	// [no row has the state "yes" of "ill", column "ill"]
}

// A physician and a textbook speak, and 150 patients answer.
func ExampleAuditKnowledge() {
	k, err := knowledge.Parse("relapse.yaml", []byte(`network: "[old][large][spread][relapse|old:large:spread]"
variables:
  - {name: old, states: [no, yes]}
  - {name: large, states: [no, yes]}
  - {name: spread, states: [no, yes]}
  - {name: relapse, states: [no, yes]}
statements:
  - influence: {parent: spread, child: relapse, sign: positive}
    source: a textbook
  - influence: {parent: large, child: relapse, sign: negative}
    source: a physician
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, df, _, err := relapse()
	if err != nil {
		fmt.Println(err)
		return
	}
	verdicts, err := bnkit.AuditKnowledge(context.Background(), k, df, &learn.AuditSettings{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for row, source := range verdicts.Col("source").Records() {
		fmt.Printf("%s (line %v): costs %.1f nats, p = %.3f, of two statements %.3f, %v\n", source,
			verdicts.Col("line").Elem(row), verdicts.Col("cost_nats").Elem(row).Float(),
			verdicts.Col("p_value").Elem(row).Float(), verdicts.Col("holm_p_value").Elem(row).Float(),
			verdicts.Col("verdict").Elem(row))
	}
	// Output:
	// a textbook (line 8): costs 0.0 nats, p = 1.000, of two statements 1.000, holds in the data already
	// a physician (line 10): costs 4.1 nats, p = 0.028, of two statements 0.056, compatible with the data
}

// A third of the tests were not made. EM uses all patients where complete cases alone would leave a third out.
func ExampleAuditKnowledge_missing() {
	k, err := knowledge.Parse("relapse.yaml", []byte(`network: "[spread][relapse|spread]"
variables:
  - {name: spread, states: [no, yes]}
  - {name: relapse, states: [no, yes]}
statements:
  - influence: {parent: spread, child: relapse, sign: negative}
  - at-most: {of: relapse, given: {spread: no}, states: [yes], p: 0.5}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, df, _, err := relapse()
	if err != nil {
		fmt.Println(err)
		return
	}
	spread := df.Col("spread").Records()
	for row := range spread {
		if row%3 == 0 {
			spread[row] = ""
		}
	}
	df = df.Mutate(series.New(spread, series.String, "spread"))
	verdicts, err := bnkit.AuditKnowledge(context.Background(), k, df,
		&learn.AuditSettings{Method: learn.EM{}, Seed: 1, Simulations: 99}) // 0: as many as it takes
	if err != nil {
		fmt.Println(err)
		return
	}
	for row, verdict := range verdicts.Col("verdict").Records() {
		fmt.Printf("%v: %.1f nats, %v: %s\n", verdicts.Elem(row, 0), verdicts.Col("cost_nats").Elem(row).Float(),
			verdicts.Col("method").Elem(row), verdict)
	}
	// Output:
	// higher states of spread make lower states of relapse more likely: 7.9 nats, EM, bootstrap of 99, Bayes factor by Cheeseman–Stutz: the data speak against it
	// P(relapse=yes | spread=no) ≤ 0.5: 0.0 nats, EM, Bayes factor by Cheeseman–Stutz: holds in the data already
}

// TestAuditKnowledgeHidden: a hidden variable is audited by EM.
func TestAuditKnowledgeHidden(t *testing.T) {
	k := parse(t, `network: "[cause][a|cause][b|cause][c|cause]"
variables:
- {name: cause, states: [no, yes], hidden: true}
- {name: a, states: [no, yes]}
- {name: b, states: [no, yes]}
- {name: c, states: [no, yes]}
statements:
- share-tables: {of: [a, b]}
`)
	df := dataframe.New(
		series.New(strings.Split("yes yes yes no no no no yes yes no yes no", " "), series.String, "a"),
		series.New(strings.Split("yes yes no no no no yes yes yes no yes no", " "), series.String, "b"),
		series.New(strings.Split("yes yes yes no no yes no yes no no yes no", " "), series.String, "c"))
	frame := must[dataframe.DataFrame](t)(bnkit.AuditKnowledge(t.Context(), k, df,
		&learn.AuditSettings{Method: learn.EM{}, Simulations: 9}))
	if words := frame.Col("verdict").Elem(0).String(); words != "compatible with the data" {
		t.Errorf("%v", frame)
	}
}

// TestEncode: two variables of one column, numbers that are states, a hidden variable, and a
// column of numbers; what the file does not name is left out.
func TestEncode(t *testing.T) {
	k := parse(t, `variables:
- {name: high, states: [no, yes], column: bp, above: [120]}
- {name: stage, states: [1, 2, 3], column: bp, from: [100, 140]}
- {name: class, states: [1, 2]}
- {name: cause, states: [a, b], hidden: true}
- {name: weight, continuous: true, column: kg}
`)
	df := dataframe.New(
		series.New([]float64{math.NaN(), 1.5, -2}, series.Float, "kg"),
		series.New([]float64{120, 140, math.NaN()}, series.Float, "bp"),
		series.New([]float64{1, 2, 1}, series.Float, "class"),
		series.New([]string{"x", "y", "z"}, series.String, "name"),
	)
	cases, notes, err := bnkit.Encode(df, k)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"high", "stage", "class", "weight"},
		{"no", "2", "1", "NaN"}, {"yes", "3", "2", "1.500000"}, {"NaN", "NaN", "1", "-2.000000"},
	}
	if got := cases.Records(); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("encoded\n%v\nwant\n%v", got, want)
	}
	if want := []string{`no row has the state "1" of "stage", column "bp"`}; !slices.Equal(notes, want) {
		t.Errorf("notes %q, want %q", notes, want)
	}
}

func TestEncodeErrors(t *testing.T) {
	df := dataframe.New(series.New([]string{"no", "yse"}, series.String, "ill"),
		series.New([]string{"1", "Inf"}, series.String, "kg"))
	for _, test := range []struct {
		name, variable string
		is             error
		want           string
	}{
		{"state", "{name: ill, states: [no, yes]}", bn.ErrUnknownState,
			`row 2, column "ill", value "yse": unknown state of "ill" (states: no, yes) (did you mean "yes"?)`},
		{"number", "{name: ill, states: [low, high], from: [3]}", data.ErrNumber,
			`row 1, column "ill", value "no": not a finite number, nor a band`},
		{"value", "{name: x, states: [a, b], column: ill, values: {a: [no], b: [yes]}}", bn.ErrUnknownState,
			`row 2, column "ill", value "yse": unknown state: no state of "x" has this value (did you mean "yes"?)`},
		{"column", "{name: age, states: [low, high]}", bn.ErrUnknownVariable,
			`no column "age" in the frame (columns: ill, kg)`},
		{"continuous", "{name: kg, continuous: true}", data.ErrNumber,
			`row 2, column "kg", value "Inf": not a finite number`},
		{"state NaN", "{name: ill, states: [no, NaN]}", nil,
			`a state of "ill" is named NaN, which a frame reads as missing`},
		{"hidden alone", "{name: ill, states: [no, yes], hidden: true}", nil, "no variable that has a column"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := bnkit.Encode(df, parse(t, "variables:\n- "+test.variable+"\n"))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("Encode = %v, want %q", err, test.want)
			}
			if test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("Encode = %v, want one that wraps %v", err, test.is)
			}
		})
	}
	spoilt := &knowledge.File{Variables: []knowledge.Variable{{Name: "kg", States: []string{"low"},
		From: []float64{0}}}}
	if _, _, err := bnkit.Encode(df, spoilt); err == nil ||
		!strings.Contains(err.Error(), "one cut fewer than states") {
		t.Errorf("Encode by a declaration with too many cuts = %v", err)
	}
	sure := knowledge.Variable{Name: "kg", Continuous: true}
	if _, _, err := bnkit.Encode(df, &knowledge.File{Variables: []knowledge.Variable{sure, sure}}); !errors.Is(err,
		bn.ErrDuplicate) {
		t.Errorf("Encode by two declarations of one variable = %v", err)
	}
	if _, _, err := bnkit.Encode(df, nil); err == nil {
		t.Error("Encode by nothing gave no error")
	}
	if _, _, err := bnkit.Encode(dataframe.New(),
		parse(t, "variables:\n- {name: ill, states: [no, yes]}\n")); err == nil {
		t.Error("Encode of no frame gave no error")
	}
}

const coin = `network: "[coin]"
variables:
- {name: coin, states: [tails, heads], values: {tails: [0], heads: [1]}}
statements:
- fixed: {of: coin, p: {heads: 0.5}}
  source: symmetry
  mark: A
  strength: certain
- at-least: {of: coin, states: [heads], p: 0.25}
  source: a friend
`

// TestAuditKnowledge: heads in three of four throws cost 3 log ¾ + log ¼ − 4 log ½ nats
// under a fair coin. That heads have a quarter at least follows.
func TestAuditKnowledge(t *testing.T) {
	df := dataframe.New(series.New([]int{1, 1, 0, 1}, series.Int, "coin"))
	frame, err := bnkit.AuditKnowledge(t.Context(), parse(t, coin), df, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"statement", "source", "mark", "strength", "line", "cost_nats", "degrees", "p_value",
		"p_error", "holm_p_value", "log_bayes_factor", "stderr", "method", "verdict", "note"}
	if got := frame.Names(); !slices.Equal(got, want) {
		t.Errorf("columns %v, want %v", got, want)
	}
	for name, want := range map[string][]string{
		"statement": {"P(coin=heads) = 0.5", "P(coin=heads) ≥ 0.25"}, "source": {"symmetry", "a friend"},
		"mark": {"A", ""}, "strength": {"1.000000", "NaN"}, "line": {"5", "9"},
		"verdict": {"compatible with the data", "cannot matter: it follows from the other statements"},
	} {
		if got := frame.Col(name).Records(); !slices.Equal(got, want) {
			t.Errorf("%s %q, want %q", name, got, want)
		}
	}
	cost := 3*math.Log(0.75) + math.Log(0.25) - 4*math.Log(0.5)
	numtest.Close(t, frame.Col("cost_nats").Elem(0).Float(), cost, 1e-12, 0)
}

func TestAuditKnowledgeErrors(t *testing.T) {
	df := dataframe.New(series.New([]string{"1", "0", "?"}, series.String, "coin"))
	k := parse(t, coin)
	if _, err := bnkit.AuditKnowledge(t.Context(), k, df, nil); !errors.Is(err, data.ErrMissing) {
		t.Errorf("a missing cell: %v, want one that wraps data.ErrMissing", err)
	} else if !strings.Contains(err.Error(), "set Method to learn.EM{}, or SkipMissing") {
		t.Errorf("a missing cell: %v, want advice that can be followed", err)
	}
	// Following it gives what the rows without the cell give.
	skipped, err := bnkit.AuditKnowledge(t.Context(), k, df, &learn.AuditSettings{SkipMissing: true})
	if err != nil {
		t.Fatal(err)
	}
	without := must[dataframe.DataFrame](t)(bnkit.AuditKnowledge(t.Context(), k, df.Subset([]int{0, 1}), nil))
	if got, want := skipped.Records(), without.Records(); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%v, want %v", got, want)
	}
	k.Entries[0].Statement = constraint.AtMost{Var: "coin", States: []string{"heads"}, P: 0.2}
	if _, err := bnkit.AuditKnowledge(t.Context(), k, df, nil); !errors.Is(err, constraint.ErrInfeasible) ||
		!strings.Contains(err.Error(), "line 5") {
		t.Errorf("a contradiction: %v, want one that names line 5", err)
	}
	if _, err := bnkit.AuditKnowledge(t.Context(), nil, df, nil); err == nil {
		t.Error("no knowledge gave no error")
	}
	hidden := parse(t, "network: \"[urn][die|urn]\"\nvariables:\n- {name: urn, states: [1, 2], hidden: true}\n"+
		"- {name: die, states: [1, 2]}\n")
	dice := dataframe.New(series.New([]string{"1", "2", "1"}, series.String, "die"))
	for says, m := range map[string]learn.Method{
		`"urn" is hidden; set Method to learn.EM{}`: nil,
		"not posterior mean by Gibbs":               learn.Gibbs{},
		"Constraints of Method": learn.EM{
			Constraints: parse(t, coin).Statements()},
	} {
		if _, err := bnkit.AuditKnowledge(t.Context(), hidden, dice, &learn.AuditSettings{Method: m}); err == nil ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
	k.Model = ""
	if _, err := bnkit.AuditKnowledge(t.Context(), k, df, &learn.AuditSettings{}); err == nil ||
		!strings.Contains(err.Error(), "declares no structure") {
		t.Errorf("no structure: %v", err)
	}
}
