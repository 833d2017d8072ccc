package data_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

func ExampleFromRecords() {
	type patient struct {
		Age   float64 `bn:"age"`
		Grade *int    `bn:"grade"`
		Ill   bool    `bn:"ill"`
		Note  []byte  `bn:"-"`
	}
	two, ten := 2, 10
	t, err := data.FromRecords([]patient{
		{Age: 61.5, Grade: &ten, Ill: true}, {Age: 48, Grade: &two}, {Age: math.NaN(), Grade: nil},
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(t.Variables())
	for _, c := range t.Columns() {
		fmt.Printf("%q %q %q\n", c.Text(0), c.Text(1), c.Text(2))
	}

	t, err = data.FromRecords([]map[string]string{{"risk": "low", "test": "yes"}, {"risk": "NA", "test": "no"}},
		&data.CSVOptions{States: map[string][]string{"risk": {"low", "high"}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(t.Variables(), t.IsComplete())
	// Output:
	// [age (continuous) grade {2, 10} ill {false, true}]
	// "61.5" "48" ""
	// "10" "2" ""
	// "true" "false" "false"
	// [risk {low, high} test {no, yes}] false
}

func ExampleFromMatrix() {
	m := mat.NewDense(3, 2, []float64{1.5, 1, math.NaN(), 3, 2.5, 1})
	t, err := data.FromMatrix(m, []string{"dose", "grade"}, &data.CSVOptions{Discrete: []string{"grade"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(t.Variables())
	_, err = data.FromMatrix(m, []string{"dose"}, nil)
	fmt.Println(err)
	// Output:
	// [dose (continuous) grade {1, 3}]
	// data: 1 names for a matrix of 2 columns
}

func TestFromRecordsRefuses(t *testing.T) {
	type named struct {
		A string  `bn:"a"`
		B float64 `bn:"a"`
	}
	type list struct{ Visits []string }
	type whole struct{ X float64 }
	type Part struct{ Y string }
	type without struct {
		Part `bn:"-"`
		X    int
	}
	of := func(_ *data.Table, err error) error { return err }
	tests := []struct {
		name string
		err  error
		is   error
		says string
	}{
		{"two fields of one name", of(data.FromRecords([]named{{}}, nil)), bn.ErrDuplicate, `both "a"`},
		{"no cell", of(data.FromRecords([]list{{}}, nil)), nil, "field Visits is a []string"},
		{"a part left out", of(data.FromRecords([]without{{}}, nil)), nil, "data_test.Part cannot be left out"},
		{"no record", of(data.FromRecords([]int{1}, nil)), nil, "not int"},
		{"no rows", of(data.FromRecords([]whole{}, nil)), data.ErrNoRows, "no rows"},
		{"no map", of(data.FromRecords([]map[string]string{}, nil)), data.ErrNoRows, "no rows"},
		{"infinite", of(data.FromRecords([]whole{{1}, {math.Inf(1)}}, nil)), data.ErrNumber,
			`row 2, column "X", value "+Inf"`},
		{"an unknown state", of(data.FromRecords([]map[string]string{{"a": "x"}},
			&data.CSVOptions{States: map[string][]string{"a": {"y", "z"}}})), bn.ErrUnknownState,
			`row 1, column "a", value "x"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.err == nil || test.is != nil && !errors.Is(test.err, test.is) ||
				!strings.Contains(test.err.Error(), test.says) {
				t.Errorf("error %v, want %v that says %s", test.err, test.is, test.says)
			}
		})
	}
}

// Fields of embedded structs are columns, floats with a list are states, and a weight is none.
func TestFromRecordsFields(t *testing.T) {
	type place struct{ Town string }
	type Doctor struct{ Name string }
	type row struct {
		place
		*Doctor
		Grade, W float64
		hidden   int
		Small    uint8
	}
	rows := []row{{place{"Ulm"}, nil, 3, .5, 0, 7}, {place{"Bonn"}, &Doctor{"Roe"}, 1e6, 2, 0, 200}}
	got, err := data.FromRecords(rows,
		&data.CSVOptions{States: map[string][]string{"Grade": {"3", "1000000"}}, Weight: "W"})
	if err != nil {
		t.Fatal(err)
	}
	if want := "[Town {Bonn, Ulm} Name {Roe} Grade {3, 1000000} Small {7, 200}]"; fmt.Sprint(got.Variables()) != want {
		t.Errorf("variables %v, want %v", got.Variables(), want)
	}
	if w := got.Weights(); len(w) != 2 || w[0] != .5 || w[1] != 2 {
		t.Errorf("weights %v, want .5 and 2", w)
	}
}
