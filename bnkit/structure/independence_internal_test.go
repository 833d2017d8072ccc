package structure

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/data"
	"bnlab/bnkit/format/bif"
	"bnlab/bnkit/structure/internal/independence"
	"bnlab/internal/datatest"
	"bnlab/internal/numtest"
)

// ci.test(test = "mi") of bnlearn 5.2.1: statistic, degrees and p-value, with the parents in any place.
func TestGSquareOfBnlearn(t *testing.T) {
	net, err := bif.ReadFile(datatest.Oracle(t, "clinic.bif"))
	if err != nil {
		t.Fatal(err)
	}
	states := map[string][]string{}
	var variables []string
	for _, v := range net.Variables() {
		states[v.Name] = v.States
		variables = append(variables, v.Name)
	}
	table, err := data.ReadCSVFile(datatest.Oracle(t, "clinic.csv"), &data.CSVOptions{States: states})
	if err != nil {
		t.Fatal(err)
	}
	for _, reverse := range []bool{false, true} {
		if reverse {
			slices.Reverse(variables)
		}
		if table, err = table.Keep(variables...); err != nil {
			t.Fatal(err)
		}
		s, err := NewScorer(table, BIC{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		index := indexOf(s.vars)
		for _, c := range []struct{ x, y, given string }{{"cough", "cold", "lung"}, {"xray", "smokes", "lung,age"},
			{"fever", "season", "cold"}} {
			want := datatest.OracleNumbers(t, "bnlearn.txt", fmt.Sprintf("ci mi %s~%s|%s ", c.x, c.y, c.given))
			var given []int
			for _, name := range strings.Split(c.given, ",") {
				given = append(given, index[name])
			}
			slices.Sort(given)
			q := independence.Query{X: index[c.x], Y: index[c.y], Given: given}
			turned := independence.Query{X: q.Y, Y: q.X, Given: given}
			both := []independence.Query{q, turned}
			answers, err := (&tester{p: &task{Scorer: s, Workers: 1}}).Test(t.Context(), both)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range answers {
				// The line is: statistic df degrees p value. Its degrees are those of all states.
				numtest.Close(t, a.Statistic, want[0], 1e-9, 0)
				numtest.Close(t, independence.ChiSquare(a.Statistic, int(want[1])), want[2], 1e-12, 1e-8)
				empty := c.x == "xray" // young and severe: all have the same xray
				if a.Degrees != int(want[1]) != empty {
					t.Errorf("%v: %d degrees, bnlearn's %v", c, a.Degrees, want[1])
				}
			}
		}
	}
}
