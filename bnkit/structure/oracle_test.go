package structure_test

import (
	"context"
	"fmt"
	"testing"

	"bnlab/bnkit/data"
	"bnlab/bnkit/format/bif"
	"bnlab/bnkit/structure"
	"bnlab/internal/datatest"
	"bnlab/internal/numtest"
)

// clinicTruth is the graph of clinic.bif, as bnlearn writes it.
const clinicTruth = "[season][smokes][age][cold|season][lung|smokes:age][fever|cold][cough|cold:lung][xray|lung:age]"

// clinic reads clinic.csv with the states of clinic.bif.
func clinic(tb testing.TB) *data.Table {
	tb.Helper()
	net, err := bif.ReadFile(datatest.Oracle(tb, "clinic.bif"))
	if err != nil {
		tb.Fatal(err)
	}
	states := map[string][]string{}
	for _, v := range net.Variables() {
		states[v.Name] = v.States
	}
	t, err := data.ReadCSVFile(datatest.Oracle(tb, "clinic.csv"), &data.CSVOptions{States: states})
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// Scores by bnlearn 5.2.1, of the whole graph and family by family; see testdata/oracles.
func TestScoresOfBnlearn(t *testing.T) {
	table, g := clinic(t), dag(t, clinicTruth)
	for _, c := range []struct {
		score        structure.Score
		name, family string // family: the prefix of its rows by family, if there are any
	}{
		{structure.LogLikelihood{}, "loglik", ""},
		{structure.AIC{}, "aic", ""},
		{structure.BIC{}, "bic", "family bic"},
		{structure.K2{}, "k2", "family k2"},
		{structure.BDeu{EquivalentSampleSize: 1}, "bde:1", ""},
		{structure.BDeu{EquivalentSampleSize: 5}, "bde:5", ""},
		{structure.BDeu{EquivalentSampleSize: 10}, "bde:10", "family bde:10"},
		{structure.BDeu{EquivalentSampleSize: 100}, "bde:100", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := structure.NewScorer(table, c.score, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, byFamily, err := s.Score(context.Background(), g)
			if err != nil {
				t.Fatal(err)
			}
			want := datatest.OracleNumbers(t, "bnlearn.txt", fmt.Sprintf("score %s %s ", c.name, clinicTruth))
			numtest.Close(t, got, want[0], 1e-9, 0) // ten decimals
			for v, got := range byFamily {
				if c.family == "" {
					break
				}
				want := datatest.OracleNumbers(t, "bnlearn.txt", fmt.Sprintf("%s %s ", c.family, g.Name(v)))
				numtest.Close(t, got, want[0], 1e-9, 0)
			}
		})
	}
}

// hc() of bnlearn goes greedily from the empty graph: one order. Our best of eight is not below it,
// and the exact search is not below either.
func TestClimbsOfBnlearn(t *testing.T) {
	table := clinic(t)
	for _, c := range []struct {
		name  string
		score structure.Score
		model string
	}{
		{"bic", structure.BIC{},
			"[season][age][cold|season][xray|age][lung|age:xray][fever|cold][smokes|lung][cough|cold:lung]"},
		{"bde", structure.BDeu{EquivalentSampleSize: 10},
			"[season][age][cold|season][xray|age][lung|age:xray][smokes|age:lung][cough|cold:lung][fever|smokes:cold]"},
	} {
		want := datatest.OracleNumbers(t, "bnlearn.txt", "hc "+c.name+" ")[0]
		for _, search := range []structure.Search{structure.HillClimb{Orders: 1}, structure.HillClimb{},
			structure.Exact{}} {
			t.Run(fmt.Sprint(c.name, " ", search), func(t *testing.T) {
				found, err := structure.Learn(context.Background(), table, c.score, search, nil)
				if err != nil {
					t.Fatal(err)
				}
				if !(found.Score >= want-1e-9) {
					t.Fatalf("score %.10f, below %.10f of hc()", found.Score, want)
				}
				// Where no graph is better, it is the same but for arcs that cases cannot tell.
				if found.Score <= want+1e-9 && !found.DAG.Equivalent(dag(t, c.model)) {
					t.Errorf("found %v, not equivalent to %s", found.DAG, c.model)
				}
			})
		}
	}
}
