package bnkit_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

// loads is a model in which the load is never seen: 0.4 of the tasks are hard, which makes the
// load high with 0.7, and that makes answers slow with 0.8.
func loads() (*bnkit.Model, error) {
	net, err := bn.New("[task][load|task][slow|load]", bn.Discrete("task", "easy", "hard"),
		bn.Discrete("load", "low", "high"), bn.Discrete("slow", "no", "yes"))
	if err != nil {
		return nil, err
	}
	m := bnkit.ModelOf(net)
	m.Hidden = []string{"load"} // as the fit of a frame without this column has it
	return m, errors.Join(
		net.SetTable("task", "easy hard\n0.6 0.4"),
		net.SetTable("load", "task | low high\neasy | 0.9 0.1\nhard | 0.3 0.7"),
		net.SetTable("slow", "load | no yes\nlow | 0.8 0.2\nhigh | 0.2 0.8"),
	)
}

func ExampleScore_hidden() {
	m, err := loads() // whose Hidden is [load]
	if err != nil {
		fmt.Println(err)
		return
	}
	heldOut := dataframe.New(
		series.New([]string{"hard", "easy", "NaN"}, series.String, "task"),
		series.New([]string{"yes", "no", "yes"}, series.String, "slow"),
	)
	score, err := bnkit.LogScore(m, heldOut)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f nats per case\n", score.Average)
	// Output:
	// -1.038 nats per case
}

// By hand: P(slow | easy) = 0.9·0.2 + 0.1·0.8 = 0.26, P(slow | hard) = 0.3·0.2 + 0.7·0.8 =
// 0.62, and P(slow) = 0.6·0.26 + 0.4·0.62 = 0.404.
func TestScoreHidden(t *testing.T) {
	m := must[*bnkit.Model](t)(loads())
	df := dataframe.New(
		series.New([]string{"hard", "easy", "NaN"}, series.String, "task"),
		series.New([]string{"yes", "no", "yes"}, series.String, "slow"),
		series.New([]int{1, 2, 3}, series.Int, "id"),
	)
	score, err := bnkit.LogScore(m, df)
	if err != nil {
		t.Fatal(err)
	}
	for row, want := range []float64{0.4 * 0.62, 0.6 * 0.74, 0.404} {
		numtest.Close(t, score.ByCase[row], math.Log(want), 1e-14, 0)
	}
	target, err := bnkit.ConditionalLogScore(m, df, "slow")
	if err != nil {
		t.Fatal(err)
	}
	for row, want := range []float64{0.62, 0.74, 0.404} {
		numtest.Close(t, target.ByCase[row], math.Log(want), 1e-14, 0)
	}
	// The hidden variable is predicted as any other, with the target's column or without.
	p := must[dataframe.DataFrame](t)(bnkit.Predict(m, df, "load"))
	q := must[dataframe.DataFrame](t)(bnkit.Predict(m, df.Drop("slow"), "slow"))
	for row, want := range []float64{0.7 * 0.8 / 0.62, 0.1 * 0.2 / 0.74, (0.6*0.1 + 0.4*0.7) * 0.8 / 0.404} {
		numtest.Close(t, p.Col("high").Elem(row).Float(), want, 1e-14, 0)
		numtest.Close(t, q.Col("yes").Elem(row).Float(), []float64{0.62, 0.26, 0.404}[row], 1e-14, 0)
	}
	// Where the load is known after all, it counts.
	seen := df.Mutate(series.New([]string{"high", "low", "NaN"}, series.String, "load"))
	if score, err = bnkit.LogScore(m, seen); err != nil {
		t.Fatal(err)
	}
	for row, want := range []float64{0.4 * 0.7 * 0.8, 0.6 * 0.9 * 0.8, 0.404} {
		numtest.Close(t, score.ByCase[row], math.Log(want), 1e-14, 0)
	}
}

func TestScoreHiddenErrors(t *testing.T) {
	m := must[*bnkit.Model](t)(loads())
	df := dataframe.New(
		series.New([]string{"hard", "NaN"}, series.String, "task"),
		series.New([]string{"yes", "no"}, series.String, "slow"),
	)
	misspelt := df.Rename("tsak", "task")
	for _, test := range []struct {
		name string
		err  error
		says []string
	}{
		{"a misspelt column", second(bnkit.LogScore(m, misspelt)), []string{`no column "task"`, "tsak, slow",
			"correct its name", "m.Hidden"}},
		{"a misspelt column, target", second(bnkit.ConditionalLogScore(m, misspelt, "slow")),
			[]string{`no column "task"`, "m.Hidden"}},
		{"a misspelt column, predicted", second(bnkit.Predict(m, misspelt, "load")),
			[]string{`no column "task"`, "m.Hidden"}},
		{"no variable is hidden", second(bnkit.LogScore(bnkit.ModelOf(m.Net), df)),
			[]string{`no column "load"`, "m.Hidden"}},
		{"a hidden target to score", second(bnkit.ConditionalLogScore(m, df, "load")), []string{`no column "load"`}},
		{"a missing target to score", second(bnkit.ConditionalLogScore(m, df, "task")),
			[]string{`row 2, column "task"`, "bnkit.DropMissing"}},
		{"an unknown state", second(bnkit.LogScore(m,
			df.Mutate(series.New([]string{"NaN", "perhaps"}, series.String, "slow")))),
			[]string{`row 2, column "slow", value "perhaps"`, "no, yes"}},
	} {
		if test.err == nil {
			t.Errorf("%s: no error", test.name)
			continue
		}
		for _, want := range test.says {
			if !strings.Contains(test.err.Error(), want) {
				t.Errorf("%s: %q does not say %q", test.name, test.err, want)
			}
		}
	}
}

// The score of the cases of a fit is its log-likelihood, also after Save and Load and when
// columns are discretised.
func TestScoreOfFit(t *testing.T) {
	truth := must[*bnkit.Model](t)(loads()).Net
	df := must[dataframe.DataFrame](t)(bnkit.Sample(truth, 200, rand.NewPCG(1, 0))).Drop("load")
	seconds := make([]float64, df.Nrow())
	for row, slow := range df.Col("slow").Records() {
		seconds[row] = 1 + float64(row%7)/10
		switch {
		case row%10 == 0:
			seconds[row] = math.NaN()
		case slow == "yes":
			seconds[row] += 3
		}
	}
	df = df.Mutate(series.New(seconds, series.Float, "slow"))
	bins := must[*data.Discretization](t)(bnkit.Discretize(df, data.Cuts{Column: "slow", Cuts: []float64{2},
		Names: []string{"no", "yes"}}))
	net := must[*bn.Network](t)(bnkit.NewNetwork("[task][load|task][slow|load]", df,
		&bnkit.NetworkOptions{Hidden: map[string][]string{"load": {"low", "high"}}, Discretization: bins}))
	up := constraint.Influence{Parent: "task", Child: "load"}
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.EM{Constraints: []constraint.Constraint{up}},
		&bnkit.Settings{Seed: 1, Starts: 1, Discretization: bins}))
	path := filepath.Join(t.TempDir(), "m.json")
	if err := bnkit.Save(path, m); err != nil {
		t.Fatal(err)
	}
	for _, m := range []*bnkit.Model{m, must[*bnkit.Model](t)(bnkit.Load(path))} {
		score, err := bnkit.LogScore(m, df)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, score.LogScore, m.LogLikelihood, 0, 1e-12)
		numtest.Close(t, score.Cases, 200, 0, 0)
	}
}
