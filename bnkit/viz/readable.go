package viz

import (
	"image/color"
	"math"
)

// enoughContrast is what WCAG 2.1 asks of small text.
const enoughContrast = 4.5

// readable returns a colour for small text on a fill: the colour itself, or so much ink in it, white on a dark fill,
// that the contrast is enough or nothing of the colour is left.
func readable(c, fill color.Color) color.NRGBA {
	plain, end := color.NRGBAModel.Convert(c).(color.NRGBA), ink
	if dark(fill) {
		end = white
	}
	for t := 0.0; t < 1; t += 0.05 {
		if mixed := mix(plain, end, t); contrast(mixed, fill) >= enoughContrast {
			return mixed
		}
	}
	return end
}

// contrast is the contrast ratio of WCAG 2.1, from 1 to 21.
func contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// luminance is the relative luminance of an sRGB colour, from 0 to 1.
func luminance(c color.Color) float64 {
	linear := func(part uint32) float64 {
		v := float64(part) / 0xffff
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	r, g, b, _ := c.RGBA()
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}
