package bnkit_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
)

// TestUpdate: a fit that is updated is the fit to all cases.
func TestUpdate(t *testing.T) {
	net := must[*bn.Network](t)(bn.New("[age][smoker|age][pressure|age][cough|age:smoker]",
		bn.Discrete("age", "young", "old"), bn.Discrete("smoker", "no", "yes"), bn.Continuous("pressure"),
		bn.Discrete("cough", "no", "some", "much")))
	all := must[dataframe.DataFrame](t)(bnkit.Sample(net, 90, rand.NewPCG(1, 0)))
	rows := func(from, to int) dataframe.DataFrame {
		var at []int
		for i := from; i < to; i++ {
			at = append(at, i)
		}
		return all.Subset(at)
	}
	knowledge := []constraint.Constraint{constraint.Influence{Parent: "smoker", Child: "cough"},
		constraint.ShareStates{Var: "age", Groups: [][]string{{"young", "old"}}, Alpha: []float64{3}}}
	gaussian := constraint.GaussianPrior{Precision: 1, Shape: 2, Scale: 3}
	elsewhere := must[dataframe.DataFrame](t)(bnkit.Sample(net, 20, rand.NewPCG(2, 0)))
	prior := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, elsewhere, learn.BDeu{}, nil)).Net
	network := must[map[string][]float64](t)(learn.PriorNetwork(net, prior, 8))
	for _, m := range []learn.Method{learn.ML{}, learn.ML{Constraints: knowledge}, learn.MAP{Pseudocount: 0.5},
		learn.PosteriorMean{Alpha: network},
		learn.MAP{Pseudocount: 1, Constraints: knowledge, Gaussian: &gaussian},
		learn.MAP{Alpha: map[string][]float64{"smoker": {2, 1.5, 3, 4}}}, learn.BDeu{EquivalentSampleSize: 10},
		learn.PosteriorMean{Constraints: knowledge[:1], Draws: 400, Seed: 3},
		learn.Averaged{Constraints: knowledge, Draws: 400, Seed: 3, Pseudocount: 0.5}} {
		t.Run(fmt.Sprint(m), func(t *testing.T) {
			want := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, all, m, nil))
			model := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, rows(0, 40), m, nil))
			path := filepath.Join(t.TempDir(), "model.json")
			if err := bnkit.Save(path, model); err != nil {
				t.Fatal(err)
			}
			for _, start := range []*bnkit.Model{model, must[*bnkit.Model](t)(bnkit.Load(path))} {
				before := fmt.Sprint(start)
				got := must[*bnkit.Model](t)(bnkit.Update(t.Context(), start, rows(40, 70), nil))
				got = must[*bnkit.Model](t)(bnkit.Update(t.Context(), got, rows(70, 90), nil))
				for v := range net.Len() {
					if a, b := want.Net.CPT(v), got.Net.CPT(v); a != nil {
						for i := range a.P {
							if math.Abs(a.P[i]-b.P[i]) > 1e-9 {
								t.Fatalf("%s: %v, want %v", net.Variable(v).Name, b.P, a.P)
							}
						}
						continue
					}
					a, b := want.Net.Gaussian(v), got.Net.Gaussian(v)
					for i := range a.Intercept {
						if math.Abs(a.Intercept[i]-b.Intercept[i])+math.Abs(a.Variance[i]-b.Variance[i]) > 1e-9 {
							t.Fatalf("%+v, want %+v", b, a)
						}
					}
				}
				if got.Cases != want.Cases || math.Abs(got.LogLikelihood-want.LogLikelihood) > 1e-9 {
					t.Errorf("%v cases, log-likelihood %v, want %v and %v", got.Cases, got.LogLikelihood, want.Cases,
						want.LogLikelihood)
				}
				if fmt.Sprint(start) != before {
					t.Error("the model that was updated has changed")
				}
			}
		})
	}
}

// TestUpdateFading: a case of two updates ago counts the square of the fading.
func TestUpdateFading(t *testing.T) {
	m := letters(t, learn.ML{}) // 6 a, 3 b, 1 c
	one := must[dataframe.DataFrame](t)(bnkit.Sample(m.Net, 10, rand.NewPCG(1, 0)))
	none := one.Subset([]int{0})
	state := none.Col("X").Elem(0).String()
	m = must[*bnkit.Model](t)(bnkit.Update(t.Context(), m, none, &bnkit.UpdateSettings{Fading: 0.5}))
	m = must[*bnkit.Model](t)(bnkit.Update(t.Context(), m, none, &bnkit.UpdateSettings{Fading: 0.5}))
	for i, want := range []float64{6. / 4, 3. / 4, 1. / 4} {
		if m.Net.Variable(0).States[i] == state {
			want += 1.5
		}
		if got := m.Counts[i]; math.Abs(got-want) > 1e-12 {
			t.Errorf("state %d counts %v, want %v", i, got, want)
		}
	}
	if math.Abs(m.Cases-4) > 1e-12 {
		t.Errorf("%v cases, want 4", m.Cases)
	}
	for _, test := range []struct {
		model *bnkit.Model
		set   *bnkit.UpdateSettings
		want  string
	}{
		{m, &bnkit.UpdateSettings{Fading: 2}, "Fading"},
		{m, &bnkit.UpdateSettings{Fading: math.NaN()}, "Fading"},
		{bnkit.ModelOf(m.Net), nil, "not fitted"},
		{letters(t, learn.EM{}), nil, "not the maximum for counts"},
	} {
		_, err := bnkit.Update(t.Context(), test.model, none, test.set)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, want %q", test.set, err, test.want)
		}
	}
	gap := dataframe.LoadRecords([][]string{{"X"}, {"a"}, {"NA"}})
	if _, err := bnkit.Update(t.Context(), m, gap, nil); err == nil ||
		!strings.Contains(err.Error(), `row 2, column "X"`) || !strings.Contains(err.Error(), "UpdateSettings") {
		t.Errorf("a missing cell: %v", err)
	}
	if _, err := bnkit.Update(t.Context(), m, dataframe.DataFrame{}, nil); err == nil {
		t.Error("no cases were learned from")
	}
}

// New patients come in; the earlier ones need not be at hand.
// What was seen at earlier times counts half at each update.
func ExampleUpdate_fading() {
	model, err := coughing()
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 2 {
		model, err = bnkit.Update(context.Background(), model, smokers().Subset([]int{0, 1, 3}),
			&bnkit.UpdateSettings{Fading: 0.5})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(model.Cases, "patients")
	}
	// Output:
	// 7.5 patients
	// 6.75 patients
}

func ExampleUpdate() {
	model, err := coughing()
	if err != nil {
		fmt.Println(err)
		return
	}
	seen := model.Cases
	model, err = bnkit.Update(context.Background(), model, smokers().Subset([]int{0, 1, 3}), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(seen, "and then", model.Cases, "patients by", model.Method)
	// Output:
	// 9 and then 12 patients by maximum a posteriori, pseudocount 1
}
