// Package atomicfile writes files that are either complete or not there.
package atomicfile

import (
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"bnlab/internal/filelock"
	"bnlab/internal/say"
)

// Write calls write with a temporary file beside path, brings it to the disk and then
// renames it to path, so that a full disk, a failure half-way or a power cut leaves
// what was there before. A symbolic link is followed, also one whose target is not
// there yet; anything but a regular file is refused, since a rename would replace it.
// A new file gets the mode that the umask leaves of 0666, another keeps its own.
// Temporary files of writers that were killed are removed.
func Write(path string, write func(io.Writer) error) (err error) {
	path, err = target(path)
	if err != nil {
		return say.Errorf("writing %s: %w", path, err)
	}
	mode, replaces := os.FileMode(0o666), false
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() {
			return say.Errorf("writing %s: it is not a regular file", path)
		}
		mode, replaces = info.Mode().Perm(), true
	}
	sweep(path)
	f, err := create(path, replaces)
	if err != nil {
		var cause *os.PathError // names the temporary file, which tells the user nothing
		if errors.As(err, &cause) {
			err = cause.Err
		}
		return say.Errorf("writing %s: no file can be made in the folder %s: %w", path, filepath.Dir(path), err)
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
			err = say.Errorf("writing %s: %w", path, err)
		}
	}()
	if err := write(f); err != nil {
		return err
	}
	if replaces {
		if err := f.Chmod(mode); err != nil {
			return err
		}
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := rename(f, path); err != nil {
		return err
	}
	if dir, err := os.Open(filepath.Dir(path)); err == nil {
		dir.Sync() // the new name; a system that cannot do this has said all it can with the file
		dir.Close()
	}
	return nil
}

// WriteFile writes b to path as [Write] does.
func WriteFile(path string, b []byte) error {
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

// maxLinks is how many symbolic links are followed, as Linux does.
const maxLinks = 40

// target follows symbolic links from path to the file that is to be written.
func target(path string) (string, error) {
	for range maxLinks {
		to, err := os.Readlink(path)
		if err != nil {
			return path, nil // no link, or nothing there
		}
		if !filepath.IsAbs(to) {
			// The folder's own links first: .. is relative to where they lead.
			dir, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				return path, err
			}
			to = filepath.Join(dir, to)
		}
		path = to
	}
	return path, errors.New("too many symbolic links")
}

// prefix begins the names of temporary files for path. No name is longer than the
// 255 bytes that file systems take.
func prefix(path string) string {
	base := filepath.Base(path)
	return "." + base[:min(len(base), 200)] + ".partial-"
}

// create makes the temporary file and holds its lock, so that no other writer takes it
// for litter. Only the owner can read it while it may become a file of the owner's.
func create(path string, private bool) (*os.File, error) {
	mode := os.FileMode(0o666)
	if private {
		mode = 0o600
	}
	for {
		var random [8]byte
		for i := range random {
			random[i] = byte(rand.Uint32()) // a name, not a number of any result
		}
		name := filepath.Join(filepath.Dir(path), prefix(path)+hex.EncodeToString(random[:]))
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if holds(f) {
			return f, nil
		}
		f.Close() // swept, or being swept, before it was locked
	}
}

// holds locks a file and reports whether no sweep can remove it, or has.
func holds(f *os.File) bool {
	locked, err := filelock.Try(f)
	if err != nil {
		return true // without locks nobody sweeps
	}
	mine, err1 := f.Stat()
	there, err2 := os.Stat(f.Name())
	return locked && err1 == nil && err2 == nil && os.SameFile(mine, there)
}

// sweep removes the temporary files for path that no living writer holds.
func sweep(path string) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return
	}
	for _, e := range entries {
		random, ok := strings.CutPrefix(e.Name(), prefix(path))
		if !ok || len(random) != 16 || !e.Type().IsRegular() {
			continue
		}
		removeAbandoned(filepath.Join(filepath.Dir(path), e.Name()))
	}
}

// removeAbandoned removes a file that no living writer holds. It holds the lock meanwhile: a writer that has just made
// the file does not get it then, and makes another.
func removeAbandoned(name string) {
	f, err := os.Open(name)
	if err != nil {
		return
	}
	defer f.Close()
	if free, err := filelock.Try(f); free && err == nil {
		os.Remove(name)
	}
}
