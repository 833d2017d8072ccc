package bnkit_test

import (
	"errors"
	"strings"
	"testing"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/learn"
)

func TestFitNoMethodNoColumn(t *testing.T) {
	df := smokers()
	net := must[*bn.Network](t)(bnkit.NewNetwork("[smoker][tar|smoker][cough|tar]", df,
		&bnkit.NetworkOptions{Hidden: map[string][]string{"tar": {"low", "high"}}}))
	if _, err := bnkit.Fit(t.Context(), net, df, nil, nil); err == nil || !strings.Contains(err.Error(), "no method") {
		t.Errorf("nil method: %v", err)
	}
	if _, err := bnkit.Fit(t.Context(), net, df, learn.ML{}, nil); !errors.Is(err, bn.ErrUnknownVariable) ||
		!strings.Contains(err.Error(), `no column "tar"`) || !strings.Contains(err.Error(), "learn.EM") {
		t.Errorf("ML: %v", err)
	}
}
