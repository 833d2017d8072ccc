package bnkit_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/learn"
)

// A weight of n counts a row n times: by hand, P(yes) is (2 + 0.5) / (2 + 0.5 + 1.5), and that of an update with the
// same rows the same.
func TestWeightColumn(t *testing.T) {
	df := dataframe.New(series.New([]string{"yes", "no", "yes"}, series.String, "rain"),
		series.New([]float64{2, 1.5, 0.5}, series.Float, "n"))
	net := must[*bn.Network](t)(bnkit.NewNetwork("[rain]", df, nil))
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.ML{}, &bnkit.Settings{Weight: "n"}))
	if got := m.Net.CPT(0).P; !slices.Equal(got, []float64{0.375, 0.625}) || m.Cases != 4 {
		t.Errorf("P = %v of %v cases", got, m.Cases)
	}
	more := must[*bnkit.Model](t)(bnkit.Update(t.Context(), m, df, &bnkit.UpdateSettings{Weight: "n"}))
	if got := more.Net.CPT(0).P; !slices.Equal(got, []float64{0.375, 0.625}) || more.Cases != 8 {
		t.Errorf("after an update: P = %v of %v cases", got, more.Cases)
	}
	for _, c := range []struct {
		weight string
		cell   float64
		want   string
	}{
		{"m", 1, `no column "m"`},
		{"rain", 1, `column "rain" is in Settings.Weight and a variable`},
		{"n", -1, `row 3, column "n", value "-1": no weight`},
	} {
		bad := df.Mutate(series.New([]float64{2, 1.5, c.cell}, series.Float, "n"))
		_, err := bnkit.Fit(t.Context(), net, bad, learn.ML{}, &bnkit.Settings{Weight: c.weight})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// The rows of the fit are not counted twice unawares; an intervention column that names nothing is refused.
func TestSameRowsTwice(t *testing.T) {
	df := yesNo([]string{"smoker", "cough"})
	for df.Nrow() < 20 {
		df = df.RBind(df)
	}
	net := must[*bn.Network](t)(bnkit.NewNetwork("[smoker][cough|smoker]", df, nil))
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.MAP{Pseudocount: 1}, nil))
	if _, err := bnkit.Update(t.Context(), m, df, nil); err == nil || !strings.Contains(err.Error(),
		"has counted these") {
		t.Errorf("the same rows: %v", err)
	}
	again := must[*bnkit.Model](t)(bnkit.Update(t.Context(), m, df, &bnkit.UpdateSettings{Again: true}))
	if again.Cases != 2*m.Cases {
		t.Errorf("%v cases, of %v", again.Cases, m.Cases)
	}
	few := df.Subset([]int{0, 1, 2})
	once := must[*bnkit.Model](t)(bnkit.Update(t.Context(), m, few, nil))
	must[*bnkit.Model](t)(bnkit.Update(t.Context(), once, few, nil)) // three rows may well be the same
	set := df.Mutate(series.New(slices.Repeat([]string{""}, df.Nrow()), series.String, "set"))
	_, err := bnkit.Fit(t.Context(), net, set, learn.ML{}, &bnkit.Settings{Intervened: "set"})
	if err == nil || !strings.Contains(err.Error(), "names no variable in any row") {
		t.Errorf("no interventions: %v", err)
	}
}
