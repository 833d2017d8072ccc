package hpm

import "math"

// climb repeats the two steps until a sweep gains less than the tolerance. After each two sweeps it
// leaps ahead along the path of P, and takes the leap back where that does not gain:
//
//	P₀ + 2s(P₁ − P₀) + s²(P₂ − 2P₁ + P₀),   s = |P₁ − P₀| / |P₂ − 2P₁ + P₀|.
//
// Where signals are weak, sweeps alone take hundreds (Varadhan and Roland 2008, scheme S3).
//
// Where values are entangled ([pattern.entangled]) processes are taken in turn, and all at once at the end. The
// error has several stationary points, so that this can end at another one. (N06 Algorithm 2.)
func (f *fitter) climb() {
	step := f.improve
	if f.sample.own != nil {
		step = f.inTurn
		defer func() {
			f.improve()
			f.amplitudes()
		}()
	}
	value := f.amplitudes()
	f.old, f.older = resize(f.old, len(f.p)), resize(f.older, len(f.p))
	f.ahead = resize(f.ahead, len(f.p))
	for f.converged = false; f.sweeps < f.set.MaxSweeps; {
		copy(f.older, f.old)
		copy(f.old, f.p)
		step()
		f.sweeps++
		next := f.amplitudes()
		if f.converged = !(value-next > f.set.Tolerance); f.converged {
			return
		}
		if value = next; f.sweeps%2 == 0 {
			value = f.leap(value)
		}
	}
}

// leap moves P ahead of its last three values. It returns what the fit lowers, at most the value
// that it is given.
func (f *fitter) leap(value float64) float64 {
	bend, step := 0.0, 0.0
	old, older, ahead := f.old[:len(f.p)], f.older[:len(f.p)], f.ahead[:len(f.p)]
	for i, p := range f.p {
		r := old[i] - older[i]
		v := p - old[i] - r
		step += r * r
		bend += v * v
	}
	if !(step > bend) {
		return value
	}
	s := math.Sqrt(step / bend)
	for i, p := range f.p {
		r := old[i] - older[i]
		v := p - old[i] - r
		ahead[i] = older[i] + 2*s*r + s*s*v
	}
	crossed := f.crossed
	f.p, f.ahead = f.ahead, f.p
	f.keep()
	if next := f.amplitudes(); next < value {
		return next
	}
	f.p, f.ahead = f.ahead, f.p
	if f.pass(); f.crossed != crossed { // what was kept is by B
		return f.evaluate()
	}
	f.keep()
	return value
}

// keep sets aside what [fitter.amplitudes] has found, and takes up what was kept before that.
func (f *fitter) keep() {
	k := &f.kept
	f.c, k.c, f.errors, k.errors = k.c, f.c, k.errors, f.errors
	f.h, k.h, f.j, k.j = k.h, f.h, k.j, f.j
	f.w, k.w, f.right, k.right = k.w, f.w, k.right, f.right
}
