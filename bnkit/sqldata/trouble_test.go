package sqldata_test

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/sqldata"
	"bnlab/bnkit/sqldata/sqltest"
)

// openFake opens the fake as a PostgreSQL with all states declared: two statements.
func openFake(t *testing.T, f *fake, change func(*sqldata.Options)) *sqldata.Cases {
	t.Helper()
	o := &sqldata.Options{Table: "t", States: data.StatesOf(f.cases.Variables()...)}
	if change != nil {
		change(o)
	}
	c, err := sqldata.Open(context.Background(), f.open(t), apart(sqldata.PostgreSQL()), o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var pair = []data.Family{{Child: "a", Parents: []string{"c"}}, {Child: "c", Parents: []string{"b"}}}

var skip = &data.CountOptions{SkipMissing: true}

// A stateError is an error as PostgreSQL's drivers give it.
type stateError string

func (e stateError) Error() string    { return "server says " + string(e) }
func (e stateError) SQLState() string { return string(e) }

func TestLostConnectionsAreTriedAgain(t *testing.T) {
	for _, lost := range []error{driver.ErrBadConn, fmt.Errorf("reading: %w", io.ErrUnexpectedEOF), stateError("57P01"),
		stateError("08006"), stateError("53300"), stateError("40001")} {
		for _, within := range []bool{false, true} {
			t.Run(fmt.Sprint(lost, within), func(t *testing.T) {
				t.Parallel()
				f := &fake{cases: letters(t, 40)}
				c := openFake(t, f, nil)
				f.trouble = func(n int) (error, int, error) {
					switch {
					case n > 4:
						return nil, 0, nil
					case within:
						return nil, 3, lost // rows came before: they must not be counted twice
					}
					return lost, 0, nil
				}
				sqltest.Same(t, c, f.cases, pair, skip)
				if cost := c.Cost(); cost.Retries != 2 || cost.Statements != 5 {
					if lost != driver.ErrBadConn { // the package database/sql tries that again too
						t.Errorf("%+v, want 5 statements, 2 of them again", cost)
					}
				}
			})
		}
	}
}

// A database without the memory for two groupings at once is asked for one after the other, here and later.
func TestFewerGroupingsForLittleMemory(t *testing.T) {
	for _, said := range []error{errors.New("Out of Memory Error: could not allocate block of size 256.0 KiB"),
		errors.New("DB::Exception: Memory limit (for query) exceeded"), errors.New("EXCEEDED_LOCAL_MEMORY_LIMIT"),
		stateError("53200")} {
		f := &fake{cases: letters(t, 40)}
		c := openFake(t, f, func(o *sqldata.Options) { o.Retries = 0 }) // 0 is 2
		f.trouble = func(n int) (error, int, error) {
			if n == 3 {
				return nil, 1, said // a row came before: it must not be counted twice
			}
			return nil, 0, nil
		}
		sqltest.Same(t, c, f.cases, pair, skip)
		if cost := c.Cost(); cost.Statements != 5 {
			t.Errorf("%v: %d statements, want 2 to open, 1 that fails and 2 of a grouping each", said, cost.Statements)
		}
		sqltest.Same(t, c, f.cases, []data.Family{{Child: "a"}, {Child: "c", Parents: []string{"a", "b"}}}, skip)
		if cost := c.Cost(); cost.Statements != 6 {
			t.Errorf("%v: %d statements, want 1 more: one of two sets was not counted", said, cost.Statements)
		}
	}
	f := &fake{cases: letters(t, 40)}
	c := openFake(t, f, nil)
	f.trouble = func(n int) (error, int, error) { return errors.New("out of memory"), 0, nil }
	if _, err := c.CountFamilies(t.Context(), pair, skip); err == nil || c.Cost().Statements != 4 {
		t.Errorf("%v after %d statements, want what the database said of one grouping after 4", err,
			c.Cost().Statements)
	}
}

// Progress is called by one goroutine at a time, also when folds that were divided apart count at the same time.
func TestProgressOneAtATime(t *testing.T) {
	var now, worst atomic.Int64
	c := openKeyed(t, 40, sqldata.Options{Progress: func(int, int, sqldata.Cost) {
		if n := now.Add(1); n > worst.Load() {
			worst.Store(n)
		}
		for range 10_000 {
			runtime.Gosched()
		}
		now.Add(-1)
	}})
	sources := []data.Source{c}
	for seed := range uint64(3) {
		train, _, err := c.Folds(t.Context(), 2, seed)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, train[0])
	}
	var all sync.WaitGroup
	for _, src := range sources {
		all.Go(func() {
			if _, err := src.CountFamilies(t.Context(), []data.Family{{Child: "dysp"}}, skip); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if worst.Load() != 1 {
		t.Errorf("called by %d goroutines at once", worst.Load())
	}
}

func TestFailuresSayWhatWasDone(t *testing.T) {
	tests := []struct {
		name     string
		err      error
		retries  int
		attempts int
	}{
		{"a lost connection", io.ErrUnexpectedEOF, 1, 2},
		{"no retries", io.ErrUnexpectedEOF, -1, 1},
		{"an error of the statement", stateError("42703"), 0, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := &fake{cases: letters(t, 40)}
			c := openFake(t, f, func(o *sqldata.Options) { o.Retries = test.retries })
			f.trouble = func(int) (error, int, error) { return nil, 2, test.err }
			_, err := c.CountFamilies(context.Background(), pair, skip)
			var failed *sqldata.StatementError
			if !errors.As(err, &failed) || !errors.Is(err, test.err) {
				t.Fatalf("%v, want a StatementError of %v", err, test.err)
			}
			if failed.Attempts != test.attempts || failed.Done != 2 || !strings.Contains(failed.SQL, "GROUPING SETS") {
				t.Errorf("%+v, want %d attempts after 2 statements", failed, test.attempts)
			}
			if !strings.Contains(err.Error(), "nothing is written") {
				t.Error(err)
			}
		})
	}
}

// No time passes but when all wait.
func TestTimeoutAndCancellation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{cases: letters(t, 40)}
		d := apart(sqldata.PostgreSQL())
		d.Transient = func(error) bool { return true }
		c, err := sqldata.Open(context.Background(), f.open(t), d,
			&sqldata.Options{Table: "t", States: data.StatesOf(f.cases.Variables()...), Timeout: 20 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		f.trouble = func(int) (error, int, error) { return nil, 2, errHang }
		_, err = c.CountFamilies(context.Background(), pair, skip)
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "Timeout in Options") {
			t.Errorf("a statement that hangs: %v", err)
		}
		if n := c.Cost().Statements; n != 3 {
			t.Errorf("%d statements: one that is too slow is not sent again", n)
		}

		c = openFake(t, &fake{cases: letters(t, 40), trouble: func(n int) (error, int, error) {
			if n > 2 {
				return nil, 2, errHang
			}
			return nil, 0, nil
		}}, nil)
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(10*time.Millisecond, cancel)
		if _, err = c.CountFamilies(ctx, pair, skip); !errors.Is(err, context.Canceled) {
			t.Errorf("a done context: %v", err)
		}
		if _, err = c.CountFamilies(ctx, pair, skip); !errors.Is(err, context.Canceled) ||
			!strings.Contains(err.Error(), "not sent") {
			t.Errorf("a context that was done before: %v", err)
		}
	})
}

func TestBounds(t *testing.T) {
	f := &fake{cases: letters(t, 40)}
	c := openFake(t, f, func(o *sqldata.Options) { o.MaxRows = 9 })
	_, err := c.CountFamilies(context.Background(), pair, skip)
	if !errors.Is(err, bn.ErrTooLarge) || !strings.Contains(err.Error(), "9 rows") {
		t.Errorf("more rows than MaxRows: %v", err)
	}
	if _, err = c.DistinctRows(context.Background(), "a", "c"); err != nil {
		t.Errorf("few rows: %v", err)
	}
	c = openFake(t, f, func(o *sqldata.Options) { o.MaxStatements = 3 })
	if _, err = c.CountFamilies(context.Background(), pair, skip); err != nil {
		t.Error(err)
	}
	if _, err = c.CountFamilies(context.Background(), pair, skip); err != nil {
		t.Errorf("counts that are kept take no statement: %v", err)
	}
	if _, err = c.DistinctRows(context.Background()); !errors.Is(err, bn.ErrTooLarge) ||
		!strings.Contains(err.Error(), "MaxStatements") {
		t.Errorf("a fourth statement: %v", err)
	}
}

func TestTableThatChanges(t *testing.T) {
	f := &fake{cases: letters(t, 40)}
	c := openFake(t, f, nil)
	f.cases = letters(t, 41)
	_, err := c.CountFamilies(context.Background(), pair, skip)
	if !errors.Is(err, sqldata.ErrChanged) || !strings.Contains(err.Error(), "had 40 rows and has 41") {
		t.Errorf("a row more: %v", err)
	}
}

func TestStatesOfHidden(t *testing.T) {
	f := &fake{cases: letters(t, 40)}
	states := data.StatesOf(append(f.cases.Variables(), bn.Discrete("h", "0", "1"))...)
	c, err := sqldata.Open(t.Context(), f.open(t), sqldata.PostgreSQL(), &sqldata.Options{Table: "t", States: states,
		Hidden: []string{"h"}})
	if err != nil || len(c.Variables()) != 3 {
		t.Errorf("the lists of a network with a hidden variable: %v", err)
	}
}

func TestBadColumnsAndStates(t *testing.T) {
	tests := []struct {
		name   string
		change func(*sqldata.Options, *fake)
		is     error
		says   string
	}{
		{"no table", func(o *sqldata.Options, _ *fake) { o.Table = "" }, nil, "Table or a Query"},
		{"table and query", func(o *sqldata.Options, _ *fake) { o.Query = "SELECT 1" }, nil, "not both"},
		{"arguments of a table", func(o *sqldata.Options, _ *fake) { o.Args = []any{1} }, nil, "Args"},
		{"a query that writes", func(o *sqldata.Options, _ *fake) { o.Table, o.Query = "", "DELETE FROM t" },
			sqldata.ErrNotSelect, "DELETE"},
		{"an unknown column", func(o *sqldata.Options, _ *fake) { o.Columns = []string{"a", "z"} },
			bn.ErrUnknownVariable, `no column "z" (there are: a, b, c)`},
		{"a column twice", func(o *sqldata.Options, _ *fake) { o.Columns = []string{"a", "a"} }, bn.ErrDuplicate,
			`"a" twice`},
		{"an unknown weight", func(o *sqldata.Options, _ *fake) { o.Weight = "z" }, bn.ErrUnknownVariable,
			`no column "z"`},
		{"two columns of one name", func(o *sqldata.Options, _ *fake) { o.Names = map[string]string{"a": "b"} },
			bn.ErrDuplicate, "Names in Options"},
		{"states of no variable", func(o *sqldata.Options, _ *fake) { o.States = map[string][]string{"z": {"x"}} },
			bn.ErrUnknownVariable, `States in Options names "z"`},
		{"hidden and there", func(o *sqldata.Options, _ *fake) { o.Hidden = []string{"a"} }, nil,
			`"a" is a column, but Hidden`},
		{"states twice", func(o *sqldata.Options, _ *fake) { o.States = map[string][]string{"a": {"x", "x"}} },
			bn.ErrDuplicate, `"x" twice`},
		{"types", func(o *sqldata.Options, f *fake) { f.types = map[string]string{"a": "JSONB", "c": "TIMETZ"} },
			sqldata.ErrType, `"a" (JSONB), "c" (TIMETZ)`},
		{"too many states", func(o *sqldata.Options, _ *fake) { o.MaxStates = 1 }, bn.ErrTooLarge,
			"more than 1 different values"},
		{"a negative bound", func(o *sqldata.Options, _ *fake) { o.MaxRows = -1 }, nil, "MaxRows"},
		{"a negative time", func(o *sqldata.Options, _ *fake) { o.Timeout = -1 }, nil, "Timeout"},
		{"cut points for texts", func(o *sqldata.Options, _ *fake) { o.Discretization = cuts("a", 1) }, nil,
			"not one of numbers"},
		{"no such transactions", func(o *sqldata.Options, f *fake) { f.noTx = true }, nil, "ReadOnly of the Dialect"},
		{"a function's place", func(o *sqldata.Options, _ *fake) { o.Discretization = cuts("z", 1) },
			bn.ErrUnknownVariable, `Discretization in Options names "z"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := &fake{cases: letters(t, 40)}
			o := &sqldata.Options{Table: "t"}
			test.change(o, f)
			_, err := sqldata.Open(context.Background(), f.open(t), sqldata.PostgreSQL(), o)
			if err == nil || test.is != nil && !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("%v, want an error that says %q", err, test.says)
			}
		})
	}
	if _, err := sqldata.Open(context.Background(), nil, sqldata.PostgreSQL(),
		&sqldata.Options{Table: "t"}); err == nil {
		t.Error("no database: want an error")
	}
	if _, err := sqldata.Open(context.Background(), (&fake{cases: letters(t, 1)}).open(t), sqldata.Dialect{},
		&sqldata.Options{Table: "t"}); err == nil {
		t.Error("no dialect: want an error")
	}
	if _, err := sqldata.Open(context.Background(), (&fake{cases: letters(t, 0)}).open(t), sqldata.PostgreSQL(),
		&sqldata.Options{Table: "t"}); !errors.Is(err, data.ErrNoRows) {
		t.Errorf("no rows: %v", err)
	}
}

// cuts is a discretisation by one cut point.
func cuts(column string, at float64) *data.Discretization {
	return &data.Discretization{Columns: []data.Binning{{Column: column, States: []string{"low", "high"},
		Cuts: []float64{at}}}}
}

func TestBadFamilies(t *testing.T) {
	f := &fake{cases: letters(t, 40)}
	c := openFake(t, f, func(o *sqldata.Options) {
		o.States = map[string][]string{"a": {"x"}, "b": {"p", "q", "r"}, "c": {"no", "yes"}}
	})
	ctx := context.Background()
	_, err := c.CountFamilies(ctx, []data.Family{{Child: "a"}}, skip)
	var cell *data.ValueError
	if !errors.Is(err, bn.ErrUnknownState) || !errors.As(err, &cell) || cell.Name != "a" || cell.Value != "y" {
		t.Errorf("a state that is not declared: %v", err)
	}
	_, err = c.CountFamilies(ctx, []data.Family{{Child: "b"}}, nil)
	if !errors.Is(err, data.ErrMissing) || !errors.As(err, &cell) || cell.Name != "b" {
		t.Errorf("a missing cell: %v", err)
	}
	if _, err = c.CountFamilies(ctx, []data.Family{{Child: "b", Parents: []string{"z"}}}, skip); !errors.Is(err,
		bn.ErrUnknownVariable) {
		t.Errorf("an unknown parent: %v", err)
	}
	if _, err = c.CountFamilies(ctx, []data.Family{{Child: "b", Parents: []string{"b"}}}, skip); !errors.Is(err,
		bn.ErrDuplicate) {
		t.Errorf("a parent that is the child: %v", err)
	}
	if _, err = c.DistinctRows(ctx, "b", "b"); !errors.Is(err, bn.ErrDuplicate) {
		t.Errorf("a column twice: %v", err)
	}
	if _, err = c.DistinctRows(ctx, "z"); !errors.Is(err, bn.ErrUnknownVariable) {
		t.Errorf("an unknown column: %v", err)
	}
	if _, err = c.Preview(ctx, 0, 1); err == nil {
		t.Error("a preview of no rows: want an error")
	}
	if found, err := c.CountFamilies(ctx, nil, nil); err != nil || len(found) != 0 {
		t.Errorf("no families: %v, %v", found, err)
	}
}

// One value may be used by several goroutines, also while it tells of its progress.
func TestManyGoroutines(t *testing.T) {
	f := &fake{cases: letters(t, 40)}
	calls := 0
	var c *sqldata.Cases
	c = openFake(t, f, func(o *sqldata.Options) {
		o.CacheCells = 10
		o.Progress = func(counted, of int, cost sqldata.Cost) {
			calls++
			if counted > of || cost.Statements > c.Cost().Statements {
				t.Errorf("%d of %d, %+v", counted, of, cost)
			}
		}
	})
	families := sqltest.Families(c.Variables())
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			if _, err := c.CountFamilies(context.Background(), families[i%4:], skip); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if calls < 8 {
		t.Errorf("%d calls of Progress", calls)
	}
}
