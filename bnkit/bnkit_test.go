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
	"bnlab/bnkit/learn"
)

// patients has text, whole numbers, numbers and missing cells.
func patients() dataframe.DataFrame {
	return dataframe.New(
		series.New([]string{"low", "high", "low", "high", "NaN", "low"}, series.String, "risk"),
		series.New([]int{1, 3, 2, 3, 1, 10}, series.Int, "grade"),
		series.New([]float64{36.5, 38.25, 37, 39, 36.75, math.NaN()}, series.Float, "temperature"),
		series.New([]string{"no, thanks", "yes", "no, thanks", "yes", "yes", "no, thanks"}, series.String, "treated"),
	)
}

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func TestTable(t *testing.T) {
	table := must[*data.Table](t)(bnkit.Table(patients(), map[string][]string{"risk": {"low", "middle", "high"}}))
	want := []bn.Variable{
		bn.Discrete("risk", "low", "middle", "high"),
		bn.Discrete("grade", "1", "2", "3", "10"),
		bn.Continuous("temperature"),
		bn.Discrete("treated", "no, thanks", "yes"),
	}
	if diff := cmp.Diff(want, table.Variables()); diff != "" {
		t.Errorf("variables (-want +got):\n%s", diff)
	}
	risk := must[data.Column](t)(table.Column("risk"))
	if diff := cmp.Diff([]bn.State{0, 2, 0, 2, bn.Missing, 0}, risk.States); diff != "" {
		t.Errorf("risk (-want +got):\n%s", diff)
	}
	back := must[*data.Table](t)(bnkit.Table(bnkit.Frame(table), data.StatesOf(want...)))
	if table.Hash() != back.Hash() {
		t.Errorf("a table changes on its way through a frame:\n%v\n%v", table.Columns(), back.Columns())
	}
}

func TestFrameErrors(t *testing.T) {
	net := must[*bn.Network](t)(bnkit.NewNetwork("[grade][treated|grade]", patients(), nil))
	fit := func(df dataframe.DataFrame) error {
		_, err := bnkit.Fit(t.Context(), net, df, learn.ML{}, nil)
		return err
	}
	tests := []struct {
		name string
		err  error
		is   error
		says []string
	}{
		{"no frame", fit(dataframe.DataFrame{}), bnkit.ErrEmptyFrame, nil},
		{"no rows", fit(patients().Subset([]int{})), nil, nil},
		{"a frame with an error", fit(dataframe.DataFrame{Err: errors.New("broken pipe")}), nil,
			[]string{"broken pipe"}},
		{"no such column", fit(patients().Drop("grade")), bn.ErrUnknownVariable,
			[]string{`"grade"`, "risk, temperature, treated"}},
		{"a state the network lacks", fit(patients().Mutate(series.New([]int{1, 3, 2, 3, 7, 10}, series.Int, "grade"))),
			bn.ErrUnknownState, []string{`row 5, column "grade", value "7"`, "Discretization"}},
		{"a state of other rows", fit(patients().Mutate(series.New([]string{"yes", "yes", "often", "yes", "yes", "yes"},
			series.String, "treated"))), bn.ErrUnknownState,
			[]string{`value "often"`, "NewNetwork takes its states from the frame"}},
		{"a missing cell", fit(patients().Mutate(series.New([]string{"yes", "yes", "NaN", "yes", "yes", "yes"},
			series.String, "treated"))), data.ErrMissing, []string{`row 3, column "treated"`}},
		{"a list that misses a state", second(bnkit.Table(patients(), map[string][]string{"risk": {"low", "middle"}})),
			bn.ErrUnknownState, []string{`row 2, column "risk", value "high"`}},
		{"a list for no column", second(bnkit.Table(patients(), map[string][]string{"rsik": {"low"}})),
			bn.ErrUnknownVariable, []string{`"rsik"`}},
		{"a continuous variable", second(bnkit.NewNetwork("[temperature][treated|temperature]", patients(), nil)), nil,
			[]string{`"temperature"`, "discretise"}},
		{"a cycle", second(bnkit.NewNetwork("[risk|treated][treated|risk]", patients(), nil)), nil,
			[]string{"risk → treated → risk"}},
		{"a model with a stranger", second(bnkit.NewNetwork("[risk][age|risk]", patients(), nil)),
			bn.ErrUnknownVariable, []string{`"age"`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.err == nil {
				t.Fatal("no error")
			}
			if test.is != nil && !errors.Is(test.err, test.is) {
				t.Errorf("%v does not wrap %v", test.err, test.is)
			}
			for _, want := range test.says {
				if !strings.Contains(test.err.Error(), want) {
					t.Errorf("%q does not say %q", test.err, want)
				}
			}
			if strings.Contains(test.err.Error(), "line ") {
				t.Errorf("%q speaks of a line, but a frame has none", test.err)
			}
		})
	}
}

func second[T any](_ T, err error) error { return err }

func fitted(t testing.TB) *bnkit.Model {
	t.Helper()
	df := patients()
	net := must[*bn.Network](t)(bnkit.NewNetwork("[grade][treated|grade]", df, nil))
	knowledge := []constraint.Constraint{
		constraint.ShareAcross{Var: "treated", Given: []bn.Given{{"grade": "1"}, {"grade": "2"}}},
		constraint.ShareStates{Var: "grade", Groups: [][]string{{"3", "10"}}, Alpha: []float64{3}},
	}
	return must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.MAP{Pseudocount: 1, Constraints: knowledge},
		&bnkit.Settings{Seed: 5}))
}

func TestSaveLoad(t *testing.T) {
	m := fitted(t)
	path := filepath.Join(t.TempDir(), "model.json")
	if err := bnkit.Save(path, m); err != nil {
		t.Fatal(err)
	}
	got := must[*bnkit.Model](t)(bnkit.Load(path))
	for v := range m.Net.Len() {
		if !got.Net.CPT(v).Equal(m.Net.CPT(v)) {
			t.Errorf("table %v, want %v", got.Net.CPT(v), m.Net.CPT(v))
		}
	}
	if diff := cmp.Diff(m.Result.Statements, got.Result.Statements); diff != "" {
		t.Errorf("statements (-want +got):\n%s", diff)
	}
	if got.Method != m.Method || got.LogLikelihood != m.LogLikelihood || got.Cases != 6 || got.DataHash == "" ||
		got.DataHash != m.DataHash || got.Seed != 5 {
		t.Errorf("read back %+v, want %+v", got, m)
	}
	if diff := cmp.Diff([]any{m.Counts, m.Trace, m.Flags, m.Skipped},
		[]any{got.Counts, got.Trace, got.Flags, got.Skipped}); diff != "" {
		t.Errorf("counts, trace, flags (-want +got):\n%s", diff)
	}
	again := filepath.Join(t.TempDir(), "again.json")
	if err := bnkit.Save(again, got); err != nil {
		t.Fatal(err)
	}
	a, b := must[[]byte](t)(os.ReadFile(path)), must[[]byte](t)(os.ReadFile(again))
	if string(a) != string(b) {
		t.Error("the file changes when it is read and written")
	}

	gauss := must[*bn.Network](t)(bn.New("[A][Y|A]", bn.Discrete("A", "0", "1"), bn.Continuous("Y")))
	gauss.Gaussian(1).Intercept[1] = 2.5
	if err := bnkit.Save(path, bnkit.ModelOf(gauss)); err != nil {
		t.Fatal(err)
	}
	if got := must[*bnkit.Model](t)(bnkit.Load(path)); got.Net.Gaussian(1).Intercept[1] != 2.5 {
		t.Errorf("the linear-Gaussian node came back as %+v", got.Net.Gaussian(1))
	}
}

func TestLoadErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.json")
	if err := bnkit.Save(path, fitted(t)); err != nil {
		t.Fatal(err)
	}
	good := string(must[[]byte](t)(os.ReadFile(path)))
	tests := map[string]struct{ file, says string }{
		"cut short":         {good[:len(good)/2], "cut short"},
		"another file":      {`{"hello": 1}`, "not a saved model"},
		"a list":            {`[]`, "not a saved model: it holds JSON of another kind (array); write it again with Save"},
		"another version":   {strings.Replace(good, "bnlab model 1", "bnlab model 9", 1), `"bnlab model 9"`},
		"a row not summing": {strings.Replace(good, `"table": [`, `"table": [0.5, `, 1), `"grade"`},
		"an unknown parent": {strings.Replace(good, `"parents": [
    "grade"`, `"parents": [
    "garde"`, 1), `"garde"`},
		"an unknown statement": {strings.Replace(good, "share-across", "share-nothing", 1), `"share-nothing"`},
		"a stranger's state":   {strings.Replace(good, `"grade": "2"`, `"grade": "two"`, 1), `"two"`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if test.file == good {
				t.Fatal("the test changes nothing")
			}
			bad := filepath.Join(t.TempDir(), "bad.json")
			if err := os.WriteFile(bad, []byte(test.file), 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := bnkit.Load(bad)
			if err == nil || !strings.Contains(err.Error(), test.says) || !strings.Contains(err.Error(), "bad.json") {
				t.Errorf("error %v, want one that names the file and says %s", err, test.says)
			}
		})
	}
	if err := bnkit.Save(filepath.Join(t.TempDir(), "none", "m.json"), fitted(t)); err == nil {
		t.Error("no error for a folder that is not there")
	}
	if err := bnkit.Save(path, nil); err == nil {
		t.Error("no error for no model")
	}
	if _, err := bnkit.Load(filepath.Join(t.TempDir(), "no.json")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestScoreAndPredict(t *testing.T) {
	df := patients()
	m := fitted(t)
	score, err := bnkit.LogScore(m, df)
	if err != nil {
		t.Fatal(err)
	}
	// The training score is the log-likelihood of the fit.
	if math.Abs(score.LogScore-m.LogLikelihood) > 1e-12 {
		t.Errorf("score on the training cases %v, log-likelihood %v", score.LogScore, m.LogLikelihood)
	}
	p := must[dataframe.DataFrame](t)(bnkit.Predict(m, df.Drop("treated"), "treated"))
	target, err := bnkit.ConditionalLogScore(m, df, "treated")
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for row, actual := range df.Col("treated").Records() {
		sum += math.Log(p.Col(actual).Elem(row).Float())
	}
	if math.Abs(sum-target.LogScore) > 1e-12 {
		t.Errorf("predictions score %v, ConditionalLogScore %v", sum, target.LogScore)
	}
	cpt := must[dataframe.DataFrame](t)(bnkit.CPT(m.Net, "treated"))
	if diff := cmp.Diff([]string{"grade", "treated=no, thanks", "treated=yes"}, cpt.Names()); diff != "" {
		t.Error(diff)
	}
	if got := cpt.Col("treated=yes").Elem(1).Float(); got != m.Net.CPT(1).Row(1)[1] {
		t.Errorf("P(treated=yes | grade=2) = %v in the frame, %v in the network", got, m.Net.CPT(1).Row(1)[1])
	}
}

func TestSampleAndSplit(t *testing.T) {
	m := fitted(t)
	if _, err := bnkit.Sample(m.Net, 3, nil); !errors.Is(err, bn.ErrNoSource) {
		t.Errorf("no source: %v", err)
	}
	df := must[dataframe.DataFrame](t)(bnkit.Sample(m.Net, 50, rand.NewPCG(1, 0)))
	if diff := cmp.Diff([]string{"grade", "treated"}, df.Names()); diff != "" || df.Nrow() != 50 {
		t.Errorf("%d rows, columns %s", df.Nrow(), diff)
	}
	train, rest, err := bnkit.Split(df, 20, rand.NewPCG(2, 0))
	if err != nil {
		t.Fatal(err)
	}
	if train.Nrow() != 20 || rest.Nrow() != 30 {
		t.Errorf("split into %d and %d", train.Nrow(), rest.Nrow())
	}
	for _, n := range []int{0, 50} {
		if _, _, err := bnkit.Split(df, n, rand.NewPCG(2, 0)); err == nil {
			t.Errorf("no error for a split at %d of 50", n)
		}
	}
	whole := must[dataframe.DataFrame](t)(bnkit.DropMissing(patients(), patients().Names()...))
	if whole.Nrow() != 4 {
		t.Errorf("%d complete rows, want 4", whole.Nrow())
	}
	if some := must[dataframe.DataFrame](t)(bnkit.DropMissing(patients(), "risk")); some.Nrow() != 5 {
		t.Errorf("%d rows with risk, want 5", some.Nrow())
	}
	// Without names rows would go for columns that nothing uses; those of a network are at hand.
	if _, err := bnkit.DropMissing(patients()); err == nil || !strings.Contains(err.Error(),
		`DropMissing(df, "risk")`) || !strings.Contains(err.Error(), "net.Names()...") {
		t.Errorf("no names: %v", err)
	}
	net := must[*bn.Network](t)(bnkit.NewNetwork("[grade][treated|grade]", patients(), nil))
	if some := must[dataframe.DataFrame](t)(bnkit.DropMissing(patients(), net.Names()...)); some.Nrow() != 6 {
		t.Errorf("%d rows with all of %v, want 6", some.Nrow(), net.Names())
	}
}

func TestCSV(t *testing.T) {
	path := filepath.Join(t.TempDir(), "patients.csv")
	if err := bnkit.WriteCSV(path, patients()); err != nil {
		t.Fatal(err)
	}
	df := must[dataframe.DataFrame](t)(bnkit.ReadCSV(path, nil))
	a, b := must[*data.Table](t)(bnkit.Table(patients(), nil)), must[*data.Table](t)(bnkit.Table(df, nil))
	if a.Hash() != b.Hash() {
		t.Errorf("written and read back:\n%v", df)
	}
	one := dataframe.New(series.New([]string{"a", "NaN", "b"}, series.String, "x"))
	if err := bnkit.WriteCSV(path, one); err != nil {
		t.Fatal(err)
	}
	if df := must[dataframe.DataFrame](t)(bnkit.ReadCSV(path, nil)); df.Nrow() != 3 {
		t.Errorf("a column with a missing cell has %d rows, want 3", df.Nrow())
	}
	for _, bad := range []struct{ name, text, says string }{
		{"x", "a\r\nb", `row 2, column "x": "a\r\nb" holds a carriage return`},
		{"\x00x", "a", `the name of column 1: "\x00x" holds a carriage return or a zero byte`},
		{"x", "\xff", `row 2, column "x": "\xff" is not UTF-8`},
		{"x;y", "a", "the only column"},
	} {
		frame := dataframe.New(series.New([]string{"a", bad.text}, series.String, bad.name))
		err := bnkit.WriteCSV(path, frame)
		if err == nil || !strings.Contains(err.Error(), bad.says) {
			t.Errorf("%q, %q: %v, want %q", bad.name, bad.text, err, bad.says)
		}
	}
	if df := must[dataframe.DataFrame](t)(bnkit.ReadCSV(path, nil)); df.Nrow() != 3 {
		t.Errorf("a refused frame leaves %d rows in the file, want the 3 before", df.Nrow())
	}
	if _, err := bnkit.ReadCSV(filepath.Join(t.TempDir(), "no.csv"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestSummary(t *testing.T) {
	s := must[dataframe.DataFrame](t)(bnkit.Summary(patients()))
	want := [][]string{
		{"column", "kind", "missing", "values"},
		{"risk", "discrete", "1", "high 2, low 3"},
		{"grade", "discrete", "0", "1 2, 2 1, 3 2, 10 1"},
		{"temperature", "continuous", "1", "36.5 to 39, mean 37.5"},
		{"treated", "discrete", "0", "no, thanks 3, yes 3"},
	}
	if diff := cmp.Diff(want, s.Records()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A model with a discretisation takes raw frames, whatever their range.
func TestDiscretize(t *testing.T) {
	df := patients()
	cuts, err := bnkit.Discretize(df,
		data.Cuts{Column: "temperature", Cuts: []float64{37, 38}, Names: []string{"none", "some", "fever"}},
		data.Cuts{Column: "grade", Cuts: []float64{2}},
	)
	if err != nil {
		t.Fatal(err)
	}
	states := must[dataframe.DataFrame](t)(bnkit.Apply(df, cuts))
	if diff := cmp.Diff([]string{"none", "fever", "none", "fever", "none", "NaN"},
		states.Col("temperature").Records()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	opts := &bnkit.NetworkOptions{Discretization: cuts}
	net := must[*bn.Network](t)(bnkit.NewNetwork("[temperature][treated|temperature]", df, opts))
	if diff := cmp.Diff([]string{"none", "some", "fever"}, net.Variable(0).States); diff != "" {
		t.Errorf("the states of the cuts, in their order (-want +got):\n%s", diff)
	}
	m, err := bnkit.Fit(t.Context(), net, df, learn.MAP{Pseudocount: 1},
		&bnkit.Settings{SkipMissing: true, Discretization: cuts})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "m.json")
	if err := bnkit.Save(path, m); err != nil {
		t.Fatal(err)
	}
	m = must[*bnkit.Model](t)(bnkit.Load(path))
	hot := dataframe.New(series.New([]float64{99}, series.Float, "temperature"))
	p := must[dataframe.DataFrame](t)(bnkit.Predict(m, hot, "treated"))
	if got := p.Col("yes").Elem(0).Float(); math.Abs(got-.75) > 1e-15 {
		t.Errorf("P(treated | 99 degrees) = %v, want (2+1)/(2+2)", got)
	}
	// Cases with the states already, as a sample of the model has, are taken too.
	sample := must[dataframe.DataFrame](t)(bnkit.Sample(m.Net, 20, rand.NewPCG(1, 0)))
	if _, err := bnkit.LogScore(m, sample); err != nil {
		t.Errorf("the model cannot score its own sample: %v", err)
	}
	// They keep the order of the cuts, which is not that of the alphabet.
	net = must[*bn.Network](t)(bnkit.NewNetwork("[temperature]", sample, &bnkit.NetworkOptions{Discretization: cuts}))
	if diff := cmp.Diff([]string{"none", "some", "fever"}, net.Variable(0).States); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// Numbers are cut even when the bins are called by the same numbers.
	numbered, err := bnkit.Discretize(df, data.Cuts{Column: "grade", Cuts: []float64{2}, Names: []string{"1", "3"}})
	if err != nil {
		t.Fatal(err)
	}
	grades := dataframe.New(series.New([]int{3, 1, 3}, series.Int, "grade"))
	shifted := &data.Discretization{Columns: []data.Binning{{Column: "grade", States: []string{"3", "1"},
		Cuts: []float64{2}}}}
	for want, d := range map[string]*data.Discretization{"[3 1 3]": numbered, "[1 3 1]": shifted} {
		binned := must[dataframe.DataFrame](t)(bnkit.Apply(grades, d))
		if got := fmt.Sprint(binned.Col("grade").Records()); got != want {
			t.Errorf("grades 3 1 3 cut to %v become %s, want %s", d.Columns[0].States, got, want)
		}
	}
	_, err = bnkit.LogScore(bnkit.ModelOf(m.Net), hot.Mutate(series.New([]string{"yes"}, series.String, "treated")))
	if err == nil || !strings.Contains(err.Error(), "Discretization") {
		t.Errorf("numbers without the discretisation: %v", err)
	}
	opts.States = map[string][]string{"temperature": {"low", "high"}}
	if _, err := bnkit.NewNetwork("[temperature]", df, opts); err == nil ||
		!strings.Contains(err.Error(), "also made by the discretisation") {
		t.Errorf("states declared and made: %v", err)
	}
}

// TestLoadRounding loads a model into whose file somebody wrote a table with few digits.
func TestLoadRounding(t *testing.T) {
	net := must[*bn.Network](t)(bn.New("[a]", bn.Discrete("a", "x", "y", "z")))
	path := filepath.Join(t.TempDir(), "model.json")
	if err := bnkit.Save(path, bnkit.ModelOf(net)); err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(must[[]byte](t)(os.ReadFile(path))), "0.3333333333333333", "0.333")
	if !strings.Contains(text, "0.333,") {
		t.Fatal("the test changes nothing")
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	got := must[*bnkit.Model](t)(bnkit.Load(path))
	for _, p := range got.Net.CPT(0).P {
		if math.Abs(p-1./3) > 1e-15 {
			t.Errorf("%v, want 1/3 each", got.Net.CPT(0).P)
			break
		}
	}
}
