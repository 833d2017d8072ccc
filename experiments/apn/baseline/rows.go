package baseline

import (
	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// Rows are cases to learn from: joint states of the inputs with those of the outputs.
type Rows struct {
	In, Out []int // cardinalities
	X, Y    [][]bn.State
}

// NewRows takes inputs and outputs from the columns of a table without weights or missing
// cells.
func NewRows(t *data.Table, inputs, outputs []string) (*Rows, error) {
	r := &Rows{}
	var err error
	if r.In, r.X, err = states(t, inputs); err != nil {
		return nil, err
	}
	r.Out, r.Y, err = states(t, outputs)
	return r, err
}

// states are the named columns by row, with their cardinalities.
func states(t *data.Table, names []string) (cards []int, rows [][]bn.State, err error) {
	rows = make([][]bn.State, t.Rows())
	for _, name := range names {
		c, err := t.Column(name)
		if err != nil {
			return nil, nil, err
		}
		cards = append(cards, c.Var.Cardinality())
		for i, s := range c.States {
			rows[i] = append(rows[i], s)
		}
	}
	return cards, rows, nil
}

// Head are the first n rows.
func (r *Rows) Head(n int) *Rows {
	return &Rows{In: r.In, Out: r.Out, X: r.X[:n], Y: r.Y[:n]}
}

// Cases are rows with the same input joined: all that a learner needs when the outputs are
// predicted one by one.
type Cases struct {
	In, Out []int
	X       [][]bn.State // distinct
	N       [][]float64  // by distinct input: cases of each value of each output, one output after another
}

// Cases joins the given rows, all when rows is nil.
func (r *Rows) Cases(rows []int) *Cases {
	c := &Cases{In: r.In, Out: r.Out}
	at := make(map[int]int)
	add := func(row int) {
		key := index(r.In, r.X[row])
		i, ok := at[key]
		if !ok {
			i = len(c.X)
			at[key] = i
			c.X, c.N = append(c.X, r.X[row]), append(c.N, make([]float64, sum(r.Out)))
		}
		lo := 0
		for o, state := range r.Y[row] {
			c.N[i][lo+int(state)]++
			lo += r.Out[o]
		}
	}
	if rows == nil {
		for row := range r.X {
			add(row)
		}
	}
	for _, row := range rows {
		add(row)
	}
	return c
}

// Total is the number of cases of each output value.
func (c *Cases) Total() []float64 {
	total := make([]float64, sum(c.Out))
	for _, n := range c.N {
		for o, k := range n {
			total[o] += k
		}
	}
	return total
}

// index numbers joint states, the first input slowest.
func index(cards []int, x []bn.State) int {
	at := 0
	for i, card := range cards {
		at = at*card + int(x[i])
	}
	return at
}

func sum(cards []int) int {
	total := 0
	for _, card := range cards {
		total += card
	}
	return total
}

// A Predictor writes to dst, for a joint state of the inputs, the distribution of each
// output, one after another.
type Predictor interface {
	Predict(dst []float64, x []bn.State)
}

// Proportions predict the same for every input.
type Proportions []float64

var _ Predictor = Proportions(nil)

// TrainProportions returns the proportions of the output values.
func TrainProportions(c *Cases) Proportions {
	p := Proportions(c.Total())
	normalise(p, c.Out)
	return p
}

// Predict implements [Predictor].
func (p Proportions) Predict(dst []float64, _ []bn.State) { copy(dst, p) }

// normalise makes a distribution of the counts of each output; one without counts stays as
// it is.
func normalise(n []float64, out []int) {
	lo := 0
	for _, card := range out {
		total := 0.0
		for _, k := range n[lo : lo+card] {
			total += k
		}
		for i := range n[lo : lo+card] {
			if total > 0 {
				n[lo+i] /= total
			}
		}
		lo += card
	}
}
