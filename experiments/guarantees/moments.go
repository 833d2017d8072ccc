package guarantees

// moments gather the deviations of estimates from their true values, by parameter.
type moments struct {
	n           int
	sum, square []float64
}

func newMoments(parameters int) *moments {
	return &moments{sum: make([]float64, parameters), square: make([]float64, parameters)}
}

// add takes the estimates of one data set.
func (m *moments) add(estimate, truth []float64) {
	m.n++
	for i, x := range estimate {
		d := x - truth[i]
		m.sum[i] += d
		m.square[i] += d * d
	}
}

// variance is the sample variance of each estimate, with n − 1.
func (m *moments) variance() []float64 {
	v := make([]float64, len(m.sum))
	for i, s := range m.sum {
		v[i] = (m.square[i] - s*s/float64(m.n)) / float64(m.n-1)
	}
	return v
}

// bias is the mean deviation of each estimate.
func (m *moments) bias() []float64 {
	b := make([]float64, len(m.sum))
	for i, s := range m.sum {
		b[i] = s / float64(m.n)
	}
	return b
}
