package notebooks_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestOwnProgram follows docs/program.md line by line, in both ways, in an empty folder. The
// checkout stands behind a path with a space.
func TestOwnProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("links two programs: not in -short")
	}
	section := read(t, "../docs/program.md")
	program, lines := goBlocks(section), indented(section)
	if len(program) != 1 || len(lines) != 3 {
		t.Fatalf("the page has %d programs and %d blocks of lines, want 1 and 3: way, output, other way",
			len(program), len(lines))
	}
	checkout := filepath.Join(t.TempDir(), "my bnlab")
	symlink(t, root(t), checkout)
	want := strings.TrimSpace(lines[1])
	for way, at := range map[string]int{"replace": 0, "workspace": 2} {
		t.Run(way, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "my own")
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(dir, "main.go"), program[0])
			commands := strings.ReplaceAll(lines[at], "/path/to/bnlab", checkout)
			if commands == lines[at] {
				t.Error("no line names /path/to/bnlab")
			}
			status, out := run(t, dir, offline(), "sh", "-e", "-c", commands)
			if status != 0 || !strings.HasSuffix(strings.TrimSpace(out), want) {
				t.Errorf("exit status %d of\n%sprinted\n%s\nwant it to end with\n%s", status, commands, out, want)
			}
		})
	}
}

// TestTour runs the Go of docs/tour.md as cells would: with what the text around says there is.
func TestTour(t *testing.T) {
	if testing.Short() {
		t.Skip("links a program: not in -short")
	}
	text := read(t, "../docs/tour.md")
	before := map[string]string{ // by a word of the snippet
		`knowledge.Read(`: `df := nb.Must(datasets.Load("breast-cancer"))`,
		`"load"`:          `df := nb.Must(bnkit.ReadCSV("tasks.csv", nil))`,
		`"patients.csv"`:  "",
		`"diaries.csv"`:   "",
		`"model.json"`: `known := nb.Must(bnkit.ReadCSV("new.csv", nil))
			n := nb.Must(bnkit.NewNetwork("[smoker][ill|smoker]", known, nil))
			nb.NoError(bnkit.Save("model.json", nb.Must(bnkit.Fit(nb.Context(), n, known.Subset([]int{0, 1, 2, 3, 4}),
				learn.MAP{Pseudocount: 1}, nil))))`,
	}
	var body strings.Builder
	for _, block := range goBlocks(text) {
		known := false
		for word, prelude := range before {
			if strings.Contains(block, word) {
				known = true
				block = prelude + "\n" + block
				delete(before, word)
				break
			}
		}
		if !known {
			t.Errorf("this test does not know what a snippet of the page needs; tell it:\n%s", block)
		}
		fmt.Fprintf(&body, "func() {\n%s}()\n", block)
	}
	for word := range before {
		t.Errorf("no snippet has %s", word)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.go"), mainOf(body.String()))
	yaml := fenced(read(t, "../docs/knowledge.md"), "yaml")[0]
	write(t, filepath.Join(dir, "breast.yaml"), yaml)
	r := rand.New(rand.NewPCG(1, 0))
	write(t, filepath.Join(dir, "tasks.csv"), table(60, "task,slow,error", func() []string {
		return []string{pick(r, "easy", "hard"), pick(r, "no", "yes"), pick(r, "no", "yes")}
	}))
	write(t, filepath.Join(dir, "patients.csv"), table(80, "age,smoker,ill", func() []string {
		return []string{fmt.Sprintf("%.1f", 50+12*r.NormFloat64()), pick(r, "no", "yes", ""),
			pick(r, "no", "yes", "NA")}
	}))
	slice := 0
	write(t, filepath.Join(dir, "diaries.csv"), table(60, "series,time,pain", func() []string {
		slice++
		return []string{strconv.Itoa(slice / 20), strconv.Itoa(10 * slice), pick(r, "none", "mild", "severe", "")}
	}))
	write(t, filepath.Join(dir, "batch.csv"), table(20, "smoker", func() []string {
		return []string{pick(r, "no", "yes", "", "YES", "no|yes")}
	}))
	write(t, filepath.Join(dir, "new.csv"), "smoker,ill\nno,no\nyes,yes\n"+
		strings.Repeat("no,no\nyes,no\nyes,yes\n", 9))
	commands := fmt.Sprintf("go mod init example.com/cells\ngo work init . %q\ngo run .\n", root(t))
	status, out := run(t, dir, offline(), "sh", "-e", "-c", commands)
	// of the first
	expect(t, 0, status, out,
		"[figure of",                   // of each
		"Y13 §5",                       // the source of a statement that was audited
		"rows left out of fam",         // a note of the search
		"one each 10 of time",          // of the sequences
		"ill       yes            0.6") // 2 of 3 smokers of the model's five cases are ill: (2 + 1)/(3 + 2)
}

// TestREADME runs the lines of the first page and compares what they print with what it says.
func TestREADME(t *testing.T) {
	if testing.Short() {
		t.Skip("links a program: not in -short")
	}
	text := read(t, "../README.md")
	lines, printed := goBlocks(text), fenced(text, "text")
	if len(lines) != 2 || len(printed) != 1 {
		t.Fatalf("README has %d blocks of Go and %d of what they print, want 2 and 1", len(lines), len(printed))
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.go"), mainOf(lines[0]))
	commands := fmt.Sprintf("go mod init example.com/first 2>&1\ngo work init . %q\ngo run . >out\n", root(t))
	status, out := run(t, dir, offline(), "sh", "-e", "-c", commands)
	expect(t, 0, status, out)
	if got := read(t, filepath.Join(dir, "out")); got != printed[0] {
		t.Errorf("README says that its lines print\n%s\nthey print\n%s", printed[0], got)
	}
}

// TestREADMECounts compares the line on what did not reproduce with the report's table.
func TestREADMECounts(t *testing.T) {
	var findings, yes, no, open int
	row := regexp.MustCompile(`(?m)^\| (?:N06|R95|W00|Y13|B06) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|`)
	rows := row.FindAllStringSubmatch(read(t, "../figures/REPORT.md"), -1)
	for _, r := range rows {
		for i, to := range []*int{&findings, &yes, &no, &open} {
			n, err := strconv.Atoi(r[i+1])
			if err != nil {
				t.Fatal(err)
			}
			*to += n
		}
	}
	if len(rows) != 5 || findings != yes+no+open {
		t.Fatalf("the report's table has %d papers and %d findings: %d, %d, %d", len(rows), findings, yes, no, open)
	}
	want := fmt.Sprintf("Of %d findings of the five papers, %d came out, %d did not and %d cannot be told",
		findings, yes, no, open)
	if text := strings.Join(strings.Fields(read(t, "../README.md")), " "); !strings.Contains(text, want) {
		t.Errorf("README does not say %q", want)
	}
}

// mainOf is a program of the lines, with the imports that they need.
func mainOf(lines string) string {
	paths := map[string]string{"bnkit": "bnlab/bnkit", "datasets": "bnlab/datasets", "rand": "math/rand/v2",
		"json": "encoding/json", "dbn": "bnlab/bnkit/dbn"}
	for _, name := range []string{"bn", "constraint", "data", "infer", "knowledge", "learn", "nb", "structure"} {
		paths[name] = "bnlab/bnkit/" + name
	}
	var imports strings.Builder
	for name, path := range paths {
		if regexp.MustCompile(`\b` + name + `\.[A-Z]`).MatchString(lines) {
			fmt.Fprintf(&imports, "import %q\n", path)
		}
	}
	return "package main\n\n" + imports.String() + "\nfunc main() {\n" + lines + "}\n"
}

func goBlocks(text string) []string { return fenced(text, "go") }

// fenced returns the blocks of a language.
func fenced(text, language string) []string {
	var blocks []string
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllStringSubmatch(text, -1) {
		blocks = append(blocks, m[1])
	}
	return blocks
}

// indented returns the blocks of lines that four spaces indent, outside of fences.
func indented(text string) []string {
	text = regexp.MustCompile("(?ms)^```.*?^```$").ReplaceAllString(text, "")
	blocks := regexp.MustCompile(`(?m)(^    .*\n)+`).FindAllString(text, -1)
	for i, b := range blocks {
		blocks[i] = regexp.MustCompile(`(?m)^    `).ReplaceAllString(b, "")
	}
	return blocks
}

// offline is an environment in which Go has no settings of the user's and no network: the modules are there,
// since this test was compiled from them.
func offline() []string {
	return []string{"GOENV=off", "GOFLAGS=", "GOWORK=", "GOPROXY=off", "GOSUMDB=off", "GOTOOLCHAIN=local"}
}

func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func symlink(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Symlink(from, to); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
}

func pick(r *rand.Rand, from ...string) string { return from[r.IntN(len(from))] }

// table is a CSV file of random rows.
func table(rows int, header string, row func() []string) string {
	var b strings.Builder
	b.WriteString(header + "\n")
	for range rows {
		b.WriteString(strings.Join(row(), ",") + "\n")
	}
	return b.String()
}
