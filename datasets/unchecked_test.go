package datasets

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestUncheckedFileIsFetchedForThoseWhoNameIt(t *testing.T) {
	text := "voxels"
	s := serve(t, func(_ int, w http.ResponseWriter, r *http.Request) { content(w, r, text, `"1"`) })
	f := File{Path: "test/voxels.mat", Addresses: []string{s.URL}}
	set := quiet(t)
	var said []string
	set.Notice = func(text string) { said = append(said, text) }

	t.Setenv("BNLAB_UNCHECKED", "")
	_, err := resolve(t.Context(), Set{}, f, set)
	if !errors.Is(err, ErrUnchecked) || !errors.Is(err, ErrNotAvailable) ||
		!strings.Contains(err.Error(), "BNLAB_UNCHECKED=voxels.mat") {
		t.Fatalf("not named: %v", err)
	}
	if s.ranges() != "" {
		t.Error("it was fetched before it was named")
	}
	t.Setenv("BNLAB_UNCHECKED", "other.mat,voxels.mat")
	p, err := resolve(t.Context(), Set{}, f, set)
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, p, text)
	if len(said) != 1 || !strings.Contains(said[0], sumOf(text)) {
		t.Errorf("said %q, want the SHA-256 of what came", said)
	}
	text = "other bytes"
	if _, err := resolve(t.Context(), Set{}, f, set); err != nil || len(said) != 1 {
		t.Errorf("the second time: %v, said %q", err, said)
	}
	wantText(t, p, "voxels")

	// Somebody changes the cache: fetched again, and told.
	if err := os.WriteFile(filepath.Join(set.CacheDir, "test", "voxels.mat"), []byte("planted"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := resolve(t.Context(), Set{}, f, set); err != nil || len(said) != 2 ||
		!strings.Contains(said[1], sumOf(text)) {
		t.Errorf("after the copy was changed: %v, said %q", err, said)
	}
	wantText(t, p, text)

	set.Unchecked = []string{}
	if _, err := resolve(t.Context(), Set{}, f, set); !errors.Is(err, ErrUnchecked) {
		t.Errorf("Settings.Unchecked names nothing: %v", err)
	}
}
