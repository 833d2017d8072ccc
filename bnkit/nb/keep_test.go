package nb

import (
	"bytes"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/learn"
)

// A cellOf is a notebook in a folder of its own, with one cell in which Keep is called on line 11.
type cellOf struct {
	t        *testing.T
	out      bytes.Buffer
	computed int
	text     string
}

const keepCell = `package main

import "bnlab/bnkit/nb"
import "mine"

const file = "cases.csv"

func main() {
	// the rows
	n := 1
	v := nb.Keep("rows", func() int { return count(file) + n + mine.More })
	nb.Println(v)
}

func count(name string) int { return len(name) }
`

func newCell(t *testing.T) *cellOf {
	c := &cellOf{t: t, text: keepCell}
	dir := t.TempDir()
	use(t, &plain{out: &c.out, err: io.Discard})
	t.Chdir(dir)
	t.Setenv("BNLAB_KEEP", "")
	t.Setenv("GONB_DIR", dir)
	t.Setenv("GONB_TMP_DIR", t.TempDir())
	c.file("my lib/go.mod", "module bnlab\n\ngo 1.26\n")
	for _, folder := range []string{"bnkit", "internal", "datasets"} {
		c.file("my lib/"+folder+"/a.go", "package a\n")
	}
	c.file("go.work", "go 1.26\n\nuse (\n\t. // my own\n\t\"./my lib\"\n)\n")
	c.file("go.mod", "module mine\n\ngo 1.26\n")
	c.file("mine.go", "package mine\n")
	c.file("cases.csv", "a\n1\n")
	return c
}

func (c *cellOf) file(name, text string) {
	c.t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		c.t.Fatal(err)
	}
}

// run is the cell run once, and says whether it has computed and what it printed.
func (c *cellOf) run(also ...any) (computed bool, said string) {
	c.t.Helper()
	c.file(filepath.Join(os.Getenv("GONB_TMP_DIR"), "main.go"), c.text)
	c.out.Reset()
	before, v := c.computed, 0
	err := keep("rows", &v, func() { c.computed++; v = 7 }, caller{"/x/main.go", 11}, also)
	if err != nil || v != 7 {
		c.t.Fatalf("%d, %v", v, err)
	}
	return c.computed > before, c.out.String()
}

// TestKeepStale changes one thing after another and wants to be told of it, or left alone.
func TestKeepStale(t *testing.T) {
	c := newCell(t)
	if computed, said := c.run(); !computed || said != "" {
		t.Errorf("the first time: computed %v, said %q", computed, said)
	}
	for _, step := range []struct {
		name   string
		change func()
		said   string // "" when what is kept is as good as new
	}{
		{"nothing", func() {}, ""},
		{"a comment", func() { c.text = strings.Replace(c.text, "the rows", "Rows", 1) }, ""},
		{"what is shown", func() { c.text = strings.Replace(c.text, "Println(v)", "Println(v, v)", 1) }, ""},
		{"a variable before it", func() { c.text = strings.Replace(c.text, "n := 1", "n := 2", 1) }, "its code has"},
		{"a function", func() { c.text = strings.Replace(c.text, "len(name)", "2*len(name)", 1) }, "its code has"},
		{"the file's text", func() { c.file("cases.csv", "a\n2\n") }, "cases.csv has"},
		{"the file's time", func() { c.file("cases.csv", "a\n2\n") }, ""},
		{"the library", func() { c.file("my lib/bnkit/a.go", "package b\n") }, "the library has"},
		{"a test of the library", func() { c.file("my lib/bnkit/a_test.go", "package b\n") }, ""},
		{"library and file", func() { c.file("my lib/bnkit/a.go", "package c\n"); c.file("cases.csv", "a\n3\n") },
			"the library, cases.csv have"},
		{"a file beside the notebook", func() { c.file("mine.go", "package mine\n\nconst More = 1\n") },
			"the module mine has"},
		{"a test of it", func() { c.file("mine_test.go", "package mine\n") }, ""},
		{"an editor's lock", func() { os.Symlink("who@where.1", ".#mine.go") }, ""},
		{"a file beside the lock", func() { c.file("mine.go", "package mine\n\nconst More = 2\n") },
			"the module mine has"},
		{"a copy that Go ignores", func() { c.file("_mine.go", "package") }, ""},
		{"its versions", func() { c.file("go.mod", "module mine\n\ngo 1.26.0\n") }, "the module mine has"},
		{"the file is gone", func() { os.Remove("cases.csv") }, "cases.csv has"},
	} {
		step.change()
		computed, said := c.run()
		if computed != (step.said != "") {
			t.Errorf("%s: computed %v", step.name, computed)
		}
		if want := "rows: computed anew, as " + step.said + " changed\n"; step.said != "" && said != want {
			t.Errorf("%s: said %q, want %q", step.name, said, want)
		}
		if computed, said := c.run(); computed || said != "" {
			t.Errorf("%s, again: computed %v, said %q", step.name, computed, said)
		}
	}
}

// TestKeepUnreadable has a file of Go's beside the notebook that cannot be read: Keep cannot tell what would be stale,
// and Kept says to ask it.
func TestKeepUnreadable(t *testing.T) {
	c := newCell(t)
	c.run()
	if err := os.Symlink("nowhere", "link.go"); err != nil {
		t.Skip(err)
	}
	v := 0
	err := keep("rows", &v, func() { t.Error("computed") }, caller{"/x/main.go", 11}, nil)
	if err == nil || !strings.Contains(err.Error(), "module mine") || !strings.Contains(err.Error(), "link.go") {
		t.Errorf("error %v", err)
	}
	c.out.Reset()
	want := "the module mine has changed"
	if err := kept("rows", &v); err != nil || v != 7 || !strings.Contains(c.out.String(), want) {
		t.Errorf("%d, %v, said %q", v, err, &c.out)
	}
	os.Remove("link.go")
	if computed, said := c.run(); computed {
		t.Errorf("computed anew, said %q", said)
	}
}

// TestKeepModulesBehind changes a module of the workspace that only another one imports.
func TestKeepModulesBehind(t *testing.T) {
	c := newCell(t)
	c.file("go.work", "go 1.26\n\nuse (\n\t.\n\t./behind\n\t./beside\n\t\"./my lib\"\n)\n")
	for _, name := range []string{"behind", "beside"} {
		c.file(name+"/go.mod", "module "+name+"\n\ngo 1.26\n")
		c.file(name+"/a.go", "package a\n")
	}
	c.file("mine.go", "package mine\n\nimport \"behind\"\n")
	c.run()
	c.file("beside/a.go", "package a\n\nconst More = 1\n")
	if computed, said := c.run(); computed {
		t.Errorf("computed anew for a module that nothing imports, said %q", said)
	}
	c.file("behind/a.go", "package a\n\nconst More = 1\n")
	v := 0
	c.out.Reset()
	if err := kept("rows", &v); err != nil || !strings.Contains(c.out.String(), "the module behind has changed") {
		t.Errorf("%v, said %q", err, &c.out)
	}
	if computed, said := c.run(); !computed || !strings.Contains(said, "the module behind has changed") {
		t.Errorf("computed %v, said %q", computed, said)
	}
}

func TestKeepArguments(t *testing.T) {
	c := newCell(t)
	df := func(x float64) dataframe.DataFrame { return dataframe.New(series.New([]float64{x}, series.Float, "x")) }
	c.file("notes.txt", "a")
	one, two := map[string]int{"a": 1, "b": 2}, learn.MAP{Pseudocount: 2}
	c.run(3, df(1), one, "notes.txt", learn.MAP{Pseudocount: 1})
	again := map[string]int{"b": 2, "a": 1}
	if computed, _ := c.run(3, df(1), again, "notes.txt", learn.MAP{Pseudocount: 1}); computed {
		t.Error("computed with the same arguments")
	}
	for _, also := range [][]any{
		{4, df(1), one, "notes.txt", learn.MAP{Pseudocount: 1}},
		{4, df(2), one, "notes.txt", learn.MAP{Pseudocount: 1}},
		{4, df(2), map[string]int{"a": 1, "b": 3}, "notes.txt", learn.MAP{Pseudocount: 1}},
		{4, df(2), map[string]int{"a": 1, "b": 3}, "notes.txt", two},
		{4, df(2), map[string]int{"a": 1, "b": 3}, "notes.txt", two, lungs(t)},
		{},
	} {
		if computed, said := c.run(also...); !computed || !strings.Contains(said, "an argument has changed") {
			t.Errorf("%v: computed %v, said %q", also, computed, said)
		}
	}
	c.run("notes.txt")
	c.file("notes.txt", "b")
	if computed, said := c.run("notes.txt"); !computed || !strings.Contains(said, "as notes.txt has changed") {
		t.Errorf("a file named in an argument: computed %v, said %q", computed, said)
	}
	err := keep("rows", new(int), nil, caller{"/x/main.go", 11}, []any{func() {}})
	if err == nil || !strings.Contains(err.Error(), "argument 3: a func() cannot be compared") {
		t.Errorf("error %v", err)
	}
}

func TestKept(t *testing.T) {
	c := newCell(t)
	n := 0
	if err := kept("rows", &n); err == nil || !strings.Contains(err.Error(), "(nothing is kept there)") {
		t.Errorf("error %v", err)
	}
	c.run()
	want := `(there is: rows): run the cell with nb.Keep("row"`
	if err := kept("row", &n); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v", err)
	}
	if err := kept("rows", &n); err != nil || n != 7 || c.out.String() != "" {
		t.Errorf("%d, %v, said %q", n, err, &c.out)
	}
	c.file("cases.csv", "a\n9\n")
	if err := kept("rows", &n); err != nil || !strings.HasPrefix(c.out.String(), "rows: kept on ") ||
		!strings.HasSuffix(c.out.String(), ", and cases.csv has changed since; run the cell that keeps it\n") {
		t.Errorf("%v, said %q", err, &c.out)
	}
	if err := kept("rows", new(string)); err == nil || !strings.Contains(err.Error(), "of type int, not string") {
		t.Errorf("error %v", err)
	}
	files, _ := filepath.Glob(".gonb_cache/rows-*.gob")
	if len(files) != 1 {
		t.Fatalf("files %q", files)
	}
	c.run()
	c.file(files[0], "damaged")
	if err := kept("rows", &n); err == nil || !strings.Contains(err.Error(), "is not as it was written") {
		t.Errorf("error %v", err)
	}
	if computed, said := c.run(); !computed || said != "rows: computed anew, as its file has changed\n" {
		t.Errorf("damaged: computed %v, said %q", computed, said)
	}
}

func TestKeepInterrupted(t *testing.T) {
	c := newCell(t)
	wasInterrupted.Store(true)
	defer wasInterrupted.Store(false)
	if computed, said := c.run(); !computed || said != "rows: not kept, as the cell was interrupted\n" {
		t.Errorf("computed %v, said %q", computed, said)
	}
	if err := kept("rows", new(int)); err == nil {
		t.Error("what was interrupted is kept")
	}
}

type nested struct {
	Name string
	By   map[string][]float64
	More *nested
}

// TestKeepValues keeps values of each kind and wants the same back.
func TestKeepValues(t *testing.T) {
	newCell(t)
	t.Setenv("BNLAB_KEEP", "a/new/folder")
	fitted, _ := fittedLungs(t)
	df := frame()
	df.Elem(1, 0).Set("NaN") // a missing text beside one that says NaN
	chain := weather(t)
	back := func(name string, v any, same func(got any) bool) {
		t.Helper()
		into := reflect.New(reflect.TypeOf(v))
		s, err := newShelf(name)
		if err != nil {
			t.Fatal(err)
		}
		into.Elem().Set(reflect.ValueOf(v))
		if err := s.write(sources{}, into.Interface()); err != nil {
			t.Fatal(err)
		}
		got := reflect.New(reflect.TypeOf(v))
		if err := kept(name, got.Interface()); err != nil {
			t.Fatal(err)
		}
		if !same(got.Elem().Interface()) {
			t.Errorf("%s: %v came back as %v", name, v, got.Elem())
		}
	}
	equal := func(v any) func(any) bool { return func(got any) bool { return reflect.DeepEqual(v, got) } }
	for name, v := range map[string]any{"text": "a\nb", "bits": math.Pi, "list": []int{3, 1},
		"nested": &nested{"x", map[string][]float64{"a": {1, math.Inf(1)}}, &nested{Name: "y"}}} {
		back(name, v, equal(v))
	}
	back("model", fitted, func(got any) bool {
		m := got.(*bnkit.Model)
		return m.Net.String() == fitted.Net.String() && m.LogLikelihood == fitted.LogLikelihood &&
			reflect.DeepEqual(m.Net.CPT(0).P, fitted.Net.CPT(0).P)
	})
	back("network", fitted.Net, func(got any) bool {
		return reflect.DeepEqual(got.(*bn.Network).CPT(0).P, fitted.Net.CPT(0).P)
	})
	back("weather", chain, func(got any) bool { return got.(*dbn.Network).String() == chain.String() })
	back("frame", df, func(got any) bool {
		g := got.(dataframe.DataFrame)
		return reflect.DeepEqual(g.Names(), df.Names()) && reflect.DeepEqual(g.Types(), df.Types()) &&
			reflect.DeepEqual(g.Records(), df.Records()) &&
			reflect.DeepEqual(g.Col("name").IsNaN(), df.Col("name").IsNaN())
	})
}

func TestKeepErrors(t *testing.T) {
	c := newCell(t)
	c.run()
	type private struct{ x int }
	for want, v := range map[string]any{
		"has the field x, which would be lost": &private{1},
		"func() is not plain data":             new(func()),
		"the function returned nil":            new(*bnkit.Model),
		"[]interface {}: interface {} is not":  new([]any),
	} {
		s, _ := newShelf("wrong")
		if err := s.write(sources{}, v); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	for _, name := range []string{"", "a/b", "..", "a b", strings.Repeat("a", 101)} {
		err := keep(name, new(int), nil, caller{}, nil)
		if err == nil || !strings.Contains(err.Error(), "letters, digits") {
			t.Errorf("%q: error %v", name, err)
		}
	}
	with := strings.NewReplacer("func main() {", "func main() {}\n\nfunc f(k int) {", "+ n", "+ n + k")
	c.text = with.Replace(c.text)
	c.file(filepath.Join(os.Getenv("GONB_TMP_DIR"), "main.go"), c.text)
	err := keep("rows", new(int), nil, caller{"main.go", 13}, nil)
	if err == nil || !strings.Contains(err.Error(), "the parameter k is not in the text") {
		t.Errorf("error %v", err)
	}
	temporary, _ := filepath.Glob(".gonb_cache/.*")
	if len(temporary) > 0 {
		t.Errorf("left over: %q", temporary)
	}
}
