package learn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/optimize"

	"bnlab/bnkit/bn"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// A ParametricCPD makes the tables of some variables from a few parameters λ, which an [APN] learns
// in place of the entries (R95 §6). By the chain rule
//
//	∂ ln P(D) / ∂λ = Σ N̄/w · ∂w/∂λ                          (R95 Eq. 5)
//
// with the sum over the entries w of all tables of the family. [NoisyORCPD], [NoisyMAXCPD], [SharedTable],
// [NeuralNet] and [UserCPD] are families; write another by binding it to a [Parametric]. [CheckGradient] tells
// whether its derivatives are right.
type ParametricCPD interface {
	fmt.Stringer
	// Bind resolves names. Errors name the family and what is unknown or of the wrong shape.
	Bind(net *bn.Network) (*Parametric, error)
}

// A Parametric is a family bound to a network. Its λ are any real numbers, so that a search
// needs no limits: probabilities go through a logistic function or a soft-max. Entries are those
// of the children's tables, one table after another, each in the order of the table. Its functions
// may keep scratch between calls, so one goroutine calls them; each fit binds its own.
type Parametric struct {
	// Children are the variables whose tables are made.
	Children []string
	// Names of the parameters, one for each λ, as they are reported.
	Names []string
	// Start writes the λ to begin with, at random where that makes sense.
	Start func(lambda []float64, rng *rand.Rand) error
	// Table writes the entries. Rows sum to 1 at Start, and a search keeps out of where they do not.
	Table func(dst, lambda []float64)
	// Pullback writes for each λ the sum Σ g·∂w/∂λ over the entries w.
	Pullback func(dst, lambda, g []float64)
	// Natural writes the λ as they are reported, as a probability for its logit; nil reports λ.
	Natural func(dst, lambda []float64)
}

// A FittedCPD holds the parameters of a family at the estimate.
type FittedCPD struct {
	Family   string    // in words
	Children []string  // the variables whose tables it makes
	Names    []string  // of the parameters
	Values   []float64 // on the scale of the family: probabilities, weights
}

// familyBlock are the λ of a family as coordinates.
type familyBlock struct {
	family   ParametricCPD
	bound    *Parametric
	children []int
	tables   []span
	rng      *rand.Rand
	from     bool // the first tables are of a network
	net      *bn.Network
	table, g []float64
	running  string // the function of the family that is being called
}

// bindFamily binds f and checks what it gives.
func bindFamily(f ParametricCPD, net *bn.Network, rng *rand.Rand) (*familyBlock, error) {
	if f == nil {
		return nil, fmt.Errorf("learn: a ParametricCPD is nil; leave it out")
	}
	bound, err := f.Bind(net)
	if err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	if bound == nil || len(bound.Children) == 0 || len(bound.Names) == 0 || bound.Start == nil || bound.Table == nil ||
		bound.Pullback == nil {
		return nil, say.Errorf("learn: %s: Bind must set Children, Names, Start, Table and Pullback", f)
	}
	b := &familyBlock{family: f, rng: rng, net: net}
	b.bound = b.watched(bound)
	layout, size := net.Layout(), 0
	for _, name := range bound.Children {
		v, err := net.Index(name)
		if err != nil {
			return nil, say.Errorf("learn: %s: %w", f, err)
		}
		if net.CPT(v) == nil {
			return nil, say.Errorf("learn: %s: %q: %w", f, name, bn.ErrNotDiscrete)
		}
		lo, hi := layout.Family(v)
		b.children = append(b.children, v)
		b.tables = append(b.tables, span{lo, hi, net.Variable(v).Cardinality()})
		size += hi - lo
	}
	b.table, b.g = make([]float64, size), make([]float64, size)
	return b, nil
}

func (b *familyBlock) size() int { return len(b.bound.Names) }

// gather copies the family's part of cells to dst.
func (b *familyBlock) gather(dst, cells []float64) {
	for _, t := range b.tables {
		dst = dst[copy(dst, cells[t.lo:t.hi]):]
	}
}

// read begins with the λ of Start, and checks the derivatives there. When the first tables θ are
// those of a network that Settings give it climbs from there to the λ whose tables w are nearest,
// in that Σ θ log w is largest. Random tables would be a bad guide: what is nearest to them has
// links of zero, and at the ends of a logistic function gradients vanish.
func (b *familyBlock) read(x []float64, p *apnPoint) (err error) {
	defer b.rescue(&err)
	if err := b.bound.Start(x, b.rng); err != nil {
		return say.Errorf("%s: %w", b.family, err)
	}
	for i, lambda := range x {
		if math.IsNaN(lambda) || math.IsInf(lambda, 0) {
			return say.Errorf("%s: %s starts at %v; give a finite number", b.family, b.bound.Names[i], lambda)
		}
	}
	b.bound.Table(b.table, x)
	if err := b.distributions(); err != nil {
		return err
	}
	if err := b.direct(x); err != nil {
		return err
	}
	if b.from {
		if err := b.nearest(x, p.theta); err != nil {
			return err
		}
	}
	_, err = b.fitted(x)
	return err
}

// mostFitting bounds the steps of nearest, which need not be exact.
const mostFitting = 100

func (b *familyBlock) nearest(x, theta []float64) error {
	first := make([]float64, len(b.g))
	b.gather(first, theta)
	var failed error // Minimize calls from goroutines of its own
	far := optimize.Problem{
		Func: func(lambda []float64) float64 {
			if err := b.fill(lambda); err != nil {
				failed = err
			}
			if failed != nil || b.distributions() != nil {
				return math.Inf(1)
			}
			return -num.LogLikelihood(first, b.table)
		},
		Grad: func(dst, lambda []float64) {
			defer b.rescue(&failed)
			b.bound.Table(b.table, lambda)
			for i, t := range first {
				if b.g[i] = 0; t > 0 && b.table[i] > 0 {
					b.g[i] = -t / b.table[i]
				}
			}
			b.bound.Pullback(dst, lambda, b.g)
		},
	}
	if math.IsInf(far.Func(x), 0) {
		return failed // the family has zeros where the first tables have none
	}
	set := &optimize.Settings{MajorIterations: mostFitting, GradientThreshold: 1e-6}
	// A search that fails has still come some way.
	if r, _ := optimize.Minimize(far, x, set, &optimize.LBFGS{}); r != nil && failed == nil {
		if failed = b.fill(r.X); failed == nil && b.distributions() == nil {
			copy(x, r.X)
		}
	}
	return failed
}

// fill makes the tables of λ.
func (b *familyBlock) fill(lambda []float64) (err error) {
	defer b.rescue(&err)
	b.bound.Table(b.table, lambda)
	return nil
}

// distributions returns an error for the first row of the tables made that is none.
func (b *familyBlock) distributions() error {
	table := b.table
	for i, t := range b.tables {
		for range (t.hi - t.lo) / t.states {
			sum := 0.0
			for _, w := range table[:t.states] {
				if !(w >= 0) {
					return say.Errorf("%s: Table writes %v into the table of %q; entries must be probabilities",
						b.family, w,
						b.bound.Children[i])
				}
				sum += w
			}
			if !(math.Abs(sum-1) <= num.RowTolerance) {
				return say.Errorf("%s: Table writes a row of sum %v into the table of %q; rows must sum to 1", b.family,
					sum,
					b.bound.Children[i])
			}
			table = table[t.states:]
		}
	}
	return nil
}

func (b *familyBlock) write(p *apnPoint, x []float64) error {
	for _, lambda := range x {
		if math.IsNaN(lambda) || math.IsInf(lambda, 0) {
			return errOutside
		}
	}
	if err := b.fill(x); err != nil {
		return err
	}
	if b.distributions() != nil {
		return errOutside // read has seen that they are at the start
	}
	table := b.table
	for _, t := range b.tables {
		table = table[copy(p.theta[t.lo:t.hi], table):]
	}
	return nil
}

func (b *familyBlock) pull(dst, x []float64, p *apnPoint) (err error) {
	defer b.rescue(&err)
	g := b.g
	for _, t := range b.tables {
		p.slopes(g[:t.hi-t.lo], t)
		g = g[t.hi-t.lo:]
	}
	b.bound.Pullback(dst, x, b.g)
	return nil
}

// scale divides by the expected number of cases: a logit has at most a quarter of that as
// curvature.
func (b *familyBlock) scale(dst, gradient, _ []float64, p *apnPoint) {
	cases := 0.0
	for _, t := range b.tables {
		for _, m := range p.m[t.lo:t.hi] {
			cases += m
		}
	}
	for i, g := range gradient {
		dst[i] = 4 * g / (cases + p.one)
	}
}

// fitted reports the parameters at coordinates x, and an error when Natural makes one that is
// not finite.
func (b *familyBlock) fitted(x []float64) (f FittedCPD, err error) {
	defer b.rescue(&err)
	values := slices.Clone(x)
	if b.bound.Natural != nil {
		b.bound.Natural(values, x)
	}
	for i, value := range values {
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return f, say.Errorf("%s: Natural writes %v for %s at λ = %v; it must be finite", b.family, value,
				b.bound.Names[i], x[i])
		}
	}
	return FittedCPD{Family: b.family.String(), Children: b.bound.Children, Names: b.bound.Names, Values: values},
		nil
}
