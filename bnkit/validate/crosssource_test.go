package validate

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
)

// dealt deals rows of a table into folds as a database does.
type dealt struct{ *data.Table }

func (d dealt) Folds(_ context.Context, k int, _ uint64) (train, test []data.Source, err error) {
	for fold := range k {
		var in, out []int
		for row := range d.Rows() {
			if row%k == fold {
				out = append(out, row)
			} else {
				in = append(in, row)
			}
		}
		train, test = append(train, d.Select(in)), append(test, d.Select(out))
	}
	return train, test, nil
}

// Searches that draw random numbers run in several folds at once, and find the same whatever the workers.
func TestRandomSearchInFolds(t *testing.T) {
	net := parse(t, "[Y][A|Y][B|Y][C|A][D|B]", nil, 3)
	table := draw(t, net, 60, 3)
	for name, cases := range map[string]data.Source{"table": table, "source": dealt{table}} {
		var first string
		for _, workers := range []int{1, 4} {
			l := named("restarts", methods(1))
			l.Search = structure.HillClimb{Restarts: 3, Orders: 1, Source: rand.NewPCG(1, 0)}
			l.Score = structure.AIC{}
			r, err := CrossValidate(t.Context(), net, cases, "Y", []Learner{l}, &Settings{Seed: 1, Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			if first == "" {
				first = r.String()
			} else if got := r.String(); got != first {
				t.Errorf("%s, %d workers:\n%s\n1 worker:\n%s", name, workers, got, first)
			}
		}
	}
}

// Rows that weigh nothing make no difference to the scores, though what occurred in them is held impossible.
func TestRowsWithoutWeight(t *testing.T) {
	net := parse(t, "[Y][A|Y][B|Y]", nil, 3)
	table := draw(t, net, 300, 3)
	cols := table.Columns()
	var there, others []int
	for row := range table.Rows() {
		if cols[0].States[row] == 1 && cols[1].States[row] == 0 {
			others = append(others, row)
		} else {
			there = append(there, row)
		}
	}
	scores := func(rows []int) float64 {
		weights := slices.Repeat([]float64{1}, len(rows))
		clear(weights[len(there):])
		weighted, err := table.Select(rows).WithWeights(weights)
		if err != nil {
			t.Fatal(err)
		}
		r, err := CrossValidate(t.Context(), net, dealt{weighted}, "Y", []Learner{named("ml", methods(0))},
			&Settings{Seed: 1, Folds: 3})
		if err != nil {
			t.Fatal(err)
		}
		return r.Learners[0].LogScore.Value
	}
	all, some := scores(slices.Concat(there, others)), scores(there)
	if len(others) == 0 || math.IsInf(some, 0) || !(math.Abs(all-some) < 1e-12) {
		t.Errorf("log score %v with %d rows that weigh nothing, and %v without", all, len(others), some)
	}
}

// A search is over all variables of the network, in a source as in a table.
func TestSearchWithoutColumn(t *testing.T) {
	net := parse(t, "[Y][A|Y][B|Y]", nil, 3)
	table, err := draw(t, net, 60, 3).Keep("Y", "A")
	if err != nil {
		t.Fatal(err)
	}
	l := named("found", methods(1))
	l.Search = structure.HillClimb{}
	for name, cases := range map[string]data.Source{"table": table, "source": dealt{table}} {
		_, err := CrossValidate(t.Context(), net, cases, "Y", []Learner{l}, &Settings{Seed: 1, Folds: 3})
		if !errors.Is(err, bn.ErrUnknownVariable) || !strings.Contains(err.Error(), `"B"`) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
