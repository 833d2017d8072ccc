package drivers

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/antlr4-go/antlr/v4"
	trino "github.com/bytebase/parser/trino"

	"bnlab/bnkit/data"
	"bnlab/bnkit/sqldata"
)

// A recorder answers the two statements that open a table, keeps all, and has no answer to the others.
type recorder struct {
	types map[string]string
	sent  []string
}

var errNoAnswer = errors.New("the recorder has no answer")

func (r *recorder) Connect(context.Context) (driver.Conn, error) { return r, nil }
func (r *recorder) Driver() driver.Driver                        { return nil }
func (r *recorder) Prepare(string) (driver.Stmt, error)          { return nil, errNoAnswer }
func (r *recorder) Begin() (driver.Tx, error)                    { return nil, errNoAnswer }
func (r *recorder) Close() error                                 { return nil }

func (r *recorder) QueryContext(_ context.Context, text string, _ []driver.NamedValue) (driver.Rows, error) {
	r.sent = append(r.sent, text)
	switch {
	case strings.Contains(text, `AS "keyed"`):
		return nil, errNoAnswer
	case strings.HasPrefix(text, "SELECT *"):
		names := make([]string, 0, len(r.types))
		for name := range r.types {
			names = append(names, name)
		}
		slices.Sort(names)
		return &recorded{recorder: r, names: names}, nil
	case strings.HasPrefix(text, "SELECT COUNT(*), COUNT("):
		return &recorded{recorder: r, names: []string{"n", "m", "least", "most", "sum"},
			row: []driver.Value{int64(100), int64(100), 1.0, 1.0, 100.0}}, nil
	case strings.HasPrefix(text, `SELECT COUNT("`):
		return &recorded{recorder: r, names: []string{"n", "m"}, row: []driver.Value{int64(100), int64(100)}}, nil
	case strings.HasPrefix(text, "SELECT COUNT(*)"):
		return &recorded{recorder: r, names: []string{"n"}, row: []driver.Value{int64(100)}}, nil
	}
	return nil, errNoAnswer
}

// recorded are the columns of a table, or one row.
type recorded struct {
	*recorder
	names []string
	row   []driver.Value
}

func (r *recorded) Columns() []string                       { return r.names }
func (r *recorded) ColumnTypeDatabaseTypeName(i int) string { return r.types[r.names[i]] }

func (r *recorded) Next(dst []driver.Value) error {
	if r.row == nil {
		return io.EOF
	}
	copy(dst, r.row)
	r.row = nil
	return nil
}

// syntax collects the errors of a parser.
type syntax struct {
	*antlr.DefaultErrorListener
	wrong []string
}

func (s *syntax) SyntaxError(_ antlr.Recognizer, _ any, line, column int, what string, _ antlr.RecognitionException) {
	s.wrong = append(s.wrong, fmt.Sprintf("%d:%d %s", line, column, what))
}

// parseTrino returns what a parser of Trino's grammar has against a statement.
func parseTrino(text string) []string {
	s := &syntax{}
	lexer := trino.NewTrinoLexer(antlr.NewInputStream(text + ";"))
	lexer.RemoveErrorListeners()
	lexer.AddErrorListener(s)
	p := trino.NewTrinoParser(antlr.NewCommonTokenStream(lexer, antlr.TokenDefaultChannel))
	p.RemoveErrorListeners()
	p.AddErrorListener(s)
	p.SingleStatement()
	return s.wrong
}

// TestTrinoGrammar holds the statements of every kind against Trino's grammar, as a parser that was made from it reads
// them. No server runs here: that functions exist, and take these arguments, is not tested.
func TestTrinoGrammar(t *testing.T) {
	r := &recorder{types: map[string]string{"ill": "VARCHAR", "Größe \"µ\"": "VARCHAR(8)", "select": "BOOLEAN",
		"grade": "INTEGER", "dose": "DECIMAL(4,2)", "day": "DATE", "at": "TIMESTAMP(3) WITH TIME ZONE",
		"pulse": "DOUBLE", "w": "DOUBLE"}}
	db := sql.OpenDB(r)
	defer db.Close()
	d := &data.Discretization{Columns: []data.Binning{{Column: "dose", States: []string{"low", "high"},
		Cuts: []float64{-1.5}}}}
	for _, name := range []string{"day", "at"} {
		p, err := data.Periods{Column: name, Starts: []string{"2024-01-01", "2024-02-01"}}.Fit(nil)
		if err != nil {
			t.Fatal(err)
		}
		d.Columns = append(d.Columns, p.Columns...)
	}
	states := map[string][]string{"ill": {"no", "yes"}, "Größe \"µ\"": {"s", "l"}, "select": {"false", "true"},
		"grade": {"1", "2"}}
	apart := sqldata.Trino()
	apart.MergeCells = 0
	union := apart
	union.UnionAll = true
	for name, dialect := range map[string]sqldata.Dialect{"as it is": sqldata.Trino(), "without merging": apart,
		"union all": union} {
		for _, o := range []sqldata.Options{
			{Table: "hive.visits.cases", States: states, Weight: "w"},
			{Query: "SELECT * FROM cases WHERE grade < ? -- all", Args: []any{4}, States: states},
			{Table: "cases", States: states, Shards: []string{"a", "b"}},
			{Table: "cases"}, // the states are looked for
		} {
			o.Discretization, o.Continuous, o.Retries = d, []string{"pulse"}, -1
			if o.Weight == "" {
				o.Continuous = append(o.Continuous, "w")
			}
			c, err := sqldata.Open(t.Context(), db, dialect, &o)
			if o.States == nil {
				if !errors.Is(err, errNoAnswer) {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			few := o
			few.Columns, few.Continuous, few.States, few.Discretization = []string{"ill"}, nil,
				map[string][]string{"ill": {"no", "yes"}}, nil
			looked, err := sqldata.Open(t.Context(), db, dialect, &few)
			if err == nil {
				_, err = looked.Preview(t.Context(), 10, 1)
			}
			if !errors.Is(err, errNoAnswer) {
				t.Errorf("%s, preview: %v", name, err)
			}
			few.Key, few.Weight = "grade", ""
			keyed, err := sqldata.Open(t.Context(), db, dialect, &few)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			_, _, folds := keyed.Folds(t.Context(), 3, 1)
			_, _, drawn := keyed.Replicates(t.Context(), 3, 1)
			_, timed := keyed.Time(t.Context(), sqldata.Cost{})
			for what, err := range map[string]error{"folds": folds, "replicates": drawn, "probe": timed} {
				if !errors.Is(err, errNoAnswer) {
					t.Errorf("%s, %s: %v", name, what, err)
				}
			}
			families := []data.Family{{Child: "ill", Parents: []string{"day", "select"}}, {Child: "dose",
				Parents: []string{"Größe \"µ\"", "at"}}, {Child: "grade"}}
			_, counted := c.CountFamilies(t.Context(), families, nil)
			_, distinct := c.DistinctRows(t.Context(), "ill", "day")
			_, summed := c.Products(t.Context(), []string{"pulse"}, []string{"ill", "day"}, nil)
			for what, err := range map[string]error{"counts": counted, "rows": distinct, "products": summed} {
				if !errors.Is(err, errNoAnswer) {
					t.Errorf("%s, %s: %v", name, what, err)
				}
			}
		}
	}
	for _, text := range r.sent {
		if wrong := parseTrino(text); len(wrong) > 0 {
			t.Errorf("%s\n%s", wrong, text)
		}
	}
	kinds := strings.Join(r.sent, "\n")
	for _, part := range []string{"GROUPING SETS", "UNION ALL", "to_unixtime(", "is_nan(", "random()", "CROSS JOIN",
		"% 2147483647", " ELSE 12 END) AS", ") AS \"part\""} {
		if !strings.Contains(kinds, part) {
			t.Errorf("no statement has %s", part)
		}
	}
	if len(r.sent) < 40 {
		t.Errorf("%d statements", len(r.sent))
	}
	// What Trino does not know is refused.
	for _, text := range []string{"SELECT a FROM t LIMIT 5 x",
		"SELECT a FROM t TABLESAMPLE BERNOULLI (5) REPEATABLE (1)",
		"SELECT a::text FROM t", "SELECT COUNT(*) FROM t GROUP BY GROUPING SETS ((a), b) WITH", "SELECT `a` b c FROM t"} {
		if parseTrino(text) == nil {
			t.Errorf("%s passes", text)
		}
	}
}
