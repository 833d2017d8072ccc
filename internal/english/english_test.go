package english_test

import (
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
