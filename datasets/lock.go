package datasets

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"bnlab/internal/filelock"
)

// downloading is the turn of one download in this process, where the file system has no locks.
var downloading = make(chan struct{}, 1)

// lockCache keeps other processes and goroutines from fetching into the same cache, and waits for its
// turn. The lock ends with the process, however that ends; its empty file stays. Where there are no
// locks only the goroutines of this process wait: what other processes might spoil, the checksum finds.
func lockCache(ctx context.Context, cache string) (unlock func(), err error) {
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return nil, &localError{err}
	}
	file, err := os.OpenFile(filepath.Join(cache, ".lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, &localError{err}
	}
	for {
		ok, err := filelock.Try(file)
		if ok {
			return func() { file.Close() }, nil
		}
		if err != nil {
			file.Close()
			select {
			case downloading <- struct{}{}:
				return func() { <-downloading }, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		select {
		case <-ctx.Done():
			file.Close()
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}
