package data

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// maxSample bounds the cells of a sample, gigabytes as a dataframe, so that a number with too many
// zeros is an error rather than out of memory.
const maxSample = 100_000_000

// Sample draws n complete cases from a network by forward sampling, one column
// for each variable in the order of the network. The same source gives the same
// table, and the first rows of a larger sample are the smaller one. A network that
// was not fitted or written has uniform tables and standard normal variables that
// ignore their parents, and so has its sample. It returns an error when n is
// negative, the sample has more than 1e8 cells, src is nil ([bn.ErrNoSource]), a
// distribution of the network is not valid, or a drawn value is no finite number ([ErrNumber]).
func Sample(net *bn.Network, n int, src rand.Source) (*Table, error) {
	if n < 0 {
		return nil, fmt.Errorf("data: a sample of %d rows", n)
	}
	if vars := net.Len(); vars > 0 && n > maxSample/vars {
		return nil, fmt.Errorf("data: a sample of %d rows of %d variables is too large, at most %d rows are "+
			"possible; draw several from one source, each goes on where the last one ended", n, vars, maxSample/vars)
	}
	s, err := net.Sampler(src)
	if err != nil {
		return nil, say.Errorf("data: sample: %w", err)
	}
	cols := make([]Column, net.Len())
	for v := range cols {
		cols[v].Var = net.Variable(v)
		if cols[v].Var.IsDiscrete() {
			cols[v].States = make([]bn.State, n)
		} else {
			cols[v].Values = make([]float64, n)
		}
	}
	states, values := make([]bn.State, net.Len()), make([]float64, net.Len())
	for row := range n {
		s.Draw(states, values)
		for v := range cols {
			if cols[v].States != nil {
				cols[v].States[row] = states[v]
			} else if x := values[v]; !(math.Abs(x) <= math.MaxFloat64) { // NaN would be a missing cell
				return nil, &ValueError{Row: row + 1, Name: cols[v].Var.Name,
					Value: strconv.FormatFloat(x, 'g', -1, 64), Err: fmt.Errorf("%w: the intercept, weights or "+
						"variance of this variable or of a parent are too large to draw from", ErrNumber)}
			} else {
				cols[v].Values[row] = values[v]
			}
		}
	}
	return New(cols...)
}
