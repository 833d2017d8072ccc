package nb

import (
	"fmt"
	"math"
	"unicode/utf8"

	"bnlab/bnkit/bn"
	"bnlab/internal/layered"
)

// place lays the nodes out, in pixels.
func (d *exploreData) place(g *bn.DAG) error {
	const letter, number, edge = 6.2, 40, 8
	wide := func(s string, most int) float64 { return letter * float64(min(utf8.RuneCountInString(s), most)) }
	d.Bar, d.Line = 56, 17
	if len(d.Models) > 1 {
		d.Line = 20
	}
	nodes := make([]layered.Node, len(d.Vars))
	for v, of := range d.Vars {
		name := wide(of.Name, 26) + 2*edge
		if of.Hidden {
			name += wide(" (hidden)", 9)
		}
		if len(of.States) == 0 {
			nodes[v] = layered.Node{Width: name + 2*edge, Height: 30, Round: true}
			continue
		}
		widest := 0.0
		for _, s := range of.States {
			widest = max(widest, wide(s, 16))
		}
		nodes[v] = layered.Node{Width: max(name, 3*edge+widest+d.Bar+number*float64(len(d.Models))),
			Height: 30 + d.Line*float64(len(of.States))}
	}
	var edges []layered.Edge
	for v := range d.Vars {
		for _, p := range g.Parents(v) {
			edges = append(edges, layered.Edge{From: p, To: v})
		}
	}
	drawn, err := layered.Draw(nodes, edges, layered.Gaps{Node: 18, Row: 34})
	if err != nil {
		return err
	}
	const margin = 4
	d.Width, d.Height = round1(drawn.Width+2*margin), round1(drawn.Height+2*margin)
	for v, p := range drawn.Nodes {
		of := &d.Vars[v]
		of.X, of.Y = round1(p.X-nodes[v].Width/2+margin), round1(p.Y-nodes[v].Height/2+margin)
		of.W, of.H = round1(nodes[v].Width), round1(nodes[v].Height)
	}
	d.Arcs = []exploreArc{}
	for _, path := range drawn.Paths {
		d.Arcs = append(d.Arcs, arcOf(path, margin))
	}
	return nil
}

// arcOf writes a chain of Bézier curves as a path of SVG, with an arrow head at its end.
func arcOf(path []layered.Point, margin float64) exploreArc {
	const long, half = 8, 3.2
	tip, before := path[len(path)-1], path[len(path)-2]
	dx, dy := tip.X-before.X, tip.Y-before.Y
	n := math.Hypot(dx, dy)
	if n == 0 {
		dx, dy, n = 0, 1, 1
	}
	dx, dy = dx/n, dy/n
	at := func(x, y float64) string {
		return fmt.Sprint(round1(x+margin), " ", round1(y+margin))
	}
	foot := layered.Point{X: tip.X - long*dx, Y: tip.Y - long*dy}
	a := exploreArc{Path: "M" + at(path[0].X, path[0].Y)}
	for i := 1; i+2 < len(path); i += 3 {
		end := path[i+2]
		if i+3 == len(path) {
			end = layered.Point{X: tip.X - long/2*dx, Y: tip.Y - long/2*dy} // the line ends inside the head
		}
		a.Path += "C" + at(path[i].X, path[i].Y) + " " + at(path[i+1].X, path[i+1].Y) + " " + at(end.X, end.Y)
	}
	a.Head = "M" + at(tip.X, tip.Y) + "L" + at(foot.X-half*dy, foot.Y+half*dx) +
		"L" + at(foot.X+half*dy, foot.Y-half*dx) + "z"
	return a
}

func round1(x float64) float64 { return math.Round(10*x) / 10 }
