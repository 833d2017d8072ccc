package apn

import (
	"errors"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
)

// The plain ascent of R95 §4: a step α∇ along the gradient g = N̄/w of the mean log-likelihood of a case, then
// "renormalizing to the constrained surface", in two readings.
//
// Division by the sum of the row moves to (w + αg)/(1 + αΣg), which stands still where g = wΣg, that is where w
// goes with √N̄, and not with N̄ as at the maximum. Projection moves to the nearest distribution, of which no
// entry is below [leastOfPlain], and stands still at the maximum.
type renormalize func(row []float64)

const leastOfPlain = 1e-12

// divide makes a row sum to one.
func divide(row []float64) {
	total := 0.0
	for _, x := range row {
		total += x
	}
	for i := range row {
		row[i] /= total
	}
}

// project moves a row to the nearest distribution with such least entries, by the shift that leaves one for all
// entries above it.
func project(row []float64) {
	sorted := slices.Clone(row)
	slices.Sort(sorted)
	left, shift, total := 1-leastOfPlain*float64(len(row)), 0.0, 0.0
	for k := 1; k <= len(row); k++ { // the k largest stay above
		x := sorted[len(row)-k] - leastOfPlain
		total += x
		if s := (left - total) / float64(k); k > 1 && x+s <= 0 {
			break
		} else {
			shift = s
		}
	}
	for i := range row {
		row[i] = max(row[i]+shift, leastOfPlain)
	}
}

// plainAscent takes steps of size alpha until the cases end it, and returns how often the likelihood fell. A
// point at which cases are impossible is the end too.
func plainAscent(cases learn.Cases, start *bn.Network, alpha float64, back renormalize) (falls int, err error) {
	theta, layout := entries(start), start.Layout()
	n, last := make([]float64, len(theta)), 0.0
	for step := 0; ; step++ {
		clear(n)
		loglik, err := cases.Expect(n, theta)
		if errors.Is(err, errSpent) || errors.Is(err, infer.ErrImpossibleEvidence) {
			return falls, nil
		}
		if err != nil {
			return falls, err
		}
		if step > 0 && loglik < last {
			falls++
		}
		last = loglik
		for v := range start.Len() {
			for config := range start.CPT(v).Configs().Len() {
				lo, hi := layout.Row(v, config)
				moved := false
				for cell := lo; cell < hi; cell++ {
					if n[cell] > 0 {
						theta[cell] += alpha * n[cell] / theta[cell] / cases.Weight()
						moved = true
					}
				}
				if moved {
					back(theta[lo:hi])
				}
			}
		}
	}
}
