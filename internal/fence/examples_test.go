package fence_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEveryVerbHasAnExample: a function that a newcomer types has an example with output, which go test runs: all of
// package bnkit, and the doors of the packages below.
func TestEveryVerbHasAnExample(t *testing.T) {
	for folder, doors := range map[string][]string{
		".": nil, "validate": nil, "learn": {"Fit", "Result_Audit"}, "sqldata": {"Open"},
		"structure": {"Learn", "ArcStrengths"}, "dbn": {"Fit"}, "hpm": {"Fit"}, "infer": {"Posterior"},
		"knowledge": {"Read"}, "structure/hierarchy": {"Hierarchy_Learn"}, "structure/posterior": {"Learn"},
		"structure/incomplete": {"StructuralEM_Learn"},
	} {
		dir := filepath.Join("..", "..", "bnkit", filepath.FromSlash(folder))
		functions, examples := declared(t, dir)
		if doors == nil {
			doors = functions
		}
		if len(doors) == 0 {
			t.Errorf("%s: no functions; the walk missed them", dir)
		}
		for _, name := range doors {
			isOf := func(example string) bool { return example == name || strings.HasPrefix(example, name+"_") }
			if !slices.ContainsFunc(examples, isOf) {
				t.Errorf("%s: %s has no example with output", dir, name)
			}
		}
	}
}

// declared returns the exported functions of a folder and what its examples with output are about.
func declared(t *testing.T, dir string) (functions, examples []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(path, "_test.go") {
			for _, e := range doc.Examples(f) {
				if e.Output != "" || e.EmptyOutput {
					examples = append(examples, e.Name)
				}
			}
			continue
		}
		for _, decl := range f.Decls {
			if d, ok := decl.(*ast.FuncDecl); ok && d.Recv == nil && d.Name.IsExported() {
				functions = append(functions, d.Name.Name)
			}
		}
	}
	return functions, examples
}
