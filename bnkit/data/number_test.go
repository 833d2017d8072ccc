package data

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// FuzzNumber compares with strconv, which accepts a little more.
func FuzzNumber(f *testing.F) {
	for _, s := range []string{"0", "-0", "1.5", "+2", ".5", "5.", ".", "-", "", "1e5", "1e", "1e-400", "1e400",
		"9007199254740993", "123456789012345678901234567890", "0.1234567890123456789", "1_0", "0x1p3", "inf", "nan",
		"18446744073709551617", "9007199254740993e-3", "50064620435008931e-6", "36893488147419103233e1", "1e22", "1e23",
		"1.7976931348623157e308", "4.9e-324", " 1", "1e99999999999999999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, ok := parseNumber([]byte(s))
		want, err := strconv.ParseFloat(s, 64)
		plain := err == nil && !strings.ContainsAny(s, "xXpP_iInN")
		if ok != plain || ok && math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("parseNumber(%q) = %v, %v, strconv %v, %v", s, got, ok, want, err)
		}
	})
}

func TestNaturalOrder(t *testing.T) {
	want := []string{"<5", "<10", "≤100", "-3", "-2.5", "0", "1", "1.0", "01", "2", "10", "1e3", "", "Q1", "Q2", "Q02",
		"Q10", "Q10a", "Q10b", "a", "b", "b1", "≥1", ">5", ">10"}
	slices.SortFunc(want, func(a, b string) int { return strings.Compare(a, b) })
	slices.SortFunc(want, natural)
	got := strings.Join(want, " ")
	if exp := "<5 <10 ≤100 -3 -2.5 0 01 1 1.0 2 10 1e3  Q1 Q02 Q2 Q10 Q10a Q10b a b b1 >5 >10 ≥1"; got != exp {
		t.Errorf("natural order\n got %s\nwant %s", got, exp)
	}
	for _, a := range want {
		for _, b := range want {
			if natural(a, b) != -natural(b, a) || (natural(a, b) == 0) != (a == b) {
				t.Errorf("natural(%q, %q) = %d, the other way %d", a, b, natural(a, b), natural(b, a))
			}
			for _, c := range want {
				if natural(a, b) <= 0 && natural(b, c) <= 0 && natural(a, c) > 0 {
					t.Errorf("%q ≤ %q ≤ %q, but not %q ≤ %q", a, b, c, a, c)
				}
			}
		}
	}
}
