package nb_test

import (
	"math/rand/v2"
	"os"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/nb"
	"bnlab/bnkit/viz"
)

func Example() {
	scores := dataframe.New(
		series.New([]string{"without knowledge", "with knowledge"}, series.String, "model"),
		series.New([]float64{-0.7134, -0.62087}, series.Float, "log score (nats)"),
	)
	nb.Println("Held-out cases:")
	nb.Table(scores)
	nb.Show(nb.Must(viz.Bars([]string{"without", "with"}, []viz.BarSeries{{Values: []float64{0.71, 0.62}}}, nil)))

	// Output:
	// Held-out cases:
	// model              log score (nats)
	// without knowledge           -0.7134
	// with knowledge              -0.6209
	// [figure of 6.5 × 4.0 inches]
}

// What a network says before and after an observation, in one picture.
func ExampleNetwork() {
	net := nb.Must(bn.New("[lung][xray|lung]", bn.Discrete("lung", "healthy", "ill"),
		bn.Discrete("xray", "clear", "dark")))
	nb.NoError(net.SetTable("lung", "healthy ill\n0.9 0.1"))
	nb.NoError(net.SetTable("xray", "lung | clear dark\nhealthy | 0.95 0.05\nill | 0.1 0.9"))
	nb.Show(nb.Must(nb.Network(net, nil, infer.Evidence{"xray": "dark"})))
	// Output:
	// [figure of 2.6 × 2.2 inches]
}

// Bars for what is asked alone; what is known stands in small nodes.
func ExampleTargets() {
	net := nb.Must(bn.New("[lung][xray|lung]", bn.Discrete("lung", "healthy", "ill"),
		bn.Discrete("xray", "clear", "dark")))
	nb.NoError(net.SetTable("lung", "healthy ill\n0.9 0.1"))
	nb.NoError(net.SetTable("xray", "lung | clear dark\nhealthy | 0.95 0.05\nill | 0.1 0.9"))
	blurred := infer.Evidence{"xray": infer.Likelihood{"clear": 0.2, "dark": 0.9}}
	nb.Show(nb.Must(nb.Targets(net, []string{"lung"}, nil, blurred)))
	// Output:
	// [figure of 4.0 × 2.2 inches]
}

// A network to be explored: a line of text outside a notebook.
func ExampleExplore() {
	net := nb.Must(bn.New("[lung][xray|lung]", bn.Discrete("lung", "healthy", "ill"),
		bn.Discrete("xray", "clear", "dark")))
	nb.NoError(net.SetTable("lung", "healthy ill\n0.9 0.1"))
	nb.NoError(net.SetTable("xray", "lung | clear dark\nhealthy | 0.95 0.05\nill | 0.1 0.9"))
	model := bnkit.ModelOf(net)
	nb.Explore(model, &nb.ExploreOptions{Target: "lung"})
	// The line that it offers after sliding the likelihood of a clear picture to 0.2:
	nb.Table(nb.Must(bnkit.Posterior(model, infer.Evidence{"xray": infer.Likelihood{"clear": 0.2, "dark": 1}}, "lung")))
	// Output:
	// [explorer of 2 variables]
	// variable  state    probability
	// lung      healthy       0.7013
	// lung      ill           0.2987
}

// What a margin does to a table, and to the score of cases held out: a line of text outside a notebook, a slider in
// one. Three of ten young and five of ten old are ill; of those held out two and seven.
func ExampleSlide() {
	frame := func(young, old int) dataframe.DataFrame {
		rows := [][]string{{"age", "ill"}}
		for i := range 10 {
			rows = append(rows, []string{"young", []string{"no", "yes"}[min(1, max(0, young-i))]},
				[]string{"old", []string{"no", "yes"}[min(1, max(0, old-i))]})
		}
		return dataframe.LoadRecords(rows)
	}
	few, rest := frame(3, 5), frame(2, 7)
	net := nb.Must(bnkit.NewNetwork("[age][ill|age]", few, &bnkit.NetworkOptions{
		States: map[string][]string{"age": {"young", "old"}, "ill": {"no", "yes"}}}))
	nb.Slide("margin of age", 0, 0.8, func(x float64) (*bnkit.Model, error) {
		says := constraint.Influence{Parent: "age", Child: "ill", Margin: x}
		return bnkit.Fit(nb.Context(), net, few, learn.MAP{Constraints: []constraint.Constraint{says}}, nil)
	}, &nb.SlideOptions{HeldOut: &rest})
	// Output:
	// [slider of margin of age: 0 to 0.8; held-out log score of ill highest at 0.52, -0.5570 nats a case]
}

// Where two models part, cell by cell; in a notebook the differences are coloured and a click sorts by them.
func ExampleCompareCPT() {
	plain := nb.Must(bn.New("[lung][xray|lung]", bn.Discrete("lung", "healthy", "ill"),
		bn.Discrete("xray", "clear", "dark")))
	informed := plain.Clone()
	nb.NoError(plain.SetTable("xray", "lung | clear dark\nhealthy | 0.9 0.1\nill | 0.25 0.75"))
	nb.NoError(informed.SetTable("xray", "lung | clear dark\nhealthy | 0.95 0.05\nill | 0.125 0.875"))
	nb.CompareCPT(plain, informed, "xray")
	// Output:
	// P(xray | lung): the largest difference is 0.125
	// lung     clear: a  clear: b  clear: b − a  dark: a  dark: b  dark: b − a
	// healthy       0.9      0.95         +0.05      0.1     0.05        -0.05
	// ill          0.25     0.125        -0.125     0.75    0.875       +0.125
}

// Two frames in a row, each with its caption; outside a notebook they stand one below the other.
func ExampleSideBySide() {
	scores := func(x ...float64) dataframe.DataFrame {
		return dataframe.New(series.New([]string{"30 cases", "300 cases"}, series.String, "fitted to"),
			series.New(x, series.Float, "log score (nats)"))
	}
	nb.SideBySide("plain", scores(-0.71, -0.58), "informed", scores(-0.62, -0.57))
	// Output:
	// plain:
	// fitted to  log score (nats)
	// 30 cases              -0.71
	// 300 cases             -0.58
	// informed:
	// fitted to  log score (nats)
	// 30 cases              -0.62
	// 300 cases             -0.57
}

// What to ask next, drawn from the frame that a verb returns.
func ExamplePlot() {
	net := nb.Must(bn.New("[lung][xray|lung][cough|lung]", bn.Discrete("lung", "healthy", "ill"),
		bn.Discrete("xray", "clear", "dark"), bn.Discrete("cough", "no", "yes")))
	nb.NoError(net.SetTable("lung", "healthy ill\n0.9 0.1"))
	nb.NoError(net.SetTable("xray", "lung | clear dark\nhealthy | 0.95 0.05\nill | 0.1 0.9"))
	nb.NoError(net.SetTable("cough", "lung | no yes\nhealthy | 0.7 0.3\nill | 0.2 0.8"))
	matters := nb.Must(bnkit.WhatMatters(net, nil, "lung", nil))
	nb.Show(nb.Must(nb.Plot(matters, &viz.Axes{X: "P(lung = ill)"})))
	// Output:
	// [figure of 9.5 × 1.4 inches]
}

// A result of an experiment drawn anew from its file.
func ExampleCurvesOf() {
	file := nb.Must(os.Open("../../figures/sharing/n06-fig2-kl.csv"))
	defer file.Close()
	df := dataframe.ReadCSV(file)
	nb.Show(nb.Must(nb.CurvesOf(df, "examples", "mean_kl_nats", "model", "p05", "p95", &viz.Axes{LogX: true})))
	// Output:
	// [figure of 6.5 × 4.0 inches]
}

func ExampleBarsOf() {
	df := dataframe.ReadCSV(strings.NewReader("domain,learner,auc,low,high\n" +
		"asia,free,0.71,0.66,0.75\nasia,informed,0.78,0.74,0.81\n" +
		"alarm,free,0.82,0.8,0.83\nalarm,informed,0.84,0.82,0.85\n"))
	nb.Show(nb.Must(nb.BarsOf(df, "domain", "auc", "learner", "low", "high", nil)))
	// Output:
	// [figure of 6.5 × 4.0 inches]
}

// A line tells how far a fit has come; in a notebook it stands below the cell, elsewhere on the standard error.
func ExampleProgress() {
	net := nb.Must(bn.New("[ill][test1|ill][test2|ill]", bn.Discrete("ill", "no", "yes"),
		bn.Discrete("test1", "no", "yes"), bn.Discrete("test2", "no", "yes")))
	df := nb.Must(bnkit.Sample(net, 50, rand.NewPCG(1, 0))).Drop("ill")
	set := &bnkit.Settings{Seed: 1, Starts: 2, Hidden: []string{"ill"}, Progress: nb.Progress("EM").Fit}
	model := nb.Must(bnkit.Fit(nb.Context(), net, df, learn.EM{}, set))
	nb.Println(len(model.Ends), "starts")
	// Output:
	// 2 starts
}

// A value is computed in one cell and the same in the next, today and tomorrow.
func ExampleKeep() {
	os.Setenv("BNLAB_KEEP", nb.Must(os.MkdirTemp("", "kept"))) // in a notebook the values are beside it
	defer os.RemoveAll(os.Getenv("BNLAB_KEEP"))
	rain := bn.Discrete("rain", "no", "yes")
	fit := func() *bnkit.Model {
		nb.Println("fitting …")
		df := dataframe.ReadCSV(strings.NewReader("rain\nno\nno\nyes\nno\n"))
		return nb.Must(bnkit.Fit(nb.Context(), nb.Must(bn.New("[rain]", rain)), df, learn.ML{}, nil))
	}
	nb.Keep("rain", fit)
	nb.Keep("rain", fit)
	model := nb.Kept[*bnkit.Model]("rain")
	nb.Table(nb.Must(bnkit.Posterior(model, nil, "rain")))
	// Output:
	// fitting …
	// variable  state  probability
	// rain      no            0.75
	// rain      yes           0.25
}

type claimed struct{}

func (claimed) ClaimTable() (dataframe.DataFrame, error) {
	df := dataframe.ReadCSV(strings.NewReader("claim,source,kind,data,paper,ours,unit,prediction,basis,holds,note\n" +
		"closer to the truth,N06 §5,theorem,simulated,beneficial,8 of 8,sizes,yes,theory,yes,\n" +
		"ahead in each domain,Y13 Table 2,finding,real,11 of 11,9 of 11,,yes,paper,no,\n" +
		"faster,Y13 §5,finding,real,–,–,,unknown,,n/a,times are not given\n"))
	return df, df.Error()
}

// What came out of an experiment, failures first; in a notebook the rest can be unfolded.
func ExampleClaims() {
	nb.Claims(claimed{}) // a result of run.Notebook
	// Output:
	// Of 2 findings 1 did not come out, 1 cannot be told; 1 against prediction. Of 1 test 0 failed.
	//
	// Did not come out (1):
	//   - Y13 Table 2: ahead in each domain. Paper 11 of 11, ours 9 of 11; real data; predicted: yes, paper.
	//
	// Cannot be told (1)
	// Theorems, and arithmetic on published numbers (1)
}
