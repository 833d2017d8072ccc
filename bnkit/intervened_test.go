package bnkit_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/structure"
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
