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

// rules are what holds of modules in the build lists of this repository: the least version that may be there, none
// where that is empty, and the only module of the repository that may require it, if not all may. Where govulncheck
// cannot reach its database, this list stands in for it: raise a version here together with go.mod.
var rules = []struct{ module, least, only, reason string }{
	{"github.com/goccy/go-graphviz", "", "",
		"it runs machine code that it loads from a folder that all users share; bnkit/viz lays graphs out itself"},
	{"github.com/tetratelabs/wazero", "v1.12.0", "",
		"older ones call runtime.memmove and expect registers that Go 1.24 no longer keeps, and crash on Intel " +
			"processors (wazero issue 2375)"},
	{"github.com/jackc/pgx/v5", "v5.9.2", drivers,
		"CVE-2026-33815, CVE-2026-33816 and CVE-2026-41889 are mended there; only tests use it"},
	{"modernc.org/sqlite", "v1.40.0", drivers, "only tests use it"},
	{"github.com/go-sql-driver/mysql", "v1.9.3", drivers, "only tests use it"},
	{"github.com/ClickHouse/clickhouse-go/v2", "v2.40.3", drivers, "only tests use it"},
	{"golang.org/x/image", "v0.45.0", "",
		"GO-2026-4962 is mended in v0.39.0, GO-2026-5061, -5062 and -5066 in v0.43.0, GO-2026-6222 there"},
	{"github.com/klauspost/compress", "v1.18.7", "", "GO-2026-5841 (GHSA-259r-337f-4rfw) is mended there"},
	{"filippo.io/edwards25519", "v1.1.1", "", "GO-2026-4503 (CVE-2026-26958) is mended there"},
	{"go.opentelemetry.io/otel", "v1.44.0", "", "CVE-2026-41178 and GHSA-mh2q-q3fh-2475 are mended by then"},
}

// drivers is the module of tests that need drivers of databases.
const drivers = "bnkit/sqldata/drivers"

// A require is a module in a build list.
type require struct{ Path, Version string }

// TestModules reads the build list of each module of the repository. Since Go 1.17 go.mod names every module that
// provides a package, so that no network is needed. This fails on any processor, also one where the code would run.
func TestModules(t *testing.T) {
	var files []string
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != filepath.Join("..", "..") && strings.HasPrefix(d.Name(), "."): // .tools has modules
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
		dir := filepath.ToSlash(strings.TrimPrefix(filepath.Dir(file), filepath.Join("..", "..")))
		for _, v := range broken(strings.TrimPrefix(dir, "/"), buildList(t, file)) {
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

// broken says in words which modules of the build list of the module in a folder may not be there.
func broken(dir string, list []require) []string {
	var found []string
	for _, r := range list {
		for _, rule := range rules {
			switch {
			case r.Path != rule.module:
			case rule.only != "" && dir != rule.only:
				found = append(found, fmt.Sprintf("%s is required outside %s: %s", r.Path, rule.only, rule.reason))
			case rule.least == "":
				found = append(found, fmt.Sprintf("%s is required: %s", r.Path, rule.reason))
			case before(r.Version, rule.least):
				found = append(found, fmt.Sprintf("%s is %s, %s is the least: %s",
					r.Path, r.Version, rule.least, rule.reason))
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

// TestBroken breaks the rules in each way.
func TestBroken(t *testing.T) {
	const graphviz, wazero = "github.com/goccy/go-graphviz", "github.com/tetratelabs/wazero"
	const pgx = "github.com/jackc/pgx/v5"
	for _, tt := range []struct {
		dir  string
		list []require
		want string // part of the only message; empty for none
	}{
		{"", []require{{"gonum.org/v1/gonum", "v0.17.0"}}, ""},
		{"", []require{{graphviz, "v0.2.9"}}, "folder that all users share"},
		{"", []require{{graphviz, "v9.0.0"}}, "is required"},
		{"", []require{{wazero, "v1.8.1"}}, "wazero is v1.8.1, v1.12.0 is the least"},
		{"", []require{{wazero, "v1.11.9"}}, "issue 2375"},
		{"", []require{{wazero, "v1.12.0-rc.1"}}, "issue 2375"},
		{"", []require{{wazero, ""}}, "issue 2375"},
		{"", []require{{wazero, "v1.12.0"}}, ""},
		{"", []require{{wazero, "v1.12.1"}, {"gonum.org/v1/plot", "v0.1.0"}}, ""},
		{"", []require{{wazero, "v2.0.0"}}, ""},
		{"", []require{{pgx, "v5.12.0"}}, "is required outside bnkit/sqldata/drivers"},
		{drivers, []require{{pgx, "v5.9.1"}}, "CVE-2026-33815"},
		{drivers, []require{{pgx, "v5.9.2"}}, ""},
	} {
		got := broken(tt.dir, tt.list)
		if tt.want == "" && len(got) == 0 || len(got) == 1 && tt.want != "" && strings.Contains(got[0], tt.want) {
			continue
		}
		t.Errorf("%q %v: %q, want %q", tt.dir, tt.list, got, tt.want)
	}
}
