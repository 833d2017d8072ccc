package bnkit_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/google/go-cmp/cmp"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/learn"
)

func texts(name string, cells ...string) series.Series { return series.New(cells, series.String, name) }

// A column of floats is continuous however few of its rows are seen; with a list of states
// its whole numbers are the same states as in a column of integers.
func TestFloatColumns(t *testing.T) {
	floats := dataframe.New(series.New([]float64{1e6, 0, math.Copysign(0, -1), 123456789012, math.NaN()}, series.Float,
		"x"))
	if v := must[*data.Table](t)(bnkit.Table(floats, nil)).Variables()[0]; v.IsDiscrete() {
		t.Errorf("a column of floats became %v", v)
	}
	states := []string{"0", "1000000", "123456789012"}
	c := must[*data.Table](t)(bnkit.Table(floats, map[string][]string{"x": states})).Columns()[0]
	if diff := cmp.Diff([]bn.State{1, 0, 0, 2, bn.Missing}, c.States); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A name found by NewNetwork is found by the other verbs, with the white space and the
// byte order mark that spreadsheets leave.
func TestNamesAreTrimmed(t *testing.T) {
	df := dataframe.New(texts("\ufeffrisk", "low", "high"), texts(" treated ", "yes", "no"))
	net := must[*bn.Network](t)(bnkit.NewNetwork("[risk][treated|risk]", df,
		&bnkit.NetworkOptions{States: map[string][]string{" treated": {"yes", "no"}}}))
	if diff := cmp.Diff([]string{"yes", "no"}, net.Variable(1).States); diff != "" {
		t.Error(diff)
	}
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.MAP{Pseudocount: 1}, nil))
	if _, err := bnkit.Predict(m, df, "treated"); err != nil {
		t.Error(err)
	}
	if _, err := bnkit.DropMissing(df, "treated"); err != nil {
		t.Error(err)
	}
}

// A column that is no variable, such as a number of the patient with a slip in it, is no
// hindrance to a model that does not name it, nor is its list of states.
func TestNewNetworkLeavesColumnsAside(t *testing.T) {
	id := make([]string, 40)
	risk := make([]string, 40)
	for i := range id {
		id[i], risk[i] = fmt.Sprint(1000+i), []string{"low", "high"}[i%2]
	}
	id[7] = "10O7"
	df := dataframe.New(texts("patient", id...), texts("risk", risk...))
	states := map[string][]string{"risk": {"low", "high"}, "patient": {"only one"}}
	net := must[*bn.Network](t)(bnkit.NewNetwork("[risk]", df, &bnkit.NetworkOptions{States: states}))
	if diff := cmp.Diff([]bn.Variable{bn.Discrete("risk", "low", "high")}, net.Variables()); diff != "" {
		t.Error(diff)
	}
	must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.ML{}, nil))
	_, err := bnkit.NewNetwork("[patient]", df, nil)
	if err == nil || !strings.Contains(err.Error(), `row 8, column "patient", value "10O7"`) {
		t.Errorf("a slip in a column that the model names: %v", err)
	}
}

// What DropMissing leaves, Fit takes.
func TestDropMissingKnowsTheSigns(t *testing.T) {
	df := dataframe.New(texts("a", "x", "?", "y", " NA", "x", "."), texts("b", "u", "v", "", "v", "v", "u"))
	whole := must[dataframe.DataFrame](t)(bnkit.DropMissing(df, "a", "b"))
	if diff := cmp.Diff([][]string{{"a", "b"}, {"x", "u"}, {"x", "v"}}, whole.Records()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	net := must[*bn.Network](t)(bnkit.NewNetwork("[a][b|a]", df, nil))
	must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, whole, learn.ML{}, nil))
}

// A network of one variable predicts its base rate for a frame that lacks it.
func TestPredictWithoutEvidence(t *testing.T) {
	df := patients()
	net := must[*bn.Network](t)(bnkit.NewNetwork("[treated]", df, nil))
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.ML{}, nil))
	p := must[dataframe.DataFrame](t)(bnkit.Predict(m, df.Drop("treated"), "treated"))
	if p.Nrow() != 6 || p.Col("yes").Elem(5).Float() != .5 {
		t.Errorf("predictions %v, want .5 in 6 rows", p)
	}
	p = must[dataframe.DataFrame](t)(bnkit.Predict(m, df.Select("treated"), "treated"))
	if p.Nrow() != 6 || p.Col("yes").Elem(5).Float() != .5 {
		t.Errorf("predictions %v, want .5 in 6 rows, whatever the target's own column has", p)
	}
}

func TestSaveRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.json")
	m := fitted(t)
	m.Net.CPT(0).P[0] = 2
	if err := bnkit.Save(path, m); err == nil || !strings.Contains(err.Error(), "P(grade=1) = 2") {
		t.Errorf("a table with an entry that is no probability: %v", err)
	}
	odd := must[*bn.Network](t)(bn.New("[A]", bn.Discrete("A", "a\xff", "a\xfe")))
	if err := bnkit.Save(path, bnkit.ModelOf(odd)); !errors.Is(err, data.ErrEncoding) {
		t.Errorf("names that JSON does not keep: %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that should not be there: %v", err)
	}
}

// What an error tells a person who has the frame before him and not the source.
func TestErrorsSayHow(t *testing.T) {
	df := patients()
	net := must[*bn.Network](t)(bnkit.NewNetwork("[grade][treated|grade]", df, nil))
	fit := func(of ...constraint.Constraint) error {
		return second(bnkit.Fit(t.Context(), net, df, learn.MAP{Pseudocount: 1, Constraints: of}, nil))
	}
	holed := df.Mutate(texts("treated", "yes", "yes", "NaN", "yes", "yes", "yes"))
	numbers := make([]string, 30)
	names := make([]string, bn.MaxStates+1)
	for i := range numbers {
		numbers[i] = fmt.Sprint(i)
	}
	for i := range names {
		names[i] = fmt.Sprint("n", i)
	}
	numbers[4] = "unknown"
	path := filepath.Join(t.TempDir(), "m.json")
	if err := bnkit.Save(path, fitted(t)); err != nil {
		t.Fatal(err)
	}
	good := must[[]byte](t)(os.ReadFile(path))
	load := func(b []byte) error {
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		return second(bnkit.Load(path))
	}
	csv := filepath.Join(t.TempDir(), "w.csv")
	if err := os.WriteFile(csv, []byte("a,n\nx,2\ny,1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, _, allTrain := bnkit.Split(df, 6, rand.NewPCG(1, 0))
	tests := []struct {
		name string
		err  error
		says []string
	}{
		{"a missing cell to fit", second(bnkit.Fit(t.Context(), net, holed, learn.ML{}, nil)),
			[]string{`row 3, column "treated"`, "SkipMissing in Settings", "bnkit.DropMissing"}},
		{"a missing target to score", second(bnkit.ConditionalLogScore(bnkit.ModelOf(net), holed, "treated")),
			[]string{`row 3, column "treated"`, "bnkit.DropMissing"}},
		{"an unknown state", second(bnkit.LogScore(bnkit.ModelOf(net),
			df.Mutate(series.New([]int{1, 1, 1, 1, 1, 7}, series.Int, "grade")))),
			[]string{"bnkit: ", `row 6, column "grade", value "7"`, "1, 2, 3, 10", "correct the cell"}},
		{"a word among numbers", second(bnkit.Table(dataframe.New(texts("id", numbers...)), nil)),
			[]string{`row 5, column "id", value "unknown"`, "NaN if it is missing", "list the states"}},
		{"a column of names", second(bnkit.Table(dataframe.New(texts("id", names...)), nil)),
			[]string{`column "id"`, "drop the column"}},
		{"a list for no column", second(bnkit.NewNetwork("[grade]", df,
			&bnkit.NetworkOptions{States: map[string][]string{"graed": {"1"}}})),
			[]string{`"graed"`, "risk, grade, temperature, treated"}},
		{"a column without a value", second(bnkit.NewNetwork("[seen][grade|seen]",
			dataframe.New(texts("seen", "no", "yes"), texts("grade", "", "?")), nil)),
			[]string{`column "grade" has no value in any row`, "NetworkOptions.States"}},
		{"numbers without a value", second(bnkit.NewNetwork("[x]",
			dataframe.New(series.New([]float64{math.NaN(), math.NaN()}, series.Float, "x")), nil)),
			[]string{`column "x" has no value`}},
		{"a list with a state twice", second(bnkit.Table(df, map[string][]string{"risk": {"low", "low"}})),
			[]string{`"risk"`, `"low" twice`}},
		{"an empty list", second(bnkit.Table(df, map[string][]string{"risk": nil})), []string{`"risk" has no states`}},
		{"two columns of one name", second(bnkit.Table(df.Rename("treated", "risk"), nil)),
			[]string{"columns 1 and 4", `"treated"`, "rename or drop"}},
		{"a column without a name", second(bnkit.Table(df.Rename("", "grade"), nil)),
			[]string{"column 2 of the frame has no name"}},
		{"no row complete", second(bnkit.DropMissing(dataframe.New(texts("x", "NaN", ""), texts("y", "1", "?")), "x",
			"y")), []string{"each of the 2 rows", "x, y", "fewer columns"}},
		{"nothing left to test", allTrain, []string{"6 rows", "at least one row"}},
		{"a statement without groups", fit(constraint.ShareStates{Var: "grade"}),
			[]string{`"grade" has no groups`, "Groups: "}},
		{"a statement given no parent", fit(constraint.ShareAcross{Var: "treated", Given: []bn.Given{{"risk": "low"}}}),
			[]string{"risk=low", "parents: grade"}},
		{"weights", second(bnkit.ReadCSV(csv, &data.CSVOptions{Weight: "n"})),
			[]string{csv, `"n"`, "Settings.Weight"}},
		{"a model cut short", load(good[:len(good)/2]), []string{path, "cut short", "write it again"}},
		{"a model with an appendix", load(append(good, '}')), []string{path, "something follows the model"}},
		{"a model of nothing", load([]byte(`{"format":"bnlab model 1"}`)), []string{path, "no variables"}},
		{"a missing number to fit", second(bnkit.Fit(t.Context(),
			must[*bn.Network](t)(bnkit.NewNetwork("[temperature]", df, nil)),
			df, learn.ML{}, nil)), []string{`row 6, column "temperature"`, "SkipMissing in Settings",
			"bnkit.DropMissing"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.err == nil {
				t.Fatal("no error")
			}
			for _, want := range test.says {
				if !strings.Contains(test.err.Error(), want) {
					t.Errorf("%q does not say %q", test.err, want)
				}
			}
			if strings.Contains(test.err.Error(), "CSVOptions") {
				t.Errorf("%q speaks of options that a frame does not have", test.err)
			}
		})
	}
}

// TestComposedColumns: a network whose names are composed otherwise than the frame's columns and cells finds them, and
// a column that has the name as it stands comes first.
func TestComposedColumns(t *testing.T) {
	const one, two = "caf\u00e9", "cafe\u0301"
	net, err := bn.New("["+one+"][b|"+one+"]", bn.Discrete(one, "\u00e9t\u00e9", "hiver"),
		bn.Discrete("b", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	column := series.New([]string{"e\u0301te\u0301", "hiver", "hiver", "hiver"}, series.String, two)
	b := series.New([]string{"no", "yes", "yes", "no"}, series.String, "b")
	m, err := bnkit.Fit(t.Context(), net, dataframe.New(column, b), learn.ML{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p := m.Net.CPT(0).P; p[0] != 0.25 || p[1] != 0.75 {
		t.Errorf("P(%s) = %v, want 1/4 and 3/4", one, p)
	}
	post, err := bnkit.Predict(m, dataframe.New(column), "b")
	if err != nil || post.Nrow() != 4 {
		t.Errorf("%v, %v", post, err)
	}
	own := series.New([]string{"hiver", "hiver", "hiver", "\u00e9t\u00e9"}, series.String, one)
	m, err = bnkit.Fit(t.Context(), net, dataframe.New(own, b), learn.ML{}, nil)
	if err != nil || m.Net.CPT(0).P[0] != 0.25 {
		t.Errorf("%v", err)
	}
	k := &knowledge.File{Variables: []knowledge.Variable{{Name: "x", States: []string{"s\u00fc\u00df", "hiver"},
		Column: one, Values: map[string][]string{"s\u00fc\u00df": {"\u00e9t\u00e9"}, "hiver": {"hiver"}}}}}
	df, _, err := bnkit.Encode(dataframe.New(column, b), k)
	if err != nil || df.Col("x").Records()[0] != "s\u00fc\u00df" {
		t.Errorf("encoded: %v, %v", df, err)
	}
}
