package run

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestUsesFollowsImports(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(root, "experiments", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a/a.go", "package a\n\nimport (\n\t\"fmt\"\n\t\"bnlab/experiments/b\"\n\t\"bnlab/experiments/run\"\n)\n")
	write("a/a_test.go", "package a\n\nimport \"bnlab/experiments/d\"\n")
	write("b/b.go", "package b\n\nimport \"bnlab/experiments/c\"\n")
	write("c/c.go", "package c\n\nimport \"bnlab/experiments/a\"\n")
	if got, want := uses(root, "a"), []string{"a", "b", "c"}; !slices.Equal(got, want) {
		t.Errorf("uses %v, want %v", got, want)
	}
}

// TestShared: whatever an experiment imports, directly or not, is hashed. Results of code that has moved out of
// sight would be taken for those of today's.
func TestShared(t *testing.T) {
	root := Root()
	seen := map[string]bool{}
	var follow func(pkg string)
	follow = func(pkg string) {
		if seen[pkg] {
			return
		}
		seen[pkg] = true
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pkg), "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pkg, len(files), err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range f.Imports {
				if other, ok := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), "bnlab/"); ok {
					follow(other)
				}
			}
		}
	}
	const id = "hpm"
	follow("experiments/" + id)
	hashed := slices.Clone(shared)
	for _, used := range uses(root, id) {
		hashed = append(hashed, "experiments/"+used)
	}
	for pkg := range seen {
		if !slices.ContainsFunc(hashed, func(part string) bool { return strings.HasPrefix(pkg+"/", part+"/") }) {
			t.Errorf("%s imports %s, which the hash of the code leaves out", id, pkg)
		}
	}
	if len(seen) < 10 {
		t.Errorf("%d packages: the walk missed imports", len(seen))
	}
}
