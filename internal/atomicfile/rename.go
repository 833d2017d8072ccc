//go:build !windows

package atomicfile

import "os"

// rename moves the temporary file to its place while it is still open and locked.
func rename(f *os.File, path string) error {
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return f.Close()
}
