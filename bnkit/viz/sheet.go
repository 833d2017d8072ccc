package viz

import (
	"image/color"
	"strconv"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A sheet is a table of cells that finds its own column widths and row heights. The
// first row is the header.
type sheet struct {
	rows    [][]cell
	widths  []vg.Length
	heights []vg.Length
	foot    string
	notes   []string // numbered sentences below the table
	note    string   // a last sentence, without a number
	lines   []note   // the notes in lines
}

// A note is a line of a sentence: the number, before the first of a numbered one, stands at
// the edge, and so does the whole of one that has none.
type note struct{ number, text string }

// A cell is a text of one or more lines, with a small number after it perhaps, a colour
// behind and an interval below.
type cell struct {
	text  string
	small string
	style text.Style
	align text.XAlignment // XLeft, XCenter or XRight
	fill  *color.NRGBA
	span  *span // only where there is a fill
}

const (
	cellX    = 7  // room at each side of a cell
	cellLine = 12 // height of a line
	cellY    = 3  // room above and below
	footLine = 16

	notesGap   = 8  // between the table and the notes
	noteIndent = 16 // room for the number of a note
)

// smallStyle is that of the small number of a cell.
func (c cell) smallStyle() text.Style {
	sty := style(7, faint, false)
	if c.fill != nil {
		sty.Color = mix(ink, *c.fill, 0.3)
	}
	return sty
}

func (c cell) width() vg.Length {
	if c.text == "" {
		return 0
	}
	w := c.textWidth()
	if c.span != nil {
		w = max(w, spanWidth)
	}
	return w + 2*cellX
}

func (c cell) textWidth() vg.Length {
	w := c.style.Width(c.text)
	if c.small != "" {
		w += 4 + c.smallStyle().Width(c.small)
	}
	return w
}

// add appends a row.
func (s *sheet) add(row []cell) {
	lines, strip := 1, vg.Length(0)
	for i, c := range row {
		if c.span != nil {
			strip = spanHeight
		}
		if i == len(s.widths) {
			s.widths = append(s.widths, 0)
		}
		s.widths[i] = max(s.widths[i], c.width())
		lines = max(lines, strings.Count(c.text, "\n")+1)
	}
	s.rows = append(s.rows, row)
	s.heights = append(s.heights, vg.Length(lines)*cellLine+2*cellY+strip)
}

func (s *sheet) size() (w, h vg.Length) {
	// Columns of colour are equally wide, so that they can be compared.
	var widest vg.Length
	for _, row := range s.rows[1:] {
		for i, c := range row {
			if c.fill != nil {
				widest = max(widest, s.widths[i])
			}
		}
	}
	for _, row := range s.rows[1:] {
		for i, c := range row {
			if c.fill != nil {
				s.widths[i] = widest
			}
		}
	}
	for _, x := range s.widths {
		w += x
	}
	for _, x := range s.heights {
		h += x
	}
	if s.foot != "" {
		h += footLine
	}
	if s.notes != nil || s.note != "" {
		w = max(w, 330)
		s.lines = nil
		for i, sentence := range s.notes {
			number := strconv.Itoa(i + 1)
			for _, line := range wrap(style(sizeSmall, ink, false), sentence, w-2*cellX-noteIndent) {
				s.lines = append(s.lines, note{number, line})
				number = ""
			}
		}
		if s.note != "" {
			for _, line := range wrap(style(sizeSmall, ink, false), s.note, w-2*cellX) {
				s.lines = append(s.lines, note{line, ""})
			}
		}
		h += vg.Length(len(s.lines))*cellLine + notesGap
	}
	return w, h
}

// draw draws the sheet from the upper left corner of c.
func (s *sheet) draw(c draw.Canvas) {
	y := c.Max.Y
	for r, row := range s.rows {
		x := c.Min.X
		for i, cl := range row {
			cl.draw(c, vg.Rectangle{Min: vg.Point{X: x, Y: y - s.heights[r]}, Max: vg.Point{X: x + s.widths[i], Y: y}})
			x += s.widths[i]
		}
		y -= s.heights[r]
	}
	y = c.Max.Y
	for r := range s.rows {
		y -= s.heights[r]
		line := draw.LineStyle{Color: rule, Width: 0.5}
		if r == 0 {
			line = draw.LineStyle{Color: ink, Width: 0.8}
		}
		c.StrokeLine2(line, c.Min.X, y, c.Max.X, y)
	}
	if s.foot != "" {
		sty := style(sizeText, faint, false)
		middle(c, sty, c.Min.X+cellX, y-footLine/2, s.foot)
		y -= footLine
	}
	y -= notesGap
	sty := style(sizeSmall, ink, false)
	for _, n := range s.lines {
		middle(c, sty, c.Min.X+cellX, y-cellLine/2, n.number)
		middle(c, sty, c.Min.X+cellX+noteIndent, y-cellLine/2, n.text)
		y -= cellLine
	}
}

func (cl cell) draw(c draw.Canvas, place vg.Rectangle) {
	if cl.fill != nil {
		c.SetColor(*cl.fill)
		c.Fill(place.Path())
	}
	if cl.text == "" {
		return
	}
	if cl.span != nil {
		cl.span.draw(c, place, *cl.fill)
		place.Min.Y += spanHeight
	}
	w := cl.textWidth()
	x := place.Min.X + cellX
	switch cl.align {
	case draw.XCenter:
		x = (place.Min.X + place.Max.X - w) / 2
	case draw.XRight:
		x = place.Max.X - cellX - w
	}
	lines := strings.Split(cl.text, "\n")
	y := (place.Min.Y+place.Max.Y)/2 + vg.Length(len(lines)-1)*cellLine/2
	for _, line := range lines {
		middle(c, cl.style, x, y, line)
		y -= cellLine
	}
	if cl.small != "" {
		sty := cl.smallStyle()
		middle(c, sty, x+w-sty.Width(cl.small), y+cellLine, cl.small)
	}
}

// middle writes a line that begins at x with its capitals centred on y.
func middle(c draw.Canvas, sty text.Style, x, y vg.Length, s string) {
	c.FillText(sty, vg.Point{X: x, Y: y - 0.35*sty.Font.Size - baseline(sty)}, s)
}
