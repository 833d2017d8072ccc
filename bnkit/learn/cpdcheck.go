package learn

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// A gradientError reports a family whose Pullback disagrees with its Table: the worst entry and
// parameter.
type gradientError struct {
	Family    string
	Entry     string // as in "fever=yes | flu=yes"
	Parameter string
	Lambda    []float64 // where
	// Pullback is the derivative of the entry by the parameter as the family has it,
	// Difference that by central differences of its tables.
	Pullback, Difference float64
}

// errGradient is wrapped by [*gradientError].
var errGradient = errors.New("the pullback is not the derivative of the table")

func (e *gradientError) Error() string {
	return say.Sprintf("%s: %v: ∂P(%s)/∂(%s) is %.6g by Pullback, %.6g by finite differences of Table",
		e.Family, errGradient, e.Entry, e.Parameter, e.Pullback, e.Difference)
}

// Unwrap returns the error that all of them wrap.
func (e *gradientError) Unwrap() error { return errGradient }

// checks is the number of points at which CheckGradient looks.
const checks = 5

// CheckGradient compares the derivatives of a family with central differences of its tables,
// entry by entry, at five random λ: normal around Start with standard deviation 1. It returns
// a [*gradientError] for the entry with the largest disagreement, beyond 1e-4 of the largest
// derivative there; errors of Bind; and one for tables that are no distributions, a function that
// panics, no network, and a nil src ([bn.ErrNoSource]). It takes time in proportion to entries² times parameters.
func CheckGradient(net *bn.Network, f ParametricCPD, src rand.Source) error {
	switch {
	case net == nil:
		return errNoNetwork
	case src == nil:
		return fmt.Errorf("learn: %w", bn.ErrNoSource)
	}
	b, err := bindFamily(f, net, rand.New(src))
	if err != nil {
		return err
	}
	lambda := make([]float64, b.size())
	for range checks {
		if err := b.check(lambda); err != nil {
			return say.Errorf("learn: %w", err)
		}
	}
	return nil
}

// check looks at the tables and at each derivative at random λ.
func (b *familyBlock) check(lambda []float64) (err error) {
	defer b.rescue(&err)
	if err := b.bound.Start(lambda, b.rng); err != nil {
		return say.Errorf("%s: %w", b.family, err)
	}
	for i := range lambda {
		lambda[i] += b.rng.NormFloat64()
	}
	b.bound.Table(b.table, lambda)
	if err := b.distributions(); err != nil {
		return err
	}
	return b.entrywise(lambda)
}

// Differences agree with derivatives to gradientTolerance of the largest of them, and to
// gradientNoise, which is rounding.
const (
	gradientTolerance = 1e-4
	gradientNoise     = 1e-8
)

// entrywise compares each derivative of each entry.
func (b *familyBlock) entrywise(lambda []float64) error {
	if len(lambda) == 0 {
		return nil
	}
	differences := mat.NewDense(len(b.g), len(lambda), nil)
	fd.Jacobian(differences, b.bound.Table, lambda, &fd.JacobianSettings{Formula: fd.Central})
	allowed := gradientNoise + gradientTolerance*math.Max(mat.Max(differences), -mat.Min(differences))
	row := make([]float64, len(lambda))
	worst, entry, parameter := allowed, -1, 0
	e := &gradientError{Family: b.family.String(), Lambda: lambda}
	for cell := range b.g {
		clear(b.g)
		b.g[cell] = 1
		b.bound.Pullback(row, lambda, b.g)
		for i, d := range row {
			if off := math.Abs(d - differences.At(cell, i)); !(off <= worst) {
				worst, entry, parameter = off, cell, i
				e.Pullback, e.Difference = d, differences.At(cell, i)
			}
		}
	}
	if entry < 0 {
		return nil
	}
	e.Entry, e.Parameter = b.entryName(entry), b.bound.Names[parameter]
	return e
}

// entryName spells an entry of the family.
func (b *familyBlock) entryName(entry int) string {
	for i, t := range b.tables {
		if entry >= t.hi-t.lo {
			entry -= t.hi - t.lo
			continue
		}
		return cellName(b.net.CPT(b.children[i]), entry/t.states, entry%t.states)
	}
	panic("learn: an entry beyond the tables of its family")
}

// direct is the check that an APN makes before it starts: one sum of all entries, with weights
// that differ, against its differences. Only when they disagree is each entry looked at.
func (b *familyBlock) direct(lambda []float64) error {
	weights := make([]float64, len(b.g))
	for i := range weights {
		weights[i] = math.Sin(float64(i*i + 1))
	}
	table := make([]float64, len(b.g))
	differences := fd.Gradient(nil, func(lambda []float64) float64 {
		b.bound.Table(table, lambda)
		sum := 0.0
		for i, w := range table {
			sum += weights[i] * w
		}
		return sum
	}, lambda, &fd.Settings{Formula: fd.Central})
	got := make([]float64, len(lambda))
	b.bound.Pullback(got, lambda, weights)
	most := 0.0
	for _, d := range differences {
		most = max(most, math.Abs(d))
	}
	for i, d := range differences {
		if !(math.Abs(got[i]-d) <= gradientTolerance*most+gradientNoise*float64(len(weights))) {
			return b.entrywise(lambda)
		}
	}
	return nil
}
