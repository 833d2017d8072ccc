package product

import (
	"math"
	"math/rand/v2"
)

// What is said of the g of a set of two binary parents, by configuration 00, 01, 10, 11, or of one
// parent, 0, 1: nothing; that it falls with each parent; that besides
// g00 + g11 ≤ g01 + g10, or ≥; and the first of these alone.
type saying int

const (
	nothing saying = iota
	falls
	synergy
	sub
	bare
)

// scene is a problem in which each set has a saying.
type scene struct {
	name    string
	sizes   []int
	sayings []saying
	margin  float64
}

var scenes = []scene{
	{"one parent each", []int{2, 2, 2}, []saying{nothing, nothing, nothing}, 0},
	{"one parent each, falling", []int{2, 2, 2, 2, 2}, []saying{falls, falls, falls, falls, falls}, 0},
	{"pairs", []int{4, 4}, []saying{nothing, nothing}, 0},
	{"pairs, falling", []int{4, 4, 2}, []saying{falls, falls, falls}, 0},
	{"synergy", []int{4, 2, 2}, []saying{synergy, falls, nothing}, 0},
	{"sub-synergy", []int{4, 2, 2}, []saying{sub, falls, falls}, 0},
	{"synergies of both kinds", []int{4, 4}, []saying{synergy, sub}, 0},
	{"synergy after a parent", []int{2, 4}, []saying{falls, synergy}, 0},
	{"synergy without signs", []int{4, 2}, []saying{bare, nothing}, 0},
	{"margins", []int{4, 2}, []saying{falls, falls}, 0.02},
	{"margins beside a set of no order", []int{2, 2, 2}, []saying{falls, nothing, falls}, 0.02},
}

// problem lists the relations of all configurations.
func (s scene) problem() Problem {
	p := Problem{Sizes: s.sizes}
	configs := 1
	for _, size := range s.sizes {
		configs *= size
	}
	stride := configs
	for i, size := range s.sizes {
		stride /= size
		say := func(less, more []int) {
			for x := range configs {
				if x/stride%size > 0 {
					continue
				}
				r := Relation{Margin: s.margin}
				for _, y := range less {
					r.Less = append(r.Less, x+y*stride)
				}
				for _, y := range more {
					r.More = append(r.More, x+y*stride)
				}
				p.Relations = append(p.Relations, r)
			}
		}
		if s.sayings[i] == nothing {
			continue
		}
		for bit := 1; bit < size && s.sayings[i] != bare; bit *= 2 {
			for y := range size {
				if y&bit == 0 {
					say([]int{y | bit}, []int{y})
				}
			}
		}
		switch s.sayings[i] {
		case synergy, bare:
			say([]int{0, 3}, []int{1, 2})
		case sub:
			say([]int{1, 2}, []int{0, 3})
		}
	}
	return p
}

// parameters is how many numbers make a table of the scene.
func (s scene) parameters() int {
	n := 0
	for _, size := range s.sizes {
		n += size
	}
	return n
}

// table writes F for numbers between 0 and 1: every table of the scene, without its margin, has some.
func (s scene) table(f, numbers []float64) {
	for x := range f {
		f[x] = 1
	}
	stride := len(f)
	for i, size := range s.sizes {
		stride /= size
		g := factors(s.sayings[i], numbers[:size])
		numbers = numbers[size:]
		for x := range f {
			f[x] *= g[x/stride%size]
		}
	}
}

func factors(say saying, t []float64) []float64 {
	switch say {
	case nothing:
		return t
	case bare:
		b, c := t[1], t[2]
		a := t[0] * math.Min(1, b+c)
		return []float64{a, b, c, t[3] * math.Min(1, b+c-a)}
	}
	if len(t) == 2 {
		return []float64{t[0], t[0] * t[1]}
	}
	a := t[0]
	b, c := a*t[1], a*t[2]
	least, most := 0.0, math.Min(b, c)
	switch say {
	case synergy:
		c = a * (1 - t[1] + t[1]*t[2]) // so that b + c ≥ a
		most = b + c - a
	case sub:
		least = math.Max(0, b+c-a)
	}
	return []float64{a, b, c, least + t[3]*(most-least)}
}

func likelihood(f, n0, n1 []float64) float64 {
	total := 0.0
	for x := range f {
		if n0[x] > 0 {
			total += n0[x] * math.Log(f[x])
		}
		if n1[x] > 0 {
			total += n1[x] * math.Log1p(-f[x])
		}
	}
	return total
}

// draw makes counts of some cases under a random table of no scene, some configurations left out.
func draw(rng *rand.Rand, configs, cases int) (n0, n1 []float64) {
	n0, n1 = make([]float64, configs), make([]float64, configs)
	p := make([]float64, configs)
	for x := range p {
		p[x] = rng.Float64()
	}
	for range cases {
		x := rng.IntN(configs)
		if x%7 == 3 {
			continue
		}
		if rng.Float64() < p[x] {
			n0[x]++
		} else {
			n1[x]++
		}
	}
	return n0, n1
}
