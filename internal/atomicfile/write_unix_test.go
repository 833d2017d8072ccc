//go:build darwin || linux

package atomicfile_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"bnlab/internal/atomicfile"
)

// TestMode holds the rule that files of patients rely on: what the umask takes away
// stays away, and a file that was private stays private, also while it is written.
func TestMode(t *testing.T) {
	old := syscall.Umask(0o077)
	defer syscall.Umask(old)
	dir := t.TempDir()
	path := filepath.Join(dir, "new")
	modes := func(want os.FileMode) func(io.Writer) error {
		return func(io.Writer) error {
			entries, err := os.ReadDir(dir)
			for _, e := range entries {
				if info, err := e.Info(); err == nil && info.Mode().Perm() != want {
					t.Errorf("while it is written %s has mode %v, want %v", e.Name(), info.Mode().Perm(), want)
				}
			}
			return err
		}
	}
	for _, c := range []struct {
		umask              int
		before, want, temp os.FileMode // before: mode of the file that is replaced, 0 for none
	}{
		{0o077, 0, 0o600, 0o600},
		{0o022, 0, 0o644, 0o644},
		{0o002, 0, 0o664, 0o664},
		{0o022, 0o600, 0o600, 0o600},
		{0o077, 0o640, 0o640, 0},
	} {
		syscall.Umask(c.umask)
		os.Remove(path)
		if c.before != 0 {
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(path, c.before); err != nil {
				t.Fatal(err)
			}
		}
		write := modes(c.temp)
		if c.temp == 0 {
			write = func(io.Writer) error { return nil }
		}
		if err := atomicfile.Write(path, write); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != c.want {
			t.Errorf("umask %04o over %v: mode %v, want %v", c.umask, c.before, info.Mode().Perm(), c.want)
		}
	}
}

// TestKilled kills a writer and looks for what it leaves behind.
func TestKilled(t *testing.T) {
	if path := os.Getenv("ATOMICFILE_HANG"); path != "" {
		atomicfile.Write(path, func(io.Writer) error {
			fmt.Println("writing")
			_, err := io.ReadAll(os.Stdin) // until it is killed, or the test ends
			return err
		})
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "m.json")
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
	cmd.Env = append(os.Environ(), "ATOMICFILE_HANG="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	bufio.NewReader(out).ReadString('\n')
	count := func() int {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	nothing := func(io.Writer) error { return nil }
	if err := atomicfile.Write(path, nothing); err != nil {
		t.Fatal(err)
	}
	if n := count(); n != 2 {
		t.Errorf("%d files beside a living writer, want its own and the new one", n)
	}
	cmd.Process.Kill()
	cmd.Wait()
	other := filepath.Join(dir, ".m.json.partial-mine") // nobody's litter
	if err := os.WriteFile(other, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Write(path, nothing); err != nil {
		t.Fatal(err)
	}
	if n := count(); n != 2 {
		t.Errorf("%d files after a killed writer, want the new one and %s", n, other)
	}
}
