package nb

import (
	"os"
	"sync"

	"github.com/janpfeifer/gonb/gonbui"
)

// A screen is where things are shown: a notebook, or plain text. Its methods return
// when what they show has arrived, so that the end of the program does not lose it.
type screen interface {
	text(s string) // in letters of one width
	table(g grid)
	picture(p picture) error
	page(p *block) error
	folded(page, text string) // a page of which parts can be unfolded, and the same as text
	beside(parts []part) error
	// status opens a line that later calls replace.
	status() func(s string, last bool)
}

// current is the screen of this program, settled on its first use; tests set it.
var (
	current screen
	once    sync.Once
)

func show() screen {
	once.Do(func() {
		if current != nil {
			return
		}
		if gonbui.IsNotebook {
			current = &notebook{send: newLink().send}
		} else {
			current = &plain{out: standard{&os.Stdout}, err: standard{&os.Stderr}}
		}
	})
	return current
}

// A picture draws itself as PNG, and may as SVG too. Those of package viz do, as [*viz.Figure].
type picture interface {
	PNG() ([]byte, error)
}

// Show displays figures, one below the other: as SVG where a script can put it in the place of the PNG, unless it has
// more than 200 kB. What the PNG does not show, as letters that no font here has, stands in a line below. A figure that
// cannot be drawn ends the cell; see [Must].
func Show(pictures ...picture) {
	for _, p := range pictures {
		NoError(show().picture(p))
	}
}
