//go:build linux

package drivers

import (
	"database/sql"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "github.com/ClickHouse/clickhouse-go/v2"

	"bnlab/bnkit/sqldata"
)

const (
	clickhouseServer = `<yandex><logger><level>fatal</level><console>true</console></logger>
<http_port>%d</http_port><tcp_port>%d</tcp_port><listen_host>127.0.0.1</listen_host>
<path>%[3]s/data/</path><tmp_path>%[3]s/tmp/</tmp_path><users_config>%[3]s/users.xml</users_config>
<default_profile>default</default_profile><default_database>default</default_database>
<mark_cache_size>1000000000</mark_cache_size></yandex>`
	clickhouseUsers = `<yandex><profiles><default/></profiles><quotas><default/></quotas>
<users><default><password/><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota>
</default></users></yandex>`
)

// TestClickHouse runs the server of 2018 that Debian has. It has no GROUPING SETS and no randCanonical, which later
// ones have, so that it gets one SELECT for each grouping.
func TestClickHouse(t *testing.T) {
	server := "/usr/sbin/clickhouse-server" // not in every user's PATH
	if found, err := exec.LookPath("clickhouse-server"); err == nil {
		server = found
	}
	if _, err := os.Stat(server); err != nil {
		t.Skip("ClickHouse is not installed (Debian: apt-get install clickhouse-server)")
	}
	folder := t.TempDir()
	web, tcp := freePort(t), freePort(t)
	for name, text := range map[string]string{"server.xml": fmt.Sprintf(clickhouseServer, web, tcp, folder),
		"users.xml": clickhouseUsers} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(server, "--config-file="+filepath.Join(folder, "server.xml"))
	cmd.Dir = folder
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	db, err := sql.Open("clickhouse", fmt.Sprintf("clickhouse://127.0.0.1:%d/default", tcp))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	for range 1200 { // half a minute
		if err = db.Ping(); err == nil {
			break
		}
		time.Sleep(25 * time.Millisecond)
	}
	if err != nil {
		t.Fatal(err)
	}
	dialect := sqldata.ClickHouse()
	dialect.UnionAll, dialect.Random = true, "rand() / 4294967296"
	for name, merge := range map[string]int{"as it is": dialect.MergeCells, "without merging": 0} {
		t.Run(name, func(t *testing.T) {
			d := dialect
			d.MergeCells = merge
			database{db: db, dialect: d, quote: "`", text: "Nullable(String)", number: "Nullable(Float64)", integer: "Int64",
				engine: " ENGINE = Memory", nan: true, insert: func(table string, rows [][]any) error {
					return post(web, table, rows)
				}}.suite().Test(t)
		})
	}
	t.Run("functions", func(t *testing.T) {
		execute(t, db, "CREATE TABLE visits (fever String, degrees Float64, seen Date) ENGINE = Memory")
		if err := post(web, "visits", [][]any{{" High ", 39.5, "2020-02-29"}}); err != nil {
			t.Fatal(err)
		}
		computes(t, db, dialect, "lowerUTF8(substring(fever, 2, 4))", "if(degrees > 39, 'a', 'b')", "toString(toYear(seen))",
			"CAST(degrees AS Nullable(Int64))", "toString(toStartOfMonth(seen))", "multiIf(degrees > 40, 'a', 'b')",
			"toInt32(intDiv(toInt32(degrees), 2))", "concat(fever, 'x')", "toString(dateDiff('day', seen, toDate('2020-03-01')))")
		refuses(t, db, dialect, "(SELECT x FROM file('a.csv', 'CSV', 'x String'))", "(SELECT x FROM url('http://a', 'CSV', 'x Int8'))",
			"hostName()", "sleep(1)", "toString(rand())")
	})
}

// post inserts rows by HTTP: the driver's own way needs a later server.
func post(port int, table string, rows [][]any) error {
	var b strings.Builder
	b.WriteString("INSERT INTO " + table + " FORMAT TabSeparated\n")
	for _, cells := range rows {
		for i, cell := range cells {
			if i > 0 {
				b.WriteByte('\t')
			}
			if cell == nil {
				b.WriteString(`\N`)
			} else {
				b.WriteString(strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\n", `\n`).Replace(fmt.Sprint(cell)))
			}
		}
		b.WriteByte('\n')
	}
	answer, err := http.Post(fmt.Sprintf("http://127.0.0.1:%d/", port), "text/plain", strings.NewReader(b.String()))
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if text, _ := io.ReadAll(answer.Body); answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", answer.Status, text)
	}
	return nil
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
