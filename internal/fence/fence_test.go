// Package fence_test keeps the packages in their order: each imports only what
// ARCHITECTURE.md says it may, and heavy dependencies stay behind one door each.
package fence_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// row is a layer of the module: packages that may import each other, and what
// else of the module they may import. A package stands for those below it too.
type row struct {
	packages []string
	imports  string
}

// table is the package map, in the order in which data flow. An import of "all"
// allows every row above. Packages in a folder internal are in no row: what they import
// counts as imported by their user.
var table = []row{
	{[]string{"bnkit/bn"}, ""},
	{[]string{"bnkit/format/bif"}, "bnkit/bn"},
	{[]string{"bnkit/format"}, "bnkit/bn bnkit/format/bif"},
	{[]string{"bnkit/data"}, "bnkit/bn"},
	{[]string{"bnkit/format/arff", "bnkit/format/parquet"}, "bnkit/bn bnkit/data"},
	{[]string{"bnkit/infer"}, "bnkit/bn bnkit/data"},
	{[]string{"bnkit/constraint"}, "bnkit/bn"},
	{[]string{"bnkit/knowledge"}, "bnkit/bn bnkit/data bnkit/constraint bnkit/learn"},
	{[]string{"bnkit/learn"}, "bnkit/bn bnkit/data bnkit/infer bnkit/constraint"},
	{[]string{"bnkit/learn/sharing"}, "bnkit/bn bnkit/data bnkit/constraint"},
	{[]string{"bnkit/dbn"}, "bnkit/bn bnkit/data bnkit/infer bnkit/constraint bnkit/learn"},
	{[]string{"bnkit/structure"}, "bnkit/bn bnkit/data bnkit/dbn bnkit/constraint"},
	{[]string{"bnkit/structure/hierarchy"}, "bnkit/bn bnkit/data bnkit/dbn bnkit/structure"},
	{[]string{"bnkit/structure/posterior"}, "bnkit/bn bnkit/structure"},
	{[]string{"bnkit/structure/incomplete"},
		"bnkit/bn bnkit/data bnkit/infer bnkit/constraint bnkit/learn bnkit/structure"},
	{[]string{"bnkit/sqldata"}, "bnkit/bn bnkit/data"},
	{[]string{"bnkit/hpm"}, ""},
	{[]string{"bnkit/metric"}, "bnkit/bn bnkit/data bnkit/infer"},
	{[]string{"bnkit/validate"}, "bnkit/bn bnkit/data bnkit/learn bnkit/metric bnkit/structure"},
	{[]string{"bnkit/viz"}, "bnkit/bn bnkit/learn bnkit/metric bnkit/validate"},
	{[]string{"bnkit"}, "all"},
	{[]string{"bnkit/nb"}, "bnkit/bn bnkit/dbn bnkit/infer bnkit/learn bnkit/structure bnkit bnkit/viz"},
	{[]string{"datasets"}, "bnkit"},
	{[]string{"experiments"}, "all"},
	{[]string{"notebooks"}, ""},
}

// fences names the packages that may import a dependency. For plot they are
// viz and those that draw with it, since a figure is a *plot.Plot.
var fences = []struct {
	dependency string
	allowed    func(p pkg) bool
	reason     string
}{
	{"github.com/go-gota/gota", in("bnkit", "bnkit/nb", "datasets", "experiments"),
		"turn a frame into a data.Table at the edge"},
	{"gonum.org/v1/plot", func(p pkg) bool {
		return in("bnkit/viz")(p) ||
			slices.Contains(p.Imports, module+"/bnkit/viz")
	},
		"pictures are made by bnkit/viz"},
	{"github.com/apache/arrow-go/v18", in("bnkit/format/parquet"),
		"Parquet is read and written by bnkit/format/parquet"},
	{module + "/bnkit/format/parquet", func(p pkg) bool {
		return in("bnkit/format/parquet", "experiments")(p) || isHostile(p)
	},
		"with it every notebook cell takes twice as long to link; bnkit.Frame makes a frame of what it reads"},
	{"github.com/jackc/pgx/v5", in(),
		"sqldata takes any database/sql driver and imports none; bnkit/sqldata/drivers has tests with some"},
	{"github.com/janpfeifer/gonb", in("bnkit/nb"),
		"show things in a notebook through bnkit/nb"},
	{"math/rand", in(), "use math/rand/v2, with a source passed in"},
	{module + "/bnkit", func(p pkg) bool { return !under(local(p.ImportPath), "internal") || isHostile(p) },
		"internal/ knows nothing of bnkit; what does is in bnkit/internal, or internal to its only user"},
}

const module = "bnlab"

// isHostile tells whether a package is the program that tries hostile cases, which nothing can import.
func isHostile(p pkg) bool { return local(p.ImportPath) == "internal/hostile" }

// isInternal tells whether a package is one that users of bnlab cannot import.
func isInternal(name string) bool { return slices.Contains(strings.Split(name, "/"), "internal") }

// pkg is what `go list -json` says of a package, without its tests.
type pkg struct {
	ImportPath string
	Imports    []string
}

func TestFence(t *testing.T) {
	// go list is another process. Having read the folders ourselves, go test knows
	// that a cached result of this test depends on what is in them.
	for _, folder := range []string{"internal", "bnkit", "datasets", "experiments", "notebooks"} {
		filepath.WalkDir("../../"+folder, func(string, fs.DirEntry, error) error { return nil })
	}
	packages := list(t)
	if len(packages) < 2 {
		t.Fatalf("go list found %d packages", len(packages))
	}
	for _, v := range violations(packages) {
		t.Error(v)
	}
}

func list(t *testing.T) []pkg {
	t.Helper()
	// -e: what does not build is for the compiler to report.
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Imports", module+"/...")
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %s", exit.Stderr)
		}
		t.Fatal(err)
	}
	var packages []pkg
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := decoder.Decode(&p); err == io.EOF {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

// violations says in words which imports the table and the fences forbid.
func violations(packages []pkg) []string {
	byPath := map[string]pkg{}
	for _, p := range packages {
		byPath[p.ImportPath] = p
	}
	var found []string
	for _, p := range packages {
		for _, f := range fences {
			for _, imported := range p.Imports {
				isNext := imported == f.dependency+"/v2" // math/rand/v2 is no part of math/rand
				if under(imported, f.dependency) && !isNext && !f.allowed(p) {
					found = append(found, fmt.Sprintf("%s imports %s: %s", p.ImportPath, imported, f.reason))
				}
			}
		}
		name := local(p.ImportPath)
		if isInternal(name) || strings.HasSuffix(name, "test") { // what only tests import
			continue
		}
		at := find(name)
		if at < 0 {
			found = append(found, fmt.Sprintf("%s is in no row of the table: add it here and to ARCHITECTURE.md",
				p.ImportPath))
			continue
		}
		for _, imported := range reach(p, byPath) {
			if to := find(imported); to != at && !allows(at, to) {
				found = append(found, fmt.Sprintf("%s imports %s/%s, which its row of the table does not list",
					p.ImportPath, module, imported))
			}
		}
	}
	return found
}

// reach returns the packages of the module that p imports itself or through
// internal ones.
func reach(p pkg, byPath map[string]pkg) []string {
	var names []string
	seen := map[string]bool{}
	var visit func(pkg)
	visit = func(p pkg) {
		for _, path := range p.Imports {
			if !under(path, module) || seen[path] {
				continue
			}
			seen[path] = true
			if isInternal(local(path)) {
				visit(byPath[path])
			} else {
				names = append(names, local(path))
			}
		}
	}
	visit(p)
	return names
}

// find returns the row of a package, the one that names most of its path, or -1. The root
// package bnkit stands for itself only.
func find(name string) int {
	at, longest := -1, 0
	for i, r := range table {
		for _, p := range r.packages {
			if (name == p || p != "bnkit" && under(name, p)) && len(p) > longest {
				at, longest = i, len(p)
			}
		}
	}
	return at
}

func allows(from, to int) bool {
	if to < 0 {
		return true // reported once, for the unknown package itself
	}
	if table[from].imports == "all" {
		return to < from
	}
	return slices.ContainsFunc(strings.Fields(table[from].imports), func(name string) bool { return find(name) == to })
}

func in(names ...string) func(pkg) bool {
	return func(p pkg) bool {
		at := find(local(p.ImportPath))
		return slices.ContainsFunc(names, func(name string) bool { return at >= 0 && find(name) == at })
	}
}

func local(path string) string { return strings.TrimPrefix(path, module+"/") }

func under(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, folder+"/")
}

// TestViolations breaks each rule once.
func TestViolations(t *testing.T) {
	tests := []struct {
		name     string
		packages []pkg
		want     string // part of the only violation; empty for none
	}{
		{"listed", []pkg{{"bnlab/bnkit/format/bif", []string{"io", "bnlab/bnkit/bn"}}}, ""},
		{"not listed", []pkg{{"bnlab/bnkit/bn", []string{"bnlab/bnkit/data"}}},
			"bnlab/bnkit/bn imports bnlab/bnkit/data"},
		{"root from below", []pkg{{"bnlab/bnkit/viz", []string{"bnlab/bnkit"}}},
			"bnlab/bnkit/viz imports bnlab/bnkit,"},
		{"all above", []pkg{{"bnlab/bnkit", []string{"bnlab/bnkit/viz", "bnlab/bnkit/learn"}}}, ""},
		{"not all below", []pkg{{"bnlab/bnkit", []string{"bnlab/datasets"}}}, "bnlab/bnkit imports bnlab/datasets"},
		{"same row", []pkg{{"bnlab/experiments", []string{"bnlab/experiments/run"}}}, ""},
		{"unknown package", []pkg{{"bnlab/bnkit/utils", nil}}, "no row"},
		{"through internal", []pkg{
			{"bnlab/bnkit/bn", []string{"bnlab/bnkit/internal/deep"}},
			{"bnlab/bnkit/internal/deep", []string{"bnlab/bnkit/internal/deeper"}},
			{"bnlab/bnkit/internal/deeper", []string{"bnlab/bnkit/learn"}},
		}, "bnlab/bnkit/bn imports bnlab/bnkit/learn"},
		{"gota outside", []pkg{{"bnlab/bnkit/learn", []string{"github.com/go-gota/gota/dataframe"}}}, "data.Table"},
		{"bnkit from hostile", []pkg{{"bnlab/internal/hostile", []string{"bnlab/bnkit/learn"}}}, ""},
		{"bnkit from internal", []pkg{{"bnlab/internal/deep", []string{"bnlab/bnkit/learn"}}}, "knows nothing"},
		{"gota in internal", []pkg{{"bnlab/internal/x", []string{"github.com/go-gota/gota/series"}}}, "data.Table"},
		{"gota in an experiment", []pkg{{"bnlab/experiments/sharing", []string{"github.com/go-gota/gota/dataframe"}}},
			""},
		{"plot without viz", []pkg{{"bnlab/experiments/sharing", []string{"gonum.org/v1/plot"}}}, "bnkit/viz"},
		{"plot with viz", []pkg{{"bnlab/experiments/sharing", []string{"gonum.org/v1/plot", "bnlab/bnkit/viz"}}}, ""},
		{"gonbui outside", []pkg{{"bnlab/experiments/sharing", []string{"github.com/janpfeifer/gonb/gonbui"}}},
			"bnkit/nb"},
		{"gonum is for everyone", []pkg{{"bnlab/bnkit/bn", []string{"gonum.org/v1/gonum/floats"}}}, ""},
		{"old rand", []pkg{{"bnlab/bnkit/bn", []string{"math/rand"}}}, "math/rand/v2"},
		{"new rand", []pkg{{"bnlab/bnkit/bn", []string{"math/rand/v2"}}}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := violations(test.packages)
			if test.want == "" && len(got) == 0 || len(got) == 1 && test.want != "" &&
				strings.Contains(got[0], test.want) {
				return
			}
			t.Errorf("violations = %q, want %q", got, test.want)
		})
	}
}
