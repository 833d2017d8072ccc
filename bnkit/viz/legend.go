package viz

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A key is an entry of a legend: a sample of how a series is drawn, and its name.
type key struct {
	name   string
	look   string // the same where series are drawn alike; empty where nothing is compared
	sample func(c draw.Canvas)
}

const (
	keyWidth  = 26 // of a sample
	keyGap    = 5  // between sample and name
	keyMargin = 14 // between entries
)

// width is that of the entry without its margin.
func (k key) width() vg.Length {
	return keyWidth + keyGap + style(sizeText, ink, false).Width(k.name)
}

// A keyRow is a line of a legend.
type keyRow struct {
	keys  []key
	width vg.Length
}

// keyRows sets entries in as many rows of the given width as they need; a name longer
// than a row is cut.
func keyRows(keys []key, width vg.Length) []keyRow {
	sty := style(sizeText, ink, false)
	var rows []keyRow
	for _, k := range keys {
		k.name = shorten(sty, k.name, width-keyWidth-keyGap)
		last := len(rows) - 1
		if last < 0 || rows[last].width+keyMargin+k.width() > width {
			rows = append(rows, keyRow{[]key{k}, k.width()})
			continue
		}
		rows[last].keys = append(rows[last].keys, k)
		rows[last].width += keyMargin + k.width()
	}
	return rows
}

// keysHeight is the height that rows of a legend take.
func keysHeight(rows []keyRow) vg.Length {
	if len(rows) == 0 {
		return 0
	}
	return vg.Length(len(rows))*keyHeight() + 4
}

func keyHeight() vg.Length { return style(sizeText, ink, false).Height("x") + 3 }

// keysWidth is the width of the widest row.
func keysWidth(rows []keyRow) vg.Length {
	var w vg.Length
	for _, r := range rows {
		w = max(w, r.width)
	}
	return w
}

// drawKeys draws rows of a legend along the top of c, centred as the title is.
func drawKeys(c draw.Canvas, rows []keyRow) {
	sty := style(sizeText, ink, false)
	height := keyHeight()
	y := c.Max.Y - height/2
	for _, r := range rows {
		x := max(c.Min.X, c.Center().X-r.width/2)
		for _, k := range r.keys {
			k.sample(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: x, Y: y - 4}, Max: vg.Point{X: x + keyWidth, Y: y + 4}}})
			middle(c, sty, x+keyWidth+keyGap, y, k.name)
			x += k.width() + keyMargin
		}
		y -= height
	}
}
