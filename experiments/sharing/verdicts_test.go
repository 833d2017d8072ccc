package sharing

import (
	"testing"

	"bnlab/experiments/run"
	"bnlab/experiments/runtest"
)

// made are curves through the paper's numbers, each replicate's by a factor between low and high, with so large a gap.
func made(low, high, gap float64) *Curves {
	c := Paper()
	c.Replicates = 120
	between := func(n int, of func(row) float64) float64 {
		for i := 1; i < len(table1); i++ {
			if a, b := table1[i-1], table1[i]; n <= b.examples || i == len(table1)-1 {
				share := float64(n-a.examples) / float64(b.examples-a.examples)
				return max(of(a)+share*(of(b)-of(a)), 1e-3)
			}
		}
		return 0
	}
	r := &Curves{Config: c}
	for i := range c.Replicates {
		f := low + (high-low)*float64(i)/float64(c.Replicates-1)
		var free, shared, equivalent []float64
		for n := 1; n <= c.Examples; n++ {
			at := float64(n) / (f * largestGapAt)
			kl := f * between(n, func(r row) float64 { return r.kl })
			shared, free = append(shared, kl), append(free, kl+4*gap*f*at/((1+at)*(1+at)))
			equivalent = append(equivalent, f*between(n, func(r row) float64 { return float64(r.equivalent) }))
		}
		r.STBN, r.PDKBN, r.Equivalent = append(r.STBN, free), append(r.PDKBN, shared), append(r.Equivalent, equivalent)
	}
	return r
}

// TestVerdicts: every sentence and number of N06 §5.1 has curves for which it holds and for which it does not. Numbers
// are n/a in the quick profile, which package run tests; the gap is also not told apart where there is none.
func TestVerdicts(t *testing.T) {
	var worlds [][]run.Claim
	for _, r := range []*Curves{made(0.5, 1.6, largestGap), made(4, 6, -largestGap), made(0.2, 0.3, -largestGap),
		made(0.5, 1.6, 0)} {
		worlds = append(worlds, runtest.Claims(t, func(job *run.Job) error {
			r.curveClaims(job, bands(r.STBN), bands(r.PDKBN), bands(r.Gap()))
			r.factorClaims(job)
			r.tableClaims(job)
			return nil
		}))
	}
	runtest.Verdicts(t, worlds[:3], map[string]string{
		"PDKBN is closer to the truth":                   "yes no no",
		"largest gap KL":                                 "yes no no",
		"size at which the gap":                          "yes no no",
		"largest factor by which":                        "yes no no",
		"mean factor by which":                           "yes no no",
		"KL(T, PDKBN) at":                                "yes no no",
		"examples that STBN needs for PDKBN's KL at 5":   "yes no no",
		"examples that STBN needs for PDKBN's KL at 40":  "yes no no",
		"examples that STBN needs for PDKBN's KL at 200": "yes no no",
		"examples that STBN needs for PDKBN's KL at 600": "yes no no",
		"examples that STBN needs for PDKBN's KL at 650": "yes yes no",
	})
	runtest.Verdicts(t, worlds, map[string]string{"the gap is largest when data": "yes no no n/a"})
}
