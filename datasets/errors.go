package datasets

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"bnlab/internal/say"
)

var (
	// ErrUnknown is returned for a name that is not in the register.
	ErrUnknown = errors.New("not in the register")
	// ErrNotAvailable is returned for a file of the register that cannot be
	// had now; the error is an *UnavailableError.
	ErrNotAvailable = errors.New("not available")
	// ErrChecksum is returned for a file whose bytes are not the expected
	// ones; the error is a *ChecksumError.
	ErrChecksum = errors.New("SHA-256 differs")
)

// A ChecksumError is a file with the wrong bytes.
type ChecksumError struct {
	Path      string // the file on disk, or the address it came from
	Want, Got string // SHA-256 in lower-case hexadecimal
}

func (e *ChecksumError) Error() string {
	return say.Sprintf("%s: SHA-256 is %s, want %s", e.Path, e.Got, e.Want)
}

// Unwrap makes errors.Is(err, ErrChecksum) true.
func (e *ChecksumError) Unwrap() error { return ErrChecksum }

// An UnavailableError is a file that was in none of the places searched. Its
// text tells how to get it.
type UnavailableError struct {
	File    File
	HowTo   string  // for a file without a public address
	Offline bool    // the network was not asked
	DataDir string  // BNLAB_DATA, empty if unset
	Cache   string  // the cache folder, empty if there is none
	Causes  []error // what went wrong where
}

func (e *UnavailableError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s is not available", e.File.Path)
	if e.Offline && len(e.File.Addresses) > 0 {
		b.WriteString(" and the network is switched off (BNLAB_OFFLINE)")
	}
	for _, cause := range e.Causes {
		fmt.Fprintf(&b, "\n  tried: %v", cause)
	}
	for i, address := range e.File.Addresses {
		get := "get it from"
		if i > 0 {
			get = "or from"
		}
		fmt.Fprintf(&b, "\n  %s: %s", get, describeAddress(address))
	}
	if len(e.File.Addresses) == 0 {
		fmt.Fprintf(&b, "\n  it has no public address: %s", e.HowTo)
	}
	if e.File.SHA256 != "" {
		fmt.Fprintf(&b, "\n  its SHA-256 must be: %s", e.File.SHA256)
	}
	path := filepath.FromSlash(e.File.Path)
	if e.DataDir != "" {
		fmt.Fprintf(&b, "\n  put it at: %s", filepath.Join(e.DataDir, path))
	} else {
		fmt.Fprintf(&b, "\n  put it at: %s, and set BNLAB_DATA=DIR", filepath.Join("DIR", path))
	}
	if e.Cache != "" {
		fmt.Fprintf(&b, "\n  or at: %s", filepath.Join(e.Cache, path))
	}
	return say.Text(b.String())
}

// Unwrap makes errors.Is true for ErrNotAvailable and for each cause.
func (e *UnavailableError) Unwrap() []error {
	return append([]error{ErrNotAvailable}, e.Causes...)
}
