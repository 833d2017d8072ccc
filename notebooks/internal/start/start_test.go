package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestStart makes a notebook for a checkout whose path has all that a shell, JSON or Go could stumble over, and reads
// the path back from the cell, the script and the workspace.
func TestStart(t *testing.T) {
	checkout := filepath.Join(t.TempDir(), `it's "a" $HOME of\mine @v1 é`)
	if err := os.Mkdir(checkout, 0o755); err != nil {
		t.Skip(err) // no such names here
	}
	mod := []byte("module bnlab\n\ngo 1.26.0\n")
	if err := os.WriteFile(filepath.Join(checkout, "go.mod"), mod, 0o644); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := start(checkout, dir); err != nil {
		t.Fatal(err)
	}
	var notebook struct {
		Cells []struct {
			Type   string   `json:"cell_type"`
			Source []string `json:"source"`
		} `json:"cells"`
	}
	if err := json.Unmarshal(read(t, dir, "notebook.ipynb"), &notebook); err != nil {
		t.Fatal(err)
	}
	first := ""
	for _, c := range notebook.Cells {
		if c.Type == "code" {
			first = c.Source[0]
			break
		}
	}
	_, words, ok := strings.Cut(strings.TrimSpace(first), "go work init ")
	if !ok {
		t.Fatalf("the first cell makes no workspace: %s", first)
	}
	out, err := exec.Command("sh", "-c", "printf '%s\\n' "+strings.Replace(words, "$GONB_DIR", dir, 1)).CombinedOutput()
	if want := ".\n" + dir + "\n" + checkout + "\n"; err != nil || string(out) != want {
		t.Errorf("a shell reads %q (%v) from the first cell, want %q", out, err, want)
	}
	out, _ = exec.Command("sh", filepath.Join(dir, "open.sh")).CombinedOutput() // where there is no kernel
	if want := "there is no kernel in " + checkout + "/.tools:"; !strings.HasPrefix(string(out), want) {
		t.Errorf("open.sh says %q, want %q", out, want)
	}
	cmd := exec.Command("go", "list", "-m", "-f", "{{.Path}} {{.Dir}}")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=", "GOPROXY=off")
	out, err = cmd.CombinedOutput()
	if want := "mine " + dir + "\nbnlab " + checkout + "\n"; err != nil || string(out) != want {
		t.Errorf("the workspace has %q (%v), want %q", out, err, want)
	}

	if err := start(checkout, "/tmp/a\nb"); err == nil || !strings.Contains(err.Error(), "control character") {
		t.Errorf("a path with a line break: %v", err)
	}
}

func read(t *testing.T, dir, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}
