package fence_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// readsJSON are the files that read JSON by package json themselves, and why a null does no harm there. Others read it
// by package notnull, which refuses a null where package json would leave a zero.
var readsJSON = map[string]string{
	"bnkit/constraint/codec.go":            "notnull.Check follows, as unknown fields are refused",
	"bnkit/save.go":                        "notnull.Check follows, as unknown fields are refused",
	"bnkit/structure/constrained_scope.go": "reads what it has just written, for its names",
	"bnkit/nb/explorelive.go":              "the two parts of a pair, which package notnull reads",
	"internal/notnull/notnull.go":          "is the package",
	"internal/browsertest/browsertest.go":  "helps tests",
	"notebooks/internal/index/notebook.go": "texts of notebooks",
	"notebooks/internal/prose/markers.go":  "texts of notebooks",
	"notebooks/internal/prose/outputs.go":  "texts of notebooks",
}

// TestNullsInJSON keeps json.Unmarshal and json.NewDecoder to those files.
func TestNullsInJSON(t *testing.T) {
	root, files := filepath.Join("..", ".."), 0
	seen := map[string]bool{}
	for _, folder := range []string{"bnkit", "internal", "datasets", "experiments", "notebooks"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			files++
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			name, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			name = filepath.ToSlash(name)
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || called(call) != "json.Unmarshal" && called(call) != "json.NewDecoder" {
					return true
				}
				if seen[name] = true; readsJSON[name] == "" {
					t.Errorf("%s: %s leaves zeros where JSON has null: use notnull.Unmarshal", set.Position(n.Pos()),
						called(call))
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 500 {
		t.Errorf("%d files: the list is not whole", files)
	}
	for name := range readsJSON {
		if !seen[name] {
			t.Errorf("%s does not read JSON; take it from the list", name)
		}
	}
}
