//go:build !unix

package datasets

import (
	"context"
	"os"
)

// downloading is the turn of one download in this process.
var downloading = make(chan struct{}, 1)

// lockCache lets one goroutine at a time fetch. Other processes are not kept
// out here; what they might spoil, the checksum finds.
func lockCache(ctx context.Context, cache string) (unlock func(), err error) {
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return nil, &localError{err}
	}
	select {
	case downloading <- struct{}{}:
		return func() { <-downloading }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
