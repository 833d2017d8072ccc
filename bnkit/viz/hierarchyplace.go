package viz

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bnlab/internal/isotonic"
	"bnlab/internal/say"
)

const (
	boxName     = 96  // greatest width of a name
	uprightName = 240 // greatest length of an upright one: a longer box costs no width
	boxHeight   = 18
	uprightSize = 13 // width of a box with an upright name
	boxGap      = 8  // between boxes of a row
	mostFlat    = 14 // boxes of a row whose names lie
	rowGap      = 30 // between a row and the arches of the next
	levelLabel  = 40 // room for the name of a level
	arrival     = 3  // where arcs end from the middle of a box, so that the way back is another
)

// uprightStyle is that of names that stand upright.
func uprightStyle() text.Style {
	sty := style(sizeSmall, ink, false)
	sty.Rotation, sty.XAlign, sty.YAlign = math.Pi/2, draw.XCenter, draw.YBottom
	return sty
}

// place orders the rows so that parts stand below their composites, and gives every
// variable its box.
func (l *levels) place() error {
	want := l.columns()
	for v := range l.names {
		l.rows[l.level[v]] = append(l.rows[l.level[v]], v)
	}
	l.upright = make([]bool, len(l.rows))
	sizes := make([]vg.Point, len(l.names))
	need := vg.Length(0)
	for r, row := range l.rows {
		slices.SortStableFunc(row, func(a, b int) int { return cmp.Compare(want[a], want[b]) })
		l.upright[r] = len(row) > mostFlat
		width := vg.Length(0)
		tall := vg.Length(boxHeight)
		for _, v := range row {
			sizes[v] = vg.Point{X: max(min(style(sizeText, ink, false).Width(l.names[v]), boxName)+12, 26),
				Y: boxHeight}
			if l.upright[r] {
				tall = max(tall, min(style(sizeSmall, ink, false).Width(l.names[v]), uprightName)+12)
				sizes[v].X = uprightSize
			}
			width += sizes[v].X + boxGap
		}
		for _, v := range row {
			sizes[v].Y = tall
		}
		need = max(need, width)
	}
	l.width = levelLabel + max(need, 200)
	x, err := l.spread(want, sizes, max(need, 200))
	if err != nil {
		return err
	}
	y := vg.Length(0)
	for r := len(l.rows) - 1; r >= 0; r-- {
		arch, tall := vg.Length(0), vg.Length(0)
		for _, v := range l.rows[r] {
			corner := vg.Point{X: x[v] - sizes[v].X/2, Y: y}
			l.boxes[v] = vg.Rectangle{Min: corner, Max: corner.Add(sizes[v])}
			tall = sizes[v].Y
			for _, p := range l.parents[v] {
				if l.level[p] == r {
					arch = max(arch, 0.75*archHeight(x[p], x[v]))
				}
			}
		}
		y += tall + arch
		if r > 0 {
			y += rowGap
		}
	}
	l.height = y + 3
	return nil
}

// columns returns the place of each variable between 0 and 1: those without parts get columns one
// after another, in the order of a walk down from the top that sees each variable once, and a
// composite stands in the middle of its parts.
func (l *levels) columns() []float64 {
	below := make([][]int, len(l.names))
	for v, above := range l.above {
		for _, a := range above {
			below[a] = append(below[a], v)
		}
	}
	x := make([]float64, len(l.names))
	seen := make([]bool, len(l.names))
	columns := 0.0
	var walk func(v int)
	walk = func(v int) {
		if seen[v] {
			return
		}
		seen[v] = true
		if len(below[v]) == 0 {
			x[v] = columns + 0.5
			columns++
		}
		for _, b := range below[v] {
			walk(b)
			x[v] += x[b] / float64(len(below[v]))
		}
	}
	for v := range l.names {
		if len(l.above[v]) == 0 {
			walk(v)
		}
	}
	for v := range x {
		x[v] /= columns
	}
	return x
}

// spread returns the middles of the boxes: in each row as near as can be, in squares, to the places
// wanted, with a gap between neighbours. The least squares under an order are an isotonic
// regression once the widths to the left are taken off.
func (l *levels) spread(want []float64, sizes []vg.Point, width vg.Length) ([]vg.Length, error) {
	x := make([]vg.Length, len(want))
	var ws isotonic.Workspace
	for _, row := range l.rows {
		y, w, left := make([]float64, len(row)), make([]float64, len(row)), make([]float64, len(row))
		used := 0.0
		for i, v := range row {
			left[i] = used + float64(sizes[v].X)/2
			used += float64(sizes[v].X) + boxGap
			y[i], w[i] = want[v]*float64(width)-left[i], 1
		}
		if err := ws.Chain(y, y, w); err != nil {
			return nil, say.Errorf("viz: cannot place the variables of a level: %w", err)
		}
		for i, v := range row {
			x[v] = levelLabel + vg.Length(min(max(y[i], 0), float64(width)-used)+left[i])
		}
	}
	return x, nil
}

// archHeight is the height of the handles of an arch, which reaches three quarters of it.
// It grows ever slower, so that long arches differ and still leave room.
func archHeight(from, to vg.Length) vg.Length {
	return 22 + vg.Length(5*math.Sqrt(math.Abs(float64(to-from))))
}

// arc returns the way of an arc and how it is drawn.
func (l *levels) arc(p, v int) ([]vg.Point, draw.LineStyle) {
	from, to := l.boxes[p], l.boxes[v]
	lift := func(at vg.Point, by vg.Length) vg.Point { return vg.Point{X: at.X, Y: at.Y + by} }
	switch {
	case p == v:
		a, b := top(from), top(from)
		a.X, b.X = a.X-4, b.X+4
		h := archHeight(a.X, b.X)
		return []vg.Point{a, {X: a.X - 8, Y: a.Y + h}, {X: b.X + 8, Y: b.Y + h}, b}, withinStyle
	case l.level[p] == l.level[v]:
		a, b := top(from), top(to)
		h := archHeight(a.X, b.X)
		if a.X < b.X {
			b.X -= arrival
		} else {
			b.X += arrival
		}
		return []vg.Point{a, lift(a, h), lift(b, h), b}, withinStyle
	case l.level[p] < l.level[v]:
		a, b := bottom(from), top(to)
		half := (a.Y - b.Y) / 2
		return []vg.Point{a, lift(a, -half), lift(b, half), b}, betweenStyle
	default:
		a, b := top(from), bottom(to)
		half := (b.Y - a.Y) / 2
		return []vg.Point{a, lift(a, half), lift(b, -half), b}, betweenStyle
	}
}

func centre(r vg.Rectangle) vg.Point {
	return vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}
}

func top(r vg.Rectangle) vg.Point { return vg.Point{X: centre(r).X, Y: r.Max.Y} }

func bottom(r vg.Rectangle) vg.Point { return vg.Point{X: centre(r).X, Y: r.Min.Y} }
