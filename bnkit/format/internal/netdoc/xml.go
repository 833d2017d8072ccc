package netdoc

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"bnlab/internal/num"
	"bnlab/internal/say"
	"bnlab/internal/textpos"
)

// maxElements bounds the elements of an XML file, which take more memory than file.
const maxElements = 1 << 21

// An Element is one of an XML file.
type Element struct {
	Name     string
	Attrs    []xml.Attr
	Children []*Element
	Text     string // of the element itself, comments left out
	At       int    // its place
	TextAt   int    // the place of Text
}

// encoding finds the encoding that an XML declaration names.
var encoding = regexp.MustCompile(`^\s*<\?xml[^>]*\bencoding\s*=\s*["']([A-Za-z0-9._-]+)["']`)

// ParseXML reads an XML file. Besides what is no XML it refuses entities of the file's own
// (a few lines of them can stand for gigabytes), elements nested deeper than MaxDepth, and
// encodings other than UTF-8, ISO 8859-1, Windows-1252 and ASCII.
func ParseXML(format string, src []byte) (Text, *Element, error) {
	t, err := NewText(format, src)
	if err != nil {
		return t, nil, err
	}
	if m := encoding.FindSubmatch(t.Src[:min(len(t.Src), 200)]); m != nil {
		switch strings.ToLower(string(m[1])) {
		case "utf-8", "utf8":
		case "iso-8859-1", "latin1", "us-ascii", "ascii":
			t.Src = Latin1(t.Src)
		case "windows-1252", "cp1252":
			t.Src = Windows1252(t.Src)
		default:
			return t, nil, t.ErrorAt(0, "%w: the encoding %s; save the file as UTF-8", ErrUnsupported, m[1])
		}
	}
	if err := t.checkTags(); err != nil {
		return t, nil, err
	}
	d := xml.NewDecoder(bytes.NewReader(t.Src))
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // done above
	root, err := t.tree(d)
	var syntax *xml.SyntaxError
	var placed *textpos.Error
	switch {
	case errors.As(err, &syntax):
		err = t.ErrorAt(int(d.InputOffset()), "%s", syntax.Msg)
	case err != nil && !errors.As(err, &placed):
		err = t.ErrorAt(int(d.InputOffset()), "%s", strings.TrimPrefix(err.Error(), "xml: "))
	}
	return t, root, err
}

// maxTag bounds what stands between < and >, whose attributes take more memory than file.
const maxTag = 1 << 20

// checkTags refuses a tag or comment longer than maxTag.
func (t Text) checkTags() error {
	for at := 0; ; {
		open := bytes.IndexByte(t.Src[at:], '<')
		if open < 0 {
			return nil
		}
		at += open
		length := bytes.IndexByte(t.Src[at:], '>')
		if length < 0 {
			length = len(t.Src) - at
		}
		if length > maxTag {
			return t.ErrorAt(at, "%w: a tag or comment of more than %d bytes", ErrTooLarge, maxTag)
		}
		at += max(length, 1)
	}
}

// tree reads the elements of a file.
func (t Text) tree(d *xml.Decoder) (*Element, error) {
	top := &Element{}
	open := []*Element{top}
	texts := []*strings.Builder{{}}
	count := 0
	for {
		at := int(d.InputOffset())
		token, err := d.RawToken()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		last := len(open) - 1
		switch x := token.(type) {
		case xml.StartElement:
			if count++; count > maxElements {
				return nil, t.ErrorAt(at, "%w: more than %d elements", ErrTooLarge, maxElements)
			}
			if len(open) > MaxDepth {
				return nil, t.ErrorAt(at, "elements nested deeper than %d", MaxDepth)
			}
			e := &Element{Name: x.Name.Local, Attrs: x.Attr, At: at}
			open[last].Children = append(open[last].Children, e)
			open, texts = append(open, e), append(texts, &strings.Builder{})
		case xml.EndElement:
			if last == 0 || open[last].Name != x.Name.Local {
				return nil, t.ErrorAt(at, "</%s> closes no element", x.Name.Local)
			}
			open[last].Text = texts[last].String()
			open, texts = open[:last], texts[:last]
		case xml.CharData:
			if texts[last].Len() == 0 {
				open[last].TextAt = at
			}
			texts[last].Write(x)
		case xml.Directive:
			if bytes.Contains(bytes.ToUpper(x), []byte("<!ENTITY")) {
				return nil, t.ErrorAt(at, "%w: the file defines entities of its own", ErrUnsupported)
			}
		}
	}
	if last := len(open) - 1; last > 0 {
		return nil, t.ErrorAt(len(t.Src), "<%s> in line %d is not closed", open[last].Name, t.LineOf(open[last].At))
	}
	if len(top.Children) != 1 || strings.TrimSpace(texts[0].String()) != "" {
		return nil, t.ErrorAt(0, "the file is no XML: one element should enclose all")
	}
	return top.Children[0], nil
}

// Attr returns the value of an attribute, "" when there is none.
func (e *Element) Attr(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// Child returns the first child of a name, in small letters or capitals, nil when there is none.
func (e *Element) Child(name string) *Element {
	for _, c := range e.Children {
		if strings.EqualFold(c.Name, name) {
			return c
		}
	}
	return nil
}

// Once returns an error at the second child of any of the names: a reader takes one of them,
// and the other would be lost without a word.
func (t Text) Once(e *Element, names ...string) error {
	for _, name := range names {
		first := e.Child(name)
		for _, c := range e.Children {
			if c != first && strings.EqualFold(c.Name, name) {
				return t.ErrorAt(c.At, "a second <%s> in <%s>, the first is in line %d", c.Name, say.Short(e.Name),
					t.LineOf(first.At))
			}
		}
	}
	return nil
}

// Fields are the words of an element's text with their places.
func (e *Element) Fields() []Ref {
	var out []Ref
	e.each(func(r Ref) error { out = append(out, r); return nil })
	return out
}

// each calls f for each word of the text.
func (e *Element) each(f func(Ref) error) error {
	for i := 0; i < len(e.Text); {
		if isSpace(e.Text[i]) {
			i++
			continue
		}
		from := i
		for i < len(e.Text) && !isSpace(e.Text[i]) {
			i++
		}
		if err := f(Ref{e.Text[from:i], e.TextAt + from}); err != nil {
			return err
		}
	}
	return nil
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// Probabilities are the numbers of an element's text, never nil.
func (t Text) Probabilities(e *Element) ([]float64, error) {
	if len(e.Children) > 0 {
		return nil, t.ErrorAt(e.Children[0].At, "<%s> has no place among the numbers of <%s>",
			say.Short(e.Children[0].Name), e.Name)
	}
	out := make([]float64, 0, len(e.Text)/8)
	err := e.each(func(r Ref) error {
		x, ok := ParseProbability(r.Name)
		if !ok {
			return t.ErrorAt(r.At, "found %q where a number should stand", say.Short(r.Name))
		}
		if !num.NearProbability(x) && x == x {
			return t.ErrorAt(r.At, "%s is not a probability; tables hold numbers between 0 and 1", say.Short(r.Name))
		}
		out = append(out, x)
		return nil
	})
	return out, err
}

// EscapeXML writes text so that it reads back as it is. Characters that XML cannot hold are
// for the caller to refuse or to encode; see IsXML.
func EscapeXML(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch r {
		case '&':
			b.WriteString("&amp;")
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '"':
			b.WriteString("&quot;")
		case '\t', '\n', '\r':
			fmt.Fprintf(&b, "&#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// IsXML reports whether XML can hold a text.
func IsXML(text string) bool {
	for _, r := range text {
		if r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff || r == utf8.RuneError {
			return false
		}
	}
	return true
}
