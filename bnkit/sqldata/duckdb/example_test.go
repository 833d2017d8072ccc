//go:build cgo

package duckdb_test

import (
	"context"
	"database/sql"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format/parquet"
	"bnlab/bnkit/sqldata"
	"bnlab/bnkit/sqldata/duckdb"
)

// One call opens a Parquet file, however large, and it is counted where it is.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "example-*")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "visits.parquet")
	if err := parquet.Write(file, visits(1000)); err != nil {
		log.Fatal(err)
	}

	ctx := context.Background()
	cases, err := duckdb.Open(ctx, file, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer cases.Close()
	fmt.Println(cases.Rows(), cases.Variables())
	counts, err := cases.CountFamilies(ctx, []data.Family{{Child: "Fever", Parents: []string{"Flu"}}}, nil)
	if err != nil {
		log.Fatal(err)
	}
	well, flu := counts[0].N[0]+counts[0].N[1], counts[0].N[2]+counts[0].N[3]
	fmt.Println(well+flu, well > flu)
	fmt.Println(cases.Cost().Statements)
	// Output:
	// 1000 [Flu {no, yes} Fever {none, high}]
	// 1000 true
	// 3
}

// A folder of files by month, whose later ones have a column more: dates are cut into periods, and the older rows lack
// the column.
func ExampleOpen_lake() {
	dir, err := os.MkdirTemp("", "example-*")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for month, query := range map[string]string{
		"2023-12": "SELECT DATE '2023-12-01' + i::INT AS visited, 'no' AS fever FROM range(31) AS r(i)",
		"2024-01": "SELECT DATE '2024-01-01' + i::INT AS visited, 'yes' AS fever, 'low' AS oxygen FROM range(31) r(i)",
	} {
		if err := writeParquet(query, filepath.Join(dir, month+".parquet")); err != nil {
			log.Fatal(err)
		}
	}

	year := data.Periods{Column: "visited", Starts: []string{"2024-01-01"}, Names: []string{"2023", "2024"}}
	periods, err := year.Fit(nil)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	cases, err := duckdb.Open(ctx, dir, &duckdb.Options{Cases: sqldata.Options{Discretization: periods}})
	if err != nil {
		log.Fatal(err)
	}
	defer cases.Close()
	fmt.Println(cases.Variables())
	fmt.Println(cases.Notes)
	counts, err := cases.CountFamilies(ctx, []data.Family{{Child: "fever", Parents: []string{"visited"}}}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(counts[0].N)
	// Output:
	// [visited {2023, 2024} fever {no, yes} oxygen {low}]
	// [column "oxygen" is in 1 of 2 files; in the others, such as 2023-12.parquet, its cells are missing]
	// [31 0 0 31]
}

// writeParquet lets DuckDB write what a query gives, as another program would.
func writeParquet(query, file string) error {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.Exec(fmt.Sprintf("COPY (%s) TO '%s' (FORMAT parquet)", query, file))
	return err
}

// visits are made up: some have the flu, and then often a fever.
func visits(n int) *data.Table {
	net, err := bn.New("[Flu][Fever|Flu]", bn.Discrete("Flu", "no", "yes"), bn.Discrete("Fever", "none", "high"))
	if err == nil {
		err = net.SetTable("Flu", "no yes\n0.9 0.1")
	}
	if err == nil {
		err = net.SetTable("Fever", "Flu | none high\nno | 0.95 0.05\nyes | 0.3 0.7")
	}
	if err != nil {
		log.Fatal(err)
	}
	t, err := data.Sample(net, n, rand.NewPCG(1, 0))
	if err != nil {
		log.Fatal(err)
	}
	return t
}
