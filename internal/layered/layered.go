// Package layered draws graphs without cycles in layers: nodes in rows, arcs downwards, few crossings, short arcs,
// long ones straight where they can be. It follows Gansner et al., “A technique for drawing directed graphs”
// (IEEE Transactions on Software Engineering 19, 1993): layers by network simplex, orders by medians and swaps of
// neighbours, places by network simplex again; then arcs become curves between what lies left and right of them.
//
// The same input gives the same drawing. All work is bounded by counts, never by time; what would be too large to
// read is refused with a [TooLargeError].
package layered

import (
	"fmt"
	"math"

	"bnlab/internal/say"
)

// A Node is a place to be found for a box of a width and a height, or for the ellipse in it.
type Node struct {
	Width, Height float64
	Round         bool
}

// An Edge is an arc from one node to another, with a label beside it where LabelWidth is positive.
type Edge struct {
	From, To                int
	LabelWidth, LabelHeight float64
}

// Gaps are the distances between neighbours of a row and between rows.
type Gaps struct{ Node, Row float64 }

// A Point lies X from the left and Y from the top.
type Point struct{ X, Y float64 }

// A Drawing says where everything lies, in a rectangle of Width and Height.
type Drawing struct {
	Width, Height float64
	Nodes         []Point // middles
	// Paths are chains of cubic Bézier curves, a start and three points for each curve, from outline to outline.
	Paths  [][]Point
	Labels []Point // middles; zero where there is no label
}

// Bounds on what is drawn, and with it on the work, a few seconds: a thousand nodes need a wall, and with more arcs
// from row to row a drawing is black.
const (
	mostNodes  = 5000
	mostPieces = 30000
	mostSize   = 1e5
)

// A TooLargeError says that a drawing would be too large to make, and to read.
type TooLargeError struct {
	Nodes, Edges int
	Pieces       float64 // of edges, one for each row that they go down; 0 where these are not why
}

func (e *TooLargeError) Error() string {
	if e.Pieces == 0 {
		return fmt.Sprintf("%d variables are too many to draw, at most %d are; draw a part of the graph",
			e.Nodes, mostNodes)
	}
	return fmt.Sprintf("%d variables with %d arcs are too many to draw: the arcs go down %.0f rows together, "+
		"at most %d are drawn; draw a part of the graph", e.Nodes, e.Edges, e.Pieces, mostPieces)
}

// Draw lays out a graph. It returns an error for sizes that are not positive and finite, edges to nowhere, edges of
// a node with itself, cycles, and graphs that are too large.
func Draw(nodes []Node, edges []Edge, gaps Gaps) (*Drawing, error) {
	if err := check(nodes, edges, gaps); err != nil {
		return nil, err
	}
	parts := split(nodes, edges)
	pieces := 0.0
	for _, p := range parts {
		p.gaps = gaps
		p.rank()
		pieces += p.pieces()
	}
	if pieces > mostPieces {
		return nil, &TooLargeError{len(nodes), len(edges), pieces}
	}
	for _, p := range parts {
		p.layers()
		p.arrange()
		p.route()
	}
	n, m := len(nodes), len(edges)
	d := &Drawing{Nodes: make([]Point, n), Paths: make([][]Point, m), Labels: make([]Point, m)}
	d.pack(parts)
	return d, nil
}

// check returns an error for what cannot be drawn.
func check(nodes []Node, edges []Edge, gaps Gaps) error {
	if len(nodes) > mostNodes {
		return &TooLargeError{Nodes: len(nodes), Edges: len(edges)}
	}
	size := func(x float64) bool { return x > 0 && x <= mostSize }
	for v, n := range nodes {
		if !size(n.Width) || !size(n.Height) {
			return say.Errorf("node %d cannot have the size %v × %v", v, n.Width, n.Height)
		}
	}
	if !(gaps.Node >= 0 && gaps.Node <= mostSize && gaps.Row >= 0 && gaps.Row <= mostSize) {
		return say.Errorf("the gaps cannot be %v and %v", gaps.Node, gaps.Row)
	}
	waits, down := make([]int, len(nodes)), make([][]int, len(nodes))
	for i, e := range edges {
		if e.From < 0 || e.To < 0 || e.From >= len(nodes) || e.To >= len(nodes) || e.From == e.To {
			return fmt.Errorf("edge %d cannot lead from node %d to node %d of %d", i, e.From, e.To, len(nodes))
		}
		if e.LabelWidth != 0 && !(size(e.LabelWidth) && size(e.LabelHeight)) {
			return say.Errorf("the label of edge %d cannot have the size %v × %v", i, e.LabelWidth, e.LabelHeight)
		}
		waits[e.To]++
		down[e.From] = append(down[e.From], e.To)
	}
	var ready []int
	for v, n := range waits {
		if n == 0 {
			ready = append(ready, v)
		}
	}
	for k := 0; k < len(ready); k++ {
		for _, w := range down[ready[k]] {
			if waits[w]--; waits[w] == 0 {
				ready = append(ready, w)
			}
		}
	}
	if len(ready) < len(nodes) {
		return fmt.Errorf("the graph has a cycle")
	}
	return nil
}

// A part is a set of connected nodes, laid out by itself. Its nodes and edges go by numbers of its own.
type part struct {
	nodes []Node
	edges []Edge
	gaps  Gaps
	v, e  []int // numbers in the whole

	span int   // layers from a node to its child at least: 2 where there are labels
	rows []int // row of each node

	// Spots are the nodes, and behind them a bend for each row that an edge passes.
	spots  []spot
	chains [][]int // spots of each edge, from end to end
	layer  [][]int // spots of each row from left to right

	y, tall       []float64 // middle and height of each row
	width, height float64
	paths         [][]Point
	labels        []Point
}

// split returns the connected parts, in the order of their first nodes.
func split(nodes []Node, edges []Edge) []*part {
	next := make([][]int, len(nodes))
	for _, e := range edges {
		next[e.From], next[e.To] = append(next[e.From], e.To), append(next[e.To], e.From)
	}
	of, at := make([]int, len(nodes)), make([]int, len(nodes))
	for v := range of {
		of[v] = -1
	}
	var parts []*part
	for v := range nodes {
		if of[v] >= 0 {
			continue
		}
		found := []int{v}
		of[v] = len(parts)
		for k := 0; k < len(found); k++ {
			for _, w := range next[found[k]] {
				if of[w] < 0 {
					of[w] = len(parts)
					found = append(found, w)
				}
			}
		}
		parts = append(parts, &part{})
	}
	for v, n := range nodes {
		p := parts[of[v]]
		at[v] = len(p.nodes)
		p.nodes, p.v = append(p.nodes, n), append(p.v, v)
	}
	for i, e := range edges {
		p := parts[of[e.From]]
		e.From, e.To = at[e.From], at[e.To]
		p.edges, p.e = append(p.edges, e), append(p.e, i)
	}
	return parts
}

// pack sets the parts side by side, in as many shelves as make the drawing about twice as wide as it is high.
func (d *Drawing) pack(parts []*part) {
	room, area := 0.0, 0.0
	for _, p := range parts {
		room = max(room, p.width)
		area += (p.width + 1.5*p.gaps.Node) * (p.height + p.gaps.Row)
	}
	room = max(room, math.Sqrt(2*area), 480)
	x, y, tall := 0.0, 0.0, 0.0
	for _, p := range parts {
		if x > 0 && x+p.width > room {
			x, y, tall = 0, y+tall+p.gaps.Row, 0
		}
		move := func(q Point) Point { return Point{q.X + x, q.Y + y} }
		for v, whole := range p.v {
			d.Nodes[whole] = move(Point{p.spots[v].x, p.y[p.rows[v]]})
		}
		for e, whole := range p.e {
			for i := range p.paths[e] {
				p.paths[e][i] = move(p.paths[e][i])
			}
			d.Paths[whole] = p.paths[e]
			if p.edges[e].LabelWidth > 0 {
				d.Labels[whole] = move(p.labels[e])
			}
		}
		d.Width, d.Height = max(d.Width, x+p.width), max(d.Height, y+p.height)
		x += p.width + 1.5*p.gaps.Node
		tall = max(tall, p.height)
	}
}
