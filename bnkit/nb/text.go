package nb

import "fmt"

// Printf prints like fmt.Printf, in order with pictures and tables.
func Printf(format string, args ...any) { print(fmt.Sprintf(format, args...)) }

// Println prints like fmt.Println, in order with pictures and tables.
func Println(args ...any) { print(fmt.Sprintln(args...)) }

func print(s string) {
	show().text(s)
}

// Markdown shows text with markup: headings, emphasis, lists, formulas between $.
// Outside a notebook it prints the text as it stands.
func Markdown(text string) {
	show().markdown(text)
}
