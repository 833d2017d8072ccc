package bnkit_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/posterior"
)

const heights = "height,weight\n1.5,5.1\n0.2,3.9\n-0.4,4.4\n1.1,4.2\n-1.3,3.6\n0.6,5.3\n-0.9,4.1\n0.3,4.5\n"

// How heavy is someone of that height? Eight people leave doubt about the line, and about whether there is one.
func ExampleGraphs_Expectation() {
	ctx := context.Background()
	graphs, err := bnkit.GraphPosterior(ctx, dataframe.ReadCSV(strings.NewReader(heights)), nil, nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := graphs.Expectation(ctx, infer.Evidence{"height": 2.0}, "weight")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Names())
	fmt.Printf("weight: %.1f, of which by the tables ± %.1f, by the graph ± %.1f\n", answer.Elem(0, 1).Float(),
		answer.Elem(0, 3).Float(), answer.Elem(0, 4).Float())
	// Output:
	// [variable mean sd sd tables sd graphs]
	// weight: 5.0, of which by the tables ± 0.3, by the graph ± 0.2
}

// Averaged means are those of the three graphs of two columns by hand, of which two are equivalent: the posterior of
// BGe is normal-Wishart with R and 1 + N cases for the mean.
func TestGraphsExpectationByHand(t *testing.T) {
	df := dataframe.ReadCSV(strings.NewReader(heights))
	const draws = 20000
	graphs, err := bnkit.GraphPosterior(t.Context(), df, structure.BGe{}, posterior.Exact{Draws: draws, Seed: 4}, nil)
	if err != nil {
		t.Fatal(err)
	}
	there, _ := graphs.Arc(0, 1)
	back, _ := graphs.Arc(1, 0)
	link := there + back
	x, y := df.Col("height").Float(), df.Col("weight").Float()
	n := float64(len(x))
	mx, my := 0.0, 0.0
	for i := range x {
		mx, my = mx+x[i]/n, my+y[i]/n
	}
	// T = t·I with t = 1·(4−2−1)/2; the prior's mean is that of the cases, so R = T + S.
	rxx, ryy, rxy := 0.5, 0.5, 0.0
	for i := range x {
		rxx, ryy, rxy = rxx+(x[i]-mx)*(x[i]-mx), ryy+(y[i]-my)*(y[i]-my), rxy+(x[i]-mx)*(y[i]-my)
	}
	b, d := rxy/rxx, 2-mx
	joined := (ryy - rxy*rxy/rxx) / (4 - 2 + 2 + n - 2) // E[σ²], degrees α_w − 2 + 2 + N, less 2
	alone := ryy / (4 - 2 + 1 + n - 2)
	mean := my + link*b*d
	tables := math.Sqrt(link*joined*(1/(n+1)+d*d/rxx) + (1-link)*alone/(n+1))
	between := math.Sqrt(link*(1-link)) * math.Abs(b*d)
	sd := math.Sqrt(link*joined + (1-link)*alone + tables*tables + between*between)
	got, err := graphs.Expectation(t.Context(), infer.Evidence{"height": 2.0})
	if err != nil {
		t.Fatal(err)
	}
	off := 5 * math.Hypot(tables, between) / math.Sqrt(draws)
	for i, c := range []struct{ want, off float64 }{{mean, off}, {sd, 2 * off}, {tables, 2 * off}, {between, 2 * off}} {
		if x := got.Elem(0, 1+i).Float(); math.Abs(x-c.want) > c.off {
			t.Errorf("%s is %v, want %v ± %v", got.Names()[1+i], x, c.want, c.off)
		}
	}
	t.Logf("link %v, mean %v, sd %v, tables %v, graphs %v", link, mean, sd, tables, between)
}

// With columns of numbers and of states the score is BIC unless one is given, numbers can be evidence for states, and
// errors suggest no score that does not fit.
func TestGraphPosteriorOfMixedColumns(t *testing.T) {
	text := "sick,temperature\n"
	for i := range 30 {
		text += fmt.Sprintf("%s,%.2f\n", []string{"no", "yes"}[i%2], 36.5+1.2*float64(i%2)+0.3*math.Sin(float64(i*i)))
	}
	df := dataframe.ReadCSV(strings.NewReader(text))
	graphs, err := bnkit.GraphPosterior(t.Context(), df, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p, _ := graphs.Arc(0, 1); len(graphs.Notes) != 1 || !strings.Contains(graphs.Notes[0], "BIC") || p < 0.99 {
		t.Errorf("arc %v, notes %v", p, graphs.Notes)
	}
	hot, err := graphs.Posterior(t.Context(), infer.Evidence{"temperature": 38.0})
	if err != nil || hot.Nrow() != 2 || !(hot.Elem(1, 2).Float() > 0.9) {
		t.Errorf("%v, %v", hot, err)
	}
	sum := 0.0
	for i := range 30 {
		if i%2 == 1 {
			sum += df.Elem(i, 1).Float() / 15
		}
	}
	warm, err := graphs.Expectation(t.Context(), infer.Evidence{"sick": "yes"})
	if err != nil || math.Abs(warm.Elem(0, 1).Float()-sum) > 0.02 {
		t.Errorf("%v, %v, want %v", warm, err, sum)
	}
	if _, err := graphs.Expectation(t.Context(), nil, "sick"); err == nil {
		t.Error("the mean of states")
	}
	_, err = bnkit.GraphPosterior(t.Context(), df, structure.BDeu{}, nil, nil)
	if err == nil || !strings.Contains(err.Error(), "structure.BIC{}") || strings.Contains(err.Error(), "BGe") ||
		!strings.Contains(err.Error(), `"temperature"`) {
		t.Errorf("BDeu of numbers: %v", err)
	}
}
