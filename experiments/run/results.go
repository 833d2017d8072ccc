package run

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bnlab/internal/say"
)

// A Result is what one run has left on disk.
type Result struct {
	Record
	Dir    string
	Reused bool // found on disk, not computed by this call
	other  bool // whether other code or another configuration has computed it than a run would have now
}

// String says in a sentence what is seen: the profile, and what computed it.
func (r *Result) String() string {
	s := fmt.Sprintf("%s: results of the profile %s, computed on %s", r.ID, r.Profile,
		r.Started.UTC().Format("2 January 2006"))
	if len(r.Code) > 8 {
		s += " by code " + r.Code[:8]
	}
	if r.other {
		s += ", which is not that of this checkout"
	}
	if r.Profile != Paper {
		s += "; numbers in the text are of the profile paper"
	}
	return s + "."
}

// Figure returns a figure of the result, by its name without .png. It reads the
// file when it is drawn.
func (r *Result) Figure(name string) (Figure, error) {
	if have := r.names(".png"); !slices.Contains(have, name+".png") {
		return Figure{}, say.Errorf("experiment %s has no figure %q (it has: %s)", r.ID, name, say.List(have))
	}
	return Figure{filepath.Join(r.Dir, name)}, nil
}

// Claims reads the claims of the result. Verdicts that change with the seed say so, if [ExecuteSeeds] has run: a
// finding that came out with some seeds and did not with others is not told apart.
func (r *Result) Claims() ([]Claim, error) {
	claims, err := readClaims(filepath.Join(r.Dir, "claims.csv"))
	if err != nil {
		return nil, err
	}
	seeds, err := r.seeds()
	if err != nil {
		return nil, err
	}
	seeds.mark(r, claims)
	return claims, nil
}

// seeds are those of the result, from the folder beside it, or else from figures/.
func (r *Result) seeds() (census, error) {
	c, err := readSeeds(filepath.Dir(r.Dir), filepath.Base(r.Dir))
	if root := Root(); err == nil && c.tallies == nil && r.Profile == Paper && root != "" {
		return readSeeds(filepath.Join(root, "figures"), filepath.Base(r.Dir))
	}
	return c, err
}

// names lists the files with this ending, in order.
func (r *Result) names(ext string) []string {
	found, _ := filepath.Glob(filepath.Join(escapeGlob(r.Dir), "*"+ext))
	for i, path := range found {
		found[i] = filepath.Base(path)
	}
	return found
}

func escapeGlob(path string) string {
	return strings.NewReplacer(`[`, `\[`, `*`, `\*`, `?`, `\?`, `\`, `\\`).Replace(path)
}

// A Figure is a picture on disk.
type Figure struct{ stem string }

var _ Picture = Figure{}

// PNG implements [Picture].
func (f Figure) PNG() ([]byte, error) { return os.ReadFile(f.stem + ".png") }

// SVG implements [Picture].
func (f Figure) SVG() ([]byte, error) { return os.ReadFile(f.stem + ".svg") }

// Load opens the result in a directory that a run has written.
func Load(dir string) (*Result, error) {
	record, err := readRecord(dir)
	if err != nil {
		return nil, err
	}
	return &Result{Record: record, Dir: dir}, nil
}

// LoadAll opens the results in the directories of out: those of ids first, in
// that order, then any others by name. Directories without a run.json are no
// results.
func LoadAll(out string, ids []string) ([]*Result, error) {
	entries, err := os.ReadDir(out)
	if err != nil {
		return nil, err
	}
	rank := func(id string) int {
		if i := slices.Index(ids, id); i >= 0 {
			return i
		}
		return len(ids)
	}
	var results []*Result
	for _, entry := range entries {
		dir := filepath.Join(out, entry.Name())
		if strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, "run.json")); err != nil {
			continue
		}
		r, err := Load(dir)
		if err != nil {
			return nil, err
		}
		results = append(results, r)
	}
	slices.SortStableFunc(results, func(a, b *Result) int {
		return rank(filepath.Base(a.Dir)) - rank(filepath.Base(b.Dir))
	})
	return results, nil
}
