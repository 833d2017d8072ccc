package datasets

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

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
