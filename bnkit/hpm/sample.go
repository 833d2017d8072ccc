package hpm

import (
	"slices"

	"gonum.org/v1/gonum/floats"
)

// A sample is a set of trials to fit to: all folds but some. It holds what depends on the
// design alone, so that all clusters share it. (N06 Algorithm 3, steps 2 and 4, hold folds out.)
type sample struct {
	*statistics
	without []int // folds
	trials  int
	images  int
	designs []*design   // by timing class
	joint   pattern     // of the sum of their matrices
	pairs   []pair      // the same, where all meet in twos in one timing class; else nil
	own     [][]float64 // G_kk⁺ of each process, where processes are taken in turn; else nil
}

// A design is the matrix G of one timing class.
type design struct {
	gram    []float64 // m × m
	grouped grouped
	parts   pattern
	inverse [][]float64 // G⁺, for each part
	twos    []two       // the same, where all parts are pairs; else nil
	rank    int
}

// A pair is two values that meet each other alone: of processes k and l, with their entries of G.
type pair struct {
	a, b, k, l int
	aa, ab, bb float64
	same       bool // k, l and entries as in the pair before
}

// A two is a part of two values, a and b, with its inverse.
type two struct {
	a, b           int
	aa, ab, ba, bb float64
}

// pairsOf are the parts if all of them are pairs, else nil.
func (p *statistics) pairsOf(parts pattern, gram []float64) []pair {
	var pairs []pair
	m := p.values()
	for _, part := range parts {
		if len(part) != 2 {
			return nil
		}
		a, b := part[0], part[1]
		q := pair{a: a, b: b, k: p.owner[a], l: p.owner[b], aa: gram[a*m+a], ab: gram[b*m+a], bb: gram[b*m+b]}
		if n := len(pairs); n > 0 {
			of := pairs[n-1]
			q.same = q.k == of.k && q.l == of.l && q.aa == of.aa && q.ab == of.ab && q.bb == of.bb
		}
		pairs = append(pairs, q)
	}
	return pairs
}

// sample leaves out some folds by subtraction.
func (p *statistics) sample(without ...int) *sample {
	s := &sample{statistics: p, without: without, trials: p.total.trials, images: p.total.images}
	for _, f := range without {
		s.trials -= p.folds[f].trials
		s.images -= p.folds[f].images
	}
	var grams [][]float64
	for class := range p.classes {
		gram := append([]float64(nil), p.total.gram[class]...)
		for _, f := range without {
			floats.Sub(gram, p.folds[f].gram[class])
		}
		p.clearUnseen(gram, p.total.gram[class])
		grams = append(grams, gram)
		s.designs = append(s.designs, p.design(gram))
	}
	s.joint = s.designs[0].parts
	if len(grams) > 1 {
		s.joint = meet(p.values(), grams...)
	} else if s.pairs = p.pairsOf(s.joint, grams[0]); s.pairs != nil {
		return s // which are never entangled
	} else if s.joint.entangled(p.values()) {
		s.own = p.inverses(grams[0])
	}
	return s
}

// clearUnseen clears the rows and columns of values that only the left-out folds show: what
// subtraction leaves of them is rounding.
func (p *statistics) clearUnseen(gram, total []float64) {
	m := p.values()
	for j := range m {
		if gram[j*m+j] < 1e-12*total[j*m+j] {
			clear(gram[j*m:][:m])
			for a := range m {
				gram[a*m+j] = 0
			}
		}
	}
}

// knownDesigns are the designs that samples share: one less each fold and one less each two where folds are alike.
const knownDesigns = 4

// design returns the design of a matrix, which samples have in common where folds hold trials of the same kinds.
func (p *statistics) design(gram []float64) *design {
	p.knowing.Lock()
	known := p.known
	p.knowing.Unlock()
	for _, d := range known {
		if slices.Equal(d.gram, gram) {
			return d
		}
	}
	d := newDesign(gram, p.values(), p.owner)
	p.knowing.Lock()
	defer p.knowing.Unlock()
	if len(p.known) < knownDesigns {
		p.known = append(p.known, d)
	}
	return d
}

func newDesign(gram []float64, m int, owner []int) *design {
	d := &design{gram: gram, parts: meet(m, gram), grouped: newSparse(gram, m).byProcesses(owner)}
	var s solver
	for _, part := range d.parts {
		n := len(part)
		block, inverse, columns := make([]float64, n*n), make([]float64, n*n), make([][]float64, n)
		for i, a := range part {
			for j, b := range part {
				block[i*n+j] = gram[a*m+b]
			}
			columns[i] = inverse[i*n:][:n]
			columns[i][i] = 1
		}
		d.rank += s.solve(block, n, columns...)
		d.inverse = append(d.inverse, inverse)
		if n == 2 {
			d.twos = append(d.twos, two{part[0], part[1], inverse[0], inverse[1], inverse[2], inverse[3]})
		}
	}
	if len(d.twos) < len(d.parts) {
		d.twos = nil
	}
	return d
}

// solve sets dst to G⁺b.
func (d *design) solve(dst, b []float64) {
	clear(dst)
	for i := range d.twos {
		t := &d.twos[i]
		x, y := b[t.a], b[t.b]
		dst[t.a] = t.aa*x + t.ab*y
		dst[t.b] = t.ba*x + t.bb*y
	}
	if d.twos != nil {
		return
	}
	for i, part := range d.parts {
		n, inverse := len(part), d.inverse[i]
		if n == len(b) { // one part, of all values
			for a := range dst {
				dst[a] = floats.Dot(inverse[a*n:][:n], b)
			}
			return
		}
		if n == 2 {
			x, y := b[part[0]], b[part[1]]
			dst[part[0]] = inverse[0]*x + inverse[1]*y
			dst[part[1]] = inverse[2]*x + inverse[3]*y
			continue
		}
		for r, a := range part {
			sum := 0.0
			for c, x := range inverse[r*n:][:n] {
				sum += x * b[part[c]]
			}
			dst[a] = sum
		}
	}
}
