package learn_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// atPrices is a table of X over three states of A and two of B, with a statement that is right of it and one that is
// wrong.
func atPrices(t testing.TB, rows int, seed uint64) (*bn.Network, *data.Table) {
	t.Helper()
	net, err := bn.New("[A][B][X|A:B]", bn.Discrete("A", "low", "mid", "high"), bn.Discrete("B", "no", "yes"),
		bn.Discrete("X", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	truth := net.Clone()
	for config := range 6 { // rises with A, and with B
		yes := 0.1 + 0.25*float64(config/2) + 0.2*float64(config%2)
		copy(truth.CPT(2).Row(config), []float64{1 - yes, yes})
	}
	table, err := data.Sample(truth, rows, rand.NewPCG(seed, 0))
	if err != nil {
		t.Fatal(err)
	}
	return net, table
}

// What the data break by chance becomes dear, and what they contradict cheap.
func ExamplePriced() {
	net, err := bn.New("[smoker][ill|smoker]", bn.Discrete("smoker", "no", "yes"), bn.Discrete("ill", "no", "yes"))
	if err != nil {
		fmt.Println(err)
		return
	}
	counts := &data.Counts{Layout: net.Layout(), Rows: 40, Skipped: make([]float64, 2),
		N: []float64{20, 20, 12, 8, 13, 7}} // 8 of 20 who do not smoke are ill, and 7 of 20 smokers
	contrary := *counts
	contrary.N = []float64{20, 20, 6, 14, 18, 2}
	says := constraint.AtPrice{Statement: constraint.Influence{Parent: "smoker", Child: "ill"}, Price: 1}
	method, err := learn.Compile(net, learn.Priced{MAP: learn.MAP{Pseudocount: 1,
		Constraints: []constraint.Constraint{says}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, n := range []*data.Counts{counts, &contrary} {
		fit, err := method.Fit(n, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%v: P(ill) %.2f, %.2f\n", fit.Statements[0], fit.Net.CPT(1).Row(0)[1], fit.Net.CPT(1).Row(1)[1])
	}
	// Output:
	// higher states of smoker make higher states of ill more likely, at a price of 1024: P(ill) 0.39, 0.39
	// higher states of smoker make higher states of ill more likely, at a price of 0.25: P(ill) 0.68, 0.14
}

// TestPricedByHand leaves out each case by hand: the scores of two prices on a table of two rows, whose estimates have
// a closed form.
func TestPricedByHand(t *testing.T) {
	net, table := atPrices(t, 60, 1)
	falls := constraint.Influence{Parent: "A", Child: "X", Sign: constraint.Negative}
	bound := constraint.AtMost{Var: "X", States: []string{"yes"}, P: 0.3}
	factors := []float64{0.5, 3, 8, 40}
	for _, says := range [][]constraint.Constraint{{constraint.AtPrice{Statement: falls, Price: 2}},
		{&constraint.AtPrice{Statement: bound, Price: 1},
			constraint.AtMost{Var: "A", States: []string{"low"}, P: .2}}} {
		fit, err := learn.Fit(context.Background(), net, table,
			learn.Priced{MAP: learn.MAP{Pseudocount: 0.5, Constraints: says}, Factors: factors}, nil)
		if err != nil {
			t.Fatal(err)
		}
		best, want := math.Inf(-1), 0.0
		for _, f := range factors {
			score := 0.0
			for row := range table.Rows() { // one case after the other, without counting
				rest := make([]int, 0, table.Rows())
				for other := range table.Rows() {
					if other != row {
						rest = append(rest, other)
					}
				}
				at := make([]constraint.Constraint, len(says))
				copy(at, says)
				switch s := says[0].(type) {
				case constraint.AtPrice:
					at[0] = constraint.AtPrice{Statement: s.Statement, Price: s.Price * f}
				case *constraint.AtPrice:
					at[0] = constraint.AtPrice{Statement: s.Statement, Price: s.Price * f}
				}
				one, err := learn.Fit(context.Background(), net, table.Select(rest), learn.MAP{Pseudocount: 0.5,
					Constraints: at}, nil)
				if err != nil {
					t.Fatal(err)
				}
				columns := table.Columns()
				config := int(columns[0].States[row])*2 + int(columns[1].States[row])
				score += math.Log(one.Net.CPT(2).Row(config)[columns[2].States[row]])
			}
			if score >= best-1e-9 {
				best, want = score, f
			}
		}
		if !strings.Contains(fit.Method, fmt.Sprintf("prices times %v ", want)) {
			t.Errorf("%v: %s, by hand %v", says, fit.Method, want)
		}
	}
}

// TestPricedLearnsWhatIsWrong: a wrong influence ends cheap, a right one costs nothing at any price.
func TestPricedLearnsWhatIsWrong(t *testing.T) {
	net, table := atPrices(t, 400, 2)
	price := func(sign constraint.Sign) float64 {
		fit, err := learn.Fit(context.Background(), net, table, learn.Priced{MAP: learn.MAP{Pseudocount: 1,
			Constraints: []constraint.Constraint{constraint.AtPrice{Statement: constraint.Influence{Parent: "A",
				Child: "X", Sign: sign}, Price: 1}}}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return fit.Statements[0].(constraint.AtPrice).Price
	}
	if wrong := price(constraint.Negative); wrong != 0.25 {
		t.Errorf("a wrong influence has the price %v, want the cheapest", wrong)
	}
	if right := price(constraint.Positive); right != 1024 {
		t.Errorf("a right influence has the price %v, want the dearest", right)
	}
}

// TestPriceInEveryMethod: EM without missing cells, MAP and APN agree, and a price of its own is that of a
// ViolationWeight for an influence and a synergy.
func TestPriceInEveryMethod(t *testing.T) {
	net, table := atPrices(t, 80, 3)
	falls := constraint.Influence{Parent: "A", Child: "X", Sign: constraint.Negative}
	synergy := constraint.Synergy{Parents: []string{"A", "B"}, Child: "X"}
	at := func(price float64, list ...constraint.Constraint) []constraint.Constraint {
		out := make([]constraint.Constraint, len(list))
		for i, s := range list {
			out[i] = constraint.AtPrice{Statement: s, Price: price}
		}
		return out
	}
	fit := func(m learn.Method) *learn.Result {
		r, err := learn.Fit(context.Background(), net, table, m, &learn.Settings{Seed: 1, Tolerance: 1e-12,
			MaxIterations: 20000})
		if err != nil {
			t.Fatalf("%s: %v", m, err)
		}
		return r
	}
	want := fit(learn.EM{Pseudocount: 1, ViolationWeight: 9, Constraints: []constraint.Constraint{falls, synergy}})
	for _, m := range []learn.Method{
		learn.MAP{Pseudocount: 1, Constraints: at(9, falls, synergy)},
		learn.EM{Pseudocount: 1, Constraints: at(9, falls, synergy)},
		learn.APN{Pseudocount: 1, Constraints: at(9, falls, synergy)},
		learn.EM{Pseudocount: 1, ViolationWeight: 9, Constraints: append(at(9, falls), synergy)},
	} {
		r := fit(m)
		for i, p := range want.Net.CPT(2).P {
			if got := r.Net.CPT(2).P[i]; math.Abs(got-p) > 1e-5 {
				t.Errorf("%s: %v, want %v", m, r.Net.CPT(2).P, want.Net.CPT(2).P)
				break
			}
		}
	}
	r := fit(learn.MAP{Pseudocount: 1, Constraints: at(9, falls, constraint.Between{Var: "X", States: []string{"yes"},
		Low: .3, High: .5})})
	if free, err := r.FreeParameters(); err != nil || free != net.FreeParameters() {
		t.Errorf("%d free parameters, error %v; a price takes none of %d", free, err, net.FreeParameters())
	}
	// A climb by gradients alone, at a price so low that no kink is near.
	cheap := at(3, constraint.AtMost{Var: "X", States: []string{"yes"}, P: .05})
	mode, climbed := fit(learn.MAP{Pseudocount: 1, Constraints: cheap}),
		fit(learn.APN{Pseudocount: 1, Constraints: cheap, ConjugateGradient: true})
	for i, p := range mode.Net.CPT(2).P {
		if got := climbed.Net.CPT(2).P[i]; math.Abs(got-p) > 1e-4 {
			t.Errorf("by gradients %v, want %v", climbed.Net.CPT(2).P, mode.Net.CPT(2).P)
			break
		}
	}
	// The audit weighs what the statement says.
	hard := fit(learn.MAP{Pseudocount: 1, Constraints: []constraint.Constraint{falls}})
	soft := fit(learn.MAP{Pseudocount: 1, Constraints: at(3, falls)})
	one, errOne := hard.Audit(context.Background(), &learn.AuditSettings{Seed: 4})
	other, errOther := soft.Audit(context.Background(), &learn.AuditSettings{Seed: 4})
	if errOne != nil || errOther != nil || one[0].Cost != other[0].Cost || one[0].PValue != other[0].PValue ||
		one[0].LogBayesFactor != other[0].LogBayesFactor || one[0].Cost == 0 {
		t.Errorf("audits differ: %v, %v; errors %v, %v", one, other, errOne, errOther)
	}
}

func TestPricedErrors(t *testing.T) {
	net, table := atPrices(t, 20, 4)
	falls := constraint.Influence{Parent: "A", Child: "X", Sign: constraint.Negative}
	one := []constraint.Constraint{constraint.AtPrice{Statement: falls, Price: 1}}
	ended, end := context.WithCancel(context.Background())
	end()
	for _, tt := range []struct {
		name string
		ctx  context.Context
		m    learn.Method
		says string
	}{
		{"nothing at a price", context.Background(), learn.Priced{MAP: learn.MAP{
			Constraints: []constraint.Constraint{falls}}}, "no statement has a price to choose"},
		{"a factor of 0", context.Background(), learn.Priced{MAP: learn.MAP{Constraints: one}, Factors: []float64{0}},
			"a factor of prices is 0"},
		{"a price of 0", context.Background(), learn.Priced{MAP: learn.MAP{Constraints: []constraint.Constraint{
			constraint.AtPrice{Statement: falls}}}}, "the price is 0"},
		{"ended", ended, learn.Priced{MAP: learn.MAP{Constraints: one}}, "canceled"},
		{"averaged", context.Background(), learn.Averaged{Constraints: one}, "has a price, which is no probability"},
		{"of Y13", context.Background(), learn.ExteriorPenalty{Constraints: one}, "takes influences"},
	} {
		_, err := learn.Fit(tt.ctx, net, table, tt.m, &learn.Settings{Seed: 1})
		if err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.says)
		}
	}
	if _, err := learn.Fit(ended, net, table, learn.Priced{MAP: learn.MAP{Constraints: one}}, nil); !errors.Is(err,
		context.Canceled) {
		t.Errorf("ended: %v", err)
	}
}
