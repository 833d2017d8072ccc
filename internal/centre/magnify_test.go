package centre_test

import (
	"fmt"
	"testing"

	"bnlab/internal/centre"
)

// Two distributions in order, of which one leaves its second state a small mass: multipliers of the rows as they
// are prove the maximum that was found from near.
func TestMagnified(t *testing.T) {
	for _, d := range []float64{1e-6, 1e-8, 1e-9, 1e-11, 1e-30} {
		t.Run(fmt.Sprint(d), func(t *testing.T) {
			p := centre.Problem{Len: 4, Equal: []centre.Row{one(0, 1), one(2, 3)}, AtMost: []centre.Row{
				row(d, []int{1}, 1), row(-0.1, []int{1, 3}, 1, -1), row(0.3, []int{3}, 1),
			}}
			n := []float64{6, 4, 3, 7}
			x, r := solve(t, p, n)
			certificate(t, p, n, x, r)
			if got := x[1] / d; !(got > 1-1e-9 && got < 1+1e-9) {
				t.Errorf("x[1] is %v of its limit", got)
			}
		})
	}
}
