package bnkit_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
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

// TestVarianceSharesOfTable: counts 6, 3, 1 and a uniform prior are Dirichlet(7, 4, 2), whose entries have the
// variance p (1 − p)/14, by hand.
func TestVarianceSharesOfTable(t *testing.T) {
	df := must[dataframe.DataFrame](t)(bnkit.VarianceShares(t.Context(), letters(t, learn.ML{}), nil, "X", "a",
		draws(4000)))
	want := math.Sqrt(7. / 13 * 6 / 13 / 14)
	row := func(name string) float64 { return df.Col(name).Elem(0).Float() }
	if df.Nrow() != 1 || df.Col("rows").Elem(0).String() != "X" || row("cases") != 10 || row("share") != 1 ||
		math.Abs(row("sd")-want) > 1e-12 || math.Abs(row("first order")-want) > 1e-12 {
		t.Errorf("not the moments of the Dirichlet density, sd %v: %v", want, df)
	}
	if math.Abs(row("drawn")/want-1) > 4/math.Sqrt(2*4000) {
		t.Errorf("the draws have sd %v, want %v", row("drawn"), want)
	}
}

// TestVarianceShares compares with draws of one group at a time, the other rows at their means, on random
// networks with so many cases that answers are linear in the tables.
func TestVarianceShares(t *testing.T) {
	const n = 1500
	compared, linked := 0, 0
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 5))
		truth := infertest.Random(rng, 4, 0)
		df := must[dataframe.DataFrame](t)(bnkit.Sample(truth, 20000, rng))
		var statements []constraint.Constraint
		for _, v := range truth.Variables() { // one that the truth obeys, or nearly
			table := must[*bn.CPT](t)(truth.Table(v.Name))
			if len(table.Parents) > 0 && len(v.States) > 1 && len(statements) == 0 {
				names := table.ConfigNames(0)
				given := bn.Given{}
				for k, p := range table.Parents {
					given[p.Name] = names[k]
				}
				statements = append(statements, constraint.AtMost{Var: v.Name, Given: given, States: v.States[:1],
					P: min(0.99, table.Row(0)[0]+0.005)})
			}
		}
		m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), truth, df, learn.MAP{Pseudocount: 1,
			Constraints: statements}, nil))
		target := truth.Variable(rng.IntN(4))
		last := len(target.States) - 1
		evidence := infertest.Evidence(rng, truth, 0.3)
		delete(evidence, target.Name)
		at := 0
		for v := range truth.Len() {
			if truth.Variable(v).Name == target.Name {
				at = v
			}
		}
		set := &bnkit.IntervalSettings{Draws: 300, Src: rand.NewPCG(seed, 2)}
		got, err := bnkit.VarianceShares(t.Context(), m, evidence, target.Name, "", set)
		if err != nil {
			if last > 0 {
				t.Errorf("seed %d: %v", seed, err)
			}
			continue
		}
		problem := must[*constraint.Problem](t)(constraint.Compile(m.Net, statements...))
		var names []string
		for _, v := range truth.Variables() {
			names = append(names, v.Name)
		}
		all := must[*constraint.Draws](t)(problem.Draw(t.Context(), m.Counts,
			slices.Repeat([]float64{1}, len(m.Counts)), &constraint.Sampling{
				Draws: n, Src: rand.NewPCG(seed, 3)}, names...))
		mean := make([]float64, truth.Layout().Len())
		for _, theta := range all.Theta {
			for i, x := range theta {
				mean[i] += x / n
			}
		}
		answer := func(theta []float64) float64 {
			net := m.Net.Clone()
			for v := range net.Len() {
				lo, hi := net.Layout().Family(v)
				copy(net.CPT(v).P, theta[lo:hi])
			}
			total, p := infertest.Enumerate(net, evidence)
			return p[at][last] / total
		}
		groups := problem.Groups()
		in := map[constraint.Row]bool{}
		for _, g := range groups {
			for _, row := range g {
				in[row] = true
			}
		}
		bound := len(groups)
		for v := range truth.Len() {
			for config := range truth.CPT(v).Configs().Len() {
				if row := (constraint.Row{Var: v, Config: config}); !in[row] {
					groups = append(groups, []constraint.Row{row})
				}
			}
		}
		want := map[string]float64{}
		total := 0.0
		for g, rows := range groups {
			var name []string
			for _, row := range rows {
				table := m.Net.CPT(row.Var)
				words := table.Child.Name
				for k, s := range table.ConfigNames(row.Config) {
					words += map[bool]string{true: " | ", false: ", "}[k == 0] + table.Parents[k].Name + "=" + s
				}
				name = append(name, words)
			}
			var sum, squares float64
			for _, theta := range all.Theta {
				moved := append([]float64(nil), mean...)
				for _, row := range rows {
					lo, hi := m.Net.Layout().Row(row.Var, row.Config)
					copy(moved[lo:hi], theta[lo:hi])
				}
				x := answer(moved)
				sum, squares = sum+x, squares+x*x
			}
			variance := max(0, squares/n-sum/n*sum/n)
			if g < bound && variance > 0 {
				linked++
			}
			want[strings.Join(name, "; ")] = variance
			total += variance
		}
		shares := 0.0
		for i := range got.Nrow() {
			name, share := got.Col("rows").Elem(i).String(), got.Col("share").Elem(i).Float()
			shares += share
			w, ok := want[name]
			if !ok {
				t.Fatalf("seed %d: no rows %q", seed, name)
			}
			// Five standard errors of two variances of normal draws, and 3 % for what is not linear.
			if w /= total; math.Abs(share-w) > 0.005+w*(1-w)*0.35+0.03*w {
				t.Errorf("seed %d: %s has the share %v, drawn alone %v", seed, name, share, w)
			}
			compared++
			delete(want, name)
		}
		for name, w := range want {
			if w > 1e-6*total {
				t.Errorf("seed %d: %s has the share %v and is not listed", seed, name, w/total)
			}
		}
		if math.Abs(shares-1) > 1e-12 {
			t.Errorf("seed %d: shares sum to %v", seed, shares)
		}
		if first, drawn := got.Col("first order").Elem(0).Float(), got.Col("drawn").Elem(0).Float(); math.Abs(
			first/drawn-1) > 0.25 {
			t.Errorf("seed %d: sd %v by first order, %v drawn", seed, first, drawn)
		}
	}
	if compared < 15 || linked < 1 {
		t.Errorf("%d shares and %d groups: too few to tell", compared, linked)
	}
}

func TestVarianceSharesRefused(t *testing.T) {
	m := letters(t, learn.ML{})
	if _, err := bnkit.VarianceShares(t.Context(), m, nil, "X", "", nil); !errors.Is(err, bn.ErrNoSource) {
		t.Errorf("no settings: %v", err)
	}
	for _, test := range []struct {
		m             *bnkit.Model
		target, state string
		evidence      infer.Evidence
		want          string
	}{
		{bnkit.ModelOf(m.Net), "X", "", nil, "not fitted"},
		{m, "Y", "", nil, `unknown variable "Y"`},
		{m, "X", "z", nil, `"z"`},
		{m, "X", "a", infer.Evidence{"X": "a"}, "no table"},
	} {
		_, err := bnkit.VarianceShares(t.Context(), test.m, test.evidence, test.target, test.state, draws(200))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s=%s: %v, want %q", test.target, test.state, err, test.want)
		}
	}
	done, stop := context.WithCancel(t.Context())
	stop()
	if _, err := bnkit.VarianceShares(done, m, nil, "X", "", draws(200)); !errors.Is(err, context.Canceled) {
		t.Errorf("a done context: %v", err)
	}
}

// Which patients are too few for the answer?
func ExampleVarianceShares() {
	model, err := coughing()
	if err != nil {
		fmt.Println(err)
		return
	}
	df, err := bnkit.VarianceShares(context.Background(), model, infer.Evidence{"cough": "yes"}, "smoker", "yes",
		&bnkit.IntervalSettings{Src: rand.NewPCG(1, 0)})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range df.Nrow() {
		fmt.Printf("%-18s %.0f cases, %.2f of the variance\n", df.Col("rows").Elem(i), df.Col("cases").Elem(i).Float(),
			df.Col("share").Elem(i).Float())
	}
	fmt.Printf("sd %.2f by first order, %.2f drawn\n", df.Col("first order").Elem(0).Float(),
		df.Col("drawn").Elem(0).Float())
	// Output:
	// smoker             9 cases, 0.52 of the variance
	// cough | smoker=no  5 cases, 0.36 of the variance
	// cough | smoker=yes 4 cases, 0.12 of the variance
	// sd 0.18 by first order, 0.17 drawn
}
