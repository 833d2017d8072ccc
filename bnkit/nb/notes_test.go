package nb

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/janpfeifer/gonb/gonbui/protocol"

	"bnlab/bnkit/viz"
)

// noted is a figure that lacks something.
type noted struct{ *viz.Figure }

func (noted) Notes() []string { return []string{"the letters <重>, \x1b cannot be drawn"} }

// unscripted has no SVG.
type unscripted struct{ of noted }

func (p unscripted) PNG() ([]byte, error) { return p.of.PNG() }
func (p unscripted) Notes() []string      { return p.of.Notes() }

// What a picture does not show stands below it, once, in a notebook and in plain text.
func TestPictureNotes(t *testing.T) {
	const want = `the letters <重>, \x1b cannot be drawn`
	p := noted{figure(t)}
	for _, p := range []picture{p, unscripted{p}} {
		sent := recorder(t)
		Show(p)
		if len(*sent) != 2 || (*sent)[1].Data[protocol.MIMETextPlain] != want {
			t.Errorf("%T: sent %v, want the picture, then %q", p, *sent, want)
		}
		sent = recorder(t)
		SideBySide("a", p, "b", figure(t))
		page := fmt.Sprint((*sent)[0].Data[protocol.MIMETextHTML])
		if strings.Count(page, `<pre>the letters &lt;重&gt;, \x1b cannot be drawn</pre>`) != 1 ||
			strings.Count(page, "cannot be drawn") != 1 {
			t.Error("side by side, the note does not stand once")
		}
		var out bytes.Buffer
		use(t, &plain{out: &out, err: &out})
		Show(p, figure(t))
		if strings.Count(out.String(), "]\n"+want+"\n[") != 1 {
			t.Errorf("plain text is %q", out.String())
		}
	}
	if notes := notesOf(figure(t)); notes != nil {
		t.Errorf("a whole figure has notes: %q", notes)
	}
}
