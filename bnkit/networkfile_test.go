package bnkit_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/format"
)

func ExampleWriteNetwork() {
	dir, err := os.MkdirTemp("", "bnkit")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	net, err := bn.New("[smoking][lung cancer|smoking]",
		bn.Discrete("smoking", "no", "yes"), bn.Discrete("lung cancer", "no", "yes"))
	if err != nil {
		fmt.Println(err)
		return
	}
	path := filepath.Join(dir, "lung.xdsl")
	lost, err := bnkit.WriteNetwork(path, net)
	fmt.Println(lost, err)
	again, lost, err := bnkit.ReadNetwork(path)
	fmt.Println(again, lost, err)
	// Output:
	// [Names in XDSL are identifiers. Others are written as such and read back as they were: "lung cancer" as lung_cancer_x_.] <nil>
	// [smoking][lung cancer|smoking] [] <nil>
}

func TestReadNetworkRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.dne")
	if err := os.WriteFile(path, []byte("bnet n {\nnode d { kind = DECISION; states = (a, b); };\n};"),
		0o644); err != nil {
		t.Fatal(err)
	}
	_, _, err := bnkit.ReadNetwork(path)
	if !errors.Is(err, format.ErrUnsupported) || !strings.Contains(err.Error(), "line 2, column 6") {
		t.Errorf("a decision: %v", err)
	}
	if _, err := bnkit.WriteNetwork(path, nil); err == nil {
		t.Error("no network is written")
	}
	if _, err := bnkit.WriteNetwork(filepath.Join(t.TempDir(), "a.csv"), nil); err == nil ||
		!strings.Contains(err.Error(), "unknown network format") {
		t.Errorf("a CSV file: %v", err)
	}
}

// TestReadNetworkLimits reads a file that is larger, and one that stands for more, than the limits that are given.
func TestReadNetworkLimits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.net")
	text := "node a { states = (\"x\" \"y\"); }"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		options []format.Reader
		refused bool
	}{
		{nil, false}, {[]format.Reader{{MaxCells: 1}}, true}, {[]format.Reader{{MaxCells: 2}}, false},
		{[]format.Reader{{MaxBytes: 10}}, true}, {[]format.Reader{{MaxBytes: 10}, {MaxBytes: 100}}, false},
	} {
		if _, _, err := bnkit.ReadNetwork(path, x.options...); errors.Is(err, bn.ErrTooLarge) != x.refused {
			t.Errorf("%+v: %v", x.options, err)
		}
	}
}
