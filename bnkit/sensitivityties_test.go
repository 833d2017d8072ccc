package bnkit_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/infer/infertest"
	"bnlab/bnkit/learn"
)

// TestSensitivityAlongTies moves tied entries together, across rows and within one, by tables that the test writes
// itself, and enumerates.
func TestSensitivityAlongTies(t *testing.T) {
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 3))
		truth := must[*bn.Network](t)(bn.New("[a][b|a][c|a:b][d|c]", bn.Discrete("a", "0", "1"),
			bn.Discrete("b", "0", "1"), bn.Discrete("c", "0", "1", "2"), bn.Discrete("d", "0", "1", "2")))
		for v := range truth.Len() {
			infertest.Fill(rng, truth.CPT(v), 0)
		}
		df := must[dataframe.DataFrame](t)(bnkit.Sample(truth, 200, rng))
		m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), truth, df, learn.MAP{Pseudocount: 1,
			Constraints: []constraint.Constraint{
				constraint.ShareAcross{Var: "c", Groups: [][]string{{"0"}}},
				constraint.ShareStates{Var: "d", Groups: [][]string{{"1", "2"}}},
			}}, nil))
		evidence := infer.Evidence{"d": "1", "b": "0"}
		if seed%2 == 1 {
			evidence = infer.Evidence{"c": infer.OneOf("0", "2"), "d": "0"}
		}
		answer := func(net *bn.Network) float64 {
			total, p := infertest.Enumerate(net, evidence)
			return p[0][1] / total
		}
		shared := func(x float64) float64 { // P(c=0) in all rows
			net := m.Net.Clone()
			for config := range 4 {
				row := net.CPT(2).Row(config)
				rest := row[1] + row[2]
				row[0], row[1], row[2] = x, row[1]/rest*(1-x), row[2]/rest*(1-x)
			}
			return answer(net)
		}
		twice := func(x float64) float64 { // P(d=1) and P(d=2) given c=2
			net := m.Net.Clone()
			copy(net.CPT(3).Row(2), []float64{1 - 2*x, x, x})
			return answer(net)
		}
		const spread = 0.3
		now := answer(m.Net)
		threshold := (now + shared(0.9)) / 2
		got := must[dataframe.DataFrame](t)(bnkit.Sensitivity(t.Context(), m, evidence, "a", "1",
			&bnkit.SensitivitySettings{Spread: spread, Threshold: threshold}))
		found := 0
		for i, name := range got.Col("entry").Records() {
			var f func(x float64) float64
			largest, count := 1.0, 4
			switch {
			case strings.HasPrefix(name, "P(c=0 |"):
				f = shared
			case strings.HasPrefix(name, "P(d=1 | c=2"):
				f, largest, count = twice, 0.5, 2
			case strings.HasPrefix(name, "P(d=2 |"):
				t.Errorf("seed %d: %s has a row of its own", seed, name)
			}
			if f == nil {
				continue
			}
			found++
			col := func(column string) float64 { return got.Col(column).Elem(i).Float() }
			x := col("value")
			if h := 1e-5; math.Abs(col("derivative")-(f(x+h)-f(x-h))/(2*h)) > 1e-7 {
				t.Errorf("seed %d: %s: derivative %v, want %v", seed, name, col("derivative"), (f(x+h)-f(x-h))/(2*h))
			}
			from, to := x*(1-spread), min(largest, x*(1+spread))
			low, high := now, now
			for k := range 33 {
				y := f(from + (to-from)*float64(k)/32)
				low, high = min(low, y), max(high, y)
			}
			for column, want := range map[string]float64{"from": from, "to": to, "low": low, "high": high} {
				if math.Abs(col(column)-want) > 1e-12 {
					t.Errorf("seed %d: %s: %s %v, want %v", seed, name, column, col(column), want)
				}
			}
			if change := col("change"); !math.IsNaN(change) && math.Abs(f(x+change)-threshold) > 1e-9 {
				t.Errorf("seed %d: %s changed by %v has the answer %v, not %v", seed, name, change, f(x+change),
					threshold)
			} else if math.IsNaN(change) && count == 4 {
				t.Errorf("seed %d: no change of %s turns the decision, but 0.9 does", seed, name)
			}
			if note := got.Col("note").Elem(i).String(); !strings.HasPrefix(note, fmt.Sprint(count, " tied entries")) {
				t.Errorf("seed %d: %s has the note %q", seed, name, note)
			}
		}
		if found < 1 || seed%2 == 0 && found != 2 {
			t.Errorf("seed %d: %d tied entries in\n%v", seed, found, got.Col("entry"))
		}
	}
}
