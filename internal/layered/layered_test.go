package layered

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bnlab/internal/numtest"
)

var gaps = Gaps{Node: 14, Row: 26}

// graph is a drawing's input, by name.
type graph struct {
	name  string
	nodes []Node
	edges []Edge
}

// boxes are n nodes of the sizes of short names.
func boxes(n int) []Node {
	nodes := make([]Node, n)
	for v := range nodes {
		nodes[v] = Node{Width: 34 + float64(v*37%60), Height: 20}
	}
	return nodes
}

// random has n nodes of any size and shape, each with up to most of the nodes before as parents, some with labels.
func random(seed uint64, n, most int) graph {
	rng := rand.New(rand.NewPCG(seed, 0))
	g := graph{name: fmt.Sprintf("random %d", n)}
	for v := range n {
		g.nodes = append(g.nodes, Node{20 + 100*rng.Float64(), 15 + 50*rng.Float64(), rng.IntN(3) == 0})
		for _, p := range rng.Perm(v)[:min(v, rng.IntN(most+1))] {
			e := Edge{From: p, To: v}
			if seed%3 == 0 && rng.IntN(4) == 0 {
				e.LabelWidth, e.LabelHeight = 5+30*rng.Float64(), 10
			}
			g.edges = append(g.edges, e)
		}
	}
	return g
}

// graphs are those that are easy, and those that are hard.
func graphs() []graph {
	gs := []graph{{"none", nil, nil}, {"one", boxes(1), nil}, {"alone", boxes(150), nil}}
	gs = append(gs, graph{"two", boxes(2), []Edge{{From: 1, To: 0}}})
	seeds := uint64(30)
	if !numtest.Full() {
		seeds = 10
	}
	for seed := range seeds {
		gs = append(gs, random(seed, 2+int(seed), 3))
	}
	star, sink, chain := graph{"star", boxes(501), nil}, graph{"sink", boxes(101), nil}, graph{"chain", boxes(400), nil}
	cliques, full := graph{"cliques", boxes(200), nil}, graph{"full", boxes(14), nil}
	for v := 1; v <= 500; v++ {
		star.edges = append(star.edges, Edge{From: 0, To: v})
		if v <= 100 {
			sink.edges = append(sink.edges, Edge{From: v, To: 0})
		}
	}
	for v := 1; v < 400; v++ {
		chain.edges = append(chain.edges, Edge{From: v - 1, To: v})
	}
	for v := 10; v < 200; v++ {
		for p := v / 10 * 10; p > v/10*10-10; p-- {
			cliques.edges = append(cliques.edges, Edge{From: p - 1, To: v})
		}
	}
	for v := range 14 {
		for p := range v {
			full.edges = append(full.edges, Edge{From: p, To: v})
		}
	}
	return append(gs, star, sink, chain, cliques, full)
}

// points samples a chain of curves.
func points(path []Point, each int) []Point {
	out := path[:1:1]
	for i := 0; i+3 < len(path); i += 3 {
		b := cubic(path[i : i+4])
		for k := 1; k <= each; k++ {
			out = append(out, b.at(float64(k)/float64(each)))
		}
	}
	return out
}

// in reports whether a point lies in a node by more than some points.
func (n Node) in(q, middle Point, by float64) bool {
	x, y := math.Abs(q.X-middle.X), math.Abs(q.Y-middle.Y)
	if n.Round {
		return math.Hypot(x/(n.Width/2-by), y/(n.Height/2-by)) < 1
	}
	return x < n.Width/2-by && y < n.Height/2-by
}

// A drawing keeps nodes apart and inside, children below parents; arcs begin and end at outlines, go down, are in
// one piece without corners, and pass through no node.
func TestDraw(t *testing.T) {
	for _, g := range graphs() {
		d, err := Draw(g.nodes, g.edges, gaps)
		if err != nil {
			t.Errorf("%s: %v", g.name, err)
			continue
		}
		for v, n := range g.nodes {
			at := d.Nodes[v]
			x, y := n.Width/2-1e-6, n.Height/2-1e-6
			if at.X-x < 0 || at.Y-y < 0 || at.X+x > d.Width || at.Y+y > d.Height {
				t.Errorf("%s: node %d at %v leaves the drawing of %v × %v", g.name, v, at, d.Width, d.Height)
			}
			for w, m := range g.nodes[:v] {
				dx, dy := math.Abs(at.X-d.Nodes[w].X), math.Abs(at.Y-d.Nodes[w].Y)
				if dx < (n.Width+m.Width)/2+gaps.Node-1 && dy < (n.Height+m.Height)/2 {
					t.Errorf("%s: nodes %d and %d are too near", g.name, v, w)
				}
			}
		}
		for i, e := range g.edges {
			from, to := g.nodes[e.From], g.nodes[e.To]
			if d.Nodes[e.From].Y+from.Height/2+gaps.Row/2 > d.Nodes[e.To].Y-to.Height/2+1e-6 && e.LabelWidth == 0 {
				t.Errorf("%s: edge %d does not lead down", g.name, i)
			}
			path := d.Paths[i]
			if len(path) < 4 || len(path)%3 != 1 {
				t.Fatalf("%s: edge %d has %d points", g.name, i, len(path))
			}
			first, last := path[0], path[len(path)-1]
			onEdge := func(q Point, n Node, at Point) bool { return n.in(q, at, -0.01) && !n.in(q, at, 0.01) }
			if !onEdge(first, from, d.Nodes[e.From]) || !onEdge(last, to, d.Nodes[e.To]) {
				t.Errorf("%s: edge %d does not end at the outlines", g.name, i)
			}
			prev := path[0]
			for _, q := range points(path, 20) {
				if !(q.Y >= prev.Y-1e-9) || !(q.X >= -1e-6) || !(q.X <= d.Width+1e-6) {
					t.Errorf("%s: edge %d goes from %v to %v", g.name, i, prev, q)
				}
				prev = q
				for v, n := range g.nodes {
					if v != e.From && v != e.To && n.in(q, d.Nodes[v], -1) {
						t.Errorf("%s: edge %d passes through node %d at %v", g.name, i, v, q)
					}
				}
			}
			if e.LabelWidth == 0 {
				continue
			}
			label := Node{Width: e.LabelWidth, Height: e.LabelHeight}
			for v, n := range g.nodes {
				dx, dy := math.Abs(d.Nodes[v].X-d.Labels[i].X), math.Abs(d.Nodes[v].Y-d.Labels[i].Y)
				if dx < (n.Width+label.Width)/2 && dy < (n.Height+label.Height)/2 {
					t.Errorf("%s: the label of edge %d lies on node %d", g.name, i, v)
				}
			}
			for j := range g.edges {
				for _, q := range points(d.Paths[j], 20) {
					if label.in(q, d.Labels[i], 0) {
						t.Fatalf("%s: edge %d passes through the label of edge %d", g.name, j, i)
					}
				}
			}
		}
	}
}

// The same input gives the same drawing.
func TestDrawAgain(t *testing.T) {
	for _, g := range graphs()[8:12] {
		a, err := Draw(g.nodes, g.edges, gaps)
		if err != nil {
			t.Fatal(err)
		}
		if b, _ := Draw(g.nodes, g.edges, gaps); !reflect.DeepEqual(a, b) {
			t.Errorf("%s: two drawings differ", g.name)
		}
	}
}

func TestDrawErrors(t *testing.T) {
	nan := math.NaN()
	two := boxes(2)
	for _, tt := range []struct {
		name  string
		nodes []Node
		edges []Edge
		gaps  Gaps
		want  string
	}{
		{"NaN", []Node{{Width: nan, Height: 1}}, nil, gaps, "size NaN × 1"},
		{"infinite", []Node{{Width: 1, Height: math.Inf(1)}}, nil, gaps, "size 1 × +Inf"},
		{"zero", []Node{{}}, nil, gaps, "size 0 × 0"},
		{"gap", two, nil, Gaps{nan, 1}, "gaps"},
		{"nowhere", two, []Edge{{From: 0, To: 2}}, gaps, "from node 0 to node 2 of 2"},
		{"self", two, []Edge{{From: 1, To: 1}}, gaps, "from node 1 to node 1"},
		{"label", two, []Edge{{From: 0, To: 1, LabelWidth: nan}}, gaps, "label"},
		{"cycle", two, []Edge{{From: 0, To: 1}, {From: 1, To: 0}}, gaps, "cycle"},
	} {
		if _, err := Draw(tt.nodes, tt.edges, tt.gaps); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
}

// What nobody could read is refused before the work begins.
func TestTooLarge(t *testing.T) {
	dense := random(1, 2000, 20)
	var large *TooLargeError
	if _, err := Draw(dense.nodes, dense.edges, gaps); !errors.As(err, &large) || large.Pieces <= mostPieces {
		t.Errorf("2,000 nodes with %d edges: %v", len(dense.edges), err)
	}
	if _, err := Draw(boxes(mostNodes+1), nil, gaps); !errors.As(err, &large) {
		t.Errorf("%d nodes: %v", mostNodes+1, err)
	}
}

// A parent stands in the middle of two children.
func TestCentre(t *testing.T) {
	nodes := slices.Repeat([]Node{{Width: 40, Height: 20}}, 3)
	d, err := Draw(nodes, []Edge{{From: 0, To: 1}, {From: 0, To: 2}}, gaps)
	if err != nil {
		t.Fatal(err)
	}
	if mid := (d.Nodes[1].X + d.Nodes[2].X) / 2; math.Abs(d.Nodes[0].X-mid) > 1 || d.Width != 94 || d.Height != 66 {
		t.Errorf("a parent and its children at %v, in %v × %v", d.Nodes, d.Width, d.Height)
	}
}

func BenchmarkDraw(b *testing.B) {
	for _, n := range []int{10, 40, 200, 700} {
		g := random(1, n, 3)
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Draw(g.nodes, g.edges, gaps); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
