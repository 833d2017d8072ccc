package netdoc

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestEncode(t *testing.T) {
	for _, x := range []struct{ name, id string }{
		{"smoke", "smoke"},
		{"R_LNLT1_APB", "R_LNLT1_APB"},
		{"two words", "two_words_x_"},
		{"65 and over", "s65_and_over_x_"},
		{"50-59", "s50__59_x_"},
		{"<50", "s_u003C_50_x_"},
		{"s5 a", "s_u0073_5_a_x_"},
		{"a  b", "a_u0020__u0020_b_x_"},
		{"a - b", "a_u0020__u002D__u0020_b_x_"},
		{"a u0041 b", "a_u0020_u0041_b_x_"}, // a_u0041_b would read as aAb
		{"_x", "s_u005F_x_x_"},
		{"größer", "gr_u00F6__u00DF_er_x_"},
		{"two_words_x_", "two_u005F_words_u005F_x_u005F__x_"}, // it looks like one that was encoded
		{"a_x_", "a_x_"},                                      // this does not: a is an identifier
		{"a_u0020_b", "a_u005F_u0020_u005F_b_x_"},
	} {
		if id := Encode(x.name); id != x.id {
			t.Errorf("Encode(%q) = %s, want %s", x.name, id, x.id)
		}
		if name := Decode(x.id); name != x.name {
			t.Errorf("Decode(%q) = %s, want %s", x.id, name, x.name)
		}
	}
	for id, name := range map[string]string{ // as versions before 0.2 wrote them
		"two_u0020_words": "two words", "u_u0035__u002D_12": "5-12", "u_u005F_x": "_x", "u_u0075__u002D_5": "u-5",
		"gr_u00F6__u00DF_er": "größer", "a_u005F_u0020_b": "a_u0020_b", "a_u005F_u0020_u0020_": "a_u0020 ",
	} {
		if got := Decode(id); got != name {
			t.Errorf("Decode(%q) = %s, want %s", id, got, name)
		}
	}
	for _, id := range []string{"a_u002d_b", "a_u0041_b", "x_u0020", "a_uFFFFFF_", "u_x", "_u0020_", "pos_u10_x"} {
		if name := Decode(id); name != id {
			t.Errorf("Decode(%q) = %q, though Encode never makes it", id, name)
		}
	}
}

// TestIdentifiers draws names near the escapes: each has an identifier, and it reads back.
func TestIdentifiers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOf(rapid.SampledFrom([]rune("u_0AF2 -nsx1é\U0001F600"))).Filter(
			func(s string) bool { return s != "" }).Draw(t, "name")
		id := Encode(name)
		if !isIdentifier(id) {
			t.Fatalf("Encode(%q) = %q is no identifier", name, id)
		}
		if back := Decode(id); back != name {
			t.Fatalf("%q as %q reads back as %q", name, id, back)
		}
		d := Identifiers{Most: 30}
		long := strings.Repeat(name, rapid.IntRange(1, 40).Draw(t, "repeat"))
		short := d.Of(long, 12345)
		if len(short) > 30 || !isIdentifier(short) {
			t.Fatalf("%q is no identifier of at most 30 letters", short)
		}
		if back := d.Name(short, long); back != long {
			t.Fatalf("%q as %q with its title reads back as %q", long, short, back)
		}
		if !utf8.ValidString(short) {
			t.Fatal("not UTF-8")
		}
	})
	// A title that is no cut name is a label, not the name.
	d := Identifiers{Most: 30}
	if name := d.Name("tuberculosis_n3", "Has tuberculosis, as far as anybody can tell"); name != "tuberculosis_n3" {
		t.Errorf("the name became %q", name)
	}
}

// TestLostIsShort: of a name of a megabyte neither it nor its identifier is told whole.
func TestLostIsShort(t *testing.T) {
	var d Identifiers
	d.Of(strings.Repeat("x y", 1<<19), 0)
	if lost := d.Lost("BIF"); len(lost) > 500 || !strings.Contains(lost, `"x yx y`) {
		t.Errorf("%.600s", lost)
	}
}
