//go:build linux

// Package postgres holds the tests of package sqldata on PostgreSQL.
package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"bnlab/bnkit/data"
	"bnlab/bnkit/sqldata"
)

// A server is a PostgreSQL in a temporary folder, for all tests of the package.
type server struct {
	folder string
	cmd    *exec.Cmd
	skip   string // why there is none
	sent   sent
}

// sent are the statements of the last connections that were waited for, in order.
type sent struct {
	mu    sync.Mutex
	texts []string
}

func (s *sent) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.texts = append(s.texts, q.SQL)
	return ctx
}

func (s *sent) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// grouping returns the last statement that grouped rows.
func (s *sent) grouping() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, text := range slices.Backward(s.texts) {
		if strings.Contains(text, "GROUP BY") {
			return text
		}
	}
	return ""
}

var startServer = sync.OnceValue(func() *server { return newServer() })

func TestMain(m *testing.M) {
	code := m.Run()
	for _, s := range started {
		s.stop()
	}
	os.Exit(code)
}

var started []*server

// newServer makes a database cluster and serves it on a socket in its folder. PostgreSQL
// refuses to run as root, so that root runs it as the user postgres of Debian's package.
func newServer() *server {
	s := &server{}
	initdb := programme("initdb")
	if initdb == "" {
		return &server{skip: "PostgreSQL is not installed (Debian: apt-get install postgresql); initdb is neither in " +
			"PATH nor below /usr/lib/postgresql"}
	}
	var err error
	if s.folder, err = os.MkdirTemp("/tmp", "bnpg"); err != nil { // short: a socket's path has 107 bytes at most
		return &server{skip: err.Error()}
	}
	var as *syscall.Credential
	if os.Getuid() == 0 {
		u, err := user.Lookup("postgres")
		if err != nil {
			u, err = user.Lookup("nobody")
		}
		if err != nil {
			return &server{skip: "the test runs as root, and there is no other user to run PostgreSQL"}
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		as = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		if err := os.Chown(s.folder, uid, gid); err != nil {
			return &server{skip: err.Error()}
		}
	}
	command := func(name string, args ...string) *exec.Cmd {
		cmd := exec.Command(name, args...)
		cmd.Dir = s.folder
		cmd.Env = append(os.Environ(), "HOME="+s.folder, "LC_ALL=C")
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: as}
		return cmd
	}
	base := filepath.Join(s.folder, "data")
	if out, err := command(initdb, "-D", base, "-U", "test", "-A", "trust", "-E", "UTF8", "--locale=C",
		"--no-sync").CombinedOutput(); err != nil {
		s.stop()
		return &server{skip: fmt.Sprintf("initdb: %v: %s", err, out)}
	}
	s.cmd = command(filepath.Join(filepath.Dir(initdb), "postgres"), "-D", base, "-k", s.folder, "-F", "-c",
		"listen_addresses=", "-c", "log_min_messages=fatal")
	if err := s.cmd.Start(); err != nil {
		s.stop()
		return &server{skip: err.Error()}
	}
	started = append(started, s)
	return s
}

// programme finds a program of PostgreSQL, the newest below /usr/lib/postgresql first.
func programme(name string) string {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	slices.Sort(found)
	if len(found) > 0 {
		return found[len(found)-1]
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return ""
	}
	return path
}

func (s *server) stop() {
	if s.cmd != nil {
		s.cmd.Process.Signal(syscall.SIGQUIT)
		s.cmd.Wait()
	}
	os.RemoveAll(s.folder)
}

// serve starts the server again on its folder.
func (s *server) serve() error {
	again := exec.Command(s.cmd.Path, s.cmd.Args[1:]...)
	again.Dir, again.Env, again.SysProcAttr = s.cmd.Dir, s.cmd.Env, s.cmd.SysProcAttr
	s.cmd = again
	return again.Start()
}

// wait returns a connection once the server answers.
func (s *server) wait(t testing.TB) *sql.DB {
	t.Helper()
	config, err := pgx.ParseConfig("host=" + s.folder + " user=test dbname=postgres")
	if err != nil {
		t.Fatal(err)
	}
	config.Tracer = &s.sent
	db := stdlib.OpenDB(*config)
	t.Cleanup(func() { db.Close() })
	for range 1200 {
		if err = db.Ping(); err == nil {
			return db
		}
		time.Sleep(25 * time.Millisecond)
	}
	t.Fatal(err)
	return nil
}

// postgres returns a connection to a real PostgreSQL, and skips where there is none.
func postgres(t testing.TB) *sql.DB {
	t.Helper()
	s := startServer()
	if s.skip != "" {
		t.Skip(s.skip)
	}
	return s.wait(t)
}

// load writes a table of cases to a new table of the database. Cells go in as text, missing
// ones as NULL, weights to the column named weight.
func load(t testing.TB, db *sql.DB, name string, cases *data.Table) {
	t.Helper()
	var names, marks []string
	for i, c := range cases.Columns() {
		kind := "text"
		if !c.Var.IsDiscrete() {
			kind = "double precision"
		}
		if c.Var.Name == "key" {
			kind = "bigint"
		}
		names = append(names, quoted(c.Var.Name)+" "+kind)
		marks = append(marks, "unnest($"+strconv.Itoa(i+1)+"::"+kind+"[])")
	}
	weights := cases.Weights()
	if weights != nil {
		names = append(names, "weight double precision")
		marks = append(marks, "unnest($"+strconv.Itoa(len(marks)+1)+"::double precision[])")
	}
	exec := func(text string, args ...any) {
		t.Helper()
		if _, err := db.Exec(text, args...); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	exec("CREATE TABLE " + quoted(name) + " (" + strings.Join(names, ", ") + ")")
	t.Cleanup(func() { db.Exec("DROP TABLE " + quoted(name)) })
	var args []any
	for _, c := range cases.Columns() {
		cells := make([]*string, cases.Rows())
		for row := range cells {
			if !c.IsMissing(row) {
				text := c.Text(row)
				cells[row] = &text
			}
		}
		args = append(args, cells)
	}
	if weights != nil {
		args = append(args, weights)
	}
	exec("INSERT INTO "+quoted(name)+" SELECT "+strings.Join(marks, ", "), args...)
	exec("ANALYZE " + quoted(name)) // else it sorts for each grouping
}

var skip = &data.CountOptions{SkipMissing: true}

// cuts is a discretisation by one cut point.
func cuts(column string, at float64) *data.Discretization {
	return &data.Discretization{Columns: []data.Binning{{Column: column, States: []string{"low", "high"},
		Cuts: []float64{at}}}}
}

// What errors say that package sqldata does not export.
const (
	changed = "the table has changed since it was opened"
	noState = "its type cannot be a state"
)

func says(err error, part string) bool { return err != nil && strings.Contains(err.Error(), part) }

func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// dialects are those that PostgreSQL can run: its own, and it by other statements.
func dialects() map[string]sqldata.Dialect {
	apart, union, alone, many := sqldata.PostgreSQL(), sqldata.PostgreSQL(), sqldata.PostgreSQL(), sqldata.PostgreSQL()
	apart.MergeCells, apart.MaxSets = 0, 64
	union.UnionAll, union.MaxSets = true, 7
	alone.MaxSets = 1
	many.MaxSets, many.MergeCells = 3, 50
	return map[string]sqldata.Dialect{"PostgreSQL": sqldata.PostgreSQL(), "without merging": apart, "union all": union,
		"one by one": alone, "three sets": many}
}
