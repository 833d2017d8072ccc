package hitrun

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// ErrUnbounded says that the set contains a whole line or half-line.
var ErrUnbounded = errors.New("the set is not bounded")

// A Sampler draws from the density by hit-and-run: a random line through the point, then a
// point of the line by slice sampling, which leaves the density on the line as it is. Most
// lines change few variables; the others go anywhere, and a unit along them is as long as
// the density is wide in that direction, by the covariance of pilot runs. It is not for
// concurrent use.
type Sampler struct {
	set      *polytope
	a        []float64
	rng      *rand.Rand
	circuits []direction
	shape    *mat.Dense // the other directions are shape·z/|z|, z of normal variates

	x, centre []float64 // the point, and about the mean
	slack     []float64 // what the free rows leave at x
	any       direction
	z         []float64
	steps     int
	line      bool // a chord had no end
}

// New returns a sampler of Π x_p^(a_p − 1) on the set of p. interior is a point in its
// relative interior: what is zero or tight there, to 1e-12, is so on the whole set, and a
// variable that is zero everywhere has no factor in the density. Draws satisfy the
// equalities as well as interior does. It panics when a or interior has
// not p.Len entries, and returns an error for exponents that are not positive, a nil source,
// a point outside ([ErrOutside]), an unbounded set ([ErrUnbounded]) and exponents above 1e12
// ([ErrNarrow]).
//
// For a set of dimension d, New runs two pilots of 50 d + 200 steps, each from where the
// last one ended, to learn the covariance, then as many again as burn-in; a draw is 3 d
// steps after the last. One step in four costs O(d·Len), the others less. Exponents far
// below 0.2 put mass nearer to zero than numbers near 1 are spaced: such draws are cut off
// there, and mix slowly.
func New(p Problem, a, interior []float64, src rand.Source) (*Sampler, error) {
	if err := check(p, a, interior); err != nil {
		return nil, err
	}
	if src == nil {
		return nil, errors.New("hitrun: sampling needs a random source")
	}
	set := newPolytope(p, slices.Clone(interior))
	rng := rand.New(src)
	return start(set, set.circuits(rng), slices.Clone(a), interior, interior, rng)
}

// start places a sampler at x and adapts it, beginning with the metric at centre.
func start(set *polytope, circuits []direction, a, x, centre []float64, rng *rand.Rand) (*Sampler, error) {
	d := set.dim()
	s := &Sampler{set: set, circuits: circuits, a: a, rng: rng, x: slices.Clone(x), centre: slices.Clone(centre),
		any: direction{index: set.moving, value: make([]float64, len(set.moving)),
			speed: make([]float64, len(set.free))},
		z: make([]float64, d), slack: make([]float64, len(set.free))}
	if d == 0 {
		return s, nil
	}
	for i := range set.free {
		s.any.rows = append(s.any.rows, i)
	}
	s.measure()
	if err := s.adapt(nil); err != nil {
		return nil, err
	}
	for range 2 {
		cov := s.pilot(50*d + 200)
		if s.line {
			return nil, fmt.Errorf("hitrun: %w", ErrUnbounded)
		}
		if err := s.adapt(cov); err != nil {
			return nil, err
		}
	}
	for range 50*d + 200 {
		s.step()
	}
	return s, nil
}

// follow turns to exponents near the last ones. A pilot adapts to them, and is the burn-in.
func (s *Sampler) follow(a []float64) error {
	s.a = a
	if s.set.dim() == 0 {
		return nil
	}
	return s.adapt(s.pilot(50*s.set.dim() + 200))
}

// Turn goes on with other exponents from where the chain is, without a pilot: steps leave any density as it is, so
// that they may be the part of a sweep of Gibbs sampling. It panics when a has not one entry for each variable; the
// entries have to be positive, as New demands.
func (s *Sampler) Turn(a []float64) {
	if len(a) != len(s.x) {
		panic("hitrun: exponents of another number than the variables")
	}
	s.a = append(s.a[:0:0], a...)
}

// measure finds the slack afresh.
func (s *Sampler) measure() {
	for i, r := range s.set.free {
		s.slack[i] = r.Value - r.Dot(s.x)
	}
}

// pilot takes steps, moves the centre to their mean and returns the covariance of the points
// in coordinates of the basis.
func (s *Sampler) pilot(steps int) *mat.SymDense {
	d := s.set.dim()
	mean, second := mat.NewVecDense(d, nil), mat.NewSymDense(d, nil)
	at, from := mat.NewVecDense(d, nil), mat.NewVecDense(len(s.x), nil)
	for range steps {
		s.step()
		for p, x := range s.x {
			from.SetVec(p, x-s.set.interior[p])
		}
		at.MulVec(s.set.basis.T(), from)
		mean.AddVec(mean, at)
		second.SymRankOne(second, 1, at)
	}
	mean.ScaleVec(1/float64(steps), mean)
	second.ScaleSym(1/float64(steps), second)
	second.SymRankOne(second, -1, mean)
	from.MulVec(s.set.basis, mean)
	floats.AddTo(s.centre, s.set.interior, from.RawVector().Data)
	return second
}

// adapt sets the shape of the directions from a covariance in coordinates of the basis,
// mixed in equal parts with the inverse metric at the centre, which alone serves for nil.
func (s *Sampler) adapt(cov *mat.SymDense) error {
	d := s.set.dim()
	var chol mat.Cholesky
	if !chol.Factorize(s.set.metric(s.a, s.centre)) {
		return fmt.Errorf("hitrun: %w", ErrUnbounded)
	}
	var shape mat.SymDense
	if err := chol.InverseTo(&shape); err != nil && !errors.As(err, new(mat.Condition)) {
		return fmt.Errorf("hitrun: %w", ErrUnbounded)
	}
	if cov != nil {
		ratio := 0.0 // of the sizes of the two
		for i := range d {
			ratio += cov.At(i, i)
		}
		ratio /= mat.Trace(&shape)
		shape.ScaleSym(ratio, &shape)
		shape.AddSym(&shape, cov)
	}
	if !chol.Factorize(&shape) {
		if s.shape == nil {
			return fmt.Errorf("hitrun: %w", ErrNarrow)
		}
		return nil // a shape too flat to tell: keep the last one
	}
	var lower mat.TriDense
	chol.LTo(&lower)
	if s.shape == nil {
		s.shape = mat.NewDense(len(s.x), d, nil)
	}
	s.shape.Mul(s.set.basis, &lower)
	return nil
}

// Next fills dst with the next draw. It panics when dst has not one entry for each variable.
func (s *Sampler) Next(dst []float64) {
	if len(dst) != len(s.x) {
		panic("hitrun: destination of another length than the problem")
	}
	for range 3 * s.set.dim() {
		s.step()
	}
	copy(dst, s.x)
}
