package learn_test

import (
	"math"
	"strings"
	"testing"

	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// What is out of range is named by its field, before anything is said of the data: the
// table here has no columns.
func TestFieldsOutOfRange(t *testing.T) {
	net, _ := eightCases(t)
	for _, tt := range []struct {
		says   string
		method learn.Method
		set    *learn.Settings
	}{
		{"Starts is -1", learn.EM{}, &learn.Settings{Starts: -1}},
		{"MaxIterations is -5", learn.EM{}, &learn.Settings{MaxIterations: -5}},
		{"Tolerance is NaN", learn.EM{}, &learn.Settings{Tolerance: math.NaN()}},
		{"Tolerance is -1e-08", learn.EM{}, &learn.Settings{Tolerance: -1e-8}},
		{"Tolerance is +Inf", learn.EM{}, &learn.Settings{Tolerance: math.Inf(1)}},
		{"Pseudocount is -1", learn.MAP{Pseudocount: -1}, nil},
		{"Pseudocount is -1", learn.EM{Pseudocount: -1}, nil},
		{"Pseudocount is NaN", learn.MAP{Pseudocount: math.NaN()}, nil},
		{"Pseudocount is +Inf", learn.MAP{Pseudocount: math.Inf(1)}, nil},
	} {
		if _, err := learn.Fit(t.Context(), net, &data.Table{}, tt.method, tt.set); err == nil ||
			!strings.Contains(err.Error(), tt.says) {
			t.Errorf("error %v, want one that says %q", err, tt.says)
		}
	}
	// A Dirichlet count of one half has a mode where each state was seen.
	_, table := eightCases(t)
	if _, err := learn.Fit(t.Context(), net, table, learn.MAP{Pseudocount: -0.5,
		Alpha: map[string][]float64{"X": {1, 1, 1, 1, 1, 1}}}, nil); err != nil {
		t.Error(err)
	}
}
