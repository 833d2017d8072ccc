package datasets

import (
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// endless gives bytes for ever and counts them.
type endless struct{ given int64 }

func (e *endless) Read(p []byte) (int, error) {
	e.given += int64(len(p))
	if e.given > 1<<22 {
		return 0, errors.New("nobody stopped it")
	}
	return len(p), nil
}

func TestInstallStopsAtTheSize(t *testing.T) {
	dir, src := t.TempDir(), &endless{}
	err := install(src, filepath.Join(dir, "hello.txt"), helloFile(), "a bomb")
	if !errors.Is(err, ErrChecksum) || !strings.Contains(err.Error(), "more than the expected 13 bytes") {
		t.Errorf("%v, want ErrChecksum", err)
	}
	if src.given > int64(2*len(hello)) {
		t.Errorf("read %d bytes of a file of %d", src.given, len(hello))
	}
	cacheHolds(t, dir)
}

// A program that ended between the last byte and the renaming left a part
// that is complete.
func TestCompletePart(t *testing.T) {
	s := serve(t, func(n int, w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Range") == "" {
			t.Error("asked for the whole file")
		}
		w.Header().Set("Content-Range", fmt.Sprintf("bytes */%d", len(big)))
		w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
	})
	set := quiet(t)
	f := bigFile(s.URL + "/big")
	part := partFile(filepath.Join(set.CacheDir, "test", "big.bin"), f.Addresses[0])
	put(t, filepath.Dir(part), filepath.Base(part), big)
	p, err := resolve(t.Context(), Set{}, f, set)
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, p, big)
}
