package nb

import (
	"html"
	"strings"
	"sync"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// notebook shows things in the output of a cell.
type notebook struct {
	send func(d *protocol.DisplayData) // waits until d has arrived

	mu    sync.Mutex
	id    string // of the block of text that is being written, "" when none is
	block strings.Builder
}

// display shows something below what was shown before.
func (n *notebook) display(kind protocol.MIMEType, content any, metadata map[string]any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.id = ""
	n.send(&protocol.DisplayData{Data: map[protocol.MIMEType]any{kind: content}, Metadata: metadata})
}

// text adds to the block of text at the end of the output, so that lines printed one
// by one stand together.
func (n *notebook) text(s string) {
	if s == "" {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.id == "" {
		n.id = "text_" + gonbui.UniqueId()
		n.block.Reset()
	}
	n.block.WriteString(s)
	n.send(&protocol.DisplayData{
		Data:      map[protocol.MIMEType]any{protocol.MIMETextPlain: strings.TrimRight(n.block.String(), "\n")},
		DisplayID: n.id,
	})
}

func (n *notebook) markdown(s string) { n.display(protocol.MIMETextMarkdown, s, nil) }

func (n *notebook) picture(p Picture) error {
	b, err := p.PNG()
	if err != nil {
		return err
	}
	n.display(protocol.MIMEImagePNG, b, pngSize(b))
	return nil
}

// table writes an HTML table. The alignment is part of each cell, because notebooks
// leave style sheets out.
func (n *notebook) table(g grid) {
	var b strings.Builder
	line := func(tag string, cells []string) {
		b.WriteString("<tr>")
		for i, c := range cells {
			style := "text-align:left"
			if g.numeric[i] {
				style = "text-align:right;white-space:nowrap" // 1e-07 has a hyphen
			}
			b.WriteString("<" + tag + ` style="` + style + `">` + html.EscapeString(c) + "</" + tag + ">")
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("<table>\n<thead>")
	line("th", g.header)
	b.WriteString("</thead>\n<tbody>\n")
	for _, row := range g.rows {
		line("td", row)
	}
	b.WriteString("</tbody>\n</table>\n")
	if g.foot != "" {
		b.WriteString("<p>" + html.EscapeString(g.foot) + "</p>\n")
	}
	n.display(protocol.MIMETextHTML, b.String(), nil)
}

// status replaces its line at most every fifth of a second, and at the end.
func (n *notebook) status() func(s string, last bool) {
	id := "status_" + gonbui.UniqueId()
	var shown time.Time
	return func(s string, last bool) {
		if !last && time.Since(shown) < time.Second/5 {
			return
		}
		n.mu.Lock()
		defer n.mu.Unlock()
		if shown.IsZero() {
			n.id = "" // text that follows stands below
		}
		shown = time.Now()
		n.send(&protocol.DisplayData{Data: map[protocol.MIMEType]any{protocol.MIMETextPlain: s}, DisplayID: id})
	}
}
