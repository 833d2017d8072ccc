// Package pdf writes a drawing as a PDF file of one page (ISO 32000-1): paths, images, and text in embedded fonts, of
// which only the letters that are drawn are kept. The same drawing is the same file byte for byte: it has no date.
package pdf

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strconv"
	"unicode/utf16"

	"golang.org/x/image/font/sfnt"
)

// A Document is a page that is drawn on, from the lower left corner, in points.
type Document struct {
	width, height float64
	page          bytes.Buffer // what is drawn
	fonts         []*face
	alphas        []uint8 // opacities, each with its state
	images        []image.Image
}

// New returns an empty page.
func New(width, height float64) *Document { return &Document{width: width, height: height} }

// op writes numbers and an operator.
func (d *Document) op(operator string, numbers ...float64) {
	for _, x := range numbers {
		d.page.WriteString(number(x))
		d.page.WriteByte(' ')
	}
	d.page.WriteString(operator)
	d.page.WriteByte('\n')
}

// number prints a thousandth of a point at most; what is no number is 0.
func number(x float64) string {
	if math.IsNaN(x) || math.Abs(x) > 1e6 {
		x = 0
	}
	b := strconv.AppendFloat(nil, x, 'f', 4, 64)
	b = bytes.TrimRight(b, "0")
	if b = bytes.TrimSuffix(b, []byte(".")); string(b) == "-0" || len(b) == 0 {
		return "0"
	}
	return string(b)
}

// Push keeps colours, lines and coordinates until Pop.
func (d *Document) Push() { d.op("q") }

// Pop takes back what was set since Push.
func (d *Document) Pop() { d.op("Q") }

// Transform multiplies the coordinates by a matrix, its rows (a, b), (c, d) and (e, f).
func (d *Document) Transform(a, b, c, dd, e, f float64) {
	for i, x := range []float64{a, b, c, dd} { // they may be small
		if i > 0 {
			d.page.WriteByte(' ')
		}
		d.page.WriteString(strconv.FormatFloat(x, 'f', 7, 64))
	}
	d.page.WriteByte(' ')
	d.op("cm", e, f)
}

// Color sets that of lines and areas.
func (d *Document) Color(c color.Color) {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	rgb := []float64{float64(n.R) / 255, float64(n.G) / 255, float64(n.B) / 255}
	d.op("rg", rgb...)
	d.op("RG", rgb...)
	at := slices.Index(d.alphas, n.A)
	if at < 0 {
		at, d.alphas = len(d.alphas), append(d.alphas, n.A)
	}
	fmt.Fprintf(&d.page, "/A%d gs\n", at)
}

// LineWidth sets the width of lines.
func (d *Document) LineWidth(w float64) { d.op("w", w) }

// Dash sets the lengths of dashes and gaps; none for a whole line.
func (d *Document) Dash(lengths []float64, offset float64) {
	d.page.WriteByte('[')
	for _, x := range lengths {
		d.page.WriteString(number(x) + " ")
	}
	d.page.WriteString("] ")
	d.op("d", offset)
}

// MoveTo, LineTo, CurveTo and Close make a path, which Fill or Stroke draws.
func (d *Document) MoveTo(x, y float64) { d.op("m", x, y) }

// LineTo adds a line to a path.
func (d *Document) LineTo(x, y float64) { d.op("l", x, y) }

// CurveTo adds a cubic Bézier curve to a path.
func (d *Document) CurveTo(x1, y1, x2, y2, x, y float64) { d.op("c", x1, y1, x2, y2, x, y) }

// Close closes a path.
func (d *Document) Close() { d.op("h") }

// Fill fills a path.
func (d *Document) Fill() { d.op("f") }

// Stroke draws a path as a line.
func (d *Document) Stroke() { d.op("S") }

// Image draws a picture in a rectangle.
func (d *Document) Image(x, y, width, height float64, img image.Image) {
	d.Push()
	d.Transform(width, 0, 0, height, x, y)
	fmt.Fprintf(&d.page, "/I%d Do\n", len(d.images))
	d.Pop()
	d.images = append(d.images, img)
}

// Text writes a line from its left end on the base line, with the font's kerning.
func (d *Document) Text(f *sfnt.Font, size, x, y float64, text string) error {
	of, at, err := d.face(f)
	if err != nil {
		return err
	}
	shown, err := of.show(text)
	if err != nil {
		return err
	}
	d.op("BT")
	fmt.Fprintf(&d.page, "/F%d ", at)
	d.op("Tf", size)
	d.op("Td", x, y)
	d.page.WriteString(shown + " TJ\n")
	d.op("ET")
	return nil
}

// face is a font as it is used here.
func (d *Document) face(f *sfnt.Font) (*face, int, error) {
	for i, of := range d.fonts {
		if of.font == f {
			return of, i, nil
		}
	}
	of, err := newFace(f)
	if err != nil {
		return nil, 0, err
	}
	d.fonts = append(d.fonts, of)
	return of, len(d.fonts) - 1, nil
}

// Bytes returns the file, with a title for the window that shows it.
func (d *Document) Bytes(title string) ([]byte, error) {
	w := &writer{}
	w.b.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n") // the second line says that it is binary
	catalog, pages, page, info := w.next(), w.next(), w.next(), w.next()
	var fonts, states, images bytes.Buffer
	for i, f := range d.fonts {
		at, err := f.write(w)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&fonts, "/F%d %d 0 R ", i, at)
	}
	for i, a := range d.alphas {
		share := number(float64(a) / 255)
		fmt.Fprintf(&states, "/A%d << /ca %s /CA %s >> ", i, share, share)
	}
	for i, img := range d.images {
		fmt.Fprintf(&images, "/I%d %d 0 R ", i, w.image(img))
	}
	content := w.next()
	w.stream(content, "", d.page.Bytes())
	w.object(catalog, fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R >>", pages))
	w.object(pages, fmt.Sprintf("<< /Type /Pages /Kids [%d 0 R] /Count 1 >>", page))
	w.object(page, fmt.Sprintf("<< /Type /Page /Parent %d 0 R /MediaBox [0 0 %s %s] /Contents %d 0 R /Resources "+
		"<< /Font << %s>> /ExtGState << %s>> /XObject << %s>> >> >>", pages, number(d.width), number(d.height), content,
		&fonts, &states, &images))
	w.object(info, fmt.Sprintf("<< /Producer (bnlab) /Title %s >>", unicodeText(title)))
	return w.end(catalog, info), nil
}

// unicodeText is a text in UTF-16, as hexadecimal digits.
func unicodeText(s string) string {
	out := "<FEFF"
	for _, u := range utf16.Encode([]rune(s)) {
		out += fmt.Sprintf("%04X", u)
	}
	return out + ">"
}

// A writer writes numbered objects.
type writer struct {
	b     bytes.Buffer
	begin []int // of objects, from 1
}

// next reserves a number.
func (w *writer) next() int {
	w.begin = append(w.begin, 0)
	return len(w.begin)
}

func (w *writer) object(n int, text string) {
	w.begin[n-1] = w.b.Len()
	fmt.Fprintf(&w.b, "%d 0 obj\n%s\nendobj\n", n, text)
}

// stream writes compressed bytes with the entries of their dictionary.
func (w *writer) stream(n int, entries string, b []byte) {
	var packed bytes.Buffer
	z, _ := zlib.NewWriterLevel(&packed, zlib.BestCompression) // the level is one, and a buffer takes everything
	z.Write(b)
	z.Close()
	w.begin[n-1] = w.b.Len()
	fmt.Fprintf(&w.b, "%d 0 obj\n<< %s /Filter /FlateDecode /Length %d >>\nstream\n", n, entries, packed.Len())
	w.b.Write(packed.Bytes())
	w.b.WriteString("\nendstream\nendobj\n")
}

// image writes a picture with its opacity, and returns its number.
func (w *writer) image(img image.Image) int {
	r := img.Bounds()
	rgb, mask := make([]byte, 0, 3*r.Dx()*r.Dy()), make([]byte, 0, r.Dx()*r.Dy())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
			rgb, mask = append(rgb, c.R, c.G, c.B), append(mask, c.A)
		}
	}
	size := fmt.Sprintf("/Type /XObject /Subtype /Image /Width %d /Height %d /BitsPerComponent 8", r.Dx(), r.Dy())
	at, soft := w.next(), w.next()
	w.stream(soft, size+" /ColorSpace /DeviceGray", mask)
	w.stream(at, fmt.Sprintf("%s /ColorSpace /DeviceRGB /SMask %d 0 R", size, soft), rgb)
	return at
}

// end writes where the objects are.
func (w *writer) end(catalog, info int) []byte {
	at := w.b.Len()
	fmt.Fprintf(&w.b, "xref\n0 %d\n0000000000 65535 f \n", len(w.begin)+1)
	for _, begin := range w.begin {
		fmt.Fprintf(&w.b, "%010d 00000 n \n", begin)
	}
	fmt.Fprintf(&w.b, "trailer\n<< /Size %d /Root %d 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(w.begin)+1,
		catalog, info, at)
	return w.b.Bytes()
}
