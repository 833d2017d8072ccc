package datasets

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
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

func TestDownload(t *testing.T) {
	tests := []struct {
		name   string
		suffix string // behind the address
		handle func(n int, w http.ResponseWriter, r *http.Request)
		ranges string // of the requests
	}{
		{"whole", "/big", func(n int, w http.ResponseWriter, r *http.Request) { content(w, r, big, `"1"`) }, ""},
		{"resume after a cut", "/big", func(n int, w http.ResponseWriter, r *http.Request) {
			if n == 1 {
				cut(w, big, `"1"`, 100000)
			}
			if r.Header.Get("If-Range") != `"1"` {
				t.Errorf("If-Range is %q", r.Header.Get("If-Range"))
			}
			content(w, r, big, `"1"`)
		}, "|bytes=100000-"},
		{"resume without a tag", "/big", func(n int, w http.ResponseWriter, r *http.Request) {
			if n == 1 {
				cut(w, big, "", 100000)
			}
			content(w, r, big, "")
		}, "|bytes=100000-"},
		{"server ignores Range", "/big", func(n int, w http.ResponseWriter, r *http.Request) {
			if n == 1 {
				cut(w, big, `"1"`, 100000)
			}
			w.Write([]byte(big))
		}, "|bytes=100000-"},
		{"file changed in between", "/big", func(n int, w http.ResponseWriter, r *http.Request) {
			if n == 1 {
				cut(w, strings.ToUpper(big), `"old"`, 100000)
			}
			content(w, r, big, `"new"`)
		}, "|bytes=100000-"},
		{"pieces that do not fit", "/big", func(n int, w http.ResponseWriter, r *http.Request) {
			if n == 1 {
				cut(w, strings.ToUpper(big), "", 100000)
			}
			content(w, r, big, "")
		}, "|bytes=100000-|"},
		{"wrong range", "/big", func(n int, w http.ResponseWriter, r *http.Request) {
			switch n {
			case 1:
				cut(w, big, `"1"`, 100000)
			case 2:
				w.Header().Set("Content-Range", fmt.Sprintf("bytes 5-%d/%d", len(big)-1, len(big)))
				w.WriteHeader(http.StatusPartialContent)
				w.Write([]byte(big[5:]))
			default:
				content(w, r, big, `"1"`)
			}
		}, "|bytes=100000-|"},
		{"range refused", "/big", func(n int, w http.ResponseWriter, r *http.Request) {
			switch n {
			case 1:
				cut(w, big, `"1"`, 100000)
			case 2:
				w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
			default:
				content(w, r, big, `"1"`)
			}
		}, "|bytes=100000-|"},
		{"zip member", "/a.zip#big.bin", func(n int, w http.ResponseWriter, r *http.Request) {
			content(w, r, zipOf(t, "readme", "other", "big.bin", big), "")
		}, ""},
		{"zip member in a folder", "/a.zip#big.bin", func(n int, w http.ResponseWriter, r *http.Request) {
			content(w, r, zipOf(t, "readme", "other", "folder/big.bin", big), "")
		}, ""},
		{"gzip", "/big.bin.gz#", func(n int, w http.ResponseWriter, r *http.Request) {
			content(w, r, gzipOf(big), "")
		}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, tt.handle)
			set := quiet(t)
			var last atomic.Int64
			set.Progress = func(file string, done, total int64) {
				if file != "test/big.bin" || done < 0 || (total > 0 && done > total) {
					t.Errorf("progress %s %d of %d", file, done, total)
				}
				last.Store(done)
			}
			p, err := resolve(t.Context(), Set{}, bigFile(s.URL+tt.suffix), set)
			if err != nil {
				t.Fatal(err)
			}
			wantText(t, p, big)
			cacheHolds(t, set.CacheDir, "test/big.bin")
			if got := s.ranges(); got != tt.ranges {
				t.Errorf("asked for %q, want %q", got, tt.ranges)
			}
			if last.Load() == 0 {
				t.Error("no progress was reported")
			}
		})
	}
}

func TestDownloadFails(t *testing.T) {
	other := strings.ToUpper(big)
	text := func(text string) func(int, http.ResponseWriter, *http.Request) {
		return func(n int, w http.ResponseWriter, r *http.Request) { content(w, r, text, "") }
	}
	tests := []struct {
		name   string
		suffix string
		handle func(n int, w http.ResponseWriter, r *http.Request)
		is     error
		want   string
	}{
		{"other bytes", "/big", text(other), ErrChecksum, sumOf(other)},
		{"other size", "/big", text(big + "x"), ErrChecksum, "offers 262145 bytes, want 262144"},
		{"endless", "/big", func(n int, w http.ResponseWriter, r *http.Request) {
			for i := 0; i < 3 && r.Context().Err() == nil; i++ {
				w.Write([]byte(big))
				w.(http.Flusher).Flush()
			}
		}, ErrChecksum, "more than 262144 bytes"},
		{"not found", "/big", func(n int, w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) }, nil, "404 Not Found"},
		{"no member", "/a.zip#big.bin", text(zipOf(t, "small.bin", "x")), nil, "which has small.bin"},
		{"no zip", "/a.zip#big.bin", text("<html>"), zip.ErrFormat, "/a.zip"},
		{"no gzip", "/a.gz#", text("<html>, more than ten bytes"), gzip.ErrHeader, "/a.gz"},
		{"zip bomb", "/a.zip#big.bin", text(zipOf(t, "big.bin", strings.Repeat(big, 8))), ErrChecksum, "has 2097152 bytes, want 262144"},
		{"gzip bomb", "/a.gz#", text(gzipOf(strings.Repeat(big, 8))), ErrChecksum, "more than the expected 262144 bytes"},
		{"other member", "/a.zip#big.bin", text(zipOf(t, "big.bin", other)), ErrChecksum, sumOf(other)},
		{"cut gzip", "/a.gz#", text(gzipOf(big)[:200]), nil, "unexpected EOF"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, tt.handle)
			set := quiet(t)
			_, err := resolve(t.Context(), Set{}, bigFile(s.URL+tt.suffix), set)
			if !errors.Is(err, ErrNotAvailable) || (tt.is != nil && !errors.Is(err, tt.is)) {
				t.Errorf("%v, want ErrNotAvailable and %v", err, tt.is)
			}
			if !strings.Contains(fmt.Sprint(err), tt.want) {
				t.Errorf("no %q in\n%v", tt.want, err)
			}
			cacheHolds(t, set.CacheDir)
		})
	}
}

func TestSecondAddress(t *testing.T) {
	s := serve(t, func(n int, w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/first" {
			http.NotFound(w, r)
			return
		}
		content(w, r, big, "")
	})
	set := quiet(t)
	p, err := resolve(t.Context(), Set{}, bigFile(s.URL+"/first", s.URL+"/second"), set)
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, p, big)
}

func TestSpoiltCacheIsFetchedAgain(t *testing.T) {
	s := serve(t, func(n int, w http.ResponseWriter, r *http.Request) { content(w, r, hello, "") })
	set := quiet(t)
	f := helloFile(s.URL)
	put(t, set.CacheDir, f.Path, "spoilt")
	p, err := resolve(t.Context(), Set{}, f, set)
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, p, hello)
}

func TestCancelKeepsThePart(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("the user pressed Ctrl-C")
	s := serve(t, func(n int, w http.ResponseWriter, r *http.Request) {
		if n > 1 {
			content(w, r, big, `"1"`)
			return
		}
		w.Header().Set("ETag", `"1"`)
		w.Header().Set("Content-Length", fmt.Sprint(len(big)))
		w.Write([]byte(big[:100000]))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	set := quiet(t)
	f := bigFile(s.URL + "/big")
	part := partFile(filepath.Join(set.CacheDir, f.Path), s.URL+"/big")
	go func() {
		for ctx.Err() == nil {
			if info, err := os.Stat(part); err == nil && info.Size() == 100000 {
				cancel(stop)
			}
			time.Sleep(time.Millisecond)
		}
	}()
	_, err := resolve(ctx, Set{}, f, set)
	if !errors.Is(err, stop) || errors.Is(err, ErrNotAvailable) {
		t.Errorf("%v, want the cause of the cancellation alone", err)
	}
	if _, err := os.Stat(filepath.Join(set.CacheDir, f.Path)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a half-written file: %v", err)
	}
	p, err := resolve(t.Context(), Set{}, f, set)
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, p, big)
	if got, want := s.ranges(), "|bytes=100000-"; got != want {
		t.Errorf("asked for %q, want %q", got, want)
	}
}

func TestStall(t *testing.T) {
	s := serve(t, func(n int, w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	set := quiet(t)
	set.StallTimeout = 30 * time.Millisecond
	_, err := resolve(t.Context(), Set{}, helloFile(s.URL), set)
	if !errors.Is(err, ErrNotAvailable) || !errors.Is(err, errStalled) {
		t.Errorf("%v, want a stall", err)
	}
}

func TestUnwritableCache(t *testing.T) {
	s := serve(t, func(n int, w http.ResponseWriter, r *http.Request) { content(w, r, hello, "") })
	// A file where the folder should be fails for root too.
	blocked := put(t, t.TempDir(), "file", "")
	for _, cache := range []string{blocked, filepath.Join(blocked, "below")} {
		set := quiet(t)
		set.CacheDir = cache
		_, err := resolve(t.Context(), Set{}, helloFile(s.URL), set)
		if !errors.Is(err, ErrNotAvailable) || !strings.Contains(err.Error(), "cannot write to the cache") || !strings.Contains(err.Error(), "XDG_CACHE_HOME") {
			t.Errorf("%v", err)
		}
		if _, err := Path(t.Context(), "iris", set); err == nil {
			t.Error("Path of a shipped set wrote somewhere")
		}
	}
	if got := s.ranges(); got != "" || len(s.asked) != 0 {
		t.Errorf("fetched without a place to put it: %q", s.asked)
	}
}

func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	defer full.Close()
	var local *localError
	if _, err := (diskWriter{full}).Write([]byte(hello)); !errors.As(err, &local) {
		t.Errorf("%v, want a localError", err)
	}
}

func TestTwoAtOnce(t *testing.T) {
	s := serve(t, func(n int, w http.ResponseWriter, r *http.Request) { content(w, r, big, "") })
	set := quiet(t)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if _, err := resolve(t.Context(), Set{}, bigFile(s.URL), set); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if len(s.asked) != 1 {
		t.Errorf("%d downloads, want 1", len(s.asked))
	}
}

func TestUnknownChecksum(t *testing.T) {
	s := serve(t, func(n int, w http.ResponseWriter, r *http.Request) {
		if n == 1 {
			cut(w, big, "", 100000) // no tag and no checksum: pieces must not be put together
		}
		content(w, r, big, "")
	})
	set := quiet(t)
	f := bigFile(s.URL)
	f.SHA256, f.Bytes = "", 0
	p, err := resolve(t.Context(), Set{}, f, set)
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, p, big)
	if got, want := s.ranges(), "|"; got != want {
		t.Errorf("asked for %q, want %q", got, want)
	}
}
