package learn_test

import (
	"fmt"
	"math"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format/bif"
	"bnlab/bnkit/learn"
	"bnlab/internal/datatest"
	"bnlab/internal/numtest"
)

// clinic reads the network of testdata/oracles, and a table with its states.
func clinic(tb testing.TB, file string) (*bn.Network, *data.Table) {
	tb.Helper()
	net, err := bif.ReadFile(datatest.Oracle(tb, "clinic.bif"))
	if err != nil {
		tb.Fatal(err)
	}
	states := map[string][]string{}
	for _, v := range net.Variables() {
		states[v.Name] = v.States
	}
	t, err := data.ReadCSVFile(datatest.Oracle(tb, file), &data.CSVOptions{States: states})
	if err != nil {
		tb.Fatal(err)
	}
	return net, t
}

// row returns a row of a table that was fitted.
func row(tb testing.TB, net *bn.Network, child string, given bn.Given) []float64 {
	tb.Helper()
	cpt, err := net.Table(child)
	if err != nil {
		tb.Fatal(err)
	}
	config, err := cpt.Config(given)
	if err != nil {
		tb.Fatal(err)
	}
	return cpt.Row(config)
}

// bn.fit() of bnlearn 5.2.1: method mle, and method bayes with iss 10, whose posterior mean is the
// mode when each Dirichlet count is one more than its share of the ten.
func TestTablesOfBnlearn(t *testing.T) {
	net, table := clinic(t, "clinic.csv")
	ml, err := learn.Fit(t.Context(), net, table, learn.ML{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	alpha := map[string][]float64{}
	for v, variable := range net.Variables() {
		cells := net.CPT(v).Configs().Len() * len(variable.States)
		for range cells {
			alpha[variable.Name] = append(alpha[variable.Name], 1+10/float64(cells))
		}
	}
	bayes, err := learn.Fit(t.Context(), net, table, learn.MAP{Alpha: alpha}, nil)
	if err != nil {
		t.Fatal(err)
	}
	const truth = "[season][smokes][age][cold|season][lung|smokes:age][fever|cold][cough|cold:lung][xray|lung:age]"
	numtest.Close(t, ml.LogLikelihood, datatest.OracleNumbers(t, "bnlearn.txt", "score loglik "+truth)[0], 1e-9, 0)
	both := datatest.OracleNumbers(t, "bnlearn.txt", "loglik of mle ") // of mle, of bayes
	numtest.Close(t, bayes.LogLikelihood, both[1], 1e-9, 0)
	for _, c := range []struct {
		prefix, child string
		given         bn.Given
		net           *bn.Network
	}{
		{"mle lung|smokes=no,age=old ", "lung", bn.Given{"smokes": "no", "age": "old"}, ml.Net},
		{"mle cough|cold=yes,lung=severe ", "cough", bn.Given{"cold": "yes", "lung": "severe"}, ml.Net},
		{"bayes:10 lung|smokes=yes,age=young ", "lung", bn.Given{"smokes": "yes", "age": "young"}, bayes.Net},
	} {
		want := datatest.OracleNumbers(t, "bnlearn.txt", c.prefix)
		for state, got := range row(t, c.net, c.child, c.given) {
			numtest.Close(t, got, want[state], 1e-10, 0)
		}
	}
}

// EM from the tables of clinic.bif, its expectations by plain sums in R: six log-likelihoods, and a
// row after six M-steps.
func TestEMByEnumeration(t *testing.T) {
	for _, c := range []struct {
		name, file string
		hidden     []string
	}{
		{"EM cold,lung hidden", "clinic.csv", []string{"cold", "lung"}},
		{"EM clinic_gaps.csv", "clinic_gaps.csv", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			net, table := clinic(t, c.file)
			var kept []string
			for _, v := range table.Variables() {
				kept = append(kept, v.Name)
				for _, h := range c.hidden {
					if v.Name == h {
						kept = kept[:len(kept)-1]
					}
				}
			}
			table, err := table.Keep(kept...)
			if err != nil {
				t.Fatal(err)
			}
			six := &learn.Settings{From: net, Starts: 1, MaxIterations: 6, Tolerance: 1e-300}
			fit, err := learn.Fit(t.Context(), net, table, learn.EM{}, six)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 6 {
				prefix := fmt.Sprintf("%s iteration %d log-likelihood ", c.name, i)
				want := datatest.OracleNumbers(t, "enumeration.txt", prefix)
				numtest.Close(t, fit.Trace[i].LogLikelihood, want[0], 1e-9, 0)
			}
			want := datatest.OracleNumbers(t, "enumeration.txt", c.name+" P(lung|smokes=no,age=old) after 6 M-steps ")
			for state, got := range row(t, fit.Net, "lung", bn.Given{"smokes": "no", "age": "old"}) {
				numtest.Close(t, got, want[state], 1e-10, 0)
			}
		})
	}
}

// unbiased is what a log-likelihood loses where n cases have the variance RSS/(n−p), as bnlearn's
// scores of Gaussian nodes have, in place of the maximum's RSS/n; p counts the coefficients.
func unbiased(n, p float64) float64 { return p/2 - n/2*math.Log(n/(n-p)) }

// Linear-Gaussian nodes against R's lm() and bnlearn's scores, on gaussian.csv and mixed.csv.
func TestGaussianNodesOfR(t *testing.T) {
	table, err := data.ReadCSVFile(datatest.Oracle(t, "gaussian.csv"), nil)
	if err != nil {
		t.Fatal(err)
	}
	const model = "[A][B][C|A:B][D|C][E|C:D]"
	net, err := bn.New(model, table.Variables()...)
	if err != nil {
		t.Fatal(err)
	}
	fit, err := learn.Fit(t.Context(), net, table, learn.ML{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var lower float64
	for _, p := range []float64{1, 1, 3, 2, 3} { // coefficients of A to E
		lower += unbiased(fit.Cases, p)
	}
	want := datatest.OracleNumbers(t, "gaussian.txt", "score loglik-g "+model)[0]
	numtest.Close(t, fit.LogLikelihood+lower, want, 1e-9, 0)
	for _, c := range []struct {
		name string
		got  func() (float64, error)
	}{{"bic-g", fit.BIC}, {"aic-g", fit.AIC}} {
		got, err := c.got()
		if err != nil {
			t.Fatal(err)
		}
		// Ours is −2 log L and penalties, bnlearn's is log L less half of them.
		want := datatest.OracleNumbers(t, "gaussian.txt", "score "+c.name+" "+model)[0]
		numtest.Close(t, -got/2+lower, want, 1e-9, 0)
	}
	coefficients, err := fit.Coefficients("C")
	if err != nil {
		t.Fatal(err)
	}
	// three estimates, "sd(n-p)", sd, "stderr", three errors
	lm := datatest.OracleNumbers(t, "gaussian.txt", "lm C~A+B ")
	for i, c := range coefficients[:3] {
		numtest.Close(t, c.Estimate, lm[i], 1e-9, 0)
		numtest.Close(t, c.StdErr, lm[4+i], 1e-9, 0)
	}

	kinds := &data.CSVOptions{States: map[string][]string{"kind": {"low", "high"}}}
	mixed, err := data.ReadCSVFile(datatest.Oracle(t, "mixed.csv"), kinds)
	if err != nil {
		t.Fatal(err)
	}
	net, err = bn.New("[kind][A][F|kind:A]", mixed.Variables()...)
	if err != nil {
		t.Fatal(err)
	}
	fit, err = learn.Fit(t.Context(), net, mixed, learn.ML{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	counts, err := fit.FamilyCounts("kind")
	if err != nil {
		t.Fatal(err)
	}
	lower = unbiased(fit.Cases, 1) + unbiased(counts[0], 2) + unbiased(counts[1], 2) // A, and F in each kind
	want = datatest.OracleNumbers(t, "gaussian.txt", "score loglik-cg [kind][A][F|kind:A] ")[0]
	numtest.Close(t, fit.LogLikelihood+lower, want, 1e-9, 0)
	f, err := fit.Net.Index("F")
	if err != nil {
		t.Fatal(err)
	}
	cg := datatest.OracleNumbers(t, "gaussian.txt", "cg F|kind,A coefficients by kind ")
	for config := range 2 {
		numtest.Close(t, fit.Net.Gaussian(f).Intercept[config], cg[2*config], 1e-9, 0)
		numtest.Close(t, fit.Net.Gaussian(f).Weights[config][0], cg[2*config+1], 1e-9, 0)
	}
}
