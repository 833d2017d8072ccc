package viz_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/viz"
)

func asia(t *testing.T) (truth, learned *bn.DAG) {
	t.Helper()
	truth = model(t,
		"[asia][smoke][tub|asia][lung|smoke][bronc|smoke][either|tub:lung][xray|either][dysp|bronc:either]")
	return truth,
		model(t,
			"[asia|xray][tub][smoke|bronc][bronc][lung|smoke][either|tub:lung][xray|either][dysp|bronc:either:smoke]")
}

func model(t *testing.T, s string) *bn.DAG {
	t.Helper()
	g, err := bn.ParseDAG(s)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// The pictures have what they must say, the same bytes twice, and nothing cut off.
func TestGraphPictures(t *testing.T) {
	truth, learned := asia(t)
	strengths := make(map[[2]string]float64)
	for v := range truth.Len() {
		for k, p := range truth.Parents(v) {
			strengths[[2]string{truth.Name(p), truth.Name(v)}] = float64(v+k) / 9
		}
	}
	for i, c := range []struct {
		name string
		make func() (*viz.Figure, error)
		text []string
	}{
		{"compare", func() (*viz.Figure, error) { return viz.Compare(truth, learned, nil) },
			[]string{"in both: 6", "turned round: 1", "missing: 1", "extra: 2"}},
		{"compare-same", func() (*viz.Figure, error) { return viz.Compare(truth, truth, nil) }, []string{"in both: 8"}},
		{"cpdag", func() (*viz.Figure, error) { return viz.Graph(truth.CPDAG(), nil) }, []string{"either"}},
		{"strengths", func() (*viz.Figure, error) {
			return viz.Graph(truth, &viz.NetworkOptions{Horizontal: true, Strengths: strengths,
				ArcLabels: map[[2]string]string{{"asia", "tub"}: "0.2"}})
		}, []string{"strength 0.5", "0.2"}},
	} {
		if testing.Short() && i > 0 {
			break
		}
		t.Run(c.name, func(t *testing.T) { checkPicture(t, c.name, c.make, c.text...) })
	}
}

// An extra arc points where the learned graph has it, also against the order in which it is laid out.
func TestCompareExtraPoints(t *testing.T) {
	truth := model(t, "[A][B|A][C]")
	var pictures [][]byte
	for _, learned := range []string{"[A][B|A][C|A]", "[A|C][B|A][C]"} {
		fig, err := viz.Compare(truth, model(t, learned), nil)
		if err != nil {
			t.Fatal(err)
		}
		svg, err := fig.SVG()
		if err != nil {
			t.Fatal(err)
		}
		pictures = append(pictures, svg)
	}
	if bytes.Equal(pictures[0], pictures[1]) {
		t.Error("A → C and C → A look alike")
	}
}

// An arrow for each directed arc of the class, and none on its lines.
func TestCPDAGHeads(t *testing.T) {
	for _, c := range []struct {
		model string
		heads int
	}{{"[A][B|A][C|B]", 0}, {"[A][C][B|A:C]", 2}, {"[A][C][B|A:C][D|B]", 3}} {
		fig, err := viz.Graph(model(t, c.model).CPDAG(), nil)
		if err != nil {
			t.Fatal(err)
		}
		svg, err := fig.SVG()
		if err != nil {
			t.Fatal(err)
		}
		// A head is the only filled path of three straight sides.
		heads := 0
		for _, path := range strings.Split(string(svg), "<path d=\"")[1:] {
			d := path[:strings.Index(path, "\"")]
			if strings.Count(d, "L") == 2 && !strings.ContainsAny(d, "CA") {
				heads++
			}
		}
		if heads != c.heads {
			t.Errorf("%s: %d heads, want %d", c.model, heads, c.heads)
		}
	}
}

func TestCompareErrors(t *testing.T) {
	g := model(t, "[A][B|A]")
	strengths := func(s map[[2]string]float64) *viz.NetworkOptions { return &viz.NetworkOptions{Strengths: s} }
	for _, c := range []struct {
		name, want string
		make       func() (*viz.Figure, error)
	}{
		{"other variables", "different variables",
			func() (*viz.Figure, error) { return viz.Compare(g, model(t, "[A][C|A]"), nil) }},
		{"no graph", "no two graphs", func() (*viz.Figure, error) { return viz.Compare(g, nil, nil) }},
		{"no class", "no graph", func() (*viz.Figure, error) { return viz.Graph[*bn.CPDAG](nil, nil) }},
		{"no strength", `from "A" to "B" has no strength`,
			func() (*viz.Figure, error) { return viz.Graph(g, strengths(map[[2]string]float64{})) }},
		{"NaN", "between 0 and 1", func() (*viz.Figure, error) {
			return viz.Graph(g, strengths(map[[2]string]float64{{"A", "B"}: math.NaN()}))
		}},
		{"no such arc", `no arc from "B" to "A"`, func() (*viz.Figure, error) {
			return viz.Graph(g, strengths(map[[2]string]float64{{"A", "B"}: 1, {"B", "A"}: 1}))
		}},
	} {
		if _, err := c.make(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}
