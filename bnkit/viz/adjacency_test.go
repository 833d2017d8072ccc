package viz_test

import (
	"fmt"
	"log"
	"math"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/viz"
)

// adjacency draws ALARM by the parts of the body, with probabilities as a posterior of graphs has them.
func adjacency() (*viz.Figure, error) {
	g, err := bn.ParseDAG(alarmModel)
	if err != nil {
		return nil, err
	}
	groups := make(map[string]string)
	for group, names := range map[string]string{
		"heart": "LVFAILURE HISTORY HYPOVOLEMIA LVEDVOLUME CVP PCWP STROKEVOLUME ERRLOWOUTPUT HRBP HREKG ERRCAUTER " +
			"HRSAT HR CO BP TPR ANAPHYLAXIS CATECHOL",
		"breathing": "MINVOLSET VENTMACH DISCONNECT VENTTUBE KINKEDTUBE INTUBATION VENTLUNG VENTALV MINVOL PRESS",
		"gases":     "FIO2 PVSAT SAO2 ARTCO2 EXPCO2 SHUNT PULMEMBOLUS PAP",
	} {
		for _, name := range strings.Fields(names) {
			groups[name] = group
		}
	}
	p := make(map[[2]string]float64)
	for child := range g.Len() {
		for i, parent := range g.Parents(child) {
			p[[2]string{g.Name(parent), g.Name(child)}] = 1 - 0.3*float64(i)
			p[[2]string{g.Name(child), g.Name(parent)}] = 0.3 * float64(i)
		}
	}
	p[[2]string{"HISTORY", "BP"}] = 0.2
	return viz.Adjacency(g, &viz.AdjacencyOptions{Title: "ALARM by parts of the body", Groups: groups,
		Probabilities: p})
}

func adjacencyPlain() (*viz.Figure, error) {
	g, err := bn.ParseDAG(alarmModel)
	if err != nil {
		return nil, err
	}
	return viz.Adjacency(g, nil)
}

// A graph past thirty variables: blocks of arcs within groups, and the arcs between them.
func ExampleAdjacency() {
	fig, err := adjacency()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fig)
	// Output:
	// ALARM by parts of the body (figure of 8.9 × 8.7 inches)
}

// Cells stand in the row of the parent and the column of the child, group by group, and tell their numbers.
func TestAdjacencyCells(t *testing.T) {
	g, err := bn.ParseDAG("[c|a:b][a][b|a]")
	if err != nil {
		t.Fatal(err)
	}
	f, err := viz.Adjacency(g, &viz.AdjacencyOptions{Groups: map[string]string{"c": "late", "b": "<late>"},
		Probabilities: map[[2]string]float64{{"a", "c"}: 0.25, {"c", "b"}: 0.5, {"b", "c"}: 1}})
	if err != nil {
		t.Fatal(err)
	}
	svg, err := f.SVG()
	if err != nil {
		t.Fatal(err)
	}
	// The groups are late (c), <late> (b) and the rest (a): by rows, c → b is first, and a → b and a → c last.
	var titles, corners []string
	for _, rest := range strings.Split(string(svg), "<rect x=")[1:] {
		corner, rest, _ := strings.Cut(rest, " width")
		title, _, _ := strings.Cut(rest, "</title>")
		_, title, _ = strings.Cut(title, "<title>")
		corners, titles = append(corners, corner), append(titles, title)
	}
	if got := strings.Join(titles, ", "); got != "c → b: 0.5, b → c: 1, a → c: 0.25, a → b: 0" {
		t.Errorf("the cells are %s", got)
	}
	at := func(i int) (x, y float64) {
		if _, err := fmt.Sscanf(corners[i], `"%g" y="%g"`, &x, &y); err != nil {
			t.Fatal(err)
		}
		return x, y
	}
	x0, y0 := at(0)                                                   // row 0, column 1
	x1, y1 := at(1)                                                   // row 1, column 0
	x2, y2 := at(2)                                                   // row 2, column 0
	differ := func(a, b float64) bool { return math.Abs(a-b) > 1e-2 } // the file has five digits
	if side := x0 - x1; side <= 0 || differ(y1-y0, side) || x2 != x1 || differ(y2-y1, side) {
		t.Errorf("the cells stand at %v", corners)
	}
	if !strings.Contains(string(svg), "&lt;late&gt;") || strings.Contains(string(svg), "<late>") {
		t.Error("a name of a group is not escaped")
	}
}

func TestAdjacencyErrors(t *testing.T) {
	g, err := bn.ParseDAG("[a][b|a]")
	if err != nil {
		t.Fatal(err)
	}
	names := make([]string, 1501)
	for v := range names {
		names[v] = fmt.Sprint("v", v)
	}
	large, err := bn.NewDAG(names, make([][]int, len(names)))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		g    *bn.DAG
		opts *viz.AdjacencyOptions
		want string
	}{
		{nil, nil, "no variables"},
		{large, nil, "at most 1500"},
		{g, &viz.AdjacencyOptions{Groups: map[string]string{"c": "x"}}, `groups: `},
		{g, &viz.AdjacencyOptions{Probabilities: map[[2]string]float64{{"a", "c"}: 1}}, `probabilities: `},
		{g, &viz.AdjacencyOptions{Probabilities: map[[2]string]float64{{"a", "b"}: 1.1}},
			`"a" to "b" has the probability`},
		{g, &viz.AdjacencyOptions{Probabilities: map[[2]string]float64{{"a", "a"}: 0.1}},
			`"a" to "a" has the probability`},
	} {
		if _, err := viz.Adjacency(tt.g, tt.opts); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want %q", err, tt.want)
		}
	}
}

// A picture of many variables and groups is drawn without anything cut off.
func TestAdjacencyLarge(t *testing.T) {
	names, parents, groups := make([]string, 300), make([][]int, 300), make(map[string]string)
	for v := range names {
		names[v] = fmt.Sprint("voxel", v)
		groups[names[v]] = fmt.Sprint("region ", v%60)
		if v > 0 {
			parents[v] = []int{v / 2}
		}
	}
	g, err := bn.NewDAG(names, parents)
	if err != nil {
		t.Fatal(err)
	}
	checkPicture(t, "adjacency-large", func() (*viz.Figure, error) {
		return viz.Adjacency(g, &viz.AdjacencyOptions{Groups: groups})
	}, "region 59")
}
