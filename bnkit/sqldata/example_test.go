package sqldata_test

import (
	"context"
	"database/sql"
	"fmt"
	"log"
	"math/rand/v2"

	"bnlab/bnkit/data"
	"bnlab/bnkit/format/bif"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/sqldata"
)

// A network is fitted to a table of a database by one statement that counts. Here a driver that
// answers from memory stands in for the database; with PostgreSQL the first line would be
//
//	db, err := sql.Open("pgx", "postgres://reader@host/base") // import _ "github.com/jackc/pgx/v5/stdlib"
func Example() {
	net, err := bif.ReadFile("../../testdata/networks/sprinkler.bif")
	if err != nil {
		log.Fatal(err)
	}
	rows, err := data.Sample(net, 10000, rand.NewPCG(1, 0))
	if err != nil {
		log.Fatal(err)
	}
	db := sql.OpenDB(&fake{cases: rows})
	defer db.Close()

	ctx := context.Background()
	cases, err := sqldata.Open(ctx, db, sqldata.PostgreSQL(),
		&sqldata.Options{Table: "weather", States: data.StatesOf(net.Variables()...)})
	if err != nil {
		log.Fatal(err)
	}
	fit, err := learn.Fit(ctx, net, cases, learn.ML{}, nil)
	if err != nil {
		log.Fatal(err)
	}
	rain, _ := net.Index("rain")
	fmt.Printf("%.2f\n", fit.Net.CPT(rain).P)
	fmt.Println(cases.Cost())
	// Output:
	// [0.80 0.20 0.20 0.80]
	// 3 statements, 2 scans, 1 grouping, 15 rows (267 bytes) fetched
}
