package structure_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
	"bnlab/internal/datatest"
	"bnlab/internal/numtest"
)

// reference reads a table of the folder reference.
func reference(tb testing.TB, name string) *data.Table {
	tb.Helper()
	f, err := os.Open(datatest.Path(tb, "reference/"+name))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		tb.Fatal(err)
	}
	t, err := data.ReadCSV(bytes.NewReader(b), nil)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

func dag(tb testing.TB, model string) *bn.DAG {
	tb.Helper()
	g, err := bn.ParseDAG(model)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// The values are published for the data set learning.test of the R package bnlearn, of 5000 cases.
func TestPublishedScores(t *testing.T) {
	table := reference(t, "bnlearn_learning.test.csv.gz")
	g := dag(t, "[A][C][F][B|A][D|A:C][E|B:F]")
	for _, test := range []struct {
		score structure.Score
		want  float64
	}{
		{structure.LogLikelihood{}, -23832.13177207},
		{structure.BIC{}, -24006.73423250},
		{structure.K2{}, -23958.69533781},
		{structure.BDeu{EquivalentSampleSize: 10}, -23967.64962540},
		{structure.BDe{EquivalentSampleSize: 10}, -23967.64962540},
	} {
		t.Run(test.score.String(), func(t *testing.T) {
			s, err := structure.NewScorer(table, test.score, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, _, err := s.Score(context.Background(), g)
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, got, test.want, 5e-9, 0) // the digits published
		})
	}
}

// One climb with BIC, arcs tried in the order of the columns.
func TestPublishedClimbs(t *testing.T) {
	for _, test := range []struct {
		file, want string
		score      float64
	}{
		{"bnlearn_learning.test.csv.gz", "[A][C][F][B|A][D|A:C][E|B:F]", -24006.73423250},
		{"bnlearn_asia.csv.gz", "[A][S][T][L|S][B|S][E|T:L][X|E][D|B:E]", -11107.29330939},
	} {
		t.Run(test.file, func(t *testing.T) {
			found, err := structure.Learn(context.Background(), reference(t, test.file), structure.BIC{},
				structure.HillClimb{Orders: 1}, nil)
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, found.Score, test.score, 5e-9, 0)
			if d := arcs(dag(t, test.want)); !equalSets(arcs(found.DAG), d) {
				t.Errorf("found %v, want %s", found.DAG, test.want)
			}
		})
	}
}

func arcs(g *bn.DAG) map[structure.Arc]bool {
	out := make(map[structure.Arc]bool)
	for v := range g.Len() {
		for _, p := range g.Parents(v) {
			out[structure.Arc{From: g.Name(p), To: g.Name(v)}] = true
		}
	}
	return out
}

func equalSets(a, b map[structure.Arc]bool) bool {
	if len(a) != len(b) {
		return false
	}
	for k := range a {
		if !b[k] {
			return false
		}
	}
	return true
}

// The best of 8 orders, the default, is not below where one climb of bnlearn 5.2.1 ends:
// score(hc(x, score = "bic"), x, type = "bic").
func TestBestOfOrders(t *testing.T) {
	for _, test := range []struct {
		file string
		want float64
	}{{"alarm_10000.csv.gz", -107077.99}, {"insurance_10000.csv.gz", -134694.88}} {
		found, err := structure.Learn(context.Background(), reference(t, test.file), structure.BIC{},
			structure.HillClimb{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !(found.Score >= test.want) {
			t.Errorf("%s: %v, want at least %v", test.file, found.Score, test.want)
		}
	}
}
