package viz

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bnlab/internal/say"
)

// leveled arranges variables in levels, each below those it is a part of, such as
// *hierarchy.Hierarchy. Names go by number; levels count from 1 at the top; variables above another
// have smaller levels.
type leveled interface {
	Names() []string
	LevelOf(v int) int
	Above(v int) []int
}

// HierarchyOptions are the options of [Hierarchy]. Nil means the defaults.
type HierarchyOptions struct {
	// Title is above the drawing.
	Title string
	// Truth, when not nil, are the true parents of each variable. Arcs are then told apart not by
	// level but as by [Compare]: those in both, those missing from parents, which are drawn too, and
	// the extra ones.
	Truth [][]int
}

// Hierarchy draws the arcs that were found between the variables of an aggregation
// hierarchy: a row for each level, the top one first, arcs within a level as arches above
// its row, arcs between levels as dashed lines, unless there is a Truth to compare with.
// parents[v] are the parents found for variable v; v itself may be one of them, in the slice
// before. Composites are on grey. Names stand upright in rows of many. It returns an error for
// variables without names, levels that do not fit, and parents that are no variables.
func Hierarchy(h leveled, parents [][]int, opts *HierarchyOptions) (*Figure, error) {
	if opts == nil {
		opts = &HierarchyOptions{}
	}
	l, err := newLevels(h, parents)
	if err != nil {
		return nil, err
	}
	sample := func(name string, sty draw.LineStyle) key {
		return key{name: name, sample: func(c draw.Canvas) {
			c.StrokeLine2(sty, c.Min.X, c.Center().Y, c.Max.X, c.Center().Y)
		}}
	}
	keys := []key{sample("arc within a level", withinStyle), sample("arc between levels", betweenStyle)}
	if opts.Truth != nil {
		counts, err := l.compare(opts.Truth)
		if err != nil {
			return nil, err
		}
		keys = nil
		for kind, name := range []string{"in both", "missing", "extra"} {
			keys = append(keys, sample(fmt.Sprintf("%s: %d", name, counts[kind]), comparedStyles[kind]))
		}
	}
	if err := l.place(); err != nil {
		return nil, err
	}
	keys = append(keys, sample("part of", partStyle))
	return titled(opts.Title, keys, l.width, l.height, l.draw), nil
}

var (
	withinStyle  = draw.LineStyle{Color: blue, Width: 1}
	betweenStyle = draw.LineStyle{Color: vermilion, Width: 0.9, Dashes: []vg.Length{4, 2}}
	partStyle    = draw.LineStyle{Color: shadeFill, Width: 0.6}
)

// Kinds of arcs beside a truth.
const (
	arcInBoth = iota
	arcMissing
	arcExtra
	arcKinds
)

// comparedStyles are those of the kinds: as [Compare] has them, but darker where lines to parts are grey.
var comparedStyles = [arcKinds]draw.LineStyle{
	arcInBoth:  {Color: ink, Width: 1},
	arcMissing: {Color: blue, Width: 1.2, Dashes: []vg.Length{1.5, 2}},
	arcExtra:   {Color: vermilion, Width: 0.9, Dashes: []vg.Length{5, 2.5}},
}

// levels is a hierarchy on its way to a picture. Points count from the lower left corner.
type levels struct {
	names          []string
	above, parents [][]int
	rows           [][]int // variables by level, from left to right
	level          []int   // from 0
	composite      []bool
	upright        []bool         // by row: names stand upright
	kinds          map[[2]int]int // of arcs, by parent and child; nil without a truth
	boxes          []vg.Rectangle
	width, height  vg.Length
}

func newLevels(h leveled, parents [][]int) (*levels, error) {
	if h == nil || len(h.Names()) == 0 {
		return nil, errors.New("viz: the hierarchy has no variables")
	}
	n := len(h.Names())
	if len(parents) != n {
		return nil, fmt.Errorf("viz: %d lists of parents for %d variables of the hierarchy", len(parents), n)
	}
	l := &levels{names: h.Names(), parents: parents, above: make([][]int, n), level: make([]int, n),
		composite: make([]bool, n), boxes: make([]vg.Rectangle, n)}
	for v, name := range l.names {
		l.level[v], l.above[v] = h.LevelOf(v)-1, h.Above(v)
		if l.level[v] < 0 || l.level[v] >= n {
			return nil, say.Errorf("viz: variable %q has the level %d; levels of %d variables are 1 to %d", name,
				l.level[v]+1, n, n)
		}
		for len(l.rows) <= l.level[v] {
			l.rows = append(l.rows, nil)
		}
		for _, p := range parents[v] {
			if p < 0 || p >= n {
				return nil, say.Errorf("viz: parent number %d of %q: there are %d variables", p, name, n)
			}
		}
	}
	for v, name := range l.names {
		for _, a := range l.above[v] {
			if a < 0 || a >= n || l.level[a] >= l.level[v] {
				return nil, say.Errorf("viz: %q is not above %q: levels do not fit", l.nameOf(a), name)
			}
			l.composite[a] = true
		}
	}
	return l, nil
}

// compare adds the arcs of the truth that are missing, and returns how many arcs are of each kind.
func (l *levels) compare(truth [][]int) (counts [arcKinds]int, err error) {
	n := len(l.names)
	if len(truth) != n {
		return counts, fmt.Errorf("viz: Truth has %d lists of parents for %d variables of the hierarchy", len(truth), n)
	}
	all := make([][]int, n)
	l.kinds = make(map[[2]int]int)
	for v, parents := range l.parents {
		all[v] = slices.Clone(parents)
		for _, p := range parents {
			l.kinds[[2]int{p, v}] = arcExtra
		}
		for _, p := range truth[v] {
			switch {
			case p < 0 || p >= n:
				return counts, say.Errorf("viz: Truth has the parent number %d of %q: there are %d variables", p,
					l.names[v], n)
			case slices.Contains(parents, p):
				l.kinds[[2]int{p, v}] = arcInBoth
			default:
				l.kinds[[2]int{p, v}] = arcMissing
				all[v] = append(all[v], p)
			}
		}
	}
	l.parents = all
	for _, kind := range l.kinds {
		counts[kind]++
	}
	return counts, nil
}

// nameOf returns the name of a variable, which may not exist.
func (l *levels) nameOf(v int) string {
	if v < 0 || v >= len(l.names) {
		return strconv.Itoa(v)
	}
	return l.names[v]
}

// draw draws parts, arcs and boxes, in this order.
func (l *levels) draw(c draw.Canvas) {
	at := func(p vg.Point) vg.Point { return p.Add(c.Min) }
	for v, above := range l.above {
		for _, a := range above {
			from, to := at(bottom(l.boxes[a])), at(top(l.boxes[v]))
			c.StrokeLine2(partStyle, from.X, from.Y, to.X, to.Y)
		}
	}
	for v, parents := range l.parents {
		for _, p := range parents {
			path, sty := l.arc(p, v)
			if l.kinds != nil {
				sty = comparedStyles[l.kinds[[2]int{p, v}]]
			}
			for i := range path {
				path[i] = at(path[i])
			}
			drawArrow(c, path, sty)
		}
	}
	for v, box := range l.boxes {
		l.drawBox(c, v, vg.Rectangle{Min: at(box.Min), Max: at(box.Max)})
	}
	label := style(sizeSmall, faint, false)
	for r, row := range l.rows {
		if len(row) > 0 {
			middle(c, label, c.Min.X, at(centre(l.boxes[row[0]])).Y, "level "+strconv.Itoa(r+1))
		}
	}
}

// drawBox draws a variable, darker edged where it has parents or is one.
func (l *levels) drawBox(c draw.Canvas, v int, place vg.Rectangle) {
	fill, edge := nodeFill, rule
	if l.composite[v] {
		fill = shadeFill
	}
	if l.linked(v) {
		edge = nodeEdge
	}
	fillAndStroke(c, roundedBox(place, 3), fill, edge, 0.9)
	sty := style(sizeText, ink, false)
	if !l.upright[l.level[v]] {
		mid := centre(place)
		centred(c, sty, mid.X, mid.Y, shorten(sty, l.names[v], boxName))
		return
	}
	sty = uprightStyle()
	mid := centre(place)
	c.FillText(sty, vg.Point{X: mid.X + 0.35*sty.Font.Size, Y: mid.Y}, shorten(style(sizeSmall, ink, false), l.names[v],
		uprightName))
}

// linked reports whether an arc ends or begins at v.
func (l *levels) linked(v int) bool {
	return len(l.parents[v]) > 0 || slices.ContainsFunc(l.parents,
		func(ps []int) bool { return slices.Contains(ps, v) })
}
