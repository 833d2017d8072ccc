package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"bnlab/internal/atomicfile"
	"bnlab/internal/say"
)

// ErrUnchecked is returned for a file whose SHA-256 nobody knows, so that it is fetched
// only for those who name it (Settings.Unchecked).
var ErrUnchecked = errors.New("no checksum of it is known, so what is fetched may be anybody's file")

// allows tells whether f may be fetched: its checksum is known, or the user named it.
func (s *Settings) allows(f File) error {
	if f.SHA256 != "" {
		return nil
	}
	named := strings.Split(os.Getenv("BNLAB_UNCHECKED"), ",")
	if s != nil && s.Unchecked != nil {
		named = s.Unchecked
	}
	if slices.Contains(named, f.Path) || slices.Contains(named, path.Base(f.Path)) {
		return nil
	}
	return say.Errorf("%w; to fetch it all the same, set BNLAB_UNCHECKED=%s", ErrUnchecked, path.Base(f.Path))
}

// pin writes the SHA-256 of a file without a known one beside it, and tells the user.
// The copy in the cache is compared with it from then on.
func pin(target string, f File, set *Settings) error {
	file, err := os.Open(target)
	if err != nil {
		return &localError{err}
	}
	defer file.Close()
	hash := sha256.New()
	n, err := io.Copy(hash, file)
	if err != nil {
		return &localError{err}
	}
	sum := hex.EncodeToString(hash.Sum(nil))
	if err := atomicfile.WriteFile(target+pinSuffix, []byte(sum+"\n")); err != nil {
		return &localError{err}
	}
	set.notice(fmt.Sprintf("%s: fetched without a known checksum, %d bytes, SHA-256 %s", f.Path, n, sum))
	return nil
}

const pinSuffix = ".sha256"

// verifyCached returns nil if the cache's copy of f has the known SHA-256, or else that
// of the day when it was fetched.
func verifyCached(target string, f File) error {
	if f.SHA256 != "" {
		return verify(target, f.SHA256)
	}
	sum, err := os.ReadFile(target + pinSuffix)
	if err != nil {
		return err
	}
	return verify(target, strings.TrimSpace(string(sum)))
}

// notice tells the user something that must not pass unseen.
func (s *Settings) notice(text string) {
	if s != nil && s.Notice != nil {
		s.Notice(text)
		return
	}
	fmt.Fprintln(os.Stderr, "datasets:", text)
}
