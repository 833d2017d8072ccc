package english_test

import (
	"strings"
	"testing"

	"bnlab/internal/english"
)

func TestCount(t *testing.T) {
	for _, c := range []struct {
		n    int
		noun string
		want string
	}{{0, "row", "0 rows"}, {1, "row", "1 row"}, {2, "more row", "2 more rows"}, {1, "process", "1 process"},
		{2, "process", "2 processes"}} {
		if got := english.Count(c.n, c.noun); got != c.want {
			t.Errorf("Count(%d, %q) = %q, want %q", c.n, c.noun, got, c.want)
		}
	}
}

func TestList(t *testing.T) {
	names := strings.Split(strings.Repeat("a", 21), "")
	if got := english.List(names[:20]); got != strings.Repeat("a, ", 19)+"a" {
		t.Errorf("twenty: %q", got)
	}
	if got := english.List(names); got != strings.Repeat("a, ", 19)+"a, … 21 in all" {
		t.Errorf("twenty-one: %q", got)
	}
	if got := english.List(nil); got != "" {
		t.Errorf("none: %q", got)
	}
}
