package learn_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

// Rows with (3, 0) and (0, 3) are the same with probability 16/156 (see the package sharing), and states seen (3, 1)
// are tied with probability 5/9.
func TestAveragedSharing(t *testing.T) {
	net, err := bn.New("[X][Y|X]", bn.Discrete("X", "a", "b"), bn.Discrete("Y", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	counts := &data.Counts{Layout: net.Layout(), Rows: 6, Skipped: make([]float64, 2), N: []float64{3, 1, 3, 0, 0, 3}}
	tied := 16.0 / 156
	for name, test := range map[string]struct {
		method learn.AveragedSharing
		want   []float64 // X, then Y
	}{
		// X has one row, which nothing is shared with.
		"rows": {learn.AveragedSharing{}, []float64{4.0 / 6, 2.0 / 6, tied/2 + (1-tied)*0.8, tied/2 + (1-tied)*0.2,
			tied/2 + (1-tied)*0.2, tied/2 + (1-tied)*0.8}},
		// (3, 0): tied Γ(5)/(Γ(2)2³) = 3 against Γ(4)Γ(1) = 6 apart, so 1/3: 1/3·1/2 + 2/3·4/5 = 0.7.
		"states": {learn.AveragedSharing{States: true}, []float64{31.0 / 54, 23.0 / 54, 0.7, 0.3, 0.3, 0.7}},
		"none of the others": {learn.AveragedSharing{States: true, Of: []string{"X"}},
			[]float64{31.0 / 54, 23.0 / 54, 0.8, 0.2, 0.2, 0.8}},
	} {
		compiled, err := learn.Compile(net, test.method)
		if err != nil {
			t.Fatal(err)
		}
		fit, err := compiled.Fit(counts, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := append(append([]float64{}, fit.Net.CPT(0).P...), fit.Net.CPT(1).P...)
		for i, x := range test.want {
			numtest.Close(t, got[i], x, 1e-12, 0)
		}
		if t.Failed() {
			t.Fatalf("%s: %v", name, got)
		}
		if fit.Solution != nil || fit.Means == nil || fit.Means.Sharing == nil ||
			!strings.Contains(fit.String(), "averaged over which") {
			t.Errorf("reported as\n%v", fit)
		}
	}
	if _, err := learn.Compile(net, learn.AveragedSharing{Pseudocount: -1}); err == nil {
		t.Error("a pseudocount of -1")
	}
	compiled, err := learn.Compile(net, learn.AveragedSharing{Of: []string{"Z"}})
	if err == nil {
		_, err = compiled.Fit(counts, nil)
	}
	if err == nil || !strings.Contains(err.Error(), "Z") {
		t.Errorf("an unknown variable: %v", err)
	}
}

// Rows of many states are done one after the other, and a done context ends the fit between two.
func TestAveragedSharingIsInterrupted(t *testing.T) {
	var from, states []string
	for i := range 12 {
		from, states = append(from, fmt.Sprint("a", i)), append(states, fmt.Sprint("b", i))
	}
	net, err := bn.New("[X][Y|X]", bn.Discrete("X", from...), bn.Discrete("Y", states...))
	if err != nil {
		t.Fatal(err)
	}
	table, err := data.New(data.Column{Var: net.Variable(0), States: []bn.State{0, 1, 1}},
		data.Column{Var: net.Variable(1), States: []bn.State{0, 1, 5}})
	if err != nil {
		t.Fatal(err)
	}
	fit := func(end, workers int) (asked int, r *learn.Result, err error) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var all atomic.Int64
		r, err = learn.Fit(watched{ctx, func() {
			if all.Add(1) == int64(end) {
				cancel()
			}
		}}, net, table, learn.AveragedSharing{States: true}, &learn.Settings{Workers: workers})
		return int(all.Load()), r, err
	}
	asked, one, err := fit(0, 1)
	if err != nil || asked < 13 {
		t.Fatalf("%v; asked %d times whether it is done, want once for each of 13 rows", err, asked)
	}
	if _, _, err := fit(asked-6, 1); !errors.Is(err, context.Canceled) ||
		!strings.Contains(err.Error(), "while partitions were averaged") {
		t.Errorf("a context that is done after some rows: %v", err)
	}
	_, two, err := fit(0, 2)
	if err != nil || !slices.Equal(one.Net.CPT(1).P, two.Net.CPT(1).P) {
		t.Errorf("%v; two workers find other tables than one", err)
	}
}
