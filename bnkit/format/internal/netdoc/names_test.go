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
		{"two words", "two_u0020_words"},
		{"5-12", "u_u0035__u002D_12"},
		{"_x", "u_u005F_x"},
		{"u-5", "u_u0075__u002D_5"},
		{"größer", "gr_u00F6__u00DF_er"},
		{"a_u0020_b", "a_u005F_u0020_b"}, // looks like an escape and is none
		{"a_u0020 ", "a_u005F_u0020_u0020_"},
	} {
		if id := Encode(x.name); id != x.id {
			t.Errorf("Encode(%q) = %s, want %s", x.name, id, x.id)
		}
		if name := Decode(x.id); name != x.name {
			t.Errorf("Decode(%q) = %s, want %s", x.id, name, x.name)
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
		name := rapid.StringOf(rapid.SampledFrom([]rune("u_0AF2 -né\U0001F600"))).Filter(
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
