package sqldata_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer/infertest"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/sqldata"
	"bnlab/bnkit/sqldata/sqltest"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/validate"
)

// openKeyed opens cases of ASIA with the keys 1, 2, ….
func openKeyed(t testing.TB, rows int, o sqldata.Options) *sqldata.Cases {
	t.Helper()
	cases, err := data.Sample(infertest.Asia(), rows, rand.NewPCG(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	f := &fake{cases: cases}
	for i := range rows {
		f.keys = append(f.keys, int64(i)+1)
	}
	o.Table, o.Key = "t", "id"
	c, err := sqldata.Open(t.Context(), f.open(t), sqldata.PostgreSQL(), &o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Folds of neighbouring keys are as good as independent: by the chi-square statistic of sizes, 9 degrees of freedom,
// and of pairs of neighbours, 99; the critical values are those of one in a thousand.
func TestFoldsOfNeighbours(t *testing.T) {
	const k, n = 10, 20_000
	var sizes [k]float64
	var pairs [k][k]float64
	hash := sqltest.Hash(1, 0)
	for key := range int64(n) {
		fold := hash(2*key) % k
		sizes[fold]++
		pairs[fold][hash(2*key+1)%k]++
	}
	one, two := 0.0, 0.0
	for i := range k {
		one += (sizes[i] - n/k) * (sizes[i] - n/k) / (n / k)
		for j := range k {
			two += (pairs[i][j] - n/k/k) * (pairs[i][j] - n/k/k) / (n / k / k)
		}
	}
	if one > 27.88 || two > 148.23 {
		t.Errorf("chi-square %.1f of sizes and %.1f of pairs", one, two)
	}
}

func TestFoldsRefused(t *testing.T) {
	c := openKeyed(t, 20, sqldata.Options{})
	for want, k := range map[string]int{"1 folds; give a number from 2": 1, "have too few different keys": 200} {
		if _, _, err := c.Folds(t.Context(), k, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d folds: %v", k, err)
		}
	}
	if _, _, err := openAsia(t, 20, sqldata.PostgreSQL(), 0).Folds(t.Context(), 2, 1); err == nil ||
		!strings.Contains(err.Error(), "folds need a Key in Options") {
		t.Errorf("no key: %v", err)
	}
	cases, err := data.Sample(infertest.Asia(), 20, rand.NewPCG(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	_, err = sqldata.Open(t.Context(), (&fake{cases: cases}).open(t), sqldata.PostgreSQL(),
		&sqldata.Options{Table: "t", Key: "smoke"})
	if err == nil || !strings.Contains(err.Error(), `"smoke", in Options the Key, is of the type TEXT, not of whole`) {
		t.Errorf("a key of texts: %v", err)
	}
	_, err = sqldata.Open(t.Context(), (&fake{cases: cases}).open(t), sqldata.PostgreSQL(),
		&sqldata.Options{Table: "t", Key: "number"})
	if !errors.Is(err, bn.ErrUnknownVariable) {
		t.Errorf("no column: %v", err)
	}
	two := validate.Learner{Name: "x", Candidates: []learn.Method{learn.ML{}, learn.MAP{Pseudocount: 1}}}
	_, err = validate.CrossValidate(t.Context(), infertest.Asia(), c, "dysp", []validate.Learner{two}, nil)
	if err == nil || !strings.Contains(err.Error(), "2 candidates, and a source has no inner folds") {
		t.Errorf("two candidates: %v", err)
	}
}

// Rows are not drawn from folds.
func TestFoldsNotSampled(t *testing.T) {
	train, _, err := openKeyed(t, 20, sqldata.Options{}).Folds(t.Context(), 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	_, err = structure.Learn(t.Context(), train[0], structure.BIC{}, structure.HillClimb{Sample: 5}, nil)
	if err == nil || !strings.Contains(err.Error(), "folds that a database divides") ||
		!strings.HasSuffix(err.Error(), "leave Sample out") {
		t.Errorf("a sample of a fold: %v", err)
	}
}

// A plan says what a cross-validation costs: nearly so, as the cells are those of a sample.
func TestFoldsPlanned(t *testing.T) {
	c := openKeyed(t, 4000, sqldata.Options{})
	plan, err := c.Plan(t.Context(), 2000, 1)
	if err != nil {
		t.Fatal(err)
	}
	var costs [2]sqldata.Cost
	for i, src := range []*sqldata.Cases{plan, c} {
		costs[i] = spent(t, src, func() error {
			one := validate.Learner{Name: "MAP", Candidates: []learn.Method{learn.MAP{Pseudocount: 1}}}
			_, err := validate.CrossValidate(t.Context(), infertest.Asia(), src, "dysp", []validate.Learner{one},
				&validate.Settings{Folds: 4, Workers: 1})
			return err
		})
	}
	if p, c := costs[0], costs[1]; p.Statements != c.Statements || p.Groupings != c.Groupings || p.Rows > 2*c.Rows ||
		c.Rows > 2*p.Rows {
		t.Errorf("planned %v, and it took %v", p, c)
	}
}

// Folds are merged as much as all rows are, also where nothing bounds it.
func TestFoldsMergedWithoutBound(t *testing.T) {
	d := sqldata.PostgreSQL()
	d.MergeCells = math.MaxInt
	c, f := openShared(t, d, 60, 60, sqldata.Options{})
	train, _, err := c.Folds(t.Context(), 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	before := len(f.texts())
	if _, err := train[0].CountFamilies(t.Context(), sqltest.Families(c.Variables()), skip); err != nil {
		t.Fatal(err)
	}
	if texts := f.texts()[before:]; len(texts) != 1 || strings.Contains(texts[0], "GROUPING SETS") {
		t.Errorf("statements %q, want one for one grouping", texts)
	}
}
