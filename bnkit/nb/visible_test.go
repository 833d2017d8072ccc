package nb

import (
	"bytes"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// hostile is a frame whose names and cells try to colour the terminal, to set its title
// and to look like more rows and columns.
func hostile() dataframe.DataFrame {
	return dataframe.New(
		series.New([]string{"a\nb", "\x1b]0;title\a"}, series.String, "\x1b[31mred"),
		series.New([]string{"back\r", "tab\there"}, series.String, "two\nlines"),
		series.New([]string{"\u202eright to left", "\xc2\x9b2J and \x9b2J"}, series.String, `back\slash`),
		// the last with a zero-width non-joiner
		series.New([]string{"Zoë 東京", "نمی\u200cخواهم"}, series.String, "text"),
	)
}

func TestTableOfHostileNames(t *testing.T) {
	var out bytes.Buffer
	use(t, &plain{out: &out, err: &out})
	Table(hostile())
	want := `
\x1b[31mred     two\nlines  back\slash           text
a\nb            back\r      \u202eright to left  Zoë 東京
\x1b]0;title\a  tab\there   \u009b2J and \x9b2J  ` + "نمی\u200cخواهم\n"
	if got := "\n" + out.String(); got != want {
		t.Errorf("the table is\n%q\nwant\n%q", got, want)
	}
}

func TestTextOfHostileNames(t *testing.T) {
	const name = "\x1b[31mred\r\x1b[0m"
	const shown = `\x1b[31mred\r\x1b[0m`
	var out bytes.Buffer
	use(t, &plain{out: &out, err: &out})
	Println("two\tcells\nand a line\r\nof", name)
	Printf("%s|%q\n", name, name)
	Progress(name).Steps(1, 1)
	NoError(show().picture(named{figure(t), name}))
	want := "two\tcells\nand a line\nof " + shown + "\n" + shown + "|\"" + shown + "\"\n" +
		shown + ": 1 of 1\n[" + shown + "]\n"
	if got := out.String(); got != want {
		t.Errorf("printed\n%q\nwant\n%q", got, want)
	}

	sent := recorder(t) // a notebook gives colours to escapes in text too
	Println(name)
	if got := (*sent)[0].Data[protocol.MIMETextPlain]; got != shown {
		t.Errorf("sent %q, want %q", got, shown)
	}
}

// A named picture says its name where pictures cannot be shown.
type named struct {
	picture
	name string
}

func (n named) String() string { return n.name }
