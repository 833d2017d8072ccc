package atomicfile_test

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bnlab/internal/atomicfile"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	put := func(s string) func(io.Writer) error {
		return func(w io.Writer) error {
			_, err := io.WriteString(w, s)
			return err
		}
	}
	if err := atomicfile.Write(path, put("one")); err != nil {
		t.Fatal(err)
	}
	full := errors.New("no space left on device")
	err := atomicfile.Write(path, func(w io.Writer) error {
		io.WriteString(w, "tw")
		return full
	})
	if !errors.Is(err, full) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v, want one that names the file and the cause", err)
	}
	if b, _ := os.ReadFile(path); string(b) != "one" {
		t.Errorf("after a failure the file holds %q, want what was there", b)
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("%d files left, want 1", len(files))
	}
	none := filepath.Join(dir, "none")
	err = atomicfile.Write(filepath.Join(none, "a.txt"), put(""))
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "folder "+none+": no such") {
		t.Errorf("a folder that is not there: %v", err)
	}
	// A socket of our own stands for all that is no regular file: a device would be
	// replaced for the whole machine if the code were wrong and the test run by root.
	short, err := os.MkdirTemp("", "af") // the path of a socket has at most 100 bytes or so
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(short)
	socket := filepath.Join(short, "s")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	for _, special := range []string{dir, socket} {
		if err := atomicfile.Write(special, put("")); err == nil {
			t.Errorf("no error for %s", special)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(path, link); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if err := atomicfile.Write(link, put("two")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("a symbolic link was replaced")
	}
	if b, _ := os.ReadFile(path); string(b) != "two" {
		t.Errorf("the file behind the link holds %q", b)
	}
	dangling := filepath.Join(dir, "dangling")
	if err := os.Symlink("later.txt", dangling); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Write(dangling, put("three")); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "later.txt")); string(b) != "three" {
		t.Errorf("a link to a file that was not there yet: the file holds %q", b)
	}
	if err := os.Symlink("loop", filepath.Join(dir, "loop")); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Write(filepath.Join(dir, "loop"), put("")); err == nil {
		t.Error("no error for a link to itself")
	}
}
