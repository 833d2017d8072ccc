//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package atomicfile

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"bnlab/internal/filelock"
)

// TestHolds: a sweep that has the lock of a file is about to remove it, so that its writer does not hold it.
func TestHolds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sweeper, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if free, err := filelock.Try(sweeper); !free || err != nil {
		t.Fatal(free, err)
	}
	if holds(f) {
		t.Error("held while another has the lock")
	}
	sweeper.Close()
	if !holds(f) {
		t.Error("not held though nobody else has the lock")
	}
	removeAbandoned(path)
	if _, err := os.Stat(path); err != nil {
		t.Errorf("removed under its writer: %v", err)
	}
	os.Remove(path)
	if holds(f) {
		t.Error("held though it is gone")
	}
}

// TestSweepLeavesWriters: several writers of one file sweep while each makes its temporary file, and no one's is
// removed. Locks are of open files, so goroutines are to each other what processes are.
func TestSweepLeavesWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.json")
	var writers sync.WaitGroup
	for range 4 {
		writers.Go(func() {
			for range 1000 {
				sweep(path)
				f, err := create(path, false)
				if err != nil {
					t.Error(err)
					return
				}
				sweep(path)
				if err := os.Remove(f.Name()); err != nil {
					t.Errorf("the temporary file of a living writer is gone: %v", err)
				}
				f.Close()
			}
		})
	}
	writers.Wait()
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) > 0 {
		t.Errorf("left in the folder: %v, %v", left, err)
	}
}
