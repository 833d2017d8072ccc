package completion

// Len is the number of different evidences around the part.
func (p *Part) Len() int { return len(p.configs) }

// Derivatives is how many table entries the likelihood of one evidence depends on, at most.
func (p *Part) Derivatives() int {
	total := 0
	for _, f := range p.families {
		total += f.possible
	}
	return total
}

// Expect calls f, for each evidence, with the expected counts n of the part's entries in one case of it, under the
// tables theta. An entry may stand more than once. (W00 Eq. 17.)
func (p *Part) Expect(theta []float64, f func(cells []int, n []float64)) error {
	for _, e := range p.configs {
		if err := p.sum(theta, e.base); err != nil {
			return err
		}
		f(p.expect(e.base))
	}
	return nil
}

// expect returns the expected counts of the part's families in one case, with the tables that
// sum has made for it: the posterior of each step's variables, from the last to the first.
func (p *Part) expect(base []int) (cells []int, n []float64) {
	posterior := make([][]float64, len(p.steps)) // of what remains after a step
	for i := len(p.steps) - 1; i >= 0; i-- {
		e := &p.steps[i]
		q := make([]float64, len(e.table))
		for j, x := range e.table {
			if x > 0 {
				outer := 1.0 // nothing remains
				if posterior[i] != nil {
					outer = posterior[i][j/e.card]
				}
				q[j] = outer * x / e.message[j/e.card]
			}
		}
		for _, o := range e.product {
			if o.family < 0 {
				posterior[o.from] = make([]float64, len(p.steps[o.from].message))
			}
			for j, at := range o.at {
				if o.family < 0 {
					posterior[o.from][at] += q[j]
				} else if q[j] > 0 {
					cells, n = append(cells, base[o.family]+int(at)), append(n, q[j])
				}
			}
		}
	}
	return cells, n
}
