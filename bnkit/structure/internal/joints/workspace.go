package joints

import "bnlab/internal/factor"

// A workspace is what one goroutine makes tables in.
type workspace struct {
	factor.Room
	values []float64 // for the next small tables
}

const (
	// slabEntries are taken at a time (64 KiB), for tables of up to mostOfSlab entries.
	slabEntries = 1 << 13
	mostOfSlab  = slabEntries / 8
)

// table makes a table of some variables.
func (w *workspace) table(j *Joints, vars []int) *factor.Factor {
	t := new(struct {
		factor.Factor
		vars, cards [6]int // seldom more, so that they need no memory of their own
	})
	t.Vars, t.Cards = append(t.vars[:0], vars...), t.cards[:0]
	size := 1
	for _, v := range vars {
		t.Cards = append(t.Cards, j.cards[v])
		size *= j.cards[v]
	}
	if size > mostOfSlab {
		t.Values = make([]float64, size)
		return &t.Factor
	}
	if size > len(w.values) {
		w.values = make([]float64, slabEntries)
	}
	t.Values, w.values = w.values[:size:size], w.values[size:]
	return &t.Factor
}
