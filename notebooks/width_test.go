package notebooks_test

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// pageColumns is how many columns of code fit a notebook's page of 980 pixels; what is past them is cut off.
const pageColumns = 96

func TestCodeFitsPage(t *testing.T) {
	lines := 0
	for _, file := range append(committed(t, "."), "internal/start/start.ipynb") {
		var notebook struct {
			Cells []struct {
				Type   string `json:"cell_type"`
				Source any    `json:"source"`
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
			for line := range strings.Lines(sourceText(cell.Source)) {
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

// committed returns the notebooks in a folder that come with the checkout: those with a number that git knows, so that
// one of the user's beside them is the user's business. Where there is no git, all with a number are.
func committed(t *testing.T, dir string) []string {
	t.Helper()
	const numbered = "[0-9][0-9]-*.ipynb"
	files, err := filepath.Glob(filepath.Join(dir, numbered))
	if err != nil {
		t.Fatal(err)
	}
	known, err := exec.Command("git", "-C", dir, "ls-files", "-z", "--", numbered).Output()
	if err != nil || len(known) == 0 {
		return files
	}
	names := strings.Split(string(known), "\x00")
	return slices.DeleteFunc(files, func(path string) bool { return !slices.Contains(names, filepath.Base(path)) })
}

func TestCommitted(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"01-ours.ipynb", "02-mine.ipynb", "mine.ipynb"} {
		write(t, filepath.Join(dir, name), "{}")
	}
	both := []string{filepath.Join(dir, "01-ours.ipynb"), filepath.Join(dir, "02-mine.ipynb")}
	if got := committed(t, dir); !slices.Equal(got, both) {
		t.Errorf("without git: %q, want %q", got, both)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "01-ours.ipynb"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Skipf("needs git: %v\n%s", err, out)
		}
	}
	if got := committed(t, dir); !slices.Equal(got, both[:1]) {
		t.Errorf("with git: %q, want %q", got, both[:1])
	}
}

// sourceText is the text of a cell, which nbformat has as a list of lines or as one string.
func sourceText(source any) string {
	if lines, ok := source.([]any); ok {
		var b strings.Builder
		for _, line := range lines {
			b.WriteString(sourceText(line))
		}
		return b.String()
	}
	text, _ := source.(string)
	return text
}

func TestSourceText(t *testing.T) {
	for _, source := range []any{"a\nb", []any{"a\n", "b"}} {
		if got := sourceText(source); got != "a\nb" {
			t.Errorf("%v is %q", source, got)
		}
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
