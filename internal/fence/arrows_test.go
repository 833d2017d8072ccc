package fence_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestArrows reads all Go files of bnkit and internal, tests and modules of their own among them, which go list does
// not show: the library knows nothing of its users.
func TestArrows(t *testing.T) {
	read := 0
	for _, folder := range []string{"bnkit", "internal"} {
		root := filepath.Join("..", "..", folder)
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
				return err
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
			if err != nil {
				return err
			}
			read++
			for _, spec := range f.Imports {
				imported, err := strconv.Unquote(spec.Path.Value)
				if err != nil {
					return err
				}
				if user := usedBy(imported); user != "" {
					t.Errorf("%s imports %s: what needs %s belongs there", path, imported, user)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if read < 1000 {
		t.Errorf("%d files read: the walk missed some", read)
	}
}

// usedBy names the folder of users of the library that a package is in, if any.
func usedBy(path string) string {
	for _, user := range []string{"datasets", "experiments", "notebooks"} {
		if under(path, module+"/"+user) {
			return user
		}
	}
	return ""
}
