// Package datatest finds the data that tests read where they can be had.
package datatest

import (
	"os"
	"path/filepath"
	"testing"
)

// Path returns the place of a file or folder, named with slashes, below the directory that
// BNLAB_DATA names. It skips the test where that is not set.
func Path(t testing.TB, name string) string {
	t.Helper()
	root := os.Getenv("BNLAB_DATA")
	if root == "" {
		t.Skipf("BNLAB_DATA is not set; it names the directory that holds %s", name)
	}
	return filepath.Join(root, filepath.FromSlash(name))
}
