package datasets

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"bnlab/internal/say"
)

// Open returns the bytes of a file of the register. name is a set's name,
// which means its first file, a path such as "networks/alarm.bif", or a file
// name that occurs once. set may be nil. The caller closes the reader.
//
// It returns ErrUnknown for another name, ErrChecksum if the file below
// BNLAB_DATA has other bytes, and ErrNotAvailable with advice if the file is
// nowhere; ctx ends a download, which the next call takes up where it stopped.
func Open(ctx context.Context, name string, set *Settings) (io.ReadCloser, error) {
	s, f, err := find(name)
	if err != nil {
		return nil, err
	}
	return open(ctx, s, f, set)
}

// Path returns the absolute path of a file of the register, for programs that
// want a file rather than bytes; name and errors as in Open. A file of the
// program itself is written to the cache first.
func Path(ctx context.Context, name string, set *Settings) (string, error) {
	s, f, err := find(name)
	if err != nil {
		return "", err
	}
	if embedded(f) {
		return unpackEmbedded(f, set)
	}
	p, err := resolve(ctx, s, f, set)
	if err != nil {
		return "", say.Errorf("datasets: %w", err)
	}
	return p, nil
}

func open(ctx context.Context, s Set, f File, set *Settings) (io.ReadCloser, error) {
	if file, err := shipped.Open(f.Path); err == nil {
		return file, nil
	}
	p, err := resolve(ctx, s, f, set)
	if err != nil {
		return nil, say.Errorf("datasets: %w", err)
	}
	file, err := os.Open(p)
	if err != nil {
		return nil, say.Errorf("datasets: %w", err)
	}
	return file, nil
}

// resolve returns the path of a verified copy of f on disk.
func resolve(ctx context.Context, s Set, f File, set *Settings) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	missing := &UnavailableError{File: f, HowTo: s.HowTo, Offline: set.offline()}
	data, err := set.dataDir()
	if err != nil {
		return "", err
	}
	if missing.DataDir = data; data != "" {
		p := filepath.Join(data, filepath.FromSlash(f.Path))
		if err := verify(p, f.SHA256); err == nil || !errors.Is(err, fs.ErrNotExist) {
			return p, err
		}
		missing.Causes = append(missing.Causes, say.Errorf("BNLAB_DATA: no file %s", p))
	}
	if err := set.allows(f); err != nil {
		missing.Causes = append(missing.Causes, err)
		return "", missing
	}
	cache, cacheErr := set.cacheDir()
	if cacheErr == nil {
		missing.Cache = cache
		p := filepath.Join(cache, filepath.FromSlash(f.Path))
		err := verifyCached(p, f)
		if err == nil {
			return p, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			missing.Causes = append(missing.Causes, say.Errorf("cache: %w", err))
		}
	} else {
		missing.Causes = append(missing.Causes, cacheErr)
	}
	if len(f.Addresses) == 0 || missing.Offline || cacheErr != nil {
		return "", missing
	}
	p, err := download(ctx, cache, f, set)
	if err != nil {
		if ctx.Err() != nil {
			return "", say.Errorf("%s: %w", f.Path, context.Cause(ctx))
		}
		missing.Causes = append(missing.Causes, err)
		return "", missing
	}
	return p, nil
}

// verify returns nil if the file at path has the SHA-256 want; an empty want
// asks only for a regular file.
func verify(path, want string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return say.Errorf("%s is no regular file", path)
	}
	if want == "" {
		return nil
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return err
	}
	if got := hex.EncodeToString(hash.Sum(nil)); got != want {
		return &ChecksumError{Path: path, Want: want, Got: got}
	}
	return nil
}
