//go:build cgo

package duckdb_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"bnlab/bnkit"
	"bnlab/bnkit/format/parquet"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/sqldata/duckdb"
	"bnlab/bnkit/structure"
)

// The five lines of the README: files that may be larger than memory give a graph and its
// tables. Here each err is looked at.
func Example() {
	check := func(err error) {
		if err != nil {
			log.Fatal(err)
		}
	}
	dir, err := os.MkdirTemp("", "example-*")
	check(err)
	defer os.RemoveAll(dir)
	check(os.Chdir(dir))
	check(os.Mkdir("visits", 0o777))
	for i := range 3 {
		check(parquet.Write(filepath.Join("visits", fmt.Sprintf("%d.parquet", i)), visits(1000)))
	}
	ctx := context.Background()

	cases, err := duckdb.Open(ctx, "visits/*.parquet", nil)
	check(err)
	defer cases.Close()
	found, err := structure.Learn(ctx, cases, structure.BIC{}, structure.HillClimb{}, nil)
	check(err)
	net, err := found.Network()
	check(err)
	model, err := bnkit.FitSource(ctx, net, cases, learn.MAP{Pseudocount: 1}, nil)
	check(err)

	fmt.Println(cases.Rows(), model.Net.Len())
	fmt.Println(found.DAG.Arcs())
	// Output:
	// 3000 2
	// 1
}
