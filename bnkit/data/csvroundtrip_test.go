package data_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// TestCSVRoundTrip writes tables with awkward names, states and numbers, put together by chance. What
// is written is read back the same, also without a word about states: no cell changes its
// text or goes missing. What is not written is refused by column and state.
func TestCSVRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 0))
	plain := []string{"yes", "no", "1", "01", "1.0", "1e3", "a,b", `say "no"`, "a\nb", "größe", "日本", "'", `\x`, "#x",
		"a;b", "a\tb", "\ufeffx", "-"}
	awkward := []string{"NA", `\N`, "#N/A", "?", "null", "NaN", ".", " NA", "a\r\nb", "a\r", "\xff", " ", "\n"}
	numbers := []float64{0, 1, -1, 0.1, 1e300, 5e-324, math.NaN(), -3e-20, 1 << 53}
	refused := 0
	for range 2000 {
		rows := 1 + rng.IntN(5)
		var cols []data.Column
		bad := ""
		for c := range 1 + rng.IntN(3) {
			name := fmt.Sprintf([]string{"c%d", "c,%d", "c\"%d\"", "c\n%d", "\ufeffc%d", "#%d"}[rng.IntN(6)], c)
			if rng.IntN(3) == 0 {
				col := data.Column{Var: bn.Continuous(name), Values: make([]float64, rows)}
				for row := range col.Values {
					col.Values[row] = numbers[rng.IntN(len(numbers))]
				}
				cols = append(cols, col)
				continue
			}
			states := make([]string, 0, 4)
			for _, i := range rng.Perm(len(plain))[:1+rng.IntN(4)] {
				states = append(states, plain[i])
			}
			if bad == "" && rng.IntN(6) == 0 {
				bad = awkward[rng.IntN(len(awkward))]
				states[rng.IntN(len(states))] = bad
			}
			col := data.Column{Var: bn.Discrete(name, states...), States: make([]bn.State, rows)}
			for row := range col.States {
				if col.States[row] = bn.State(rng.IntN(len(states) + 1)); int(col.States[row]) == len(states) {
					col.States[row] = bn.Missing
				}
			}
			cols = append(cols, col)
		}
		table := must(t, cols...)
		var err error
		if rng.IntN(3) == 0 {
			weights := make([]float64, rows)
			for row := range weights {
				weights[row] = rng.ExpFloat64()
			}
			if table, err = table.WithWeights(weights); err != nil {
				t.Fatal(err)
			}
		}
		var b bytes.Buffer
		if err := table.WriteCSV(&b); (err != nil) != (bad != "") {
			t.Fatalf("%v\nwith the state %q: %v", table, bad, err)
		} else if err != nil {
			if refused++; !strings.Contains(err.Error(), fmt.Sprintf("%q", bad)) ||
				!strings.Contains(err.Error(), "column") || b.Len() > 0 {
				t.Fatalf("with the state %q: %v, and %d bytes are written", bad, err, b.Len())
			}
			continue
		}
		opts := &data.CSVOptions{States: data.StatesOf(table.Variables()...), KeepSpace: true}
		loose := &data.CSVOptions{}
		if table.Weights() != nil {
			opts.Weight, loose.Weight = "weight", "weight"
		}
		for _, c := range cols {
			gaps := !slices.ContainsFunc(c.States, func(s bn.State) bool { return s != bn.Missing })
			if c.Var.IsDiscrete() && gaps {
				continue // it would read as one of numbers, all missing
			}
			if c.Var.IsDiscrete() {
				loose.Discrete = append(loose.Discrete, c.Var.Name)
			} else {
				opts.Continuous = append(opts.Continuous, c.Var.Name)
			}
		}
		loose.Continuous = opts.Continuous
		back, err := data.ReadCSV(bytes.NewReader(b.Bytes()), opts)
		if err != nil || back.Hash() != table.Hash() {
			t.Fatalf("%v\nwritten as %q, read as\n%v, %v", table, b.String(), back, err)
		}
		back, err = data.ReadCSV(bytes.NewReader(b.Bytes()), loose)
		if err != nil {
			t.Fatalf("%q: %v", b.String(), err)
		}
		for i, c := range back.Columns() {
			for row := range rows {
				was := table.Columns()[i]
				if c.IsMissing(row) != was.IsMissing(row) || !c.IsMissing(row) &&
					c.Text(row) != strings.TrimSpace(was.Text(row)) && strings.TrimSpace(was.Text(row)) != "" {
					t.Fatalf("row %d of %q: %q becomes %q", row+1, c.Var.Name, was.Text(row), c.Text(row))
				}
			}
		}
	}
	if refused < 200 {
		t.Errorf("%d tables are refused, want more", refused)
	}
}
