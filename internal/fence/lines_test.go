package fence_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// mostColumns is how wide a line may be, a tab counting as four.
const mostColumns = 120

// TestLines looks for lines that are too wide in Go and in Markdown. What cannot be broken may be
// wider: raw strings, the output of examples, the rows of tables.
func TestLines(t *testing.T) {
	root := filepath.Join("..", "..")
	read := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" && path != filepath.Join(root, "testdata") ||
			path == filepath.Join(root, "build") || path == filepath.Join(root, "figures") ||
			path != root && strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, ".md"):
			return nil
		}
		b, err := os.ReadFile(path)
		read++
		for _, line := range tooWide(string(b), strings.HasSuffix(path, ".go")) {
			name := strings.TrimPrefix(path, root+string(filepath.Separator))
			t.Errorf("%s:%d: wider than %d columns", name, line, mostColumns)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if read < 500 {
		t.Errorf("%d files read: the walk missed some", read)
	}
}

// tooWide numbers the lines of a text that should be broken.
func tooWide(text string, isGo bool) []int {
	var wide []int
	output := false // inside the comment that says what an example prints
	raw := false    // inside a raw string
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		comment := strings.HasPrefix(trimmed, "//")
		output = comment && (output || strings.HasPrefix(trimmed, "// Output:"))
		inRaw := raw
		if isGo && !comment && strings.Count(line, "`")%2 == 1 {
			raw = !raw
		}
		if len([]rune(strings.ReplaceAll(line, "\t", "    "))) <= mostColumns {
			continue
		}
		if isGo && (output || inRaw || strings.Contains(line, "`")) || !isGo && strings.HasPrefix(trimmed, "|") {
			continue
		}
		wide = append(wide, i+1)
	}
	return wide
}

func TestTooWide(t *testing.T) {
	long := strings.Repeat("x ", 70)
	for _, c := range []struct {
		text string
		isGo bool
		want int
	}{
		{"// " + long, true, 1}, {strings.Repeat("\t", 10) + strings.Repeat("x", 81), true, 1},
		{strings.Repeat("\t", 10) + strings.Repeat("ä", 80), true, 0},
		{"// Output:\n// a\n// " + long + "\n}\n// " + long, true, 1}, {"s := `" + long + "`", true, 0},
		{long, false, 1}, {"| " + long + "|", false, 0},
	} {
		if got := len(tooWide(c.text, c.isGo)); got != c.want {
			t.Errorf("%d wide lines in %q, want %d", got, c.text, c.want)
		}
	}
}
