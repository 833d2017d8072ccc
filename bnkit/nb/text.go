package nb

import (
	"fmt"
	"strings"
)

// Printf prints like fmt.Printf, in order with pictures and tables. Control characters but
// tabs and line breaks are shown as Go writes them, ESC as \x1b: a name that came with a
// file cannot command a terminal.
func Printf(format string, args ...any) { print(fmt.Sprintf(format, args...)) }

// Println prints like fmt.Println, in order with pictures and tables; see [Printf].
func Println(args ...any) { print(fmt.Sprintln(args...)) }

func print(s string) {
	show().text(visible(strings.ReplaceAll(s, "\r\n", "\n"), "\n\t"))
}
