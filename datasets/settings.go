package datasets

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"bnlab/internal/say"
)

// Settings change where files are looked for and how they are fetched. A nil
// *Settings and a zero field both mean the default.
type Settings struct {
	// DataDir is the folder searched first; a relative one is relative to the
	// working directory at the program's start. Default: BNLAB_DATA.
	DataDir string
	// CacheDir is where fetched files go. Default: bnlab/ below
	// os.UserCacheDir(), which follows XDG_CACHE_HOME and HOME.
	CacheDir string
	// Offline leaves out the network. Default: BNLAB_OFFLINE is set, and not
	// to 0 or false.
	Offline bool
	// Client fetches. Default: http.DefaultClient, which follows HTTPS_PROXY.
	Client *http.Client
	// StallTimeout ends a transfer that brings no byte for so long.
	// Default: 30 seconds.
	StallTimeout time.Duration
	// Progress, if not nil, is told the bytes that are there and the bytes
	// there will be (0 if not known), about ten times a second and at the
	// end of a transfer. It is called from one goroutine at a time.
	Progress func(file string, done, total int64)
	// Unchecked names the files without a known checksum that may be fetched
	// all the same. Default: BNLAB_UNCHECKED, names separated by commas.
	Unchecked []string
	// Notice is told the SHA-256 of such a file when it has been fetched.
	// Default: a line on standard error.
	Notice func(text string)
}

// startDir makes a relative BNLAB_DATA mean the same folder all the time,
// whatever os.Chdir does later.
var startDir, startErr = os.Getwd()

// DataDir returns the folder named by BNLAB_DATA as an absolute path, empty
// if the variable is. It is an error if there is no such folder.
func DataDir() (string, error) {
	dir, err := (*Settings)(nil).dataDir()
	if err != nil {
		return "", say.Errorf("datasets: %w", err)
	}
	return dir, nil
}

func (s *Settings) dataDir() (string, error) {
	from, dir := "BNLAB_DATA", os.Getenv("BNLAB_DATA")
	if s != nil && s.DataDir != "" {
		from, dir = "Settings.DataDir", s.DataDir
	}
	if dir == "" {
		return "", nil
	}
	given := dir
	if !filepath.IsAbs(dir) {
		if startErr != nil {
			return "", say.Errorf("%s=%s: no working directory: %w", from, given, startErr)
		}
		dir = filepath.Join(startDir, dir)
	}
	switch info, err := os.Stat(dir); {
	case err != nil:
		return "", say.Errorf("%s=%s: %w", from, given, err)
	case !info.IsDir():
		return "", say.Errorf("%s=%s: %s is no folder", from, given, dir)
	}
	return filepath.Clean(dir), nil
}

func (s *Settings) cacheDir() (string, error) {
	if s != nil && s.CacheDir != "" {
		return filepath.Abs(s.CacheDir)
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", say.Errorf("no cache folder: %w", err)
	}
	return filepath.Join(dir, "bnlab"), nil
}

func (s *Settings) offline() bool {
	if s != nil && s.Offline {
		return true
	}
	value := os.Getenv("BNLAB_OFFLINE")
	off, err := strconv.ParseBool(value)
	return off || (err != nil && value != "")
}

func (s *Settings) client() *http.Client {
	if s != nil && s.Client != nil {
		return s.Client
	}
	return http.DefaultClient
}

func (s *Settings) stallTimeout() time.Duration {
	if s != nil && s.StallTimeout > 0 {
		return s.StallTimeout
	}
	return 30 * time.Second
}

// report passes progress on.
func (s *Settings) report(file string, done, total int64) {
	if s != nil && s.Progress != nil {
		s.Progress(file, done, total)
	}
}

var errStalled = errors.New("no byte came in time")
