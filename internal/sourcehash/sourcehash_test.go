package sourcehash

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"testing"
)

// The sum tells code apart, by name and content, and does not see tests and documents.
func TestAdd(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	now := func() string {
		t.Helper()
		sum := sha256.New()
		if err := Add(sum, root, "a"); err != nil {
			t.Fatal(err)
		}
		return string(sum.Sum(nil))
	}
	write("a/b/c.go", "one")
	first := now()
	for _, name := range []string{"a/c_test.go", "a/README.md", "a/testdata/x", "a/.hidden", "z/c.go"} {
		if write(name, "more"); now() != first {
			t.Errorf("%s counts", name)
		}
	}
	if write("a/b/c.go", "two"); now() == first {
		t.Error("what a file holds does not count")
	}
	write("a/b/c.go", "one")
	if write("a/b/d.js", ""); now() == first {
		t.Error("the name of a file does not count")
	}
	if err := Add(sha256.New(), root, "none"); !os.IsNotExist(err) {
		t.Errorf("no such folder: %v", err)
	}
}
