package bnkit_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// smokers are ten patients of a clinic.
func smokers() dataframe.DataFrame {
	return dataframe.New(
		series.New([]int{34, 61, 58, 45, 70, 29, 66, 52, 48, 73}, series.Int, "age"),
		series.New([]string{"no", "yes", "yes", "no", "yes", "no", "no", "yes", "no", "yes"}, series.String, "smoker"),
		series.New([]string{"no", "yes", "NaN", "no", "yes", "no", "yes", "no", "no", "yes"}, series.String, "cough"),
	)
}

// coughing is P(smoker) and P(cough | smoker) from the nine patients whose cough is
// known, with one virtual case in each cell.
func coughing() (*bnkit.Model, error) {
	df, err := bnkit.DropMissing(smokers(), "smoker", "cough")
	if err != nil {
		return nil, err
	}
	net, err := bnkit.NewNetwork("[smoker][cough|smoker]", df, nil)
	if err != nil {
		return nil, err
	}
	return bnkit.Fit(context.Background(), net, df, learn.MAP{Pseudocount: 1}, nil)
}

func ExampleSummary() {
	s, err := bnkit.Summary(smokers())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range s.Records()[1:] {
		fmt.Println(row)
	}
	// Output:
	// [age discrete 0 29 1, 34 1, 45 1, 48 1, 52 1, 58 1, 61 1, 66 1, … 2 more states]
	// [smoker discrete 0 no 5, yes 5]
	// [cough discrete 1 no 5, yes 4]
}

func ExampleTable() {
	t, err := bnkit.Table(smokers(), map[string][]string{"cough": {"no", "dry", "yes"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	cough, err := t.Column("cough")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(t.Rows(), "cases of", cough.Var)
	_, err = bnkit.Table(smokers(), map[string][]string{"cough": {"no"}})
	fmt.Println(err)
	// Output:
	// 10 cases of cough {no, dry, yes}
	// bnkit: data: row 2, column "cough", value "yes": unknown state (states: no); correct the cell, or add the state to the list
}

func ExampleFrame() {
	t, err := bnkit.Table(smokers(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	two, err := t.Head(3).Keep("smoker", "cough")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(bnkit.Frame(two).Records())
	// Output: [[smoker cough] [no no] [yes yes] [yes NaN]]
}

func ExampleNewNetwork() {
	net, err := bnkit.NewNetwork("[smoker][cough|smoker]", smokers(),
		&bnkit.NetworkOptions{States: map[string][]string{"cough": {"no", "yes"}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range net.Variables() {
		fmt.Println(v)
	}
	_, err = bnkit.NewNetwork("[smoker|cough][cough|smoker]", smokers(), nil)
	fmt.Println(err)
	// Output:
	// smoker {no, yes}
	// cough {no, yes}
	// bnkit: bn: the arcs form a cycle: smoker → cough → smoker
}

func ExampleFit() {
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
	// An expert doubts that smoking matters in this clinic.
	same := constraint.ShareAcross{Var: "cough"}
	for _, method := range []learn.Method{
		learn.MAP{Pseudocount: 1},
		learn.MAP{Pseudocount: 1, Constraints: []constraint.Constraint{same}},
	} {
		m, err := bnkit.Fit(context.Background(), net, df, method, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		t, err := m.Net.Table("cough")
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: P(cough=yes) %.3f, of smokers %.3f\n", m.Method, t.Row(0)[1], t.Row(1)[1])
	}
	// Output:
	// maximum a posteriori, pseudocount 1: P(cough=yes) 0.286, of smokers 0.667
	// maximum a posteriori, pseudocount 1, under 1 statement: P(cough=yes) 0.462, of smokers 0.462
}

func ExampleLogScore() {
	m, err := coughing()
	if err != nil {
		fmt.Println(err)
		return
	}
	heldOut := dataframe.New(
		series.New([]string{"no", "yes", "yes"}, series.String, "smoker"),
		series.New([]string{"no", "yes", "no"}, series.String, "cough"),
	)
	score, err := bnkit.LogScore(m, heldOut)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f nats per case, %.3f in all\n", score.Average, score.LogScore)
	// Output:
	// -1.341 nats per case, -4.024 in all
}

func ExampleConditionalLogScore() {
	m, err := coughing()
	if err != nil {
		fmt.Println(err)
		return
	}
	heldOut := dataframe.New(
		series.New([]string{"no", "yes", "yes"}, series.String, "smoker"),
		series.New([]string{"no", "yes", "no"}, series.String, "cough"),
	)
	score, err := bnkit.ConditionalLogScore(m, heldOut, "cough")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f nats per case; a coin would earn -0.693\n", score.Average)
	// Output:
	// -0.614 nats per case; a coin would earn -0.693
}

func ExamplePredict() {
	m, err := coughing()
	if err != nil {
		fmt.Println(err)
		return
	}
	patients := dataframe.New(series.New([]string{"no", "yes"}, series.String, "smoker"))
	p, err := bnkit.Predict(m, patients, "cough")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %.3f\n", p.Names()[1], p.Col("yes").Float())
	// Output:
	// yes: [0.286 0.667]
}

func ExampleSample() {
	m, err := coughing()
	if err != nil {
		fmt.Println(err)
		return
	}
	df, err := bnkit.Sample(m, 3, rand.NewPCG(1, 0))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(df.Names(), df.Nrow(), "cases")
	// Output: [smoker cough] 3 cases
}

func ExampleCPT() {
	m, err := coughing()
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := bnkit.CPT(m, "cough")
	if err != nil {
		fmt.Println(err)
		return
	}
	for row := range t.Nrow() {
		fmt.Printf("smoker=%s: %.3f %.3f\n", t.Elem(row, 0), t.Elem(row, 1).Float(), t.Elem(row, 2).Float())
	}
	fmt.Println(t.Names())
	// Output:
	// smoker=no: 0.714 0.286
	// smoker=yes: 0.333 0.667
	// [smoker cough=no cough=yes]
}

func ExampleDropMissing() {
	df := smokers()
	whole, err := bnkit.DropMissing(df, df.Names()...)
	if err != nil {
		fmt.Println(err)
		return
	}
	some, err := bnkit.DropMissing(df, "age", "smoker")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(whole.Nrow(), "rows are complete,", some.Nrow(), "in age and smoker")
	// Output: 9 rows are complete, 10 in age and smoker
}

func ExampleSplit() {
	train, test, err := bnkit.Split(smokers(), 7, rand.NewPCG(7, 0))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(train.Nrow(), test.Nrow())
	// Output: 7 3
}

// The cut points come from the training cases and go with the model, which takes new
// patients of any age.
func ExampleDiscretize() {
	train := smokers()
	cuts, err := bnkit.Discretize(train, data.Quantiles{Column: "age", Bins: 2, Names: []string{"younger", "older"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	net, err := bnkit.NewNetwork("[age][smoker|age]", train, &bnkit.NetworkOptions{Discretization: cuts})
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := bnkit.Fit(context.Background(), net, train, learn.MAP{Pseudocount: 1},
		&bnkit.Settings{Discretization: cuts})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := bnkit.Predict(m, dataframe.New(series.New([]int{20, 99}, series.Int, "age")), "smoker")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("cut at %g: P(smoker=yes) %.3f\n", cuts.Columns[0].Cuts, p.Col("yes").Float())
	// Output:
	// cut at [55]: P(smoker=yes) [0.286 0.714]
}

// What the model sees of two new patients, by the cut points of the others.
func ExampleApply() {
	cuts, err := bnkit.Discretize(smokers(), data.Quantiles{Column: "age", Bins: 2,
		Names: []string{"younger", "older"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	df, err := bnkit.Apply(dataframe.New(series.New([]int{20, 99}, series.Int, "age")), cuts)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(df.Col("age").Records())
	// Output: [younger older]
}

func ExampleSave() {
	dir, err := os.MkdirTemp("", "bnkit")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	m, err := coughing()
	if err != nil {
		fmt.Println(err)
		return
	}
	path := filepath.Join(dir, "cough.json")
	if err := bnkit.Save(path, m); err != nil {
		fmt.Println(err)
		return
	}
	again, err := bnkit.Load(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v by %s from %v cases\n", again.Net, again.Method, again.Cases)
	// Output: [smoker][cough|smoker] by maximum a posteriori, pseudocount 1 from 9 cases
}

// A model from a file predicts as the one that was saved, and knows how it came about.
func ExampleLoad() {
	dir, err := os.MkdirTemp("", "bnkit")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	fitted, err := coughing()
	if err != nil {
		fmt.Println(err)
		return
	}
	path := filepath.Join(dir, "cough.json")
	if err := bnkit.Save(path, fitted); err != nil {
		fmt.Println(err)
		return
	}
	m, err := bnkit.Load(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m)
	p, err := bnkit.Predict(m, dataframe.New(series.New([]string{"yes"}, series.String, "smoker")), "cough")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("P(cough | smoker) = %.3f\n", p.Col("yes").Elem(0).Float())
	// Output:
	// maximum a posteriori, pseudocount 1
	// 2 variables, 9 cases, log-likelihood -11.0982 nats
	// 3 free parameters, AIC 28.1963, BIC 28.788
	// 3 distributions under no statement: closed form
	// P(cough | smoker) = 0.667
}

func ExampleWriteCSV() {
	dir, err := os.MkdirTemp("", "bnkit")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "patients.csv")
	if err := bnkit.WriteCSV(path, smokers()); err != nil {
		fmt.Println(err)
		return
	}
	df, err := bnkit.ReadCSV(path, &data.CSVOptions{Columns: []string{"smoker", "cough"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(df.Names(), df.Nrow(), "rows")
	// Output: [smoker cough] 10 rows
}

// A network that is written down, not fitted, predicts as well.
func ExampleModelOf() {
	net, err := bn.New("[rain][wet|rain]", bn.Discrete("rain", "no", "yes"), bn.Discrete("wet", "no", "yes"))
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := net.SetTable("wet", "rain | no yes\n no | 0.9 0.1\n yes | 0.2 0.8"); err != nil {
		fmt.Println(err)
		return
	}
	p, err := bnkit.Predict(bnkit.ModelOf(net), dataframe.New(series.New([]string{"yes"}, series.String, "wet")),
		"rain")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("P(rain | wet grass) = %.3f\n", p.Col("yes").Elem(0).Float())
	// Output: P(rain | wet grass) = 0.889
}

// Under a uniform prior and two inequalities the posterior mean predicts better, from few cases, than the mode, which
// is what maximum likelihood finds.
func ExampleLogScore_posteriorMean() {
	net, err := bn.New("[smoker][cough|smoker]", bn.Discrete("smoker", "no", "yes"),
		bn.Discrete("cough", "no", "yes"))
	if err != nil {
		fmt.Println(err)
		return
	}
	few := dataframe.LoadRecords([][]string{{"smoker", "cough"}, {"no", "no"}, {"no", "yes"}, {"no", "no"},
		{"yes", "no"}, {"yes", "yes"}, {"yes", "yes"}, {"yes", "yes"}, {"no", "no"}})
	later := dataframe.LoadRecords([][]string{{"smoker", "cough"}, {"no", "no"}, {"no", "yes"}, {"no", "no"},
		{"yes", "no"}, {"yes", "yes"}, {"yes", "no"}, {"no", "no"}, {"yes", "yes"}})
	knowledge := []constraint.Constraint{
		constraint.Influence{Parent: "smoker", Child: "cough"},
		constraint.AtMost{Var: "cough", Given: bn.Given{"smoker": "no"}, States: []string{"yes"}, P: 0.5},
	}
	for _, method := range []learn.Method{
		learn.ML{Constraints: knowledge},
		learn.PosteriorMean{Constraints: knowledge, Seed: 1},
		learn.MAP{Constraints: knowledge, Pseudocount: 1}, // a prior that is not uniform
	} {
		m, err := bnkit.Fit(context.Background(), net, few, method, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		score, err := bnkit.LogScore(m, later)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%-21T P(cough | smoker) = %.2f, %.2f nats a case\n", method, m.Net.CPT(1).P[3], score.Average)
	}
	// Output:
	// learn.ML              P(cough | smoker) = 0.75, -1.39 nats a case
	// learn.PosteriorMean   P(cough | smoker) = 0.69, -1.36 nats a case
	// learn.MAP             P(cough | smoker) = 0.67, -1.36 nats a case
}
