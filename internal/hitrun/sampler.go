package hitrun

import (
	"errors"
	"fmt"
	"math"
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

// step moves to another point of a random line.
func (s *Sampler) step() {
	d, width := s.any, 8.0
	if s.rng.IntN(4) > 0 {
		d, width = s.circuits[s.rng.IntN(len(s.circuits))], math.Inf(1)
	} else {
		for i := range s.z {
			s.z[i] = s.rng.NormFloat64()
		}
		norm := floats.Norm(s.z, 2)
		clear(d.speed)
		for k, p := range d.index {
			d.value[k] = floats.Dot(s.shape.RawRowView(p), s.z) / norm
			for _, e := range s.set.columns[p] {
				d.speed[e.row] += e.coef * d.value[k]
			}
		}
	}
	if s.rng.IntN(2) == 0 {
		floats.Scale(-1, d.value)
		floats.Scale(-1, d.speed)
	}
	lo, hi, zero := d.chord(s.x, s.slack)
	switch {
	case math.IsInf(lo, 0) || math.IsInf(hi, 0):
		s.line = true
	case zero >= 0 && s.a[d.index[zero]] < 1:
		s.slicePole(d, lo, hi, zero)
	default:
		s.slice(d, lo, hi, width)
	}
}

// slice takes a step of the slice sampler on the line. Its bracket has the width given or is
// the whole line; it is placed at random around the point and shrinks towards it (R. Neal,
// Slice sampling, Annals of Statistics 31, 2003, §4).
func (s *Sampler) slice(d direction, lo, hi, width float64) {
	if !math.IsInf(width, 1) {
		from := -width * s.rng.Float64()
		lo, hi = max(lo, from), min(hi, from+width)
	}
	level := s.logDensity(d, 0, -1) - s.rng.ExpFloat64()
	for hi-lo > 1e-15*(1+hi) {
		t := lo + (hi-lo)*s.rng.Float64()
		if s.logDensity(d, t, -1) >= level {
			s.move(d, t)
			return
		}
		if t < 0 {
			lo = t
		} else {
			hi = t
		}
	}
}

// slicePole is slice for a line on which the density has a pole at the lower end, where the
// variable of one entry of d is zero, x_p with a_p < 1. It works in
// v = ((t − lo)/(hi − lo))^a_p, in which the factor of x_p is constant.
func (s *Sampler) slicePole(d direction, lo, hi float64, entry int) {
	p := d.index[entry]
	length, a := hi-lo, s.a[p]
	at := math.Pow(s.x[p]/(length*d.value[entry]), a)
	low, high := 0.0, 1.0
	level := s.logDensity(d, 0, entry) - s.rng.ExpFloat64()
	for high-low > 1e-15 {
		v := low + (high-low)*s.rng.Float64()
		t := length * math.Pow(v, 1/a) // from the lower end
		if x := t * d.value[entry]; x > 0 && s.logDensity(d, lo+t, entry) >= level {
			s.move(d, lo+t)
			s.x[p] = x
			return
		}
		if v < at {
			low = v
		} else {
			high = v
		}
	}
}

// logDensity is Σ (a_p − 1) log(x_p + t d_p) over the variables of d without those of one
// entry, or of −1; it is −∞ outside.
func (s *Sampler) logDensity(d direction, t float64, without int) float64 {
	total := 0.0
	for k, p := range d.index {
		if k == without {
			continue
		}
		x := s.x[p] + t*d.value[k]
		if !(x > 0) {
			return math.Inf(-1)
		}
		if s.a[p] != 1 {
			total += (s.a[p] - 1) * math.Log(x)
		}
	}
	return total
}

// move goes along the line; now and then it removes what rounding has added beside the set.
func (s *Sampler) move(d direction, t float64) {
	for k, p := range d.index {
		s.x[p] += t * d.value[k]
	}
	for k, r := range d.rows {
		s.slack[r] -= t * d.speed[k]
	}
	const often = 256
	if s.steps++; s.steps%often != 0 {
		return
	}
	n := len(s.x)
	from, z := mat.NewVecDense(n, nil), mat.NewVecDense(s.set.dim(), nil)
	for p, x := range s.x {
		from.SetVec(p, x-s.set.interior[p])
	}
	z.MulVec(s.set.basis.T(), from)
	from.MulVec(s.set.basis, z)
	for p := range s.x {
		if !(s.set.interior[p]+from.AtVec(p) > 0) && s.x[p] > 0 {
			return
		}
	}
	for p := range s.x {
		s.x[p] = s.set.interior[p] + from.AtVec(p)
	}
	s.measure()
}
