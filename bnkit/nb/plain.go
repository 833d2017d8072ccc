package nb

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"
)

// plain shows things as text, for scripts and tests.
type plain struct {
	out, err io.Writer
}

// standard is the standard output or error of the moment, as fmt.Print takes it.
type standard struct{ file **os.File }

func (s standard) Write(b []byte) (int, error) { return (*s.file).Write(b) }

func (p *plain) text(s string) { io.WriteString(p.out, s) }

// picture draws the picture too, so that a script fails where a cell would.
func (p *plain) picture(pic picture) error {
	if _, err := pic.PNG(); err != nil {
		return err
	}
	s := fmt.Sprintf("%T", pic)
	if d, ok := pic.(fmt.Stringer); ok {
		s = d.String()
	}
	if _, err := fmt.Fprintf(p.out, "[%s]\n", visible(s, "")); err != nil {
		return err
	}
	for _, note := range notesOf(pic) {
		if _, err := fmt.Fprintln(p.out, note); err != nil {
			return err
		}
	}
	return nil
}

// page stands in a line, as a picture does.
func (p *plain) page(e *block) error {
	_, err := fmt.Fprintf(p.out, "[%s]\n", visible(e.about, ""))
	return err
}

func (p *plain) folded(_, text string) { p.text(text) }

func (p *plain) table(g grid) {
	widths := make([]int, len(g.header))
	for i, h := range g.header {
		widths[i] = utf8.RuneCountInString(h)
		for _, row := range g.rows {
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
		}
	}
	line := func(cells []string) {
		var b strings.Builder
		for i, c := range cells {
			if i > 0 {
				b.WriteString("  ")
			}
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c))
			if g.numeric[i] {
				c = pad + c
			} else {
				c += pad
			}
			b.WriteString(c)
		}
		fmt.Fprintln(p.out, strings.TrimRight(b.String(), " "))
	}
	if g.caption != "" {
		fmt.Fprintln(p.out, g.caption)
	}
	line(g.header)
	for _, row := range g.rows {
		line(row)
	}
	if g.foot != "" {
		fmt.Fprintln(p.out, g.foot)
	}
}

// status prints a line at most every two seconds, and the last one.
func (p *plain) status() func(s string, last bool) {
	shown := time.Now()
	return func(s string, last bool) {
		if last || time.Since(shown) >= 2*time.Second {
			shown = time.Now()
			fmt.Fprintln(p.err, visible(s, ""))
		}
	}
}
