package bnkit_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format/bif"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

func TestFitSourceIsFit(t *testing.T) {
	net, err := bif.ReadFile("../testdata/networks/asia.bif")
	if err != nil {
		t.Fatal(err)
	}
	cases, err := data.Sample(net, 1000, rand.NewPCG(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for _, m := range []learn.Method{learn.ML{}, learn.EM{}} {
		df := bnkit.Frame(cases)
		set := &bnkit.Settings{Seed: 3, MaxIterations: 20}
		got, err := bnkit.FitSource(ctx, net, cases, m, set)
		if err != nil {
			t.Fatal(err)
		}
		want, err := bnkit.Fit(ctx, net, df, m, set)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, got.LogLikelihood, want.LogLikelihood, 0, 1e-12)
		if got.DataHash != cases.Hash() || got.Seed != 3 {
			t.Errorf("hash %q, seed %d", got.DataHash, got.Seed)
		}
	}
	renamed := cases.Columns()
	renamed[2].Var.Name = "Smoke"
	misspelt, err := data.New(renamed...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bnkit.FitSource(ctx, net, misspelt, learn.EM{}, nil); !errors.Is(err, bn.ErrUnknownVariable) ||
		!strings.Contains(err.Error(), "Smoke") {
		t.Errorf("a misspelt column: %v", err)
	}
	how := &data.Discretization{Columns: []data.Binning{{Column: "smoke", States: []string{"low", "high"},
		Cuts: []float64{1}}}}
	if _, err := bnkit.FitSource(ctx, net, cases, learn.ML{}, &bnkit.Settings{Discretization: how}); err == nil ||
		!strings.Contains(err.Error(), "sqldata.Options") {
		t.Errorf("a discretisation that was not applied: %v", err)
	}
	held := bnkit.Frame(cases).Drop("asia")
	if _, err := bnkit.FitSource(ctx, net, cases, learn.EM{}, &bnkit.Settings{HeldOut: &held}); !errors.Is(err,
		bn.ErrUnknownVariable) {
		t.Errorf("held-out cases without a column: %v", err)
	}
	for name, err := range map[string]error{
		"no network": failure(bnkit.FitSource(ctx, nil, cases, learn.ML{}, nil)),
		"no source":  failure(bnkit.FitSource(ctx, net, nil, learn.ML{}, nil)),
		"no method":  failure(bnkit.FitSource(ctx, net, cases, nil, nil)),
	} {
		if err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
}

func failure(_ *bnkit.Model, err error) error { return err }
