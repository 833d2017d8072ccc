package logs

import (
	"math"
	"testing"

	"bnlab/internal/numtest"
)

// Tables hold what the functions say, below and above their end, and again after they were let go.
func TestTables(t *testing.T) {
	logs := New(1 << 20)
	for _, alpha := range []float64{1e-9, 1e-3, 0.25, 1, 3.7, 1e4} {
		for _, f := range []Function{logs.Rising(alpha), (*Tables)(nil).Rising(alpha)} {
			for _, n := range []float64{0, 1, 2, 5, 100, tabledGamma - 1, tabledGamma, 3e5} {
				a, _ := math.Lgamma(alpha + n)
				b, _ := math.Lgamma(alpha)
				numtest.Close(t, f.At(n), a-b, 1e-15*(math.Abs(a)+math.Abs(b)), 1e-13) // the difference's own rounding
			}
			numtest.Close(t, f.At(3), math.Log(alpha)+math.Log(alpha+1)+math.Log(alpha+2), 1e-12, 1e-12)
		}
	}
	numtest.Close(t, logs.NLogN().At(0), 0, 0, 0)
	numtest.Close(t, logs.NLogN().At(7), 7*math.Log(7), 0, 1e-15)
	numtest.Close(t, logs.NLogN().At(Tabled+1), (Tabled+1)*math.Log(Tabled+1), 0, 1e-15)
	before := logs.Rising(0.3).At(1000)
	logs.room = 3 * tabledGamma
	for i := range 10 {
		logs.Rising(20 + float64(i))
	}
	if logs.gammas[0.3] != nil {
		t.Error("nothing was let go")
	}
	if after := logs.Rising(0.3).At(1000); after != before {
		t.Errorf("%v, before %v", after, before)
	}
}
