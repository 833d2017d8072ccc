// Package notebooks_test proves that a notebook which fails makes reproduce.sh
// fail, that both say what to do, that the lines of README.md work as they stand, and that Jupyter's page does
// what a visitor expects.
package notebooks_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// run executes a command below the folder dir and returns its exit status and
// all it printed. env is added to the environment.
func run(t *testing.T, dir string, env []string, name string, args ...string) (int, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s: %v", name, err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// python returns the interpreter that reproduce.sh --setup has chosen. The test
// is skipped, with the reason, where there has been no set-up.
func python(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("needs Jupyter: not in -short")
	}
	path, err := os.ReadFile("../.tools/python")
	if err != nil {
		t.Skip("needs Jupyter: run ./reproduce.sh --setup first")
	}
	return strings.TrimSpace(string(path))
}

// expect checks the exit status and that the message has every one of the words.
func expect(t *testing.T, wantStatus, status int, out string, words ...string) {
	t.Helper()
	if status != wantStatus {
		t.Errorf("exit status %d, want %d", status, wantStatus)
	}
	for _, word := range words {
		if !strings.Contains(out, word) {
			t.Errorf("the message does not contain %q", word)
		}
	}
	if t.Failed() {
		t.Logf("printed:\n%s", out)
	}
}

func TestExecuteBadNotebooks(t *testing.T) {
	tests := []struct {
		name string
		want []string // besides the notebook's name
	}{
		{"failing-cell", []string{"code cell 2", "panic: this cell fails"}},
		{"compile-error", []string{"code cell 2", "undefined: undefinedName"}},
		{"failing-shell-line", []string{"code cell 2", "exit status 2", "No such file"}},
		{"unknown-magic", []string{"code cell 2", "%nosuchcommand", "unknown or not implemented"}},
		{"exec-without-code", []string{"code cell 2", "ignores %exec"}},
		{"hanging-cell", []string{"code cell 2", "still running after 5 s", "BNLAB_CELL_TIMEOUT"}},
		{"no-notebook", []string{"not a notebook"}},
	}
	python := python(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			env := []string{"LC_ALL=C", "BNLAB_CELL_TIMEOUT=5"}
			status, out := run(t, "..", env, python, "notebooks/internal/execute.py",
				"--out", t.TempDir(), "testdata/badnotebooks/"+test.name+".ipynb")
			expect(t, 1, status, out, append(test.want, test.name+".ipynb")...)
		})
	}
}

func TestExecuteKernelThatDoesNotStart(t *testing.T) {
	tests := []struct {
		name, kernel string
		want         []string
	}{
		{"none", "", []string{"not installed", "./reproduce.sh --setup"}},
		{"dies",
			`{"argv": ["/bin/sh", "-c", "echo a library is missing >&2; exit 1"], "display_name": "x", "language": "go"}`,
			[]string{"did not start", "a library is missing", "./reproduce.sh --setup"}},
		{"no program", `{"argv": ["/no/such/gonb"], "display_name": "x", "language": "go"}`,
			[]string{"did not start", "/no/such/gonb", "./reproduce.sh --setup"}},
	}
	python := python(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			kernels := t.TempDir()
			if test.kernel != "" {
				write(t, filepath.Join(kernels, "kernels", "gonb", "kernel.json"), test.kernel)
			}
			status, out := run(t, "..", nil, python, "notebooks/internal/execute.py",
				"--kernels", kernels, "--out", t.TempDir(), "testdata/badnotebooks/good.ipynb")
			expect(t, 1, status, out, append(test.want, "good.ipynb")...)
		})
	}
}

// TestExecuteTwice checks that what an execution writes does not depend on chance.
func TestExecuteTwice(t *testing.T) {
	python := python(t)
	var first string
	for range 2 {
		dir := t.TempDir()
		status, out := run(t, "..", []string{"BNLAB_PROFILE=quick"}, python, "notebooks/internal/execute.py",
			"--out", dir, "testdata/badnotebooks/good.ipynb")
		if status != 0 {
			t.Fatalf("exit status %d:\n%s", status, out)
		}
		got := read(t, filepath.Join(dir, "good.ipynb"))
		if !strings.Contains(got, "profile quick") {
			t.Errorf("the executed notebook lacks the cell's output:\n%s", got)
		}
		if html := read(t, filepath.Join(dir, "good.html")); !strings.Contains(html, "profile quick") {
			t.Error("the HTML lacks the cell's output")
		}
		if first != "" && got != first {
			t.Errorf("two executions differ:\n%s\n%s", first, got)
		}
		first = got
	}
}

func TestReproduceRefuses(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("needs bash")
	}
	script, err := filepath.Abs("../reproduce.sh")
	if err != nil {
		t.Fatal(err)
	}
	full, file := t.TempDir(), filepath.Join(t.TempDir(), "notes.txt")
	write(t, filepath.Join(full, "notes.txt"), "")
	write(t, file, "")
	noGo := t.TempDir()
	oldGo := t.TempDir()
	write(t, filepath.Join(oldGo, "go"), "#!"+bash+"\necho go1.20.3\n")
	brokenGo := t.TempDir()
	write(t, filepath.Join(brokenGo, "go"), "#!"+bash+"\necho go: cannot find GOROOT >&2; exit 2\n")

	tests := []struct {
		name   string
		env    []string
		args   []string
		status int
		want   []string
	}{
		{"unknown flag", nil, []string{"--fast"}, 2, []string{"no option '--fast'", "--help explains"}},
		{"an id without --only", nil, []string{"sharing"}, 2, []string{"no option 'sharing'", "--help explains"}},
		{"only without ids", nil, []string{"--only"}, 2, []string{"--only sharing"}},
		{"only with a flag", nil, []string{"--only", "--quick"}, 2, []string{"not '--quick'"}},
		{"only with spaces", nil, []string{"--only=sharing, quickstart"}, 2, []string{"separated by commas"}},
		{"quick update", nil, []string{"--quick", "--update"}, 2, []string{"cannot go with --check or --update"}},
		{"quick check", nil, []string{"--check", "--quick"}, 2, []string{"cannot go with --check or --update"}},
		{"check and update", nil, []string{"--check", "--update"}, 2, []string{"cannot go with --check"}},
		{"notebook without a folder", nil, []string{"--notebook"}, 2, []string{"--notebook needs a folder"}},
		{"notebook before a flag", nil, []string{"--notebook", "--quick"}, 2, []string{"--notebook needs a folder"}},
		{"notebook and a run", nil, []string{"--notebook=mine", "--quick"}, 2, []string{"cannot go with --quick"}},
		{"notebook in a full folder", nil, []string{"--notebook", full}, 1, []string{"there is something in " + full}},
		{"notebook in a file", nil, []string{"--notebook", file}, 1, []string{file + " is not a folder"}},
		{"notebook below a file", nil, []string{"--notebook", file + "/mine"}, 1, []string{file + " is not a folder"}},
		{"notebook in the checkout", nil, []string{"--notebook", filepath.Dir(script) + "/notebooks/x/../mine"}, 1,
			[]string{"inside the checkout", "~/mine"}},
		{"notebook in the checkout by a detour", nil, []string{"--notebook", filepath.Dir(full) + "/none/../" +
			strings.Repeat("../", strings.Count(filepath.Dir(full), "/")) + filepath.Dir(script) + "/mine"}, 1,
			[]string{"'..'", "without it"}},
		{"notebook of somebody", nil, []string{"--notebook=~bob/mine"}, 1, []string{"~bob/mine", "whole path"}},
		{"no data folder", []string{"BNLAB_DATA=no/such"}, []string{"--setup"}, 1,
			[]string{"BNLAB_DATA", "no/such", "not a folder"}},
		{"no Go", []string{"PATH=" + noGo}, []string{"--setup"}, 1, []string{"no 'go' on PATH", "https://go.dev/dl/"}},
		{"old Go", []string{"PATH=" + oldGo}, []string{"--setup"}, 1,
			[]string{"go1.20.3 is too old", "https://go.dev/dl/"}},
		{"broken Go", []string{"PATH=" + brokenGo}, []string{"--setup"}, 1,
			[]string{"cannot find GOROOT", "https://go.dev/dl/"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			status, out := run(t, t.TempDir(), test.env, bash, append([]string{script}, test.args...)...)
			expect(t, test.status, status, out, test.want...)
		})
	}
}

// TestReproduce runs reproduce.sh from end to end in a small checkout of its own,
// at a path with a space, called from elsewhere: with a notebook that is good and
// one that is not, an experiment that fails, and flags that would break the build.
func TestReproduce(t *testing.T) {
	env := []string{"BNLAB_PYTHON=" + python(t), "GOFLAGS=-mod=mod -nosuchflag", "BNLAB_DATA=data"}
	elsewhere := t.TempDir()
	if err := os.Mkdir(filepath.Join(elsewhere, "data"), 0o755); err != nil {
		t.Fatal(err)
	}
	checkout := filepath.Join(t.TempDir(), "a checkout")
	copied := []string{"reproduce.sh", "go.mod", "go.sum"}
	for _, name := range []string{"execute", "cells", "parameters", "processes"} {
		copied = append(copied, "notebooks/internal/"+name+".py")
	}
	for _, name := range []string{"doc", "expression", "main", "markers", "outputs", "tables"} { // what --update runs
		copied = append(copied, "notebooks/internal/prose/"+name+".go")
	}
	for _, name := range copied {
		write(t, filepath.Join(checkout, name), read(t, filepath.Join("..", name)))
	}
	write(t, filepath.Join(checkout, "README.md"), "# A checkout\n") // which prose reads too
	write(t, filepath.Join(checkout, "notebooks", "internal", "index", "main.go"), "package main\n\nfunc main() {}\n")
	write(t, filepath.Join(checkout, "experiments", "main.go"), runner)
	scale := filepath.Join(checkout, "experiments", "scale", "duckdb")
	for _, module := range []string{filepath.Join(checkout, "bnkit", "sqldata", "duckdb"), scale} {
		write(t, filepath.Join(module, "go.mod"), "module duckdb\n\ngo 1.26.0\n")
		write(t, filepath.Join(module, "go.sum"), "")
	}
	write(t, filepath.Join(scale, "main.go"), strings.ReplaceAll(runner, "flag.Args()", `"with DuckDB"`))
	good := filepath.Join(checkout, "notebooks", "01-good.ipynb")
	source := strings.ReplaceAll(read(t, "../testdata/badnotebooks/good.ipynb"), "/../..", "/..")
	write(t, good, source)
	write(t, filepath.Join(checkout, "notebooks", "02-bad.ipynb"),
		read(t, "../testdata/badnotebooks/failing-cell.ipynb"))

	reproduce := func(args ...string) (int, string) {
		return run(t, elsewhere, env, filepath.Join(checkout, "reproduce.sh"), args...)
	}
	t.Run("quick", func(t *testing.T) {
		status, out := reproduce("--quick", "--only", "good")
		expect(t, 0, status, out, "quick", "build/quick/REPORT.md")
		if got := read(t, good); got != source {
			t.Error("--quick has changed a committed notebook")
		}
		if got, want := read(t, filepath.Join(checkout, "build/quick/REPORT.md")),
			filepath.Join(elsewhere, "data")+" [good]\n"; got != want {
			t.Errorf("the runner saw BNLAB_DATA and ids %q, want %q", got, want)
		}
	})
	t.Run("no gopls to be had", func(t *testing.T) {
		real, err := exec.LookPath("go")
		if err != nil {
			t.Fatal(err)
		}
		bin := t.TempDir()
		write(t, filepath.Join(bin, "go"),
			"#!/bin/sh\ncase $* in *gopls*) echo no network >&2; exit 1 ;; esac\nexec "+real+" \"$@\"\n")
		status, out := run(t, elsewhere, append(env, "PATH="+bin+":"+os.Getenv("PATH")),
			filepath.Join(checkout, "reproduce.sh"), "--setup")
		expect(t, 0, status, out, "without gopls", "gopls-install.log", "set up: ")
		if got := read(t, filepath.Join(checkout, ".tools", "gopls-install.log")); got != "no network\n" {
			t.Errorf("the log says %q", got)
		}
	})
	t.Run("update", func(t *testing.T) {
		status, out := reproduce("--only=good", "--update")
		expect(t, 0, status, out, "build/paper/REPORT.md", "updated")
		if got, want := read(t, filepath.Join(checkout, "figures", "UPDATED")), "[good]\n"; got != want {
			t.Errorf("figures/ is updated by %q, want %q", got, want)
		}
		if got := read(t, good); !strings.Contains(got, "profile paper") {
			t.Errorf("--update has not refreshed the notebook:\n%s", got)
		}
		if strings.Contains(out, "set-up:") {
			t.Errorf("the second run sets up again:\n%s", out)
		}
	})
	t.Run("update without data", func(t *testing.T) {
		before := read(t, good)
		status, out := run(t, elsewhere, append(env, "LACKING=brain.csv is not available"),
			filepath.Join(checkout, "reproduce.sh"), "--only=good", "--update")
		expect(t, 1, status, out, "brain.csv is not available", "set BNLAB_DATA")
		if read(t, good) != before {
			t.Error("the notebook was changed")
		}
	})
	t.Run("check", func(t *testing.T) {
		differing := append(env, "DIFFERS=good/kl.csv: row 2")
		status, out := run(t, elsewhere, differing, filepath.Join(checkout, "reproduce.sh"), "--only=good", "--check")
		expect(t, 1, status, out, "good/kl.csv: row 2", "done\n")
		status, out = run(t, elsewhere, differing, filepath.Join(checkout, "reproduce.sh"), "--only=good")
		expect(t, 0, status, out, "good/kl.csv: row 2", "done\n")
	})
	t.Run("second module", func(t *testing.T) {
		if _, err := exec.LookPath("gcc"); err != nil {
			t.Skip("no C compiler")
		}
		status, out := reproduce("--quick", "--only", "scale")
		expect(t, 0, status, out, "notebooks: none for scale")
		if got, want := read(t, filepath.Join(checkout, "build/quick/REPORT.md")),
			filepath.Join(elsewhere, "data")+" with DuckDB\n"; got != want {
			t.Errorf("the second runner wrote %q, want %q", got, want)
		}
	})
	t.Run("notebook without an experiment", func(t *testing.T) {
		report := filepath.Join(checkout, "build/quick/REPORT.md")
		if err := os.Remove(report); err != nil {
			t.Fatal(err)
		}
		status, out := reproduce("--quick", "--only", "bad")
		expect(t, 1, status, out, "notebooks/02-bad.ipynb, code cell 2")
		if _, err := os.Stat(report); err == nil || strings.Contains(out, "REPORT.md") {
			t.Errorf("the runner was asked for an experiment that there is not, or its report is named:\n%s", out)
		}
	})
	t.Run("bad notebook", func(t *testing.T) {
		status, out := reproduce("--quick")
		expect(t, 1, status, out, "notebooks/02-bad.ipynb, code cell 2", "this cell fails", "a notebook failed")
	})
	t.Run("failing experiment", func(t *testing.T) {
		status, out := reproduce("--quick", "--only", "failing")
		expect(t, 1, status, out, "the experiments failed", "REPORT.md")
	})
	t.Run("unknown experiment", func(t *testing.T) {
		status, out := reproduce("--quick", "--only", "nosuch")
		expect(t, 2, status, out, "no experiment nosuch")
	})
}

// runner stands for the experiments: it lists two, and writes what it was told into the report.
const runner = `package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	profile, out, list := flag.String("profile", "paper", ""), flag.String("out", "", ""), flag.Bool("list", false, "")
	lacking, update, compare := flag.Bool("lacking", false, ""), flag.Bool("update", false, ""), flag.Bool("compare", false, "")
	flag.Parse()
	switch {
	case *lacking:
		fmt.Print(os.Getenv("LACKING"))
		return
	case *update:
		os.MkdirAll("figures", 0o755)
		os.WriteFile("figures/UPDATED", fmt.Appendln(nil, flag.Args()), 0o644)
		return
	case *compare:
		if fmt.Print(os.Getenv("DIFFERS")); os.Getenv("DIFFERS") != "" {
			os.Exit(1)
		}
		return
	}
	if *list {
		fmt.Print("id     title\ngood   It works\nscale  It grows\n")
		return
	}
	if os.MkdirAll(*out, 0o755) != nil || *profile == "" {
		os.Exit(1)
	}
	os.WriteFile(*out+"/REPORT.md", fmt.Appendln(nil, os.Getenv("BNLAB_DATA"), flag.Args()), 0o644)
	switch flag.Arg(0) {
	case "failing":
		os.Exit(1)
	case "nosuch":
		fmt.Fprintln(os.Stderr, "no experiment nosuch")
		os.Exit(2)
	}
}
`

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// write writes a file that may be run, and the folders above it.
func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}
