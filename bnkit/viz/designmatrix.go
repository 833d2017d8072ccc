package viz

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bnlab/internal/num"
	"bnlab/internal/say"
)

// DesignMatrix draws the matrix of a linear model of a series, a row for each scan and a column for each regressor, as
// hpm.Study.Design returns them. Neighbouring columns of one name are one term, the values of a process say, and are
// numbered from 0; neighbouring rows of one name are one trial. Names stand above and at the left where there is room,
// and a line parts the terms and the trials. White is 0; blue is above and orange below, darker with the distance,
// equally for both signs; a legend has the greatest value of each. Where a row is thinner than a quarter of a point
// several are one strip, of the value that is farthest from 0. In SVG a pointer on an entry tells it, unless more than
// 2,000 are not 0.
//
// Axes give title, the names of columns (X, "offset" if empty) and rows (Y, "scan" if empty), and the size, at most
// 10.2 inches wide; 0 fits the matrix. It returns an error for a matrix without entries or with rows that are not as
// long as the names say, values that are not finite, more than 2,000 columns or 100,000 rows, and what Axes have
// besides these.
func DesignMatrix(rows [][]float64, columns, trials []string, axes *Axes) (*Figure, error) {
	a, err := axes.defaults()
	if err != nil {
		return nil, err
	}
	d := &designImage{columns: runsOf(columns), trials: runsOf(trials), axes: a}
	switch {
	case len(rows) == 0 || len(columns) == 0:
		return nil, errors.New("viz: the design matrix has no entries to draw")
	case len(trials) != len(rows):
		return nil, fmt.Errorf("viz: the design matrix has %d rows and names for %d; give one for each", len(rows),
			len(trials))
	case len(columns) > maxSide || len(rows) > 50*maxSide:
		return nil, fmt.Errorf("viz: a design matrix of %d × %d cannot be drawn; take a part of at most %d rows and "+
			"%d columns", len(rows), len(columns), 50*maxSide, maxSide)
	case a.LogX || a.LogY || a.XRange != [2]float64{} || a.YRange != [2]float64{} || len(a.Palette)+len(a.Looks) > 0:
		return nil, errors.New("viz: a design matrix has scales and colours of its own; leave LogX, LogY, XRange, " +
			"YRange, Palette and Looks empty")
	}
	for i, row := range rows {
		d.rows = append(d.rows, slices.Clone(row))
		if len(row) != len(columns) {
			return nil, fmt.Errorf("viz: row %d of the design matrix has %d values for %d columns", i+1, len(row),
				len(columns))
		}
		for j, v := range row {
			if !num.Finite(v) {
				return nil, say.Errorf("viz: the design matrix has the value %v in row %d, column %d (%s)", v, i+1, j+1,
					columns[j])
			}
			d.least, d.greatest = min(d.least, v), max(d.greatest, v)
			if v != 0 {
				d.entries++
			}
		}
	}
	d.scale = max(-d.least, d.greatest)
	width, height := d.arrange()
	return titled(a.Title, d.keys(), width, height, d.draw), nil
}

// A designImage is a design matrix in the making.
type designImage struct {
	rows            [][]float64
	columns, trials []nameRun
	axes            *Axes
	entries         int       // that are not 0
	least, greatest float64   // of the values and 0
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
	lineRoom     = 13   // of a line of small text
	thinnest     = 0.25 // of what is drawn
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
		tall = max(vg.Length(d.axes.Height)*vg.Inch-16-d.top-lineRoom-keyHeight()-8, 1)
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
	box := func(j, from, to int) vg.Rectangle { // of the rows from … to−1
		return vg.Rectangle{Min: vg.Point{X: left + d.wide*vg.Length(j), Y: top - d.high*vg.Length(to)},
			Max: vg.Point{X: left + d.wide*vg.Length(j+1), Y: top - d.high*vg.Length(from)}}
	}
	strip := max(1, int(math.Ceil(float64(thinnest/d.high))))
	for j := range d.rows[0] {
		for from, to := 0, 0; from < len(d.rows); from = to {
			v := d.farthest(j, from, strip)
			for to = from + strip; to < len(d.rows) && d.farthest(j, to, strip) == v; to += strip {
			}
			if v == 0 {
				continue
			}
			under := box(j, from, min(to, len(d.rows)))
			if to < len(d.rows) && d.farthest(j, to, strip) != 0 {
				under.Min.Y -= seam // so that none shows
			}
			c.SetColor(d.color(v))
			c.Fill(under.Path())
		}
	}
	d.hints(c, box)
	line := draw.LineStyle{Color: faint, Width: 0.5}
	for _, t := range d.columns {
		x := left + d.wide*vg.Length(t.lo)
		c.StrokeLine2(line, x, bottom, x, top)
	}
	thin := draw.LineStyle{Color: faint, Width: min(0.5, d.high)}
	last := top + 1
	for _, t := range d.trials {
		if y := top - d.high*vg.Length(t.lo); last-y >= thinnest {
			c.StrokeLine2(thin, left, y, right, y)
			last = y
		}
	}
	c.StrokeLine2(line, right, bottom, right, top)
	c.StrokeLine2(line, left, bottom, right, bottom)
	d.name(c, left, top)
	d.label(c, left, top, right, bottom)
}

// farthest is the value farthest from 0 of a column in n rows from one on.
func (d *designImage) farthest(j, from, n int) float64 {
	v := 0.0
	for _, row := range d.rows[from:min(from+n, len(d.rows))] {
		if math.Abs(row[j]) > math.Abs(v) {
			v = row[j]
		}
	}
	return v
}

// keys are the ends of the scale, of the signs that values have.
func (d *designImage) keys() []key {
	var keys []key
	for _, end := range []float64{d.least, d.greatest} {
		if end == 0 {
			continue
		}
		name := "0 to " + shortNumber(end)
		if end < 0 {
			name = shortNumber(end) + " to 0"
		}
		keys = append(keys, key{name, fmt.Sprintf("design %v of %v", end, d.scale), func(c draw.Canvas) {
			const steps = 26
			step := (c.Max.X - c.Min.X) / steps
			for i := range steps {
				share := (float64(i) + 0.5) / steps
				if end < 0 {
					share = 1 - share
				}
				x := c.Min.X + step*vg.Length(i)
				c.SetColor(d.color(share * end))
				c.Fill(vg.Rectangle{Min: vg.Point{X: x, Y: c.Min.Y},
					Max: vg.Point{X: min(x+step+seam, c.Max.X), Y: c.Max.Y}}.Path())
			}
			c.SetLineStyle(draw.LineStyle{Color: faint, Width: 0.5})
			c.Stroke(c.Rectangle.Path())
		}})
	}
	return keys
}

// shortNumber is a number of at most four digits, with the sign of print.
func shortNumber(v float64) string {
	return strings.ReplaceAll(strconv.FormatFloat(v, 'g', 4, 64), "-", "−")
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

// hints tell the entries that are not 0, where they are not too many.
func (d *designImage) hints(c draw.Canvas, box func(j, from, to int) vg.Rectangle) {
	if hintsOf(c) == nil || d.entries > mostHints {
		return
	}
	for _, trial := range d.trials {
		for i := trial.lo; i < trial.hi; i++ {
			for _, term := range d.columns {
				for j := term.lo; j < term.hi; j++ {
					if d.rows[i][j] != 0 {
						hint(c, box(j, i, i+1), d.about(trial, term, i, j))
					}
				}
			}
		}
	}
}

// about says what an entry is, of a scan of a trial and a column of a term.
func (d *designImage) about(trial, term nameRun, i, j int) string {
	s := fmt.Sprintf("%s, scan %d: %s", trial.name, i-trial.lo+1, term.name)
	if term.hi-term.lo > 1 {
		s += fmt.Sprintf(", offset %d", j-term.lo)
	}
	return s + ": " + strconv.FormatFloat(d.rows[i][j], 'g', 4, 64)
}
