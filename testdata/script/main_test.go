package main

import (
	"path/filepath"
	"testing"

	"bnlab/bnkit/bif"
)

func TestRun(t *testing.T) {
	out := filepath.Join(t.TempDir(), "crowd.bif")
	if err := run("visits.csv", out); err != nil {
		t.Fatal(err)
	}
	net, err := bif.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	crowd, err := net.Table("crowd")
	if err != nil {
		t.Fatal(err)
	}
	// Rain: 5 small and 1 large of 6 cases, and one virtual case in each of the four
	// cells that share: (5+2)/(6+4).
	if got := crowd.Row(0)[0]; got != 0.7 || crowd.Row(1)[0] != got {
		t.Errorf("P(small | rain) = %v and %v, want 0.7", got, crowd.Row(1)[0])
	}
}
