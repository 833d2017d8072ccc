package fence_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// foreign names modules that run machine code which Go did not compile, and the least version that may be in a
// build list; none where that is empty.
var foreign = []struct{ module, least, reason string }{
	{"github.com/goccy/go-graphviz", "",
		"it runs machine code that it loads from a folder that all users share; bnkit/viz lays graphs out itself"},
	{"github.com/tetratelabs/wazero", "v1.12.0",
		"older ones call runtime.memmove and expect registers that Go 1.24 no longer keeps, and crash on Intel " +
			"processors (wazero issue 2375)"},
}

// A require is a module in a build list.
type require struct{ Path, Version string }

// TestForeignCode reads the build list of each module of the repository. Since Go 1.17 go.mod names every module that
// provides a package, so that no network is needed. This fails on any processor, also one where the code would run.
func TestForeignCode(t *testing.T) {
	var files []string
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case d.Name() == "go.mod":
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 2 {
		t.Errorf("found %q, want go.mod of the root and of duckdb at least", files)
	}
	for _, file := range files {
		if _, err := os.ReadFile(file); err != nil { // for the test cache, as go mod edit is another process
			t.Fatal(err)
		}
		for _, v := range foreignIn(buildList(t, file)) {
			t.Errorf("%s: %s", file, v)
		}
	}
}

// buildList returns what a go.mod requires, and what it replaces that with.
func buildList(t *testing.T, file string) []require {
	t.Helper()
	out, err := exec.Command("go", "mod", "edit", "-json", file).Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go mod edit: %s", exit.Stderr)
		}
		t.Fatal(err)
	}
	var mod struct {
		Require []require
		Replace []struct{ New require }
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		t.Fatal(err)
	}
	for _, r := range mod.Replace {
		mod.Require = append(mod.Require, r.New)
	}
	return mod.Require
}

// foreignIn says in words which modules of a build list may not be there.
func foreignIn(list []require) []string {
	var found []string
	for _, r := range list {
		for _, f := range foreign {
			switch {
			case r.Path != f.module:
			case f.least == "":
				found = append(found, fmt.Sprintf("%s is required: %s", r.Path, f.reason))
			case before(r.Version, f.least):
				found = append(found, fmt.Sprintf("%s is %s, %s is the least: %s",
					r.Path, r.Version, f.least, f.reason))
			}
		}
	}
	return found
}

// before reports whether a version comes before a release. What is no version, as a replacement by a folder has
// none, does; so does a pre-release, and a commit after the release before.
func before(version, release string) bool {
	var a, b [3]int
	if n, _ := fmt.Sscanf(version, "v%d.%d.%d", &a[0], &a[1], &a[2]); n < 3 {
		return true
	}
	fmt.Sscanf(release, "v%d.%d.%d", &b[0], &b[1], &b[2])
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return strings.Contains(version, "-")
}

// TestForeignIn breaks the rule in each way.
func TestForeignIn(t *testing.T) {
	const graphviz, wazero = "github.com/goccy/go-graphviz", "github.com/tetratelabs/wazero"
	for _, tt := range []struct {
		list []require
		want string // part of the only message; empty for none
	}{
		{[]require{{"gonum.org/v1/gonum", "v0.17.0"}}, ""},
		{[]require{{graphviz, "v0.2.9"}}, "folder that all users share"},
		{[]require{{graphviz, "v9.0.0"}}, "is required"},
		{[]require{{wazero, "v1.8.1"}}, "wazero is v1.8.1, v1.12.0 is the least"},
		{[]require{{wazero, "v1.11.9"}}, "issue 2375"},
		{[]require{{wazero, "v1.12.0-rc.1"}}, "issue 2375"},
		{[]require{{wazero, ""}}, "issue 2375"},
		{[]require{{wazero, "v1.12.0"}}, ""},
		{[]require{{wazero, "v1.12.1"}, {"gonum.org/v1/plot", "v0.1.0"}}, ""},
		{[]require{{wazero, "v2.0.0"}}, ""},
	} {
		got := foreignIn(tt.list)
		if tt.want == "" && len(got) == 0 || len(got) == 1 && tt.want != "" && strings.Contains(got[0], tt.want) {
			continue
		}
		t.Errorf("%v: %q, want %q", tt.list, got, tt.want)
	}
}
