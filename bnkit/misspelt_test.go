package bnkit_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

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

// yesNo is a frame of two rows.
func yesNo(columns []string) dataframe.DataFrame {
	rows := [][]string{columns, make([]string, len(columns)), make([]string, len(columns))}
	for i := range columns {
		rows[1][i], rows[2][i] = "no", "yes"
	}
	return dataframe.LoadRecords(rows)
}
