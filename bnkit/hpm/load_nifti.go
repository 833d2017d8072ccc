package hpm

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"bnlab/internal/bids"
	"bnlab/internal/english"
	"bnlab/internal/nifti"
	"bnlab/internal/say"
)

// A ScannerRun is one run of the scanner, as files.
type ScannerRun struct {
	// Bold is the file of images in time: .nii, .nii.gz, or .hdr with .img beside it.
	Bold string
	// Events is the table of events: events.tsv of BIDS.
	Events string
	// Confounds is a table with a row for each image: confounds.tsv of fMRIPrep. It is needed
	// when [NIfTI].Confounds names columns.
	Confounds string
	// Name is for messages and [Trial].Run; empty is the run's number, from 1.
	Name string
}

// NIfTI reads studies from images of a scanner; see [NIfTI.Read]. The zero value has the defaults.
type NIfTI struct {
	// Mask is an image whose voxels other than 0 are kept. Without mask and atlas all are.
	Mask string
	// Atlas is an image of whole numbers, the regions of voxels. Voxels with 0 are left out.
	// Without one the voxels are one region.
	Atlas string
	// Labels names regions of the atlas; those without a name are called "region 7".
	Labels map[int]string
	// RepetitionTime is the time between images in seconds. 0 takes it from the .json file
	// beside the images, and without one from their header.
	RepetitionTime float64
	// Seconds is the duration of a process. 0 means the longest event of its kind and 12 s more, for
	// the blood's response, as in N06 §5.2: 16 s for stimuli of 4 s.
	Seconds float64
	// Kinds are the kinds of events that become processes; none means all.
	Kinds []string
	// KindColumn is the column of the events that holds the kind; empty means trial_type, or value where no event
	// of any run has a trial_type. Events with onset and duration only are of one kind, "event".
	KindColumn string
	// Confounds are columns of the runs' tables that become nuisance terms. Unknown values
	// ("n/a") are 0.
	Confounds []string
	// MaxBytes bounds the memory of the signal and of the places of its voxels; 0 means 2 GiB. Mask and
	// atlas may take an eighth of it each, or 64 MiB when that is more.
	MaxBytes int64
}

// Read reads a study from images and events. Each run becomes a trial, each kind of event
// a process. An event at s seconds begins with image
//
//	1 + round(s / repetition time),
//
// since image 1 begins at 0. The study has an intercept and a linear drift for each voxel and
// run; change Nuisance for other terms. Voxels are numbered as in the file, x fastest, and placed by their
// indices, from 0; their sides are those that the header of the first run tells.
//
// An error names file, run and line: files that cannot be read, a mask, an atlas or a run of another shape, an
// onset after the end, two instances of a process at once, repetition times that are unknown or
// differ. What is left out is a warning: voxels that are not finite or constant
// throughout each run, events without a kind, before the first image or in the last half of the last one,
// columns that are not known. So is what was done: onsets moved to the nearest image.
func (set NIfTI) Read(runs ...ScannerRun) (*Loaded, error) {
	if len(runs) == 0 {
		return nil, errors.New("hpm: there is no run; give one with the file of its images and that of its events")
	}
	l := &niftiLoader{set: set, Loaded: Loaded{Study: &Study{Nuisance: Nuisance{Intercept: true, Drift: 1}}}}
	switch {
	case !(l.set.RepetitionTime >= 0) || math.IsInf(l.set.RepetitionTime, 1):
		return nil, say.Errorf("hpm: RepetitionTime is %v; give seconds, or 0 for what the files say",
			l.set.RepetitionTime)
	case !(l.set.Seconds >= 0) || math.IsInf(l.set.Seconds, 1):
		return nil, say.Errorf("hpm: Seconds is %v; give the duration of a process, or 0 for events and 12 s",
			l.set.Seconds)
	case l.set.MaxBytes < 0:
		return nil, fmt.Errorf("hpm: MaxBytes is %d; give bytes, or 0 for 2 GiB", l.set.MaxBytes)
	case l.set.MaxBytes == 0:
		l.set.MaxBytes = 2 << 30
	}
	l.Nuisance.Confounds = l.set.Confounds
	names := make(map[string]bool)
	for i, run := range runs {
		if run.Name == "" {
			run.Name = strconv.Itoa(i + 1)
		}
		if names[run.Name] {
			return nil, say.Errorf("hpm: there are two runs %q; give each a name of its own", run.Name)
		}
		names[run.Name] = true
		if err := l.run(run); err != nil {
			return nil, say.Errorf("hpm: run %s: %w", run.Name, err)
		}
	}
	if err := l.events(); err != nil {
		return nil, err
	}
	if err := l.spoiltVoxels(); err != nil {
		return nil, err
	}
	l.Source = "NIfTI: " + runs[0].Bold
	if len(runs) > 1 {
		l.Source += fmt.Sprintf(" and %d more", len(runs)-1)
	}
	if _, err := l.Check(); err != nil {
		return nil, err
	}
	return &l.Loaded, nil
}

// A niftiLoader gathers a study run by run.
type niftiLoader struct {
	Loaded
	set    NIfTI
	first  *nifti.Header // of the first run
	voxels []int         // those kept, by number in an image; nil is all
	tables []*bids.Events
	bytes  int64 // of voxels and signal so far
}

// run reads images and events of a run and adds a trial.
func (l *niftiLoader) run(run ScannerRun) error {
	switch {
	case run.Bold == "":
		return errors.New("it has no file of images; name it in Bold")
	case run.Events == "":
		return errors.New("it has no table of events; name it in Events")
	case run.Confounds == "" && len(l.set.Confounds) > 0:
		return say.Errorf("it has no table with the confounds %s; name it in Confounds",
			say.List(l.set.Confounds))
	}
	r, err := nifti.Open(run.Bold)
	if err != nil {
		return err
	}
	defer r.Close()
	if r.Header.Images == 1 {
		return say.Errorf("%s has one image; give the file of images in time", run.Bold)
	}
	if err := l.grid(r.Header, run.Bold); err != nil {
		return err
	}
	seconds, err := l.repetitionTime(r.Header, run.Bold)
	if err != nil {
		return err
	}
	if l.ImageSeconds != 0 && seconds != l.ImageSeconds {
		return say.Errorf("%s has an image every %v s and earlier runs every %v s; processes are counted in images, "+
			"so keep runs of one kind", run.Bold, seconds, l.ImageSeconds)
	}
	l.ImageSeconds, l.Sides = seconds, l.first.Sides()
	table, err := bids.ReadEvents(run.Events, l.set.KindColumn)
	if err != nil {
		return err
	}
	if table.Unused != nil {
		l.warn("%s: columns that are not used: %s", run.Events, strings.Join(table.Unused, ", "))
	}
	l.tables = append(l.tables, table)
	trial := Trial{Name: filepath.Base(run.Bold), Run: run.Name, Images: r.Header.Images}
	if err := l.confounds(run, &trial); err != nil {
		return err
	}
	for range trial.Images {
		if trial.Data, err = r.Next(trial.Data, l.voxels); err != nil {
			return err
		}
	}
	if _, err := r.Next(nil, nil); err != io.EOF {
		return err
	}
	l.Trials = append(l.Trials, trial)
	return nil
}

// confounds reads the confounds of a run into its trial.
func (l *niftiLoader) confounds(run ScannerRun, trial *Trial) error {
	each := len(l.set.Confounds)
	if each == 0 {
		return nil
	}
	values, unknown, err := bids.ReadConfounds(run.Confounds, l.set.Confounds)
	if err != nil {
		return err
	}
	if len(values) != each*trial.Images {
		return say.Errorf("%s has %s and %s %s; give a row for each image", run.Confounds,
			english.Count(len(values)/each, "row"), run.Bold, english.Count(trial.Images, "image"))
	}
	if unknown > 0 {
		l.warn("%s: %s n/a, taken as 0", run.Confounds, english.Count(unknown, "value"))
	}
	trial.Confounds = values
	return nil
}

// repetitionTime returns the seconds between images from the settings, the side-car or the header.
func (l *niftiLoader) repetitionTime(h *nifti.Header, bold string) (float64, error) {
	if l.set.RepetitionTime > 0 {
		return l.set.RepetitionTime, nil
	}
	fromHeader, unknown := h.Seconds()
	base := bold
	for _, end := range []string{".gz", ".nii", ".hdr", ".img"} {
		base = strings.TrimSuffix(base, end)
	}
	sidecar, err := bids.ReadSidecar(base + ".json")
	switch {
	case err == nil:
		if unknown == nil && math.Abs(fromHeader-sidecar.RepetitionTime) > 1e-3 {
			l.warn("%s.json says an image every %v s, which is used, and the header %v s", base, sidecar.RepetitionTime,
				fromHeader)
		}
		return sidecar.RepetitionTime, nil
	case errors.Is(err, bids.ErrUneven) || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, bids.ErrMissing):
		return 0, err
	case unknown != nil:
		return 0, say.Errorf("%s: %w (RepetitionTime of the settings, or in %s.json)", bold, unknown, base)
	}
	return fromHeader, nil
}
