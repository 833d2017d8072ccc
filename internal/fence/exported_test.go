package fence_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mostExported bounds the names that a user of bnkit can meet: types, functions, variables and
// constants at the top level of its packages. A new name needs a user who is not its own package
// (a notebook, an experiment, an Example); better is one that takes the place of two.
const mostExported = 598

// TestExportedNames counts the exported names of bnkit outside internal and testing packages.
func TestExportedNames(t *testing.T) {
	byFolder := map[string]int{}
	root := filepath.Join("..", "..", "bnkit")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "internal" || d.Name() == "testdata" || strings.HasSuffix(d.Name(), "test")) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		if f.Name.Name != "main" {
			byFolder[filepath.Dir(path)] += exported(f)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, folder := range slices.Sorted(maps.Keys(byFolder)) {
		total += byFolder[folder]
		t.Logf("%4d %s", byFolder[folder], strings.TrimPrefix(folder,
			filepath.Join("..", "..")+string(filepath.Separator)))
	}
	t.Logf("%4d in all", total)
	if total < 100 {
		t.Errorf("%d names: the walk missed packages", total)
	}
	if total > mostExported {
		t.Errorf("%d exported names in bnkit, at most %d: unexport or merge some (go test -v shows them by folder)",
			total, mostExported)
	}
}

// exported counts the exported names at the top level of a file; methods and fields are their type's.
func exported(f *ast.File) int {
	n := 0
	count := func(names ...*ast.Ident) {
		for _, name := range names {
			if name.IsExported() {
				n++
			}
		}
	}
	for _, decl := range f.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				count(d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					count(s.Name)
				case *ast.ValueSpec:
					count(s.Names...)
				}
			}
		}
	}
	return n
}

func TestExportedCounts(t *testing.T) {
	src := "package p\nconst A, b = 1, 2\nvar C int\ntype D struct{ E int }\nfunc (D) F() {}\nfunc G() {}\nfunc h() " +
		"{}\n"
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	if n := exported(f); n != 4 {
		t.Errorf("%d exported names, want 4: A, C, D, G", n)
	}
}
