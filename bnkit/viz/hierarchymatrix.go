package viz

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// HierarchyMatrix draws the arcs between the variables of an aggregation hierarchy as a matrix, where [Hierarchy] would
// need more arrows than one can follow: a row for each parent, a column for each child, level below level, and within a
// level parts of one composite side by side. Lines separate levels, finer ones the parts of different composites, whose
// names stand at the right where they fit. With a Truth, arcs in both are squares, missing ones rings and extra ones
// crosses, so that they differ in grey too, and their numbers stand below. Set several side by side with
// [Row]. The errors are those of [Hierarchy].
func HierarchyMatrix(h leveled, parents [][]int, opts *HierarchyOptions) (*Figure, error) {
	if opts == nil {
		opts = &HierarchyOptions{}
	}
	l, err := newLevels(h, parents)
	if err != nil {
		return nil, err
	}
	m := newLevelMatrix(l)
	var keys []key
	if opts.Truth == nil {
		arcs := 0
		for _, p := range parents {
			arcs += len(p)
		}
		m.foot = fmt.Sprintf("arcs: %d", arcs)
	} else {
		counts, err := l.compare(opts.Truth)
		if err != nil {
			return nil, err
		}
		for kind, name := range arcKindNames {
			keys = append(keys, key{name: name, sample: func(c draw.Canvas) {
				drawArcMark(c, c.Center(), kind, 3)
			}})
			if kind > 0 {
				m.foot += ", "
			}
			m.foot += fmt.Sprintf("%s: %d", name, counts[kind])
		}
	}
	width, height := m.size()
	return titled(opts.Title, keys, width, height, m.draw), nil
}

// arcKindNames are the kinds of arcs beside a truth.
var arcKindNames = [arcKinds]string{arcInBoth: "in both", arcMissing: "missing", arcExtra: "extra"}

// drawArcMark draws the mark of an arc: each kind has a shape of its own.
func drawArcMark(c draw.Canvas, at vg.Point, kind int, radius vg.Length) {
	r := vg.Rectangle{Min: at.Sub(vg.Point{X: radius, Y: radius}), Max: at.Add(vg.Point{X: radius, Y: radius})}
	switch kind {
	case arcInBoth:
		c.SetColor(ink)
		c.Fill(r.Path())
	case arcMissing:
		fillAndStroke(c, ellipse(r), white, blue, 1.1)
	default:
		sty := draw.LineStyle{Color: vermilion, Width: 1.2}
		c.StrokeLine2(sty, r.Min.X, r.Min.Y, r.Max.X, r.Max.Y)
		c.StrokeLine2(sty, r.Min.X, r.Max.Y, r.Max.X, r.Min.Y)
	}
}

// A levelMatrix is a hierarchy on its way to a matrix.
type levelMatrix struct {
	*levels
	order, at []int // variable by place, place by variable
	ends      []int // of levels, by place
	runs      []matrixGroup
	cell      vg.Length // the side of a cell
	label     vg.Length // the longest name of a variable, 0 where none is written
	right     vg.Length // the longest name of a composite
	foot      string
}

const (
	narrowMatrix = 172 // side of the matrix of a hierarchy of some size, so that three stand side by side
	leastCell    = 3
	largestCell  = 13
	namedCell    = 9  // from which side on variables have their names
	runHeight    = 9  // of the name of a composite
	levelRoom    = 26 // for the words and numbers of the levels
	footRoom     = 15
)

func newLevelMatrix(l *levels) *levelMatrix {
	n := len(l.names)
	m := &levelMatrix{levels: l, order: make([]int, n), at: make([]int, n)}
	m.cell = min(max(narrowMatrix/vg.Length(n), leastCell), largestCell)
	column := l.columns()
	for v := range m.order {
		m.order[v] = v
	}
	slices.SortStableFunc(m.order, func(a, b int) int {
		return cmp.Or(l.level[a]-l.level[b], cmp.Compare(column[a], column[b]))
	})
	for place, v := range m.order {
		m.at[v] = place
		if place == n-1 || l.level[m.order[place+1]] != l.level[v] {
			m.ends = append(m.ends, place+1)
		}
	}
	from := 0
	for _, to := range m.ends {
		m.runs = append(m.runs, m.runsOf(from, to)...)
		from = to
	}
	for _, run := range m.runs {
		m.right = max(m.right, min(style(sizeSmall, ink, false).Width(run.name)+8, widestGroup))
	}
	if m.cell >= namedCell {
		for _, name := range l.names {
			m.label = max(m.label, min(style(sizeSmall, ink, false).Width(name)+4, widestName))
		}
	}
	return m
}

// runsOf cuts the places of a level where the composite changes: the nearest one, or the first above it that leaves
// room for its name on average. What is part of several composites has no name.
func (m *levelMatrix) runsOf(from, to int) []matrixGroup {
	for up := 1; up < len(m.rows); up++ {
		var runs []matrixGroup
		last := -1
		for place := from; place < to; place++ {
			v, name := m.order[place], ""
			for range up {
				if len(m.above[v]) != 1 {
					v = -1
					break
				}
				v = m.above[v][0]
			}
			if v >= 0 {
				name = m.names[v]
			}
			if v != last || place == from {
				runs = append(runs, matrixGroup{name: name})
			}
			runs[len(runs)-1].to, last = place+1, v
		}
		if m.cell*vg.Length(to-from)/vg.Length(len(runs)) >= runHeight {
			return runs
		}
	}
	return []matrixGroup{{"", to}}
}

func (m *levelMatrix) size() (w, h vg.Length) {
	side := m.cell * vg.Length(len(m.order))
	return levelRoom + m.label + side + m.right, levelRoom + m.label + side + footRoom
}

func (m *levelMatrix) draw(c draw.Canvas) {
	side := m.cell * vg.Length(len(m.order))
	left, top := c.Min.X+levelRoom+m.label, c.Max.Y-levelRoom-m.label
	lines := func(ends []matrixGroup, sty draw.LineStyle) {
		for _, end := range ends {
			d := m.cell * vg.Length(end.to)
			c.StrokeLine2(sty, left+d, top-side, left+d, top)
			c.StrokeLine2(sty, left, top-d, left+side, top-d)
		}
	}
	lines(m.runs, draw.LineStyle{Color: rule, Width: 0.6})
	levels := []matrixGroup{{to: 0}}
	for _, to := range m.ends {
		levels = append(levels, matrixGroup{to: to})
	}
	lines(levels, draw.LineStyle{Color: faint, Width: 0.7})

	radius := min(max(0.42*m.cell, 2.3), 4)
	for v, parents := range m.parents {
		for _, p := range parents {
			kind, about := arcInBoth, m.names[p]+" → "+m.names[v]
			if m.kinds != nil {
				kind = m.kinds[[2]int{p, v}]
				about += ": " + arcKindNames[kind]
			}
			at := vg.Point{X: left + m.cell*(vg.Length(m.at[v])+0.5), Y: top - m.cell*(vg.Length(m.at[p])+0.5)}
			drawArcMark(c, at, kind, radius)
			hint(c, vg.Rectangle{Min: at, Max: at}, about)
		}
	}
	m.write(c, left, top, side)
}

// write writes levels and names at the left and above, composites at the right, and the counts below.
func (m *levelMatrix) write(c draw.Canvas, left, top, side vg.Length) {
	word, small := style(sizeSmall, faint, false), style(sizeSmall, ink, false)
	word.XAlign, word.YAlign = draw.XCenter, draw.YTop
	c.FillText(word, vg.Point{X: left + side/2, Y: c.Max.Y}, "child, by level")
	word.Rotation = math.Pi / 2
	c.FillText(word, vg.Point{X: c.Min.X, Y: top - side/2}, "parent, by level")
	from := 0
	for _, to := range m.ends {
		number := strconv.Itoa(m.level[m.order[from]] + 1)
		d := m.cell * vg.Length(from+to) / 2
		centred(c, small, left-m.label-6, top-d, number)
		centred(c, small, left+d, top+m.label+6, number)
		from = to
	}
	if m.label > 0 {
		upright := small
		upright.Rotation, upright.YAlign = math.Pi/2, draw.YCenter
		for place, v := range m.order {
			name := shorten(small, m.names[v], m.label-4)
			d := m.cell * (vg.Length(place) + 0.5)
			middle(c, small, left-3-small.Width(name), top-d, name)
			c.FillText(upright, vg.Point{X: left + d, Y: top + 3}, name)
		}
	}
	// Names that would touch move apart, first down, then up again where the last one left the matrix.
	y := make([]vg.Length, len(m.runs))
	from = 0
	for i, run := range m.runs {
		y[i] = top - m.cell*vg.Length(from+run.to)/2
		from = run.to
		if i > 0 && m.runs[i-1].name != "" {
			y[i] = min(y[i], y[i-1]-runHeight)
		}
	}
	lowest := top - side + runHeight/2
	for i := len(y) - 1; i >= 0; i-- {
		y[i] = max(y[i], lowest)
		if lowest = y[i] + runHeight; m.runs[i].name != "" {
			middle(c, small, left+side+4, y[i], shorten(small, m.runs[i].name, m.right-6))
		}
	}
	foot := style(sizeSmall, ink, false)
	foot.XAlign, foot.YAlign = draw.XCenter, draw.YBottom
	c.FillText(foot, vg.Point{X: left + side/2, Y: c.Min.Y + 1}, m.foot)
}
