package learn_test

import (
	"errors"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/learn"
)

// Rows without weight are no cases, and a column that is not there is for EM.
func TestFitWithoutCases(t *testing.T) {
	net, err := bn.New("[A][X|A]", bn.Discrete("A", "low", "high"), bn.Discrete("X", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	table := pairs(t, net, 1, 1, 1, 1)
	weightless, err := table.WithWeights(make([]float64, 4))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []learn.Method{learn.ML{}, learn.MAP{Pseudocount: 1}, learn.EM{}, learn.APN{}} {
		if _, err := learn.Fit(net, weightless, m, nil); !errors.Is(err, learn.ErrNoCases) || !strings.Contains(err.Error(), "positive weight") {
			t.Errorf("%s: %v", m, err)
		}
	}
	without, err := table.Keep("X")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := learn.Fit(net, without, learn.ML{}, nil); !errors.Is(err, bn.ErrUnknownVariable) || !strings.Contains(err.Error(), "learn.EM") {
		t.Errorf("no column: %v", err)
	}
}
