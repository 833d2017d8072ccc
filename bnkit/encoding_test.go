package bnkit_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/google/go-cmp/cmp"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/learn"
)

const flu = `network: "[flu][fever|flu][cough|flu]"
variables:
- {name: flu, states: [no, yes]}
- {name: fever, states: [no, yes], column: temp, from: [38]}
- {name: cough, states: [no, yes], values: {no: [0], yes: [1, 2]}}
`

// feverish are patients as they stand in the data.
func feverish() dataframe.DataFrame {
	return dataframe.ReadCSV(strings.NewReader(`id,flu,temp,cough
1,no,36.6,0
2,no,36.9,0
3,no,38.2,1
4,no,37.1,0
5,yes,39.5,2
6,yes,38.4,1
7,yes,37.0,2
`))
}

// The rows of a fit, of predictions and what is observed are given as they stand in the data: the
// network of a knowledge file knows which state a temperature is.
func ExamplePredict_raw() {
	k, err := knowledge.Parse("flu.yaml", []byte(flu))
	if err != nil {
		fmt.Println(err)
		return
	}
	net, _ := k.Network()
	model, err := bnkit.Fit(context.Background(), net, feverish(), learn.MAP{Pseudocount: 1}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	patients := dataframe.New(
		series.New([]float64{36.5, 39.1}, series.Float, "temp"),
		series.New([]int{0, 2}, series.Int, "cough"),
	)
	p, err := bnkit.Predict(model, patients, "flu")
	fmt.Printf("P(flu) = %.3f %v\n", p.Col("yes").Float(), err)
	// Output:
	// P(flu) = [0.126 0.776] <nil>
}

func ExamplePosterior_raw() {
	k, _ := knowledge.Parse("flu.yaml", []byte(flu))
	net, _ := k.Network()
	model, err := bnkit.Fit(context.Background(), net, feverish(), learn.MAP{Pseudocount: 1}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, evidence := range []infer.Evidence{{"temp": "38.4"}, {"fever": "yes"}} {
		post, _ := bnkit.Posterior(model, evidence, "flu")
		fmt.Printf("P(flu | %s) = %.3f\n", evidence, post.Col("probability").Float()[1])
	}
	_, err = bnkit.Posterior(model, infer.Evidence{"fever": "38.4"}, "flu")
	fmt.Println(err)
	// Output:
	// P(flu | temp=38.4) = 0.590
	// P(flu | fever=yes) = 0.590
	// bnkit: bn: evidence: unknown state "38.4" of "fever" (states: no, yes); values of the data go under "temp"
}

// A fit of raw rows is that of encoded ones, and either kind of rows may be asked of either; a
// saved model too, and cross-validation.
func TestRawOrEncoded(t *testing.T) {
	k := parse(t, flu)
	net := must[*bn.Network](t)(k.Network())
	raw := feverish()
	cases, _, err := bnkit.Encode(raw, k)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "m.json")
	var models []*bnkit.Model
	for _, df := range []dataframe.DataFrame{raw, cases} {
		held := df
		m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.EM{},
			&bnkit.Settings{Seed: 1, HeldOut: &held}))
		if err := bnkit.Save(path, m); err != nil {
			t.Fatal(err)
		}
		models = append(models, m, must[*bnkit.Model](t)(bnkit.Load(path)))
	}
	for i, m := range models {
		if !slices.Equal(m.Counts, models[0].Counts) || m.DataHash != models[0].DataHash {
			t.Errorf("model %d has other counts or another hash", i)
		}
		for _, df := range []dataframe.DataFrame{raw, cases} {
			if got, want := must[dataframe.DataFrame](t)(bnkit.Predict(m, df, "flu")),
				must[dataframe.DataFrame](t)(bnkit.Predict(models[0], raw, "flu")); !cmp.Equal(got.Records(),
				want.Records()) {
				t.Errorf("model %d predicts %v, want %v", i, got, want)
			}
			if got, want := must[dataframe.DataFrame](t)(bnkit.Predict(m.Net, df, "flu")),
				must[dataframe.DataFrame](t)(bnkit.Predict(m, df, "flu")); !cmp.Equal(got.Records(), want.Records()) {
				t.Errorf("the network of model %d predicts %v, want %v", i, got, want)
			}
			for name, err := range map[string]error{
				"LogScore":            second(bnkit.LogScore(m, df)),
				"ConditionalLogScore": second(bnkit.ConditionalLogScore(m, df, "flu")),
				"ROC":                 second(bnkit.ROC(m, df, "flu", "")),
				"Calibration":         second(bnkit.Calibration(m, df, "flu", "", nil)),
				"Confusion":           second(bnkit.Confusion(m, df, "flu", nil)),
			} {
				if err != nil {
					t.Errorf("model %d: %s: %v", i, name, err)
				}
			}
		}
	}
	// What is sampled from it are states, and it takes them.
	if _, err := bnkit.LogScore(models[0], must[dataframe.DataFrame](t)(bnkit.Sample(models[0], 20,
		rand.NewPCG(1, 0)))); err != nil {
		t.Errorf("scoring its own sample: %v", err)
	}
}

// A cell may be raw or a state; what it cannot be, and what it might be twice, is an error that
// names it.
func TestRawCells(t *testing.T) {
	file := `network: "[age][old][fever][work][dose]"
variables:
- {name: age, states: ["1", "2"], from: [50]}
- {name: old, states: [no, yes], column: age, above: [70]}
- {name: fever, states: [no, yes], column: temp, from: [38]}
- {name: work, states: [other, public], values: {public: [army, police]}, otherwise: other}
- {name: dose, continuous: true, column: mg}
`
	net := must[*bn.Network](t)(parse(t, file).Network())
	for _, tt := range []struct {
		name, csv string
		want      string // what the network has seen, or the error
	}{
		{"raw", "age,temp,work,mg\n63,38.4,army,1\n2,37,baker,2.5\n71,,public,\n", "1,2 2,1 1,1 1,2"},
		{"states and another's column", "age,old,temp,work,dose\n63,yes,38,public,1\n",
			`row 1: by column "age" old is no, and by the column of its own name yes`},
		{"two ways", "age,temp,work,mg\n1,38,army,1\n2,39,army,1\n",
			`column "age", row 2: "2" is a state of "age", and as it stands in the data it means 1`},
		{"the same in two ways", "age,temp,work,mg\n1,38,other,1\n1,39,public,2\n", "2,0 2,0 0,2 1,1"},
		{"both columns", "age,temp,fever,work,mg\n63,38.4,yes,army,1\n63,,no,army,2\n", "0,2 2,0 1,1 0,2"},
		{"columns that contradict", "age,temp,fever,work,mg\n63,38.4,no,army,1\n",
			`row 1: by column "temp" fever is yes, and by the column of its own name no`},
		{"neither", "age,temp,work,mg\nx,38.4,army,1\n", `row 1, column "age", value "x"`},
		{"neither, own column", "age,fever,work,mg\n63,38.4,army,1\n", `row 1, column "fever", value "38.4"`},
		{"no column", "age,work,mg\n63,army,1\n",
			`no column "temp" in the frame (columns: age, work, mg), from which the variable "fever" is read`},
		{"no number", "age,temp,work,mg\n63,38,army,much\n", `"much"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := bnkit.Fit(t.Context(), net, dataframe.ReadCSV(strings.NewReader(tt.csv)), learn.ML{},
				&bnkit.Settings{SkipMissing: true})
			if err != nil {
				if !strings.Contains(err.Error(), tt.want) {
					t.Errorf("error %q, want %q", err, tt.want)
				}
				return
			}
			var got []string
			for _, name := range []string{"age", "old", "fever", "work"} {
				n := must[[]float64](t)(m.FamilyCounts(name))
				got = append(got, fmt.Sprintf("%v,%v", n[0], n[1]))
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("counts %q, want %q", s, tt.want)
			}
		})
	}
	// Of two variables that are read from one column both are observed.
	states, err := net.Evidence(bn.Given{"age": "71", "temp": "36", "mg": "2.5", "work": "police"})
	if want := (bn.Given{"age": "2", "old": "yes", "fever": "no", "dose": "2.5", "work": "public"}); err != nil ||
		!cmp.Equal(states, want) {
		t.Errorf("evidence %v %v, want %v", states, err, want)
	}
	for _, tt := range []struct {
		evidence infer.Evidence
		want     string
	}{
		{infer.Evidence{"age": "2"}, "age=2 names a state, and as a cell of the column it means age=1, old=no"},
		{infer.Evidence{"temp": "hot"}, "temp=hot"},
		{infer.Evidence{"temp": "NA"}, "leave it out"},
		{infer.Evidence{"temp": "39", "fever": "no"}, "fever=no means fever=no, but temp=39 means fever=yes"},
		{infer.Evidence{"fever": "39"}, `values of the data go under "temp"`},
		{infer.Evidence{"tmep": "39"}, "tmep"},
	} {
		if _, err := bnkit.Posterior(net, tt.evidence, "work"); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.evidence, err, tt.want)
		}
	}
}

// A number that a model cuts may be observed as a number; nb and viz take it too.
func TestEvidenceIsCut(t *testing.T) {
	df := dataframe.New(series.New([]float64{20, 31, 42.5, 64, 75, 86}, series.Float, "age"),
		series.New([]string{"no", "no", "yes", "no", "yes", "yes"}, series.String, "ill"))
	cuts := must[*data.Discretization](t)(bnkit.Discretize(df, data.Cuts{Column: "age", Cuts: []float64{50},
		Names: []string{"young", "old"}}))
	net := must[*bn.Network](t)(bnkit.NewNetwork("[age][ill|age]", df, &bnkit.NetworkOptions{Discretization: cuts}))
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.ML{}, &bnkit.Settings{Discretization: cuts}))
	for _, age := range []string{"64", "old", "50.01"} {
		post := must[dataframe.DataFrame](t)(bnkit.Posterior(m, infer.Evidence{"age": age}, "ill"))
		if p := post.Col("probability").Float()[1]; p < .666 || p > .667 {
			t.Errorf("P(ill | age=%s) = %v, want 2/3", age, p)
		}
	}
	if _, err := bnkit.Posterior(m, infer.Evidence{"age": "aged"}, "ill"); err == nil ||
		!strings.Contains(err.Error(), "age=aged is neither one of its states (young, old)") {
		t.Errorf("age=aged: %v", err)
	}
	if _, err := bnkit.Posterior(m.Net, infer.Evidence{"age": "64"}, "ill"); !errors.Is(err, bn.ErrUnknownState) {
		t.Errorf("a network has no cuts, but: %v", err)
	}
	// Bins named by numbers that mean something else.
	cuts = must[*data.Discretization](t)(bnkit.Discretize(df, data.Cuts{Column: "age", Cuts: []float64{50},
		Names: []string{"0", "60"}}))
	net = must[*bn.Network](t)(bnkit.NewNetwork("[age][ill|age]", df, &bnkit.NetworkOptions{Discretization: cuts}))
	m = must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.ML{}, &bnkit.Settings{Discretization: cuts}))
	for age, want := range map[string]string{"0": "0", "60": "60", "75": "60"} {
		if got, err := m.Evidence(bn.Given{"age": age}); err != nil || got["age"] != want {
			t.Errorf("age %s is %v %v, want %s", age, got, err, want)
		}
	}
	cuts.Columns[0].States = []string{"60", "20"}
	net = must[*bn.Network](t)(bnkit.NewNetwork("[age][ill|age]", df, &bnkit.NetworkOptions{Discretization: cuts}))
	m = must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.ML{}, &bnkit.Settings{Discretization: cuts}))
	if _, err := bnkit.Posterior(m, infer.Evidence{"age": "60"}, "ill"); !errors.Is(err, bn.ErrAmbiguous) ||
		!strings.Contains(err.Error(), "age=60 names a state, and as a value it means 20") {
		t.Errorf("age=60: %v", err)
	}
}

// What Load reads is checked, and a format that cannot hold how columns are read says so.
func TestSavedEncoding(t *testing.T) {
	k := parse(t, flu)
	net := must[*bn.Network](t)(k.Network())
	path := filepath.Join(t.TempDir(), "m.json")
	if err := bnkit.Save(path, net); err != nil {
		t.Fatal(err)
	}
	saved, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m := must[*bnkit.Model](t)(bnkit.Load(path))
	if states, err := m.Evidence(bn.Given{"temp": "39"}); err != nil || states["fever"] != "yes" {
		t.Errorf("a saved network knows %v, %v", states, err)
	}
	for from, to := range map[string]string{
		`"From": [`: `"From": [1,`, `"Name": "fever"`: `"Name": "cough"`,
		`"Column": "temp"`: `"Column": "temp", "Hidden": true`,
	} {
		text := strings.Replace(string(saved), from, to, 1)
		if text == string(saved) {
			t.Fatalf("nothing to spoil by %s", from)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := bnkit.Load(path); err == nil || !strings.Contains(err.Error(), `the encoding of "fever"`) {
			t.Errorf("%s: %v", to, err)
		}
	}
	lost, err := bnkit.WriteNetwork(filepath.Join(t.TempDir(), "m.bif"), net)
	if err != nil || len(lost) != 1 || !strings.Contains(lost[0], "fever, cough") {
		t.Errorf("BIF loses %q, %v", lost, err)
	}
	own := net.Variables()
	own[1].Encoding = strange{}
	odd := must[*bn.Network](t)(bn.NewNetwork(net.DAG(), own))
	if err := bnkit.Save(path, odd); err == nil || !strings.Contains(err.Error(), "strange") {
		t.Errorf("an encoding of its own is saved: %v", err)
	}
	if _, err := odd.Evidence(bn.Given{"temp": "39"}); !errors.Is(err, bn.ErrUnknownState) {
		t.Errorf("a state that there is not: %v", err)
	}
}

// A column that is read for a variable is not taken for a misspelt one, and an audit reads a file's
// columns once.
func TestReadOnce(t *testing.T) {
	file := `network: "[age][ill|age]"
variables:
- {name: age, states: ["1", "2"], from: [50]}
- {name: ill, states: [no, yes], column: Ill, values: {no: [0], yes: [1]}}
statements:
- influence: {parent: age, child: ill, sign: positive}
`
	k := parse(t, file)
	df := dataframe.ReadCSV(strings.NewReader("age,Ill\n2,0\n3,0\n63,1\n64,0\n71,1\n"))
	if _, err := bnkit.Fit(t.Context(), must[*bn.Network](t)(k.Network()), df, learn.EM{}, nil); err != nil {
		t.Errorf("a fit by EM: %v", err)
	}
	verdicts := must[dataframe.DataFrame](t)(bnkit.AuditKnowledge(t.Context(), k, df, nil))
	if cost := verdicts.Col("cost_nats").Float()[0]; math.Abs(cost) > 1e-9 {
		t.Errorf("the statement costs %v nats; the data agree with it", cost)
	}
}

// strange knows a state too many.
type strange struct{}

func (strange) DataColumn() string             { return "temp" }
func (strange) State(string) (bn.State, error) { return 2, nil }
