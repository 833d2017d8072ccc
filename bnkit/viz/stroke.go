package viz

import (
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bnlab/bnkit/bn"
)

// end says which end of an arc has the arrow head.
type end uint8

const (
	ahead  end = iota // the child's
	turned            // the parent's
	bare              // none
)

// A stroke is how an arc is drawn.
type stroke struct {
	draw.LineStyle
	end end
}

// along draws the arc along a path from parent to child.
func (s stroke) along(c draw.Canvas, path []vg.Point) {
	if s.end == bare {
		var p vg.Path
		p.Move(path[0])
		for i := 1; i+2 < len(path); i += 3 {
			p.CubeTo(path[i], path[i+1], path[i+2])
		}
		c.SetLineStyle(s.LineStyle)
		c.Stroke(p)
		return
	}
	if s.end == turned {
		path = slices.Clone(path)
		slices.Reverse(path)
	}
	drawArrow(c, path, s.LineStyle)
}

// sample draws the entry of the legend.
func (s stroke) sample(c draw.Canvas) {
	y := c.Center().Y
	at := func(share vg.Length) vg.Point { return vg.Point{X: c.Min.X + share*(c.Max.X-c.Min.X), Y: y} }
	s.along(c, []vg.Point{at(0), at(1. / 3), at(2. / 3), at(1)})
}

// drawStrokes draws a graph of named variables with a stroke for each arc, below a legend.
func drawStrokes(g *bn.DAG, strokes func(parent, child int) stroke, keys []key, opts *NetworkOptions) (*Figure, error) {
	if opts == nil {
		opts = &NetworkOptions{}
	}
	nodes, err := newNodes(g, nil, opts)
	if err != nil {
		return nil, err
	}
	labels, widths, err := arcLabels(g, opts)
	if err != nil {
		return nil, err
	}
	sizes := make([]vg.Point, len(nodes))
	for v, n := range nodes {
		sizes[v] = n.size()
	}
	l, err := NewLayout(g, sizes, &LayoutOptions{Horizontal: opts.Horizontal, LabelWidths: widths})
	if err != nil {
		return nil, err
	}
	return titled(opts.Title, keys, l.Width, l.Height, func(c draw.Canvas) {
		at := func(p vg.Point) vg.Point { return p.Add(c.Min) }
		for i, a := range l.Arcs {
			path := make([]vg.Point, len(a.Path))
			for k, p := range a.Path {
				path[k] = at(p)
			}
			strokes(a.Parent, a.Child).along(c, path)
			if labels[i] != "" {
				sty := style(sizeSmall, ink, false)
				sty.XAlign, sty.YAlign = draw.XCenter, draw.YCenter
				c.FillText(sty, at(a.Label), labels[i])
			}
		}
		for v, n := range nodes {
			n.draw(c, vg.Rectangle{Min: at(l.Nodes[v].Min), Max: at(l.Nodes[v].Max)})
		}
	}), nil
}
