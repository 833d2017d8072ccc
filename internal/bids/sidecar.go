package bids

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"bnlab/internal/notnull"
	"bnlab/internal/say"
)

// maxSeconds is the longest time between images that is believed to be in seconds.
const maxSeconds = 100

// maxJSON bounds a JSON file, in bytes.
const maxJSON = 1 << 22

// A Sidecar is what the JSON file beside an image says of it.
type Sidecar struct {
	// RepetitionTime is the time between images in seconds.
	RepetitionTime float64
}

// ReadSidecar reads the JSON file beside an image. It returns a [FileError] that wraps ErrMissing when
// there is no RepetitionTime, and ErrUneven too when VolumeTiming is there in its place, ErrUnit when it
// is above 100 s, so hardly in seconds, ErrNumber when it is no time, or ErrFormat.
func ReadSidecar(path string) (*Sidecar, error) {
	var s struct{ RepetitionTime, VolumeTiming any }
	if err := readJSON(path, &s); err != nil {
		return nil, err
	}
	wrong := func(sentinel error, format string, args ...any) error {
		return &FileError{File: path, Column: "RepetitionTime",
			Err: say.Errorf("%w: "+format, append([]any{sentinel}, args...)...)}
	}
	seconds, number := s.RepetitionTime.(float64)
	switch {
	case s.RepetitionTime == nil && s.VolumeTiming != nil:
		return nil, wrong(ErrMissing, "VolumeTiming has %w, and the model needs equal steps", ErrUneven)
	case s.RepetitionTime == nil:
		return nil, wrong(ErrMissing, "give the seconds between images")
	case !number || !(seconds > 0):
		return nil, wrong(ErrNumber, "%v; give the seconds between images", s.RepetitionTime)
	case seconds > maxSeconds:
		return nil, wrong(ErrUnit, "%v is too long; it looks like milliseconds", seconds)
	}
	return &Sidecar{RepetitionTime: seconds}, nil
}

// checkUnits looks whether the description of the columns of an events file, when there is
// one, has onset and duration in seconds.
func checkUnits(path string) error {
	var columns map[string]json.RawMessage
	if err := readJSON(path, &columns); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	for _, name := range []string{"onset", "duration"} {
		var c struct{ Units string }
		if raw, described := columns[name]; described {
			if err := notnull.Unmarshal(raw, &c); err != nil {
				return &FileError{File: path, Column: name, Err: say.Errorf("%w: %v", ErrFormat, err)}
			}
		}
		if !slices.Contains([]string{"", "s", "sec", "second", "seconds"}, strings.ToLower(c.Units)) {
			return &FileError{File: path, Column: name,
				Err: say.Errorf("%w: the unit is %q; convert the column to seconds", ErrUnit, c.Units)}
		}
	}
	return nil
}

// readJSON reads a file of one JSON value.
func readJSON(path string, into any) error {
	f, err := os.Open(path)
	if err != nil {
		return say.Errorf("bids: %w", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxJSON+1))
	if err != nil {
		return say.Errorf("bids: %s: %w", path, err)
	}
	if len(b) > maxJSON {
		return &FileError{File: path, Err: fmt.Errorf("%w: more than %d bytes", ErrLimit, maxJSON)}
	}
	if err := notnull.Unmarshal(b, into); err != nil {
		return &FileError{File: path, Err: say.Errorf("%w: %v", ErrFormat, err)}
	}
	return nil
}
