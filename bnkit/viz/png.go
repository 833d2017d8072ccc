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

// encodePNG writes an image in few bytes, as figures are kept in notebooks and in
// repositories: with a palette where the picture allows it, which makes the file three
// times smaller.
func encodePNG(w io.Writer, img image.Image) error {
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
	for _, part := range [][]byte{b.Bytes()[:header], resolution(), b.Bytes()[header:]} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// resolution is the chunk of a PNG file that says how large a pixel is (PNG
// Specification, 11.3.4.3 pHYs), so that a notebook can show the picture at its size.
func resolution() []byte {
	perMetre := PixelsPerInch / 0.0254
	chunk := binary.BigEndian.AppendUint32(nil, 9)
	chunk = append(chunk, "pHYs"...)
	for range 2 {
		chunk = binary.BigEndian.AppendUint32(chunk, uint32(perMetre+0.5))
	}
	chunk = append(chunk, 1) // the unit is the metre
	return binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
}

// areas is the number of most frequent colours that are kept exactly: those of areas.
const areas = 64

// paletted returns the image with at most 256 colours, nil when that would show. The
// areas keep their colours. Of the many shades at the edges of letters and lines, those
// that agree in the first four bits of each part, or more, become the most frequent one
// among them.
func paletted(img *image.RGBA) *image.Paletted {
	seen := make(map[color.RGBA]int)
	last, run := rgba(img.Pix), 0 // neighbours are mostly alike
	for at := 0; at < len(img.Pix); at += 4 {
		if c := rgba(img.Pix[at:]); c != last {
			seen[last] += run
			last, run = c, 0
		}
		run++
	}
	seen[last] += run
	colors := slices.SortedFunc(maps.Keys(seen), func(a, b color.RGBA) int {
		return cmp.Or(seen[b]-seen[a], cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B), cmp.Compare(a.A, b.A))
	})
	for bits := 8; bits >= 4; bits-- {
		if palette, index := merge(colors, bits); len(palette) <= 256 {
			out := image.NewPaletted(img.Rect, palette)
			last, i := colors[0], uint8(index[colors[0]])
			for at := range out.Pix {
				if c := rgba(img.Pix[4*at:]); c != last {
					last, i = c, uint8(index[c])
				}
				out.Pix[at] = i
			}
			return out
		}
	}
	return nil
}

// merge gives each colour, the most frequent first, a place in a palette.
func merge(colors []color.RGBA, bits int) (palette color.Palette, index map[color.RGBA]int) {
	index = make(map[color.RGBA]int, len(colors))
	coarse := make(map[color.RGBA]int)
	for i, c := range colors {
		mask := uint8(0xff) << (8 - bits)
		key := color.RGBA{c.R & mask, c.G & mask, c.B & mask, c.A & mask}
		at, ok := coarse[key]
		if i < areas || !ok {
			at = len(palette)
			palette = append(palette, c)
		}
		if !ok {
			coarse[key] = at
		}
		index[c] = at
	}
	return palette, index
}

func rgba(pix []uint8) color.RGBA { return color.RGBA{pix[0], pix[1], pix[2], pix[3]} }
