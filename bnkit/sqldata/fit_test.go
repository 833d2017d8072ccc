//go:build linux

package sqldata_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format/bif"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/sqldata"
	"bnlab/bnkit/structure"
	"bnlab/internal/datatest"
	"bnlab/internal/numtest"
)

// sameTables compares two networks of one structure.
func sameTables(t *testing.T, got, want *bn.Network) {
	t.Helper()
	for v := range want.Len() {
		for i, p := range want.CPT(v).P {
			if !numtest.Close(t, got.CPT(v).P[i], p, 1e-12, 1e-12) {
				t.Fatalf("entry %d of the table of %q", i, want.Variable(v).Name)
			}
		}
	}
}

func TestFitsAreThoseInMemory(t *testing.T) {
	net := asia(t)
	plain := sample(t, net, 5000)
	knowledge := []constraint.Constraint{
		constraint.Influence{Parent: "smoke", Child: "lung", Sign: constraint.Positive},
		constraint.ShareAcross{Var: "dysp", Given: []bn.Given{{"bronc": "yes", "either": "no"},
			{"bronc": "no", "either": "yes"}}},
	}
	tests := []struct {
		name  string
		cases *data.Table
		m     learn.Method
		set   learn.Settings
	}{
		{"ML", plain, learn.ML{}, learn.Settings{}},
		{"MAP with weights", weighted(t, plain), learn.MAP{Pseudocount: 1}, learn.Settings{}},
		{"ML under statements", plain, learn.ML{Constraints: knowledge}, learn.Settings{}},
		{"ML without rows of missing cells", holed(t, plain, 0.05), learn.ML{}, learn.Settings{SkipMissing: true}},
		{"EM", holed(t, plain, 0.2), learn.EM{}, learn.Settings{MaxIterations: 30}},
		{"EM with a hidden variable", keep(t, holed(t, plain, 0.05), "asia", "smoke", "lung", "bronc", "xray", "dysp",
			"tub"), learn.EM{}, learn.Settings{MaxIterations: 30, Starts: 2}},
		{"EM of complete cases", plain, learn.EM{}, learn.Settings{MaxIterations: 5}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := open(t, sqldata.PostgreSQL(), test.cases, nil)
			for _, src := range []data.Source{c, test.cases} {
				set := test.set
				set.Seed = 1
				got, err := learn.Fit(context.Background(), net, src, test.m, &set)
				if err != nil {
					t.Fatal(err)
				}
				want, err := learn.Fit(t.Context(), net, test.cases, test.m, &set)
				if err != nil {
					t.Fatal(err)
				}
				sameTables(t, got.Net, want.Net)
				numtest.Close(t, got.LogLikelihood, want.LogLikelihood, 0, 1e-12)
				numtest.Close(t, got.Cases, want.Cases, 0, 1e-12)
				if !slices.Equal(got.Skipped, want.Skipped) || got.Status != want.Status {
					t.Errorf("skipped %v, status %v; want %v, %v", got.Skipped, got.Status, want.Skipped, want.Status)
				}
			}
		})
	}
}

func keep(t *testing.T, cases *data.Table, names ...string) *data.Table {
	t.Helper()
	out, err := cases.Keep(names...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A hill climb asks for the same counts, so that it finds the same graph.
func TestSearchIsThatInMemory(t *testing.T) {
	cases := sample(t, asia(t), 5000)
	c := open(t, sqldata.PostgreSQL(), cases, nil)
	got, err := structure.Learn(context.Background(), c, structure.BIC{}, structure.HillClimb{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := structure.Learn(context.Background(), cases, structure.BIC{}, structure.HillClimb{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.DAG.String() != want.DAG.String() {
		t.Errorf("the graph is %v, want %v", got.DAG, want.DAG)
	}
	numtest.Close(t, got.Score, want.Score, 0, 1e-12)
	t.Logf("%v, %+v", got.DAG, c.Cost())
}

// alarm has 37 variables: GROUPING takes fewer columns than that.
func TestAlarmIsCountedByFewStatements(t *testing.T) {
	net, err := bif.ReadFile(datatest.Path(t, "networks/alarm.bif"))
	if err != nil {
		t.Fatal(err)
	}
	cases := holed(t, sample(t, net, 2000), 0.01)
	var families []data.Family
	for v := range net.Len() {
		f := data.Family{Child: net.Variable(v).Name}
		for _, parent := range net.DAG().Parents(v) {
			f.Parents = append(f.Parents, net.Variable(parent).Name)
		}
		families = append(families, f)
	}
	for name, d := range dialects() {
		t.Run(name, func(t *testing.T) {
			c := open(t, d, cases, nil)
			before := c.Cost().Statements
			opts := &data.CountOptions{SkipMissing: true}
			begin := time.Now()
			got, err := c.CountFamilies(context.Background(), families, opts)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%v, %+v", time.Since(begin), c.Cost())
			want, err := cases.CountFamilies(context.Background(), families, opts)
			if err != nil {
				t.Fatal(err)
			}
			for i := range want {
				if !slices.Equal(got[i].N, want[i].N) || got[i].Skipped != want[i].Skipped {
					t.Errorf("the counts of %v are not those in memory", families[i])
				}
			}
			statements := map[string]int{"PostgreSQL": 2, "without merging": 1}[name] // 9 groupings are left of 37
			if n := c.Cost().Statements - before; statements > 0 && n != statements {
				t.Errorf("%d statements for the families of alarm, want %d", n, statements)
			}
		})
	}
}
