package run

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An Agreement is how the results of a run compare with those of a reference, experiment by experiment.
type Agreement struct {
	Reference string
	Parts     []Part
}

// A Part is one experiment of an [Agreement].
type Part struct {
	ID      string
	Same    int          // tables that are the same byte for byte
	Timed   []string     // tables that are the same but for measured times and memory
	Differ  []Difference // the other tables
	Lacking map[string]string
	Reason  string // why the experiment was not compared
}

// Compare holds the results in out against those in a reference, table by table: of these ids, or of all that the
// reference has. Measured times and memory are left out of it.
func Compare(reference, out string, ids []string) (*Agreement, error) {
	if ids == nil {
		all, err := LoadAll(reference, nil)
		if err != nil {
			return nil, err
		}
		for _, r := range all {
			ids = append(ids, filepath.Base(r.Dir))
		}
	}
	a := &Agreement{Reference: reference}
	for _, id := range ids {
		p, err := part(filepath.Join(reference, id), filepath.Join(out, id))
		if err != nil {
			return nil, err
		}
		a.Parts = append(a.Parts, p)
	}
	return a, nil
}

func part(reference, dir string) (Part, error) {
	p := Part{ID: filepath.Base(dir)}
	old, err := Load(reference)
	if errors.Is(err, fs.ErrNotExist) {
		p.Reason = "it is not in the reference"
		return p, nil
	} else if err != nil {
		return p, err
	}
	now, err := Load(dir)
	if errors.Is(err, fs.ErrNotExist) {
		p.Reason = "it has not run"
		return p, nil
	} else if err != nil {
		return p, err
	}
	p.Lacking = now.lacks(old)
	switch {
	case now.Profile != old.Profile || now.Seed != old.Seed:
		p.Reason = fmt.Sprintf("it ran at the profile %s with seed %d, the reference at %s with seed %d", now.Profile,
			now.Seed, old.Profile, old.Seed)
		return p, nil
	case now.ConfigHash != old.ConfigHash:
		p.Reason = "its configuration is not the reference's"
		return p, nil
	}
	for _, name := range old.names(".csv") {
		stem := strings.TrimSuffix(name, ".csv")
		measured := append(slices.Clone(old.Measured[stem]), now.Measured[stem]...)
		d, err := differ(stem, filepath.Join(reference, name), filepath.Join(dir, name), measured)
		switch {
		case err != nil:
			return p, err
		case !d.Same():
			p.Differ = append(p.Differ, d)
		case d.Columns > 0:
			p.Timed = append(p.Timed, stem)
		default:
			p.Same++
		}
	}
	for _, name := range now.names(".csv") {
		if _, err := os.Stat(filepath.Join(reference, name)); err != nil && !private(name) {
			p.Differ = append(p.Differ, Difference{Table: strings.TrimSuffix(name, ".csv"),
				Reason: "it is not in the reference"})
		}
	}
	return p, nil
}

// lacks is what r could not have and the reference had.
func (r *Result) lacks(reference *Result) map[string]string {
	lacking := maps.Clone(r.Lacking)
	for name := range reference.Lacking {
		delete(lacking, name)
	}
	return lacking
}

// Differs lists the tables of experiments with all data that do not agree with the reference by more than rounding.
func (a *Agreement) Differs() []string {
	var list []string
	for _, p := range a.Parts {
		if len(p.Lacking) > 0 {
			continue
		}
		if p.Reason != "" {
			list = append(list, p.ID+": "+p.Reason)
		}
		for _, d := range p.Differ {
			if !d.agrees() {
				list = append(list, p.ID+"/"+d.String())
			}
		}
	}
	return list
}

// String is a page: how many tables are the same, which differ, where first and by how much, and what was left out.
func (a *Agreement) String() string {
	var b strings.Builder
	same, timed, rounded := 0, []string(nil), []string(nil)
	for _, p := range a.Parts {
		same += p.Same
		for _, t := range p.Timed {
			timed = append(timed, p.ID+"/"+t)
		}
		for _, d := range p.Differ {
			if d.agrees() {
				rounded = append(rounded, p.ID+"/"+d.String())
			}
		}
	}
	fmt.Fprintf(&b, "compared with %s: %s the same byte for byte", a.Reference, counted(same, "table is", "tables are"))
	if len(timed) > 0 {
		fmt.Fprintf(&b, ", %d but for measured times (%s)", len(timed), strings.Join(timed, ", "))
	}
	b.WriteString("\n")
	list := func(heading string, lines []string) {
		if len(lines) == 0 {
			return
		}
		fmt.Fprintf(&b, "%s:\n", heading)
		for _, line := range lines {
			fmt.Fprintf(&b, "  %s\n", line)
		}
	}
	list("differ by rounding, as on another processor (figures/PROCESSORS.md)", rounded)
	list("DIFFER", a.Differs())
	for _, p := range a.Parts {
		if len(p.Lacking) == 0 {
			continue
		}
		var lines []string
		for _, name := range slices.Sorted(maps.Keys(p.Lacking)) {
			lines = append(lines, fmt.Sprintf("needs %s; would come with %s", name, p.Lacking[name]))
		}
		for _, d := range p.Differ {
			if !d.agrees() {
				lines = append(lines, "differs without it: "+d.String())
			}
		}
		list(p.ID+", incomplete", lines)
	}
	return b.String()
}
