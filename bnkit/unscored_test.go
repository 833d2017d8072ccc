package bnkit_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/structure"
)

// TestGraphKept: a majority of 45 coins depends on each, and PC-stable finds it, but no table holds 2^45 rows. A number
// that has one case in a state has no variance there. In both the graph is returned beside the error.
func TestGraphKept(t *testing.T) {
	const rows, coins = 20_000, 45
	random := rand.New(rand.NewPCG(1, 2))
	columns := make([][]string, coins)
	majority := make([]string, rows)
	for row := range rows {
		heads := 0
		for i := range columns {
			up := random.IntN(2)
			heads += up
			columns[i] = append(columns[i], fmt.Sprint(up))
		}
		majority[row] = fmt.Sprint(2*heads > coins)
	}
	list := []series.Series{series.New(majority, series.String, "y")}
	for i, c := range columns {
		list = append(list, series.New(c, series.String, fmt.Sprintf("x%d", i)))
	}
	how := structure.PCStable{IndependenceTests: structure.IndependenceTests{MostGiven: 1}}
	found, err := bnkit.Search(t.Context(), dataframe.New(list...), nil, how, nil)
	if err == nil || !strings.Contains(err.Error(), "could not be scored: structure: the family of \"y\"") {
		t.Fatalf("error %v", err)
	}
	y, _ := found.DAG.Index("y")
	if n := len(found.DAG.Parents(y)); n < 40 || !math.IsNaN(found.Score) || len(found.PairTests) == 0 {
		t.Errorf("y has %d parents, the score is %v, there are %d tests", n, found.Score, len(found.PairTests))
	}
	if !strings.Contains(found.String(), "NaN") {
		t.Errorf("printed as %v", found)
	}
	kind := []string{"a", "a", "a", "b", "b", "b", "a", "b", "rare"}
	few := dataframe.New(series.New(kind, series.String, "k"),
		series.New([]float64{1, 1.1, 1.2, 9, 9.1, 9.3, 1.1, 9.2, 5}, series.Float, "x"))
	found, err = bnkit.Search(t.Context(), few, nil, structure.PCStable{}, nil)
	if err == nil || found == nil || fmt.Sprint(found.DAG) != "[k][x|k]" ||
		!strings.Contains(err.Error(), "the search found [k][x|k], but it could not be fitted") {
		t.Errorf("%v, error %v", found, err)
	}
}
