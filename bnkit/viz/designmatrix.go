package viz

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bnlab/internal/num"
)

// DesignMatrix draws the matrix of a linear model of a series, a row for each scan and a column for each regressor, as
// hpm.Study.Design returns them. Neighbouring columns of one name are one term, the values of a process say, and are
// numbered from 0; neighbouring rows of one name are one trial. Names stand above and at the left where there is room,
// and a line parts the terms and the trials. White is 0; blue is above and orange below, darker with the distance,
// equally for both signs. In SVG a pointer on an entry tells it.
//
// Axes give title, the names of columns (X, "offset" if empty) and rows (Y, "scan" if empty), and the size, at most
// 10.2 inches wide; 0 fits the matrix. It returns an error for a matrix without entries or with rows that are not as
// long as the names say, values that are not finite, more than 2,000 columns or 100,000 rows, and logarithmic axes or
// a palette.
func DesignMatrix(rows [][]float64, columns, trials []string, axes *Axes) (*Figure, error) {
	a, err := axes.defaults()
	if err != nil {
		return nil, err
	}
	d := &designImage{rows: rows, columns: runsOf(columns), trials: runsOf(trials), axes: a}
	switch {
	case len(rows) == 0 || len(columns) == 0:
		return nil, errors.New("viz: the design matrix has no entries to draw")
	case len(trials) != len(rows):
		return nil, fmt.Errorf("viz: the design matrix has %d rows and names for %d; give one for each", len(rows),
			len(trials))
	case len(columns) > maxSide || len(rows) > 50*maxSide:
		return nil, fmt.Errorf("viz: a design matrix of %d × %d cannot be drawn; take a part of at most %d rows and "+
			"%d columns", len(rows), len(columns), 50*maxSide, maxSide)
	case a.LogX || a.LogY || len(a.Palette) > 0 || a.XRange != [2]float64{}:
		return nil, errors.New("viz: a design matrix has axes of its own; leave LogX, LogY, XRange and Palette empty")
	}
	for i, row := range rows {
		if len(row) != len(columns) {
			return nil, fmt.Errorf("viz: row %d of the design matrix has %d values for %d columns", i+1, len(row),
				len(columns))
		}
		for j, v := range row {
			if !num.Finite(v) {
				return nil, fmt.Errorf("viz: the design matrix has the value %v in row %d, column %d (%s)", v, i+1, j+1,
					columns[j])
			}
			d.scale = max(d.scale, math.Abs(v))
		}
	}
	width, height := d.arrange()
	return titled(a.Title, nil, width, height, d.draw), nil
}

// A designImage is a design matrix in the making.
type designImage struct {
	rows            [][]float64
	columns, trials []nameRun
	axes            *Axes
	scale           float64   // the greatest distance from 0
	wide, high      vg.Length // of an entry
	left, top       vg.Length // room of names
}

// A nameRun is the places lo … hi of one name.
type nameRun struct {
	name   string
	lo, hi int
}

// runsOf are the runs of equal names.
func runsOf(names []string) []nameRun {
	var runs []nameRun
	for i, name := range names {
		if i == 0 || name != names[i-1] {
			runs = append(runs, nameRun{name, i, i})
		}
		runs[len(runs)-1].hi = i + 1
	}
	return runs
}

const (
	designWidth  = 560
	designHeight = 380
	entryMost    = 14
	nameMost     = 100
	lineRoom     = 13 // of a line of small text
)

// arrange chooses the sizes of entries and returns that of the picture.
func (d *designImage) arrange() (w, h vg.Length) {
	small := style(sizeSmall, ink, false)
	for _, t := range d.trials {
		d.left = max(d.left, min(small.Width(t.name), nameMost)+6)
	}
	d.left += lineRoom
	n, m := vg.Length(len(d.rows[0])), vg.Length(len(d.rows))
	room, tall := vg.Length(designWidth), vg.Length(designHeight)
	if d.axes.Width > 0 {
		room = max(min(vg.Length(d.axes.Width)*vg.Inch-16, pageWidth)-d.left, 1)
	}
	d.wide = min(room/n, entryMost)
	d.top = lineRoom
	for _, t := range d.columns {
		if d.upright(t) {
			d.top = max(d.top, min(small.Width(t.name), nameMost)+4)
		}
	}
	d.top += lineRoom // offsets
	if d.axes.Height > 0 {
		tall = max(vg.Length(d.axes.Height)*vg.Inch-16-d.top-lineRoom, 1)
	}
	d.high = min(tall/m, entryMost)
	return d.left + n*d.wide, d.top + m*d.high + lineRoom
}

// upright reports whether the name of a term does not fit above its columns.
func (d *designImage) upright(t nameRun) bool {
	return style(sizeSmall, ink, false).Width(t.name) > vg.Length(t.hi-t.lo)*d.wide-2
}

// draw draws the matrix from the upper left corner of c.
func (d *designImage) draw(c draw.Canvas) {
	left, top := c.Min.X+d.left, c.Max.Y-d.top
	right, bottom := left+d.wide*vg.Length(len(d.rows[0])), top-d.high*vg.Length(len(d.rows))
	for i, row := range d.rows {
		for j, v := range row {
			if v == 0 {
				continue
			}
			r := vg.Rectangle{Min: vg.Point{X: left + d.wide*vg.Length(j), Y: top - d.high*vg.Length(i+1)},
				Max: vg.Point{X: left + d.wide*vg.Length(j+1), Y: top - d.high*vg.Length(i)}}
			c.SetColor(d.color(v))
			under := r
			if i+1 < len(d.rows) && d.rows[i+1][j] != 0 {
				under.Min.Y -= seam // so that none shows
			}
			c.Fill(under.Path())
			hint(c, r, d.about(i, j))
		}
	}
	line := draw.LineStyle{Color: faint, Width: 0.5}
	for _, t := range d.columns {
		x := left + d.wide*vg.Length(t.lo)
		c.StrokeLine2(line, x, bottom, x, top)
	}
	thin := draw.LineStyle{Color: faint, Width: min(0.5, d.high)}
	for _, t := range d.trials {
		y := top - d.high*vg.Length(t.lo)
		c.StrokeLine2(thin, left, y, right, y)
	}
	c.StrokeLine2(line, right, bottom, right, top)
	c.StrokeLine2(line, left, bottom, right, bottom)
	d.name(c, left, top)
	d.label(c, left, top, right, bottom)
}

// color is white at 0 and deep at the greatest distance.
func (d *designImage) color(v float64) color.NRGBA {
	deep := deepBlue
	if v < 0 {
		deep = deepOrange
	}
	return mix(white, deep, math.Abs(v)/d.scale)
}

// name writes the names of terms above the matrix, their offsets, and the names of trials at the left.
func (d *designImage) name(c draw.Canvas, left, top vg.Length) {
	small, number := style(sizeSmall, ink, false), style(7, faint, false)
	centred := small
	centred.XAlign, centred.YAlign = draw.XCenter, draw.YBottom
	upright := small
	upright.Rotation, upright.YAlign = math.Pi/2, draw.YCenter
	number.XAlign, number.YAlign = draw.XCenter, draw.YBottom
	for _, t := range d.columns {
		wide := d.wide * vg.Length(t.hi-t.lo)
		at := vg.Point{X: left + d.wide*vg.Length(t.lo) + wide/2, Y: top + lineRoom}
		switch {
		case !d.upright(t):
			c.FillText(centred, at, t.name)
		case wide >= small.Font.Size || len(d.columns) <= 60:
			c.FillText(upright, at, shorten(small, t.name, nameMost))
		}
		step := int(math.Ceil(niceStep(float64(18/d.wide), 1)))
		for offset := 0; t.hi-t.lo > 1 && offset < t.hi-t.lo; offset += step {
			x := left + d.wide*(vg.Length(t.lo+offset)+0.5)
			c.FillText(number, vg.Point{X: x, Y: top + 2}, strconv.Itoa(offset))
		}
	}
	last := top + lineRoom
	for _, t := range d.trials {
		name, y := shorten(small, t.name, nameMost), top-d.high*vg.Length(t.lo+t.hi)/2
		if last-y >= sizeSmall {
			middle(c, small, left-4-small.Width(name), y, name)
			last = y
		}
	}
}

// label writes what rows and columns are.
func (d *designImage) label(c draw.Canvas, left, top, right, bottom vg.Length) {
	across, down := d.axes.X, d.axes.Y
	if across == "" {
		across = "offset"
	}
	if down == "" {
		down = "scan"
	}
	sty := style(sizeText, ink, false)
	sty.XAlign, sty.YAlign = draw.XCenter, draw.YTop
	c.FillText(sty, vg.Point{X: (left + right) / 2, Y: bottom - 2}, across)
	sty.Rotation = math.Pi / 2
	c.FillText(sty, vg.Point{X: c.Min.X, Y: (top + bottom) / 2}, down)
}

// about says what an entry is.
func (d *designImage) about(i, j int) string {
	in := func(runs []nameRun, at int) nameRun {
		return runs[slices.IndexFunc(runs, func(t nameRun) bool { return at < t.hi })]
	}
	trial, term := in(d.trials, i), in(d.columns, j)
	s := fmt.Sprintf("%s, scan %d: %s", trial.name, i-trial.lo+1, term.name)
	if term.hi-term.lo > 1 {
		s += fmt.Sprintf(", offset %d", j-term.lo)
	}
	return s + ": " + strconv.FormatFloat(d.rows[i][j], 'g', 4, 64)
}
