package infer_test

import (
	"errors"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/internal/numtest"
)

// Questions that another tool has answered wrongly, each with the place where
// that is reported (pgmpy's issues by number) and the answer by hand.
func TestElsewhereWrong(t *testing.T) {
	for _, test := range []struct {
		name     string
		model    string
		tables   string // variable: table; yes is the second state of all
		set      []string
		evidence infer.Evidence
		target   string
		want     float64
	}{
		// Evidence outside the adjustment set was dropped: 0.9 and less.
		{"3543, evidence", sprinklerModel, sprinklerTables, []string{"S"}, infer.Evidence{"R": "yes"}, "W",
			0.99},
		{"3543, no evidence", sprinklerModel, sprinklerTables, []string{"S"}, nil, "W",
			0.5*0.9 + 0.5*0.99},
		// Two interventions, one on a parent of the other: A was summed out though it is set.
		{"3543, two interventions", "[A][B|A][C|A:B]",
			"A: no yes\n0.6 0.4; B: A | no yes\nno | 0.7 0.3\nyes | 0.2 0.8; " +
				"C: A B | no yes\nyes yes | 0 1\n* * | 0.5 0.5", []string{"A", "B"}, nil, "C", 1},
		// An effect on a cause: setting C says nothing about A.
		{"1491, against the arc", "[A][B][C|A:B]", "A: no yes\n0.877 0.123; B: no yes\n0.013 0.987; " +
			"C: A B | no yes\nyes yes | 0.877 0.123\nyes no | 0.544 0.456\nno yes | 0.211 0.789\nno no | 0.013 0.987",
			[]string{"C"}, nil, "A", 0.123},
		// Two tests of one disease (Kruschke, exercise 5.1).
		{"856, positive", testsModel, testsTables, nil, infer.Evidence{"first": "yes"}, "ill",
			0.00099 / (0.00099 + 0.04995)},
		{"856, positive twice", testsModel, testsTables, nil, infer.Evidence{"first": "yes", "second": "yes"}, "ill",
			0.00099 * 0.99 / (0.00099*0.99 + 0.04995*0.05)},
		{"856, positive, negative", testsModel, testsTables, nil, infer.Evidence{"first": "yes", "second": "no"}, "ill",
			0.00099 * 0.01 / (0.00099*0.01 + 0.04995*0.95)},
		// Two methods, two answers.
		{"1166, three findings", "[A][B|A][C|A][D|A]", "A: no yes\n0.5 0.5; " +
			"B: A | no yes\nno | 0.9 0.1\nyes | 0.1 0.9; " +
			"C: A | no yes\nno | 0.9 0.1\nyes | 0.1 0.9; D: A | no yes\nno | 0.95 0.05\nyes | 0.15 0.85",
			nil, infer.Evidence{"B": "no", "C": "no", "D": "yes"}, "A", 0.0085 / (0.0085 + 0.0405)},
		// An approximation that left no probability to the sprinkler (bayespy's issue 94; Murphy's example).
		{"bayespy 94, sprinkler", sprinklerModel, sprinklerTables, nil, infer.Evidence{"W": "yes"}, "S",
			0.2781 / 0.6471},
		{"bayespy 94, rain", sprinklerModel, sprinklerTables, nil, infer.Evidence{"W": "yes"}, "R", 0.4581 / 0.6471},
	} {
		t.Run(test.name, func(t *testing.T) {
			net := written(t, test.model, test.tables)
			var do []bn.Intervention
			for _, variable := range test.set {
				do = append(do, bn.Set(variable, "yes"))
			}
			after, err := net.Do(do...)
			if err != nil {
				t.Fatal(err)
			}
			post, err := infer.Posterior(after, test.evidence, test.target)
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, post.Of(test.target)[1], test.want, 1e-15, 0)
		})
	}
}

// Evidence against a deterministic row was NaN (pgmpy's issue 1595).
func TestElsewhereNaN(t *testing.T) {
	net := written(t, "[lung][tub][either|lung:tub][dysp|either]", "lung: no yes\n0.95 0.05; tub: no yes\n0.99 0.01; "+
		"either: lung tub | no yes\nno no | 1 0\n* * | 0 1; dysp: either | no yes\nno | 0.9 0.1\nyes | 0.3 0.7")
	_, err := infer.Posterior(net, infer.Evidence{"either": "yes", "lung": "no", "tub": "no"}, "dysp")
	if !errors.Is(err, infer.ErrImpossibleEvidence) {
		t.Errorf("error %v, want ErrImpossibleEvidence", err)
	}
}

const (
	sprinklerModel  = "[C][S|C][R|C][W|S:R]"
	sprinklerTables = "C: no yes\n0.5 0.5; S: C | no yes\nno | 0.5 0.5\nyes | 0.9 0.1; " +
		"R: C | no yes\nno | 0.8 0.2\nyes | 0.2 0.8; W: S R | no yes\nno no | 1 0\nyes yes | 0.01 0.99\n* * | 0.1 0.9"
	testsModel  = "[ill][first|ill][second|ill]"
	testsTables = "ill: no yes\n0.999 0.001; first: ill | no yes\nno | 0.95 0.05\nyes | 0.01 0.99; " +
		"second: ill | no yes\nno | 0.95 0.05\nyes | 0.01 0.99"
)

// written returns a network of variables with states no and yes, its tables
// written one after the other.
func written(t *testing.T, model, tables string) *bn.Network {
	t.Helper()
	g, err := bn.ParseDAG(model)
	if err != nil {
		t.Fatal(err)
	}
	var vars []bn.Variable
	for v := range g.Len() {
		vars = append(vars, bn.Discrete(g.Name(v), "no", "yes"))
	}
	net, err := bn.New(model, vars...)
	if err != nil {
		t.Fatal(err)
	}
	for table := range strings.SplitSeq(tables, "; ") {
		name, text, _ := strings.Cut(table, ": ")
		if err := net.SetTable(name, text); err != nil {
			t.Fatal(err)
		}
	}
	return net
}
