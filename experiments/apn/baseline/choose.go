package baseline

import "bnlab/bnkit/bn"

// Choose returns the candidate 0 … candidates−1 whose predictions of held-out rows have the
// least squared error, summed over output values and rows,
//
//	Σ_rows Σ_values (P(value | inputs) − [the row has the value])²,
//
// by cross-validation: train learns candidate k from the cases outside a fold. The first of
// equals is taken. (R95 does not say by which error its cross-validation chose.)
func Choose(r *Rows, folds [][]int, candidates int, train func(c *Cases, candidate int) (Predictor, error)) (int,
	error) {
	errors := make([]float64, candidates)
	p := make([]float64, sum(r.Out))
	for _, fold := range folds {
		out := make(map[int]bool, len(fold))
		for _, row := range fold {
			out[row] = true
		}
		var in []int
		for row := range r.X {
			if !out[row] {
				in = append(in, row)
			}
		}
		learned, held := r.Cases(in), r.Cases(fold)
		for k := range errors {
			predictor, err := train(learned, k)
			if err != nil {
				return 0, err
			}
			for i, x := range held.X {
				predictor.Predict(p, x)
				errors[k] += squared(p, held.N[i], r.Out)
			}
		}
	}
	best := 0
	for k, e := range errors {
		if e < errors[best] {
			best = k
		}
	}
	return best, nil
}

// squared is the squared error of a prediction, summed over the cases of one input.
func squared(p, n []float64, out []int) float64 {
	total, lo := 0.0, 0
	for _, card := range out {
		cases := 0.0
		for _, k := range n[lo : lo+card] {
			cases += k
		}
		for i := lo; i < lo+card; i++ {
			total += n[i]*(1-p[i])*(1-p[i]) + (cases-n[i])*p[i]*p[i]
		}
		lo += card
	}
	return total
}

// PredictAll returns the predictions for each input.
func PredictAll(p Predictor, out []int, x [][]bn.State) [][]float64 {
	all := make([][]float64, len(x))
	for i := range x {
		all[i] = make([]float64, sum(out))
		p.Predict(all[i], x[i])
	}
	return all
}
