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
	// [Names in XDSL are identifiers. Others are written as such and read back as they were: "lung cancer" as lung_u0020_cancer.] <nil>
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
