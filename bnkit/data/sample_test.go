package data_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// A number with too many zeros is an error, not the end of the program.
func TestSampleTooLarge(t *testing.T) {
	net, err := bn.New("[A][B|A]", bn.Discrete("A", "0", "1"), bn.Discrete("B", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{50_000_001, math.MaxInt >> 4, math.MaxInt} {
		_, err := data.Sample(net, n, rand.NewPCG(1, 0))
		if err == nil || !strings.Contains(err.Error(), "at most 50000000 rows") {
			t.Errorf("%d rows: %v", n, err)
		}
	}
}

// Two samples from one source are the sample that is as long as both.
func TestSampleGoesOn(t *testing.T) {
	net, err := bn.New("[A][B]", bn.Discrete("A", "0", "1", "2"), bn.Continuous("B"))
	if err != nil {
		t.Fatal(err)
	}
	draw := func(n int, src rand.Source) *data.Table {
		table, err := data.Sample(net, n, src)
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	whole, src := draw(50, rand.NewPCG(1, 0)), rand.NewPCG(1, 0)
	first, second := draw(20, src), draw(30, src)
	for v, c := range whole.Columns() {
		for row := range 50 {
			part, at := first, row
			if row >= 20 {
				part, at = second, row-20
			}
			if got := part.Columns()[v].Text(at); got != c.Text(row) {
				t.Fatalf("row %d of %s is %s in parts, %s at once", row, c.Var.Name, got, c.Text(row))
			}
		}
	}
}

// TestSampleBeyondNumbers draws a value that is infinity minus infinity: no missing cell.
func TestSampleBeyondNumbers(t *testing.T) {
	net, err := bn.New("[x][y][z|x:y]", bn.Continuous("x"), bn.Continuous("y"), bn.Continuous("z"))
	if err != nil {
		t.Fatal(err)
	}
	net.Gaussian(0).Intercept[0], net.Gaussian(1).Intercept[0] = 1e308, 1e308
	net.Gaussian(2).Weights[0][0], net.Gaussian(2).Weights[0][1] = 10, -10
	if table, err := data.Sample(net, 3, rand.NewPCG(1, 0)); !errors.Is(err, data.ErrNumber) ||
		!strings.Contains(err.Error(), `"z"`) {
		t.Errorf("%v, %v", table, err)
	}
}
