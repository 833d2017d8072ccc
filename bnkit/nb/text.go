package nb

import (
	"fmt"
	"strings"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// Printf prints like fmt.Printf, in order with pictures and tables.
func Printf(format string, args ...any) { print(fmt.Sprintf(format, args...)) }

// Println prints like fmt.Println, in order with pictures and tables.
func Println(args ...any) { print(fmt.Sprintln(args...)) }

// print shows plain text as it stands, in letters of one width.
func print(s string) {
	if !gonbui.IsNotebook {
		fmt.Fprint(out, s)
		return
	}
	if s = strings.TrimRight(s, "\n"); s != "" {
		send(protocol.MIMETextPlain, s, nil)
		sync()
	}
}

// Markdown shows text with markup: headings, emphasis, lists, formulas between $.
// Outside a notebook it prints the text as it stands.
func Markdown(text string) {
	if !gonbui.IsNotebook {
		fmt.Fprintln(out, strings.TrimRight(text, "\n"))
		return
	}
	gonbui.DisplayMarkdown(text)
	sync()
}
