package nb

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"bnlab/internal/atomicfile"
	"bnlab/internal/notnull"
	"bnlab/internal/say"
)

// A shelf is the place of one name: a record, and beside it a file with the value, named after its hash. The record
// is written last and names the file, so that the two always belong together.
type shelf struct{ dir, name string }

func newShelf(name string) (shelf, error) {
	dir := cmp.Or(os.Getenv("BNLAB_KEEP"), ".gonb_cache")
	return shelf{dir, name}, validName(name)
}

const recordEnd = ".kept.json"

func (s shelf) path() string { return filepath.Join(s.dir, s.name+recordEnd) }

// read returns the record, nil when nothing is kept or when another version has written it.
func (s shelf) read() (*record, error) {
	b, err := os.ReadFile(s.path())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, say.Errorf("nb: %w", err)
	}
	r := new(record)
	if notnull.Unmarshal(b, r) != nil || r.Format != keptFormat {
		return nil, nil
	}
	return r, nil
}

// value reads what the record is of.
func (s shelf) value(r *record, into any) error {
	if r.File != filepath.Base(r.File) {
		return say.Errorf("the record names %q, which is not a file beside it", r.File)
	}
	path := filepath.Join(s.dir, r.File)
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if sumOf(b) != r.Sum {
		return say.Errorf("%s is not as it was written", path)
	}
	return unpack(path, b, into)
}

// write keeps the value that into points at.
func (s shelf) write(from sources, into any) error {
	fail := func(err error) error { return say.Errorf("nb: %q cannot be kept: %w", s.name, err) }
	if err := os.MkdirAll(s.dir, 0o777); err != nil {
		return fail(err)
	}
	b, ending, err := pack(s.dir, into)
	if err != nil {
		return fail(err)
	}
	r := record{Format: keptFormat, Name: s.name, Type: typeOf(into), Time: time.Now().UTC().Truncate(time.Second),
		Sum: sumOf(b), sources: from}
	r.File = s.name + "-" + r.Sum[:12] + ending
	if err := writeFile(filepath.Join(s.dir, r.File), b); err != nil {
		return fail(err)
	}
	old, _ := s.read()
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fail(err)
	}
	if err := writeFile(s.path(), append(text, '\n')); err != nil {
		return fail(err)
	}
	if old != nil && old.File != r.File && old.File == filepath.Base(old.File) {
		os.Remove(filepath.Join(s.dir, old.File))
	}
	return nil
}

func writeFile(path string, b []byte) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

// others lists what is kept, for an error.
func (s shelf) others() string {
	found, _ := filepath.Glob(filepath.Join(s.dir, "*"+recordEnd))
	if len(found) == 0 {
		return "nothing is kept there"
	}
	for i, path := range found {
		found[i] = strings.TrimSuffix(filepath.Base(path), recordEnd)
	}
	return "there is: " + strings.Join(found, ", ")
}
