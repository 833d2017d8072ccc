package datasets

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// hello is a small file for tests; its SHA-256 is what sha256sum prints.
const (
	hello    = "hello, bnlab\n"
	helloSum = "2dbd7464038d0958dc1fd91706e509486db8e9b70fc8f738eaf079da5b39927d"
)

func helloFile(addresses ...string) File {
	return File{Path: "test/hello.txt", SHA256: helloSum, Bytes: int64(len(hello)), Addresses: addresses}
}

// put writes a file below dir.
func put(t *testing.T, dir, path, text string) string {
	t.Helper()
	p := filepath.Join(dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestResolveOrder(t *testing.T) {
	f := helloFile()
	data, cache := t.TempDir(), t.TempDir()
	set := &Settings{DataDir: data, CacheDir: cache, Offline: true}
	inCache := put(t, cache, f.Path, hello)
	if p, err := resolve(t.Context(), Set{}, f, set); err != nil || p != inCache {
		t.Errorf("with a cached file: %q, %v, want %q", p, err, inCache)
	}
	inData := put(t, data, f.Path, hello)
	if p, err := resolve(t.Context(), Set{}, f, set); err != nil || p != inData {
		t.Errorf("with both: %q, %v, want %q", p, err, inData)
	}
	put(t, data, f.Path, "hullo, bnlab\n")
	_, err := resolve(t.Context(), Set{}, f, set)
	var sum *ChecksumError
	if !errors.As(err, &sum) || !errors.Is(err, ErrChecksum) {
		t.Fatalf("a wrong file below BNLAB_DATA: %v, want a ChecksumError", err)
	}
	for _, part := range []string{inData, f.SHA256, sumOf("hullo, bnlab\n")} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not name %s", err, part)
		}
	}
	if err := os.RemoveAll(filepath.Join(data, "test")); err != nil {
		t.Fatal(err)
	}
	put(t, cache, f.Path, "spoilt")
	if _, err := resolve(t.Context(), Set{}, f, set); !errors.Is(err, ErrNotAvailable) || !errors.Is(err, ErrChecksum) {
		t.Errorf("a spoilt cache without network: %v, want ErrNotAvailable because of ErrChecksum", err)
	}
}

func TestUnavailableSaysWhatToDo(t *testing.T) {
	data, cache := t.TempDir(), t.TempDir()
	t.Setenv("BNLAB_DATA", "")
	plainFile := helloFile("https://example.org/a.zip#hello.txt", "https://example.org/hello.txt.gz#")
	tests := []struct {
		name string
		file File
		set  *Settings
		want []string
	}{
		{"with a folder", plainFile, &Settings{DataDir: data, CacheDir: cache, Offline: true}, []string{
			"https://example.org/a.zip (the file hello.txt in it)",
			"or from: https://example.org/hello.txt.gz (unpack it with gunzip)",
			plainFile.SHA256, "put it at: " + filepath.Join(data, "test/hello.txt"),
			"or at: " + filepath.Join(cache, "test/hello.txt"),
			"BNLAB_OFFLINE"}},
		{"without", plainFile, &Settings{CacheDir: cache, Offline: true},
			[]string{"DIR/test/hello.txt", "BNLAB_DATA=DIR"}},
		{"no address", helloFile(), &Settings{CacheDir: cache}, []string{"no public address", "ask her",
			plainFile.SHA256}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := resolve(t.Context(), Set{HowTo: "ask her"}, tt.file, tt.set)
			if !errors.Is(err, ErrNotAvailable) {
				t.Fatalf("%v, want ErrNotAvailable", err)
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("no %q in\n%v", want, err)
				}
			}
		})
	}
}

func TestOfflineVariable(t *testing.T) {
	for value, want := range map[string]bool{"": false, "0": false, "false": false, "1": true, "true": true,
		"yes": true} {
		t.Setenv("BNLAB_OFFLINE", value)
		if got := (*Settings)(nil).offline(); got != want {
			t.Errorf("BNLAB_OFFLINE=%q: offline %v, want %v", value, got, want)
		}
	}
	t.Setenv("BNLAB_OFFLINE", "1")
	t.Setenv("BNLAB_DATA", "")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if _, err := Load("ecoli"); !errors.Is(err, ErrNotAvailable) {
		t.Errorf("Load without network: %v, want ErrNotAvailable", err)
	}
}

func TestDataDirIsAbsolute(t *testing.T) {
	t.Setenv("BNLAB_DATA", "iris") // this package's own folder
	want, err := filepath.Abs("iris")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if got, err := DataDir(); err != nil || got != want {
		t.Errorf("DataDir() = %q, %v, want %q whatever the working directory", got, err, want)
	}
	t.Setenv("BNLAB_DATA", "no-such-folder")
	if _, err := DataDir(); !errors.Is(err, fs.ErrNotExist) ||
		!strings.Contains(err.Error(), "BNLAB_DATA=no-such-folder") {
		t.Errorf("no folder: %v", err)
	}
	if _, err := Load("ecoli"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Load with a BNLAB_DATA that is not there: %v", err)
	}
	if _, err := List(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("List with a BNLAB_DATA that is not there: %v", err)
	}
	if _, err := Iris(); err != nil {
		t.Errorf("a shipped set needs no BNLAB_DATA: %v", err)
	}
}

func TestWithoutHome(t *testing.T) {
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData", "home"} {
		t.Setenv(name, "")
	}
	t.Setenv("BNLAB_DATA", "")
	t.Setenv("BNLAB_OFFLINE", "")
	if _, err := os.UserCacheDir(); err == nil {
		t.Skip("this system knows a cache folder without HOME")
	}
	if _, err := Iris(); err != nil {
		t.Errorf("a shipped set: %v", err)
	}
	data := t.TempDir()
	f := helloFile("http://127.0.0.1:1/hello.txt")
	if _, err := List(); err != nil {
		t.Errorf("List: %v", err)
	}
	if _, err := resolve(t.Context(), Set{}, f, nil); !errors.Is(err, ErrNotAvailable) ||
		!strings.Contains(err.Error(), "no cache folder") {
		t.Errorf("a set to be fetched: %v", err)
	}
	put(t, data, f.Path, hello)
	if _, err := resolve(t.Context(), Set{}, f, &Settings{DataDir: data}); err != nil {
		t.Errorf("a file below BNLAB_DATA: %v", err)
	}
	if _, err := Path(t.Context(), "iris", nil); err == nil || !strings.Contains(err.Error(), "XDG_CACHE_HOME") {
		t.Errorf("Path of a shipped set: %v", err)
	}
}

func TestPathOfShipped(t *testing.T) {
	set := &Settings{CacheDir: t.TempDir(), Offline: true}
	for range 2 { // written, then found
		p, err := Path(t.Context(), "iris", set)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		if want, _ := shipped.ReadFile("iris/data.csv"); string(got) != string(want) {
			t.Errorf("%s differs from the compiled-in file", p)
		}
	}
}

func TestCancelledBeforeLooking(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	t.Setenv("BNLAB_DATA", "")
	if _, err := resolve(ctx, Set{}, helloFile(), &Settings{CacheDir: t.TempDir()}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want context.Canceled", err)
	}
}
