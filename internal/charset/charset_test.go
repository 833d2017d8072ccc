package charset_test

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"bnlab/internal/charset"
)

// The bytes are those of the code charts: € is 0x80 in Windows-1252 and U+20AC, é 0xe9, 𝛼 the pair D835 DEFC.
func TestReader(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		encoding       charset.Encoding
		cr             bool
	}{
		{"UTF-8 as it is", "é\xff\r\nx\r", "é\xff\r\nx\r", charset.UTF8, false},
		{"CR", "a\rb\r\rc\r", "a\nb\n\nc\n", charset.UTF8, true},
		{"CR beside CRLF", "a\rb\r\nc\n", "a\nb\r\nc\n", charset.UTF8, true},
		{"Windows-1252", "caf\xe9 \x80\x93\x81", "café €“\u0081", charset.Windows1252, false},
		{"UTF-16LE", "a\x00\xe9\x00\xac\x20\x35\xd8\xfc\xde", "aé€𝛼", charset.UTF16LE, false},
		{"UTF-16BE", "\x00a\x00\xe9\x20\xac\xd8\x35\xde\xfc", "aé€𝛼", charset.UTF16BE, false},
		{"UTF-16, half a pair, half a unit", "\x35\xd8a\x00b", "\ufffda\ufffd", charset.UTF16LE, false},
	} {
		in := iotest.OneByteReader(strings.NewReader(c.in))
		got, err := io.ReadAll(charset.NewReader(in, c.encoding, c.cr))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %q, error %v, want %q", c.name, got, err, c.want)
		}
	}
	long := strings.Repeat("é,1\r", 100_000)
	got, err := io.ReadAll(charset.NewReader(strings.NewReader(long), charset.UTF8, true))
	if err != nil || string(got) != strings.ReplaceAll(long, "\r", "\n") {
		t.Errorf("a long text: %d bytes, error %v", len(got), err)
	}
}

func TestEndsInCR(t *testing.T) {
	for text, want := range map[string]bool{
		"a,b\r1,2\r": true, "a,b\n1,2\n": false, "a,b\r\n1,2\r\n": false, "a,b": false, "a,b\r": false, "": false,
		"\"a\nb\"\r1\r": true, "\"a\rb\"\n1\n": false, "a\r\r1\r": true, "a\r\r\nb\r\r\n": false,
	} {
		if charset.EndsInCR([]byte(text)) != want {
			t.Errorf("EndsInCR(%q) = %v", text, !want)
		}
	}
}

func TestParse(t *testing.T) {
	for name, want := range map[string]charset.Encoding{
		"UTF-8": charset.UTF8, "Latin1": charset.Windows1252, "ISO-8859-1": charset.Windows1252,
		"windows-1252": charset.Windows1252, "UTF-16LE": charset.UTF16LE, "utf-16be": charset.UTF16BE,
	} {
		if got, err := charset.Parse(name); err != nil || got != want {
			t.Errorf("Parse(%q) = %v, error %v", name, got, err)
		}
	}
	if _, err := charset.Parse("iso-8859-15"); err == nil {
		t.Error("iso-8859-15 is read")
	}
}
