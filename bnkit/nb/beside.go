package nb

import (
	"errors"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"bnlab/internal/say"
)

// SideBySide displays frames and figures in a row, one below the other where the window is narrow. A string is the
// caption of what follows it; anything else is printed as fmt.Sprint does.
//
//	nb.SideBySide("at first", nb.Must(nb.Network(model)), "with 30 cases more", nb.Must(nb.Network(updated)))
//	nb.SideBySide("plain", plainScores, "informed", informedScores)
//
// Frames are as [Table] shows them. A figure that cannot be drawn, a frame that carries an error, and a caption of
// nothing end the cell; see [Must].
func SideBySide(parts ...any) {
	p, err := partsOf(parts)
	NoError(err)
	NoError(show().beside(p))
}

// A part is one of several things side by side: a picture, a table or, where there is neither, a text.
type part struct {
	caption string
	picture picture
	grid    *grid
	text    string
}

func partsOf(given []any) ([]part, error) {
	var parts []part
	var next part
	pending := false // a caption
	for i, v := range given {
		switch v := v.(type) {
		case nil:
			return nil, fmt.Errorf("nb: argument %d of SideBySide is nil", i+1)
		case string:
			if pending {
				return nil, say.Errorf("nb: the captions %q and %q follow each other; one stands before each part",
					next.caption, v)
			}
			next.caption, pending = visible(v, ""), true
			continue
		case dataframe.DataFrame:
			g, err := newGrid(v, tableRows)
			if err != nil {
				return nil, err
			}
			next.grid = &g
		case picture:
			next.picture = v
		default:
			next.text = visible(fmt.Sprint(v), "\n\t")
		}
		parts = append(parts, next)
		next, pending = part{}, false
	}
	if pending {
		return nil, say.Errorf("nb: the caption %q has nothing after it; to show a text, use Println", next.caption)
	}
	if len(parts) == 0 {
		return nil, errors.New("nb: there is nothing to show side by side")
	}
	return parts, nil
}

// beside shows the parts as one block, each of which scrolls when it alone is wider than the window.
func (n *notebook) beside(parts []part) error {
	var b strings.Builder
	b.WriteString(`<div` + verbatim + ` style="display:flex;flex-wrap:wrap;align-items:flex-start;gap:8px 24px">` + "\n")
	for _, p := range parts {
		b.WriteString(`<figure style="margin:0;min-width:0;max-width:100%;overflow-x:auto">` + "\n")
		if p.caption != "" {
			b.WriteString(`<figcaption style="font-weight:bold">` + html.EscapeString(p.caption) + "</figcaption>\n")
		}
		switch {
		case p.picture != nil:
			img, err := image(p.picture, p.caption)
			if err != nil {
				return err
			}
			b.WriteString(img)
		case p.grid != nil:
			b.WriteString(p.grid.html())
		default:
			b.WriteString("<pre>" + html.EscapeString(p.text) + "</pre>\n")
		}
		b.WriteString("</figure>\n")
	}
	b.WriteString("</div>\n")
	n.display(protocol.MIMETextHTML, b.String(), nil)
	return nil
}

// image is a picture within HTML.
func image(p picture, caption string) (string, error) {
	file, err := p.PNG()
	if err != nil {
		return "", err
	}
	packed, err := packedSVG(p)
	if err != nil {
		return "", err
	}
	alt := caption
	if _, ok := p.(fmt.Stringer); ok {
		alt = strings.TrimPrefix(alt+": "+about(p), ": ")
	}
	shown := imageHTML(file, packed, alt)
	for _, note := range notesOf(p) {
		shown += "<pre>" + html.EscapeString(note) + "</pre>\n"
	}
	return shown, nil
}

// beside shows the parts one below the other.
func (p *plain) beside(parts []part) error {
	for _, part := range parts {
		if part.caption != "" {
			if _, err := fmt.Fprintln(p.out, part.caption+":"); err != nil {
				return err
			}
		}
		switch {
		case part.picture != nil:
			if err := p.picture(part.picture); err != nil {
				return err
			}
		case part.grid != nil:
			p.table(*part.grid)
		default:
			if _, err := io.WriteString(p.out, part.text+"\n"); err != nil {
				return err
			}
		}
	}
	return nil
}
