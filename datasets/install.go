package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"

	"bnlab/internal/atomicfile"
	"bnlab/internal/say"
)

// maxUnknown bounds a file whose size the register does not know.
const maxUnknown = 1 << 30

// limit is the largest size that f can have.
func (f File) limit() int64 {
	if f.Bytes > 0 {
		return f.Bytes
	}
	return maxUnknown
}

// install copies src to target in one step: readers see the whole file or
// none. It stops at f's size, so that a small archive cannot fill the disk,
// and returns a *ChecksumError, with nothing written, for other bytes than
// f's. from names the origin in that error.
func install(src io.Reader, target string, f File, from string) error {
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return &localError{err}
	}
	var origin error // what is wrong with the bytes, not with this computer
	err := atomicfile.Write(target, func(w io.Writer) error {
		origin = copyChecked(diskWriter{w}, src, f, from)
		return origin
	})
	if origin == nil && err != nil {
		return &localError{err}
	}
	return origin
}

// copyChecked copies f from src, and returns an error for other bytes than f's.
func copyChecked(dst io.Writer, src io.Reader, f File, from string) error {
	hash := sha256.New()
	n, err := io.Copy(io.MultiWriter(dst, hash), io.LimitReader(src, f.limit()+1))
	if err != nil {
		return say.Errorf("%s: %w", from, err)
	}
	if n > f.limit() {
		return say.Errorf("%s: %w: more than the expected %d bytes", from, ErrChecksum, f.limit())
	}
	if got := hex.EncodeToString(hash.Sum(nil)); f.SHA256 != "" && got != f.SHA256 {
		return &ChecksumError{Path: from, Want: f.SHA256, Got: got}
	}
	return nil
}

// A localError comes from this computer's disk: no other address will help.
type localError struct{ err error }

func (e *localError) Error() string {
	return say.Sprintf("cannot write to the cache (XDG_CACHE_HOME moves it): %v", e.err)
}

func (e *localError) Unwrap() error { return e.err }

// diskWriter marks the errors of writing, to tell them from those of reading.
type diskWriter struct{ w io.Writer }

func (d diskWriter) Write(p []byte) (int, error) {
	n, err := d.w.Write(p)
	if err != nil {
		err = &localError{err}
	}
	return n, err
}
