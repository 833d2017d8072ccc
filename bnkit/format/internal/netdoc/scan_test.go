package netdoc

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"bnlab/internal/say"
	"bnlab/internal/textpos"
)

func scanner(src string) *Scanner {
	return &Scanner{Text: Text{Format: "test", Src: []byte(src)}, Line: "//", Block: true}
}

func TestScanner(t *testing.T) {
	s := scanner("a_1 -.5e-3 /* x */ \"q\\\"u\\\\o\\n\" // end\n{2-1}é#")
	var kinds, texts []string
	for t := s.Next(); t.Kind != End; t = s.Next() {
		kinds, texts = append(kinds, string(t.Kind)), append(texts, t.Text)
	}
	if got := strings.Join(kinds, ""); got != `a0"{00}?#` {
		t.Errorf("kinds %s of %q", got, texts)
	}
	if texts[1] != "-.5e-3" || texts[2] != "q\"u\\o\n" || texts[5] != "-1" {
		t.Errorf("texts %q", texts)
	}
	if back := scanner(Quote("q\"u\\o\n\t")).Next().Text; back != "q\"u\\o\n\t" {
		t.Errorf("a quoted string reads back as %q", back)
	}
}

func TestScannerRefuses(t *testing.T) {
	for _, x := range []struct {
		src          string
		line, column int
		want         string
	}{
		{"a\n  \"open", 2, 3, "string that begins here is not closed"},
		{"a /* open", 1, 3, "comment that begins here is not closed"},
		{strings.Repeat("(", 65), 1, 65, "nested deeper than 64"},
		{"a = (1;", 1, 8, "the file ends"},
	} {
		s := scanner(x.src)
		err := s.Skip(';')
		var at *textpos.Error
		if !errors.As(err, &at) || at.Line != x.line || at.Column != x.column ||
			!strings.Contains(err.Error(), x.want) {
			t.Errorf("%q: %v, want line %d, column %d, %q", x.src, err, x.line, x.column, x.want)
		}
	}
	for _, x := range []string{"nan", "inf", "0x1", "1_000", "", "1e", "--1", "1e999"} {
		if _, ok := ParseNumber(x); ok {
			t.Errorf("%q is read as a number", x)
		}
	}
}

func TestMinusZero(t *testing.T) {
	if x, ok := ParseNumber("-0"); !ok || math.Signbit(x) {
		t.Errorf("-0 is read as %v", x)
	}
}

func TestLinear(t *testing.T) {
	var n Normal
	s := scanner("0.5+2*x - y*3 -1 + x )")
	if err := s.Linear(&n, nil); err != nil {
		t.Fatal(err)
	}
	if n.Intercept != -0.5 || len(n.Weights) != 2 || n.Weights[0].W != 3 || n.Weights[1].W != -3 {
		t.Errorf("%+v", n)
	}
	for _, src := range []string{"", "+", "2*", "2*3", "x*x", "x*2*3", "x/2", "exp(x)", "1+*", "-f(1)", "1_0"} {
		if err := scanner(src).Linear(new(Normal), nil); err == nil {
			t.Errorf("%q is read as a linear function", src)
		}
	}
	var long strings.Builder
	for i := range 1001 {
		fmt.Fprintf(&long, "+x%d", i)
	}
	if err := scanner(long.String()).Linear(new(Normal), nil); err == nil ||
		!strings.Contains(err.Error(), "more than 1000 parents") {
		t.Errorf("a sum over 1001 parents: %v", err)
	}
}

func TestXMLRefuses(t *testing.T) {
	for _, x := range []struct {
		src          string
		line, column int
		want         string
	}{
		{"<!DOCTYPE a [\n<!ENTITY lol \"lol\">]><a>&lol;</a>", 1, 1, "entities of its own"},
		{"<!DOCTYPE a [<!ELEMENT a ANY><!entity % x SYSTEM 'file:///etc/passwd'>]><a/>", 1, 1, "entities of its own"},
		{"<a>&nbsp;</a>", 1, 10, "nbsp"},
		{"<a>\n<b></a>", 2, 4, "closes no element"},
		{"<a>\n<b>", 2, 4, "is not closed"},
		{"</a>", 1, 1, "closes no element"},
		{"<a/><b/>", 1, 1, "one element"},
		{"a", 1, 1, "no XML"},
		{"", 1, 1, "no XML"},
		{strings.Repeat("<a>", 65), 1, 193, "deeper than 64"},
		{"<a " + strings.Repeat("b='' ", 1<<18) + "/>", 1, 1, "tag or comment of more than 1048576"},
		{"<a><b", 1, 6, "unexpected EOF"},
		{"<a \x00>", 1, 4, "encrypted"},
		{"<?xml version='1.0' encoding='EBCDIC'?><a/>", 1, 1, "encoding EBCDIC"},
		{"<?xml version='0'?><a/>", 1, 20, "version"},
		{"\xff\xfe<", 1, 1, "UTF-16"},
	} {
		_, _, err := ParseXML("test", []byte(x.src))
		var at *textpos.Error
		if !errors.As(err, &at) || at.Line != x.line || at.Column != x.column ||
			!strings.Contains(err.Error(), x.want) {
			t.Errorf("%q: %v, want line %d, column %d, %q", say.Short(x.src), err, x.line, x.column, x.want)
		}
	}
	_, e, err := ParseXML("test", []byte("<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>"))
	if err != nil || e.Text != "é" {
		t.Errorf("ISO 8859-1: %v", err)
	}
	_, e, err = ParseXML("test",
		[]byte("<?xml version='1.0' encoding='windows-1252'?><a>\x93\xe9\x94 \x80\x8a\x9f</a>"))
	if err != nil || e.Text != "“é” €ŠŸ" {
		t.Errorf("Windows-1252: %v", err)
	}
}

func TestReadAll(t *testing.T) {
	if _, err := ReadAll(strings.NewReader("12345"), 5, 4); !errors.Is(err, ErrTooLarge) {
		t.Errorf("five bytes pass a limit of four: %v", err)
	}
	if src, err := ReadAll(strings.NewReader("12345"), 5, 5); err != nil || len(src) != 5 {
		t.Error(err)
	}
}
