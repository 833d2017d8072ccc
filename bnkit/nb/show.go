package nb

import (
	"fmt"
	"io"
	"os"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"bnlab/bnkit/viz"
)

// A Picture draws itself as PNG. Those of package viz do, as [*viz.Figure].
type Picture interface {
	PNG() ([]byte, error)
}

// out takes the plain text outside a notebook; tests replace it.
var out io.Writer = os.Stdout

// Show shows pictures, one below the other. A picture that cannot be drawn ends the
// cell; see [Must].
func Show(pictures ...Picture) {
	for _, p := range pictures {
		if !gonbui.IsNotebook {
			fmt.Fprintf(out, "[%s]\n", describe(p))
			continue
		}
		b, err := p.PNG()
		Check(err)
		send(protocol.MIMEImagePNG, b, size(p))
	}
	sync()
}

// describe is the line that stands for a picture outside a notebook.
func describe(p Picture) string {
	if s, ok := p.(fmt.Stringer); ok {
		return s.String()
	}
	return fmt.Sprintf("%T", p)
}

// size tells the notebook to show a figure at its own size, 96 pixels to the inch;
// its PNG is finer than that.
func size(p Picture) map[string]any {
	f, ok := p.(*viz.Figure)
	if !ok {
		return nil
	}
	const pixels = 96.0 / 72
	return map[string]any{string(protocol.MIMEImagePNG): map[string]int{
		"width":  int(float64(f.Width)*pixels + 0.5),
		"height": int(float64(f.Height)*pixels + 0.5),
	}}
}

// send displays data of one kind.
func send(kind protocol.MIMEType, content any, metadata map[string]any) {
	gonbui.SendData(&protocol.DisplayData{Data: map[protocol.MIMEType]any{kind: content}, Metadata: metadata})
}

// sync waits until everything shown has arrived, so that the end of the cell does not
// lose it.
func sync() {
	if gonbui.IsNotebook && gonbui.Open() == nil {
		gonbui.Sync()
	}
}
