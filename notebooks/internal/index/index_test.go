package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../../.."

// TestIndex finds contents, tables and pictures as the program would write them, and what it looks for in notebooks.
func TestIndex(t *testing.T) {
	said, err := check(root, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range said {
		t.Error(s)
	}
	// Those that git knows: one of the user's beside them need not be in the index.
	files, err := exec.Command("git", "-C", root, "ls-files", "--", "notebooks/[0-9][0-9]-*.ipynb").Output()
	if err != nil {
		t.Skipf("whether all are in the index is for git to say: %v", err)
	}
	if n := strings.Count(string(files), "\n"); n != len(abouts) {
		t.Errorf("%d notebooks, of which the index lists %d", n, len(abouts))
	}
}

// TestLines reads a cell's text in both forms.
func TestLines(t *testing.T) {
	for _, source := range []string{`"a\nb"`, `["a\n", "b"]`} {
		var c cell
		if err := json.Unmarshal([]byte(`{"source": `+source+`}`), &c); err != nil || c.text() != "a\nb" || len(c.Source) != 2 {
			t.Errorf("%s is %q, %v", source, c.Source, err)
		}
	}
}

// TestKeptNames has each name of nb.Keep in one notebook only, since notebooks in a folder share them, and each that is
// asked for kept above. Values do not go through temporary files.
func TestKeptNames(t *testing.T) {
	owner := map[string]string{}
	for _, a := range abouts {
		n, err := readNotebook(root, a.name)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range n.cells {
			if c.Type != "code" {
				continue
			}
			if strings.Contains(c.text(), "os.TempDir") {
				t.Errorf("%s writes to a temporary folder; nb.Keep hands values on", a.name)
			}
			for _, part := range strings.Split(c.text(), `nb.Keep("`)[1:] {
				name, _, _ := strings.Cut(part, `"`)
				if by, ok := owner[name]; ok {
					t.Errorf("%s and %s both keep %q", by, a.name, name)
				}
				owner[name] = a.name
			}
			for _, part := range strings.Split(c.text(), "nb.Kept[")[1:] {
				_, name, _ := strings.Cut(part, `("`)
				name, _, _ = strings.Cut(name, `")`)
				if by := owner[name]; strings.Contains(part, `("`) && by != a.name && !strings.Contains(name, "\n") {
					t.Errorf("%s asks for %q, which it does not keep above", a.name, name)
				}
			}
		}
	}
	if len(owner) == 0 {
		t.Error("no notebook keeps anything")
	}
}

// small notebook: two sections, no cell to try, a link to nowhere and no next.
func write(t *testing.T, dir string, first, last []string) *notebook {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, "notebooks"), 0o755); err != nil {
		t.Fatal(err)
	}
	text := "{\n \"cells\": [\n  {\n   \"cell_type\": \"markdown\",\n   \"source\": [\n    " + string(encode(first)) +
		"\n   ]\n  },\n  {\"cell_type\": \"code\", \"source\": [\"%%\"]},\n" +
		"  {\"cell_type\": \"markdown\", \"source\": [" + string(encode(last)) + "]}\n ]\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "notebooks", "01-x.ipynb"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	n, err := readNotebook(dir, "01-x")
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestNotebook(t *testing.T) {
	n := write(t, t.TempDir(), []string{"# X\n", "\n", "Of <x> & é."},
		[]string{"## One (1): \"a\"\n", "\n", "[gone](gone.md)\n", "## Two"})
	said := strings.Join(n.missing(), "\n")
	for _, want := range []string{"no notebook to read next", "gone.md leads nowhere", "Try this"} {
		if !strings.Contains(said, want) {
			t.Errorf("said %q, want %q", said, want)
		}
	}
	n = write(t, t.TempDir(), strings.SplitAfter(decoded(t, n.withContents()), "\n"), []string{"## Two\n",
		"Next: [x](01-x.ipynb) **Try this.**"})
	if got, want := decoded(t, n.withContents()), "# X\n\nOf <x> & é.\n\n**Contents.** [Two](#Two)"; got != want {
		t.Errorf("first cell %q, want %q", got, want)
	}
	if said := n.missing(); len(said) != 1 || !strings.Contains(said[0], "Try this") { // nothing below it
		t.Errorf("said %q", said)
	}
}

// decoded is the first cell of a notebook with these bytes.
func decoded(t *testing.T, raw []byte) string {
	t.Helper()
	var file struct{ Cells []cell }
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	if text := file.Cells[0].text(); strings.Contains(text, "One") &&
		!strings.HasSuffix(text, `**Contents.** [One (1): "a"](#One-%281%29:-%22a%22) · [Two](#Two)`) {
		t.Errorf("contents in %q", text)
	}
	return file.Cells[0].text()
}

func TestTablePlace(t *testing.T) {
	if _, err := withTable([]byte("no place"), ".", nil); err == nil || !strings.Contains(err.Error(), "no place") {
		t.Errorf("error %v", err)
	}
}
