package viz

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A key is an entry of a legend: a sample of how a series is drawn, and its name.
type key struct {
	name   string
	sample func(c draw.Canvas)
}

const (
	keyWidth  = 20 // of a sample
	keyGap    = 5  // between sample and name
	keyMargin = 14 // between entries
)

// drawKeys draws entries along the top of c, in as many rows as they need, centred
// as the title is, and returns the height they take.
func drawKeys(c draw.Canvas, keys []key) vg.Length {
	sty := style(sizeText, ink, false)
	height := sty.Height("x") + 3
	var used vg.Length
	for len(keys) > 0 {
		n, width := 0, vg.Length(-keyMargin)
		for n < len(keys) {
			w := keyMargin + keyWidth + keyGap + sty.Width(keys[n].name)
			if n > 0 && width+w > c.Max.X-c.Min.X {
				break
			}
			width += w
			n++
		}
		x := max(c.Min.X, c.Center().X-width/2)
		y := c.Max.Y - used - height/2
		for _, k := range keys[:n] {
			k.sample(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: x, Y: y - 4}, Max: vg.Point{X: x + keyWidth, Y: y + 4}}})
			middle(c, sty, x+keyWidth+keyGap, y, k.name)
			x += keyWidth + keyGap + sty.Width(k.name) + keyMargin
		}
		used += height
		keys = keys[n:]
	}
	if used > 0 {
		used += 4
	}
	return used
}
