package textpos_test

import (
	"errors"
	"fmt"
	"testing"

	"bnlab/internal/textpos"
)

func TestAt(t *testing.T) {
	cause := errors.New("bn: no such thing")
	src := []byte("ab\n\nç d")
	for _, c := range []struct {
		offset, line, column int
	}{{-1, 1, 1}, {0, 1, 1}, {1, 1, 2}, {2, 1, 3}, {3, 2, 1}, {4, 3, 1}, {6, 3, 3}, {8, 3, 5}, {99, 3, 5}} {
		e := textpos.At("dot", src, c.offset, cause)
		if e.Line != c.line || e.Column != c.column || textpos.Line(src, c.offset) != c.line {
			t.Errorf("offset %d is at %d:%d, want %d:%d", c.offset, e.Line, e.Column, c.line, c.column)
		}
	}
}

func TestError(t *testing.T) {
	cause := errors.New("bn: no such thing")
	err := fmt.Errorf("wrapped: %w", textpos.At("dot", []byte("a"), 0, cause))
	if want := "wrapped: dot: line 1, column 1: no such thing"; err.Error() != want || !errors.Is(err, cause) {
		t.Errorf("error %q, want %q", err, want)
	}
	textpos.Name(err, "a.dot")
	textpos.Name(cause, "a.dot") // has no place for it
	named := textpos.At("arff", []byte("a"), 1, cause)
	textpos.NameColon(named, "a.arff")
	for _, c := range []struct {
		err  error
		want string
	}{
		{errors.Unwrap(err), "dot: a.dot, line 1, column 1: no such thing"},
		{named, "arff: a.arff: line 1, column 2: no such thing"},
		{&textpos.Error{Format: "knowledge", File: "k.yaml", Line: 2, Column: 3, Statement: 4,
			Err: errors.New("constraint: bn: x")}, "knowledge: k.yaml, line 2, column 3, statement 4: x"},
		{&textpos.Error{Format: "knowledge", Err: cause}, "knowledge: no such thing"},
	} {
		if c.err.Error() != c.want {
			t.Errorf("error %q, want %q", c.err, c.want)
		}
	}
}

func TestLines(t *testing.T) {
	for text, want := range map[string]string{
		"a\rb\r": "a\nb\n", "a\r\nb\r\n": "a\r\nb\r\n", "a\nb\n": "a\nb\n", "": "", "\r": "\n", "a": "a",
		"a\rb\rc\n": "a\nb\nc\n", "x\n\"x\ry\"\n": "x\n\"x\ry\"\n", "a\r\nb\rc\rd": "a\r\nb\rc\rd",
		"a\rb\r\nc\n\r": "a\nb\r\nc\n\n",
	} {
		if got := string(textpos.Lines([]byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
