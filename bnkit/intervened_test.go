package bnkit_test

import (
	"context"
	"fmt"
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
	"bnlab/bnkit/validate"
	"bnlab/internal/numtest"
)

// valves are 40 days on which a valve was watched and 40 on which it was set: an open valve raises the
// pressure.
func valves() dataframe.DataFrame {
	var valve, pressure, set []string
	add := func(n int, v, p, s string) {
		for range n {
			valve, pressure, set = append(valve, v), append(pressure, p), append(set, s)
		}
	}
	add(24, "open", "high", "NA")
	add(6, "open", "low", "NA")
	add(2, "closed", "high", "NA")
	add(8, "closed", "low", "NA")
	add(16, "open", "high", "valve")
	add(4, "open", "low", "valve")
	add(4, "closed", "high", "valve")
	add(16, "closed", "low", "valve")
	return dataframe.New(series.New(valve, series.String, "valve"), series.New(pressure, series.String, "pressure"),
		series.New(set, series.String, "set"))
}

// Days on which the valve was set say nothing about how often it is open, and all about the pressure.
func ExampleSettings_intervened() {
	df := valves()
	net, err := bnkit.NewNetwork("[valve][pressure|valve]", df.Drop("set"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, set := range []*bnkit.Settings{nil, {Intervened: "set"}} {
		model, err := bnkit.Fit(context.Background(), net, df, learn.ML{}, set)
		if err != nil {
			fmt.Println(err)
			return
		}
		valve, _ := net.Variable(0).StateIndex("open")
		fmt.Printf("open: %.3f, high if open: %.3f\n", model.Net.CPT(0).P[valve],
			model.Net.CPT(1).Row(int(valve))[0])
	}
	// Output:
	// open: 0.625, high if open: 0.800
	// open: 0.750, high if open: 0.800
}

// Days on which the valve was set tell which way the arc points, and the graph says so.
func ExampleSearch_intervened() {
	set := &bnkit.SearchSettings{Intervened: "set"}
	found, err := bnkit.Search(context.Background(), valves(), nil, nil, set)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(found.DAG.CPDAG()) // what observed days tell
	fmt.Println(found.DAG)
	fmt.Println(found.Notes[0])
	// Output:
	// [valve][pressure] — [valve–pressure]
	// [valve][pressure|valve]
	// interventions on valve: all graphs that these cases cannot tell apart agree on the direction of every arc
}

// A column that names nothing sets nothing.
func TestSearchIntervenedByNothing(t *testing.T) {
	df := valves()
	df = df.Mutate(series.New(slices.Repeat([]string{"NA"}, df.Nrow()), series.String, "set"))
	_, err := bnkit.Search(t.Context(), df, nil, nil, &bnkit.SearchSettings{Intervened: "set"})
	if err == nil || !strings.Contains(err.Error(), `column "set" names no variable`) {
		t.Errorf("an empty column: %v", err)
	}
	df = df.Mutate(series.New(slices.Repeat([]string{"pump"}, df.Nrow()), series.String, "set"))
	_, err = bnkit.Search(t.Context(), df, nil, nil, &bnkit.SearchSettings{Intervened: "set"})
	if err == nil || !strings.Contains(err.Error(), `row 1, column "set"`) || !strings.Contains(err.Error(), `"pump"`) {
		t.Errorf("an unknown variable: %v", err)
	}
}

func TestSearchIntervened(t *testing.T) {
	df := valves()
	bdeu := structure.BDeu{EquivalentSampleSize: 1}
	score := func(model string, set *bnkit.SearchSettings) float64 {
		t.Helper()
		return must[*bnkit.Found](t)(bnkit.ScoreStructure(t.Context(), df, model, bdeu, set)).Score
	}
	watched := &bnkit.SearchSettings{Intervened: "set"}
	a, b := score("[valve][pressure|valve]", nil), score("[pressure][valve|pressure]", nil)
	if a-b > 1e-9 || b-a > 1e-9 {
		t.Errorf("without the record %v and %v", a, b)
	}
	a, b = score("[valve][pressure|valve]", watched), score("[pressure][valve|pressure]", watched)
	if !(a > b) {
		t.Errorf("with the record valve → pressure scores %v, its reverse %v", a, b)
	}
	found := must[*bnkit.Found](t)(bnkit.Search(t.Context(), df, bdeu, nil, watched))
	if got := found.DAG.String(); got != "[valve][pressure|valve]" {
		t.Errorf("found %s", got)
	}
	if p := found.Model.Net.CPT(0).P; p[0]+p[1] < 0.999 || found.Model.Counts[0]+found.Model.Counts[1] != 40 {
		t.Errorf("the model counts %v", found.Model.Counts)
	}
}

func TestIntervenedRefused(t *testing.T) {
	df := valves()
	net, err := bnkit.NewNetwork("[valve][pressure|valve]", df.Drop("set"), nil)
	if err != nil {
		t.Fatal(err)
	}
	fit := func(set *bnkit.Settings, names ...string) error {
		cells := make([]string, df.Nrow())
		for row := range cells {
			cells[row] = "NA"
		}
		copy(cells[5:], names)
		_, err := bnkit.Fit(t.Context(), net, df.Mutate(series.New(cells, series.String, "set")), learn.ML{}, set)
		return err
	}
	held := df
	for name, tt := range map[string]struct {
		err  error
		want string
	}{
		"unknown variable": {fit(&bnkit.Settings{Intervened: "set"}, "pump"), "row 6, column \"set\""},
		"unknown column":   {fit(&bnkit.Settings{Intervened: "setting"}), "no column \"setting\""},
		"held out":         {fit(&bnkit.Settings{Intervened: "set", HeldOut: &held}), "HeldOut"},
		"several":          {fit(&bnkit.Settings{Intervened: "set"}, "valve; pressure"), ""},
	} {
		if (tt.err != nil) != (tt.want != "") || tt.err != nil && !strings.Contains(tt.err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, tt.err, tt.want)
		}
	}
}

// TestCrossValidateIntervened: on days on which the valve was set it tells nothing of a pressure that is its cause, so
// the prediction is P(pressure) from all other days; P(valve | pressure) comes from the other days that were watched.
// The method adds one case to each cell.
func TestCrossValidateIntervened(t *testing.T) {
	df := valves()
	net := must[*bn.Network](t)(bnkit.NewNetwork("[pressure][valve|pressure]", df.Drop("set"), nil))
	learners := []validate.Learner{{Name: "map", Candidates: []learn.Method{learn.MAP{Pseudocount: 1}}}}
	set := &validate.Settings{Folds: df.Nrow(), Seed: 1, Intervened: "set", Positive: "high"}
	r := must[*validate.Result](t)(bnkit.CrossValidate(t.Context(), net, df, "pressure", learners, set))
	pressure, valve, was := df.Col("pressure").Records(), df.Col("valve").Records(), df.Col("set").Records()
	for row := range df.Nrow() {
		count := func(p, v string, watched bool) float64 {
			n := 0.0
			for other := range df.Nrow() {
				if other != row && pressure[other] == p && (v == "" || valve[other] == v) &&
					(!watched || was[other] != "valve") {
					n++
				}
			}
			return n
		}
		joint := func(p string) float64 {
			weight := count(p, "", false) + 1
			if was[row] != "valve" {
				weight *= (count(p, valve[row], true) + 1) / (count(p, "", true) + 2)
			}
			return weight
		}
		high := 0
		if r.Target.States[1] == "high" {
			high = 1
		}
		numtest.Close(t, r.Learners[0].Predicted[0][row][high], joint("high")/(joint("high")+joint("low")), 1e-12, 0)
	}
	plain := &validate.Settings{Seed: 1, Intervened: "set"}
	for name, err := range map[string]error{
		"a target that was set": second(bnkit.CrossValidate(t.Context(), net, df, "valve", learners, plain)),
		"a learning curve":      second(bnkit.LearningCurve(t.Context(), net, df, "valve", learners, []int{20}, plain)),
	} {
		if err == nil || !strings.Contains(err.Error(), `row 41: the target "valve" was set`) {
			t.Errorf("%s: %v", name, err)
		}
	}
	set.Intervened = "setting"
	if err := second(bnkit.EquivalentSampleSize(t.Context(), net, df, "pressure", learners[0], learners[0], []int{20},
		set)); err == nil || !strings.Contains(err.Error(), `"setting"`) {
		t.Errorf("an unknown column: %v", err)
	}
	table := must[*data.Table](t)(bnkit.Table(df.Drop("set"), nil))
	if err := second(validate.CrossValidate(t.Context(), net, table, "pressure", learners, set)); err == nil ||
		!strings.Contains(err.Error(), "WithInterventions") {
		t.Errorf("a table: %v", err)
	}
}

// TestDiscretizeIntervened: the record of what was set outlives a discretization.
func TestDiscretizeIntervened(t *testing.T) {
	table := must[*data.Table](t)(data.New(data.Column{Var: bn.Continuous("x"), Values: []float64{1, 2}}))
	table = must[*data.Table](t)(table.WithInterventions("set", []string{"", "x"}))
	cuts := must[*data.Discretization](t)(data.Cuts{Column: "x", Cuts: []float64{1.5}}.Fit(table))
	if got := must[*data.Table](t)(cuts.Apply(table)).Regimes(); len(got) != 2 || got[1].Set[0] != "x" {
		t.Errorf("regimes %v", got)
	}
}
