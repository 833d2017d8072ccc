package bnkit_test

import (
	"strings"
	"testing"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/sqldata"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/incomplete"
	"bnlab/bnkit/validate"
)

// TestNilCases: cases that Open returned beside an error are refused as no source is, wherever a source is taken.
func TestNilCases(t *testing.T) {
	net, err := bn.New("[a]", bn.Discrete("a", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, bic := t.Context(), structure.BIC{}
	for name, do := range map[string]func(data.Source) error{
		"CrossValidate": func(src data.Source) error {
			_, err := validate.CrossValidate(ctx, net, src, "a", nil, nil)
			return err
		},
		"Learn": func(src data.Source) error { _, err := structure.Learn(ctx, src, bic, nil, nil); return err },
		"ACL": func(src data.Source) error {
			_, err := structure.ACL{Other: src}.Bind(net.Variables())
			return err
		},
		"ArcStrengths": func(src data.Source) error {
			_, err := structure.ArcStrengths(ctx, src, bic, structure.HillClimb{}, structure.Bootstrap{}, nil)
			return err
		},
		"StructuralEM": func(src data.Source) error {
			_, err := incomplete.StructuralEM{}.Learn(ctx, src, bic, nil, nil)
			return err
		},
		"Fit": func(src data.Source) error { _, err := learn.Fit(ctx, net, src, learn.ML{}, nil); return err },
		"FitSource": func(src data.Source) error {
			_, err := bnkit.FitSource(ctx, net, src, learn.ML{}, nil)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			want := do(nil)
			if want == nil {
				t.Fatal("no source is no error")
			}
			for _, src := range []data.Source{(*sqldata.Cases)(nil), (*data.Table)(nil)} {
				if err := do(src); err == nil || !strings.Contains(err.Error(), want.Error()) {
					t.Errorf("a nil %T gives %v, want %v", src, err, want)
				}
			}
		})
	}
}
