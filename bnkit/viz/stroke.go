package viz

import (
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
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

// plain is the stroke of every arc where arcs do not differ.
func plain(parent, child int) stroke {
	return stroke{LineStyle: draw.LineStyle{Color: faint, Width: 0.9}}
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
