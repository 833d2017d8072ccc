package datasets

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"

	"bnlab/internal/say"
)

// maxAttempts is how often one address is asked again after a transfer that
// was cut, each time from where it stopped.
const maxAttempts = 5

// download fetches f into the cache and returns its path there. What is
// fetched goes to a .part file, which stays when a transfer is cut and lets
// the next call go on; it goes when the file is complete or wrong.
func download(ctx context.Context, cache string, f File, set *Settings) (string, error) {
	unlock, err := lockCache(ctx, cache)
	if err != nil {
		return "", err
	}
	defer unlock()
	target := filepath.Join(cache, filepath.FromSlash(f.Path))
	if verifyCached(target, f) == nil {
		return target, nil // fetched by another process while this one waited
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return "", &localError{err}
	}
	var failures []error
	for _, address := range f.Addresses {
		err := downloadFrom(ctx, address, target, f, set)
		if err == nil && f.SHA256 == "" {
			err = pin(target, f, set)
		}
		if err == nil {
			return target, nil
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		failures = append(failures, err)
		var local *localError
		if errors.As(err, &local) {
			break
		}
	}
	return "", errors.Join(failures...)
}

// downloadFrom fetches f from one address to target.
func downloadFrom(ctx context.Context, address, target string, f File, set *Settings) error {
	url, in, _ := parseAddress(address)
	t := transfer{url: url, name: f.Path, part: partFile(target, url), limit: f.limit(), settings: set,
		checked: f.SHA256 != ""}
	if in == plain {
		t.size = f.Bytes
	} else {
		t.limit = maxUnknown // the archive, whose size is not known
	}
	restarted := false
	for attempt := 1; ; attempt++ {
		before := t.have()
		resumed, err := t.run(ctx)
		if err == nil {
			err = unpack(t.part, target, f, address)
			t.discard()
			if err != nil && resumed && !restarted {
				restarted = true // perhaps the pieces do not belong together
				continue
			}
			return err
		}
		var local *localError
		switch {
		case ctx.Err() != nil:
			return err
		case errors.As(err, &local):
			t.discard() // a full disk wants its room back
			return err
		case errors.Is(err, errRestart) && !restarted:
			restarted = true
			t.discard()
		case attempt >= maxAttempts || t.have() <= before:
			return say.Errorf("%s: %w", url, err)
		}
	}
}

// partFile is where a transfer from url to target is kept. Another address of
// the same file has another name: their bytes must not be mixed.
func partFile(target, url string) string {
	sum := sha256.Sum256([]byte(url))
	return target + "." + hex.EncodeToString(sum[:4]) + ".part"
}
