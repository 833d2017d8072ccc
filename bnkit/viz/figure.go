package viz

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"bnlab/internal/atomicfile"
	"bnlab/internal/say"
)

// pixelsPerInch is the resolution of PNG files: two pixels for each CSS pixel, so
// that a picture shown at its own size is crisp on fine screens too.
const pixelsPerInch = 192

// maxPixels bounds the area of a PNG.
const maxPixels = 100e6

// A Figure is a picture of a given size that draws itself as PNG, SVG and PDF. Several goroutines may draw it; they
// take turns, since drawing sets the ranges of axes.
type Figure struct {
	// Plot is the plot that is drawn, for styling beyond what this package offers;
	// nil for a picture that is no plot, as of a network.
	Plot *plot.Plot
	// Width and Height are in points, 72 to the inch; [Figure.SetWidth] sets both, in millimetres. A plot is drawn into
	// them, anything else, as a table, is made smaller where it does not fit.
	Width, Height vg.Length

	title   string
	draw    func(c draw.Canvas)
	subplot *subplot            // of a plot of this package, for rows; nil for other pictures
	keys    []key               // of the legend
	bare    func(c draw.Canvas) // draws without the legend; nil where there is none
	drawing sync.Mutex
	lacking []rune // letters that no font has, of the last PNG or PDF

	text    float64  // size in points, 0 for sizeText; see SetWidth
	natural vg.Point // the size of a drawing that is no plot; of plots the zero value
	// resize settles a plot, or a row of them, for another width, and returns the height; nil for others.
	resize  func(width vg.Length, before vg.Point) vg.Length
	settled vg.Length // the width for which it was
}

// fromPlot makes a figure of any gonum plot. Width and height are in inches; zero
// stands for 6.5 and 4.
func fromPlot(p *plot.Plot, width, height float64) *Figure {
	w, h := inches(width, height)
	f := &Figure{Plot: p, Width: w, Height: h}
	if p != nil {
		f.draw = func(c draw.Canvas) { f.Plot.Draw(c) }
	}
	return f
}

func inches(width, height float64) (w, h vg.Length) {
	if width == 0 {
		width = 6.5
	}
	if height == 0 {
		height = 4
	}
	return vg.Length(width) * vg.Inch, vg.Length(height) * vg.Inch
}

// Title returns the title of the figure, "" when it has none.
func (f *Figure) Title() string {
	if f.Plot != nil {
		return f.Plot.Title.Text
	}
	return f.title
}

// String describes the figure in a line, as in
// "Learning curve (figure of 6.5 × 4.0 inches)".
func (f *Figure) String() string {
	s := fmt.Sprintf("figure of %.1f × %.1f inches", f.Width/vg.Inch, f.Height/vg.Inch)
	if t := strings.ReplaceAll(f.Title(), "\n", " "); t != "" {
		return t + " (" + s + ")"
	}
	return s
}

// Notes returns sentences on what the last PNG or PDF of the figure, also from Save, does not show as it should; nil
// where it does: they name letters that no font here has, in whose place boxes stand, and a text that is smaller than
// [Figure.SetWidth] was asked for.
func (f *Figure) Notes() []string {
	f.drawing.Lock()
	defer f.drawing.Unlock()
	var notes []string
	if len(f.lacking) > 0 {
		notes = append(notes, lackingNote(f.lacking))
	}
	if note := f.smallNote(); note != "" {
		notes = append(notes, note)
	}
	return notes
}

// PNG returns the picture as a PNG file of [pixelsPerInch]. Letters that Liberation Sans lacks, as Chinese ones, come
// from a font of this machine where one has them, else [Figure.Notes] names them. They stand unshaped and from left to
// right, also those of Arabic; emoji that a font has only in colours count as lacking.
func (f *Figure) PNG() ([]byte, error) {
	if f.Width/vg.Inch*f.Height/vg.Inch*pixelsPerInch*pixelsPerInch > maxPixels {
		return nil, fmt.Errorf("viz: a figure of %.0f × %.0f inches is too large for a PNG file; save it as SVG",
			f.Width/vg.Inch, f.Height/vg.Inch)
	}
	var b bytes.Buffer
	err := f.render(func(s scaled) error {
		fine := max(1, int(pixelsPerInch*s.by+0.5)) // of the size before it is scaled
		c := &lettered{Canvas: vgimg.NewWith(vgimg.UseWH(s.size.X, s.size.Y), vgimg.UseDPI(fine))}
		s.draw(c)
		f.lacking = c.lacking
		return encodePNG(&b, c.Image(), float64(fine)/s.by)
	})
	if err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// SVG returns the picture as an SVG file. Text stays text, in Liberation Sans or,
// where a reader has no such font, another one drawn at the same widths; letters
// that it lacks come from the reader's fonts, which shape them. Bars,
// marked points and cells of a matrix tell their numbers when a pointer is on them.
func (f *Figure) SVG() ([]byte, error) {
	var b bytes.Buffer
	var c *hinting
	var size vg.Point
	err := f.render(func(s scaled) error {
		size = s.size
		c = &hinting{Canvas: vgsvg.New(size.X, size.Y)}
		s.draw(c)
		_, err := c.WriteTo(&b)
		return err
	})
	if err != nil {
		return nil, err
	}
	out := bytes.ReplaceAll(f.shownAt(c.into(c.wide(b.Bytes()), size.Y), size), []byte("font-family:Liberation Sans;"),
		[]byte("font-family:'Liberation Sans',Arial,Helvetica,sans-serif;"))
	return bytes.Map(xmlRune, bytes.ToValidUTF8(out, []byte("\uFFFD"))), nil
}

// xmlRune replaces what no XML file may contain, as a control character in a name.
func xmlRune(r rune) rune {
	if r < ' ' && r != '\n' && r != '\t' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
		return '\uFFFD'
	}
	return r
}

// Save writes the figure to a file, PNG, SVG or PDF by the extension of its name. The
// file appears whole or not at all.
func (f *Figure) Save(path string) error {
	var b []byte
	var err error
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".png":
		b, err = f.PNG()
	case ".svg":
		b, err = f.SVG()
	case ".pdf":
		b, err = f.PDF()
	default:
		return say.Errorf("viz: cannot save a figure as %q: the name must end in .png, .svg or .pdf", path)
	}
	if err != nil {
		return err
	}
	err = atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
	if err != nil {
		return say.Errorf("viz: %w", err)
	}
	return nil
}

// SaveBoth writes dir/name.png and dir/name.svg.
func (f *Figure) SaveBoth(dir, name string) error {
	for _, ext := range []string{".png", ".svg"} {
		if err := f.Save(filepath.Join(dir, name+ext)); err != nil {
			return err
		}
	}
	return nil
}
