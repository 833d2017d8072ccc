package sqldata_test

import (
	"context"
	"database/sql"
	"fmt"
	"log"
	"math/rand/v2"

	"bnlab/bnkit/data"
	"bnlab/bnkit/format/bif"
	"bnlab/bnkit/sqldata"
	"bnlab/bnkit/structure"
)

// Arc strengths of a table that stays in its database: how often a row counts in a replicate follows from its number,
// and each statement counts for all replicates.
func ExampleCases_Replicates() {
	net, err := bif.ReadFile("../../testdata/networks/sprinkler.bif")
	if err != nil {
		log.Fatal(err)
	}
	rows, err := data.Sample(net, 120, rand.NewPCG(1, 0))
	if err != nil {
		log.Fatal(err)
	}
	ids := make([]int64, rows.Rows())
	for i := range ids {
		ids[i] = int64(i) + 1
	}
	db := sql.OpenDB(&fake{cases: rows, keys: ids}) // a driver that answers from memory
	defer db.Close()

	ctx := context.Background()
	cases, err := sqldata.Open(ctx, db, sqldata.PostgreSQL(), &sqldata.Options{Table: "lawns", Key: "id"})
	if err != nil {
		log.Fatal(err)
	}
	strengths, err := structure.ArcStrengths(ctx, cases, structure.BIC{}, structure.HillClimb{},
		structure.Bootstrap{Replicates: 50, Seed: 1}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(strengths)
	fmt.Println(cases.Cost())
	// Output:
	// arcs of the equivalence class in 50 replicates, BIC, hill climbing, best of 8 orders of the variables
	//   sprinkler → grass: strength 1.000, direction 0.990
	//   rain → grass: strength 1.000, direction 0.990
	//   cloudy → sprinkler: strength 1.000, direction 0.500
	//   cloudy → rain: strength 0.980, direction 0.500
	//   sprinkler → rain: strength 0.020, direction 0.500
	// 7 statements, 6 scans, 7 groupings, 29 rows (4.51 kB) fetched
}
