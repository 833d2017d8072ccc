// Package atomicfile writes files that are either complete or not there.
package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Write calls write with a temporary file beside path and then renames it to path,
// so that a full disk or a failure half-way leaves what was there before. A symbolic
// link is followed; anything but a regular file is refused, since a rename would
// replace it. The file gets mode 0644, or that of the file it replaces.
func Write(path string, write func(io.Writer) error) (err error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	mode := os.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() {
			return fmt.Errorf("writing %s: it is not a regular file", path)
		}
		mode = info.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		var cause *os.PathError // names the temporary file, which tells the user nothing
		if errors.As(err, &cause) {
			err = cause.Err
		}
		return fmt.Errorf("writing %s: no file can be made in the folder %s: %w", path, filepath.Dir(path), err)
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
			err = fmt.Errorf("writing %s: %w", path, err)
		}
	}()
	if err := write(f); err != nil {
		return err
	}
	if err := f.Chmod(mode); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
