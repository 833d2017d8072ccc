package viz

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// AdjacencyOptions are the options of [Adjacency]. Nil means the defaults.
type AdjacencyOptions struct {
	// Title is above the matrix.
	Title string
	// Groups name the group of each variable; those without one come last. Nil: no groups.
	Groups map[string]string
	// Probabilities colour the cells, by parent and child, also those of arcs that the graph does not have, as
	// posterior probabilities (structure/posterior) and bootstrap frequencies (structure.Averaged.Map) do. Arcs of
	// the graph then have a dot. Nil: arcs are full cells.
	Probabilities map[[2]string]float64
}

// mostAdjacent is the most variables of a matrix: a cell of a point each is seen.
const mostAdjacent = 1500

// Adjacency draws a graph as a matrix, a row for each parent and a column for each child, which stays readable where
// [Graph] does not, past some thirty variables. Groups stand together, in the order of their first variables, with
// lines between them: arcs within a group are in the blocks along the diagonal. Within a group parents come before
// their children, so that without groups all arcs are above the diagonal. Names are left out where they would be too
// small; a picture in SVG has them when pointed at an arc.
//
// It returns an error for a graph without variables or with more than 1500, for names that it does not have, and for
// probabilities that are none.
func Adjacency(g *bn.DAG, opts *AdjacencyOptions) (*Figure, error) {
	if g == nil || g.Len() == 0 {
		return nil, errors.New("viz: the graph has no variables")
	}
	if g.Len() > mostAdjacent {
		return nil, fmt.Errorf("viz: a matrix of %d variables cannot be read; draw a part of at most %d", g.Len(),
			mostAdjacent)
	}
	if opts == nil {
		opts = &AdjacencyOptions{}
	}
	m, err := newMatrix(g, opts)
	if err != nil {
		return nil, err
	}
	var keys []key
	if opts.Probabilities != nil {
		for _, p := range []float64{0.1, 0.5, 1} {
			keys = append(keys, key{name: fmt.Sprintf("probability %v", p), sample: func(c draw.Canvas) {
				fillAndStroke(c, vg.Rectangle{Min: vg.Point{X: c.Center().X - 4, Y: c.Min.Y},
					Max: vg.Point{X: c.Center().X + 4, Y: c.Max.Y}}.Path(), cellColor(p), faint, 0.4)
			}})
		}
		keys = append(keys, key{name: "arc of the graph", sample: func(c draw.Canvas) { spot(c, c.Center(), 1.6) }})
	}
	width, height := m.size()
	return titled(opts.Title, keys, width, height, m.draw), nil
}

// A matrix is an adjacency matrix on its way to a picture.
type matrix struct {
	names  []string // by place
	groups []matrixGroup
	cells  []matrixCell
	cell   vg.Length // the side of a cell
	label  vg.Length // the longest name, 0 without names
	group  vg.Length // the longest name of a group
}

// A matrixGroup are the places before to, from that of the group before it.
type matrixGroup struct {
	name string
	to   int
}

type matrixCell struct {
	from, to int
	p        float64
	dot      bool
}

const (
	widestName  = 90 // of a variable
	widestGroup = 120
	groupHeight = 11
)

func newMatrix(g *bn.DAG, opts *AdjacencyOptions) (*matrix, error) {
	for name := range opts.Groups {
		if _, err := g.Index(name); err != nil {
			return nil, say.Errorf("viz: groups: %w", err)
		}
	}
	m := &matrix{}
	place := m.order(g, opts.Groups)
	n := vg.Length(g.Len())
	m.cell = max(min(480/n, 13), 1, groupHeight*vg.Length(len(m.groups))/n)
	small := m.small()
	for _, name := range m.names {
		if m.cell >= 6 {
			m.label = max(m.label, min(small.Width(name)+4, widestName))
		}
	}
	for _, of := range m.groups {
		if of.name != "" {
			m.group = max(m.group, min(style(sizeText, ink, true).Width(of.name)+8, widestGroup))
		}
	}
	for child := range g.Len() {
		for _, parent := range g.Parents(child) {
			p := 1.0
			if opts.Probabilities != nil {
				p = opts.Probabilities[[2]string{g.Name(parent), g.Name(child)}]
			}
			m.cells = append(m.cells, matrixCell{place[parent], place[child], p, opts.Probabilities != nil})
		}
	}
	for arc, p := range opts.Probabilities {
		from, err := g.Index(arc[0])
		to, err2 := g.Index(arc[1])
		if err := errors.Join(err, err2); err != nil {
			return nil, say.Errorf("viz: probabilities: %w", err)
		}
		if !(p >= 0 && p <= 1) || from == to && p != 0 {
			return nil, say.Errorf("viz: the arc from %q to %q has the probability %v", arc[0], arc[1], p)
		}
		if p > 0 && !slices.Contains(g.Parents(to), from) {
			m.cells = append(m.cells, matrixCell{from: place[from], to: place[to], p: p})
		}
	}
	slices.SortFunc(m.cells, func(a, b matrixCell) int { return (a.from-b.from)*len(m.names) + a.to - b.to })
	return m, nil
}

// order gives the variables their places: group by group, and parents before children.
func (m *matrix) order(g *bn.DAG, groups map[string]string) (place []int) {
	var names []string // of groups, in the order of their first variables
	for v := range g.Len() {
		if of := groups[g.Name(v)]; of != "" && !slices.Contains(names, of) {
			names = append(names, of)
		}
	}
	place = make([]int, g.Len())
	for _, of := range append(names, "") {
		before := len(m.names)
		for _, v := range g.Order() {
			if groups[g.Name(v)] == of {
				place[v] = len(m.names)
				m.names = append(m.names, g.Name(v))
			}
		}
		if len(m.names) > before {
			m.groups = append(m.groups, matrixGroup{of, len(m.names)})
		}
	}
	if len(names) > 0 && m.groups[len(m.groups)-1].name == "" {
		m.groups[len(m.groups)-1].name = "no group"
	}
	return place
}

func (m *matrix) small() text.Style {
	return style(min(sizeSmall, m.cell*0.85), ink, false)
}

// room is what the words “from” and “to” take.
const room = 14

func (m *matrix) size() (w, h vg.Length) {
	side := m.cell * vg.Length(len(m.names))
	return room + m.label + side + m.group, room + m.label + side
}

func (m *matrix) draw(c draw.Canvas) {
	n := len(m.names)
	side := m.cell * vg.Length(n)
	left, top := c.Min.X+room+m.label, c.Max.Y-room-m.label
	square := func(from, to int) vg.Rectangle {
		x, y := left+m.cell*vg.Length(to), top-m.cell*vg.Length(from)
		return vg.Rectangle{Min: vg.Point{X: x, Y: y - m.cell}, Max: vg.Point{X: x + m.cell, Y: y}}
	}
	for v := range n {
		c.SetColor(rule)
		c.Fill(square(v, v).Path())
	}
	if m.cell >= 5 {
		for v := 1; v < n; v++ {
			at := m.cell * vg.Length(v)
			c.StrokeLine2(draw.LineStyle{Color: rule, Width: 0.3}, left+at, top-side, left+at, top)
			c.StrokeLine2(draw.LineStyle{Color: rule, Width: 0.3}, left, top-at, left+side, top-at)
		}
	}
	for _, at := range m.cells {
		r := square(at.from, at.to)
		c.SetColor(cellColor(at.p))
		c.Fill(r.Path())
		hint(c, r, m.about(at))
		if at.dot {
			spot(c, vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}, min(1.6, m.cell/4))
		}
	}
	line := draw.LineStyle{Color: faint, Width: min(0.7, 14/vg.Length(len(m.groups)))}
	for _, of := range m.groups[:len(m.groups)-1] {
		at := m.cell * vg.Length(of.to)
		c.StrokeLine2(line, left+at, top-side, left+at, top)
		c.StrokeLine2(line, left, top-at, left+side, top-at)
	}
	c.SetLineStyle(line)
	c.Stroke(vg.Rectangle{Min: vg.Point{X: left, Y: top - side}, Max: vg.Point{X: left + side, Y: top}}.Path())
	m.write(c, left, top, side)
}

// write writes the names of variables at the left and above, and those of groups at the right.
func (m *matrix) write(c draw.Canvas, left, top, side vg.Length) {
	word := style(sizeText, faint, false)
	word.XAlign, word.YAlign = draw.XCenter, draw.YTop
	c.FillText(word, vg.Point{X: left + side/2, Y: c.Max.Y}, "to the child")
	word.Rotation = math.Pi / 2
	c.FillText(word, vg.Point{X: c.Min.X, Y: top - side/2}, "from the parent")
	if m.label > 0 {
		small := m.small()
		upright := small
		upright.Rotation, upright.YAlign = math.Pi/2, draw.YCenter
		for v, name := range m.names {
			name = shorten(small, name, m.label-4)
			at := m.cell * (vg.Length(v) + 0.5)
			middle(c, small, left-3-small.Width(name), top-at, name)
			c.FillText(upright, vg.Point{X: left + at, Y: top + 3}, name)
		}
	}
	if m.group == 0 {
		return
	}
	bold := style(sizeText, ink, true)
	y := make([]vg.Length, len(m.groups)) // of names that do not touch, from the middle of their blocks
	from := 0
	for i, of := range m.groups {
		y[i] = top - m.cell*vg.Length(from+of.to)/2
		from = of.to
		if i > 0 {
			y[i] = min(y[i], y[i-1]-groupHeight)
		}
	}
	lowest := top - side + groupHeight/2
	for i := len(y) - 1; i >= 0; i-- {
		y[i] = max(y[i], lowest)
		lowest = y[i] + groupHeight
		middle(c, bold, left+side+6, y[i], shorten(bold, m.groups[i].name, m.group-8))
	}
}

// cellColor is that of a probability: white for none.
func cellColor(p float64) color.NRGBA { return mix(white, seriesColor(0), p) }

// spot marks an arc of the graph, on a light cell and on a dark one.
func spot(c draw.Canvas, at vg.Point, radius vg.Length) {
	r := vg.Rectangle{Min: at.Sub(vg.Point{X: radius, Y: radius}), Max: at.Add(vg.Point{X: radius, Y: radius})}
	fillAndStroke(c, ellipse(r), ink, white, 0.5)
}

// about says what a cell is.
func (m *matrix) about(at matrixCell) string {
	s := m.names[at.from] + " → " + m.names[at.to]
	if at.p != 1 || at.dot {
		s += ": " + strconv.FormatFloat(at.p, 'g', 4, 64)
	}
	return s
}
