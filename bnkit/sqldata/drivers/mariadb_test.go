//go:build linux

package drivers

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"bnlab/bnkit/sqldata"
)

// serve makes a MariaDB in a temporary folder and serves it on a socket there. Root runs it as the user mysql of
// Debian's package.
func serve(t *testing.T) *sql.DB {
	t.Helper()
	install, err := exec.LookPath("mariadb-install-db")
	server := "/usr/sbin/mariadbd" // not in every user's PATH
	if found, err := exec.LookPath("mariadbd"); err == nil {
		server = found
	}
	if _, missing := os.Stat(server); err != nil || missing != nil {
		t.Skip("MariaDB is not installed (Debian: apt-get install mariadb-server)")
	}
	folder, err := os.MkdirTemp("/tmp", "bnma") // short: a socket's path has 107 bytes at most
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	var as *syscall.Credential
	if os.Getuid() == 0 {
		u, err := user.Lookup("mysql")
		if err != nil {
			t.Skip("the test runs as root, and there is no user mysql to run MariaDB")
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		as = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		if err := os.Chown(folder, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	base, socket := filepath.Join(folder, "data"), filepath.Join(folder, "s")
	command := func(name string, args ...string) *exec.Cmd {
		cmd := exec.Command(name, append([]string{"--no-defaults", "--datadir=" + base}, args...)...)
		cmd.Dir = folder
		cmd.Env = append(os.Environ(), "HOME="+folder, "LC_ALL=C")
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: as}
		return cmd
	}
	if out, err := command(install, "--auth-root-authentication-method=normal", "--skip-test-db").
		CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", install, err, out)
	}
	cmd := command(server, "--socket="+socket, "--skip-networking", "--pid-file="+filepath.Join(folder, "pid"),
		"--innodb-flush-log-at-trx-commit=0", "--character-set-server=utf8mb4")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		cmd.Wait()
	})
	for range 1200 { // half a minute
		if _, err := os.Stat(socket); err == nil {
			break
		}
		time.Sleep(25 * time.Millisecond)
	}
	c := mysql.NewConfig()
	c.User, c.Net, c.Addr = "root", "unix", socket
	connector, err := mysql.NewConnector(c)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	if _, err := db.Exec("CREATE DATABASE cases"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	c.DBName = "cases"
	if connector, err = mysql.NewConnector(c); err != nil {
		t.Fatal(err)
	}
	db = sql.OpenDB(connector)
	t.Cleanup(func() { db.Close() })
	return db
}

func TestMariaDB(t *testing.T) {
	db := serve(t)
	for name, change := range map[string]func(d *sqldata.Dialect){
		"as it is": func(*sqldata.Dialect) {}, "without merging": func(d *sqldata.Dialect) { d.MergeCells = 0 },
		"one by one": func(d *sqldata.Dialect) { d.MaxSets = 1 },
	} {
		t.Run(name, func(t *testing.T) {
			dialect := sqldata.MariaDB()
			change(&dialect)
			database{db: db, dialect: dialect, quote: "`", text: "VARCHAR(100)", number: "DOUBLE"}.suite().Test(t)
		})
	}
	t.Run("types", func(t *testing.T) { mariaTypes(t, db) })
	t.Run("read only", func(t *testing.T) { mariaWrites(t, db) })
	t.Run("lost connection", func(t *testing.T) { mariaLost(t, db) })
	t.Run("functions", func(t *testing.T) { mariaFunctions(t, db) })
	t.Run("a role that reads", func(t *testing.T) { mariaRole(t, db) })
}

// States of columns of the types that MariaDB has of its own.
func mariaTypes(t *testing.T, db *sql.DB) {
	execute(t, db, "CREATE TABLE types (mood ENUM('sad', 'ok'), n INT UNSIGNED, b BOOLEAN, c CHAR(5), d DATE)",
		"INSERT INTO types VALUES ('sad', 3000000000, TRUE, 'ab', '2020-01-01'), ('ok', 7, FALSE, 'AB', NULL)")
	o := &sqldata.Options{Table: "types", Columns: []string{"mood", "n", "b", "c"}}
	var got []string
	for _, v := range (database{db: db, dialect: sqldata.MariaDB()}).open(t, o).Variables() {
		got = append(got, strings.Join(v.States, " "))
	}
	if want := "ok sad|7 3000000000|0 1|AB ab"; strings.Join(got, "|") != want {
		t.Errorf("states %q, want %q", got, want)
	}
	_, err := sqldata.Open(t.Context(), db, sqldata.MariaDB(), &sqldata.Options{Table: "types"})
	if err == nil || !strings.Contains(err.Error(), `"d" (DATE)`) {
		t.Errorf("a column of dates: %v", err)
	}
}

// Transactions only read, whatever functions a query calls.
func mariaWrites(t *testing.T, db *sql.DB) {
	execute(t, db, "CREATE TABLE kept AS SELECT 'a' AS x",
		"CREATE FUNCTION wipe() RETURNS VARCHAR(9) BEGIN DELETE FROM kept; RETURN 'gone'; END")
	_, err := sqldata.Open(t.Context(), db, sqldata.MariaDB(), &sqldata.Options{Query: "SELECT wipe() AS x",
		Functions: []string{"wipe"}})
	if err == nil || !strings.Contains(err.Error(), "READ ONLY") {
		t.Errorf("a function that writes: %v", err)
	}
	var n int
	if err := db.QueryRow("SELECT COUNT(*) FROM kept").Scan(&n); err != nil || n != 1 {
		t.Errorf("%d rows are left, %v", n, err)
	}
}

// Functions that a query is likely to call, and the file that one would read.
func mariaFunctions(t *testing.T, db *sql.DB) {
	execute(t, db, "CREATE TABLE visits AS SELECT ' High ' AS fever, 39.5 AS degrees, DATE '2020-02-29' AS seen, "+
		"'{\"dose\": 2}' AS notes")
	computes(t, db, sqldata.MariaDB(), "lower(trim(fever))", "CONCAT(LEFT(fever, 2), 'x')", "IF(degrees > 39, 'a', 'b')",
		"CAST(round(degrees) AS SIGNED)", "CAST(YEAR(seen) AS CHAR(4))", "DATE_FORMAT(seen, '%Y-%m')",
		"TIMESTAMPDIFF(DAY, seen, '2020-03-01')", "JSON_VALUE(notes, '$.dose')", "COALESCE(NULLIF(fever, ''), 'none')",
		"row_number() OVER (ORDER BY seen)", "SUBSTRING_INDEX(fever, 'i', 1)", "CAST(degrees DIV (2) AS CHAR)")
	refuses(t, db, sqldata.MariaDB(), "load_file('/etc/hostname')", "@@version", "get_lock('a', 1)", "nextval(s)")
}

// The role that docs/databases.md makes reads its table and no other, changes nothing and sees no file.
func mariaRole(t *testing.T, db *sql.DB) {
	execute(t, db, "CREATE TABLE secrets AS SELECT 'a' AS x", "CREATE TABLE shown AS SELECT 'a' AS x",
		"CREATE USER reader@localhost", "GRANT SELECT ON cases.shown TO reader@localhost", "CREATE SEQUENCE counter")
	var socket string
	if err := db.QueryRow("SELECT @@socket").Scan(&socket); err != nil {
		t.Fatal(err)
	}
	reader, err := sql.Open("mysql", "reader@unix("+socket+")/cases")
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if _, err := sqldata.Open(t.Context(), reader, sqldata.MariaDB(), &sqldata.Options{Table: "shown"}); err != nil {
		t.Errorf("the role does not read: %v", err)
	}
	for _, text := range []string{"DELETE FROM shown", "SELECT x FROM secrets", "CREATE TABLE more (x INT)",
		"DO nextval(counter)"} {
		if _, err := reader.Exec(text); err == nil || !strings.Contains(err.Error(), "denied") {
			t.Errorf("%s: %v", text, err)
		}
	}
	var content sql.NullString
	if err := reader.QueryRow("SELECT load_file('/etc/passwd')").Scan(&content); err != nil || content.Valid {
		t.Errorf("the role reads a file of the server: %v, %v", content, err)
	}
}

// A connection that the server ends in the middle of a statement is made again.
func mariaLost(t *testing.T, db *sql.DB) {
	execute(t, db, "CREATE TABLE slow AS SELECT 'a' AS x")
	c, err := sqldata.Open(t.Context(), db, sqldata.MariaDB(), &sqldata.Options{
		Query: "SELECT x FROM slow WHERE SLEEP(?) = 0", Args: []any{1}, Functions: []string{"sleep"},
		States: map[string][]string{"x": {"a"}}, Retries: 1})
	if err != nil {
		t.Fatal(err)
	}
	killed := make(chan error, 1)
	go func() {
		for range 400 {
			var id int64
			if err := db.QueryRow("SELECT id FROM information_schema.processlist WHERE info LIKE '%SLEEP%' " +
				"AND id <> CONNECTION_ID() LIMIT 1").Scan(&id); err == nil {
				_, err = db.Exec(fmt.Sprintf("KILL %d", id))
				killed <- err
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
		killed <- errors.New("no statement to kill")
	}()
	_, err = c.DistinctRows(t.Context())
	if bad := <-killed; bad != nil {
		t.Fatal(bad)
	}
	if err != nil || c.Cost().Retries != 1 {
		t.Errorf("%+v, %v; want one retry", c.Cost(), err)
	}
}

func execute(t *testing.T, db *sql.DB, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if _, err := db.Exec(text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
}
