package viz_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"gonum.org/v1/plot/vg"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/viz"
)

// bnSize is the same size for two nodes.
func bnSize(w, h vg.Length) []vg.Point { return []vg.Point{{X: w, Y: h}, {X: w, Y: h}} }

// randomGraph draws a graph in which each variable has up to three of the earlier ones
// as parents, and sizes and shapes for it.
func randomGraph(rng *rand.Rand, n int) (*bn.DAG, []vg.Point, []bool, error) {
	names, parents := make([]string, n), make([][]int, n)
	sizes, round := make([]vg.Point, n), make([]bool, n)
	for v := range n {
		names[v] = fmt.Sprintf("v %d \"é\" -> ;", v)
		parents[v] = rng.Perm(v)[:min(v, rng.IntN(4))]
		sizes[v] = vg.Point{X: vg.Length(20 + 100*rng.Float64()), Y: vg.Length(15 + 50*rng.Float64())}
		round[v] = rng.IntN(3) == 0
	}
	g, err := bn.NewDAG(names, parents)
	return g, sizes, round, err
}

func TestLayout(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 0))
	for trial := range 60 {
		n := 1 + trial
		g, sizes, round, err := randomGraph(rng, n)
		if err != nil {
			t.Fatal(err)
		}
		labels := make([]vg.Length, g.Arcs())
		for i := range labels {
			if rng.IntN(4) == 0 {
				labels[i] = vg.Length(30 * rng.Float64())
			}
		}
		opts := &viz.LayoutOptions{Horizontal: trial%2 == 1, Round: round, LabelWidths: labels}
		l, err := viz.NewLayout(g, sizes, opts)
		if err != nil {
			t.Fatal(err)
		}
		checkLayout(t, g, l, sizes, opts)
	}
}

// checkLayout tests what a reader of the drawing relies on.
func checkLayout(t *testing.T, g *bn.DAG, l *viz.Layout, sizes []vg.Point, opts *viz.LayoutOptions) {
	t.Helper()
	const rounding = 0.1 // points, from five digits of inches
	for v, a := range l.Nodes {
		if w, h := a.Max.X-a.Min.X, a.Max.Y-a.Min.Y; math.Abs(float64(w-sizes[v].X)) > 1e-9 ||
			math.Abs(float64(h-sizes[v].Y)) > 1e-9 {
			t.Errorf("%s is %v × %v, want %v", g.Name(v), w, h, sizes[v])
		}
		if a.Min.X < -rounding || a.Min.Y < -rounding || a.Max.X > l.Width+rounding || a.Max.Y > l.Height+rounding {
			t.Errorf("%s at %v leaves the drawing of %v × %v", g.Name(v), a, l.Width, l.Height)
		}
		for w, b := range l.Nodes[:v] {
			if a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y {
				t.Errorf("%s at %v and %s at %v overlap", g.Name(v), a, g.Name(w), b)
			}
		}
	}
	i := 0
	for v := range g.Len() {
		for _, p := range g.Parents(v) {
			arc := l.Arcs[i]
			if arc.Parent != p || arc.Child != v {
				t.Fatalf("arc %d goes from %d to %d, want %d to %d", i, arc.Parent, arc.Child, p, v)
			}
			parent, child := l.Nodes[p], l.Nodes[v]
			above := parent.Min.Y > child.Max.Y
			if opts.Horizontal {
				above = parent.Max.X < child.Min.X
			}
			if !above {
				t.Errorf("parent %s at %v does not come before child %s at %v", g.Name(p), parent, g.Name(v), child)
			}
			if len(arc.Path)%3 != 1 || len(arc.Path) < 4 {
				t.Errorf("arc %d has %d points", i, len(arc.Path))
			}
			for end, node := range map[int]int{0: p, len(arc.Path) - 1: v} {
				if d := fromEdge(arc.Path[end], l.Nodes[node], opts.Round != nil && opts.Round[node]); d > 1.5 {
					t.Errorf("arc %d from %s to %s: an end at %v is %.2f points from the edge of %s", i, g.Name(p),
						g.Name(v), arc.Path[end], d, g.Name(node))
				}
			}
			if opts.LabelWidths != nil && (opts.LabelWidths[i] > 0) != (arc.Label != vg.Point{}) {
				t.Errorf("arc %d has a label of %v at %v", i, opts.LabelWidths[i], arc.Label)
			}
			i++
		}
	}
	if i != len(l.Arcs) {
		t.Errorf("%d arcs, want %d", len(l.Arcs), i)
	}
}

// fromEdge is how far a point is from the outline of a node.
func fromEdge(p vg.Point, r vg.Rectangle, round bool) float64 {
	cx, cy := float64(r.Min.X+r.Max.X)/2, float64(r.Min.Y+r.Max.Y)/2
	rx, ry := float64(r.Max.X)-cx, float64(r.Max.Y)-cy
	dx, dy := math.Abs(float64(p.X)-cx), math.Abs(float64(p.Y)-cy)
	if round {
		scale := math.Hypot(dx/rx, dy/ry)
		return math.Abs(1-1/scale) * math.Hypot(dx, dy)
	}
	if dx <= rx && dy <= ry {
		return min(rx-dx, ry-dy)
	}
	return math.Hypot(max(dx-rx, 0), max(dy-ry, 0))
}

func TestLayoutErrors(t *testing.T) {
	g, err := bn.ParseDAG("[A][B|A]")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		g     *bn.DAG
		sizes []vg.Point
		opts  *viz.LayoutOptions
	}{
		{"no graph", nil, nil, nil},
		{"sizes", g, bnSize(1, 1)[:1], nil},
		{"NaN", g, bnSize(vg.Length(math.NaN()), 1), nil},
		{"zero", g, bnSize(0, 1), nil},
		{"infinite", g, bnSize(vg.Length(math.Inf(1)), 1), nil},
		{"shapes", g, bnSize(1, 1), &viz.LayoutOptions{Round: []bool{true}}},
		{"labels", g, bnSize(1, 1), &viz.LayoutOptions{LabelWidths: []vg.Length{1, 2}}},
	} {
		if _, err := viz.NewLayout(tt.g, tt.sizes, tt.opts); err == nil {
			t.Errorf("%s: no error", tt.name)
		}
	}
}

// What nobody could read is refused at once, with the numbers.
func TestLayoutTooLarge(t *testing.T) {
	names, parents := make([]string, 2000), make([][]int, 2000)
	for v := range names {
		names[v] = fmt.Sprint("v", v)
		for k := range min(v, 10) {
			parents[v] = append(parents[v], v-1-k)
		}
	}
	g, err := bn.NewDAG(names, parents)
	if err != nil {
		t.Fatal(err)
	}
	_, err = viz.Graph(g, nil)
	wantError(t, err, "2000 variables with 19945 arcs are too many to draw")
}

// A layout shares nothing with others.
func TestNetworkConcurrently(t *testing.T) {
	want, err := alarm()
	if err != nil {
		t.Fatal(err)
	}
	svg, err := want.SVG()
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			f, err := alarm()
			if err != nil {
				t.Error(err)
				return
			}
			if got, err := f.SVG(); err != nil || string(got) != string(svg) {
				t.Errorf("another drawing, error %v", err)
			}
		}()
	}
	all.Wait()
}

func BenchmarkNewLayout(b *testing.B) {
	for _, n := range []int{3, 37, 200} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			g, sizes, _, err := randomGraph(rand.New(rand.NewPCG(1, 0)), n)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := viz.NewLayout(g, sizes, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
