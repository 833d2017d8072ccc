package notebooks_test

import (
	"context"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/nb"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/incomplete"
	"bnlab/bnkit/validate"
)

// lines are ours in docs/coming-from.md; they are compiled, not run.
func lines(ctx context.Context, f string, df dataframe.DataFrame, net *bn.Network, m *bnkit.Model, k *knowledge.File,
	learners []validate.Learner, w, b []structure.Arc) {
	_, _ = bnkit.ReadCSV(f, nil)
	_, _ = bnkit.Discretize(df, data.Quantiles{Column: "age", Bins: 3})
	_, _ = bnkit.NewNetwork("[A][B|A]", df, nil)
	_, _, _ = bnkit.ReadNetwork(f)
	_, _ = bnkit.WriteNetwork(f, m)
	_, _ = bnkit.Search(ctx, df, structure.BIC{}, nil, nil)
	_, _ = bnkit.Search(ctx, df, structure.BGe{}, nil, nil)
	_ = &bnkit.SearchSettings{Rules: &structure.Rules{Required: w, Forbidden: b}}
	_, _ = bnkit.Search(ctx, df, nil, structure.PCStable{}, nil)
	_, _ = bnkit.Search(ctx, df, nil, structure.MMHC{}, nil)
	_, _ = bnkit.Search(ctx, df, nil, structure.TAN{Class: "y"}, nil)
	_, _ = bnkit.Search(ctx, df, nil, nil, &bnkit.SearchSettings{Incomplete: &incomplete.StructuralEM{}})
	_, _, _ = bnkit.ArcStrengths(ctx, df, nil, nil, nil)
	_, _ = bnkit.Fit(ctx, net, df, learn.ML{}, nil)
	_, _ = bnkit.Fit(ctx, net, df, learn.MAP{Pseudocount: 1}, nil)
	_ = constraint.NoisyMAX{Child: "B"}
	_, _ = bnkit.WhatMatters(m, nil, "B", nil)
	_, _ = bnkit.Sensitivity(ctx, m, nil, "B", "yes", nil)
	_, _ = bnkit.Fit(ctx, net, df, learn.BDeu{EquivalentSampleSize: 10}, nil)
	_, _ = bnkit.Fit(ctx, net, df, learn.EM{}, nil)
	_ = learn.MAP{Constraints: k.Statements()}
	_, _ = bnkit.Posterior(m, infer.Evidence{"A": "no"}, "B")
	_ = infer.Evidence{"A": infer.Likelihood{"yes": 0.9, "no": 0.2}}
	_, _ = bnkit.MostProbable(m, infer.Evidence{"A": "no"}, 3)
	_, _ = bnkit.Joint(m, nil, "A", "B")
	_, _ = bnkit.Effect(ctx, m, "A", "B", nil)
	_, _ = bnkit.Predict(m, df, "B")
	_, _ = bnkit.Impute(m, df, nil)
	_, _ = bnkit.Sample(m, 1000, rand.NewPCG(1, 0))
	_, _ = bnkit.CrossValidate(ctx, net, df, "B", learners, nil)
	_, _ = net.DAG().DSeparated([]string{"A"}, []string{"B"}, []string{"C"})
	_, _ = net.DAG().MarkovBlanket("A")
	_, _ = bnkit.LogScore(m, df)
	_, _ = nb.Network(m, nil)
	nb.Explore(m, nil)
}

// TestComingFrom: each line of ours in the table stands above.
func TestComingFrom(t *testing.T) {
	_ = lines
	source, err := os.ReadFile("comingfrom_test.go")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../docs/coming-from.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(page)) {
		line = strings.ReplaceAll(strings.TrimSpace(line), `\|`, "¦")
		cells := strings.Split(line, "|")
		if len(cells) != 6 || strings.HasPrefix(line, "| to ") || strings.HasPrefix(line, "|---") {
			continue
		}
		rows++
		code := strings.Split(cells[4], "`")
		for i := 1; i < len(code); i += 2 {
			if want := strings.ReplaceAll(code[i], "¦", "|"); !strings.Contains(string(source), want) {
				t.Errorf("%s is not compiled", want)
			}
		}
	}
	if rows < 50 {
		t.Errorf("%d rows", rows)
	}
}
