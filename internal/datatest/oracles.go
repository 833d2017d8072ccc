package datatest

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Oracle returns the path of a file of testdata/oracles: data of our own, and what other
// tools say of them.
func Oracle(t testing.TB, name string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		path := filepath.Join(dir, "testdata", "oracles", name)
		if _, err := os.Stat(path); err == nil {
			return path
		}
		if dir == filepath.Dir(dir) {
			t.Fatalf("no testdata/oracles/%s above the package's folder", name)
		}
	}
}

// OracleNumbers returns the numbers at the end of the one line of an oracle that begins
// with prefix. Words between them are left out.
func OracleNumbers(t testing.TB, name, prefix string) []float64 {
	t.Helper()
	b, err := os.ReadFile(Oracle(t, name))
	if err != nil {
		t.Fatal(err)
	}
	var found [][]float64
	for line := range strings.Lines(string(b)) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), prefix)
		if !ok {
			continue
		}
		var numbers []float64
		for _, word := range strings.Fields(rest) {
			if x, err := strconv.ParseFloat(strings.TrimRight(word, ",;"), 64); err == nil {
				numbers = append(numbers, x)
			}
		}
		found = append(found, numbers)
	}
	if len(found) != 1 || len(found[0]) == 0 {
		t.Fatalf("%s: %d lines begin with %q, want one with numbers", name, len(found), prefix)
	}
	return found[0]
}
