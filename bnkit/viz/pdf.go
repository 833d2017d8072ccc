package viz

import (
	"image"
	"image/color"
	"math"
	"slices"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"bnlab/internal/pdf"
)

// PDF returns the picture as a PDF file of one page of its size. Text stays text, in Liberation Sans, of which the
// letters that are drawn are embedded; letters that it lacks are drawn as in PNG ([Figure.PNG]).
func (f *Figure) PDF() ([]byte, error) {
	var b []byte
	err := f.render(func(s scaled) error {
		c := &pdfCanvas{doc: pdf.New(f.Width.Points(), f.Height.Points()), size: s.size}
		vg.Initialize(c)
		c.doc.Transform(s.by, 0, 0, s.by, 0, 0)
		s.draw(c)
		f.lacking = c.lacking
		if c.err != nil {
			return c.err
		}
		var err error
		b, err = c.doc.Bytes(f.Title())
		return err
	})
	return b, err
}

// A pdfCanvas draws on a page.
type pdfCanvas struct {
	doc     *pdf.Document
	size    vg.Point
	widths  []vg.Length // of lines, those of Push below
	lacking []rune
	err     error // the first of a font
}

var _ vg.CanvasSizer = (*pdfCanvas)(nil)

func (c *pdfCanvas) Size() (w, h vg.Length) { return c.size.X, c.size.Y }

func (c *pdfCanvas) SetLineWidth(w vg.Length) {
	if len(c.widths) == 0 {
		c.widths = append(c.widths, 0)
	}
	c.widths[len(c.widths)-1] = w
	c.doc.LineWidth(w.Points())
}

func (c *pdfCanvas) SetLineDash(pattern []vg.Length, offset vg.Length) {
	lengths := make([]float64, len(pattern))
	for i, p := range pattern {
		lengths[i] = p.Points()
	}
	c.doc.Dash(lengths, offset.Points())
}

func (c *pdfCanvas) SetColor(col color.Color) {
	if col == nil {
		col = color.Black
	}
	c.doc.Color(col)
}

func (c *pdfCanvas) Rotate(angle float64) {
	sin, cos := math.Sincos(angle)
	c.doc.Transform(cos, sin, -sin, cos, 0, 0)
}

func (c *pdfCanvas) Translate(by vg.Point) { c.doc.Transform(1, 0, 0, 1, by.X.Points(), by.Y.Points()) }

func (c *pdfCanvas) Scale(x, y float64) { c.doc.Transform(x, 0, 0, y, 0, 0) }

func (c *pdfCanvas) Push() {
	c.doc.Push()
	c.widths = append(c.widths, c.widths[len(c.widths)-1])
}

func (c *pdfCanvas) Pop() {
	c.doc.Pop()
	c.widths = c.widths[:len(c.widths)-1]
}

func (c *pdfCanvas) Stroke(p vg.Path) {
	if len(p) > 0 && c.widths[len(c.widths)-1] > 0 {
		c.path(p)
		c.doc.Stroke()
	}
}

func (c *pdfCanvas) Fill(p vg.Path) {
	if len(p) > 0 {
		c.path(p)
		c.doc.Fill()
	}
}

func (c *pdfCanvas) path(p vg.Path) {
	var at vg.Point
	open := false
	line := func(to vg.Point) {
		if open {
			c.doc.LineTo(to.X.Points(), to.Y.Points())
		} else {
			c.doc.MoveTo(to.X.Points(), to.Y.Points())
		}
		at, open = to, true
	}
	curve := func(a, b, to vg.Point) {
		c.doc.CurveTo(a.X.Points(), a.Y.Points(), b.X.Points(), b.Y.Points(), to.X.Points(), to.Y.Points())
		at = to
	}
	for _, part := range p {
		switch part.Type {
		case vg.MoveComp:
			open = false
			line(part.Pos)
		case vg.LineComp:
			line(part.Pos)
		case vg.CurveComp:
			if len(part.Control) == 1 { // a quadratic curve
				q := part.Control[0]
				curve(at.Add(q.Sub(at).Scale(2.0/3)), part.Pos.Add(q.Sub(part.Pos).Scale(2.0/3)), part.Pos)
			} else {
				curve(part.Control[0], part.Control[1], part.Pos)
			}
		case vg.ArcComp:
			arc(part, line, curve)
		case vg.CloseComp:
			c.doc.Close()
		}
	}
}

// arc draws an arc of a circle as curves of a right angle at most.
func arc(part vg.PathComp, line func(vg.Point), curve func(a, b, to vg.Point)) {
	n := max(1, int(math.Ceil(math.Abs(part.Angle)/(math.Pi/2)-1e-9)))
	step := part.Angle / float64(n)
	along := vg.Length(4.0 / 3 * math.Tan(step/4)) // of the tangent
	on := func(angle float64) (at, tangent vg.Point) {
		sin, cos := math.Sincos(angle)
		out := vg.Point{X: vg.Length(cos), Y: vg.Length(sin)}
		return part.Pos.Add(out.Scale(part.Radius)), vg.Point{X: -out.Y, Y: out.X}.Scale(along * part.Radius)
	}
	from, slope := on(part.Start)
	line(from)
	for i := range n {
		to, next := on(part.Start + step*float64(i+1))
		curve(from.Add(slope), to.Sub(next), to)
		from, slope = to, next
	}
}

// FillString implements [vg.Canvas].
func (c *pdfCanvas) FillString(f font.Face, at vg.Point, s string) {
	if f.Font.Size == 0 || s == "" {
		return
	}
	pieces := piecesOf(f, s)
	if pieces == nil {
		pieces = []piece{{face: f, text: s}}
	}
	for _, p := range pieces {
		switch {
		case p.face.Face == f.Face && f.Face != nil:
			if err := c.doc.Text(f.Face, f.Font.Size.Points(), at.X.Points(), at.Y.Points(), p.text); c.err == nil {
				c.err = err
			}
		case p.face.Face != nil:
			c.outlines(p, at)
		case p.letter != 0:
			letterBox(c, at, p.width, f.Font.Size)
			if !slices.Contains(c.lacking, p.letter) {
				c.lacking = append(c.lacking, p.letter)
			}
		}
		at.X += p.width
	}
}

// outlines draws a letter of another font as an area: such fonts are large, and of kinds that a page does not hold.
func (c *pdfCanvas) outlines(p piece, at vg.Point) {
	defer ignorePanic() // of a damaged font
	var buf sfnt.Buffer
	em := fixed.Int26_6(p.face.Face.UnitsPerEm())
	point := func(q fixed.Point26_6) vg.Point { // their y axis points down
		size := p.face.Font.Size / vg.Length(em)
		return at.Add(vg.Point{X: vg.Length(q.X) * size, Y: -vg.Length(q.Y) * size})
	}
	for _, r := range p.text {
		g, err := p.face.Face.GlyphIndex(&buf, r)
		if err != nil {
			return
		}
		segments, err := p.face.Face.LoadGlyph(&buf, g, em, nil)
		if err != nil {
			return
		}
		var path vg.Path
		for _, s := range segments {
			switch s.Op {
			case sfnt.SegmentOpMoveTo:
				if len(path) > 0 {
					path.Close()
				}
				path.Move(point(s.Args[0]))
			case sfnt.SegmentOpLineTo:
				path.Line(point(s.Args[0]))
			case sfnt.SegmentOpQuadTo:
				path.QuadTo(point(s.Args[0]), point(s.Args[1]))
			case sfnt.SegmentOpCubeTo:
				path.CubeTo(point(s.Args[0]), point(s.Args[1]), point(s.Args[2]))
			}
		}
		c.Fill(path)
	}
}

// DrawImage implements [vg.Canvas].
func (c *pdfCanvas) DrawImage(r vg.Rectangle, img image.Image) {
	c.doc.Image(r.Min.X.Points(), r.Min.Y.Points(), r.Size().X.Points(), r.Size().Y.Points(), img)
}
