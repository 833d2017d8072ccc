// Package filelock tells whether another process still works on a file or a folder.
package filelock

import "os"

// Try takes an exclusive advisory lock on f, an open file or folder, and tells whether
// it got it: false means that another open file holds it, in this process or in
// another. The lock ends when f is closed or the process ends, however that ends. The
// error is errors.ErrUnsupported where the system or the file system has no locks.
func Try(f *os.File) (bool, error) { return try(f) }

// Abandoned tells whether the file or folder at path is there and no living process
// holds its lock. Where there are no locks nothing counts as abandoned.
func Abandoned(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	free, err := Try(f)
	return free && err == nil
}
