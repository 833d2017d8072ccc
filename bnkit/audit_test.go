package bnkit_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/stat/distuv"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
)

// With counts 6, 3, 1 the statement P(X=a) = P(X=b) costs 6 log 0.6 + 3 log 0.3 − 9 log 0.45,
// on one degree. The limit P(X=a) ≤ 0.9 costs nothing.
func TestAudit(t *testing.T) {
	same := constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "b"}}}
	cost := 6*math.Log(0.6) + 3*math.Log(0.3) - 9*math.Log(0.45)
	// Uniform priors: the data have the probability 6! 3! 1! 2!/12! without the statement, and
	// with it 2^−9 ∫ m^9 (1−m) dm = 2^−9 9! 1!/11!.
	lg := func(n int) float64 { x, _ := math.Lgamma(float64(n + 1)); return x }
	bayes := -9*math.Ln2 + lg(9) - lg(11) - (lg(6) + lg(3) + lg(2) - lg(12))
	m := letters(t, learn.MAP{Pseudocount: 1, Constraints: []constraint.Constraint{same}})
	path := filepath.Join(t.TempDir(), "m.json")
	if err := bnkit.Save(path, m); err != nil {
		t.Fatal(err)
	}
	for from, m := range map[string]*bnkit.Model{"fitted": m, "loaded": must[*bnkit.Model](t)(bnkit.Load(path))} {
		df := must[dataframe.DataFrame](t)(bnkit.Audit(t.Context(), m, nil))
		if df.Nrow() != 1 || df.Elem(0, 0).String() != same.String() || df.Col("degrees").Elem(0).String() != "1" ||
			df.Col("verdict").Elem(0).String() == "" {
			t.Fatalf("%s: %v", from, df)
		}
		for _, c := range []struct {
			column string
			want   float64
		}{{"cost_nats", cost}, {"p_value", distuv.ChiSquared{K: 1}.Survival(2 * cost)},
			{"holm_p_value", distuv.ChiSquared{K: 1}.Survival(2 * cost)}, {"log_bayes_factor", bayes},
			{"stderr", 0}} {
			if x := df.Col(c.column).Elem(0).Float(); !(math.Abs(x-c.want) < 1e-9) {
				t.Errorf("%s: %s is %v, want %v", from, c.column, x, c.want)
			}
		}
	}

	// What is simulated is there without settings too, from the seed 0.
	chain := constraint.OrderSums{Var: "X", Groups: [][]string{{"a"}, {"b"}, {"c"}}}
	m = letters(t, learn.ML{Constraints: []constraint.Constraint{chain}})
	for _, set := range []*learn.AuditSettings{nil, {Simulations: 50, Seed: 1}} {
		df := must[dataframe.DataFrame](t)(bnkit.Audit(t.Context(), m, set))
		for _, column := range []string{"p_value", "log_bayes_factor", "stderr"} {
			if df.Col(column).Elem(0).IsNA() {
				t.Errorf("%s is missing in %v", column, df)
			}
		}
	}
	if df := must[dataframe.DataFrame](t)(bnkit.Audit(t.Context(), letters(t, learn.ML{}),
		nil)); df.Err != nil || df.Nrow() != 0 ||
		df.Ncol() != 11 {
		t.Errorf("without statements: %v, %v", df, df.Err)
	}
}

// Regressions are audited from a file too, since their moments are in it.
func TestAuditOfWeights(t *testing.T) {
	df := stocks()
	net := must[*bn.Network](t)(bnkit.NewNetwork("[MSFT][INTL][DELL|MSFT:INTL]", df, nil))
	alike := constraint.ShareWeights{Var: "DELL", Groups: [][]string{{"MSFT", "INTL"}}}
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.ML{Constraints: []constraint.Constraint{alike}},
		nil))
	path := filepath.Join(t.TempDir(), "m.json")
	if err := bnkit.Save(path, m); err != nil {
		t.Fatal(err)
	}
	free := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.ML{}, nil))
	for from, m := range map[string]*bnkit.Model{"fitted": m, "loaded": must[*bnkit.Model](t)(bnkit.Load(path))} {
		got := must[dataframe.DataFrame](t)(bnkit.Audit(t.Context(), m, nil))
		if cost := got.Col("cost_nats").Elem(0).Float(); !(math.Abs(cost-(free.LogLikelihood-m.LogLikelihood)) < 1e-9) {
			t.Errorf("%s: cost %v, want %v", from, cost, free.LogLikelihood-m.LogLikelihood)
		}
		if d := got.Col("degrees").Elem(0).String(); d != "1" {
			t.Errorf("%s: %s degrees, want 1", from, d)
		}
	}
}

func TestAuditErrors(t *testing.T) {
	df := smokers()
	net := must[*bn.Network](t)(bnkit.NewNetwork("[smoker][cough|smoker]", df, nil))
	em := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.EM{}, nil))
	path := filepath.Join(t.TempDir(), "m.json")
	if err := bnkit.Save(path, em); err != nil {
		t.Fatal(err)
	}
	em = must[*bnkit.Model](t)(bnkit.Load(path))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	ended := letters(t, learn.ML{Constraints: []constraint.Constraint{constraint.ShareStates{Var: "X",
		Groups: [][]string{{"a", "b"}}}}})
	for name, tt := range map[string]struct {
		err  error
		says string
	}{
		"a context that is done": {second(bnkit.Audit(ctx, ended, nil)),
			"context canceled"},
		"no model":                   {second(bnkit.Audit(ctx, nil, nil)), "no network"},
		"a network that was written": {second(bnkit.Audit(ctx, bnkit.ModelOf(net), nil)), "not fitted"},
		"expected counts":            {second(bnkit.Audit(ctx, em, nil)), "needs the rows"},
	} {
		if tt.err == nil || !strings.Contains(tt.err.Error(), tt.says) {
			t.Errorf("%s: error %v", name, tt.err)
		}
	}
}

func ExampleAudit() {
	df, err := bnkit.DropMissing(smokers(), "smoker", "cough")
	if err != nil {
		fmt.Println(err)
		return
	}
	net, err := bnkit.NewNetwork("[smoker][cough|smoker]", df, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	same := constraint.ShareAcross{Var: "cough"}
	m, err := bnkit.Fit(context.Background(), net, df, learn.ML{Constraints: []constraint.Constraint{same}}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	verdicts, err := bnkit.Audit(context.Background(), m, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for row := range verdicts.Nrow() {
		x := func(column string) float64 { return verdicts.Col(column).Elem(row).Float() }
		fmt.Printf("%s: costs %.2f nats, p = %.2f, %s\n", verdicts.Elem(row, 0), x("cost_nats"), x("p_value"),
			verdicts.Col("verdict").Elem(row))
	}
	// Output:
	// the distribution of cough is the same whatever its parents: costs 1.43 nats, p = 0.09, compatible with the data
}

// TestAuditOfNothing: what no case speaks of is not tested, whatever it costs; it is neither "compatible" nor said to
// hold already, with complete cases and with gaps.
func TestAuditOfNothing(t *testing.T) {
	var x, z, y []string
	for i := range 40 {
		x, z = append(x, []string{"no", "yes"}[i%2]), append(z, []string{"a", "b"}[i/2%2])
		y = append(y, []string{"no", "yes"}[i/4%2])
	}
	df := dataframe.New(texts("x", x...), texts("z", z...), texts("y", y...))
	states := map[string][]string{"z": {"a", "b", "c"}}
	net := must[*bn.Network](t)(bnkit.NewNetwork("[x][z][y|x:z]", df, &bnkit.NetworkOptions{States: states}))
	statements := []constraint.Constraint{
		constraint.Influence{Parent: "x", Child: "y", Given: bn.Given{"z": "c"}},
		constraint.Influence{Parent: "x", Child: "y", Given: bn.Given{"z": "a"}},
	}
	for _, method := range []learn.Method{learn.ML{Constraints: statements}, learn.EM{Constraints: statements}} {
		m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, method, nil))
		got := must[dataframe.DataFrame](t)(bnkit.Audit(t.Context(), m, &learn.AuditSettings{Simulations: 20}))
		words := got.Col("verdict").Records()
		if words[0] != "not tested: no case speaks of it" || strings.HasPrefix(words[1], "not tested") {
			t.Errorf("%v: %q", method, words)
		}
		for _, column := range []string{"p_value", "holm_p_value", "log_bayes_factor"} {
			if p := got.Col(column).Float(); !math.IsNaN(p[0]) || column == "p_value" && math.IsNaN(p[1]) {
				t.Errorf("%v: %s %v", method, column, p)
			}
		}
	}
}

// TestSuggestedAfterUpdate: three cases more are no test of what a hundred suggested, and intervals under it say that
// they are too narrow.
func TestSuggestedAfterUpdate(t *testing.T) {
	var x, y []string
	for i := range 100 {
		x, y = append(x, []string{"a", "b", "c"}[i%3]), append(y, []string{"no", "yes"}[i/3%2])
	}
	df := dataframe.New(texts("x", x...), texts("y", y...))
	net := must[*bn.Network](t)(bnkit.NewNetwork("[x][y|x]", df, nil))
	free := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.ML{}, nil))
	found, _, err := bnkit.GroupAll(t.Context(), free, nil)
	if err != nil || len(found) == 0 {
		t.Fatal(found, err)
	}
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.ML{Constraints: found}, nil))
	for i := range 3 {
		for k, words := range must[dataframe.DataFrame](t)(bnkit.Audit(t.Context(), m, nil)).Col("verdict").Records() {
			if !strings.HasPrefix(words, "not tested: these cases suggested it") {
				t.Errorf("after %d updates, %v: %q", i, found[k], words)
			}
		}
		got := must[dataframe.DataFrame](t)(bnkit.Intervals(t.Context(), m, "y", draws(200)))
		if note := got.Col("note").Records()[0]; !strings.HasPrefix(note, "too narrow: these cases suggested ") {
			t.Errorf("after %d updates: note %q", i, note)
		}
		m = must[*bnkit.Model](t)(bnkit.Update(t.Context(), m, df.Subset([]int{i, i + 7, i + 11}), nil))
	}
	other := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df.Subset(slices.Repeat([]int{0, 1, 5, 9}, 9)),
		learn.ML{Constraints: found}, nil))
	got := must[dataframe.DataFrame](t)(bnkit.Intervals(t.Context(), other, "y", draws(200)))
	if note := got.Col("note").Records()[0]; strings.Contains(note, "suggested") {
		t.Errorf("other cases: note %q", note)
	}
}
