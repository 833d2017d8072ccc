package knowledge_test

import (
	"os"
	"strings"
	"testing"

	"bnlab/bnkit/knowledge"
)

// TestDocs reads every YAML block of docs/knowledge.md: files, or lists of statements. There
// is one of each class.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile("../../docs/knowledge.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := make(map[string]bool)
	for n, block := range strings.Split(string(page), "```yaml\n")[1:] {
		text, _, closed := strings.Cut(block, "```")
		if !closed {
			t.Fatalf("block %d is not closed", n+1)
		}
		if strings.HasPrefix(text, "- ") {
			text = "statements:\n" + text
		}
		k, err := knowledge.Parse("docs/knowledge.md", []byte(text))
		if err != nil {
			t.Errorf("block %d: %v\n%s", n+1, err, text)
			continue
		}
		for i, s := range k.Sentences() {
			if strings.Contains(s, "%!") {
				t.Errorf("block %d: statement %d prints as %q", n+1, i+1, s)
			}
		}
		for _, line := range strings.Split(text, "\n") {
			if key, found := strings.CutPrefix(strings.TrimSpace(line), "- "); found {
				key, _, _ = strings.Cut(key, ":")
				shown[key] = true
			}
		}
	}
	doubted := make(map[string]bool) // classes with a strength below 1
	for _, block := range strings.Split(string(page), "```yaml\n")[1:] {
		text, _, _ := strings.Cut(block, "```")
		for _, entry := range strings.Split("\n"+text, "\n- ")[1:] {
			key, _, _ := strings.Cut(entry, ":")
			if strings.Contains(entry, "\n  strength: ") && !strings.Contains(entry, "strength: certain") {
				doubted[key] = true
			}
		}
	}
	for _, s := range everyClass() {
		b, err := (&knowledge.File{Entries: entries(s)}).Marshal()
		if err != nil {
			t.Fatal(err)
		}
		key, _, _ := strings.Cut(strings.TrimPrefix(string(b), "statements:\n  - "), ":")
		if canDoubt(s) != doubted[key] {
			t.Errorf("%s is shown with a strength below 1: %v, want %v", key, doubted[key], canDoubt(s))
		}
	}
	b, err := (&knowledge.File{Entries: entries(everyClass()...)}).Marshal()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(b), "\n")[1:] {
		key, _, _ := strings.Cut(strings.TrimPrefix(line, "  - "), ":")
		if !shown[key] && key != "" {
			t.Errorf("the page shows no %q", key)
		}
	}
}
