package learn

import (
	"fmt"
	"math/rand/v2"
)

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
		*err = fmt.Errorf("%s: its function %s panics: %v", b.family, b.running, r)
	}
	b.running = ""
}
