package guarantees

import (
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// continuousStudy is [study] for a linear-Gaussian node. The parameters are its weights;
// the intercept and the variance of the node have other units and are left out.
func continuousStudy(truth *bn.Network, examples int, classes []class, dataSets int, src rand.Source) ([]outcome,
	error) {
	v := truth.Len() - 1
	weights := truth.Gaussian(v).Weights[0]
	ml := newMoments(len(weights))
	constrained := make([]*moments, len(classes))
	for i := range constrained {
		constrained[i] = newMoments(len(weights))
	}
	for range dataSets {
		table, err := data.Sample(truth, examples, src)
		if err != nil {
			return nil, err
		}
		moments, err := table.Crossproducts(truth, &data.CountOptions{Workers: 1})
		if err != nil {
			return nil, err
		}
		fit := func(statements ...constraint.Constraint) ([]float64, error) {
			compiled, err := learn.Compile(truth, learn.ML{Constraints: statements})
			if err != nil {
				return nil, err
			}
			r, err := compiled.Fit(nil, moments)
			if err != nil {
				return nil, err
			}
			return r.Net.Gaussian(v).Weights[0], nil
		}
		estimate, err := fit()
		if err != nil {
			return nil, err
		}
		ml.add(estimate, weights)
		for i, c := range classes {
			if estimate, err = fit(c.right); err != nil {
				return nil, err
			}
			constrained[i].add(estimate, weights)
		}
	}
	out := make([]outcome, len(classes))
	for i, c := range constrained {
		out[i] = outcome{kept: c.n, ml: ml.variance(), constrained: c.variance(), bias: c.bias(), mlAll: ml.variance(),
			constrainedAll: c.variance()}
	}
	return out, nil
}
