package absent

import "testing"

func TestIs(t *testing.T) {
	var pointer *int
	for _, c := range []struct {
		x    any
		want bool
	}{{nil, true}, {pointer, true}, {new(int), false}, {0, false}, {[]int(nil), false}} {
		if got := Is(c.x); got != c.want {
			t.Errorf("Is(%T %v) is %v", c.x, c.x, got)
		}
	}
}
