package data_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

const patients = `smoker,age,cough
yes,61.5,often
no,34,never
no,47.5,often
yes,52,often
no,29,never
?,70,never
`

func ExampleReadCSV() {
	t, err := data.ReadCSV(strings.NewReader(patients), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(t)
	for _, v := range t.Variables() {
		fmt.Println(v)
	}
	_, err = data.ReadCSV(strings.NewReader(patients), &data.CSVOptions{
		States: map[string][]string{"cough": {"never", "sometimes"}},
	})
	fmt.Println(err)
	// Output:
	// 6 rows, 3 columns
	// smoker  age   cough
	// yes     61.5  often
	// no      34    never
	// no      47.5  often
	// yes     52    often
	// no      29    never
	// ?       70    never
	// smoker {no, yes}
	// age (continuous)
	// cough {never, often}
	// data: line 2, row 1, column "cough", value "often": unknown state (states: never, sometimes)
}

func ExampleTable_Count() {
	t, err := data.ReadCSV(strings.NewReader(patients), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	net, err := bn.New("[smoker][cough|smoker]",
		bn.Discrete("smoker", "yes", "no"), bn.Discrete("cough", "never", "often"))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = t.Count(net, nil)
	fmt.Println(err)
	c, err := t.Count(net, &data.CountOptions{SkipMissing: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("smoker:", c.Family(0), "cough:", c.Family(1), "left out:", c.Skipped)
	// Output:
	// data: row 6, column "smoker", value "": missing value; set CountOptions.SkipMissing to leave such rows out
	// smoker: [2 3] cough: [0 2 2 1] left out: [1 1]
}

func ExampleTable_CountFamilies() {
	t, err := data.ReadCSV(strings.NewReader("a,b\nx,p\nx,q\ny,q\nx,q\n"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := t.CountFamilies(context.Background(), []data.Family{{Child: "b", Parents: []string{"a"}}}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c[0].N, c[0].Configs.Len())
	// Output: [1 2 0 1] 2
}

func ExampleTable_Distinct() {
	t, err := data.ReadCSV(strings.NewReader("a,b\nx,p\ny,q\nx,p\nx,q\nx,p\n"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(t.Distinct())
	// Output:
	// 3 rows, 2 columns
	// a  b  (weight)
	// x  p  3
	// y  q  1
	// x  q  1
}

func ExampleDiscretization() {
	t, err := data.ReadCSV(strings.NewReader(patients), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	train, test := t.Select([]int{0, 1, 2, 3, 4}), t.Select([]int{5})
	fitted, err := data.Steps{
		data.Quantiles{Column: "age", Bins: 2},
		data.Merge{Column: "cough", Groups: []data.Group{{"no", []string{"never"}}, {"yes", []string{"often"}}}},
	}.Fit(train)
	if err != nil {
		fmt.Println(err)
		return
	}
	stored, _ := json.Marshal(fitted)
	fmt.Println(string(stored))
	made, err := fitted.Apply(test)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(made)
	// Output:
	// {"columns":[{"column":"age","states":["\u003c=47.5","\u003e47.5"],"cuts":[47.5]},{"column":"cough","states":["no","yes"],"from":[["never"],["often"]]}]}
	// 1 rows, 3 columns
	// smoker  age    cough
	// ?       >47.5  no
}

func ExampleTable_StratifiedFolds() {
	t, err := data.ReadCSV(strings.NewReader("y\nno\nno\nyes\nno\nyes\nno\n"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	folds, err := t.StratifiedFolds("y", 2, rand.NewPCG(1, 0))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, test := range folds {
		n, _ := t.Select(test).CountFamilies(context.Background(), []data.Family{{Child: "y"}}, nil)
		fmt.Println(len(t.Complement(test)), "train,", len(test), "test:", n[0].N)
	}
	// Output:
	// 3 train, 3 test: [2 1]
	// 3 train, 3 test: [2 1]
}

func ExampleSample() {
	net, err := bn.New("[coin]", bn.Discrete("coin", "heads", "tails"))
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := data.Sample(net, 1000, rand.NewPCG(1, 0))
	fmt.Println(t.Rows(), err)
	// Output: 1000 <nil>
}

// Three bins between the least and the greatest dose.
func ExampleEqualWidth() {
	t, err := data.ReadCSV(strings.NewReader("dose\n0\n2.5\n3.5\n6\n9\n"), &data.CSVOptions{
		Continuous: []string{"dose"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := data.EqualWidth{Column: "dose", Bins: 3, Names: []string{"low", "middle", "high"}}.Fit(t)
	if err != nil {
		fmt.Println(err)
		return
	}
	binned, err := d.Apply(t)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Columns[0].Cuts, binned.Columns()[0].States)
	// Output: [3 6] [0 0 1 1 2]
}

// Words in a file stand in the order of letters until it is declared; a state that no row has may be one of them.
func ExampleOrder() {
	t, err := data.ReadCSV(strings.NewReader("dose\nlow\nhigh\nlow\nmedium\n"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(t.Columns()[0].Var)
	d, err := data.Order{Column: "dose", States: []string{"none", "low", "medium", "high"}}.Fit(t)
	if err != nil {
		fmt.Println(err)
		return
	}
	ordered, err := d.Apply(t)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(ordered.Columns()[0].Var)
	// Output:
	// dose {high, low, medium}
	// dose {none, low, medium, high}
}
