package bnkit_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
)

// severities has 9 patients of high severity, of whom 8 test positive, 8 of medium (4) and 12
// of low severity (3).
func severities() dataframe.DataFrame {
	text := "severity,test\n"
	for _, g := range []struct {
		severity string
		n, yes   int
	}{{"high", 9, 8}, {"medium", 8, 4}, {"low", 12, 3}} {
		text += strings.Repeat(g.severity+",yes\n", g.yes) + strings.Repeat(g.severity+",no\n", g.n-g.yes)
	}
	return dataframe.ReadCSV(strings.NewReader(text))
}

func ExampleNewNetwork_order() {
	df := severities() // a CSV with the severities high, low and medium
	rises := constraint.Influence{Parent: "severity", Child: "test"}

	net, _ := bnkit.NewNetwork("[severity][test|severity]", df, nil)
	_, err := bnkit.Check(net, rises)
	fmt.Println(strings.ReplaceAll(err.Error(), "; ", ";\n  "))

	states := map[string][]string{"severity": {"low", "medium", "high"}}
	net, _ = bnkit.NewNetwork("[severity][test|severity]", df, &bnkit.NetworkOptions{States: states})
	model, err := bnkit.Fit(context.Background(), net, df, learn.ML{Constraints: []constraint.Constraint{rises}}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	table, _ := bnkit.CPT(model.Net, "test")
	for _, row := range table.Records() {
		fmt.Println(row)
	}
	// Output:
	// bnkit: constraint: "higher states of severity make higher states of test more likely": no order declared: the states of "severity" were found as text or declared nominal, and stand as high < low < medium;
	//   declare them by NetworkOptions{States: map[string][]string{"severity": {"low", "medium", "high"}}}, in a knowledge file by {name: "severity", states: ["low", "medium", "high"]}
	// [severity test=no test=yes]
	// [low 0.750000 0.250000]
	// [medium 0.500000 0.500000]
	// [high 0.111111 0.888889]
}

// What Check refuses no other verb takes, whatever the method, and saving does not launder it.
func TestUndeclaredOrder(t *testing.T) {
	df := severities()
	rises := []constraint.Constraint{constraint.Influence{Parent: "severity", Child: "test"}}
	net := must[*bn.Network](t)(bnkit.NewNetwork("[severity][test|severity]", df, nil))
	for _, m := range []learn.Method{
		learn.ML{Constraints: rises}, learn.MAP{Pseudocount: 1, Constraints: rises}, learn.EM{Constraints: rises},
		learn.EM{Constraints: rises, ViolationWeight: 2}, learn.APN{Constraints: rises},
		learn.ExteriorPenalty{Constraints: rises},
		learn.AlternatingEM{Constraints: rises},
	} {
		if _, err := bnkit.Fit(t.Context(), net, df, m, nil); !errors.Is(err, constraint.ErrNoOrder) {
			t.Errorf("%T fits with the error %v", m, err)
		}
	}
	k := parse(t, "statements:\n- influence: {parent: severity, child: test, sign: positive}\n")
	if err := k.Check(net); !errors.Is(err, constraint.ErrNoOrder) ||
		!strings.Contains(err.Error(), `{name: "severity", states: ["low", "medium", "high"]}`) {
		t.Errorf("a knowledge file is checked with the error %v", err)
	}
	path := filepath.Join(t.TempDir(), "m.json")
	if err := bnkit.Save(path, must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.ML{}, nil))); err != nil {
		t.Fatal(err)
	}
	back := must[*bnkit.Model](t)(bnkit.Load(path))
	if _, err := bnkit.Check(back.Net, rises...); !errors.Is(err, constraint.ErrNoOrder) {
		t.Errorf("a loaded network is checked with the error %v", err)
	}
	// The audit too, of a model that another program made.
	back.Statements = rises
	if _, err := bnkit.Audit(t.Context(), back, nil); !errors.Is(err, constraint.ErrNoOrder) {
		t.Errorf("an audit ends with the error %v", err)
	}
}

// States of numbers are in order, whatever the order in the file: 10 after 9.
func TestNumbersAreOrdered(t *testing.T) {
	df := dataframe.ReadCSV(strings.NewReader("dose,cured\n10,yes\n10,yes\n9,no\n9,yes\n1,no\n1,no\n"))
	net := must[*bn.Network](t)(bnkit.NewNetwork("[dose][cured|dose]", df, nil))
	rises := constraint.Influence{Parent: "dose", Child: "cured"}
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.ML{Constraints: []constraint.Constraint{rises}},
		nil))
	if got := must[*bn.CPT](t)(m.Net.Table("cured")).P; math.Abs(got[1]) > 1e-9 || math.Abs(got[3]-.5) > 1e-9 ||
		math.Abs(got[5]-1) > 1e-9 {
		t.Errorf("P(cured | dose) = %v; want 0, 1/2, 1 at 1, 9, 10", got)
	}
}

// Two states whose names say the opposite of their letters are noted wherever a statement needs
// their order: by Check, the report of a fit, the audit.
func TestOrderIsNoted(t *testing.T) {
	df := dataframe.ReadCSV(strings.NewReader("risk,ill\nhigh,yes\nhigh,yes\nhigh,no\nlow,yes\nlow,no\nlow,no\n"))
	net := must[*bn.Network](t)(bnkit.NewNetwork("[risk][ill|risk]", df, nil))
	rises := constraint.Influence{Parent: "risk", Child: "ill"}
	const want = `high < low in "risk": "low" is taken as the higher state`
	checked := must[dataframe.DataFrame](t)(bnkit.Check(net, rises))
	if note := checked.Col("note").Records()[0]; !strings.HasPrefix(note, want) {
		t.Errorf("Check notes %q", note)
	} else if !strings.Contains(note, `if "high" is, declare them`) || !strings.Contains(note, `{"low", "high"}`) {
		t.Errorf("Check does not propose the other order: %q", note)
	}
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.ML{Constraints: []constraint.Constraint{rises}},
		nil))
	if !strings.Contains(m.String(), want) {
		t.Errorf("the report has no note:\n%s", m)
	}
	audited := must[dataframe.DataFrame](t)(bnkit.Audit(t.Context(), m, nil))
	if note := audited.Col("note").Records()[0]; !strings.Contains(note, want) {
		t.Errorf("the audit notes %q", note)
	}
	// A knowledge file declares all states, but two of them may still stand the wrong way round.
	const file = `network: "[risk][ill|risk]"
variables:
- {name: risk, states: [%s]}
- {name: ill, states: [no, yes]}
statements:
- influence: {parent: risk, child: ill, sign: positive}
`
	for states, noted := range map[string]bool{"high, low": true, "low, high": false} {
		audited := must[dataframe.DataFrame](t)(bnkit.AuditKnowledge(t.Context(), parse(t, fmt.Sprintf(file, states)),
			df, nil))
		if verdict := audited.Col("note").Records()[0]; strings.Contains(verdict, want) != noted {
			t.Errorf("states [%s]: the audit of the file says %q", states, verdict)
		}
	}
	// Of names that say no order the file's is not questioned: "never" is below "ever" since it says so.
	df = dataframe.ReadCSV(strings.NewReader("risk,ill\never,yes\never,no\nnever,no\nnever,no\n"))
	audited = must[dataframe.DataFrame](t)(bnkit.AuditKnowledge(t.Context(), parse(t, fmt.Sprintf(file, "never, ever")),
		df, nil))
	if note := audited.Col("note").Records()[0]; note != "" {
		t.Errorf("the audit of a declared order notes %q", note)
	}
}
