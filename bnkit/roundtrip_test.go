package bnkit_test

import (
	"fmt"
	"math"
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
	"bnlab/bnkit/learn"
)

// patientsOf returns forty made-up cases for the network of clinic.
func patientsOf(net *bn.Network) dataframe.DataFrame {
	var columns []series.Series
	for v := range net.Len() {
		variable := net.Variable(v)
		var states []string
		var numbers []float64
		for row := range 40 {
			x := (row*(7+3*v) + row*row/(v+2)) % 97
			if variable.IsDiscrete() {
				states = append(states, variable.States[x%variable.Cardinality()])
			} else {
				numbers = append(numbers, float64(x)+0.5)
			}
		}
		if variable.IsDiscrete() {
			columns = append(columns, series.New(states, series.String, variable.Name))
		} else {
			columns = append(columns, series.New(numbers, series.Float, variable.Name))
		}
	}
	return dataframe.New(columns...)
}

// A model under a statement of any type comes back with everything that was known of it.
func TestSaveLoadStatements(t *testing.T) {
	net := clinic(t)
	df := patientsOf(net)
	high := func(smoker, sex string) constraint.Cell {
		return constraint.Cell{Var: "risk", State: "high", Given: bn.Given{"smoker": smoker, "sex": sex}}
	}
	event := func(smoker, sex string) constraint.Event {
		return constraint.Event{Var: "risk", States: []string{"mid", "high"},
			Given: bn.Given{"smoker": smoker, "sex": sex}}
	}
	for _, s := range []constraint.Constraint{
		constraint.Fixed{Var: "risk", Given: bn.Given{"smoker": "yes"}, P: map[string]float64{"high": 0.25}},
		constraint.ShareStates{Var: "risk", Groups: [][]string{{"low", "mid"}}, Alpha: []float64{3}},
		constraint.Proportional{Var: "risk", Weights: map[string]float64{"low": 2, "mid": 1}},
		constraint.ShareSums{Var: "risk", Groups: [][]string{{"low"}, {"mid", "high"}}},
		constraint.ShareRatios{Var: "pain", Groups: [][]string{{"none", "dull"}, {"sharp", "worst"}}},
		constraint.ShareAcross{Var: "risk", ForEach: []string{"sex"}},
		constraint.ShareCells{Groups: [][]constraint.Cell{{high("no", "f"), high("yes", "m")}}},
		constraint.ShareTables{Vars: []string{"risk", "pulse"}},
		constraint.ShareHierarchy{Var: "risk", Levels: []constraint.Level{{States: []string{"high"}}}},
		constraint.ShareSumsAcross{Events: []constraint.Event{event("no", "f"), event("yes", "f")}},
		constraint.ShareRatiosAcross{Events: []constraint.Event{event("no", "f"), event("yes", "f")}},
		constraint.OrderSums{Var: "risk", Groups: [][]string{{"high"}, {"mid"}, {"low"}}},
		constraint.AtMost{Var: "risk", States: []string{"high"}, P: 0.2},
		constraint.AtLeast{Var: "risk", States: []string{"high"}, P: 0.4},
		constraint.LinearSum{Terms: []constraint.Term{{Cell: high("yes", "f")}, {Cell: high("no", "f"), Factor: -1}},
			Relation: constraint.NoLess, Value: 0.1},
		constraint.ShareWeights{Var: "score", Groups: [][]string{{"dose", "age"}}},
		constraint.ProportionalWeights{Var: "score", Weights: map[string]float64{"dose": 1, "age": 2}},
		constraint.ShareWeightsAcross{Var: "score"},
	} {
		t.Run(strings.TrimPrefix(fmt.Sprintf("%T", s), "constraint."), func(t *testing.T) {
			m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df,
				learn.MAP{Pseudocount: 1.5, Constraints: []constraint.Constraint{s}}, nil))
			path := filepath.Join(t.TempDir(), "m.json")
			if err := bnkit.Save(path, m); err != nil {
				t.Fatal(err)
			}
			got := must[*bnkit.Model](t)(bnkit.Load(path))
			if diff := cmp.Diff(m.Statements, got.Statements); diff != "" {
				t.Errorf("statements (-want +got):\n%s", diff)
			}
			if got.Solution == nil {
				t.Fatal("how it was solved is lost")
			}
			for cell, p := range m.Solution.Theta {
				if !(math.Abs(p-got.Solution.Theta[cell]) < 1e-9) {
					t.Errorf("entry %d was %v, and %v when solved again", cell, p, got.Solution.Theta[cell])
				}
			}
			if diff := cmp.Diff(m.String(), got.String()); diff != "" {
				t.Errorf("printed (-want +got):\n%s", diff)
			}
			forces, again := must[dataframe.DataFrame](t)(bnkit.Multipliers(m)),
				must[dataframe.DataFrame](t)(bnkit.Multipliers(got))
			if diff := cmp.Diff(forces.Col("relation").Records(), again.Col("relation").Records()); diff != "" {
				t.Errorf("forces (-want +got):\n%s", diff)
			}
			second := filepath.Join(t.TempDir(), "again.json")
			if err := bnkit.Save(second, got); err != nil {
				t.Fatal(err)
			}
			if a, b := must[[]byte](t)(os.ReadFile(path)),
				must[[]byte](t)(os.ReadFile(second)); string(a) != string(b) {
				t.Error("the file changes when it is read and written")
			}
		})
	}
}

// A formula loses its functions: the tables come back, and what is missing is said.
func TestSaveLoadFormula(t *testing.T) {
	rare := constraint.AtMost{Var: "X", States: []string{"c"}, P: 0.5}
	m := letters(t, learn.ML{Constraints: []constraint.Constraint{rare, product}})
	path := filepath.Join(t.TempDir(), "m.json")
	if err := bnkit.Save(path, m); err != nil {
		t.Fatal(err)
	}
	got := must[*bnkit.Model](t)(bnkit.Load(path))
	if !got.Net.CPT(0).Equal(m.Net.CPT(0)) || len(got.Statements) != 2 || got.Statements[1].String() != product.Text {
		t.Errorf("read back %v under %v", got.Net.CPT(0), got.Statements)
	}
	if s := got.String(); !strings.Contains(s, fmt.Sprintf("%q has lost its functions", product.Text)) {
		t.Errorf("printed without saying what is missing:\n%s", s)
	}
	if rows, err := got.RowStatements("X"); err != nil || len(rows[0]) != 2 {
		t.Errorf("statements by row %q, %v", rows, err)
	}
	for verb, err := range map[string]error{
		"Forces":    second(bnkit.Multipliers(got)),
		"Intervals": second(bnkit.Intervals(t.Context(), got, "X", draws(0))),
		"Audit":     second(bnkit.Audit(t.Context(), got, nil)),
	} {
		if err == nil || !strings.Contains(err.Error(), "functions are not stored in files") {
			t.Errorf("%s: error %v", verb, err)
		}
	}
	got.Statements[1] = product
	df := must[dataframe.DataFrame](t)(bnkit.Multipliers(got))
	want := must[dataframe.DataFrame](t)(bnkit.Multipliers(m))
	if diff := cmp.Diff(want.Records(), df.Records()); diff != "" {
		t.Errorf("forces with the functions given back (-want +got):\n%s", diff)
	}

	// A formula about what the network does not have, and a statement beside it.
	file := string(must[[]byte](t)(os.ReadFile(path)))
	for _, change := range [][2]string{{`"State": "b"`, `"State": "z"`}, {`"P": 0.5`, `"P": 1.5`}} {
		changed := strings.Replace(file, change[0], change[1], 1)
		if changed == file {
			t.Fatalf("no %s in\n%s", change[0], file)
		}
		if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := bnkit.Load(path); err == nil {
			t.Errorf("a file with %s is read", change[1])
		}
	}
}

// What EM knows of itself comes back too.
func TestSaveLoadEM(t *testing.T) {
	df := smokers()
	net := must[*bn.Network](t)(bnkit.NewNetwork("[smoker][cough|smoker]", df, nil))
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df,
		learn.EM{Pseudocount: 1, Constraints: []constraint.Constraint{constraint.ShareAcross{Var: "cough"}}}, nil))
	path := filepath.Join(t.TempDir(), "m.json")
	for _, status := range []learn.Status{learn.Converged, learn.IterationLimit, learn.HeldOutFalls,
		learn.Interrupted} {
		m.Status = status
		if err := bnkit.Save(path, m); err != nil {
			t.Fatal(err)
		}
		got := must[*bnkit.Model](t)(bnkit.Load(path))
		if !got.Expected || got.Status != status || got.Solution == nil || got.String() != m.String() {
			t.Errorf("expected counts %t, %s, want %s, printed\n%s\nwant\n%s", got.Expected, got.Status, status, got, m)
		}
	}
}

// What other methods than maxima for counts know comes back too, and no certificate with it.
func TestSaveLoadMethods(t *testing.T) {
	df := smokers()
	net := must[*bn.Network](t)(bnkit.NewNetwork("[smoker][cough|smoker]", df, nil))
	falls := []constraint.Constraint{constraint.Influence{Parent: "smoker", Child: "cough", Sign: constraint.Negative}}
	for name, tt := range map[string]struct {
		method learn.Method
		weight float64
		pseudo float64
		solved bool
	}{
		"influences as penalties": {learn.EM{Pseudocount: 1, ViolationWeight: 0.5, Constraints: falls}, 0.5, 1, true},
		"alternating":             {learn.AlternatingEM{Pseudocount: 1, Constraints: falls}, 2, 1, false},
		"APN":                     {learn.APN{Pseudocount: 3}, 0, 3, false},
		"APN with penalties":      {learn.APN{ViolationWeight: 3, Constraints: falls}, 3, 0, false},
		"a family": {learn.APN{Pseudocount: 1,
			CPDs: []learn.ParametricCPD{learn.NoisyORCPD{Child: "cough", Leak: true}}}, 0, 1, false},
		"targets": {learn.APN{Pseudocount: 1, Targets: []string{"cough"}}, 0, 1, false},
		"Gibbs":   {learn.Gibbs{Pseudocount: 1, Sweeps: 20}, 0, 1, false},
	} {
		m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, tt.method, nil))
		m.Failed, m.Starts, m.Agreed, m.Kept = []string{"start 2"}, 7, 5, 3
		path := filepath.Join(t.TempDir(), "m.json")
		for _, from := range []string{"fitted", "loaded", "loaded twice"} {
			if m.ViolationWeight != tt.weight || (m.Solution != nil) != tt.solved || len(m.Failed) != 1 ||
				m.Starts != 7 || m.Agreed != 5 || m.Kept != 3 {
				t.Errorf("%s, %s: weight %v, solution %v, %d failed of %d starts, %d agree, iteration %d", name, from,
					m.ViolationWeight, m.Solution, len(m.Failed), m.Starts, m.Agreed, m.Kept)
			}
			if !tt.solved && (tt.pseudo == 0) != (m.Pseudocounts == nil) || tt.solved && m.Pseudocounts != nil {
				t.Errorf("%s, %s: pseudocounts %v", name, from, m.Pseudocounts)
			}
			for _, a := range m.Pseudocounts {
				if a != tt.pseudo {
					t.Errorf("%s, %s: pseudocounts %v, want %v", name, from, m.Pseudocounts, tt.pseudo)
				}
			}
			if err := bnkit.Save(path, m); err != nil {
				t.Fatal(err)
			}
			got := must[*bnkit.Model](t)(bnkit.Load(path))
			if got.String() != m.String() {
				t.Errorf("%s, %s: it prints\n%s\nwant\n%s", name, from, got, m)
			}
			want, wrong := bnkit.Multipliers(m)
			forces, err := bnkit.Multipliers(got)
			if fmt.Sprint(err) != fmt.Sprint(wrong) || err == nil && fmt.Sprint(forces) != fmt.Sprint(want) {
				t.Errorf("%s, %s: forces\n%v, %v\nwant\n%v, %v", name, from, forces, err, want, wrong)
			}
			m = got
		}
	}
}

// Tables that were changed by hand are not those of the counts.
func TestLoadChangedTables(t *testing.T) {
	m := letters(t, learn.ML{})
	m.Net.CPT(0).P[0], m.Net.CPT(0).P[1] = 0.5, 0.4
	path := filepath.Join(t.TempDir(), "m.json")
	if err := bnkit.Save(path, m); err != nil {
		t.Fatal(err)
	}
	got := must[*bnkit.Model](t)(bnkit.Load(path))
	if got.Solution != nil || got.Net.CPT(0).P[0] != 0.5 {
		t.Errorf("read back %v with the solution %v", got.Net.CPT(0), got.Solution)
	}
	if _, err := bnkit.Multipliers(got); err == nil || !strings.Contains(err.Error(), `the table of "X"`) {
		t.Errorf("error %v", err)
	}
}
