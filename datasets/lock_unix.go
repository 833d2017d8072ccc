//go:build unix

package datasets

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// lockCache keeps other processes and goroutines from fetching into the same
// cache, and waits for its turn. The lock ends with the process, however that
// ends; its empty file stays.
func lockCache(ctx context.Context, cache string) (unlock func(), err error) {
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return nil, &localError{err}
	}
	file, err := os.OpenFile(filepath.Join(cache, ".lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, &localError{err}
	}
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { file.Close() }, nil
		}
		if err != syscall.EWOULDBLOCK && err != syscall.EINTR {
			// A file system without locks: go on without, the checksum decides.
			return func() { file.Close() }, nil
		}
		select {
		case <-ctx.Done():
			file.Close()
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}
