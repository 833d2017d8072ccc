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
	gs := []graph{{"none", nil, nil}, {"one", boxes(1), nil}, {"alone", boxes(150), nil}, {"two", boxes(2), []Edge{{From: 1, To: 0}}}}
	for seed := range uint64(30) {
		gs = append(gs, random(seed, 2+int(seed), 3))
	}
	star, sink, chain, cliques, full := graph{name: "star"}, graph{name: "sink"}, graph{name: "chain"}, graph{name: "cliques"}, graph{name: "full"}
	star.nodes, sink.nodes, chain.nodes, cliques.nodes, full.nodes = boxes(501), boxes(101), boxes(400), boxes(200), boxes(14)
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
			if x, y := n.Width/2-1e-6, n.Height/2-1e-6; at.X-x < 0 || at.Y-y < 0 || at.X+x > d.Width || at.Y+y > d.Height {
				t.Errorf("%s: node %d at %v leaves the drawing of %v × %v", g.name, v, at, d.Width, d.Height)
			}
			for w, m := range g.nodes[:v] {
				if dx, dy := math.Abs(at.X-d.Nodes[w].X), math.Abs(at.Y-d.Nodes[w].Y); dx < (n.Width+m.Width)/2+gaps.Node-1 && dy < (n.Height+m.Height)/2 {
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
			if from.in(first, d.Nodes[e.From], 0.01) || !from.in(first, d.Nodes[e.From], -0.01) || to.in(last, d.Nodes[e.To], 0.01) || !to.in(last, d.Nodes[e.To], -0.01) {
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
				if at := d.Nodes[v]; math.Abs(at.X-d.Labels[i].X) < (n.Width+label.Width)/2 && math.Abs(at.Y-d.Labels[i].Y) < (n.Height+label.Height)/2 {
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
	for _, g := range graphs()[24:30] {
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

// crossingsOf counts by pairs.
func crossingsOf(p *part) int {
	n := 0
	for _, row := range p.layer {
		for i, v := range row {
			for _, w := range row[i+1:] {
				for _, a := range p.spots[v].down {
					for _, b := range p.spots[w].down {
						if p.spots[a].at > p.spots[b].at {
							n++
						}
					}
				}
			}
		}
	}
	return n
}

// The fast count agrees with one by pairs, and on small graphs the search finds the fewest crossings of all orders.
func TestReduceCrossings(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	for trial := range 60 {
		g := graph{nodes: boxes(10)} // two rows of four and six, or three of three, three and four
		for v := range 10 {
			for w := range v {
				if two := trial%2 == 0; two && w < 4 && v >= 4 || !two && (w < 3 && v >= 3 && v < 6 || w >= 3 && w < 6 && v >= 6) {
					if rng.IntN(2) == 0 {
						g.edges = append(g.edges, Edge{From: w, To: v})
					}
				}
			}
		}
		for _, p := range split(g.nodes, g.edges) {
			p.gaps = gaps
			p.rank()
			p.layers()
			fewest := math.MaxInt
			var all func(r int)
			all = func(r int) {
				if r == len(p.layer) {
					n := p.crossings()
					if trial < 4 && n != crossingsOf(p) {
						t.Fatalf("trial %d: %d crossings, want %d", trial, n, crossingsOf(p))
					}
					fewest = min(fewest, n)
					return
				}
				permute(p.layer[r], func() {
					p.number(r)
					all(r + 1)
				})
			}
			size := 1
			for _, row := range p.layer {
				for k := range row {
					size *= k + 1
				}
			}
			if size > 20000 {
				continue
			}
			all(0)
			if got := p.reduceCrossings()[0].crossings; got != fewest {
				t.Errorf("trial %d: %d crossings, %d are possible", trial, got, fewest)
			}
		}
	}
}

// permute calls do with every order of a.
func permute(a []int, do func()) {
	var rec func(k int)
	rec = func(k int) {
		if k >= len(a)-1 {
			do()
			return
		}
		for i := k; i < len(a); i++ {
			a[k], a[i] = a[i], a[k]
			rec(k + 1)
			a[k], a[i] = a[i], a[k]
		}
	}
	rec(0)
}

// The network simplex finds the least sum: no part of the nodes can move to lower it, which on few nodes is tried
// for all parts (the problem is convex, and its optima are differences of lengths).
func TestSimplex(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	for trial := range 300 {
		n := 2 + rng.IntN(8)
		var edges []spring
		for v := 1; v < n; v++ {
			for k := range 1 + rng.IntN(3) {
				if w := rng.IntN(v); k == 0 || rng.IntN(2) == 0 {
					edges = append(edges, spring{w, v, rng.IntN(5), rng.IntN(4)})
				}
			}
		}
		s := newSimplex(n, edges)
		s.solve(1_000_000)
		for _, i := range []int{0, 1} {
			for _, e := range edges {
				if s.y[e.head]-s.y[e.tail] < e.least {
					t.Fatalf("trial %d: %v is too short, %d to %d", trial, e, s.y[e.tail], s.y[e.head])
				}
			}
			for set := 1; set < 1<<n-1; set++ { // moved up by one
				gain, ok := 0, true
				for _, e := range edges {
					tail, head := set>>e.tail&1, set>>e.head&1
					if tail > head && s.y[e.head]-s.y[e.tail] == e.least {
						ok = false
					}
					gain += e.weight * (tail - head)
				}
				if ok && gain > 0 {
					t.Fatalf("trial %d: moving the nodes %b gains %d", trial, set, gain)
				}
			}
			if i == 0 {
				s.centre() // must stay as good
			}
		}
	}
}

// A node between two others of its row's neighbours stands in the middle of its children.
func TestCentre(t *testing.T) {
	nodes := slices.Repeat([]Node{{Width: 40, Height: 20}}, 3)
	d, err := Draw(nodes, []Edge{{From: 0, To: 1}, {From: 0, To: 2}}, gaps)
	if err != nil {
		t.Fatal(err)
	}
	if mid := (d.Nodes[1].X + d.Nodes[2].X) / 2; math.Abs(d.Nodes[0].X-mid) > 1 || d.Width != 94 || d.Height != 66 {
		t.Errorf("a parent at %v of children at %v and %v, in %v × %v", d.Nodes[0], d.Nodes[1], d.Nodes[2], d.Width, d.Height)
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
