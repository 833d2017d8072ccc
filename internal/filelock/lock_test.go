package filelock_test

import (
	"os"
	"path/filepath"
	"testing"

	"bnlab/internal/filelock"
)

func TestTry(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{path, dir} {
		if !filelock.Abandoned(path) {
			t.Fatalf("%s: nobody holds it, want abandoned", path)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if ok, err := filelock.Try(f); !ok || err != nil {
			t.Fatalf("Try(%s) = %v, %v, want the lock", path, ok, err)
		}
		if filelock.Abandoned(path) {
			t.Errorf("%s: held, want not abandoned", path)
		}
		f.Close()
		if !filelock.Abandoned(path) {
			t.Errorf("%s: closed, want abandoned", path)
		}
	}
	if filelock.Abandoned(filepath.Join(dir, "none")) {
		t.Error("a file that is not there counts as abandoned")
	}
}
