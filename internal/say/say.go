// Package say words errors. What strangers wrote (names, cells, words of a file, what a library answers) is kept
// short, and nothing in it reaches a terminal as a command.
package say

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	mostOfName  = 60   // bytes of a name in a list
	mostOfQuote = 250  // of a text in quotes: a name, a cell, a path
	mostOfText  = 2000 // of a text without, which may be a sentence or a list
	mostInAll   = 8000 // of an error
	mostNames   = 20   // of a list
)

// Errorf is [fmt.Errorf] for errors that hold more than numbers. Texts among args are cut when they are long, with
// "…" for the rest, lists as [List] cuts them; characters that do not print stand as escapes, such as \x1b. Ordinary
// texts stand as fmt.Errorf writes them.
func Errorf(format string, args ...any) error {
	for _, arg := range args {
		if foreign(arg) && !strings.Contains(format, "%T") {
			return clean(fmt.Errorf(format, parts(args)...))
		}
	}
	return clean(fmt.Errorf(format, args...))
}

// Sprintf is [fmt.Sprintf] for what is to stand in an error, by the rules of [Errorf].
func Sprintf(format string, args ...any) string {
	for _, arg := range args {
		if foreign(arg) && !strings.Contains(format, "%T") {
			return Text(fmt.Sprintf(format, parts(args)...))
		}
	}
	return Text(fmt.Sprintf(format, args...))
}

// clean is the error, or one that wraps it and prints as Text.
func clean(err error) error {
	message := err.Error()
	if text := Text(message); text != message {
		return &cleaned{text, err}
	}
	return err
}

// A cleaned error prints otherwise than the error that it wraps.
type cleaned struct {
	text string
	error
}

func (e *cleaned) Error() string { return e.text }
func (e *cleaned) Unwrap() error { return e.error }

// foreign tells whether an argument may print as what a stranger wrote. Errors do, and are left to clean: %w wants
// them as they are.
func foreign(arg any) bool {
	switch arg.(type) {
	case nil, error, bool, int, int64, float64, uint64, rune, byte:
		return false
	}
	switch k := reflect.TypeOf(arg).Kind(); {
	case k >= reflect.Bool && k <= reflect.Complex128, k == reflect.Func:
		return false
	}
	return true
}

func parts(args []any) []any {
	list := make([]any, len(args))
	for i, arg := range args {
		if list[i] = arg; foreign(arg) {
			list[i] = part{arg}
		}
	}
	return list
}

// A part is an argument of which no more than enough is printed.
type part struct{ arg any }

func (p part) Format(f fmt.State, verb rune) {
	how, arg := fmt.FormatString(f, verb), p.arg
	v := reflect.ValueOf(arg)
	_, prints := arg.(fmt.Stringer)
	_, formats := arg.(fmt.Formatter)
	switch {
	case prints || formats:
	case v.Kind() == reflect.String && verb == 'q':
		arg = cut(v.String(), mostOfQuote)
	case v.Kind() == reflect.String:
		arg = escape(cut(v.String(), mostOfText), "")
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.String && (verb == 'q' || verb == 'v'):
		fmt.Fprint(f, listed(v, how))
		return
	}
	fmt.Fprint(f, cut(fmt.Sprintf(how, arg), mostOfText))
}

// listed is a slice of texts as fmt prints it, in brackets, without what are too many.
func listed(v reflect.Value, how string) string {
	var b strings.Builder
	b.WriteByte('[')
	for i := range min(v.Len(), mostNames) {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, how, part{v.Index(i).Interface()})
	}
	if more := v.Len() - mostNames; more > 0 {
		fmt.Fprintf(&b, " and %d more", more)
	}
	b.WriteByte(']')
	return b.String()
}

// Text is a finished error without characters that do not print, except ends of lines and tabs, nor words without
// end, nor pages.
func Text(s string) string {
	plain, run := true, 0
	for i := 0; i < len(s) && plain; i++ {
		if run++; s[i] == ' ' || s[i] == '\n' {
			run = 0
		}
		plain = run <= mostOfQuote && (s[i] >= ' ' && s[i] < 0x7f || s[i] == '\n' || s[i] == '\t')
	}
	if plain && len(s) <= mostInAll {
		return s
	}
	s = escape(s, "\n\t")
	var b strings.Builder
	for len(s) > 0 {
		end := strings.IndexAny(s, " \n")
		if end < 0 {
			end = len(s)
		}
		b.WriteString(cut(s[:end], 2*mostOfQuote))
		if end < len(s) {
			end++
			b.WriteByte(s[end-1])
		}
		s = s[end:]
	}
	s = b.String()
	if len(s) <= mostInAll {
		return s
	}
	tail := len(s) - mostInAll/4
	for !utf8.RuneStart(s[tail]) {
		tail++
	}
	return cut(s, mostInAll*3/4) + s[tail:]
}

// Name is a name as it stands in a list: itself, in quotes when it is empty, begins or ends with a space or has
// characters that do not print, and cut as [Short] does.
func Name(s string) string {
	s = Short(s)
	if s == "" || s != strings.TrimSpace(s) || escape(s, "") != s {
		return strconv.Quote(s)
	}
	return s
}

// Short cuts a name or a cell that is long, and leaves characters as they are: for %q.
func Short[T string | []byte](s T) string {
	if len(s) > mostOfName {
		return cut(string(s[:mostOfName+1]), mostOfName)
	}
	return string(s)
}

// List joins names by commas, each as [Name] writes it, the first twenty of them: "a, b and 3 more".
func List(names []string) string { return list(names, Name) }

// Quoted is List with each name in quotes.
func Quoted(names []string) string {
	return list(names, func(s string) string { return strconv.Quote(Short(s)) })
}

func list(names []string, name func(string) string) string {
	var b strings.Builder
	for i, s := range names[:min(len(names), mostNames)] {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(name(s))
	}
	if more := len(names) - mostNames; more > 0 {
		fmt.Fprintf(&b, " and %d more", more)
	}
	return b.String()
}

// cut is the beginning of a long text.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}

// escape writes characters that do not print as Go does, except some.
func escape(s, except string) string {
	odd := func(r rune) bool { return !strconv.IsPrint(r) && !strings.ContainsRune(except, r) }
	if !strings.ContainsFunc(s, odd) && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 || odd(r) {
			q := strconv.Quote(s[:n])
			b.WriteString(q[1 : len(q)-1])
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}
