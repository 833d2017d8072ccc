package nb

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bnlab/internal/celltext"
	"bnlab/internal/say"
	"bnlab/internal/sourcehash"
)

// A caller is a place in a program's text.
type caller struct {
	file string
	line int
}

// sources are what a kept value was computed from, as hashes.
type sources struct {
	Code    string              `json:"code"`
	Library string              `json:"library,omitempty"` // empty where Code is a whole program
	Folders []string            `json:"library_folders,omitempty"`
	Modules map[string]string   `json:"modules,omitempty"` // the user's own, by name
	Also    string              `json:"also,omitempty"`
	Env     map[string]string   `json:"environment,omitempty"` // of the variables that are read, not the values
	Args    string              `json:"arguments,omitempty"`   // of the program, where they are read
	Files   map[string]fileSeen `json:"files,omitempty"`       // by the path that the text has
}

// A fileSeen is a file as it was.
type fileSeen struct {
	Size int64     `json:"size"`
	Time time.Time `json:"time"`
	Sum  string    `json:"sha256"`
}

// sourcesOf finds what a call of Keep depends on. In a cell it is part of the text that GoNB has compiled, and the
// library; of another program it is the whole.
func sourcesOf(from caller, also []any) (sources, error) {
	s := sources{Files: map[string]fileSeen{}}
	var names []string
	part, err := cellPart(from)
	switch {
	case err == nil:
		if len(part.Unstated) > 0 {
			return s, say.Errorf("the value of the parameter %s is not in the text: give it to Keep after the function",
				say.List(part.Unstated))
		}
		if len(part.Unknown) > 0 {
			return s, say.Errorf("the value depends on %s: give that to Keep after the function, or what of it counts",
				strings.Join(part.Unknown, ", "))
		}
		s.Code, names = sumOf([]byte(part.Text+strings.Join(part.Imports, "\n"))), part.Strings
		s.Folders = []string{"go.mod", "bnkit", "internal", "datasets"}
		of := func(path string) bool { return strings.HasPrefix(path, "bnlab/experiments/") }
		if slices.ContainsFunc(part.Imports, of) {
			s.Folders = append(s.Folders, "experiments")
			part.Env = append(part.Env, "BNLAB_PROFILE") // which results
		}
		if s.Library, err = libraryHash(s.Folders); err != nil {
			break
		}
		var read celltext.Outside
		if s.Modules, read, err = ownModules(part.Imports); err != nil {
			return s, err
		}
		s.Env = environment(append(part.Env, read.Env...))
		if part.Args || read.Args {
			s.Args = argumentsHash()
		}
	}
	if err != nil {
		if s.Code, err = programHash(); err != nil {
			return s, err
		}
		s.Library, s.Folders, s.Modules = "", nil, nil
	}
	sum := sha256.New()
	for i, v := range also {
		if text, ok := v.(string); ok {
			names = append(names, text)
		}
		if err := hashValue(sum, v); err != nil {
			return s, say.Errorf("argument %d: %w", i+3, err)
		}
	}
	if len(also) > 0 {
		s.Also = hex.EncodeToString(sum.Sum(nil))
	}
	for _, name := range names {
		if seen, err := see(name, fileSeen{}); err == nil {
			s.Files[name] = seen
		}
	}
	return s, nil
}

// cellPart returns the text that a call depends on, if this program is a cell.
func cellPart(from caller) (celltext.Part, error) {
	dir := os.Getenv("GONB_TMP_DIR")
	if dir == "" || filepath.Base(from.file) != "main.go" {
		return celltext.Part{}, errors.New("not a cell")
	}
	src, err := os.ReadFile(filepath.Join(dir, "main.go"))
	if err != nil {
		return celltext.Part{}, err
	}
	return celltext.Of(src, "Keep", from.line)
}

// again looks at the library and the files as they are now.
func (s sources) again() sources {
	now := s
	if s.Library != "" {
		if sum, err := libraryHash(s.Folders); err == nil {
			now.Library = sum
		}
	}
	now.Env = environment(slices.Collect(maps.Keys(s.Env)))
	now.Modules, _, _ = ownModules(slices.Collect(maps.Keys(s.Modules))) // one that cannot be read is not as it was
	now.Files = map[string]fileSeen{}
	for name, was := range s.Files {
		if seen, err := see(name, was); err == nil {
			now.Files[name] = seen
		}
	}
	return now
}

// stale lists what is not as it was.
func (s sources) stale(now sources) []string {
	var why []string
	if s.Code != now.Code {
		why = append(why, "its code")
	}
	if s.Library != now.Library {
		why = append(why, "the library")
	}
	for _, name := range slices.Sorted(maps.Keys(s.Modules)) {
		if now.Modules[name] != s.Modules[name] {
			why = append(why, "the module "+name)
		}
	}
	if s.Also != now.Also {
		why = append(why, "an argument")
	}
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		// One that the code no longer reads is a change of the code.
		if is, ok := now.Env[name]; ok && is != s.Env[name] {
			why = append(why, "the environment variable "+name)
		}
	}
	if s.Args != now.Args {
		why = append(why, "an argument of the program")
	}
	for _, name := range slices.Sorted(maps.Keys(s.Files)) {
		// One that the code no longer names is a change of the code.
		if seen, ok := now.Files[name]; ok && seen.Sum != s.Files[name].Sum {
			why = append(why, name)
		} else if _, err := os.Stat(name); !ok && err != nil {
			why = append(why, name)
		}
	}
	return why
}

// see looks at a file, and reads it unless its size and time are those that were seen before.
func see(path string, was fileSeen) (fileSeen, error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return fileSeen{}, cmpErr(err, fs.ErrInvalid)
	}
	seen := fileSeen{Size: info.Size(), Time: info.ModTime(), Sum: was.Sum}
	if seen.Size == was.Size && seen.Time.Equal(was.Time) {
		return seen, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return fileSeen{}, err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return fileSeen{}, err
	}
	seen.Sum = hex.EncodeToString(sum.Sum(nil))
	return seen, nil
}

// environment returns the hashes of some environment variables, which may be secret. One that is not set has none.
func environment(names []string) map[string]string {
	if len(names) == 0 {
		return nil
	}
	sums := map[string]string{}
	for _, name := range names {
		sums[name] = ""
		if value, ok := os.LookupEnv(name); ok {
			sums[name] = sumOf([]byte(value))
		}
	}
	return sums
}

// argumentsHash is that of the program's arguments.
func argumentsHash() string { return sumOf([]byte(strings.Join(os.Args[1:], "\x00"))) }

func cmpErr(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

func sumOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// programHash is that of the program that runs, with all its packages.
func programHash() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	seen, err := see(path, fileSeen{})
	return seen.Sum, err
}

// libraryHash is that of the library's sources, without tests and documents.
func libraryHash(folders []string) (string, error) {
	root := libraryRoot()
	if root == "" {
		return "", errors.New("the sources of the library are not at hand")
	}
	sum := sha256.New()
	for _, folder := range folders {
		if err := sourcehash.Add(sum, root, folder); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
