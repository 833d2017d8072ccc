package viz

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// markers are the forms of marks, as series take them in turn.
var markers = []string{"disc", "square", "triangle", "diamond", "wedge", "cross", "plus"}

// corners of the markers around 0; areas are about that of a disc of radius 1.
var corners = map[string][][2]float64{
	"square":   {{-0.89, -0.89}, {0.89, -0.89}, {0.89, 0.89}, {-0.89, 0.89}},
	"triangle": {{-1.2, -0.85}, {1.2, -0.85}, {0, 1.25}},
	"wedge":    {{-1.2, 0.85}, {1.2, 0.85}, {0, -1.25}},
	"diamond":  {{-1.25, 0}, {0, -1.25}, {1.25, 0}, {0, 1.25}},
	"plus":     star(0),
	"cross":    star(math.Pi / 4),
}

// star has four arms, the first turned by an angle from the right.
func star(angle float64) [][2]float64 {
	const length, half = 1.35, 0.42
	var at [][2]float64
	for arm := range 4 {
		sin, cos := math.Sincos(angle + float64(arm)*math.Pi/2)
		for _, p := range [][2]float64{{half, -half}, {length, -half}, {length, half}} {
			at = append(at, [2]float64{p[0]*cos - p[1]*sin, p[0]*sin + p[1]*cos})
		}
	}
	return at
}

// outline is the path of a marker.
func outline(marker string, at vg.Point, radius vg.Length) vg.Path {
	var p vg.Path
	list, ok := corners[marker]
	if !ok {
		p.Move(vg.Point{X: at.X + radius, Y: at.Y})
		p.Arc(at, radius, 0, 2*math.Pi)
	}
	for i, by := range list {
		to := vg.Point{X: at.X + vg.Length(by[0])*radius, Y: at.Y + vg.Length(by[1])*radius}
		if i == 0 {
			p.Move(to)
		} else {
			p.Line(to)
		}
	}
	p.Close()
	return p
}

// dot marks a point of a line.
func (l look) dot(c draw.Canvas, at vg.Point) {
	c.SetColor(l.color)
	c.Fill(outline(l.marker, at, 2.4))
}

// ring marks a point; white inside, it stands out on a line of its own colour.
func (l look) ring(c draw.Canvas, at vg.Point) { ring(c, l.marker, l.color, at) }

func ring(c draw.Canvas, marker string, col color.Color, at vg.Point) {
	fillAndStroke(c, outline(marker, at, 2.7), white, col, 1.2)
}
