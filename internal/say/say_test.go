package say_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"bnlab/internal/say"
)

type named string

type described struct{ text string }

func (d described) String() string { return d.text }

func TestOrdinaryTextsStandAsFmtWritesThem(t *testing.T) {
	cause := errors.New("a cause")
	for _, c := range []struct {
		format string
		args   []any
	}{
		{"no column %q (columns: %s)", []any{"größe", "rain, 雨, smoke or fire"}},
		{"%-6s|%6s|%+q|%x|%v|%s", []any{"ab", "cd", "é", "ef", "gh", []string{"i j", "k"}}},
		{"%q %v %q", []any{[]string{"a", "b"}, []string{"c", "d"}, named("e")}},
		{"%w: %v, %w, %d of %g", []any{cause, cause, cause, 3, 2.5}},
		{"%v %+v %s %T %v", []any{struct{ A string }{"x"}, struct{ B int }{1}, described{"a\nb"}, "", nil}},
		{"%d%% %c %t %*d", []any{1, 'x', true, 5, 2}},
	} {
		want := fmt.Errorf(c.format, c.args...)
		got := say.Errorf(c.format, c.args...)
		if got.Error() != want.Error() {
			t.Errorf("%q: %q, fmt says %q", c.format, got, want)
		}
		if errors.Is(got, cause) != errors.Is(want, cause) {
			t.Errorf("%q: the cause is lost", c.format)
		}
		if text := say.Sprintf(strings.ReplaceAll(c.format, "%w", "%v"), c.args...); text != want.Error() {
			t.Errorf("%q: Sprintf gives %q, want %q", c.format, text, want)
		}
	}
}

// No argument of any kind brings a control character, or more than a page, whatever verb prints it.
func TestWhatStrangersWroteIsEscapedAndCut(t *testing.T) {
	const red = "\x1b[31m\u202e\u009b\xff"
	long := strings.Repeat("x", 1<<20)
	spaced := strings.Repeat("x y ", 1<<18)
	many := make([]string, 1000)
	for i := range many {
		many[i] = "name" + fmt.Sprint(i)
	}
	cause := errors.New("cause " + red)
	for _, bad := range []any{red, long, spaced, named(red), []string{red, long}, many, described{red + long},
		described{spaced}, []described{{red}, {spaced}}, map[string]int{red: 1, long: 2},
		fmt.Errorf("%s%s", red, spaced), []byte(long), make([]float64, 1<<16), struct{ Name string }{long}} {
		for _, verb := range []string{"%s", "%v", "%q", "%+v"} {
			err := say.Errorf("%w: "+verb+" (%[2]T); change it", cause, bad)
			if _, is := bad.(error); !is {
				err = say.Errorf("%w: "+verb+"; change it", cause, bad)
			}
			message := err.Error()
			if strings.ContainsAny(message, "\x1b\u202e\u009b") ||
				!strings.HasPrefix(message, `cause \x1b[31m\u202e\u009b\xff: `) {
				t.Errorf("%T by %s: %.200q", bad, verb, message)
			}
			if len(message) > 8100 || !strings.Contains(message, "change it") {
				t.Errorf("%T by %s: %d bytes, ending %q", bad, verb, len(message), message[len(message)-40:])
			}
			if !errors.Is(err, cause) {
				t.Errorf("%T by %s: the cause is lost", bad, verb)
			}
		}
	}
	if got := say.Errorf("no %q", long).Error(); len(got) > 300 {
		t.Errorf("a name in quotes takes %d bytes", len(got))
	}
	if got, want := say.Errorf("%s!", "a\nb\tc").Error(), `a\nb\tc!`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := say.Errorf("%q", many).Error(), `"name19" and 980 more]`; !strings.HasSuffix(got, want) {
		t.Errorf("%q does not end with %q", got, want)
	}
}

func TestName(t *testing.T) {
	for name, want := range map[string]string{
		"a": "a", "": `""`, "größer als 雨": "größer als 雨", " a": `" a"`, "a\x1b": `"a\x1b"`, "[1, 2)": "[1, 2)",
		"o\u200b": `"o\u200b"`, `"`: `"`, "\xff": `"\xff"`,
		strings.Repeat("é", 100): strings.Repeat("é", 30) + "…",
	} {
		if got := say.Name(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

func TestList(t *testing.T) {
	names := strings.Split(strings.Repeat("a", 21), "")
	for _, c := range []struct {
		names        []string
		bare, quoted string
	}{
		{nil, "", ""},
		{[]string{"a", "b\n"}, `a, "b\n"`, `"a", "b\n"`},
		{names[:20], strings.Repeat("a, ", 19) + "a", strings.Repeat(`"a", `, 19) + `"a"`},
		{names, strings.Repeat("a, ", 19) + "a and 1 more", strings.Repeat(`"a", `, 19) + `"a" and 1 more`},
	} {
		if got := say.List(c.names); got != c.bare {
			t.Errorf("%d names: %q, want %q", len(c.names), got, c.bare)
		}
		if got := say.Quoted(c.names); got != c.quoted {
			t.Errorf("%d names: %q, want %q", len(c.names), got, c.quoted)
		}
	}
}
