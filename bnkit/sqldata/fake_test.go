package sqldata_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"bnlab/bnkit/data"
)

// A fake is a driver that records statements and answers those that Cases sends from a table
// in memory, as the database of a dialect would. It knows no more of SQL than their form.
type fake struct {
	cases *data.Table
	types map[string]string // of columns; TEXT for others
	keys  []int64           // of the column id by row; nil for none
	// rolledUp is what a column holds in rows of groupings without it.
	rolledUp driver.Value
	noTx     bool
	// trouble, when not nil, may fail the n-th statement, from 1: before its first row, or
	// after some of them.
	trouble func(n int) (before error, after int, within error)

	mu   sync.Mutex
	sent []sent
	kept map[string][]int64 // sums of replicates and hashes by row, by their text
}

type sent struct {
	text     string
	args     []driver.NamedValue
	readOnly bool
}

// open returns a database of the fake.
func (f *fake) open(t testing.TB) *sql.DB {
	db := sql.OpenDB(f)
	t.Cleanup(func() { db.Close() })
	return db
}

func (f *fake) Connect(context.Context) (driver.Conn, error) { return &fakeConn{fake: f}, nil }
func (f *fake) Driver() driver.Driver                        { return nil }

func (f *fake) texts() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var list []string
	for _, s := range f.sent {
		list = append(list, s.text)
	}
	return list
}

type fakeConn struct {
	fake *fake
	tx   bool
}

func (c *fakeConn) Prepare(string) (driver.Stmt, error) { return nil, errors.New("not prepared") }
func (c *fakeConn) Close() error                        { return nil }
func (c *fakeConn) Begin() (driver.Tx, error)           { return nil, errors.New("not without context") }
func (c *fakeConn) Commit() error                       { return errors.New("nothing is to be committed") }
func (c *fakeConn) Rollback() error                     { c.tx = false; return nil }

func (c *fakeConn) BeginTx(_ context.Context, o driver.TxOptions) (driver.Tx, error) {
	if c.fake.noTx || !o.ReadOnly {
		return nil, errors.New("no such transaction")
	}
	c.tx = true
	return c, nil
}

func (c *fakeConn) ExecContext(_ context.Context, text string, _ []driver.NamedValue) (driver.Result, error) {
	switch text {
	case "BEGIN TRANSACTION READ ONLY":
		c.tx = true
	case "ROLLBACK":
		c.tx = false
	default:
		return nil, errors.New("nothing is to be executed")
	}
	return driver.ResultNoRows, nil
}

func (c *fakeConn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	f := c.fake
	f.mu.Lock()
	f.sent = append(f.sent, sent{text, args, c.tx})
	n := len(f.sent)
	f.mu.Unlock()
	var before, within error
	after := -1
	if f.trouble != nil {
		before, after, within = f.trouble(n)
	}
	if before != nil {
		return nil, before
	}
	r, err := f.answer(text)
	if err != nil {
		return nil, err
	}
	r.ctx = ctx
	if within != nil {
		r.fail, r.err = after, within
	}
	return r, nil
}

// A reply is what a statement gives.
type reply struct {
	ctx     context.Context
	columns []string
	types   []string
	rows    [][]driver.Value
	at      int
	fail    int
	err     error
}

func (r *reply) Columns() []string { return r.columns }
func (r *reply) Close() error      { return nil }
func (r *reply) ColumnTypeDatabaseTypeName(i int) string {
	if i < len(r.types) {
		return r.types[i]
	}
	return ""
}

func (r *reply) Next(dst []driver.Value) error {
	if r.err != nil && r.at >= r.fail {
		if r.err == errHang {
			<-r.ctx.Done()
			return r.ctx.Err()
		}
		return r.err
	}
	if r.at == len(r.rows) {
		return io.EOF
	}
	copy(dst, r.rows[r.at])
	r.at++
	return nil
}

// errHang stands for a server that says no more.
var errHang = errors.New("hangs")

func (f *fake) answer(text string) (*reply, error) {
	switch {
	case strings.HasSuffix(text, " WHERE 1 = 0"):
		r := &reply{}
		for _, v := range f.cases.Variables() {
			r.columns = append(r.columns, v.Name)
			kind := f.types[v.Name]
			if kind == "" {
				kind = "TEXT"
			}
			r.types = append(r.types, kind)
		}
		if f.keys != nil {
			r.columns, r.types = append(r.columns, "id"), append(r.types, "BIGINT")
		}
		return r, nil
	case strings.HasPrefix(text, "SELECT COUNT(\"id\"), COUNT(CASE WHEN "):
		n := int64(len(f.keys))
		return &reply{columns: []string{"n", "whole"}, rows: [][]driver.Value{{n, n}}}, nil
	case strings.HasPrefix(text, "SELECT COUNT(*) FROM "):
		return &reply{columns: []string{"count"}, rows: [][]driver.Value{{int64(f.cases.Rows())}}}, nil
	}
	r := &reply{}
	limit := text[strings.LastIndex(text, " LIMIT ")+len(" LIMIT "):]
	text = strings.TrimSuffix(text, " LIMIT "+limit)
	if m := drawForm.FindStringSubmatch(text); m != nil {
		return r, f.draw(r, m)
	}
	for _, part := range strings.Split(text, " UNION ALL ") {
		if err := f.groupings(r, part); err != nil {
			return nil, err
		}
	}
	if n, err := strconv.Atoi(limit); err != nil {
		return nil, err
	} else if len(r.rows) > n {
		r.rows = r.rows[:n]
	}
	return r, nil
}

var (
	drawnForm = regexp.MustCompile(`^SELECT (.*?)COUNT\(\*\) AS "n", (SUM\(.*\) AS "r\d+") FROM \(SELECT (.*) FROM ` +
		`\(SELECT (.*) FROM \S+(?: OFFSET 0)?\) AS "keyed"(?: OFFSET 0)?\) AS "cases"( GROUP BY .*)?$`)
	statementForm = regexp.MustCompile(
		`^SELECT (.*), COUNT\(\*\) AS "n" FROM \(SELECT (.*) FROM (.*)\) AS "cases" GROUP BY (.*)$`)
	columnForm   = regexp.MustCompile(`"([a-z]+)"(?: COLLATE BINARY)? AS "(c\d+)"`)
	groupingForm = regexp.MustCompile(`^GROUPING\(([^)]*)\) AS "g\d+"(, )?`)
	numberForm   = regexp.MustCompile(`^(\d+) AS "g0", `)
	drawForm     = regexp.MustCompile(
		`^SELECT ([^()]*) FROM \S+(?: TABLESAMPLE BERNOULLI \((\S+)(?: PERCENT)?\) REPEATABLE \((\d+)\)| WHERE .* < (\S+))?$`)
)

// draw answers a SELECT of rows drawn at random.
func (f *fake) draw(r *reply, m []string) error {
	share, seed := 1.0, uint64(0)
	if m[2] != "" {
		percent, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			return err
		}
		share = percent / 100
		if seed, err = strconv.ParseUint(m[3], 10, 64); err != nil {
			return err
		}
	} else if m[4] != "" {
		var err error
		if share, err = strconv.ParseFloat(m[4], 64); err != nil {
			return err
		}
	}
	var columns []data.Column
	for _, c := range columnForm.FindAllStringSubmatch(m[1], -1) {
		col, err := f.cases.Column(c[1])
		if err != nil {
			return err
		}
		columns = append(columns, col)
	}
	r.columns = make([]string, len(columns))
	random := rand.New(rand.NewPCG(seed, 0))
	for row := range f.cases.Rows() {
		if random.Float64() >= share {
			continue
		}
		values := make([]driver.Value, len(columns))
		for i, col := range columns {
			if !col.IsMissing(row) {
				values[i] = col.Text(row)
			}
		}
		r.rows = append(r.rows, values)
	}
	return nil
}

// key is the column of keys.
func (f *fake) key(row int) func(name string) (int64, bool) {
	return func(name string) (int64, bool) {
		if name != "id" {
			return 0, false
		}
		return f.keys[row], true
	}
}

// groupings answers one SELECT … GROUP BY.
func (f *fake) groupings(r *reply, text string) error {
	if m := drawnForm.FindStringSubmatch(text); m != nil {
		return f.drawn(r, m)
	}
	m := statementForm.FindStringSubmatch(text)
	if m == nil {
		return fmt.Errorf("not the form of a statement: %s", text)
	}
	name := make(map[string]string)
	for _, c := range columnForm.FindAllStringSubmatch(m[2], -1) {
		name[c[2]] = c[1]
	}
	inner := aliased(m[2])
	list := func(s string) []string {
		var out []string
		for _, c := range strings.Split(s, ", ") {
			if c != "" {
				out = append(out, strings.Trim(c, `"`))
			}
		}
		return out
	}
	var tags [][]string
	output := m[1]
	for g := groupingForm.FindStringSubmatch(output); g != nil; g = groupingForm.FindStringSubmatch(output) {
		tags = append(tags, list(g[1]))
		output = output[len(g[0]):]
	}
	var number []driver.Value
	if g := numberForm.FindStringSubmatch(output); g != nil {
		n, _ := strconv.ParseInt(g[1], 10, 64)
		number = []driver.Value{n}
		output = output[len(g[0]):]
	}
	sets := [][]string{list(m[4])}
	if s, ok := strings.CutPrefix(m[4], "GROUPING SETS ("); ok {
		sets = nil
		for _, set := range strings.Split(strings.TrimSuffix(s, ")"), "), (") {
			sets = append(sets, list(strings.Trim(set, "()")))
		}
	}
	columns := list(output)
	r.columns = make([]string, len(tags)+len(number)+len(columns)+1)
	for _, set := range sets {
		counts := make(map[string]int64)
		groups := make(map[string][]driver.Value)
		for row := range f.cases.Rows() {
			group := slices.Clone(number)
			for _, part := range tags {
				bits := int64(0)
				for _, c := range part {
					bits <<= 1
					if !slices.Contains(set, c) {
						bits++
					}
				}
				group = append(group, bits)
			}
			for _, c := range columns {
				switch {
				case c == "NULL":
					group = append(group, nil)
				case !slices.Contains(set, c):
					group = append(group, f.rolledUp)
				case name[c] == "":
					n, err := evaluate(inner[c], f.key(row))
					if err != nil {
						return err
					}
					group = append(group, n)
				default:
					col, err := f.cases.Column(name[c])
					if err != nil {
						return err
					}
					var value driver.Value
					if !col.IsMissing(row) {
						value = col.Text(row)
					}
					group = append(group, value)
				}
			}
			key := fmt.Sprintf("%q", group)
			counts[key]++
			groups[key] = group
		}
		for key, group := range groups { // in any order, as databases do
			r.rows = append(r.rows, append(group, counts[key]))
		}
	}
	return nil
}
