package run

import (
	"os"
	"path/filepath"
	"slices"
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
