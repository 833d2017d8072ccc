package sqldata_test

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"log"

	"bnlab/bnkit/data"
	"bnlab/bnkit/sqldata"
)

// Cases are counted where they are. A driver that answers from memory stands in for the database here;
// with PostgreSQL it would be
//
//	db, err := sql.Open("pgx", "postgres://reader@host/base") // import _ "github.com/jackc/pgx/v5/stdlib"
func ExampleOpen() {
	visits, err := data.ReadCSVFile("../../testdata/oracles/clinic.csv", nil)
	if err != nil {
		log.Fatal(err)
	}
	db := sql.OpenDB(&fake{cases: visits})
	defer db.Close()

	ctx := context.Background()
	cases, err := sqldata.Open(ctx, db, sqldata.PostgreSQL(), &sqldata.Options{
		Table:   "visits",
		Columns: []string{"cold", "fever"},
		States:  map[string][]string{"fever": {"no", "low", "high"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(cases.Rows(), cases.Variables())
	counts, err := cases.CountFamilies(ctx, []data.Family{{Child: "fever", Parents: []string{"cold"}}}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(counts[0].N)
	fmt.Println(cases.Cost())
	// Output:
	// 600 [cold {no, yes} fever {no, low, high}]
	// [102 89 6 106 64 233]
	// 4 statements, 3 scans, 2 groupings, 9 rows (110 bytes) fetched
}

// The six dialects, and that of another database: one of them with other fields.
func ExampleDialect() {
	another := sqldata.PostgreSQL()
	another.Name, another.Sample, another.MaxSets = "a warehouse", nil, 16
	for _, d := range []sqldata.Dialect{sqldata.ClickHouse(), sqldata.DuckDB(), sqldata.MariaDB(),
		sqldata.PostgreSQL(), sqldata.SQLite(), sqldata.Trino(), another} {
		fmt.Printf("%s: %d groupings in a statement, samples read the whole table: %v\n", d.Name, cmp.Or(d.MaxSets, 64),
			d.Sample == nil)
	}
	// Output:
	// ClickHouse: 64 groupings in a statement, samples read the whole table: true
	// DuckDB: 64 groupings in a statement, samples read the whole table: false
	// MariaDB: 64 groupings in a statement, samples read the whole table: true
	// PostgreSQL: 8 groupings in a statement, samples read the whole table: false
	// SQLite: 64 groupings in a statement, samples read the whole table: true
	// Trino: 64 groupings in a statement, samples read the whole table: true
	// a warehouse: 16 groupings in a statement, samples read the whole table: true
}
