package viz

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"io"
	"maps"
	"slices"
)

// encodePNG writes an image of so many pixels to the inch in few bytes, as figures are kept in notebooks and in
// repositories: with a palette where the picture allows it, which makes the file three
// times smaller.
func encodePNG(w io.Writer, img image.Image, perInch float64) error {
	if rgba, ok := img.(*image.RGBA); ok {
		if p := paletted(rgba); p != nil {
			img = p
		}
	}
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestCompression}
	if err := e.Encode(&b, img); err != nil {
		return err
	}
	const header = 8 + 12 + 13 // the signature and the first chunk, IHDR
	for _, part := range [][]byte{b.Bytes()[:header], resolution(perInch), b.Bytes()[header:]} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// resolution is the chunk of a PNG file that says how large a pixel is (PNG
// Specification, 11.3.4.3 pHYs), so that a notebook can show the picture at its size.
func resolution(perInch float64) []byte {
	perMetre := perInch / 0.0254
	chunk := binary.BigEndian.AppendUint32(nil, 9)
	chunk = append(chunk, "pHYs"...)
	for range 2 {
		chunk = binary.BigEndian.AppendUint32(chunk, uint32(perMetre+0.5))
	}
	chunk = append(chunk, 1) // the unit is the metre
	return binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
}

// Two shades whose parts, red, green, blue and alpha, are all within faintest of 255 look alike
// at the edge of a line.
const faintest = 15

// paletted returns the image with at most 256 colours, nil when that would show. Colours of
// areas, which may stand for numbers, are kept. Of the many shades at the edges of letters and
// lines, those that are near to a more frequent one become it; how near is as little as serves.
func paletted(img *image.RGBA) *image.Paletted {
	colors, areas := shades(img)
	for within := range faintest + 1 {
		if palette, index := merge(colors, areas, within); palette != nil {
			out := image.NewPaletted(img.Rect, palette)
			last, i := colors[0], index[colors[0]]
			for at := range out.Pix {
				if c := rgba(img.Pix[4*at:]); c != last {
					last, i = c, index[c]
				}
				out.Pix[at] = i
			}
			return out
		}
	}
	return nil
}

// shades lists the colours of an image, the most frequent first, but those of areas before the
// others. An area is at least three pixels wide and high.
func shades(img *image.RGBA) (colors []color.RGBA, areas int) {
	count, area := make(map[color.RGBA]int), make(map[color.RGBA]bool)
	last, run := rgba(img.Pix), 0 // neighbours are mostly alike
	inside := false               // an area of the colour last has been seen
	for at := 0; at < len(img.Pix); at += 4 {
		if c := rgba(img.Pix[at:]); c != last {
			count[last] += run
			last, run, inside = c, 0, area[c]
		}
		if run++; !inside && run >= 3 && ofArea(img, at) {
			area[last], inside = true, true
		}
	}
	count[last] += run
	colors = slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		if area[a] != area[b] {
			if area[a] {
				return -1
			}
			return 1
		}
		return cmp.Or(count[b]-count[a], cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B),
			cmp.Compare(a.A, b.A))
	})
	return colors, len(area)
}

// ofArea reports whether the pixel at a place in Pix is the last of nine of one colour, three
// by three.
func ofArea(img *image.RGBA, at int) bool {
	first := at - 2*img.Stride - 8
	if first < 0 || at%img.Stride < 8 {
		return false
	}
	row := img.Pix[first : first+12]
	for _, b := range [][]uint8{row[4:8], row[8:12]} {
		if !bytes.Equal(b, row[:4]) {
			return false
		}
	}
	return bytes.Equal(img.Pix[first+img.Stride:][:12], row) && bytes.Equal(img.Pix[first+2*img.Stride:][:12], row)
}

// merge gives each colour, the most frequent first, the place in a palette of one that differs
// by no more than within in each part, itself for the first, which are of areas. The palette is
// nil when 256 do not do.
func merge(colors []color.RGBA, areas, within int) (palette color.Palette, index map[color.RGBA]uint8) {
	index = make(map[color.RGBA]uint8, len(colors))
	var kept []color.RGBA
	for i, c := range colors {
		at, far := len(kept), within+1
		if i >= areas {
			for k, other := range kept {
				if d := apart(c, other); d < far {
					at, far = k, d
				}
			}
		}
		if at == len(kept) {
			if at == 256 {
				return nil, nil
			}
			kept, palette = append(kept, c), append(palette, c)
		}
		index[c] = uint8(at)
	}
	return palette, index
}

// apart is the largest difference of a part.
func apart(a, b color.RGBA) int {
	d := 0
	for _, parts := range [4][2]uint8{{a.R, b.R}, {a.G, b.G}, {a.B, b.B}, {a.A, b.A}} {
		d = max(d, int(max(parts[0], parts[1])-min(parts[0], parts[1])))
	}
	return d
}

func rgba(pix []uint8) color.RGBA { return color.RGBA{pix[0], pix[1], pix[2], pix[3]} }
