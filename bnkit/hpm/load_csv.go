package hpm

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"bnlab/internal/english"
	"bnlab/internal/say"
)

// CSV reads studies from CSV files; see [CSV.Read]. The zero value has the defaults.
type CSV struct {
	// Voxels is a table with the columns voxel, x, y, z and region: which columns of the
	// signal are voxels, and where they are. Without one, all columns but trial, run and image
	// are voxels, in a row of one region.
	Voxels string
	// Length is the number of images that a process lasts. 0 means the most that a trial shows.
	Length int
	// ImageSeconds is the time between images; 0 is unknown.
	ImageSeconds float64
}

// Read reads a study from CSV files. The signal has a row for each image, with the columns
// trial, image (1, 2, … in each trial) and one for each voxel, and run when trials share a scanner's
// run; rows of a trial are contiguous. The onsets have the columns trial, process and image, the
// first image with the process in it. Processes are sorted by name. Other columns give a
// warning.
//
// An error names file, line and column: columns that are missing, cells that are no finite
// number, images out of order, an onset in a trial that is not there, of a trial's end, or while the same process
// still runs.
func (set CSV) Read(signal, onsets string) (*Loaded, error) {
	if set.Length < 0 {
		return nil, fmt.Errorf("hpm: CSV.Length is %d; give images, or 0 for all that a trial shows", set.Length)
	}
	l := &csvLoader{Loaded: Loaded{Source: "CSV: " + signal, Study: &Study{ImageSeconds: set.ImageSeconds}},
		trial: make(map[string]int)}
	if set.Voxels != "" {
		if err := readTable(set.Voxels, []string{"voxel", "x", "y", "z", "region"}, l.voxel); err != nil {
			return nil, err
		}
	}
	if err := readTable(signal, []string{"trial", "image"}, l.row); err != nil {
		return nil, err
	}
	if err := readTable(onsets, []string{"trial", "process", "image"}, l.onset); err != nil {
		return nil, err
	}
	seen := make(map[string]int)
	for _, t := range l.Trials {
		for _, o := range t.Onsets {
			seen[o.Process] = max(seen[o.Process], t.Images-o.Image+1)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		if set.Length > 0 {
			seen[name] = set.Length
		}
		l.Processes = append(l.Processes, Process{Name: name, Length: seen[name]})
	}
	if _, err := l.Check(); err != nil {
		return nil, say.Errorf("%w (of %s and %s)", err, signal, onsets)
	}
	return &l.Loaded, nil
}

// A csvLoader gathers a study row by row.
type csvLoader struct {
	Loaded
	names   []string       // of voxels; nil until they are known
	columns []int          // of the signal, a voxel each; nil before its header
	trial   map[string]int // number by name
}

// notVoxels are the columns of the signal that say which image it is.
var notVoxels = [...]string{"trial", "run", "image"}

// voxel reads a row of the table of voxels.
func (l *csvLoader) voxel(r *record) error {
	var at [3]int
	for i, axis := range []string{"x", "y", "z"} {
		var err error
		if at[i], err = r.integer(axis); err != nil {
			return err
		}
	}
	name := r.cell("voxel")
	switch {
	case slices.Contains(l.names, name):
		return r.wrong("voxel", "%q is there already", name)
	case slices.Contains(notVoxels[:], name):
		return r.wrong("voxel", "%q is a column of the signal that holds no voxel; rename it", name)
	}
	l.names = append(l.names, name)
	l.Voxels = append(l.Voxels, Voxel{X: at[0], Y: at[1], Z: at[2], Region: r.cell("region")})
	return nil
}

// header finds the columns of voxels in the signal.
func (l *csvLoader) header(r *record) error {
	var rest []string
	for _, name := range r.header {
		if !slices.Contains(notVoxels[:], name) && !slices.Contains(l.names, name) {
			rest = append(rest, name)
		}
	}
	if l.names == nil {
		l.names = rest
		for v := range l.names {
			l.Voxels = append(l.Voxels, Voxel{X: v})
		}
	} else if rest != nil {
		l.warn("%s: columns that are not used: %s", r.path, atMost(10, rest))
	}
	if len(l.names) == 0 {
		return r.wrong("", "no column but trial, run and image; a voxel is a column")
	}
	for _, name := range l.names {
		c := slices.Index(r.header, name)
		if c < 0 {
			return r.wrong(name, "the table of voxels has it and the signal has not (columns: %s)",
				atMost(30, r.header))
		}
		l.columns = append(l.columns, c)
	}
	return nil
}

// row reads an image.
func (l *csvLoader) row(r *record) error {
	if l.columns == nil {
		if err := l.header(r); err != nil {
			return err
		}
	}
	name, run := r.cell("trial"), ""
	if slices.Contains(r.header, "run") {
		run = r.cell("run")
	}
	n, known := l.trial[name]
	if !known {
		n = len(l.Trials)
		l.trial[name] = n
		l.Trials = append(l.Trials, Trial{Name: name, Run: run})
	}
	t := &l.Trials[n]
	image, err := r.integer("image")
	switch {
	case err != nil:
		return err
	case n != len(l.Trials)-1:
		return r.wrong("trial", "trial %q ended further up; keep its rows together", name)
	case image != t.Images+1:
		return r.wrong("image", "%d of trial %q where %d comes next; images count from 1, none left out", image, name,
			t.Images+1)
	case run != t.Run:
		return r.wrong("run", "trial %q changes from run %q to %q", name, t.Run, run)
	}
	t.Images++
	for _, c := range l.columns {
		x, err := strconv.ParseFloat(r.cells[c], 64)
		if err != nil || !(math.Abs(x) <= math.MaxFloat64) {
			return r.wrong(r.header[c], "%q is not a finite number; mend it, or leave the column out with a table of "+
				"voxels", r.cells[c])
		}
		t.Data = append(t.Data, x)
	}
	return nil
}

// onset reads an onset.
func (l *csvLoader) onset(r *record) error {
	n, known := l.trial[r.cell("trial")]
	if !known {
		return r.wrong("trial", "%q is not in the signal", r.cell("trial"))
	}
	image, err := r.integer("image")
	if err != nil {
		return err
	}
	t := &l.Trials[n]
	if image < 1 || image > t.Images {
		return r.wrong("image", "%d is not in trial %q of %s, counted from 1", image, t.Name,
			english.Count(t.Images, "image"))
	}
	if r.cell("process") == "" {
		return r.wrong("process", "it is empty; name the process that begins")
	}
	t.Onsets = append(t.Onsets, Onset{Process: r.cell("process"), Image: image})
	return nil
}
