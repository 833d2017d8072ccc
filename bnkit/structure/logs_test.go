package structure

import (
	"math"
	"testing"

	"bnlab/internal/numtest"
)

// Tables hold what the functions say, below and above their end, and again after they were let go.
func TestLogTables(t *testing.T) {
	logs := newLogTables(1 << 20)
	for _, alpha := range []float64{1e-9, 1e-3, 0.25, 1, 3.7, 1e4} {
		for _, f := range []logFunction{logs.rising(alpha), (*logTables)(nil).rising(alpha)} {
			for _, n := range []float64{0, 1, 2, 5, 100, tabledGamma - 1, tabledGamma, 3e5} {
				a, _ := math.Lgamma(alpha + n)
				b, _ := math.Lgamma(alpha)
				numtest.Close(t, f.at(n), a-b, 1e-15*(math.Abs(a)+math.Abs(b)), 1e-13) // the difference's own rounding
			}
			numtest.Close(t, f.at(3), math.Log(alpha)+math.Log(alpha+1)+math.Log(alpha+2), 1e-12, 1e-12)
		}
	}
	numtest.Close(t, logs.nlogn().at(0), 0, 0, 0)
	numtest.Close(t, logs.nlogn().at(7), 7*math.Log(7), 0, 1e-15)
	numtest.Close(t, logs.nlogn().at(tabled+1), (tabled+1)*math.Log(tabled+1), 0, 1e-15)
	before := logs.rising(0.3).at(1000)
	logs.room = 3 * tabledGamma
	for i := range 10 {
		logs.rising(20 + float64(i))
	}
	if logs.gammas[0.3] != nil {
		t.Error("nothing was let go")
	}
	if after := logs.rising(0.3).at(1000); after != before {
		t.Errorf("%v, before %v", after, before)
	}
}
