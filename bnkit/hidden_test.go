package bnkit_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/google/go-cmp/cmp"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

func TestHiddenVariables(t *testing.T) {
	df := smokers()
	for _, tt := range []struct {
		model  string
		hidden map[string][]string
		want   string
	}{
		{"[smoker][tar|smoker][cough|tar]", map[string][]string{"tar": {"low", "high"}}, ""},
		{"[smoker][tar|smoker][cough|tar]", nil, "NetworkOptions.Hidden"},
		{"[smoker][cough|smoker]", map[string][]string{"smoker": {"no", "yes"}}, "drop the column"},
		{"[smoker][cough|smoker]", map[string][]string{"tar": {"low", "high"}}, "in the model string"},
		{"[smoker][tar|smoker]", map[string][]string{"tar": {"low", "low"}}, "low"},
		{"[tar]", map[string][]string{"tar": {"low", "high"}}, "all variables are hidden"},
	} {
		net, err := bnkit.NewNetwork(tt.model, df, &bnkit.NetworkOptions{Hidden: tt.hidden})
		if tt.want != "" {
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s, hidden %v: %v, want an error with %q", tt.model, tt.hidden, err, tt.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tt.model, err)
			continue
		}
		if v := net.Variable(1); v.Name != "tar" || strings.Join(v.States, " ") != "low high" {
			t.Errorf("%s: variable 1 is %v", tt.model, v)
		}
	}
}

// The states of a whole network may be given where hidden variables have no column.
func TestStatesOfHidden(t *testing.T) {
	df := smokers()
	model, lists := "[smoker][tar|smoker][cough|tar]", map[string][]string{"tar": {"low", "high"}}
	net := must[*bn.Network](t)(bnkit.NewNetwork(model, df, &bnkit.NetworkOptions{Hidden: lists}))
	all := data.StatesOf(net.Variables()...)
	for _, hidden := range []map[string][]string{lists, {"tar": nil}} {
		again := must[*bn.Network](t)(bnkit.NewNetwork(model, df, &bnkit.NetworkOptions{States: all, Hidden: hidden}))
		if diff := cmp.Diff(net.Variables(), again.Variables()); diff != "" {
			t.Errorf("hidden %v (-want +got):\n%s", hidden, diff)
		}
	}
	if table := must[*data.Table](t)(bnkit.Table(df, all, "tar")); len(table.Variables()) != df.Ncol() {
		t.Errorf("the table has the variables %v", table.Variables())
	}
	table := func(states map[string][]string, hidden ...string) error {
		_, err := bnkit.Table(df, states, hidden...)
		return err
	}
	network := func(o *bnkit.NetworkOptions) error {
		_, err := bnkit.NewNetwork(model, df, o)
		return err
	}
	for want, err := range map[string]error{
		"if it is hidden, name it after the states": table(all),
		`"smoker" is hidden and also a column`:      table(all, "tar", "smoker"),
		`no column "tar"`:                           network(&bnkit.NetworkOptions{States: all}),
		"leave one of them out": network(&bnkit.NetworkOptions{States: all,
			Hidden: map[string][]string{"tar": {"high", "low"}}}),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
}

// Held-out frames and contexts reach the learner.
func TestFitStops(t *testing.T) {
	truth, err := bn.New("[H][X|H][Y|H]", bn.Discrete("H", "0", "1"), bn.Discrete("X", "0", "1"),
		bn.Discrete("Y", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"X", "Y"} {
		if err := truth.SetTable(name, "H | 0 1\n0 | 0.9 0.1\n1 | 0.2 0.8"); err != nil {
			t.Fatal(err)
		}
	}
	sample := must[dataframe.DataFrame](t)(bnkit.Sample(truth, 60, rand.NewPCG(1, 0)))
	df := sample.Select([]string{"X", "Y"})
	held := df.Subset([]int{0, 1, 2, 3, 4, 5})
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), truth, df, learn.EM{},
		&bnkit.Settings{Seed: 1, Starts: 1, HeldOut: &held, Hidden: []string{"H"},
			Patience: 2, Tolerance: 1e-15}))
	if m.Trace[0].HeldOut == 0 {
		t.Error("the held-out cases are not in the trace")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m = must[*bnkit.Model](t)(bnkit.Fit(ctx, truth, df, learn.EM{}, &bnkit.Settings{Hidden: []string{"H"}}))
	if m.Status != learn.Interrupted || !strings.Contains(m.String(), "interrupted after 0 iterations") ||
		!strings.Contains(m.String(), "never observed: H") {
		t.Errorf("%v, printed\n%s", m.Status, m)
	}
}
