package learn_test

import (
	"errors"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
)

func TestResultByFamily(t *testing.T) {
	net, table := eightCases(t)
	across := constraint.ShareAcross{Var: "X", Groups: [][]string{{"c"}}}
	one := constraint.ShareStates{Var: "Y", Groups: [][]string{{"0", "1"}}}
	r := fit(t, net, table, learn.ML{Constraints: []constraint.Constraint{across, one}})
	counts, err := r.FamilyCounts("X")
	if want := []float64{3, 1, 1, 0, 2, 1}; err != nil || !slices.Equal(counts, want) {
		t.Errorf("counts %v, %v, want %v", counts, err, want)
	}
	rows, err := r.RowStatements("X")
	if err != nil || len(rows) != 2 || !slices.Equal(rows[0], []string{across.String()}) ||
		!slices.Equal(rows[1], rows[0]) {
		t.Errorf("statements by row %q, %v", rows, err)
	}
	if rows, err := r.RowStatements("Y"); err != nil || !slices.Equal(rows[0], []string{one.String()}) {
		t.Errorf("statements of Y %q, %v", rows, err)
	}
	if _, err := r.FamilyCounts("W"); !errors.Is(err, bn.ErrUnknownVariable) {
		t.Errorf("a stranger: %v", err)
	}
}
