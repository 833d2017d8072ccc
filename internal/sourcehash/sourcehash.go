// Package sourcehash sums up source code, so that what was computed by other code is known as such.
package sourcehash

import (
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Add adds a file, or the files of a folder and those below it, by their names from root and by what they hold.
// Tests, their data, documents and hidden files do not count.
func Add(sum hash.Hash, root, part string) error {
	return filepath.WalkDir(filepath.Join(root, filepath.FromSlash(part)), func(path string, d fs.DirEntry,
		err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "testdata":
			return fs.SkipDir
		case d.IsDir() || strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, ".md") ||
			strings.HasPrefix(d.Name(), "."):
			return nil
		}
		return File(sum, root, path)
	})
}

// File adds one file, by its name from root and by what it holds.
func File(sum hash.Hash, root, path string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	name, err := filepath.Rel(root, path)
	fmt.Fprintf(sum, "%s %d\n", filepath.ToSlash(name), len(b))
	sum.Write(b)
	return err
}
