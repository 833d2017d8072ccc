//go:build linux

package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"bnlab/bnkit/data"
	"bnlab/bnkit/infer/infertest"
	"bnlab/bnkit/sqldata"
	"bnlab/bnkit/sqldata/sqltest"
	"bnlab/bnkit/structure"
)

// A cluster is a coordinator, which has no rows, and four servers that have them: tables are partitioned by hash,
// each partition a foreign table of postgres_fdw.
type cluster struct {
	db     *sql.DB // the coordinator
	lead   *server // which is the coordinator
	shards []*server
	at     []*sql.DB    // by shard
	bytes  atomic.Int64 // between the coordinator and the shards
	tables int
}

const shardCount = 4

// newShards starts a cluster of four.
func newShards(t *testing.T) *cluster { return startShards(t, shardCount) }

// startShards starts a cluster. It skips where there is no PostgreSQL, or no postgres_fdw.
func startShards(t *testing.T, shards int) *cluster {
	t.Helper()
	if testing.Short() {
		t.Skip("starts five servers")
	}
	c := &cluster{lead: newCluster(t)}
	c.db = c.lead.wait(t)
	if _, err := c.db.Exec("CREATE EXTENSION postgres_fdw"); err != nil {
		t.Skipf("PostgreSQL has no postgres_fdw: %v", err)
	}
	for i := range shards {
		s := newCluster(t)
		c.shards, c.at = append(c.shards, s), append(c.at, s.wait(t))
		command(t, c.db, fmt.Sprintf("CREATE SERVER shard%d FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '%s', "+
			"dbname 'postgres', async_capable 'true')", i, c.counted(t, s.folder)))
		command(t, c.db, fmt.Sprintf("CREATE USER MAPPING FOR test SERVER shard%d OPTIONS (user 'test')", i))
	}
	return c
}

func command(t testing.TB, db *sql.DB, text string) {
	t.Helper()
	if _, err := db.Exec(text); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// load spreads cases over the shards by a key, and returns options for them.
func (c *cluster) load(t testing.TB, cases *data.Table) *sqldata.Options {
	t.Helper()
	c.tables++
	name := fmt.Sprintf("cases%d", c.tables)
	load(t, c.db, name+" loaded", cases)
	o := &sqldata.Options{Table: name}
	var names, columns []string
	for _, col := range cases.Columns() {
		kind := "text"
		if !col.Var.IsDiscrete() {
			kind = "double precision"
		}
		if col.Var.Name == "key" {
			kind = "bigint"
		}
		o.Columns = append(o.Columns, col.Var.Name)
		names = append(names, quoted(col.Var.Name))
		columns = append(columns, quoted(col.Var.Name)+" "+kind)
	}
	if cases.Weights() != nil {
		o.Weight = "weight"
		names, columns = append(names, "weight"), append(columns, "weight double precision")
	}
	definition := " (" + strings.Join(columns, ", ") + ", " + shardKey + " bigint)"
	command(t, c.db, "CREATE TABLE "+name+definition+" PARTITION BY HASH ("+shardKey+")")
	for i, db := range c.at {
		command(t, db, "CREATE TABLE "+name+definition)
		part := fmt.Sprintf("%s_%d", name, i)
		command(t, c.db, fmt.Sprintf("CREATE FOREIGN TABLE %s PARTITION OF %s FOR VALUES WITH (MODULUS %d, "+
			"REMAINDER %d) SERVER shard%d OPTIONS (table_name '%s')", part, name, len(c.at), i, i, name))
		o.Shards = append(o.Shards, part)
	}
	command(t, c.db, "INSERT INTO "+name+" SELECT "+strings.Join(names, ", ")+", row_number() OVER () FROM "+
		quoted(name+" loaded"))
	for _, db := range c.at {
		command(t, db, "ANALYZE "+name)
	}
	t.Cleanup(func() { c.db.Exec("DROP TABLE " + name) })
	return o
}

const shardKey = "\"the key\""

func (c *cluster) open(t testing.TB, o *sqldata.Options) *sqldata.Cases {
	t.Helper()
	cases, err := sqldata.Open(context.Background(), c.db, sqldata.PostgreSQL(), o)
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

func newCluster(t *testing.T) *server {
	t.Helper()
	s := newServer()
	if s.skip != "" {
		t.Skip(s.skip)
	}
	return s
}

// counted returns a folder with a socket that leads to the one in another, and counts what passes.
func (c *cluster) counted(t *testing.T, folder string) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "bnfdw")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	const socket = ".s.PGSQL.5432"
	l, err := net.Listen("unix", filepath.Join(dir, socket))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	for _, path := range []string{dir, filepath.Join(dir, socket)} {
		if err := os.Chmod(path, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	pass := func(dst, src net.Conn, both *sync.WaitGroup) {
		defer both.Done()
		buffer := make([]byte, 1<<16)
		for {
			n, err := src.Read(buffer)
			c.bytes.Add(int64(n))
			if _, failed := dst.Write(buffer[:n]); err != nil || failed != nil {
				dst.Close()
				src.Close()
				return
			}
		}
	}
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			to, err := net.Dial("unix", filepath.Join(folder, socket))
			if err != nil {
				from.Close()
				continue
			}
			var both sync.WaitGroup
			both.Add(2)
			go pass(to, from, &both)
			go pass(from, to, &both)
		}
	}()
	return dir
}

// Counts, fits, searches and cut points are those in memory, the rows being on four servers.
func TestShards(t *testing.T) {
	c := newShards(t)
	sqltest.Suite{Load: c.load, Open: c.open, NaN: true}.Test(t)
	t.Run("plan", c.plan)
	t.Run("trouble", c.trouble)
}

// Each shard groups its own rows, and sends groups: the plan says so, and so does what passes between the servers.
// By the table alone, every row comes to the coordinator.
func (c *cluster) plan(t *testing.T) {
	cases := sqltest.Sample(t, infertest.Asia(), 20_000)
	o := c.load(t, cases)
	o.States = data.StatesOf(cases.Variables()...)
	passed := func(o sqldata.Options) int64 {
		source := c.open(t, &o)
		before := c.bytes.Load()
		if _, err := source.CountFamilies(t.Context(), sqltest.Families(source.Variables()), nil); err != nil {
			t.Fatal(err)
		}
		return c.bytes.Load() - before
	}
	shards := passed(*o)
	whole := *o
	whole.Shards = nil
	table := passed(whole)
	t.Logf("%d rows: %d bytes between the servers with Shards, %d without", cases.Rows(), shards, table)
	if shards*20 > table {
		t.Errorf("%d bytes pass between the servers with Shards, and %d without", shards, table)
	}
	text := c.explain(t, c.counts(t, o, []data.Family{{Child: "asia", Parents: []string{"tub"}}, {Child: "smoke"}}))
	if n := strings.Count(text, "Remote SQL: SELECT"); n != 2*shardCount || strings.Contains(text, "HashAggregate") ||
		strings.Count(text, "GROUP BY") != n || !strings.Contains(text, "Async Foreign Scan") {
		t.Errorf("the shards do not group by themselves:\n%s", text)
	}
	plain := c.explain(t, c.counts(t, &whole, []data.Family{{Child: "asia", Parents: []string{"tub"}}}))
	if strings.Count(plain, "GROUP BY") > 0 {
		t.Errorf("PostgreSQL hands on the groups of a table by itself now; are Shards still needed?\n%s", plain)
	}
}

// counts returns the one statement that counts families, each by itself.
func (c *cluster) counts(t *testing.T, o *sqldata.Options, families []data.Family) string {
	t.Helper()
	apart := sqldata.PostgreSQL()
	apart.MergeCells = 0
	source, err := sqldata.Open(t.Context(), c.db, apart, o)
	if err != nil {
		t.Fatal(err)
	}
	before := source.Cost().Statements
	if _, err := source.CountFamilies(t.Context(), families, nil); err != nil {
		t.Fatal(err)
	}
	if n := source.Cost().Statements - before; n != 1 {
		t.Fatalf("%d statements, want 1", n)
	}
	return c.lead.sent.grouping()
}

// explain returns the plan of a statement, with what the coordinator does by partitions where it can.
func (c *cluster) explain(t *testing.T, statement string) string {
	t.Helper()
	conn, err := c.db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(t.Context(), "SET enable_partitionwise_aggregate = on"); err != nil {
		t.Fatal(err)
	}
	rows, err := conn.QueryContext(t.Context(), "EXPLAIN (VERBOSE, COSTS OFF) "+statement)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var plan []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		plan = append(plan, line)
	}
	return strings.Join(plan, "\n")
}

// A shard that is killed in the middle of a climb ends it with an error that names the shard; when it is back, the
// climb goes on from what was counted, to the graph of the cases in memory. A shard that does not answer ends a
// statement with Timeout.
func (c *cluster) trouble(t *testing.T) {
	cases := sqltest.Sample(t, infertest.Asia(), 3000)
	o := c.load(t, cases)
	o.States, o.Retries = data.StatesOf(cases.Variables()...), -1
	kill := make(chan struct{}, 1)
	steps := 0
	o.Progress = func(int, int, sqldata.Cost) {
		if steps++; steps == 3 {
			kill <- struct{}{}
			c.kill(2)
		}
	}
	few := sqldata.PostgreSQL()
	few.MergeCells, few.MaxSets = 0, 8 // else all of Asia is counted at once
	opened := func(o *sqldata.Options) *sqldata.Cases {
		t.Helper()
		source, err := sqldata.Open(t.Context(), c.db, few, o)
		if err != nil {
			t.Fatal(err)
		}
		return source
	}
	climb := func(source data.Source) (*structure.Result, error) {
		return structure.Learn(t.Context(), source, structure.BIC{}, structure.HillClimb{}, nil)
	}
	source := opened(o)
	_, err := climb(source)
	if len(kill) != 1 || err == nil || !strings.Contains(err.Error(), "shard2") {
		t.Fatalf("a climb with a shard that is killed ends with %v", err)
	}
	t.Logf("killed: %v", err)
	before := source.Cost()
	if err := c.shards[2].serve(); err != nil {
		t.Fatal(err)
	}
	c.shards[2].wait(t)
	again, err := climb(source)
	if err != nil {
		t.Fatal(err)
	}
	resumed := source.Cost().Statements - before.Statements
	want, err := climb(cases)
	if err != nil {
		t.Fatal(err)
	}
	quiet := *o
	quiet.Progress = nil
	fresh := opened(&quiet)
	before = fresh.Cost()
	if _, err := climb(fresh); err != nil {
		t.Fatal(err)
	}
	full := fresh.Cost().Statements - before.Statements
	t.Logf("statements: %d of a climb from the start, %d of one that goes on", full, resumed)
	if again.DAG.String() != want.DAG.String() || resumed >= full {
		t.Errorf("%v after %d statements, want %v", again.DAG, resumed, want.DAG)
	}
	slow := quiet
	slow.Timeout = 2 * time.Second
	source = c.open(t, &slow)
	c.shards[1].signal(syscall.SIGSTOP)
	_, err = source.CountFamilies(t.Context(), sqltest.Families(source.Variables())[:1], nil)
	c.shards[1].signal(syscall.SIGCONT)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a shard that does not answer: %v", err)
	}
	sqltest.Same(t, c.open(t, &quiet), cases, sqltest.Families(cases.Variables())[:3], nil)
}

// kill ends a shard and its connections at once, as a machine does that loses its power.
func (c *cluster) kill(shard int) {
	s := c.shards[shard]
	s.signal(syscall.SIGQUIT)
	s.cmd.Wait()
}

// signal goes to a server and, but for an immediate shutdown, to those who serve its connections.
func (s *server) signal(what syscall.Signal) {
	s.cmd.Process.Signal(what)
	if what == syscall.SIGQUIT {
		return
	}
	children, _ := os.ReadFile(fmt.Sprintf("/proc/%[1]d/task/%[1]d/children", s.cmd.Process.Pid))
	for _, child := range strings.Fields(string(children)) {
		if pid, err := strconv.Atoi(child); err == nil {
			syscall.Kill(pid, what)
		}
	}
}
