//go:build cgo

package duckdb_test

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format/parquet"
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
