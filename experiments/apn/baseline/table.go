package baseline

import "bnlab/bnkit/bn"

// A Table is a network in which every output has all inputs as parents, fitted by maximum
// likelihood: R95's "3-3" and "12-3" structures, when no cell is missing. Of its conditional
// probability tables it keeps only the configurations that occurred, so 92,160 of them cost no
// more than there are cases.
type Table struct {
	in     []int
	rows   map[int][]float64
	Unseen []float64 // predicted for inputs that did not occur
}

var _ Predictor = (*Table)(nil)

// TrainTable fits the table. Where an input did not occur it predicts the proportions of
// the outputs; maximum likelihood leaves that open.
func TrainTable(c *Cases) *Table {
	t := &Table{in: c.In, rows: make(map[int][]float64, len(c.X)), Unseen: TrainProportions(c)}
	for i, x := range c.X {
		p := append([]float64(nil), c.N[i]...)
		normalise(p, c.Out)
		t.rows[index(c.In, x)] = p
	}
	return t
}

// Predict implements [Predictor].
func (t *Table) Predict(dst []float64, x []bn.State) {
	p, ok := t.rows[index(t.in, x)]
	if !ok {
		p = t.Unseen
	}
	copy(dst, p)
}
