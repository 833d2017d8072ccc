//go:build cgo

package duckdb

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/sqldata"
)

// TestPacked: of many rows the states of texts are counted by numbers, several in one, with the counts of the same
// cases in memory; where a text is a state but for white space, a sign for a missing cell or unknown, by the texts.
func TestPacked(t *testing.T) {
	const rows, columns = 120_000, 16
	db := must(sql.Open("duckdb", ""))(t)
	defer db.Close()
	var vars []bn.Variable
	var cols []data.Column
	var selected []string
	for k := range columns {
		states := []string{"it's", ""}
		states[1] = fmt.Sprint("ß", k)
		for len(states) < 2+k {
			states = append(states, fmt.Sprint("s", len(states)))
		}
		c := data.Column{Var: bn.Discrete(fmt.Sprint("V", k), states...), States: make([]bn.State, rows)}
		for i := range rows {
			if c.States[i] = bn.State((i*(2*k+3) + i/(k+5)) % (k + 2)); k%4 == 1 && i%(17+k) == 0 {
				c.States[i] = bn.Missing
			}
		}
		value := fmt.Sprintf("(['%s'])[1 + (i * %d + i // %d) %% %d]", strings.ReplaceAll(strings.Join(states, "\x00"),
			"'", "''"), 2*k+3, k+5, k+2)
		value = strings.ReplaceAll(value, "\x00", "', '")
		if k%4 == 1 {
			value = fmt.Sprintf("CASE WHEN i %% %d = 0 THEN NULL ELSE %s END", 17+k, value)
		}
		selected = append(selected, fmt.Sprintf("%s AS V%d", value, k))
		vars, cols = append(vars, c.Var), append(cols, c)
	}
	table := must(data.New(cols...))(t)
	weights := make([]float64, rows)
	for i := range weights {
		weights[i] = float64(i % 3)
	}
	weighted := must(table.WithWeights(weights))(t)
	must(db.Exec(fmt.Sprintf("CREATE TABLE cases AS SELECT %s, CAST(i %% 3 AS DOUBLE) AS w FROM range(%d) AS r(i)",
		strings.Join(selected, ", "), rows)))(t)
	var families []data.Family
	for k := range columns {
		for u := range k {
			families = append(families, data.Family{Child: vars[k].Name, Parents: []string{vars[u].Name}})
		}
	}
	dialect := sqldata.DuckDB()
	dialect.MergeCells, dialect.MaxSets = 0, len(families)
	skip := &data.CountOptions{SkipMissing: true}
	for _, test := range []struct {
		name, from, weight string
		want               *data.Table
		statements         int // of the first call, without those that open the table
		err                error
	}{
		{"exact", "SELECT * EXCLUDE (w) FROM cases", "", table, 1, nil},
		{"weights", "SELECT * FROM cases", "w", weighted, 1, nil},
		{"white space", "SELECT * EXCLUDE (w) REPLACE (' ' || V2 AS V2) FROM cases", "", table, 2, nil},
		{"empty", "SELECT * EXCLUDE (w) REPLACE (coalesce(V1, '') AS V1) FROM cases", "", table, 2, nil},
		{"unknown", "SELECT * EXCLUDE (w) REPLACE (V3 || 'x' AS V3) FROM cases", "", table, 2, bn.ErrUnknownState},
	} {
		cases := must(sqldata.Open(t.Context(), db, dialect, &sqldata.Options{Query: test.from, Weight: test.weight,
			States: data.StatesOf(vars...)}))(t)
		before := cases.Cost().Statements
		got, err := cases.CountFamilies(t.Context(), families, skip)
		if n := cases.Cost().Statements - before; n != test.statements {
			t.Errorf("%s: %d statements, want %d", test.name, n, test.statements)
		}
		if !errors.Is(err, test.err) {
			t.Errorf("%s: %v, want %v", test.name, err, test.err)
		}
		if err != nil {
			continue
		}
		want := must(test.want.CountFamilies(t.Context(), families, skip))(t)
		for i := range want {
			if !slices.Equal(got[i].N, want[i].N) || got[i].Skipped != want[i].Skipped {
				t.Errorf("%s: counts of %v differ", test.name, families[i])
			}
		}
	}
}
