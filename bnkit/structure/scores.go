package structure

import (
	"fmt"
	"math"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// LogLikelihood is the log-likelihood of a family at its maximum-likelihood estimate,
//
//	Σ_config Σ_state N ln(N / N_config).
//
// It never falls when a parent is added, so a search under it needs a limit on parents.
type LogLikelihood struct{}

// Family scores one family.
func (LogLikelihood) Family(c *Counts) float64 { return c.Scale * c.logLikelihood() }

func (LogLikelihood) String() string { return "log-likelihood" }

// BIC is the Bayesian information criterion (Schwarz 1978), the log-likelihood less
// ½ ln(N) for each of the q(r−1) free parameters. It is −½ of the criterion of package learn, and
// the negative of the minimum description length. (B06 §2.)
//
// Of a continuous variable it is the Gaussian log-likelihood at the least squares of each configuration of the
// discrete parents, the variance being the residual sum of squares over the number of cases, less ½ ln(N) for each
// intercept, weight and variance. The R package bnlearn divides by the cases less the coefficients, so its scores are
// lower by p²/4N for p coefficients, to first order.
type BIC struct{}

// Family scores one family.
func (BIC) Family(c *Counts) float64 {
	return c.Scale*c.logLikelihood() - 0.5*c.logs.Ln(max(c.Scale*c.Rows, 1))*c.free()
}

func (BIC) String() string { return "BIC" }

// AIC is Akaike's information criterion (Akaike 1974), the log-likelihood less 1 for each of
// the q(r−1) free parameters.
type AIC struct{}

// Family scores one family.
func (AIC) Family(c *Counts) float64 { return c.Scale*c.logLikelihood() - c.free() }

func (AIC) String() string { return "AIC" }

// K2 is the log marginal likelihood under uniform priors of each distribution (Cooper and
// Herskovits 1992, Theorem 1),
//
//	Σ_config [ln Γ(r) − ln Γ(N_config + r) + Σ_state ln Γ(N + 1)].
type K2 struct{}

// Family scores one family.
func (K2) Family(c *Counts) float64 {
	return c.Scale * c.marginal(1)
}

func (K2) String() string { return "K2" }

// BDeu is the log marginal likelihood under uniform Dirichlet priors of the given equivalent sample size,
// spread evenly over the configurations and states of each family (Buntine 1991; Heckerman,
// Geiger and Chickering 1995, Eq. 28 with a uniform joint distribution):
//
//	Σ_config [ln Γ(a/q) − ln Γ(a/q + N_config) + Σ_state ln Γ(a/qr + N) − ln Γ(a/qr)].
//
// It is score-equivalent: Markov equivalent graphs have the same score.
type BDeu struct {
	EquivalentSampleSize float64 // in cases; 0 means 1
}

// Family scores one family.
func (s BDeu) Family(c *Counts) float64 {
	return c.Scale * c.marginal(s.size()/(float64(c.Q)*float64(c.R)))
}

func (s BDeu) size() float64 {
	if s.EquivalentSampleSize == 0 {
		return 1
	}
	return s.EquivalentSampleSize
}

// Bind checks the equivalent sample size.
func (s BDeu) Bind([]bn.Variable) (Score, error) {
	if err := checkSize("BDeu", s.size()); err != nil {
		return nil, err
	}
	return s, nil
}

func (s BDeu) String() string {
	return fmt.Sprintf("BDeu with equivalent sample size %g", s.size())
}

// checkSize returns an error unless an equivalent sample size is positive and finite.
func checkSize(score string, size float64) error {
	if !(size > 0) || math.IsInf(size, 1) {
		return say.Errorf(
			"structure: %s: the equivalent sample size is %v; give a positive number of cases, or 0 for 1", score, size)
	}
	return nil
}

// free is the number of free parameters of the family.
func (c *Counts) free() float64 { return float64(c.Q) * float64(c.R-1) }

// logLikelihood is Σ N ln(N / N_config) over the cells that are not empty.
func (c *Counts) logLikelihood() float64 {
	f := c.logs.NLogN()
	table := f.Table()
	sum := 0.0
	for row := 0; row < len(c.N); row += c.R {
		total, cells := 0.0, 0.0
		for _, n := range c.N[row : row+c.R] {
			total += n
			if i := int(n); uint(i) < uint(len(table)) && float64(i) == n {
				cells += table[i]
			} else {
				cells += f.At(n)
			}
		}
		if i := int(total); uint(i) < uint(len(table)) && float64(i) == total {
			sum += cells - table[i]
		} else {
			sum += cells - f.At(total)
		}
	}
	return sum
}

// marginal is the log marginal likelihood under Dirichlet priors with the parameter alpha in each cell.
func (c *Counts) marginal(alpha float64) float64 {
	cell, config := c.logs.Rising(alpha), c.logs.Rising(alpha*float64(c.R))
	cells, configs := cell.Table(), config.Table()
	sum := 0.0
	for row := 0; row < len(c.N); row += c.R {
		n := 0.0
		for _, m := range c.N[row : row+c.R] {
			n += m
			if i := int(m); uint(i) < uint(len(cells)) && float64(i) == m {
				sum += cells[i]
			} else {
				sum += cell.At(m)
			}
		}
		if i := int(n); uint(i) < uint(len(configs)) && float64(i) == n {
			sum -= configs[i]
		} else {
			sum -= config.At(n)
		}
	}
	return sum
}
