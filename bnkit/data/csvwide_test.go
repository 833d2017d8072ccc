package data_test

import (
	"bytes"
	"io"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"bnlab/bnkit/data"
)

// taken is the memory in bytes that f takes, what is given back at once included.
func taken(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestWideCSV: a column of few rows takes little memory, and a file of a million columns none for
// them until it is asked for.
func TestWideCSV(t *testing.T) {
	const columns = 20_000
	var b strings.Builder
	for i := range columns {
		b.WriteString("c" + strconv.Itoa(i) + ",")
	}
	b.WriteString("last\n" + strings.Repeat("yes,", columns) + "no\n" + strings.Repeat("0,", columns) + "1\n")
	var err error
	for name, read := range map[string]func() (*data.Table, error){
		"of known size": func() (*data.Table, error) { return data.ReadCSV(strings.NewReader(b.String()), nil) },
		"of unknown size": func() (*data.Table, error) {
			return data.ReadCSV(io.MultiReader(strings.NewReader(b.String())), nil)
		},
	} {
		if got := taken(func() { _, err = read() }); err != nil || got > 2000*columns {
			t.Errorf("%s: %d bytes for each column, want at most 2000; %v", name, got/columns, err)
		}
	}
	for _, header := range []string{strings.Repeat(",", 1_000_000), strings.Repeat("\"\",", 1_000_000)} {
		text := []byte(header + "\n" + strings.Repeat(",", 1_000_000) + "\n")
		got := taken(func() { _, err = data.ReadCSV(bytes.NewReader(text), nil) })
		if err == nil || !strings.Contains(err.Error(), "there are 1000001 columns, more than 100000") ||
			got > 100*uint64(len(text)) {
			t.Errorf("a million columns take %d bytes, of a text of %d: %v", got, len(text), err)
		}
	}
	if _, err := data.ReadCSV(strings.NewReader("a,b\nx,y\n"), &data.CSVOptions{MaxColumns: 1}); err == nil {
		t.Error("two columns where one is allowed: no error")
	}
	if table, err := data.ReadCSV(strings.NewReader("a,b\nx,y\n"), &data.CSVOptions{MaxColumns: 2}); err != nil ||
		len(table.Columns()) != 2 {
		t.Errorf("two columns where two are allowed: %v", err)
	}
}
