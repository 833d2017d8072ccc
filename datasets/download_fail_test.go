package datasets

import (
	"archive/zip"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

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
		{"not found", "/big", func(n int, w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) }, nil,
			"404 Not Found"},
		{"no member", "/a.zip#big.bin", text(zipOf(t, "small.bin", "x")), nil, "which has small.bin"},
		{"no zip", "/a.zip#big.bin", text("<html>"), zip.ErrFormat, "/a.zip"},
		{"no gzip", "/a.gz#", text("<html>, more than ten bytes"), gzip.ErrHeader, "/a.gz"},
		{"zip bomb", "/a.zip#big.bin", text(zipOf(t, "big.bin", strings.Repeat(big, 8))), ErrChecksum,
			"has 2097152 bytes, want 262144"},
		{"gzip bomb", "/a.gz#", text(gzipOf(strings.Repeat(big, 8))), ErrChecksum,
			"more than the expected 262144 bytes"},
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
		if !errors.Is(err, ErrNotAvailable) || !strings.Contains(err.Error(), "cannot write to the cache") ||
			!strings.Contains(err.Error(), "XDG_CACHE_HOME") {
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
	set.Unchecked, set.Notice = []string{f.Path}, func(string) {}
	p, err := resolve(t.Context(), Set{}, f, set)
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, p, big)
	if got, want := s.ranges(), "|"; got != want {
		t.Errorf("asked for %q, want %q", got, want)
	}
}
