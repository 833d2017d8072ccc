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
	"bnlab/bnkit/structure"
	"bnlab/bnkit/validate"
)

// Learners are cross-validated on a table that stays in its database: the number of a patient says the fold.
func ExampleCases_Folds() {
	net, err := bif.ReadFile("../../testdata/networks/asia.bif")
	if err != nil {
		log.Fatal(err)
	}
	rows, err := data.Sample(net, 2000, rand.NewPCG(1, 0))
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
	cases, err := sqldata.Open(ctx, db, sqldata.SQLite(), &sqldata.Options{Table: "patients", Key: "id"})
	if err != nil {
		log.Fatal(err)
	}
	method := []learn.Method{learn.MAP{Pseudocount: 1}}
	cv, err := validate.CrossValidate(ctx, net, cases, "dysp", []validate.Learner{
		{Name: "ASIA", Candidates: method},
		{Name: "naive Bayes", Candidates: method, Search: structure.NaiveBayes{Class: "dysp"}},
		{Name: "climb", Candidates: method, Search: structure.HillClimb{}},
	}, &validate.Settings{Folds: 5, Seed: 1, Workers: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(cv)
	fmt.Println(cases.Cost())
	// Output:
	// 5-fold cross-validation of dysp, 2000 cases
	// learner      AUC of dysp=yes  log score (nats)  accuracy       setting
	// ASIA         0.861 ± 0.010    -0.410 ± 0.019    0.851 ± 0.007  maximum a posteriori, pseudocount 1
	// naive Bayes  0.854 ± 0.012    -0.443 ± 0.028    0.851 ± 0.007  maximum a posteriori, pseudocount 1
	// climb        0.861 ± 0.010    -0.410 ± 0.019    0.851 ± 0.007  maximum a posteriori, pseudocount 1
	// 7 statements, 13 scans, 11 groupings, 157 rows (4.94 kB) fetched
}
