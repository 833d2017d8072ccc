package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/sqldata"
	"bnlab/internal/say"
)

// throughSQL takes down what a database would be sent for columns, a table and states with hostile names. Nothing of
// them may be outside of quotes: with plain names the statements are the same but for what is in quotes.
func throughSQL(t *trial, net *bn.Network) error {
	dialects := []sqldata.Dialect{sqldata.PostgreSQL(), sqldata.DuckDB(), sqldata.SQLite(), sqldata.MariaDB(),
		sqldata.ClickHouse(), sqldata.Trino()}
	d := dialects[t.rng.IntN(len(dialects))]
	table := `"` + strings.ReplaceAll(name(t.rng), `"`, `""`) + `"`
	hostile, err := statements(d, table, net.Variables())
	if err != nil {
		return refused(err)
	}
	plain := make([]bn.Variable, net.Len())
	for v := range plain {
		states := []string{"s0", "s1", "s2"}[:net.Variable(v).Cardinality()]
		plain[v] = bn.Discrete("column"+string(rune('a'+v)), states...)
	}
	want, err := statements(d, `"t"`, plain)
	if err != nil {
		return err
	}
	if len(hostile) != len(want) {
		return nil // a state that means a missing cell is no state, for one; and what is sent depends on it
	}
	for i := range want {
		a, errA := unquoted(d, hostile[i])
		b, errB := unquoted(d, want[i])
		if errA != nil || errB != nil || a != b {
			return say.Errorf("%s: a statement has, outside of quotes, %q, with plain names %q: %w", d.Name, a, b,
				errors.Join(errA, errB))
		}
	}
	return nil
}

// unquoted is a statement with Q for what is in quotes, by the rules of the database.
func unquoted(d sqldata.Dialect, text string) (string, error) {
	escapes := d.Name == "ClickHouse" || d.Name == "MariaDB" // backslashes, in texts
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		q := text[i]
		if q != '\'' && q != '"' && (q != '`' || d.Name != "MariaDB") {
			b.WriteByte(q)
			continue
		}
		for i++; ; i++ {
			if i >= len(text) {
				return "", say.Errorf("a quote does not end in %q", text)
			}
			if text[i] == '\\' && escapes && (q != '`' || d.Name == "ClickHouse") {
				i++
			} else if text[i] == q {
				if i+1 < len(text) && text[i+1] == q {
					i++
					continue
				}
				break
			}
		}
		b.WriteByte('Q')
	}
	return b.String(), nil
}

// statements are those of opening a table and counting pairs of its columns.
func statements(d sqldata.Dialect, table string, vars []bn.Variable) ([]string, error) {
	r := &recorder{}
	for _, v := range vars {
		r.columns = append(r.columns, v.Name)
	}
	db := sql.OpenDB(r)
	defer db.Close()
	c, err := sqldata.Open(context.Background(), db, d, &sqldata.Options{Table: table, States: data.StatesOf(vars...),
		Retries: -1})
	if err != nil {
		return nil, err
	}
	var families []data.Family
	for i, v := range vars {
		f := data.Family{Child: v.Name}
		if i > 0 {
			f.Parents = []string{vars[i-1].Name}
		}
		families = append(families, f)
	}
	// The recorder knows no answer.
	_, err = c.CountFamilies(context.Background(), families, nil)
	return r.sent, refused(err)
}

// A recorder is a database that has some columns, ten rows, and no more to tell.
type recorder struct {
	columns, sent []string
}

var errNoMore = errors.New("no more is known")

func (r *recorder) Connect(context.Context) (driver.Conn, error) { return r, nil }
func (r *recorder) Driver() driver.Driver                        { return nil }
func (r *recorder) Prepare(string) (driver.Stmt, error)          { return nil, errNoMore }
func (r *recorder) Close() error                                 { return nil }
func (r *recorder) Begin() (driver.Tx, error)                    { return r, nil }
func (r *recorder) Commit() error                                { return nil }
func (r *recorder) Rollback() error                              { return nil }

func (r *recorder) BeginTx(context.Context, driver.TxOptions) (driver.Tx, error) { return r, nil }

func (r *recorder) ExecContext(context.Context, string, []driver.NamedValue) (driver.Result, error) {
	return driver.ResultNoRows, nil
}

func (r *recorder) QueryContext(_ context.Context, text string, _ []driver.NamedValue) (driver.Rows, error) {
	r.sent = append(r.sent, text)
	switch len(r.sent) {
	case 1:
		return &answer{columns: r.columns}, nil
	case 2:
		return &answer{columns: []string{"n"}, rows: 1}, nil
	}
	return nil, errNoMore
}

type answer struct {
	columns []string
	rows    int
}

func (a *answer) Columns() []string { return a.columns }
func (a *answer) Close() error      { return nil }

func (a *answer) Next(dst []driver.Value) error {
	if a.rows == 0 {
		return io.EOF
	}
	a.rows--
	dst[0] = int64(10)
	return nil
}

func (a *answer) ColumnTypeDatabaseTypeName(int) string { return "TEXT" }
