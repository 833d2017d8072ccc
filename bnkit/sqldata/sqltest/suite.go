// Package sqltest is the suite that every database passes: counts, fits, searches and cut points are those of the
// same cases in memory.
package sqltest

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer/infertest"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/sqldata"
	"bnlab/bnkit/structure"
	"bnlab/internal/numtest"
)

// A Suite says what is tested. Each test loads its cases into a table of its own.
type Suite struct {
	// Load writes cases to a table, cells as text or numbers and missing ones as NULL, weights to the column
	// "weight", a column named key as whole numbers of 64 bits, and returns options that name it. It removes the table
	// when the test ends.
	Load func(t testing.TB, cases *data.Table) *sqldata.Options
	// Open opens what was loaded.
	Open func(t testing.TB, o *sqldata.Options) *sqldata.Cases
	// NaN: the database has numbers that are not one.
	NaN bool
}

// Test runs the suite.
func (s Suite) Test(t *testing.T) {
	t.Run("counts", s.counts)
	t.Run("states", s.states)
	t.Run("cut points", s.cutPoints)
	t.Run("fits", s.fits)
	t.Run("search", s.search)
	t.Run("preview", s.preview)
	t.Run("products", s.products)
	t.Run("plan", s.plan)
	t.Run("folds", s.folds)
	t.Run("replicates", s.replicates)
}

var skip = &data.CountOptions{SkipMissing: true}

// opened loads cases and opens them with the states they have in memory.
func (s Suite) opened(t testing.TB, cases *data.Table, change func(o *sqldata.Options)) *sqldata.Cases {
	t.Helper()
	o := s.Load(t, cases)
	o.States = data.StatesOf(cases.Variables()...)
	if change != nil {
		change(o)
	}
	return s.Open(t, o)
}

func (s Suite) counts(t *testing.T) {
	plain := Sample(t, infertest.Asia(), 3000)
	for of, cases := range map[string]*data.Table{
		"complete": plain, "missing": Holed(t, plain, 0.1), "weights": Weighted(t, plain),
		"missing and weights": Weighted(t, Holed(t, plain, 0.3)), "odd names": Odd(t, plain),
	} {
		t.Run(of, func(t *testing.T) {
			c := s.opened(t, cases, nil)
			numtest.Close(t, c.TotalWeight(), cases.TotalWeight(), 0, 1e-15)
			list := Families(c.Variables())
			Same(t, c, cases, list, skip)
			Same(t, c, cases, list[:5], skip) // from what is kept
			rows, err := c.DistinctRows(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if rows.TotalWeight() != cases.TotalWeight() {
				t.Errorf("the distinct rows weigh %v, want %v", rows.TotalWeight(), cases.TotalWeight())
			}
			Same(t, rows, cases, list, skip)
		})
	}
}

// Texts that a collation takes for equal are states of their own; white space around them is none.
func (s Suite) states(t *testing.T) {
	x := bn.Discrete("x", "b", "B", "ä", "a", "é", " b ", "e")
	y := bn.Discrete("y", "2", "10", "1")
	column := func(v bn.Variable, states ...bn.State) data.Column { return data.Column{Var: v, States: states} }
	cases, err := data.New(column(x, 0, 1, 2, 3, 4, 5, 6, bn.Missing, 0), column(y, 0, 1, 2, 0, 1, 2, 0, 1, bn.Missing))
	if err != nil {
		t.Fatal(err)
	}
	c := s.Open(t, s.Load(t, cases))
	if diff := cmp.Diff([]string{"B", "a", "b", "e", "ä", "é"}, c.Variables()[0].States); diff != "" {
		t.Error(diff)
	}
	found, err := c.CountFamilies(context.Background(), []data.Family{{Child: "x"}}, skip)
	if err != nil {
		t.Fatal(err)
	}
	if want := []float64{1, 1, 3, 1, 1, 1}; !slices.Equal(found[0].N, want) || found[0].Skipped != 1 {
		t.Errorf("counts %v and %v skipped, want %v and 1", found[0].N, found[0].Skipped, want)
	}
}

// Cut points are applied as in memory: at the cuts, just beside them, beyond the ends, and to NaN.
func (s Suite) cutPoints(t *testing.T) {
	const cut = 0.1 + 0.2 // 0.30000000000000004
	values := []float64{-5, -1, math.Nextafter(-1, 0), 0, 0.3, cut, math.Nextafter(cut, 1), 1e300, -math.MaxFloat64,
		math.MaxFloat64, 5e-324}
	if s.NaN {
		values = append(values, math.NaN())
	}
	x := data.Column{Var: bn.Continuous("x"), Values: values}
	y := data.Column{Var: bn.Discrete("y", "a", "b", "c")}
	for i := range values {
		y.States = append(y.States, bn.State(i%3))
	}
	cases, err := data.New(x, y)
	if err != nil {
		t.Fatal(err)
	}
	for name, leftClosed := range map[string]bool{"right closed": false, "left closed": true} {
		t.Run(name, func(t *testing.T) {
			columns := []data.Binning{
				{Column: "x", States: []string{"low", "middle", "high", "top"}, Cuts: []float64{-1, cut, 1e300},
					LeftClosed: leftClosed},
				{Column: "x", States: []string{"out", "in"}, From: [][]string{{"low", "high", "top"}, {"middle"}}},
				{Column: "y", States: []string{"ac", "b"}, From: [][]string{{"a", "c"}, {"b"}}},
			}
			for steps := 1; steps <= len(columns); steps++ {
				applied := &data.Discretization{Columns: columns[:steps]}
				want, err := applied.Apply(cases)
				if err != nil {
					t.Fatal(err)
				}
				o := s.Load(t, cases)
				o.Discretization = applied
				c := s.Open(t, o)
				if diff := cmp.Diff(want.Variables(), c.Variables()); diff != "" {
					t.Fatal(diff)
				}
				Same(t, c, want, Families(want.Variables()), skip)
			}
		})
	}
}

func (s Suite) fits(t *testing.T) {
	net := infertest.Asia()
	plain := Sample(t, net, 3000)
	knowledge := []constraint.Constraint{
		constraint.Influence{Parent: "smoke", Child: "lung", Sign: constraint.Positive},
		constraint.ShareAcross{Var: "dysp", Given: []bn.Given{{"bronc": "yes", "either": "no"},
			{"bronc": "no", "either": "yes"}}},
	}
	hidden, err := Holed(t, plain, 0.05).Keep("asia", "smoke", "lung", "bronc", "xray", "dysp", "tub")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		cases  *data.Table
		method learn.Method
		set    learn.Settings
	}{
		{"ML", plain, learn.ML{}, learn.Settings{}},
		{"MAP with weights", Weighted(t, plain), learn.MAP{Pseudocount: 1}, learn.Settings{}},
		{"ML under statements", plain, learn.ML{Constraints: knowledge}, learn.Settings{}},
		{"ML without rows of missing cells", Holed(t, plain, 0.05), learn.ML{}, learn.Settings{SkipMissing: true}},
		{"EM", Holed(t, plain, 0.2), learn.EM{}, learn.Settings{MaxIterations: 30}},
		{"EM with a hidden variable", hidden, learn.EM{}, learn.Settings{MaxIterations: 30, Starts: 2}},
		{"EM of complete cases", plain, learn.EM{}, learn.Settings{MaxIterations: 5}},
	} {
		t.Run(test.name, func(t *testing.T) {
			set := test.set
			set.Seed = 1
			got, err := learn.Fit(t.Context(), net, s.opened(t, test.cases, nil), test.method, &set)
			if err != nil {
				t.Fatal(err)
			}
			want, err := learn.Fit(t.Context(), net, test.cases, test.method, &set)
			if err != nil {
				t.Fatal(err)
			}
			for v := range want.Net.Len() {
				for i, p := range want.Net.CPT(v).P {
					if !numtest.Close(t, got.Net.CPT(v).P[i], p, 1e-12, 1e-12) {
						t.Fatalf("entry %d of the table of %q", i, want.Net.Variable(v).Name)
					}
				}
			}
			numtest.Close(t, got.LogLikelihood, want.LogLikelihood, 0, 1e-12)
			numtest.Close(t, got.Cases, want.Cases, 0, 1e-12)
			if !slices.Equal(got.Skipped, want.Skipped) || got.Status != want.Status {
				t.Errorf("skipped %v, status %v; want %v, %v", got.Skipped, got.Status, want.Skipped, want.Status)
			}
		})
	}
}

// A hill climb asks for the same counts, so that it finds the same graph.
func (s Suite) search(t *testing.T) {
	cases := Sample(t, infertest.Asia(), 3000)
	got, err := structure.Learn(t.Context(), s.opened(t, cases, nil), structure.BIC{}, structure.HillClimb{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := structure.Learn(t.Context(), cases, structure.BIC{}, structure.HillClimb{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.DAG.String() != want.DAG.String() {
		t.Errorf("the graph is %v, want %v", got.DAG, want.DAG)
	}
	numtest.Close(t, got.Score, want.Score, 0, 1e-12)

	// From the graph that a sample led to no climb goes on.
	climb := structure.HillClimb{Orders: 1, Sample: 300}
	if got, err = structure.Learn(t.Context(), s.opened(t, cases, nil), structure.BIC{}, climb, nil); err != nil {
		t.Fatal(err)
	}
	climb.Sample = 0
	on, err := structure.Learn(t.Context(), cases, structure.BIC{}, climb,
		&structure.Settings{Rules: &structure.Rules{Start: got.DAG}})
	if err != nil {
		t.Fatal(err)
	}
	if on.Moves > 0 {
		t.Errorf("%v can be improved to %v", got, on)
	}
	numtest.Close(t, got.Score, on.Score, 0, 1e-12)
}

// A preview is of rows that are there, about as frequent as they are.
func (s Suite) preview(t *testing.T) {
	cases := Sample(t, infertest.Asia(), 4000)
	p, err := s.opened(t, cases, nil).Preview(t.Context(), 1000, 7)
	if err != nil {
		t.Fatal(err)
	}
	n, err := p.CountFamilies(t.Context(), []data.Family{{Child: "smoke"}}, nil)
	if err != nil || p.Rows() != 1000 {
		t.Fatalf("%d rows, %v", p.Rows(), err)
	}
	numtest.Close(t, n[0].N[0]/1000, 0.5, 0.08, 0) // five standard deviations
}

// Means and products are those in memory, and a search finds the same regressions; with weights, by states, and far
// from zero.
func (s Suite) products(t *testing.T) {
	net, err := bn.New("[s][x|s][m0|x][y|x:m0:s]", bn.Discrete("s", "a", "b"), bn.Continuous("x"), bn.Continuous("m0"),
		bn.Continuous("y"))
	if err != nil {
		t.Fatal(err)
	}
	for v := 1; v < net.Len(); v++ {
		g := net.Gaussian(v)
		for config := range g.Intercept {
			g.Intercept[config] = float64(config)
			if net.Variable(v).Name == "x" {
				g.Intercept[config] += 1e6
			}
			for p := range g.Weights[config] {
				g.Weights[config][p] = 0.5 + 1e-6*float64(config)
			}
		}
	}
	plain := Sample(t, net, 500)
	for of, cases := range map[string]*data.Table{"plain": plain, "weights": Weighted(t, plain)} {
		t.Run(of, func(t *testing.T) {
			o := s.Load(t, cases)
			o.Continuous = []string{"x", "m0", "y"}
			c := s.Open(t, o)
			for _, by := range [][]string{nil, {"s"}} {
				before := c.Cost().Statements
				got, err := c.Products(t.Context(), o.Continuous, by, nil)
				if err != nil {
					t.Fatal(err)
				}
				if sent := c.Cost().Statements - before; sent != 1 {
					t.Errorf("%d statements, want 1", sent)
				}
				want, err := cases.Products(t.Context(), o.Continuous, by, nil)
				if err != nil || len(got) != len(want) {
					t.Fatalf("%d configurations, want %d; %v", len(got), len(want), err)
				}
				for i := range want {
					numtest.Close(t, got[i].N, want[i].N, 0, 1e-12)
					for v, mean := range want[i].Mean {
						numtest.Close(t, got[i].Mean[v], mean, 0, 1e-12)
					}
					for at, x := range want[i].Centred {
						numtest.Close(t, got[i].Centred[at], x, 1e-6, 1e-9)
					}
				}
			}
			got, err := structure.Learn(t.Context(), c, structure.BIC{}, structure.HillClimb{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			want, err := structure.Learn(t.Context(), cases, structure.BIC{}, structure.HillClimb{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got.DAG.String() != want.DAG.String() {
				t.Errorf("the graph is %v, want %v", got.DAG, want.DAG)
			}
			numtest.Close(t, got.Score, want.Score, 1e-6, 0)
		})
	}
	apart := plain.Columns()
	apart[1].Values = slices.Clone(apart[1].Values)
	for row, state := range apart[0].States {
		apart[1].Values[row] += 1e7 * float64(state)
	}
	far, err := data.New(apart...)
	if err != nil {
		t.Fatal(err)
	}
	of := s.Load(t, far)
	of.Continuous = []string{"x", "m0", "y"}
	if _, err := s.Open(t, of).Products(t.Context(), of.Continuous, []string{"s"}, nil); err == nil ||
		!strings.Contains(err.Error(), `"x" differs`) {
		t.Errorf("groups far apart: %v", err)
	}
	holed := plain.Columns()
	holed[1].Values = slices.Clone(holed[1].Values)
	holed[1].Values[7] = math.NaN()
	cases, err := data.New(holed...)
	if err != nil {
		t.Fatal(err)
	}
	o := s.Load(t, cases)
	o.Continuous = []string{"x", "m0", "y"}
	if _, err := s.Open(t, o).Products(t.Context(), o.Continuous, nil, nil); !errors.Is(err, data.ErrMissing) {
		t.Errorf("a missing number: %v", err)
	}
}

// plan: a plan that has all rows costs what the same steps then do; on shards, whose cells it guesses, nearly.
func (s Suite) plan(t *testing.T) {
	c := s.opened(t, Sample(t, infertest.Asia(), 400), nil)
	plan, err := c.Plan(t.Context(), 400, 1)
	if err != nil {
		t.Fatal(err)
	}
	var costs [2]sqldata.Cost
	var graphs [2]string
	for i, c := range []*sqldata.Cases{plan, c} {
		before := c.Cost()
		r, err := structure.Learn(t.Context(), c, structure.BIC{}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		costs[i], graphs[i] = c.Cost(), r.String()
		costs[i].Statements -= before.Statements
		costs[i].Scans -= before.Scans
		costs[i].Groupings -= before.Groupings
		costs[i].Rows -= before.Rows
		costs[i].Bytes = 0 // numbers come as texts from some drivers
	}
	if rows := costs[1].Rows; costs[0].Rows > rows*5/4 || rows > costs[0].Rows*5/4 {
		t.Errorf("planned %v, and it took %v", costs[0], costs[1])
	}
	if took, err := c.Time(t.Context(), plan.Cost()); err != nil || took < 0 {
		t.Errorf("takes %v, %v", took, err)
	}
	costs[0].Rows, costs[1].Rows = 0, 0
	if costs[0] != costs[1] || graphs[0] != graphs[1] {
		t.Errorf("planned %v, and it took %v; graphs\n%s%s", costs[0], costs[1], graphs[0], graphs[1])
	}
}
