//go:build cgo

package duckdb

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format/parquet"
)

// export writes what a query gives as a Parquet file, as another program would.
func export(t testing.TB, query, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	db := must(sql.Open("duckdb", ""))(t)
	defer db.Close()
	if _, err := db.Exec("COPY (" + query + ") TO " + literal(path) + " (FORMAT parquet)"); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

func counted(t testing.TB, s data.Source, family data.Family) []float64 {
	t.Helper()
	return must(s.CountFamilies(t.Context(), []data.Family{family}, &data.CountOptions{SkipMissing: true}))(t)[0].N
}

// TestGrownSchema reads files by date of which the later ones have a column more and wider numbers: the column is
// missing in the rows of the others, which a note says.
func TestGrownSchema(t *testing.T) {
	dir := t.TempDir()
	export(t, "SELECT 'yes' AS ill, 1::TINYINT AS grade FROM range(3)", filepath.Join(dir, "2024-01.parquet"))
	export(t, "SELECT 'no' AS ill, 2::BIGINT AS grade, 'high' AS fever FROM range(4)",
		filepath.Join(dir, "2024-02.parquet"))
	export(t, "SELECT 'no' AS ill, 1::DECIMAL(4,1) AS grade, 'none' AS fever FROM range(5)",
		filepath.Join(dir, "2024-03.parquet"))
	cases := open(t, dir, nil)
	if got := fmt.Sprint(cases.Variables()); got != "[ill {no, yes} grade {1, 2} fever {high, none}]" {
		t.Error(got)
	}
	if len(cases.Notes) != 1 || !strings.Contains(cases.Notes[0], `"fever" is in 2 of 3 files`) ||
		!strings.Contains(cases.Notes[0], "2024-01.parquet") {
		t.Errorf("notes %q", cases.Notes)
	}
	if got := counted(t, cases, data.Family{Child: "fever"}); !slices.Equal(got, []float64{4, 5}) {
		t.Errorf("counts of fever %v", got)
	}
	if got := counted(t, cases, data.Family{Child: "grade", Parents: []string{"ill"}}); !slices.Equal(got,
		[]float64{5, 4, 3, 0}) {
		t.Errorf("counts of grade %v", got)
	}
}

// TestStatesOfGrownSchema: lists of states that package parquet wrote hold for a column that only later files have.
func TestStatesOfGrownSchema(t *testing.T) {
	dir := t.TempDir()
	old := data.Column{Var: bn.Discrete("ill", "no", "yes"), States: []bn.State{0, 1}}
	fever := data.Column{Var: bn.Discrete("fever", "none", "mild", "high"), States: []bn.State{2, 0}}
	for name, cols := range map[string][]data.Column{"1.parquet": {old}, "2.parquet": {old, fever}} {
		if err := parquet.Write(filepath.Join(dir, name), must(data.New(cols...))(t)); err != nil {
			t.Fatal(err)
		}
	}
	if got := fmt.Sprint(open(t, dir, nil).Variables()); got != "[ill {no, yes} fever {none, mild, high}]" {
		t.Error(got)
	}
}

// TestPartitions reads folders named after a date, as lakes have them: the date is a column.
func TestPartitions(t *testing.T) {
	dir := t.TempDir()
	for i, day := range []string{"2024-01-31", "2024-02-01", "2024-02-02"} {
		file := filepath.Join(dir, "day="+day, "part.parquet")
		export(t, fmt.Sprintf("SELECT 'yes' AS ill FROM range(%d)", i+1), file)
	}
	export(t, "SELECT 1 AS other", filepath.Join(dir, "_temporary", "part.parquet"))
	two := data.Periods{Column: "day", Starts: []string{"2024-02-01"}, Names: []string{"before", "after"}}
	cut := must(two.Fit(nil))(t)
	for _, path := range []string{dir, filepath.Join(dir, "day=*", "*.parquet")} {
		cases := open(t, path, nil)
		if got := fmt.Sprint(cases.Variables()); got != "[ill {yes} day {2024-01-31, 2024-02-01, 2024-02-02}]" {
			t.Errorf("%s: %s", path, got)
		}
		o := &Options{}
		o.Cases.Discretization = cut
		if got := counted(t, open(t, path, o), data.Family{Child: "day"}); !slices.Equal(got, []float64{1, 5}) {
			t.Errorf("%s: counts of days %v", path, got)
		}
	}
	one := filepath.Join(dir, "day=2024-02-01", "part.parquet")
	if got := fmt.Sprint(open(t, one, nil).Variables()); got != "[ill {yes}]" {
		t.Errorf("one file: %s", got)
	}
}

// TestTimes cuts dates, times and decimals of all types in the database as in memory, at the cuts and one microsecond
// or the last digit beside them.
func TestTimes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "times.parquet")
	export(t, `SELECT DATE '2024-01-01' + (i - 30)::INT AS day,
		TIMESTAMP '2024-01-01 00:00:00' + to_microseconds(i - 30) AS at,
		TIMESTAMPTZ '2024-01-01 00:00:00+00' + to_microseconds(i - 30) AS zoned,
		(TIMESTAMP '2024-01-01 00:00:00' + to_microseconds(i - 30))::TIMESTAMP_NS AS nanos,
		(TIMESTAMP '1969-12-31 23:59:59.9' + to_milliseconds((i - 30) * 10))::TIMESTAMP_MS AS millis,
		(0.27 + i * 0.001)::DECIMAL(4,3) AS small, (0.27 + i * 0.001)::DECIMAL(18,9) AS long,
		CASE WHEN i = 7 THEN NULL ELSE (-0.03 + i * 0.001)::DECIMAL(38,20) END AS fixed,
		(90071992547409.931 + (i - 30) * 0.001)::DECIMAL(38,3) AS far
		FROM range(60) r(i)`, path)
	table := must(parquet.Read(path, nil))(t)
	var columns []data.Binning
	for _, name := range []string{"day", "at", "zoned", "nanos"} {
		three := data.Periods{Column: name, Starts: []string{"2024-01-01", "2024-01-01 00:00:00.000007"}}
		columns = append(columns, must(three.Fit(nil))(t).Columns...)
	}
	two := data.Periods{Column: "millis", Starts: []string{"1970-01-01"}}
	columns = append(columns, must(two.Fit(nil))(t).Columns...)
	for name, cuts := range map[string][]float64{"small": {0.3}, "long": {0.3}, "fixed": {-0.01, 0, 0.02},
		"far": {90071992547409.931}} {
		columns = append(columns, must(data.Cuts{Column: name, Cuts: cuts}.Fit(table))(t).Columns...)
	}
	d := &data.Discretization{Columns: columns}
	inMemory := must(d.Apply(table))(t)
	o := &Options{}
	o.Cases.Discretization = d
	cases := open(t, path, o)
	if !reflect.DeepEqual(inMemory.Variables(), cases.Variables()) {
		t.Fatalf("variables %v, want %v", cases.Variables(), inMemory.Variables())
	}
	for _, v := range inMemory.Variables() {
		for _, other := range inMemory.Variables() {
			family := data.Family{Child: v.Name, Parents: []string{other.Name}}
			if v.Name == other.Name {
				family.Parents = nil
			}
			if got, want := counted(t, cases, family), counted(t, inMemory, family); !slices.Equal(got, want) {
				t.Errorf("%v: counts %v, want %v", family, got, want)
			}
		}
	}
	// By hand: rows 0 to 29 are before the cut, 30 to 36 from it on and before the second, of all times. Floating-point
	// numbers near the far ones are 1/64 apart: the cut is …09.9375, and 0.945 is still nearest to it, which is row 44.
	for name, want := range map[string][]float64{"day": {30, 1, 29}, "at": {30, 7, 23}, "nanos": {30, 7, 23},
		"zoned": {30, 7, 23}, "millis": {40, 20}, "small": {31, 29}, "fixed": {20, 10, 20, 9}, "far": {45, 15}} {
		if got := counted(t, cases, data.Family{Child: name}); !slices.Equal(got, want) {
			t.Errorf("%s: counts %v, want %v", name, got, want)
		}
	}
}

// TestFewTimes: few different dates and times are states, in their order, in both; of many, the error names the
// remedy.
func TestFewTimes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "few.parquet")
	export(t, `SELECT DATE '2024-01-30' + (i % 3)::INT AS day,
		TIMESTAMPTZ '2024-01-31 23:00:00-02' + to_hours(i % 2) AS at, 'yes' AS one FROM range(9) r(i)`, path)
	table := must(parquet.Read(path, nil))(t)
	cases := open(t, path, nil)
	const want = "[day {2024-01-30, 2024-01-31, 2024-02-01} at {2024-02-01 01:00:00, 2024-02-01 02:00:00} one {yes}]"
	for _, got := range []string{fmt.Sprint(table.Variables()), fmt.Sprint(cases.Variables())} {
		if got != want {
			t.Errorf("variables %s, want %s", got, want)
		}
	}
	if !reflect.DeepEqual(table.Variables(), cases.Variables()) {
		t.Errorf("variables %+v, want %+v", cases.Variables(), table.Variables())
	}
	family := data.Family{Child: "day", Parents: []string{"at", "one"}}
	if got, want := counted(t, cases, family), counted(t, table, family); !slices.Equal(got, want) {
		t.Errorf("counts %v, want %v", got, want)
	}
	export(t, "SELECT DATE '2024-01-01' + i::INT AS day FROM range(21) r(i)", path)
	_, err := Open(context.Background(), path, nil)
	if err == nil || !strings.Contains(err.Error(), "21 different dates") ||
		!strings.Contains(err.Error(), "data.Periods") {
		t.Errorf("many dates: %v", err)
	}
	table = must(parquet.Read(path, nil))(t)
	if c := table.Columns()[0]; c.Var.IsDiscrete() || c.Values[0] != 1704067200 || c.Values[1] != 1704067200+86400 {
		t.Errorf("many dates in memory: %+v", c)
	}
	export(t, "SELECT CASE i WHEN 0 THEN DATE 'infinity' ELSE DATE '2024-01-01' END AS day FROM range(3) r(i)", path)
	o := &Options{}
	o.Cases.Discretization = must(data.Periods{Column: "day", Starts: []string{"2024-01-01"}}.Fit(nil))(t)
	cases, err = Open(context.Background(), path, o)
	if err == nil {
		_, err = cases.CountFamilies(t.Context(), []data.Family{{Child: "day"}}, nil)
		cases.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "infinite") {
		t.Errorf("a date without end: %v", err)
	}
}
