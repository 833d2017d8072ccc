package guarantees

import (
	"math"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// A gaussian is y = intercept + Σ weights·x + N(0, variance), with x independent and standard normal.
type gaussian struct {
	intercept float64
	weights   []float64
	variance  float64
}

// divergence is KL(p, q) in nats; the x are the same in both.
func (p gaussian) divergence(q gaussian) float64 {
	square := (p.intercept - q.intercept) * (p.intercept - q.intercept)
	for i, w := range p.weights {
		square += (w - q.weights[i]) * (w - q.weights[i])
	}
	return (math.Log(q.variance/p.variance) + (p.variance+square)/q.variance - 1) / 2
}

// A lineTruth is [stockTruth], whose prices are standard normal; the last one is what is estimated.
type lineTruth struct {
	net *bn.Network
	gaussian
}

func newLineTruth() (*lineTruth, error) {
	net, err := stockTruth()
	if err != nil {
		return nil, err
	}
	g := net.Gaussian(net.Len() - 1)
	return &lineTruth{net, gaussian{g.Intercept[0], g.Weights[0], g.Variance[0]}}, nil
}

// moments are those of a table with the first and second moments of g: ±√d e_i for each of the d sources of
// variation, the x and the noise. The estimate from them is P* where g is the truth.
func (t *lineTruth) moments(g gaussian) (*data.Moments, error) {
	d := t.net.Len() // the x, and the noise
	columns := make([]data.Column, d)
	for v, name := range t.net.Names() {
		columns[v].Var = bn.Continuous(name)
	}
	for source := range d {
		for _, sign := range []float64{-1, 1} {
			y := g.intercept
			for v := range d - 1 {
				x := 0.0
				if v == source {
					x = sign * math.Sqrt(float64(d))
				}
				y += g.weights[v] * x
				columns[v].Values = append(columns[v].Values, x)
			}
			if source == d-1 {
				y += sign * math.Sqrt(float64(d)*g.variance)
			}
			columns[d-1].Values = append(columns[d-1].Values, y)
		}
	}
	table, err := data.New(columns...)
	if err != nil {
		return nil, err
	}
	return t.sums(table)
}

// sums are all of a table that an estimate needs.
func (t *lineTruth) sums(table *data.Table) (*data.Moments, error) {
	return table.Crossproducts(t.net, &data.CountOptions{Workers: 1})
}

// estimate is by maximum likelihood under statements.
func (t *lineTruth) estimate(sums *data.Moments, statements ...constraint.Constraint) (gaussian, error) {
	compiled, err := learn.Compile(t.net, learn.ML{Constraints: statements})
	if err != nil {
		return gaussian{}, err
	}
	r, err := compiled.Fit(nil, sums)
	if err != nil {
		return gaussian{}, err
	}
	g := r.Net.Gaussian(t.net.Len() - 1)
	return gaussian{g.Intercept[0], g.Weights[0], g.Variance[0]}, nil
}

// best is P* under statements.
func (t *lineTruth) best(statements ...constraint.Constraint) (gaussian, error) {
	sums, err := t.moments(t.gaussian)
	if err != nil {
		return gaussian{}, err
	}
	return t.estimate(sums, statements...)
}

// rival is the estimate from the moments of another line, farther from the truth the larger sigma is. Each line that
// satisfies the statement is the estimate from its own moments.
func (t *lineTruth) rival(statement constraint.Constraint, sigma float64, rng *rand.Rand) (gaussian, error) {
	g := gaussian{t.intercept + sigma*rng.NormFloat64(), make([]float64, len(t.weights)),
		t.variance * math.Exp(sigma*rng.NormFloat64())}
	for i, w := range t.weights {
		g.weights[i] = w + sigma*rng.NormFloat64()
	}
	sums, err := t.moments(g)
	if err != nil {
		return gaussian{}, err
	}
	return t.estimate(sums, statement)
}

// follow draws one sample and estimates the line from its prefixes, under the statements of each course.
func (t *lineTruth) follow(c Config, courses []*course, sample int, src rand.Source) error {
	table, err := data.Sample(t.net, c.Examples[len(c.Examples)-1], src)
	if err != nil {
		return err
	}
	for size, n := range c.Examples {
		columns := table.Columns()
		for v := range columns {
			columns[v].Values = columns[v].Values[:n]
		}
		prefix, err := data.New(columns...)
		if err != nil {
			return err
		}
		sums, err := t.sums(prefix)
		if err != nil {
			return err
		}
		for _, one := range courses {
			g, err := t.estimate(sums, one.statements...)
			if err != nil {
				return err
			}
			one.kl[size][sample] = t.divergence(g)
		}
	}
	return nil
}
