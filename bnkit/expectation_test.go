package bnkit_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

const pupils = "[school][ability|school][reading|ability][sums|ability][puzzles|ability]"

// marks draws pupils of two schools whose ability nobody sees.
func marks() (dataframe.DataFrame, error) {
	truth, err := bn.New(pupils, bn.Discrete("school", "north", "south"), bn.Continuous("ability"),
		bn.Continuous("reading"), bn.Continuous("sums"), bn.Continuous("puzzles"))
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	truth.Gaussian(1).Intercept[1] = 1
	for v, weight := range []float64{2: 8, 3: 10, 4: 5} {
		if v >= 2 {
			g := truth.Gaussian(v)
			g.Intercept[0], g.Weights[0][0], g.Variance[0] = 50, weight, 25
		}
	}
	df, err := bnkit.Sample(truth, 500, rand.NewPCG(1, 0))
	return df.Drop("ability"), err
}

// Marks of pupils show an ability that nobody sees: a factor analyser. Whoever reads well will do sums well.
func ExampleExpectation() {
	df, err := marks()
	if err != nil {
		log.Fatal(err)
	}
	net, err := bnkit.NewNetwork(pupils, df, &bnkit.NetworkOptions{HiddenContinuous: []string{"ability"}})
	if err != nil {
		log.Fatal(err)
	}
	model, err := bnkit.Fit(context.Background(), net, df, learn.EM{}, &bnkit.Settings{Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	for _, reading := range []float64{40, 70} {
		x, err := bnkit.Expectation(model, infer.Evidence{"school": "north", "reading": reading}, "sums")
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("reading %.0f: sums %.0f ± %.0f\n", reading, x.Col("mean").Float()[0], x.Col("sd").Float()[0])
	}
	// Output:
	// reading 40: sums 41 ± 7
	// reading 70: sums 68 ± 7
}

// TestHiddenContinuous: the fit is kept in a file, and as good as by a knowledge file that declares the variable.
func TestHiddenContinuous(t *testing.T) {
	df, err := marks()
	if err != nil {
		t.Fatal(err)
	}
	options := &bnkit.NetworkOptions{HiddenContinuous: []string{"ability"}}
	net := must[*bn.Network](t)(bnkit.NewNetwork(pupils, df, options))
	set := &bnkit.Settings{Seed: 1, Starts: 1}
	m := must[*bnkit.Model](t)(bnkit.Fit(context.Background(), net, df, learn.EM{}, set))
	if !slices.Equal(m.Hidden, []string{"ability"}) {
		t.Errorf("hidden %v", m.Hidden)
	}
	path := filepath.Join(t.TempDir(), "model.json")
	if err := bnkit.Save(path, m); err != nil {
		t.Fatal(err)
	}
	back := must[*bnkit.Model](t)(bnkit.Load(path))
	score, err := bnkit.LogScore(back, df)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, score.LogScore, m.LogLikelihood, 0, 1e-12)
	file, err := knowledge.Parse("pupils.yaml", []byte(`network: "`+pupils+`"
variables:
  - {name: school, states: [north, south]}
  - {name: ability, continuous: true, hidden: true}
  - {name: reading, continuous: true}
  - {name: sums, continuous: true}
  - {name: puzzles, continuous: true}
`))
	if err != nil {
		t.Fatal(err)
	}
	again := must[*bnkit.Model](t)(bnkit.Fit(context.Background(), must[*bn.Network](t)(file.Network()), df, learn.EM{},
		set))
	numtest.Close(t, again.LogLikelihood, m.LogLikelihood, 0, 1e-9)
	// All continuous variables that are not observed, and the regression of two marks by the ability.
	x := must[dataframe.DataFrame](t)(bnkit.Expectation(m, infer.Evidence{"reading": 60.0, "school": "south"}))
	if got := x.Col("variable").Records(); !slices.Equal(got, []string{"ability", "sums", "puzzles"}) {
		t.Errorf("variables %v", got)
	}
	f, r, s := m.Net.Gaussian(1), m.Net.Gaussian(2), m.Net.Gaussian(3)
	both := f.Variance[1] * r.Weights[0][0]
	slope := both * s.Weights[0][0] / (both*r.Weights[0][0] + r.Variance[0])
	mean := s.Mean(0, f.Intercept[1:]) + slope*(60-r.Mean(0, f.Intercept[1:]))
	sums := f.Variance[1]*s.Weights[0][0]*s.Weights[0][0] + s.Variance[0]
	numtest.Close(t, x.Col("mean").Float()[1], mean, 0, 1e-12)
	numtest.Close(t, x.Col("sd").Float()[1], math.Sqrt(sums-slope*both*s.Weights[0][0]), 0, 1e-12)
	for want, err := range map[string]error{
		"HiddenContinuous":    second(bnkit.NewNetwork(pupils, df, nil)),
		"in the model string": second(bnkit.NewNetwork("[reading][sums|reading]", df, options)),
		"leave one of them out": second(bnkit.NewNetwork(pupils, df, &bnkit.NetworkOptions{
			HiddenContinuous: []string{"ability"}, Hidden: map[string][]string{"ability": {"a", "b"}}})),
		"also a column": second(bnkit.NewNetwork(pupils, df, &bnkit.NetworkOptions{
			HiddenContinuous: []string{"ability", "sums"}})),
		"which is discrete": second(bnkit.Expectation(m, nil, "school")),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
}
