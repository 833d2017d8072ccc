package datasets

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

func TestReadTable(t *testing.T) {
	columns := []Column{
		ordered("answer", "", "no", "yes").coded("1", "2"),
		numeric(Integer, "age", "years", ""),
		numeric(Real, "mass", "kg", ""),
	}
	comma, blank := table{columns: columns}, table{columns: columns, blanks: true}
	header := table{columns: columns, header: true}
	tests := []struct {
		name, text string
		table      table
		want       string // records below the names, or part of the error
	}{
		{"codes", "1,30,70.5\n2,31.0,1e2\n", comma, "no 30 70.500000|yes 31 100.000000"},
		{"decimal codes and leading zeros", "1.0,0030,70.5\n", comma, "no 30 70.500000"},
		{"missing", "?,?,?\n,,\n", comma, "NaN NaN NaN|NaN NaN NaN"},
		{"blanks and empty lines", " 1 , 30, 70.5 \r\n\n2,31,71\n\n", comma, "no 30 70.500000|yes 31 71.000000"},
		{"separated by blanks", "1  30   70.5\n\n2 31 71\n", blank, "no 30 70.500000|yes 31 71.000000"},
		{"header", "answer,age,mass\n1,30,70.5\n", header, "no 30 70.500000"},
		{"other header", "answer,mass,age\n1,30,70.5\n", header, `error: line 1: column 2 is "mass", want "age"`},
		{"header without rows", "answer,age,mass\n", header, "error: no rows"},
		{"empty", "", header, "error: header: EOF"},
		{"empty, no header", "", comma, "error: no rows"},
		{"unknown state", "1,30,70.5\n\n3,30,70.5\n", comma, `error: line 3, column answer: "3" is none of ["1" "2"]`},
		{"no number", "1,thirty,70.5\n", comma, `error: line 1, column age: "thirty" is no number`},
		{"infinite", "1,30,Inf\n", comma, `error: line 1, column mass: "Inf" is no number`},
		{"NaN", "1,30,NaN\n", comma, `error: line 1, column mass: "NaN" is no number`},
		{"half a year", "1,30.5,70\n", comma, `error: line 1, column age: "30.5" is no whole number`},
		{"ragged", "1,30,70\n1,30\n", comma, "error: record on line 2: wrong number of fields"},
		{"ragged blanks", "1 30 70\n1 30\n", blank, "error: line 2: 2 cells, want 3"},
		{"open quote", "1,30,\"70\n", comma, "error: parse error on line 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			df, err := readTable(strings.NewReader(tt.text), tt.table)
			check(t, df, err, tt.want)
		})
	}
}

func TestReadPlain(t *testing.T) {
	tests := []struct{ name, text, types, want string }{
		{"kinds", "a,b,c\n1,1,x\n2,2.5,1\n", "int float string", "1 1.000000 x|2 2.500000 1"},
		{"missing", "a,b\n,x\n2,\n", "int string", "NaN x|2 NaN"},
		{"names with leading zeros", "subject\n04847\n", "string", "04847"},
		{"quoted", "a\n\"x, y\"\n", "string", "x, y"},
		{"two columns of a name", "a,a\n1,2\n", "", `error: two columns are called "a"`},
		{"header alone", "a,b\n", "", "error: no rows"},
		{"nothing", "", "", "error: header: EOF"},
		{"ragged", "a,b\n1\n", "", "error: record on line 2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			df, err := readPlain(strings.NewReader(tt.text))
			check(t, df, err, tt.want)
			if got := strings.Trim(strings.Join(typeNames(df), " "), " "); err == nil && got != tt.types {
				t.Errorf("types %s, want %s", got, tt.types)
			}
		})
	}
}

func typeNames(df dataframe.DataFrame) []string {
	var names []string
	for _, kind := range df.Types() {
		names = append(names, string(kind))
	}
	return names
}

// check compares a frame, or the error, with want.
func check(t *testing.T, df dataframe.DataFrame, err error, want string) {
	t.Helper()
	got := ""
	if err != nil {
		got = "error: " + err.Error()
	} else {
		var rows []string
		for _, row := range df.Records()[1:] {
			rows = append(rows, strings.Join(row, " "))
		}
		got = strings.Join(rows, "|")
	}
	if got != want && !(strings.HasPrefix(want, "error") && strings.HasPrefix(got, want)) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestLoadOfNoTable(t *testing.T) {
	df, err := Load("bnlearn-networks")
	if err == nil || !strings.Contains(err.Error(), "is no table") {
		t.Errorf("%v, want an error that says it is no table", err)
	}
	if df.Error() == nil {
		t.Error("the frame beside an error carries none")
	}
}

func TestSeen(t *testing.T) {
	states := map[string][]string{"age": {"young", "grown", "old"}, "absent": {"a"}}
	frame := func(values ...string) dataframe.DataFrame {
		return dataframe.New(series.New(values, series.String, "age"), series.New(make([]int, len(values)), series.Int,
			"n"))
	}
	got, err := Seen(frame("old", "NaN", "young", "old"), states)
	if err != nil || len(got) != 1 || !slices.Equal(got["age"], []string{"young", "old"}) {
		t.Errorf("Seen = %v, %v, want age: young, old", got, err)
	}
	if got, err := Seen(frame("NaN"), states); err != nil || len(got["age"]) != 0 {
		t.Errorf("all missing: %v, %v, want no state", got, err)
	}
	if _, err := Seen(frame("old", "ancient"), states); err == nil ||
		!strings.Contains(err.Error(), `row 2, column age: "ancient"`) {
		t.Errorf("unknown state: %v", err)
	}
	if _, err := Seen(dataframe.New(), states); err == nil {
		t.Error("a frame with an error: no error")
	}
}

// The trap that the package comment names: should gota mend it, the comment
// has to change.
func TestGotaForgetsMissingStrings(t *testing.T) {
	df, err := BreastCancer()
	if err != nil {
		t.Fatal(err)
	}
	if n := countTrue(df.Copy().Subset([]int{0, 1, 2}).Col("node_caps").IsNaN()); n != 0 {
		t.Errorf("%d missing in the first three rows, want 0", n)
	}
	column := df.Col("node_caps")
	if n := countTrue(column.Copy().IsNaN()); n != 8 {
		t.Errorf("Copy keeps %d marks of 8", n)
	}
	converted := series.New(column, series.String, "x")
	marks, texts := countTrue(converted.IsNaN()), 0
	for _, s := range converted.Records() {
		if s == "NaN" {
			texts++
		}
	}
	if marks != 0 || texts != 8 {
		t.Errorf("a converted series has %d marks and %d texts, want 0 and 8", marks, texts)
	}
}

func countTrue(marks []bool) int {
	n := 0
	for _, m := range marks {
		if m {
			n++
		}
	}
	return n
}
