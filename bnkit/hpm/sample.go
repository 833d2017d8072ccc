package hpm

import "gonum.org/v1/gonum/floats"

// A sample is a set of trials to fit to: all folds but some. It holds what depends on the
// design alone, so that all clusters share it. (N06 Algorithm 3, steps 2 and 4, hold folds out.)
type sample struct {
	*statistics
	without []int // folds
	trials  int
	images  int
	designs []*design   // by timing class
	joint   pattern     // of the sum of their matrices
	own     [][]float64 // G_kk⁺ of each process, where processes are taken in turn; else nil
}

// A design is the matrix G of one timing class.
type design struct {
	gram    []float64 // m × m
	sparse  sparse
	parts   pattern
	inverse [][]float64 // G⁺, for each part
	rank    int
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
		s.designs = append(s.designs, newDesign(gram, p.values()))
	}
	s.joint = s.designs[0].parts
	if len(grams) > 1 {
		s.joint = meet(p.values(), grams...)
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

func newDesign(gram []float64, m int) *design {
	d := &design{gram: gram, parts: meet(m, gram), sparse: newSparse(gram, m)}
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
	}
	return d
}

// solve sets dst to G⁺b.
func (d *design) solve(dst, b []float64) {
	clear(dst)
	for i, part := range d.parts {
		n, inverse := len(part), d.inverse[i]
		if n == len(b) { // one part, of all values
			for a := range dst {
				dst[a] = floats.Dot(inverse[a*n:][:n], b)
			}
			return
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
