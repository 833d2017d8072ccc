package main

import (
	"context"
	"encoding/csv"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"bnlab/experiments/guarantees"
	"bnlab/experiments/run"
	"bnlab/internal/numtest"
)

// otherProcessor takes from Go's own code what not all processors have: fused multiply-add, with which
// math.FMA and math.Exp round otherwise, and other ways to copy memory.
const otherProcessor = "cpu.avx2=off,cpu.fma=off,cpu.erms=off,cpu.fsrm=off"

// childDir names the directory that a process started by TestProcessors writes to.
const childDir = "BNLAB_TEST_PROCESSOR_DIR"

// TestProcessors: results of a quick experiment do not depend on the processor, to 1e-9.
func TestProcessors(t *testing.T) {
	if dir := os.Getenv(childDir); dir != "" {
		status, _, stderr := invoke(context.Background(), []run.Experiment{guarantees.Experiment{}}, "-profile",
			"quick", "-out", dir)
		if status != exitOK {
			t.Fatalf("exit status %d: %s", status, stderr)
		}
		return
	}
	if !numtest.Full() {
		t.Skip("runs an experiment twice: with BNLAB_FULL=1")
	}
	this, other := t.TempDir(), t.TempDir()
	for dir, settings := range map[string]string{this: "", other: otherProcessor} {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestProcessors$")
		cmd.Env = append(os.Environ(), childDir+"="+dir, "GODEBUG="+settings, "BNLAB_OFFLINE=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("GODEBUG=%s: %v\n%s", settings, err, out)
		}
	}
	files, err := filepath.Glob(filepath.Join(this, "*", "n06-*.csv"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no tables: %v", err)
	}
	numbers := 0
	for _, file := range files {
		name, err := filepath.Rel(this, file)
		if err != nil {
			t.Fatal(err)
		}
		a, b := cells(t, file), cells(t, filepath.Join(other, name))
		if len(a) != len(b) {
			t.Errorf("%s: %d cells, and %d on the other processor", name, len(a), len(b))
			continue
		}
		for i := range a {
			x, errX := strconv.ParseFloat(a[i], 64)
			y, errY := strconv.ParseFloat(b[i], 64)
			if errX != nil || errY != nil {
				if a[i] != b[i] {
					t.Errorf("%s: %q, and %q on the other processor", name, a[i], b[i])
				}
				continue
			}
			numbers++
			if !(math.Abs(x-y) <= 1e-9*max(1, math.Abs(x))) {
				t.Errorf("%s, cell %d: %v, and %v on the other processor", name, i, x, y)
			}
		}
	}
	if numbers < 100 {
		t.Errorf("only %d numbers were compared", numbers)
	}
}

// cells are those of a CSV file, row by row.
func cells(t *testing.T, path string) []string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return slices.Concat(rows...)
}
