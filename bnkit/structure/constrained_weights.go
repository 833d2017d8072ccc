package structure

import (
	"errors"
	"math"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/internal/regress"
	"bnlab/internal/say"
)

var _ gaussianScore = Constrained{}

// adjust implements [gaussianScore].
func (s Constrained) adjust(c cell, _ []float64) (cell, float64) { return c, collinear }

// gaussian implements [gaussianScore]: the log-likelihood of the regression under the statements about its weights,
// less a penalty for each free parameter, of which those that are tied count once.
func (s Constrained) gaussian(r *regression) (float64, error) {
	penalty := 0.0
	switch s.score().(type) {
	case AIC:
		penalty = 1
	case BIC:
		penalty = math.Log(max(r.scale*r.rows, 1)) / 2
	}
	counts := &Counts{Child: r.m.vars[r.family.Child]}
	for _, p := range r.family.Parents {
		counts.Parents = append(counts.Parents, r.m.vars[p])
	}
	net, statements, err := s.problem(counts, s.stated(counts))
	if err != nil {
		return 0, say.Errorf("structure: %w", err)
	}
	if len(statements) == 0 {
		return r.penalised(penalty)
	}
	shares, _, err := constraint.BindWeights(net, statements...)
	if err != nil {
		return 0, say.Errorf("structure: %w", err)
	}
	cells, err := r.cells()
	if err != nil {
		return 0, err
	}
	factors := make([]data.Factor, r.configs)
	for i := range cells {
		factors[cells[i].config] = cells[i].factor()
	}
	fit, err := regress.Regress(net, net.Len()-1, factors, shares, nil, 0)
	if errors.Is(err, constraint.ErrUnbounded) {
		err = say.Errorf("%w: %w", errImpossible, err)
	}
	if err != nil {
		return 0, err
	}
	free := r.free()
	for _, share := range shares {
		free -= float64(len(share.Terms) - 1)
	}
	return r.scale*fit.LogLikelihood - penalty*free, nil
}

// factor returns the triangular factor of the cases [1, x, y].
func (c *cell) factor() data.Factor {
	k := len(c.mean)
	var f factoring
	f.of(c, collinear, all(k-1), k-1)
	out := data.Factor{N: c.n, R: make([]float64, (k+1)*(k+1))}
	at := func(i, j int) *float64 { return &out.R[i*(k+1)+j] }
	*at(0, 0) = math.Sqrt(c.n)
	for j, mean := range c.mean {
		*at(0, j+1) = math.Sqrt(c.n) * mean
	}
	for i := range k - 1 {
		for j := range i + 1 {
			*at(j+1, i+1) = f.l[i*(k-1)+j]
		}
		*at(i+1, k) = f.row[i]
	}
	*at(k, k) = math.Sqrt(max(f.fit.left, 0))
	return out
}

// needed are the parents that a statement may need without naming them: one, or for weights that are shared across
// states one of either kind.
func needed(child bn.Variable, vars []bn.Variable) [][]bn.Variable {
	var sets [][]bn.Variable
	for _, v := range vars {
		if v.Name == child.Name || child.IsDiscrete() && !v.IsDiscrete() {
			continue
		}
		sets = append(sets, []bn.Variable{v})
		for _, w := range vars {
			if !child.IsDiscrete() && w.Name != child.Name && v.IsDiscrete() && !w.IsDiscrete() {
				sets = append(sets, []bn.Variable{v, w})
			}
		}
	}
	return sets
}
