package notebooks_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// pageColumns is how many columns of code fit a notebook's page of 980 pixels; what is past them is cut off.
const pageColumns = 96

func TestCodeFitsPage(t *testing.T) {
	files, err := filepath.Glob("*.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, file := range append(files, "internal/start/start.ipynb") {
		var notebook struct {
			Cells []struct {
				Type   string   `json:"cell_type"`
				Source []string `json:"source"`
			} `json:"cells"`
		}
		if err := json.Unmarshal([]byte(read(t, file)), &notebook); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		code := 0
		for _, cell := range notebook.Cells {
			if cell.Type != "code" {
				continue
			}
			code++
			for line := range strings.Lines(strings.Join(cell.Source, "")) {
				lines++
				line = strings.TrimRight(line, "\n")
				if n := columns(line); n > pageColumns {
					t.Errorf("%s, code cell %d: a line of %d columns, of which %d fit the page; break it:\n%s",
						file, code, n, pageColumns, line)
				}
			}
		}
	}
	if lines < 1000 {
		t.Errorf("%d lines of code: the test missed some", lines)
	}
}

// columns is the width of a line with tab stops at every fourth column.
func columns(line string) int {
	before, after, tab := strings.Cut(line, "\t")
	n := utf8.RuneCountInString(before)
	for tab {
		n += 4 - n%4
		before, after, tab = strings.Cut(after, "\t")
		n += utf8.RuneCountInString(before)
	}
	return n
}

func TestColumns(t *testing.T) {
	for line, want := range map[string]int{"": 0, "é": 1, "\t\tx": 9, "abc\td": 5, "abcd\te\t": 12} {
		if got := columns(line); got != want {
			t.Errorf("%q is %d columns wide, want %d", line, got, want)
		}
	}
}
