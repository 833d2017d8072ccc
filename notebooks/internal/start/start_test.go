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
	moved(t, checkout, filepath.Join(dir, "open.sh"))
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

// moved sets a checkout up elsewhere and there: open.sh takes only the second, as a kernel's paths are absolute.
func moved(t *testing.T, checkout, script string) {
	t.Helper()
	tools := filepath.Join(checkout, ".tools")
	if err := os.MkdirAll(filepath.Join(tools, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(tools, "bin", "gonb"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	physical, err := filepath.EvalSymlinks(checkout)
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir() // no Jupyter
	for _, name := range []string{"dirname", "id"} {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Skip(err)
		}
		if err := os.Symlink(path, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ stamp, want string }{
		{"", "was set up in another folder: run reproduce.sh --setup"},
		{"/elsewhere go1.26 /go/pkg/mod -mod=readonly 1 2", "was set up in another folder: run reproduce.sh --setup"},
		{physical + "2 go1.26 /go/pkg/mod -mod=readonly 1 2", "was set up in another folder: run reproduce.sh --setup"},
		{physical + " go1.26 /go/pkg/mod -mod=readonly 1 2", "no Jupyter on PATH"},
	} {
		os.Remove(filepath.Join(tools, "stamp"))
		if test.stamp != "" {
			if err := os.WriteFile(filepath.Join(tools, "stamp"), []byte(test.stamp), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command("/bin/sh", script)
		cmd.Env = []string{"PATH=" + bin}
		if out, _ := cmd.CombinedOutput(); !strings.Contains(string(out), test.want) {
			t.Errorf("with the stamp %q open.sh says %q, want %q", test.stamp, out, test.want)
		}
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
