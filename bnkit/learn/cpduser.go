package learn

import (
	"errors"
	"math/rand/v2"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// UserCPD is a family of the user's own: functions that make the tables of some variables
// from parameters λ (R95 §6). A panic in one of them is an error of the fit that names it.
type UserCPD struct {
	Text string // how it prints
	// Children are the variables whose tables it makes.
	Children []string
	// Parameters are their names.
	Parameters []string
	// First are the λ to begin with; nil means zeros.
	First []float64
	// Table writes the entries of the children's tables, one table after another in the order
	// of the table: configurations, the first parent varying slowest, and within them states.
	// Rows sum to 1 at First; where they do not, as by NaN, a search goes no further.
	Table func(dst, lambda []float64)
	// Jacobian writes ∂ entry / ∂λ, by entry and parameter. Nil takes central differences of
	// Table, at twice as many calls as there are parameters.
	Jacobian func(dst *mat.Dense, lambda []float64)
	// Natural writes the λ as they are to be reported, all finite; nil reports λ.
	Natural func(dst, lambda []float64)
}

var _ ParametricCPD = UserCPD{}

// String returns the text of the family.
func (f UserCPD) String() string {
	if f.Text == "" {
		return "family without a name"
	}
	return f.Text
}

// Bind implements [ParametricCPD]. It returns an error when Children, Parameters or Table are missing,
// or First is of another length than Parameters.
func (f UserCPD) Bind(net *bn.Network) (*Parametric, error) {
	switch {
	case len(f.Children) == 0:
		return nil, say.Errorf("%s: no variables; name them in Children", f)
	case len(f.Parameters) == 0:
		return nil, say.Errorf("%s: no parameters; name them in Parameters", f)
	case f.Table == nil:
		return nil, say.Errorf("%s: %w", f, errors.New("no Table"))
	case f.First != nil && len(f.First) != len(f.Parameters):
		return nil, say.Errorf("%s: %d values in First for %d parameters", f, len(f.First), len(f.Parameters))
	}
	entries := 0
	for _, name := range f.Children {
		t, err := net.Table(name)
		if err != nil {
			return nil, say.Errorf("%s: %w", f, err)
		}
		entries += len(t.P)
	}
	jacobian := f.Jacobian
	if jacobian == nil {
		jacobian = func(dst *mat.Dense, lambda []float64) {
			fd.Jacobian(dst, f.Table, lambda, &fd.JacobianSettings{Formula: fd.Central})
		}
	}
	return &Parametric{
		Children: f.Children, Names: f.Parameters, Table: f.Table, Natural: f.Natural,
		Start: func(lambda []float64, _ *rand.Rand) error {
			clear(lambda)
			copy(lambda, f.First)
			return nil
		},
		Pullback: func(dst, lambda, g []float64) {
			j := mat.NewDense(entries, len(lambda), nil)
			jacobian(j, lambda)
			mat.NewVecDense(len(dst), dst).MulVec(j.T(), mat.NewVecDense(len(g), g))
		},
	}, nil
}

// watched is the family with notes of which of its functions is running, for rescue.
func (b *familyBlock) watched(f *Parametric) *Parametric {
	w := *f
	derivatives := "Pullback"
	if user, ok := b.family.(UserCPD); ok {
		derivatives = "Jacobian"
		if user.Jacobian == nil {
			derivatives = "Table"
		}
	}
	run := func(name string, call func()) {
		b.running = name
		call()
		b.running = ""
	}
	w.Start = func(lambda []float64, rng *rand.Rand) (err error) {
		run("Start", func() { err = f.Start(lambda, rng) })
		return err
	}
	w.Table = func(dst, lambda []float64) { run("Table", func() { f.Table(dst, lambda) }) }
	w.Pullback = func(dst, lambda, g []float64) { run(derivatives, func() { f.Pullback(dst, lambda, g) }) }
	if f.Natural != nil {
		w.Natural = func(dst, lambda []float64) { run("Natural", func() { f.Natural(dst, lambda) }) }
	}
	return &w
}

// rescue, deferred, turns a panic in a function of the family into an error that names both.
func (b *familyBlock) rescue(err *error) {
	if b.running == "" {
		return
	}
	if r := recover(); r != nil {
		*err = say.Errorf("%s: its function %s panics: %v", b.family, b.running, r)
	}
	b.running = ""
}
