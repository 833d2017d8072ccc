package bnkit_test

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/metric"
	"bnlab/bnkit/validate"
	"bnlab/internal/numtest"
)

// A discretisation is given once: what is made from the network has it.
func TestDiscretizationOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	var age []float64
	var site, ill []string
	for range 60 {
		age = append(age, float64(30+r.IntN(50)))
		site = append(site, []string{"neck", "head", "arm"}[r.IntN(3)])
		ill = append(ill, []string{"no", "yes"}[r.IntN(2)])
	}
	df := dataframe.New(series.New(age, series.Float, "age"), series.New(site, series.String, "site"),
		series.New(ill, series.String, "ill"))
	cuts := must[*data.Discretization](t)(bnkit.Discretize(df, data.Cuts{Column: "age", Cuts: []float64{50},
		Names: []string{"younger", "older"}},
		data.Merge{Column: "site", Groups: []data.Group{{Name: "above", States: []string{"head", "neck"}},
			{Name: "below", States: []string{"arm"}}}}))
	net := must[*bn.Network](t)(bnkit.NewNetwork("[age][site][ill|age:site]", df,
		&bnkit.NetworkOptions{Discretization: cuts}))
	ctx := t.Context()
	once := must[*bnkit.Model](t)(bnkit.Fit(ctx, net, df, learn.MAP{Pseudocount: 1}, nil))
	twice := must[*bnkit.Model](t)(bnkit.Fit(ctx, net, df, learn.MAP{Pseudocount: 1},
		&bnkit.Settings{Discretization: cuts}))
	numtest.Close(t, once.LogLikelihood, twice.LogLikelihood, 0, 0)
	if once.DataHash != twice.DataHash || once.Discretization == nil {
		t.Errorf("hashes %s and %s, discretisation %v", once.DataHash, twice.DataHash, once.Discretization)
	}
	path := filepath.Join(t.TempDir(), "m.json")
	if err := bnkit.Save(path, once); err != nil {
		t.Fatal(err)
	}
	again := must[*bnkit.Model](t)(bnkit.Load(path))
	want := 0.0
	for i, m := range []*bnkit.Model{twice, once, again} {
		p := must[dataframe.DataFrame](t)(bnkit.Posterior(m, infer.Evidence{"age": 61.5, "site": "neck"}, "ill")).
			Col("probability").Float()[1]
		if i == 0 {
			want = p
		}
		numtest.Close(t, p, want, 0, 0)
		score := must[metric.LogScores](t)(bnkit.LogScore(m, df))
		numtest.Close(t, score.LogScore, twice.LogLikelihood, 0, 1e-12)
	}

	// A network with tables of its own answers in values of the data, is saved, and takes what it drew.
	if _, err := bnkit.Posterior(net, infer.Evidence{"age": 61.5, "site": "neck"}, "ill"); err != nil {
		t.Error(err)
	}
	if err := bnkit.Save(path, net); err != nil {
		t.Error(err)
	}
	saved := must[*bnkit.Model](t)(bnkit.Load(path))
	if saved.Discretization == nil {
		t.Error("a saved network has lost its discretisation")
	}
	kept := must[*bnkit.Model](t)(bnkit.Fit(ctx, saved.Declared(), df, learn.MAP{Pseudocount: 1}, nil))
	numtest.Close(t, kept.LogLikelihood, twice.LogLikelihood, 0, 0)
	drawn := must[dataframe.DataFrame](t)(bnkit.Sample(net, 50, rand.NewPCG(2, 0)))
	m := must[*bnkit.Model](t)(bnkit.Fit(ctx, net, drawn, learn.MAP{Pseudocount: 1}, nil))
	numtest.Close(t, m.Cases, 50, 0, 0)
	cv := must[*validate.Result](t)(bnkit.CrossValidate(ctx, net, df, "ill", []validate.Learner{{Name: "free",
		Candidates: []learn.Method{learn.MAP{Pseudocount: 1}}}}, &validate.Settings{Seed: 1, Folds: 3}))
	if len(cv.Learners[0].Folds) != 3 {
		t.Errorf("%d folds", len(cv.Learners[0].Folds))
	}
	text := must[*bnkit.MethodsText](t)(bnkit.Methods(once))
	if !strings.Contains(text.String(), "age at 50 (younger, older;") {
		t.Errorf("no cut point in %s", text)
	}
}
