package fence_test

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestArchitecture holds ARCHITECTURE.md against the tree: each path that it quotes is there, and each package of the
// library is named.
func TestArchitecture(t *testing.T) {
	root := filepath.Join("..", "..")
	b, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	files, packages := map[string]bool{}, map[string]bool{}
	for _, folder := range []string{"bnkit", "internal", "experiments", "datasets", "notebooks"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(at string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name, err := filepath.Rel(root, at)
			name = filepath.ToSlash(name)
			files[name] = true
			library := folder == "bnkit" || folder == "internal"
			if library && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
				packages[path.Dir(name)] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	quoted := quotes(string(b))
	if len(packages) < 60 || len(quoted) < 100 {
		t.Errorf("%d packages and %d quoted words found: some were missed", len(packages), len(quoted))
	}
	for _, word := range missing(quoted, files) {
		t.Errorf("ARCHITECTURE.md names `%s`, which is not there", word)
	}
	for _, name := range unnamed(quoted, slices.Sorted(maps.Keys(packages))) {
		t.Errorf("ARCHITECTURE.md does not name the package %s", name)
	}
}

var quotation = regexp.MustCompile("`([^`\n]+)`")

// quotes returns what stands between back quotes in a text.
func quotes(text string) []string {
	var words []string
	for _, match := range quotation.FindAllStringSubmatch(text, -1) {
		words = append(words, strings.TrimSuffix(strings.TrimPrefix(match[1], module+"/"), "/"))
	}
	return words
}

// notFiles are quoted words with a slash that name something else.
var notFiles = []string{"./reproduce.sh", "DIR/id", "math/rand/v2"}

// missing returns the quoted paths that no file or folder has. They are given from the root of the module or from
// bnkit, may have a star, and may be the name of a Go file alone.
func missing(quoted []string, files map[string]bool) []string {
	var found []string
	for _, word := range quoted {
		if !strings.Contains(word, "/") && !strings.HasSuffix(word, ".go") || slices.Contains(notFiles, word) {
			continue
		}
		pattern := strings.TrimSuffix(word, "/...")
		is := func(name string) bool {
			for _, from := range []string{name, strings.TrimPrefix(name, "bnkit/")} {
				if ok, err := path.Match(pattern, from); ok && err == nil {
					return true
				}
			}
			return !strings.Contains(pattern, "/") && pattern == path.Base(name)
		}
		if !slices.ContainsFunc(slices.Collect(maps.Keys(files)), is) {
			found = append(found, word)
		}
	}
	return found
}

// unnamed returns the packages that no quoted word stands for. A word is a path from the root or from bnkit, that of
// a folder with “/...” for all below it, or the last element alone of what is internal. The root package has its row,
// and what serves only the tests of a package (“…test”) goes with it.
func unnamed(quoted, packages []string) []string {
	return slices.DeleteFunc(packages, func(name string) bool {
		if name == "bnkit" || strings.HasSuffix(name, "test") {
			return true
		}
		short := strings.TrimPrefix(name, "bnkit/")
		return slices.ContainsFunc(quoted, func(word string) bool {
			folder, all := strings.CutSuffix(word, "/...")
			return word == name || word == short || isInternal(name) && word == path.Base(name) ||
				all && folder != "bnkit" && folder != "internal" && under(short, folder)
		})
	})
}

// TestBrokenArchitecture breaks both rules.
func TestBrokenArchitecture(t *testing.T) {
	files := map[string]bool{"bnkit/bn/dag.go": true, "internal/deep": true, "internal/deep/solve.go": true,
		"bnkit/bn": true, "bnkit/format": true}
	files["bnkit"] = true
	quoted := quotes("`bnlab/bnkit/...`, `bn` and `format/...`: `dag.go`, `d*.go`, `bn/d*.go`, `bnkit/bn/dig.go`\n" +
		"`internal/deep/`, `Solve(a/b)`, `deeper`, `DIR/id`, `solver.go`")
	want := []string{"d*.go", "bnkit/bn/dig.go", "Solve(a/b)", "solver.go"}
	if got := missing(quoted, files); !slices.Equal(got, want) {
		t.Errorf("missing: %q, want %q", got, want)
	}
	packages := []string{"bnkit", "bnkit/bn", "bnkit/data", "bnkit/format", "bnkit/format/bif", "bnkit/infertest",
		"bnkit/learn/internal/deeper", "internal/deep", "internal/other"}
	if got, want := unnamed(quoted, packages), []string{"bnkit/data", "internal/other"}; !slices.Equal(got, want) {
		t.Errorf("unnamed: %q, want %q", got, want)
	}
}
