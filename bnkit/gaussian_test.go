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
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

// stocks are eight days of prices: DELL goes with MSFT + INTL.
func stocks() dataframe.DataFrame {
	return dataframe.New(
		series.New([]string{"up", "up", "up", "up", "down", "down", "down", "down"}, series.String, "market"),
		series.New([]float64{1.5, 2.25, 0.5, 3.75, -1.5, -2.25, -0.5, 0.25}, series.Float, "MSFT"),
		series.New([]float64{0.5, -1.25, 1.75, 0.25, 1.5, -0.75, -0.25, -2.25}, series.Float, "INTL"),
		series.New([]float64{2.1, 1.2, 2.3, 3.9, 0.2, -3.1, -0.7, -1.8}, series.Float, "DELL"),
	)
}

// A frame with continuous columns goes through every verb.
func TestContinuousFrame(t *testing.T) {
	df := stocks()
	net := must[*bn.Network](t)(bnkit.NewNetwork("[market][MSFT|market][INTL][DELL|MSFT:INTL]", df, nil))
	alike := constraint.ShareWeights{Var: "DELL", Groups: [][]string{{"MSFT", "INTL"}}}
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.ML{Constraints: []constraint.Constraint{alike}},
		nil))
	v, err := m.Net.Index("DELL")
	if err != nil {
		t.Fatal(err)
	}
	w := m.Net.Gaussian(v).Weights[0]
	if w[0] != w[1] || !(w[0] > 0.8 && w[0] < 1.2) {
		t.Errorf("weights %v, want equal and about 1", w)
	}
	score, err := bnkit.LogScore(m, df)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, score.LogScore, m.LogLikelihood, 1e-12, 1e-12)
	// A discrete parent between continuous ones, with regressions of its own.
	split := must[*bnkit.Model](t)(bnkit.Fit(t.Context(),
		must[*bn.Network](t)(bnkit.NewNetwork("[market][MSFT][INTL][DELL|MSFT:market:INTL]", df, nil)), df, learn.ML{},
		nil))
	if score, err = bnkit.LogScore(split, df); err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, score.LogScore, split.LogLikelihood, 1e-12, 1e-12)

	// P(market | MSFT) by Bayes' rule, with the means 2 and −1 of the prices.
	down, up := m.Net.Gaussian(1).Variance[0], m.Net.Gaussian(1).Variance[1]
	numtest.Close(t, up, (0.25+0.0625+2.25+3.0625)/4., 1e-14, 0)
	predicted := must[dataframe.DataFrame](t)(bnkit.Predict(m, df.Drop("market"), "market"))
	for row, x := range df.Col("MSFT").Float() {
		a := math.Exp(-(x-2)*(x-2)/(2*up)) / math.Sqrt(up)
		b := math.Exp(-(x+1)*(x+1)/(2*down)) / math.Sqrt(down)
		numtest.Close(t, predicted.Col("up").Float()[row], a/(a+b), 1e-12, 0)
	}

	path := filepath.Join(t.TempDir(), "model.json")
	if err := bnkit.Save(path, m); err != nil {
		t.Fatal(err)
	}
	back := must[*bnkit.Model](t)(bnkit.Load(path))
	if len(back.Statements) != 1 || back.Statements[0].String() != alike.String() {
		t.Errorf("statements %v come back", back.Statements)
	}
	again, err := bnkit.LogScore(back, df)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, again.LogScore, m.LogLikelihood, 1e-12, 1e-12)

	drawn := must[dataframe.DataFrame](t)(bnkit.Sample(m.Net, 50, rand.NewPCG(1, 0)))
	if drawn.Nrow() != 50 || drawn.Col("DELL").Type() != series.Float {
		t.Errorf("a sample of %d rows, DELL as %v", drawn.Nrow(), drawn.Col("DELL").Type())
	}
	summary := must[dataframe.DataFrame](t)(bnkit.Summary(df))
	if got := summary.Records()[2]; got[1] != "continuous" || got[3] != "-2.25 to 3.75, mean 0.5" {
		t.Errorf("summary of MSFT %v", got)
	}
}

func TestContinuousErrors(t *testing.T) {
	df := stocks()
	net := must[*bn.Network](t)(bnkit.NewNetwork("[DELL][MSFT|DELL]", df, nil))
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.ML{}, nil))
	flat := m.Net.Clone()
	flat.Gaussian(0).Variance[0] = 0
	for name, test := range map[string]struct {
		err  error
		says string
	}{
		"a target without states": {second(bnkit.Predict(m, df, "DELL")), `"DELL"`},
		"no density":              {second(bnkit.LogScore(bnkit.ModelOf(flat), df)), "VarianceFloor"},
		"a table":                 {second(bnkit.CPT(net, "DELL")), "use Coefficients"},
		"one case": {second(bnkit.Fit(t.Context(), net, df.Subset([]int{0}), learn.ML{}, nil)),
			"VarianceFloor"},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.says) {
			t.Errorf("%s: error %v, want one that says %q", name, test.err, test.says)
		}
	}
}

// A missing number is summed out: MSFT is then normal with the variance of DELL through the weight, and its own.
func TestMissingNumber(t *testing.T) {
	df := stocks()
	net := must[*bn.Network](t)(bnkit.NewNetwork("[DELL][MSFT|DELL]", df, nil))
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.ML{}, nil))
	holed := df.Mutate(series.New([]float64{1, 2, math.NaN(), 4, 5, 6, 7, 8}, series.Float, "DELL"))
	score, err := bnkit.LogScore(m, holed)
	if err != nil {
		t.Fatal(err)
	}
	dell, msft := m.Net.Gaussian(0), m.Net.Gaussian(1)
	b := msft.Weights[0][0]
	variance := msft.Variance[0] + b*b*dell.Variance[0]
	r := df.Col("MSFT").Float()[2] - msft.Intercept[0] - b*dell.Intercept[0]
	numtest.Close(t, score.ByCase[2], -(math.Log(2*math.Pi*variance)+r*r/variance)/2, 1e-12, 0)
}

func ExampleFit_continuous() {
	df := stocks()
	net, err := bnkit.NewNetwork("[MSFT][INTL][DELL|MSFT:INTL]", df, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	alike := constraint.ShareWeights{Var: "DELL", Groups: [][]string{{"MSFT", "INTL"}}}
	model, err := bnkit.Fit(context.Background(), net, df, learn.ML{Constraints: []constraint.Constraint{alike}}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	dell := model.Net.Gaussian(2)
	fmt.Println(alike)
	fmt.Printf("DELL = %.3f + %.3f MSFT + %.3f INTL, standard deviation %.3f\n", dell.Intercept[0], dell.Weights[0][0],
		dell.Weights[0][1], math.Sqrt(dell.Variance[0]))
	// Output:
	// the weights of MSFT and INTL for DELL are equal
	// DELL = 0.078 + 0.992 MSFT + 0.992 INTL, standard deviation 0.116
}
