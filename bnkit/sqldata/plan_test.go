package sqldata_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format/bif"
	"bnlab/bnkit/sqldata"
	"bnlab/bnkit/sqldata/sqltest"
	"bnlab/bnkit/structure"
)

// openAsia opens so many cases of ASIA's eight variables, one in five rows with a missing cell.
func openAsia(t testing.TB, rows int, d sqldata.Dialect, cache int) *sqldata.Cases {
	t.Helper()
	net, err := bif.ReadFile("../../testdata/networks/asia.bif")
	if err != nil {
		t.Fatal(err)
	}
	cases, err := data.Sample(net, rows, rand.NewPCG(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	columns := slices.Clone(cases.Columns())
	columns[0].States = slices.Clone(columns[0].States)
	for row := 0; row < rows; row += 5 {
		columns[0].States[row] = bn.Missing
	}
	if cases, err = data.New(columns...); err != nil {
		t.Fatal(err)
	}
	c, err := sqldata.Open(t.Context(), (&fake{cases: cases}).open(t), d, &sqldata.Options{Table: "t",
		CacheCells: cache, States: data.StatesOf(net.Variables()...)})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// spent is what do costs.
func spent(t testing.TB, c *sqldata.Cases, do func() error) sqldata.Cost {
	t.Helper()
	before := c.Cost()
	if err := do(); err != nil {
		t.Fatal(err)
	}
	after := c.Cost()
	return sqldata.Cost{Statements: after.Statements - before.Statements, Rows: after.Rows - before.Rows,
		Scans: after.Scans - before.Scans, Groupings: after.Groupings - before.Groupings,
		Bytes: after.Bytes - before.Bytes}
}

// TestPlanOfAll: a plan that has all rows costs to the byte what the same steps then do, and finds the same, for
// databases with grouping sets and without, with what is kept and without.
func TestPlanOfAll(t *testing.T) {
	narrow := sqldata.PostgreSQL()
	narrow.MergeCells, narrow.MaxSets = 8, 3
	union := narrow
	union.UnionAll = true
	for _, d := range []sqldata.Dialect{sqldata.DuckDB(), union, narrow} {
		for _, cache := range []int{0, -1} {
			c := openAsia(t, 1000, d, cache)
			plan, err := c.Plan(t.Context(), 1000, 1)
			if err != nil {
				t.Fatal(err)
			}
			var found [2]string
			var cost [2]sqldata.Cost
			for i, c := range []*sqldata.Cases{plan, c} {
				cost[i] = spent(t, c, func() error {
					r, err := structure.Learn(t.Context(), c, structure.BIC{}, structure.HillClimb{Orders: 2},
						&structure.Settings{Missing: structure.CompleteCases})
					if err != nil {
						return err
					}
					distinct, err := c.DistinctRows(t.Context(), "smoke", "asia")
					found[i] = r.String() + distinct.Hash()
					return err
				})
			}
			if cost[0] != cost[1] || cost[0].Statements < 2 {
				t.Errorf("%s, cache %d: planned %v, and it took %v", d.Name, cache, cost[0], cost[1])
			}
			if found[0] != found[1] {
				t.Errorf("the plan finds\n%s\nwant\n%s", found[0], found[1])
			}
			if d.MaxSets > 0 && d.UnionAll != (cost[0].Scans > cost[0].Statements) {
				t.Errorf("%s, with UNION ALL %v: %v", d.Name, d.UnionAll, cost[0])
			}
		}
	}
}

// TestPlanOfSample: within a factor of two.
func TestPlanOfSample(t *testing.T) {
	narrow := sqldata.PostgreSQL()
	narrow.MergeCells, narrow.MaxSets = 8, 3
	for _, test := range []struct {
		d    sqldata.Dialect
		rows int
		how  structure.HillClimb
	}{
		{narrow, 2000, structure.HillClimb{Orders: 1}},
		{narrow, 2000, structure.HillClimb{Orders: 1, Sample: 2000, Source: rand.NewPCG(2, 0)}},
		{sqldata.PostgreSQL(), 2000, structure.HillClimb{}},
		{sqldata.DuckDB(), 6000, structure.HillClimb{Orders: 1, Sample: 6000, Source: rand.NewPCG(2, 0)}},
	} {
		how := test.how
		c := openAsia(t, 15_000, test.d, 0)
		plan, err := c.Plan(t.Context(), test.rows, 1)
		if err != nil {
			t.Fatal(err)
		}
		var cost [2]sqldata.Cost
		for i, c := range []*sqldata.Cases{plan, c} {
			cost[i] = spent(t, c, func() error {
				_, err := structure.Learn(t.Context(), c, structure.BIC{}, how,
					&structure.Settings{Missing: structure.CompleteCases})
				return err
			})
		}
		t.Logf("planned %v, and it took %v", cost[0], cost[1])
		p, q := cost[0], cost[1]
		for _, pair := range [][2]int64{{int64(p.Statements), int64(q.Statements)}, {int64(p.Scans), int64(q.Scans)},
			{int64(p.Groupings), int64(q.Groupings)}, {p.Rows, q.Rows}, {p.Bytes, q.Bytes}} {
			if pair[0] > 2*pair[1] || pair[1] > 2*pair[0] {
				t.Errorf("%v: planned %v, and it took %v", how, p, q)
			}
		}
	}
}

func TestPlanRefused(t *testing.T) {
	c := openAsia(t, 1000, sqldata.PostgreSQL(), 0)
	plan, err := c.Plan(t.Context(), 50, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Plan(t.Context(), 0, 1); err == nil || !strings.Contains(err.Error(), "at least one") {
		t.Errorf("no rows: %v", err)
	}
	_, err = structure.Learn(t.Context(), plan, structure.BIC{}, structure.HillClimb{Sample: 60}, nil)
	if err == nil || !strings.Contains(err.Error(), "a plan of 50 rows has no 60 to draw; give Plan as many") {
		t.Errorf("a larger sample: %v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err = plan.CountFamilies(ctx, []data.Family{{Child: "smoke"}}, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a done context: %v", err)
	}
}

func TestCostInWords(t *testing.T) {
	for want, cost := range map[string]sqldata.Cost{
		"0 statements, 0 scans, 0 groupings, 0 rows (0 bytes) fetched": {},
		"5 statements, 3 scans, 15 groupings, 689000 rows (17.3 MB) fetched; 1 sent again": {Statements: 5, Scans: 3,
			Groupings: 15, Rows: 689_000, Bytes: 17_325_000, Retries: 1},
		"1 statement, 1 scan, 1 grouping, 1 row (1 MB) fetched":               {1, 1, 0, 1, 1, 999_950},
		"0 statements, 0 scans, 0 groupings, 5000000000 rows (80 GB) fetched": {Rows: 5e9, Bytes: 8e10},
	} {
		if got := cost.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// What a climb would cost is known from a sample, before a large table is asked.
func ExampleCases_Plan() {
	net, err := bif.ReadFile("../../testdata/networks/asia.bif")
	if err != nil {
		log.Fatal(err)
	}
	rows, err := data.Sample(net, 20_000, rand.NewPCG(1, 0))
	if err != nil {
		log.Fatal(err)
	}
	db := sql.OpenDB(&fake{cases: rows}) // a driver that answers from memory
	defer db.Close()
	ctx := context.Background()
	wide := sqldata.PostgreSQL()
	wide.MergeCells = 16 // as if these eight columns were too many for one grouping
	cases, err := sqldata.Open(ctx, db, wide, &sqldata.Options{Table: "patients"})
	if err != nil {
		log.Fatal(err)
	}
	for _, how := range []structure.HillClimb{{Orders: 1}, {Orders: 1, Sample: 2000}} {
		plan, err := cases.Plan(ctx, 2000, 1) // one statement
		if err != nil {
			log.Fatal(err)
		}
		if _, err := structure.Learn(ctx, plan, structure.BIC{}, how, nil); err != nil {
			log.Fatal(err)
		}
		fmt.Println(how)
		fmt.Println(" ", plan.Cost())
	}
	// Output:
	// hill climbing, ties broken by the order of the columns
	//   8 statements, 8 scans, 22 groupings, 265 rows (6.81 kB) fetched
	// hill climbing, ties broken by the order of the columns, in a sample of 2000 rows and then in all
	//   3 statements, 3 scans, 16 groupings, 2611 rows (47.7 kB) fetched
}

// Of so many columns that their cells cannot be numbered a plan has the rows too, as the cases have, and its folds.
func TestPlanOfManyColumns(t *testing.T) {
	var model strings.Builder
	var vars []bn.Variable
	for i := range 42 {
		name := "v" + string(rune('a'+i/26)) + string(rune('a'+i%26))
		model.WriteString("[" + name + "]")
		vars = append(vars, bn.Discrete(name, "a", "b"))
	}
	g, err := bn.ParseDAG(model.String())
	if err != nil {
		t.Fatal(err)
	}
	net, err := bn.NewNetwork(g, vars)
	if err != nil {
		t.Fatal(err)
	}
	f := &fake{cases: sqltest.Sample(t, net, 50)}
	for row := range f.cases.Rows() {
		f.keys = append(f.keys, int64(row))
	}
	c, err := sqldata.Open(t.Context(), f.open(t), sqldata.PostgreSQL(), &sqldata.Options{Table: "t", Key: "id",
		States: data.StatesOf(vars...)})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := c.Plan(t.Context(), 50, 1)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := plan.DistinctRows(t.Context())
	if err != nil || rows.TotalWeight() != 50 {
		t.Fatalf("%v, %v", rows, err)
	}
	train, test, err := plan.Folds(t.Context(), 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []data.Source{train[0], test[0]} {
		if rows, err := part.DistinctRows(t.Context()); err != nil || rows.TotalWeight() != part.TotalWeight() {
			t.Errorf("%v, %v", rows, err)
		}
	}
}
