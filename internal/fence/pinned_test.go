package fence_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	foreignCode = regexp.MustCompile(`^\s*(?:-\s+)?uses:\s*(\S+)|^FROM\s+(\S+)`)
	byDigest    = regexp.MustCompile(`@(sha256:[0-9a-f]{64}|[0-9a-f]{40})$`)
)

// unpinned returns the actions and images in a text that are not named by a digest, which alone stays what it was.
func unpinned(text string) []string {
	var found []string
	for _, line := range strings.Split(text, "\n") {
		m := foreignCode.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		name := m[1] + m[2]
		if !byDigest.MatchString(name) && !strings.HasPrefix(name, "./") {
			found = append(found, name)
		}
	}
	return found
}

// TestPinned reads the workflows and the image of the development container.
func TestPinned(t *testing.T) {
	root := filepath.Join("..", "..")
	files, err := filepath.Glob(filepath.Join(root, ".github", "workflows", "*.yml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no workflows: %v", err)
	}
	for _, file := range append(files, filepath.Join(root, ".devcontainer", "Dockerfile")) {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range unpinned(string(b)) {
			t.Errorf("%s: %s is not pinned by a digest", file, name)
		}
	}
}

func TestUnpinned(t *testing.T) {
	const commit = "34e114876b0b11c390a56381ad16ebd13914f8d5"
	for text, want := range map[string]int{
		"      - uses: actions/checkout@v4":                  1,
		"        uses: actions/checkout@" + commit[:39]:      1,
		"      - uses: actions/checkout@" + commit + " # v4": 0,
		"      - uses: ./here":                               0,
		"FROM golang:1.26-bookworm":                          1,
		"FROM golang:1.26@sha256:" + strings.Repeat("0", 64): 0,
		"# FROM golang":                                      0,
	} {
		if got := unpinned(text); len(got) != want {
			t.Errorf("%q: %q, want %d", text, got, want)
		}
	}
}
