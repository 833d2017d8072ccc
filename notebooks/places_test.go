//go:build unix

package notebooks_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// TestReproducePlaces runs set-up where it cannot work, and is told why and what to do.
func TestReproducePlaces(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("needs bash")
	}
	checkout := func(t *testing.T, dir string) string {
		for _, name := range []string{"reproduce.sh", "go.mod"} {
			write(t, filepath.Join(dir, name), read(t, "../"+name))
		}
		return filepath.Join(dir, "reproduce.sh")
	}
	t.Run("colon", func(t *testing.T) {
		script := checkout(t, filepath.Join(t.TempDir(), "a:b"))
		status, out := run(t, ".", nil, bash, script, "--setup")
		expect(t, 1, status, out, "a colon in the path", "move it to one without")
	})
	t.Run("no temporary folder", func(t *testing.T) {
		script := checkout(t, t.TempDir())
		status, out := run(t, ".", []string{"TMPDIR=/no/such"}, bash, script, "--setup")
		expect(t, 1, status, out, "no file can be made in the temporary folder /no/such", "TMPDIR=~/tmp")
	})
	t.Run("programs cannot run", func(t *testing.T) {
		dir := t.TempDir()
		if err := exec.Command("mount", "-t", "tmpfs", "-o", "noexec", "tmpfs", dir).Run(); err != nil {
			t.Skip("needs to mount a folder:", err)
		}
		defer exec.Command("umount", dir).Run()
		script := checkout(t, t.TempDir())
		status, out := run(t, ".", []string{"TMPDIR=" + dir}, bash, script, "--setup")
		expect(t, 1, status, out, "no program can run in the temporary folder "+dir, "noexec", "TMPDIR=~/tmp")
		notebook := cellsOf(t, codeCell{source: "%%\nfmt.Println(1)"})
		status, out = execute(t, []string{"TMPDIR=" + dir}, notebook)
		expect(t, 1, status, out, "permission denied", "set TMPDIR")
	})
	t.Run("somebody else's", func(t *testing.T) {
		dir, err := os.MkdirTemp("/tmp", "bnlab-places") // which others may enter, unlike t.TempDir
		if err != nil {
			t.Skip(err)
		}
		defer os.RemoveAll(dir)
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		script := checkout(t, dir)
		cmd := exec.Command(bash, script, "--setup")
		cmd.Env = append(os.Environ(), "HOME="+dir, "TMPDIR=/tmp", "GOTOOLCHAIN=local")
		if os.Getuid() == 0 {
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		} else if err := os.Chmod(dir, 0o555); err != nil {
			t.Fatal(err)
		}
		cmd.Dir = "/"
		out, _ := cmd.CombinedOutput()
		expect(t, 1, cmd.ProcessState.ExitCode(), string(out), "cannot write in . of "+dir, "cp -R "+dir)
	})
}
