package datasets

import (
	"path"
	"slices"

	"bnlab/internal/say"
)

// A Set is one entry of the register.
type Set struct {
	Name  string // "breast-cancer"
	Title string
	// Rows and Columns are the size of the table that Load returns, 0 for a
	// set that is not one table.
	Rows, Columns int
	Target        string // the column a classifier predicts; may be empty
	Source        string // who made the data, and where they come from
	Licence       string
	Citation      string // references, with a DOI where there is one
	HowTo         string // how to get files that have no public address
	Files         []File // the first is the one that Load reads
}

// A File is one file of a Set.
type File struct {
	// Path is the file's path, with slashes, below BNLAB_DATA and below the
	// cache. It is unique in the register.
	Path   string
	SHA256 string // lower-case hexadecimal, empty if not known
	Bytes  int64  // size, 0 if not known
	// Addresses are tried in order. After '#' stands the wanted member of a
	// ZIP archive; an address that ends in ".gz#" is decompressed.
	Addresses []string
}

// Shipped tells whether the set's table is compiled into the program.
func (s Set) Shipped() bool { return len(s.Files) > 0 && embedded(s.Files[0]) }

// Sets returns the register, the shipped sets first.
func Sets() []Set {
	sets := make([]Set, len(register))
	for i, s := range register {
		sets[i] = s.clone()
	}
	return sets
}

// Find returns the set of that name. It returns ErrUnknown, and the names
// there are, if there is none.
func Find(name string) (Set, error) {
	for _, s := range register {
		if s.Name == name {
			return s.clone(), nil
		}
	}
	return Set{}, say.Errorf("datasets: %q: %w; the sets are %s", name, ErrUnknown, say.List(names()))
}

// find returns the file that a name means, with its set: a set's name is its
// first file; a path, or a file name that only one file has, is that file.
func find(name string) (Set, File, error) {
	var ofBase []File
	var set Set
	for _, s := range register {
		if s.Name == name {
			return s, s.Files[0], nil
		}
		for _, f := range s.Files {
			if f.Path == name {
				return s, f, nil
			}
			if path.Base(f.Path) == name {
				ofBase, set = append(ofBase, f), s
			}
		}
	}
	switch len(ofBase) {
	case 1:
		return set, ofBase[0], nil
	case 0:
		return Set{}, File{}, say.Errorf("datasets: %q: %w; it is no file, and the sets are %s",
			name, ErrUnknown, say.List(names()))
	}
	var paths []string
	for _, f := range ofBase {
		paths = append(paths, f.Path)
	}
	return Set{}, File{}, say.Errorf("datasets: %q: %w; give the path of one of %s", name, ErrUnknown,
		say.List(paths))
}

func names() []string {
	var all []string
	for _, s := range register {
		all = append(all, s.Name)
	}
	return all
}

func (s Set) clone() Set {
	s.Files = slices.Clone(s.Files)
	for i, f := range s.Files {
		s.Files[i].Addresses = slices.Clone(f.Addresses)
	}
	return s
}
