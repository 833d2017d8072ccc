package data_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

func TestTableIsSource(t *testing.T) {
	table, err := data.New(
		data.Column{Var: bn.Discrete("a", "no", "yes"), States: []bn.State{0, 1, 1, 0, 1}},
		data.Column{Var: bn.Discrete("b", "x", "y", "z"), States: []bn.State{2, 0, 0, bn.Missing, 1}},
	)
	if err != nil {
		t.Fatal(err)
	}
	var src data.Source = table
	if src.TotalWeight() != 5 || len(src.Variables()) != 2 {
		t.Errorf("weight %v, %d variables", src.TotalWeight(), len(src.Variables()))
	}
	counts, err := src.CountFamilies(t.Context(), []data.Family{{Child: "a", Parents: []string{"b"}}},
		&data.CountOptions{SkipMissing: true})
	if err != nil {
		t.Fatal(err)
	}
	if want := []float64{0, 2, 0, 1, 1, 0}; !slices.Equal(counts[0].N, want) || counts[0].Skipped != 1 {
		t.Errorf("counts %v, skipped %v; want %v, 1", counts[0].N, counts[0].Skipped, want)
	}
	rows, err := src.DistinctRows(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	if rows.Rows() != 2 || !slices.Equal(rows.Weights(), []float64{2, 3}) {
		t.Errorf("distinct rows of a:\n%v weights %v", rows, rows.Weights())
	}
	if all, err := src.DistinctRows(t.Context()); err != nil || all.Rows() != 4 {
		t.Errorf("distinct rows: %v, %v", all, err)
	}
	if _, err := src.DistinctRows(t.Context(), "c"); !errors.Is(err, bn.ErrUnknownVariable) {
		t.Errorf("unknown column: %v", err)
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := src.CountFamilies(done, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("done context: %v", err)
	}
}
