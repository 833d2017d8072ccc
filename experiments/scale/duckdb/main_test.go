package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"bnlab/experiments/run"
)

// TestParse: results go where the runner of experiments puts them.
func TestParse(t *testing.T) {
	root := run.Root()
	for args, want := range map[string]string{
		"":                          filepath.Join(root, "build", "quick"),
		"-profile large":            filepath.Join(root, "build", "large"),
		"-profile paper":            filepath.Join(root, "build", "paper"),
		"-out x -seed 3 -workers 1": "x",
	} {
		o, err := parse(strings.Fields(args))
		if err != nil || o.Out != want {
			t.Errorf("%q: %q, %v; want %q", args, o.Out, err, want)
		}
	}
}

// TestBadCommandLine: status 2, and words that help.
func TestBadCommandLine(t *testing.T) {
	for args, words := range map[string]string{
		"-profile slow": "slow", "-workers 0": "at least 1", "scale": "not wanted", "-fast": "-fast", "-seed x": "seed",
	} {
		var out, errors bytes.Buffer
		if status := command(context.Background(), strings.Fields(args), &out, &errors); status != 2 ||
			!strings.Contains(errors.String(), words) || !strings.Contains(errors.String(), "usage") {
			t.Errorf("%q: status %d, %s", args, status, errors.String())
		}
	}
}

// TestInterrupted: status 130, and nothing is written.
func TestInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	dir := t.TempDir()
	var out, errors bytes.Buffer
	if status := command(ctx, []string{"-out", dir}, &out, &errors); status != 130 {
		t.Errorf("status %d, %s", status, errors.String())
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "scale", "*")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}
