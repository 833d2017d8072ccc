package fence_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestInterrupts reads bnkit: only nb, when it is asked for a context, and programs may catch signals.
func TestInterrupts(t *testing.T) {
	read := 0
	for path, f := range library(t) {
		read++
		if catches(f) && !strings.HasPrefix(path, "nb/") {
			t.Errorf("bnkit/%s imports os/signal: take a context; nb.Context is the one that an interrupt ends", path)
		}
	}
	if read < 300 {
		t.Errorf("%d files read: the walk missed some", read)
	}
}

// TestContexts reads bnkit: a context is the first argument of what takes long, never a field of exported structs.
func TestContexts(t *testing.T) {
	for path, f := range library(t) {
		for _, field := range contexts(f) {
			t.Errorf("bnkit/%s: %s is a context: make it the first argument", path, field)
		}
	}
}

// library parses the files of bnkit, without tests and programs, by their paths in it.
func library(t *testing.T) map[string]*ast.File {
	t.Helper()
	files := map[string]*ast.File{}
	root := filepath.Join("..", "..", "bnkit")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err == nil && f.Name.Name != "main" {
			path = strings.TrimPrefix(path, root+string(filepath.Separator))
			files[filepath.ToSlash(path)] = f
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// catches reports whether a file imports os/signal.
func catches(f *ast.File) bool {
	return slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"os/signal"` })
}

// contexts names the fields of exported structs that are contexts.
func contexts(f *ast.File) []string {
	var found []string
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range g.Specs {
			of, ok := spec.(*ast.TypeSpec)
			if !ok || !of.Name.IsExported() {
				continue
			}
			ast.Inspect(of.Type, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncType: // its parameters are no fields of the struct
					return false
				case *ast.Field:
					s, ok := n.Type.(*ast.SelectorExpr)
					if ok && fmt.Sprint(s.X) == "context" && s.Sel.Name == "Context" {
						name := "the embedded field"
						if len(n.Names) > 0 {
							name = n.Names[0].Name
						}
						found = append(found, of.Name.Name+"."+name)
					}
				}
				return true
			})
		}
	}
	return found
}

// TestBrokenContexts breaks both rules.
func TestBrokenContexts(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "", `package p
import ("context"; "os/signal")
type Settings struct { A int; Context context.Context }
type Embeds struct { context.Context }
type run struct { ctx context.Context }
type Fits struct { Do func(context.Context) error }
type Search interface { Run(ctx context.Context) }`, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"Settings.Context", "Embeds.the embedded field"}
	if got := contexts(f); !slices.Equal(got, want) || !catches(f) {
		t.Errorf("found %q, catches %v", got, catches(f))
	}
}
