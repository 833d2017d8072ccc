package structure_test

import (
	"context"
	"fmt"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
)

// Seven wards are run alike, and the eighth is new. Eight rows of a table are too dear for forty cases; two
// are not. Beside the eight wards' 40 ln(1/8) − 7·ln(40)/2 the scores have
//
//	19 ln(19/40) + 21 ln(21/40) − ln(40)/2    without the arc,
//	21 ln 0.6 + 14 ln 0.4 + 5 ln 1 − 2·ln(40)/2    with it, under the statement.
func ExampleConstrained() {
	var csv strings.Builder
	csv.WriteString("ward,fall\n")
	var old []bn.Given
	for ward := 1; ward <= 7; ward++ {
		name := fmt.Sprintf("w%d", ward)
		old = append(old, bn.Given{"ward": name})
		for _, fall := range []string{"no", "no", "no", "yes", "yes"} {
			fmt.Fprintf(&csv, "%s,%s\n", name, fall)
		}
	}
	csv.WriteString(strings.Repeat("w8,yes\n", 5))
	t, err := data.ReadCSV(strings.NewReader(csv.String()), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	alike := structure.Constrained{Statements: []constraint.Constraint{constraint.ShareAcross{Var: "fall", Given: old}}}
	for _, score := range []structure.Score{structure.BIC{}, alike} {
		found, err := structure.Learn(context.Background(), t, score, structure.Exact{}, &structure.Settings{
			Rules: &structure.Rules{Forbidden: []structure.Arc{{From: "fall", To: "ward"}}},
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %s %.3f\n", found.ScoreName, found.DAG, found.Score)
	}
	// Output:
	// BIC: [ward][fall] -125.609
	// BIC under 1 statement: [ward][fall|ward] -123.333
}
