package bnkit_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// Identify takes a model and the frame it was fitted to as they are: with columns of no variable, with
// numbers to be cut, and a network that was not fitted. Two tests of a hidden disease tell three of five parameters.
func TestIdentify(t *testing.T) {
	yes := func(name string) bn.Variable { return bn.Discrete(name, "no", "yes") }
	truth := must[*bn.Network](t)(bn.New("[disease][fever|disease][cough|disease]", yes("disease"), yes("fever"),
		yes("cough")))
	for _, name := range []string{"fever", "cough"} {
		if err := truth.SetTable(name, "disease | no yes\n no | 0.9 0.1\n yes | 0.2 0.8"); err != nil {
			t.Fatal(err)
		}
	}
	df := must[dataframe.DataFrame](t)(bnkit.Sample(truth, 200, rand.NewPCG(1, 0))).Drop("disease")
	temp := make([]float64, df.Nrow())
	for row, fever := range df.Col("fever").Records() {
		temp[row] = map[string]float64{"no": 36.5, "yes": 39}[fever] + float64(row%10)/100
	}
	raw := df.Drop("fever").Mutate(series.New(temp, series.Float, "temp")).Mutate(series.New(temp, series.Float,
		"weight"))
	cuts := must[*data.Discretization](t)(bnkit.Discretize(raw, data.Quantiles{Column: "temp", Bins: 2}))
	hidden := map[string][]string{"disease": {"no", "yes"}}
	net := must[*bn.Network](t)(bnkit.NewNetwork("[disease][temp|disease][cough|disease]", raw,
		&bnkit.NetworkOptions{Hidden: hidden, Discretization: cuts}))
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, raw, learn.EM{},
		&bnkit.Settings{Seed: 1, Discretization: cuts,
			MaxIterations: 20}))
	for name, found := range map[string]*learn.Identification{
		"the model": must[*learn.Identification](t)(bnkit.Identify(m, raw)),
		"a network": must[*learn.Identification](t)(bnkit.Identify(bnkit.ModelOf(truth), df)),
		"what it was of": must[*learn.Identification](t)(bnkit.Identify(bnkit.ModelOf(truth), df.Mutate(series.New(temp,
			series.Float, "weight")))),
	} {
		if found.Parameters != 5 || found.Determined != 3 || len(found.Flags) == 0 {
			t.Errorf("%s: %v", name, found)
		}
	}
	for want, err := range map[string]error{
		"there is no network": second(bnkit.Identify(nil, df)),
		`no column "temp"`:    second(bnkit.Identify(m, raw.Drop("temp"))),
		"the frame is empty":  second(bnkit.Identify(m, dataframe.DataFrame{})),
		"one named": second(bnkit.Identify(bnkit.ModelOf(truth), df.Rename("Fever ", "fever").Rename("fevr",
			"Fever "))),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
	if _, err := bnkit.ModelOf(truth).Result.Identify(nil); err == nil || !strings.Contains(err.Error(), "no table") {
		t.Errorf("no table: %v", err)
	}
}
