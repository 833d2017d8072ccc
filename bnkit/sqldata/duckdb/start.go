//go:build cgo

package duckdb

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	driver "github.com/duckdb/duckdb-go/v2"

	"bnlab/internal/say"
)

// start begins a database in memory that holds nothing but views of files, within the
// bounds of the options. It fetches no extension from the network.
func (c *Cases) start(o Options) error {
	threads := o.Threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	var err error
	if c.temporary, err = temporaryFolder(o.Temporary); err != nil {
		return err
	}
	connector, err := driver.NewConnector("", nil)
	if err != nil {
		return errors.Join(say.Errorf("duckdb: %w", err), os.RemoveAll(c.temporary))
	}
	c.db = sql.OpenDB(connector)
	for _, set := range []string{
		fmt.Sprintf("memory_limit = '%dMB'", o.MemoryMB),
		fmt.Sprintf("threads = %d", threads),
		"temp_directory = " + literal(c.temporary),
		"preserve_insertion_order = false",
		"parquet_metadata_cache = true",
		"autoinstall_known_extensions = false",
		"autoload_known_extensions = false",
	} {
		if _, err := c.db.Exec("SET GLOBAL " + set); err != nil {
			return errors.Join(say.Errorf("duckdb: SET %s: %w", set, err), c.Close())
		}
	}
	return nil
}

// literal writes a text as SQL does, so that nothing in it is taken for SQL.
func literal(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// globbed escapes the characters that DuckDB takes for a pattern.
var globbed = strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]")

// list writes the names of files as a list of SQL.
func list(files []string) string {
	parts := make([]string, len(files))
	for i, f := range files {
		parts[i] = literal(globbed.Replace(f))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
