package nb

import (
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
	late  []*statusLine // with a state that was not shown
}

// A statusLine is a line whose states replace each other.
type statusLine struct {
	id    string
	shown time.Time
	late  string // the last state, where it came too soon after the one before it
}

// display shows something below what was shown before.
func (n *notebook) display(kind protocol.MIMEType, content any, metadata map[string]any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.settle()
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
	n.settle()
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

func (n *notebook) page(e *block) error {
	n.display(protocol.MIMETextHTML, e.html, nil)
	return nil
}

func (n *notebook) folded(page, text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.settle()
	n.id = ""
	n.send(&protocol.DisplayData{Data: map[protocol.MIMEType]any{protocol.MIMETextHTML: page,
		protocol.MIMETextPlain: text}})
}

func (n *notebook) table(g grid) { n.display(protocol.MIMETextHTML, g.html(), nil) }

// status replaces its line at most every fifth of a second, at the end, and with what came
// last when something else is shown.
func (n *notebook) status() func(s string, last bool) {
	line := &statusLine{id: "status_" + gonbui.UniqueId()}
	return func(s string, last bool) {
		n.mu.Lock()
		defer n.mu.Unlock()
		if !last && time.Since(line.shown) < time.Second/5 {
			if line.late == "" {
				n.late = append(n.late, line)
			}
			line.late = s
			return
		}
		n.replace(line, s)
	}
}

// settle brings status lines to their last state.
func (n *notebook) settle() {
	for _, line := range n.late {
		if line.late != "" {
			n.replace(line, line.late)
		}
	}
	n.late = nil
}

// replace shows a state of a status line.
func (n *notebook) replace(line *statusLine, s string) {
	if line.shown.IsZero() {
		n.id = "" // text that follows stands below
	}
	line.shown, line.late = time.Now(), ""
	n.send(&protocol.DisplayData{Data: map[protocol.MIMEType]any{protocol.MIMETextPlain: s}, DisplayID: line.id})
}
