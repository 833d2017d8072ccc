package viz

import (
	"image"
	"image/color"
	"math/rand/v2"
	"testing"
)

// squares paints n squares of side 4, each in a colour of its own, and single points of other
// shades between them.
func squares(n int, shade func(i int) color.RGBA, points func(i int) color.RGBA) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, 16*8, (n+15)/16*8))
	for i := range (n + 15) / 16 * 16 {
		x, y := i%16*8, i/16*8
		for dy := range 8 {
			for dx := range 8 {
				c := points(64*i + 8*dy + dx)
				if i < n && dx < 4 && dy < 4 {
					c = shade(i)
				}
				img.SetRGBA(x+dx, y+dy, c)
			}
		}
	}
	return img
}

// Areas keep their colours, however near these are, and what is a line's edge moves by no more
// than faintest.
func TestPalettedKeepsAreas(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0))
	near := func(i int) color.RGBA { return color.RGBA{100, uint8(100 + i%2), uint8(i), 255} }
	img := squares(160, near, func(int) color.RGBA {
		k := uint8(random.IntN(120))
		return color.RGBA{200, k, 255 - k/2, 255}
	})
	out := paletted(img)
	if out == nil || len(out.Palette) > 256 {
		t.Fatal("160 areas and a line of shades between them do not fit a palette")
	}
	moved := 0
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			is, was := color.RGBAModel.Convert(out.At(x, y)).(color.RGBA), img.RGBAAt(x, y)
			if d := apart(is, was); d > faintest || d > 0 && x%8 < 4 && y%8 < 4 {
				t.Fatalf("point %d, %d: %v has become %v", x, y, was, is)
			} else if d > 0 {
				moved++
			}
		}
	}
	if moved == 0 {
		t.Error("no shade has moved, so nothing is tested")
	}
}

// A picture of few colours stays as it is; one of too many areas, or of edges too unlike each
// other, has no palette.
func TestPalettedOrNot(t *testing.T) {
	white := func(int) color.RGBA { return color.RGBA{255, 255, 255, 255} }
	ramp := func(i int) color.RGBA { return color.RGBA{uint8(i), uint8(i >> 8), 0, 255} }
	for _, n := range []int{1, 255, 256} {
		img := squares(n, ramp, white)
		out := paletted(img)
		if (out != nil) != (n+1 <= 256) {
			t.Fatalf("%d areas on white have a palette: %v", n, out != nil)
		}
		if out == nil {
			continue
		}
		for at := range out.Pix {
			if c := rgba(img.Pix[4*at:]); color.RGBAModel.Convert(out.Palette[out.Pix[at]]) != c {
				t.Fatalf("%d areas on white: %v has changed", n, c)
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 0))
	if paletted(squares(16, ramp, func(int) color.RGBA {
		return color.RGBA{uint8(random.Uint32()), uint8(random.Uint32()), uint8(random.Uint32()), 255}
	})) != nil {
		t.Error("noise of all colours has a palette")
	}
}
