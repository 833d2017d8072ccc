package information

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bnlab/internal/say"
)

// factor finds the root of the covariance, and names the tables that the cases do not determine.
func (o *Observed) factor() error {
	var eigen mat.EigenSym
	if !eigen.Factorize(o.matrix, true) {
		return fmt.Errorf("learn: the observed information has no eigenvalues")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	values := eigen.Values(nil)
	last := values[len(values)-1]
	o.root = mat.NewDense(len(o.cells), len(values), nil)
	o.root.Mul(o.basis, &vectors)
	const singular = 1e-6
	open := make(map[string]bool)
	for k, x := range values {
		if x > singular*last && x > 0 {
			for i := range o.cells {
				o.root.Set(i, k, o.root.At(i, k)/math.Sqrt(x))
			}
			continue
		}
		for i, cell := range o.cells {
			if math.Abs(o.root.At(i, k)) > 0.1 {
				v, _, _ := o.net.Layout().Locate(cell)
				open[o.net.Variable(v).Name] = true
			}
		}
	}
	if len(open) == 0 {
		gain := 0.0 // of the log posterior by the next step of Newton's method, twice
		var along mat.VecDense
		along.MulVec(vectors.T(), mat.NewVecDense(len(values), o.slope))
		for k, x := range values {
			gain += along.AtVec(k) * along.AtVec(k) / x
		}
		const little = 0.01 // a tenth of a standard deviation
		if gain > little {
			return fmt.Errorf("learn: the tables are not a maximum of the log posterior, which may rise by %.2g; fit "+
				"by learn.EM with a smaller Tolerance", gain/2)
		}
		return nil
	}
	var names []string
	for _, v := range o.net.Variables() {
		if open[v.Name] {
			names = append(names, v.Name)
		}
	}
	return say.Errorf("learn: the observed information is singular: the cases do not determine the tables of %s",
		say.List(names))
}

// Draw draws tables. It must not be called when no entry varies.
func (o *Observed) Draw(rng *rand.Rand) ([]float64, error) {
	_, free := o.root.Dims()
	e := make([]float64, free)
	for k := range e {
		e[k] = rng.NormFloat64()
	}
	theta := slices.Clone(o.theta)
	isLinked := false
	for i, cell := range o.cells {
		u := 0.0
		for k, x := range e {
			u += o.root.At(i, k) * x
		}
		x := math.Sqrt(o.theta[cell]) + u/2
		theta[cell] = x * x
		isLinked = isLinked || o.linked[cell]
	}
	layout := o.net.Layout()
	weights := slices.Clone(theta)
	for v := range o.net.Len() {
		for config := range o.net.CPT(v).Configs().Len() {
			lo, hi := layout.Row(v, config)
			total, all := 0.0, 0.0
			for cell := lo; cell < hi; cell++ {
				total += theta[cell]
				all += o.n[cell]
			}
			for cell := lo; cell < hi; cell++ {
				theta[cell] /= total
				weights[cell] = theta[cell] * max(all, 1)
			}
		}
	}
	if !isLinked {
		return theta, nil
	}
	back := make([]float64, len(theta))
	if err := o.p.Maximize(back, weights); err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	for cell, linked := range o.linked {
		if linked {
			theta[cell] = back[cell]
		}
	}
	return theta, nil
}
