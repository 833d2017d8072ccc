package redraw_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn/internal/redraw"
)

func table(t *testing.T, weights []float64, cols ...data.Column) *data.Table {
	t.Helper()
	table, err := data.New(cols...)
	if err == nil && weights != nil {
		table, err = table.WithWeights(weights)
	}
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// Rows are drawn as often as they weigh, halves being added up, with their missing cells, and without hidden columns
// and those of other variables. Y follows X: both are the other state in one of a million.
func TestTable(t *testing.T) {
	net, err := bn.New("[H][X][Y|X][W]", bn.Discrete("H", "0", "1"), bn.Discrete("X", "0", "1"),
		bn.Discrete("Y", "0", "1"), bn.Continuous("W"))
	if err != nil {
		t.Fatal(err)
	}
	copy(net.CPT(2).P, []float64{1 - 1e-9, 1e-9, 1e-9, 1 - 1e-9})
	other := bn.Discrete("other", "a")
	from := table(t, []float64{3, .5, .5, 0, 2},
		data.Column{Var: other, States: make([]bn.State, 5)},
		data.Column{Var: net.Variable(2), States: []bn.State{0, 0, bn.Missing, 0, bn.Missing}},
		data.Column{Var: net.Variable(1), States: []bn.State{0, bn.Missing, 0, 0, 1}},
		data.Column{Var: net.Variable(3), Values: []float64{1, 2, math.NaN(), 0, 5}})
	got, err := redraw.Table(from, net, rand.NewPCG(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	cols := got.Columns()
	if got.Rows() != 6 || len(cols) != 3 || cols[0].Var.Name != "X" || cols[1].Var.Name != "Y" {
		t.Fatalf("%v", got)
	}
	// three rows of the first, one of the halves, whose second completes it, and two of the last
	missing := [][]bool{{false, false, false}, {false, false, false}, {false, false, false}, {false, true, true},
		{false, true, false}, {false, true, false}}
	for row := range 6 {
		for c, col := range cols {
			if col.IsMissing(row) != missing[row][c] {
				t.Errorf("row %d of %s: missing %v", row, col.Var.Name, col.IsMissing(row))
			}
		}
		if !missing[row][1] && cols[0].States[row] != cols[1].States[row] {
			t.Errorf("row %d: Y does not follow X", row)
		}
	}
}

// Of more than 20,000 cases the same part is drawn of all.
func TestTableOfMany(t *testing.T) {
	net, err := bn.New("[X]", bn.Discrete("X", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	from := table(t, []float64{3e6, 1e6}, data.Column{Var: net.Variable(0), States: []bn.State{0, bn.Missing}})
	got, err := redraw.Table(from, net, rand.NewPCG(1, 0))
	if err != nil || got.Rows() != 20000 {
		t.Fatalf("%v, %v", got, err)
	}
	missing := 0
	for row := range got.Rows() {
		if got.Columns()[0].IsMissing(row) {
			missing++
		}
	}
	if missing != 5000 {
		t.Errorf("%d missing, want 5000", missing)
	}
}

// A variable that was set keeps its value, what follows from it follows, and the rows stay marked.
func TestTableIntervened(t *testing.T) {
	net, err := bn.New("[X][Y|X]", bn.Discrete("X", "0", "1"), bn.Discrete("Y", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	copy(net.CPT(0).P, []float64{1 - 1e-9, 1e-9})
	copy(net.CPT(1).P, []float64{1 - 1e-9, 1e-9, 1e-9, 1 - 1e-9})
	from, err := table(t, nil,
		data.Column{Var: net.Variable(0), States: []bn.State{1, 0, 1, bn.Missing}},
		data.Column{Var: net.Variable(1), States: []bn.State{0, 1, 0, 0}}).
		WithInterventions("set", []string{"X", "", "", ""})
	if err != nil {
		t.Fatal(err)
	}
	got, err := redraw.Table(from, net, rand.NewPCG(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	x, y := got.Columns()[0].States, got.Columns()[1].States
	if x[0] != 1 || y[0] != 1 || x[1] != 0 || x[2] != 0 || y[2] != 0 || x[3] != bn.Missing {
		t.Errorf("X %v, Y %v", x, y)
	}
	if r := got.Regimes(); len(r) != 2 || len(r[0].Set) != 1 || r[0].Index[0] != 0 {
		t.Errorf("regimes %+v", r)
	}
}
