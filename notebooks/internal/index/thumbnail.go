package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/color/palette"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Of a small picture: its width in pixels, and how large its file may be.
const (
	wide = 220
	most = 15_000
)

func (e entry) thumbnail() string { return "docs/thumbnails/" + e.name + ".png" }

// thumbnail writes the small picture of a notebook, or says that it is not the one of its figure.
func thumbnail(root string, e entry, update bool) (stale string, err error) {
	figure, err := e.picture(root)
	if err != nil {
		return "", err
	}
	large, err := png.Decode(bytes.NewReader(figure))
	if err != nil {
		return "", fmt.Errorf("%s: its figure: %w", e.name, err)
	}
	want := small(large)
	path := filepath.Join(root, filepath.FromSlash(e.thumbnail()))
	if f, err := os.Open(path); err == nil {
		defer f.Close()
		if have, err := png.Decode(f); err == nil && same(have, want) {
			return "", nil
		}
	}
	if !update {
		return path + ": not the picture of its figure; go run ./notebooks/internal/index -update makes it", nil
	}
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, want); err != nil {
		return "", err
	}
	if b.Len() > most {
		return "", fmt.Errorf("%s would have %d bytes, more than %d; choose a simpler figure", path, b.Len(), most)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	return "", os.WriteFile(path, b.Bytes(), 0o644)
}

// picture is the PNG of the figure, or the first in the notebook.
func (e entry) picture(root string) ([]byte, error) {
	if e.figure != "" {
		return os.ReadFile(filepath.Join(root, "figures", filepath.FromSlash(e.figure)+".png"))
	}
	for _, c := range e.notebook.cells {
		for _, out := range c.Outputs {
			if s, ok := out.Data["image/png"].(string); ok {
				return base64.StdEncoding.DecodeString(strings.ReplaceAll(s, "\n", ""))
			}
			html := joined(out.Data["text/html"])
			if block, ok := strings.CutPrefix(html, "<div data-bnlab-figure="); ok { // as nb.Show sends a figure
				const start = `src="data:image/png;base64,`
				if _, rest, ok := strings.Cut(block, start); ok {
					file, _, _ := strings.Cut(rest, `"`)
					return base64.StdEncoding.DecodeString(file)
				}
			}
		}
	}
	return nil, fmt.Errorf("%s: no picture in its output; run it", e.name)
}

// joined is a text of a notebook, which may be a list of lines.
func joined(text any) string {
	lines, ok := text.([]any)
	if !ok {
		s, _ := text.(string)
		return s
	}
	var b strings.Builder
	for _, line := range lines {
		s, _ := line.(string)
		b.WriteString(s)
	}
	return b.String()
}

// small averages over blocks, on white, in few colours.
func small(from image.Image) *image.Paletted {
	b := from.Bounds()
	w, h := wide, max(1, wide*b.Dy()/b.Dx())
	colors := slices.Clone(palette.WebSafe)
	for grey := range 16 {
		colors = append(colors, color.Gray{uint8(grey * 17)})
	}
	to := image.NewPaletted(image.Rect(0, 0, w, h), colors)
	for y := range h {
		for x := range w {
			var sum [3]uint64
			n := uint64(0)
			for j := b.Min.Y + y*b.Dy()/h; j < b.Min.Y+max((y+1)*b.Dy()/h, y*b.Dy()/h+1); j++ {
				for i := b.Min.X + x*b.Dx()/w; i < b.Min.X+max((x+1)*b.Dx()/w, x*b.Dx()/w+1); i++ {
					red, green, blue, alpha := from.At(i, j).RGBA()
					for k, v := range [3]uint32{red, green, blue} {
						sum[k] += uint64(v + 0xffff - alpha)
					}
					n++
				}
			}
			to.Set(x, y, color.RGBA64{uint16(sum[0] / n), uint16(sum[1] / n), uint16(sum[2] / n), 0xffff})
		}
	}
	return to
}

func same(a, b image.Image) bool {
	if a.Bounds() != b.Bounds() {
		return false
	}
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			r1, g1, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			if r1 != r2 || g1 != g2 || b1 != b2 {
				return false
			}
		}
	}
	return true
}
