package datasets

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// big is long enough to be cut in the middle.
var big = strings.Repeat("0123456789abcdef", 1<<14)

func bigFile(addresses ...string) File {
	return File{Path: "test/big.bin", SHA256: sumOf(big), Bytes: int64(len(big)), Addresses: addresses}
}

// A server does what a test describes; asked keeps the Range of each request.
type server struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string
}

func serve(t *testing.T, handle func(n int, w http.ResponseWriter, r *http.Request)) *server {
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked = append(s.asked, r.Header.Get("Range"))
		n := len(s.asked)
		s.mu.Unlock()
		handle(n, w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) ranges() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.asked, "|")
}

// content serves text with ranges, as http.ServeContent does it.
func content(w http.ResponseWriter, r *http.Request, text, tag string) {
	if tag != "" {
		w.Header().Set("ETag", tag)
	}
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(text))
}

// cut sends the first n bytes of text and closes the connection.
func cut(w http.ResponseWriter, text, tag string, n int) {
	if tag != "" {
		w.Header().Set("ETag", tag)
	}
	w.Header().Set("Content-Length", fmt.Sprint(len(text)))
	w.Write([]byte(text[:n]))
	w.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

// quiet returns settings that know nothing of the user's own folders.
func quiet(t *testing.T) *Settings {
	t.Helper()
	t.Setenv("BNLAB_DATA", "")
	t.Setenv("BNLAB_OFFLINE", "")
	return &Settings{CacheDir: t.TempDir()}
}

// cacheHolds checks that the cache has these files, the lock and no others.
func cacheHolds(t *testing.T, cache string, want ...string) {
	t.Helper()
	var got []string
	err := filepath.WalkDir(cache, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() != ".lock" {
			rel, _ := filepath.Rel(cache, p)
			got = append(got, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("the cache holds %q, want %q", got, want)
	}
}

func wantText(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s has %d bytes that differ from the %d wanted", path, len(got), len(want))
	}
}

func zipOf(t *testing.T, members ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(members); i += 2 {
		w, err := z.Create(members[i])
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(members[i+1]))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func gzipOf(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	z.Close()
	return b.String()
}
