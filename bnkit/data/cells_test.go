package data_test

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"testing"

	"bnlab/bnkit/data"
)

// columnOf is a column of text.
func columnOf(name string, cells ...string) data.Cells {
	return data.Cells{Name: name, Text: func(buf []byte, row int) []byte { return append(buf, cells[row]...) }}
}

func ExampleFromCells() {
	grades := []string{"10", "2", "NA"}
	weights := []float64{71.5, math.NaN(), 64}
	t, err := data.FromCells(3, []data.Cells{
		{Name: "grade", Text: func(buf []byte, row int) []byte { return append(buf, grades[row]...) }},
		{
			Name:   "weight",
			Text:   func(buf []byte, row int) []byte { return strconv.AppendFloat(buf, weights[row], 'g', -1, 64) },
			Number: func(row int) float64 { return weights[row] },
		},
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(t.Variables())
	// Output: [grade {2, 10} weight (continuous)]
}

// Errors are those of the first row in which there is one.
func TestFromCellsRefuses(t *testing.T) {
	a, b := columnOf("a", "1", "2", "x"), columnOf("b", "1", "x", "3")
	opts := &data.CSVOptions{Continuous: []string{"a", "b"}}
	_, err := data.FromCells(3, []data.Cells{a, b}, opts)
	if want := `data: row 2, column "b", value "x": not a finite number`; fmt.Sprint(err) != want {
		t.Errorf("FromCells = %v, want %v", err, want)
	}
	if _, err := data.FromCells(0, []data.Cells{a}, nil); !errors.Is(err, data.ErrNoRows) {
		t.Errorf("no rows: %v", err)
	}
	if _, err := data.FromCells(3, nil, nil); err == nil {
		t.Error("no columns: no error")
	}
}

// A number that is a sign for a missing value is one where it is given as a number too.
func TestFromCellsNumberThatIsMissing(t *testing.T) {
	c := columnOf("x", "-9", "1.5")
	c.Number = func(row int) float64 { return []float64{-9, 1.5}[row] }
	got, err := data.FromCells(2, []data.Cells{c}, &data.CSVOptions{Missing: []string{"-9"}, MaxNumericStates: -1})
	if err != nil {
		t.Fatal(err)
	}
	if x := got.Columns()[0].Values; !math.IsNaN(x[0]) || x[1] != 1.5 {
		t.Errorf("values %v, want NaN and 1.5", x)
	}
}
