package netdoc

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
	"bnlab/internal/textpos"
)

// MaxBytes is the size from which a file is refused, unless a reader is told otherwise.
const MaxBytes = 256 << 20

// MaxDepth is how deep elements, braces and parentheses may be nested.
const MaxDepth = 64

// ErrTooLarge is wrapped by errors about files above the limit on their size.
var ErrTooLarge = bn.ErrTooLarge

// ReadAll reads a file of about size bytes, and of at most limit, 0 meaning MaxBytes.
func ReadAll(r io.Reader, size, limit int64) ([]byte, error) {
	if limit <= 0 {
		limit = MaxBytes
	}
	var b bytes.Buffer
	b.Grow(int(max(0, min(size, limit))) + bytes.MinRead)
	if _, err := b.ReadFrom(io.LimitReader(r, limit+1)); err != nil {
		return nil, err
	}
	if int64(b.Len()) > limit {
		return nil,
			say.Errorf("%w: more than %d bytes; raise MaxBytes of format.Reader if the file is meant to be read",
				ErrTooLarge, limit)
	}
	return b.Bytes(), nil
}

// A Text is the source that a reader walks over.
type Text struct {
	Format string
	Src    []byte
}

// NewText returns the text of a file without its byte order mark. It returns an error
// for what is no text: UTF-16 and binary files, among them encrypted ones.
func NewText(format string, src []byte) (Text, error) {
	t := Text{Format: format, Src: textpos.Lines(bytes.TrimPrefix(src, []byte("\xef\xbb\xbf")))}
	if bytes.HasPrefix(src, []byte("\xff\xfe")) || bytes.HasPrefix(src, []byte("\xfe\xff")) {
		return t, t.ErrorAt(0, "%w: the file is in UTF-16; save it as UTF-8", ErrUnsupported)
	}
	if at := bytes.IndexByte(t.Src, 0); at >= 0 {
		return t, t.ErrorAt(at, "%w: the file is binary or encrypted; save it as text, without a password",
			ErrUnsupported)
	}
	return t, nil
}

// ErrorAt returns a [*textpos.Error] about the byte at offset at.
func (t Text) ErrorAt(at int, format string, args ...any) error {
	return textpos.At(t.Format, t.Src, at, say.Errorf(format, args...))
}

// LineOf returns the line of the byte at offset at, counted from 1.
func (t Text) LineOf(at int) int { return textpos.Line(t.Src, at) }

// Latin1 returns src, in ISO 8859-1 or its subset ASCII, as UTF-8.
func Latin1(src []byte) []byte {
	out := make([]byte, 0, len(src)+len(src)/8)
	for _, c := range src {
		out = utf8.AppendRune(out, rune(c))
	}
	return out
}

// windows1252 turns text read as ISO 8859-1 to what it is in Windows-1252, which has letters
// and quotes where the other has control characters.
var windows1252 = strings.NewReplacer(
	"\u0080", "€", "\u0082", "‚", "\u0083", "ƒ", "\u0084", "„", "\u0085", "…", "\u0086", "†", "\u0087", "‡",
	"\u0088", "ˆ", "\u0089", "‰", "\u008a", "Š", "\u008b", "‹", "\u008c", "Œ", "\u008e", "Ž",
	"\u0091", "‘", "\u0092", "’", "\u0093", "“", "\u0094", "”", "\u0095", "•", "\u0096", "–", "\u0097", "—",
	"\u0098", "˜", "\u0099", "™", "\u009a", "š", "\u009b", "›", "\u009c", "œ", "\u009e", "ž", "\u009f", "Ÿ")

// Windows1252 returns src, in Windows-1252, as UTF-8.
func Windows1252(src []byte) []byte { return []byte(windows1252.Replace(string(Latin1(src)))) }

// NotUTF8 says that a file was read as Windows-1252.
const NotUTF8 = "The file is not UTF-8 and was read as Windows-1252; letters beyond a to z may be others. Save it as " +
	"UTF-8 if they are."

// NewPlainText is NewText for formats that do not name their encoding: what is no UTF-8 is
// taken as Windows-1252, since these tools run there, which lost says.
func NewPlainText(format string, src []byte) (t Text, lost string, err error) {
	t, err = NewText(format, src)
	if err == nil && !utf8.Valid(t.Src) {
		t.Src, lost = Windows1252(t.Src), NotUTF8
	}
	return t, lost, err
}

// ParsePoint reads a place such as (73, 165) or (73 165).
func ParsePoint(text string) (Point, bool) {
	text = strings.NewReplacer("(", " ", ")", " ", ",", " ").Replace(text)
	words := strings.Fields(text)
	if len(words) != 2 {
		return Point{}, false
	}
	x, ok := ParseNumber(words[0])
	y, also := ParseNumber(words[1])
	return Point{x, y}, ok && also
}
