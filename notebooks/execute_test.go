//go:build unix

package notebooks_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A codeCell is a cell of a notebook that a test makes.
type codeCell struct {
	source string
	tags   []string
}

// cellsOf writes a notebook of code cells into a folder of its own, and returns its path.
func cellsOf(t *testing.T, cells ...codeCell) string {
	t.Helper()
	var list []any
	for i, c := range cells {
		list = append(list, map[string]any{"cell_type": "code", "id": fmt.Sprintf("c%d", i), "source": c.source,
			"metadata": map[string]any{"tags": append([]string{}, c.tags...)}, "outputs": []any{},
			"execution_count": nil})
	}
	b, err := json.Marshal(map[string]any{"cells": list, "metadata": map[string]any{}, "nbformat": 4,
		"nbformat_minor": 5})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "made.ipynb")
	write(t, path, string(b))
	return path
}

// execute runs execute.py on the notebook, with its results beside it.
func execute(t *testing.T, env []string, path string, args ...string) (status int, said string) {
	t.Helper()
	return run(t, "..", env, python(t), append([]string{"notebooks/internal/execute.py", "--out",
		filepath.Join(filepath.Dir(path), "out"), path}, args...)...)
}

// printed is what the cells of an executed notebook have written to their standard output.
func printed(t *testing.T, path string) string {
	t.Helper()
	var notebook struct {
		Cells []struct {
			Outputs []struct {
				Name string `json:"name"`
				Text any    `json:"text"`
			} `json:"outputs"`
		} `json:"cells"`
	}
	out := filepath.Join(filepath.Dir(path), "out", filepath.Base(path))
	if err := json.Unmarshal([]byte(read(t, out)), &notebook); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, c := range notebook.Cells {
		for _, o := range c.Outputs {
			if o.Name == "stdout" {
				b.WriteString(sourceText(o.Text))
			}
		}
	}
	return b.String()
}

// TestExecuteHelp: the command explains itself where there is no Jupyter.
func TestExecuteHelp(t *testing.T) {
	bare, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("needs python3")
	}
	bare += "\x00-S" // without the packages of its folders
	name, flag, _ := strings.Cut(bare, "\x00")
	status, out := run(t, "..", nil, name, flag, "notebooks/internal/execute.py", "--help")
	expect(t, 0, status, out, "NOTEBOOK", "NAME=VALUE")
	status, out = run(t, "..", nil, name, flag, "notebooks/internal/execute.py", "testdata/badnotebooks/good.ipynb")
	expect(t, 1, status, out, "this Python has no ", ".tools/python")
}

// TestExecuteAllOutput: a cell prints 14 MB in 300,000 lines, and all are there.
func TestExecuteAllOutput(t *testing.T) {
	python(t)
	path := cellsOf(t, codeCell{source: `%%
for i := range 300_000 {
	fmt.Printf("line %06d of a cell that prints a great deal\n", i)
}
fmt.Println("END")`})
	status, out := execute(t, nil, path)
	expect(t, 0, status, out)
	text := printed(t, path)
	if n := strings.Count(text, "\n"); n != 300_001 || !strings.HasSuffix(text, "\nEND\n") {
		t.Errorf("%d lines arrived, want 300001; the last is %q", n, text[max(0, len(text)-50):])
	}
}

// TestExecuteForgotten names what to do about a cell with statements and no %%.
func TestExecuteForgotten(t *testing.T) {
	python(t)
	status, out := execute(t, nil, cellsOf(t, codeCell{source: `fmt.Println("here")`}))
	expect(t, 1, status, out, "code cell 1", "expected declaration, found fmt", "write %% above them")
}

// TestExecuteParameters gives values to the cell with the tag.
func TestExecuteParameters(t *testing.T) {
	python(t)
	source := `const site = "A" // where
const (
	patients int = 60
	share        = 0.5
	start        = 3 * 4
)

var gaps = true`
	path := cellsOf(t, codeCell{source, []string{"parameters"}},
		codeCell{source: "%%\nfmt.Printf(\"%s %d %g %v\\n\", site, patients/7, share/2, gaps)"})
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"-p", "site=a \"b\" \\", "-p", "patients=70", "-p", "share=3", "-p", "gaps=false"},
			"a \"b\" \\ 10 1.5 false\n"},
		{[]string{"-p", "patients=7"}, "A 1 0.25 true\n"},
	} {
		status, out := execute(t, nil, path, test.args...)
		expect(t, 0, status, out)
		if got := printed(t, path); got != test.want {
			t.Errorf("%q: printed %q, want %q", test.args, got, test.want)
		}
	}
	// What was executed may be executed again, with its own values or others.
	again := filepath.Join(filepath.Dir(path), "out", "made.ipynb")
	status, out := execute(t, nil, again, "-p", "patients=14")
	expect(t, 0, status, out)
	if got, want := printed(t, again), "A 2 0.25 true\n"; got != want {
		t.Errorf("again: printed %q, want %q", got, want)
	}
	for _, test := range []struct {
		path, arg string
		want      []string
	}{
		{path, "cite=B", []string{"no parameter cite", "site, patients, share, gaps"}},
		{path, "start=1", []string{"no parameter start"}},
		{path, "patients=6.5", []string{"patients is a whole number, as 60"}},
		{path, "share=half", []string{"share is a number, as 0.5"}},
		{path, "gaps=no", []string{"gaps is true or false"}},
		{cellsOf(t, codeCell{source: source}), "site=B", []string{"one cell with the tag 'parameters'", "none"}},
	} {
		status, out := execute(t, nil, test.path, "-p", test.arg)
		expect(t, 1, status, out, append(test.want, "made.ipynb")...)
	}
	status, out = execute(t, nil, path, "-p", "site")
	expect(t, 2, status, out, "'site' is not NAME=VALUE")
}

// TestExecuteLeavesNothing ends runs in every way, while a cell and what cells have started go on, and looks for
// processes and files.
func TestExecuteLeavesNothing(t *testing.T) {
	python := python(t)
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("needs /proc to find processes")
	}
	// What is started gets a signal that is watched here, also where the tests were started by nohup, which ignores it.
	watched := make(chan os.Signal, 1)
	signal.Notify(watched, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(watched) })
	for _, test := range []struct {
		name   string
		signal syscall.Signal
		last   string // cell
		status int
	}{
		{"end", 0, "!true", 0},
		{"failure", 0, "!false", 1},
		{"Ctrl-C", syscall.SIGINT, "!touch there; sleep 600", 130},
		{"SIGTERM", syscall.SIGTERM, "!touch there; sleep 600", 143},
		{"closed terminal", syscall.SIGHUP, "!touch there; sleep 600", 129},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			path := cellsOf(t, codeCell{source: "!sleep 601 >/dev/null 2>&1 &"},
				codeCell{source: "!setsid sleep 602 >/dev/null 2>&1 </dev/null &"}, codeCell{source: test.last})
			there := filepath.Join(filepath.Dir(path), "there")
			temporary := t.TempDir()
			cmd := exec.Command(python, "internal/execute.py", "--out", filepath.Dir(path)+"/out", path)
			cmd.Env = append(os.Environ(), "TMPDIR="+temporary)
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // as a shell in a terminal does
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if test.signal != 0 {
				for range 6000 {
					if _, err := os.Stat(there); err == nil {
						break
					}
					time.Sleep(10 * time.Millisecond)
				}
				if n := len(startedWith(temporary)); n < 3 {
					t.Errorf("%d processes before the signal: the test finds too few", n)
				}
				if err := syscall.Kill(-cmd.Process.Pid, test.signal); err != nil {
					t.Error(err)
				}
			}
			cmd.Wait()
			words := []string{"made.ipynb"}
			if test.signal != 0 {
				words = append(words, "interrupted")
			}
			expect(t, test.status, cmd.ProcessState.ExitCode(), out.String(), words...)
			if pids := startedWith(temporary); len(pids) > 0 {
				t.Errorf("processes that are left: %q", pids)
			}
			if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
				t.Errorf("files that are left: %v, %v", left, err)
			}
		})
	}
}

// startedWith are the processes that have a folder in their environment, with their commands.
func startedWith(folder string) []string {
	var found []string
	environs, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range environs {
		env, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(env, []byte(folder)) {
			continue
		}
		command, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
		found = append(found, strings.ReplaceAll(string(command), "\x00", " "))
	}
	return found
}
