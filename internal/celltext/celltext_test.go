package celltext

import (
	"slices"
	"strings"
	"testing"
)

const cell = `package main

import (
	"bnlab/bnkit"
	"bnlab/bnkit/nb"
	"strings"
)

const file = "patients.csv"

var unused = strings.ToUpper("x")

type weights []float64

func (w weights) sum() float64 { return w[0] }

func total(w weights) float64 { return w.sum() + half }

var half = 0.5

func helper() int { return 3 }

func main() {
	df := nb.Must(bnkit.ReadCSV(file, nil))
	nb.Table(df) // shown
	other := 1
	w := weights{1}
	w[0] = 2
	model := nb.Keep("model", func() float64 {
		return total(w) + float64(df.Nrow())
	})
	nb.Println(model, other)
}

func fitted(rows, seed int) int {
	return nb.Keep("fitted", func() int { return rows + seed }, rows)
}
`

func lineOf(src, text string) int { return 1 + strings.Count(src[:strings.Index(src, text)], "\n") }

// of returns the part of the call with this name in a changed cell.
func of(t *testing.T, name string, change ...string) Part {
	t.Helper()
	src := strings.NewReplacer(change...).Replace(cell)
	p, err := Of([]byte(src), "Keep", lineOf(src, `Keep("`+name))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestOf(t *testing.T) {
	p := of(t, "model")
	if want := []string{"patients.csv", "model"}; !slices.Equal(sorted(p.Strings), sorted(want)) {
		t.Errorf("strings %q, want %q", p.Strings, want)
	}
	if want := []string{"bnlab/bnkit", "bnlab/bnkit/nb"}; !slices.Equal(p.Imports, want) {
		t.Errorf("imports %q, want %q", p.Imports, want)
	}
	if len(p.Unstated) > 0 {
		t.Errorf("main has no parameters, but %q", p.Unstated)
	}
	for _, same := range [][]string{
		{"// shown", "// Anything."},
		{"other := 1", "other := 2"},
		{"nb.Table(df)", "nb.Head(df, 3)"},
		{"return 3", "return 4"},
		{`ToUpper("x")`, `ToUpper("y")`},
		{"nb.Println(model, other)", "nb.Println(other)"},
		{"	w := weights{1}\n", "\n\tw := weights{\n\t\t1}\n"},
		{"var half = 0.5\n\nfunc helper() int { return 3 }\n", "func helper() int { return 3 }\n\nvar half = 0.5\n"},
	} {
		if of(t, "model", same...).Text != p.Text {
			t.Errorf("%q changes the part", same)
		}
	}
	for _, other := range [][]string{
		{"patients.csv", "cases.csv"},
		{"weights{1}", "weights{3}"},
		{"w[0] = 2", "w[0] = 3"},
		{"return w[0] }", "return w[1] }"},
		{"half = 0.5", "half = 0.25"},
		{"w.sum() + half", "w.sum() - half"},
		{"float64(df.Nrow())", "float64(df.Ncol())"},
		{"[]float64\n", "[]float32\n"},
	} {
		if of(t, "model", other...).Text == p.Text {
			t.Errorf("%q does not change the part", other)
		}
	}
}

func TestParameters(t *testing.T) {
	if p := of(t, "fitted"); !slices.Equal(p.Unstated, []string{"seed"}) {
		t.Errorf("unstated %q, want seed", p.Unstated)
	}
	if p := of(t, "fitted", "}, rows)", "}, rows, seed)"); len(p.Unstated) > 0 {
		t.Errorf("unstated %q, want none", p.Unstated)
	}
}

func TestNoCall(t *testing.T) {
	if _, err := Of([]byte(cell), "Keep", 1); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("error %v", err)
	}
	if _, err := Of([]byte("package"), "Keep", 1); err == nil {
		t.Error("no error from a file that does not parse")
	}
}

func sorted(s []string) []string { return slices.Sorted(slices.Values(s)) }

const reads = `package main

import (
	"bnlab/bnkit"
	"bnlab/bnkit/nb"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

const folder = "data/"

const file = folder + "a.csv"

func main() {
	name := "x" + os.Args[0]
	model := nb.Keep("model", func() int {
		return BODY
	}, ALSO)
	nb.Println(model, time.Now(), os.Getenv("OTHER"), flag.Arg(0))
}

func helper() string { return os.Getenv("SITE") }
`

// TestOutside finds what a computation reads besides its text, in the text or as something that must be given.
func TestOutside(t *testing.T) {
	t.Setenv("SITE", "siteA")
	for _, test := range []struct {
		body, also string
		env        string
		args       bool
		unknown    string // a part of the only one
		file       string // that is watched
	}{
		{"1", "1", "", false, "", ""},
		{`len(os.Getenv("SITE"))`, "1", "SITE", false, "", ""},
		{"len(helper())", "1", "SITE", false, "", ""},
		{`len(os.ExpandEnv("$HOME/${SITE}.csv"))`, "1", "HOME SITE", false, "", ""},
		{"len(os.Getenv(folder))", "1", "data/", false, "", ""},
		{"len(os.Getenv(pick()))", "1", "", false, "os.Getenv(pick())", ""},
		{"len(os.Getenv(pick()))", "os.Getenv(pick())", "", false, "", ""},
		{"len(os.Args)", "1", "", true, "", ""},
		{"len(flag.Args())", "1", "", true, "", ""},
		{"time.Now().Day()", "1", "", false, "time.Now (the time)", ""},
		{"time.Now().Day()", "time.Now().Day()", "", false, "", ""},
		{"len(os.Environ())", "1", "", false, "os.Environ()", ""},
		{"rows(bnkit.ReadCSV(file, nil))", "1", "", false, "", "data/a.csv"},
		{`rows(bnkit.ReadCSV(folder + "b.csv", nil))`, "1", "", false, "", "data/b.csv"},
		{`rows(bnkit.ReadCSV(site() + ".csv", nil))`, "1", "", false, `site()+".csv"`, ""},
		{`rows(bnkit.ReadCSV(site() + ".csv", nil))`, `site()+".csv"`, "", false, "", ""},
		{`rows(os.ReadFile(filepath.Join(folder, site())))`, "1", "", false, "filepath.Join(folder,site())", ""},
		{`rows(os.Open(fmt.Sprintf("%d.csv", 1)))`, "1", "", false, "fmt.Sprintf", ""},
		{`rows(os.ReadFile(os.Getenv("SITE") + "/a.csv"))`, "1", "SITE", false, "", "siteA/a.csv"},
		{`rows(os.ReadFile(filepath.Join(os.Getenv("SITE"), "a.csv")))`, "1", "SITE", false, "", "siteA/a.csv"},
		{"rows(os.ReadFile(name))", "1", "", true, "name (the name of a file", ""},
		{"rows(os.ReadFile(name))", "name", "", true, "", ""},
	} {
		src := strings.NewReplacer("BODY", test.body, "ALSO", test.also).Replace(reads)
		p, err := Of([]byte(src), "Keep", lineOf(src, `Keep("model`))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(p.Env, " "); got != test.env || p.Args != test.args {
			t.Errorf("%s, %s: environment %q, arguments %v", test.body, test.also, got, p.Args)
		}
		if len(p.Unknown) > 1 || (len(p.Unknown) == 1) != (test.unknown != "") ||
			!strings.Contains(strings.Join(p.Unknown, ""), test.unknown) {
			t.Errorf("%s, %s: unknown %q, want %q", test.body, test.also, p.Unknown, test.unknown)
		}
		if test.file != "" && !slices.Contains(p.Strings, test.file) {
			t.Errorf("%s: strings %q, want %q", test.body, p.Strings, test.file)
		}
	}
}
