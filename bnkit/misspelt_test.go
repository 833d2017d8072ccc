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

// A column that is nearly named like a variable does not make the variable a hidden one.
func TestMisspeltColumn(t *testing.T) {
	net, err := bn.New("[cause][effect|cause][x1|cause]", bn.Discrete("cause", "no", "yes"),
		bn.Discrete("effect", "no", "yes"), bn.Discrete("x1", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name    string
		columns []string // of no, yes
		heldOut []string // nil for none
		want    string   // "" for a fit
	}{
		{"hidden", []string{"effect", "x1"}, nil, ""},
		{"renamed", []string{"effect", "cause", "tobacco"}, nil, `no column "x1" in the frame, but of no variable: ` +
			"tobacco; rename the column, or name the variable in Settings.Hidden if it is hidden"},
		{"declared and there", []string{"effect", "x1", "cause"}, nil, `"cause" is in Settings.Hidden and also a column`},
		{"hidden beside other columns", []string{"effect", "x1", "patient", "cases"}, nil, ""},
		{"another case", []string{"effect", "x1", "Cause"}, nil,
			`no column "cause" in the frame, but one named "Cause"`},
		{"a sign", []string{"effect", "x_1", "cause"}, nil, `no column "x1" in the frame, but one named "x_1"`},
		{"another letter", []string{"affect", "x1", "cause"}, nil,
			`no column "effect" in the frame, but one named "affect"`},
		{"a letter less", []string{"efect", "x1", "cause"}, nil, `one named "efect"`},
		{"a letter more", []string{"effects", "x1", "cause"}, nil, `one named "effects"`},
		{"exchanged", []string{"effcet", "x1", "cause"}, nil, `one named "effcet"`},
		{"another digit", []string{"effect", "x2", "cause"}, nil, `no column "x1" in the frame, but of no variable: x2`},
		{"nothing known", []string{"a", "b"}, nil, "none of the frame's columns (a, b) is a variable of the network " +
			"(cause, effect, x1)"},
		{"held-out with less", []string{"effect", "x1"}, []string{"effect"},
			`held-out cases: unknown variable: no column "x1"`},
		{"held-out the same", []string{"effect", "x1"}, []string{"effect", "x1"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			set := &bnkit.Settings{MaxIterations: 2}
			if !slices.Contains(tt.columns, "cause") || strings.HasPrefix(tt.name, "declared") {
				set.Hidden = []string{"cause"}
			}
			if tt.heldOut != nil {
				held := yesNo(tt.heldOut)
				set.HeldOut = &held
			}
			_, err := bnkit.Fit(t.Context(), net, yesNo(tt.columns), learn.EM{Pseudocount: 1}, set)
			switch {
			case tt.want == "" && err != nil:
				t.Error(err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("%v, want an error with %s", err, tt.want)
			}
		})
	}
}

// A variable of a knowledge file may have a column of another name: the error names that one.
func TestMisspeltColumnOfFile(t *testing.T) {
	k := parse(t, "network: \"[stage][ill|stage]\"\nvariables:\n"+
		"- {name: stage, states: [no, yes], column: UICC-stage}\n- {name: ill, states: [no, yes]}\n")
	net, err := k.Network()
	if err != nil {
		t.Fatal(err)
	}
	for column, want := range map[string]string{
		"UICC stage": `no column "UICC-stage" (of the variable "stage") in the frame, but one named "UICC stage"`,
		"tumour":     `no column "UICC-stage" (of the variable "stage") in the frame, but of no variable: tumour`,
	} {
		_, err := bnkit.Fit(t.Context(), net, yesNo([]string{column, "ill"}), learn.EM{}, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %s", err, want)
		}
	}
}

// TestVanishedColumn: a question does without the column of a variable, unless another may be its own.
func TestVanishedColumn(t *testing.T) {
	net, err := bn.New("[cause][effect|cause][x|cause]", bn.Discrete("cause", "no", "yes"),
		bn.Discrete("effect", "no", "yes"), bn.Continuous("x"))
	if err != nil {
		t.Fatal(err)
	}
	ids := series.New([]string{"Ann", "Bob"}, series.String, "patient")
	rows := series.New([]int{1, 2}, series.Int, "row")
	whole := yesNo([]string{"effect", "cause"})
	for _, test := range []struct {
		name string
		df   dataframe.DataFrame
		want string // "" for an answer
	}{
		{"not observed", whole.Drop("cause"), ""},
		{"beside names and numbers of rows", whole.Drop("cause").Mutate(ids).Mutate(rows), ""},
		{"renamed", whole.Rename("tobacco", "cause"), `no column "cause" in the frame, but "tobacco", of no ` +
			"variable, may be its own; rename it, drop it (df.Drop), or "},
		{"renamed, a number", whole.Mutate(series.New([]float64{1.5, 2}, series.Float, "weight")),
			`no column "x" in the frame, but "weight", of no variable`},
		{"renamed, a whole number", whole.Mutate(series.New([]int{3, 3}, series.Int, "age")), `no column "x"`},
		{"nearly named", whole.Rename("Cause", "cause"), `one named "Cause"`},
	} {
		_, imputed := bnkit.Impute(net, test.df, nil)
		_, identified := bnkit.Identify(bnkit.ModelOf(net), test.df)
		for verb, err := range map[string]error{"Impute": imputed, "Identify": identified} {
			if test.want == "" && err != nil && strings.Contains(err.Error(), "no column") ||
				test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("%s, %s: %v, want %q", verb, test.name, err, test.want)
			}
		}
	}
	out, err := bnkit.Impute(net, whole.Rename("tobacco", "cause"), &bnkit.ImputeSettings{Hidden: true})
	if err != nil || !slices.Contains(out.Names(), "cause") {
		t.Errorf("%v, %v", out.Names(), err)
	}
	declared := bn.Discrete("cause", "no", "yes")
	declared.Hidden = true
	if net, err = bn.New("[cause][effect|cause]", declared, bn.Discrete("effect", "no", "yes")); err != nil {
		t.Fatal(err)
	}
	if _, err := bnkit.LogScore(net, whole.Drop("cause")); err != nil {
		t.Errorf("a network that declares it: %v", err)
	}
}

// TestVanishedColumnOfSeries: so do questions about series.
func TestVanishedColumnOfSeries(t *testing.T) {
	net, err := umbrellas()
	if err != nil {
		t.Fatal(err)
	}
	rain := series.New([]string{"no", "no", "yes"}, series.String, "rain")
	renamed := twoDays().Rename("schirm", "umbrella").Mutate(rain)
	const want = `no column "umbrella" in the frame, but "schirm", of no variable, may be its own`
	_, smooth := bnkit.SmoothSeries(net, renamed, "rain")
	_, predict := bnkit.PredictSeries(net, renamed, 1, "rain")
	_, _, path := bnkit.PathSeries(net, renamed)
	for verb, err := range map[string]error{"SmoothSeries": smooth, "PredictSeries": predict, "PathSeries": path} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", verb, err, want)
		}
	}
	if _, err := bnkit.SmoothSeries(net, renamed, "umbrella"); err != nil {
		t.Errorf("the target is it: %v", err)
	}
	weekend := twoDays().Mutate(series.New([]string{"no", "no", "yes"}, series.String, "weekend"))
	fit, err := bnkit.FitSeries(t.Context(), net, weekend, learn.EM{Pseudocount: 1},
		&bnkit.Settings{Hidden: []string{"rain"}, MaxIterations: 2})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := bnkit.PathSeries(fit, weekend); err != nil {
		t.Errorf("hidden in the fit: %v", err)
	}
}

// yesNo is a frame of two rows.
func yesNo(columns []string) dataframe.DataFrame {
	rows := [][]string{columns, make([]string, len(columns)), make([]string, len(columns))}
	for i := range columns {
		rows[1][i], rows[2][i] = "no", "yes"
	}
	return dataframe.LoadRecords(rows)
}
