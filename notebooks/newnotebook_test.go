package notebooks_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNewNotebook makes a notebook in folders with a space and a quote, named as a visitor might, and runs it.
func TestNewNotebook(t *testing.T) {
	python := python(t)
	home := t.TempDir()
	elsewhere := filepath.Join(home, "work")
	if err := os.MkdirAll(filepath.Join(elsewhere, "an empty one"), 0o755); err != nil {
		t.Fatal(err)
	}
	var dir string
	// A home that cannot be written to would be another cache of Go's; this one is only what ~ stands for.
	env := append(offline(), "HOME="+home, "GOPATH="+goEnv(t, "GOPATH"), "GOCACHE="+goEnv(t, "GOCACHE"),
		"GOMODCACHE="+goEnv(t, "GOMODCACHE"), "BNLAB_PYTHON="+python)
	for _, test := range []struct{ arg, want string }{
		{"an empty one", "work/an empty one"},
		{"../an uncle's/first", "an uncle's/first"},
		{"~/mine", "mine"},
	} {
		dir = filepath.Join(home, test.want)
		status, out := run(t, elsewhere, env, root(t)+"/reproduce.sh", "--notebook", test.arg)
		expect(t, 0, status, out, "open it", "open.sh")
		for _, name := range []string{"notebook.ipynb", "open.sh", "go.mod", "go.work"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
				t.Errorf("--notebook %q: %v", test.arg, err)
			}
		}
	}

	// The second of them has a file of Go's beside it, which a program and the notebook use.
	dir = filepath.Join(home, "an uncle's", "first")
	write(t, filepath.Join(dir, "own.go"), "package mine\n\nconst Degree = 3\n")
	write(t, filepath.Join(dir, "cmd", "main.go"), `package main

import (
	"mine"

	"bnlab/bnkit/bn"
)

func main() { println(bn.Discrete("grade").Name, mine.Degree) }
`)
	status, out := run(t, dir, offline(), "go", "run", "./cmd")
	expect(t, 0, status, out, "grade 3")
	path := filepath.Join(dir, "notebook.ipynb")
	write(t, path, strings.Replace(read(t, path), `infer.Evidence{\"deg_malig\": 3}`,
		`infer.Evidence{\"deg_malig\": mine.Degree}`, 1))
	status, out = run(t, home, offline(), python, root(t)+"/notebooks/internal/execute.py",
		"--out", filepath.Join(dir, "out"), path)
	expect(t, 0, status, out)
	executed := read(t, filepath.Join(dir, "out", "notebook.ipynb"))
	for _, want := range []string{
		"higher states of deg_malig make higher states of class more likely", // Check
		"P(class | irradiat, deg_malig)",                                     // the picture
		"0.5091",                                                             // README has the same answer
		"compatible with the data",                                           // Audit
	} {
		if !strings.Contains(executed, want) {
			t.Errorf("the notebook does not show %q", want)
		}
	}

	// open.sh says what is missing.
	bin := t.TempDir()
	for _, name := range []string{"dirname", "id"} {
		symlink(t, "/usr/bin/"+name, filepath.Join(bin, name))
	}
	status, out = run(t, home, []string{"PATH=" + bin}, "/bin/sh", filepath.Join(dir, "open.sh"))
	expect(t, 1, status, out, "no Jupyter on PATH", "pip install notebook")
	write(t, filepath.Join(bin, "jupyter-notebook"), "#!/bin/sh\necho \"$PWD $JUPYTER_PATH $*\"\n")
	status, out = run(t, home, []string{"PATH=" + bin}, "/bin/sh", filepath.Join(dir, "open.sh"), "--no-browser")
	expect(t, 0, status, out, dir+" "+root(t)+"/.tools/jupyter", "notebook.ipynb", "--no-browser")
	moved := strings.ReplaceAll(read(t, filepath.Join(dir, "open.sh")), root(t), "/gone")
	write(t, filepath.Join(dir, "moved.sh"), moved)
	status, out = run(t, home, nil, "/bin/sh", filepath.Join(dir, "moved.sh"))
	expect(t, 1, status, out, "/gone", "reproduce.sh --setup")
}

// goEnv is a setting of Go's for this test.
func goEnv(t *testing.T, name string) string {
	t.Helper()
	_, out := run(t, ".", nil, "go", "env", name)
	return strings.TrimSpace(out)
}
