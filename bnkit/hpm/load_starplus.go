package hpm

import (
	"fmt"
	"math"

	"bnlab/internal/matfile"
	"bnlab/internal/say"
)

// The design of the StarPlus study, in images of half a second (N06 §5.2): a stimulus for
// 4 s, a blank screen for 4 s, the other stimulus.
const (
	starPlusSeconds = 0.5
	starPlusImages  = 32
	secondStimulus  = 17 // image at which the second stimulus comes, counted from 1
)

// StarPlus reads MATLAB files of the StarPlus study; see [StarPlus.Read]. The zero value has the defaults.
type StarPlus struct {
	// Images are the first images of each trial that are used; 0 means 32, which are 16 s, as in N06 §5.2.
	Images int
}

// Read reads a MATLAB file of the StarPlus study, either one with voxels
// (data-starplus-04847-v7.mat and its like) or one with means over regions. The trials are those with
// sentence and picture (cond of at least 2), in the order of the file; the processes Sentence and
// Picture begin at images 1 and 17 in the order that firstStimulus says and last as long as a trial is
// used. There are no nuisance terms: the signal is relative to a baseline.
//
// Regions are those of meta.rois, without LIFG, which is the union of LOPER and LTRIA. A voxel that two
// regions list is in the study twice, and one that none lists is not: so the regions have the sizes of
// N06 Table 3, and together its 4,698 voxels, though of 4,691 columns. A mean over a region is a voxel
// in its middle.
//
// For subject 04847 a warning names what differs from the published counts: 54 trials, 40 of them used,
// 20 of each order, and 4,698 voxels, of which CALC has 318 (N06 §5.2, Table 3). An error names the
// variable that is missing or of another form, or the trial that is too short.
func (set StarPlus) Read(path string) (*Loaded, error) {
	images := set.Images
	if images == 0 {
		images = starPlusImages
	}
	if images < secondStimulus {
		return nil, fmt.Errorf("hpm: %d images a trial; the second stimulus comes at image %d, so give more, or "+
			"0 for %d", images, secondStimulus, starPlusImages)
	}
	vars, err := matfile.ReadFile(path, nil, "meta", "info", "data")
	if err != nil {
		return nil, say.Errorf("hpm: %w", err)
	}
	l := &Loaded{Source: "StarPlus: " + path, Study: &Study{ImageSeconds: starPlusSeconds,
		Processes: []Process{{"Sentence", images}, {"Picture", images}}}}
	at := starPlusFile{meta: vars["meta"], info: vars["info"], data: vars["data"]}
	columns, width, err := at.voxels(l)
	if err != nil {
		return nil, say.Errorf("hpm: %s: %w", path, err)
	}
	if err := at.trials(l, images, columns, width); err != nil {
		return nil, say.Errorf("hpm: %s: %w", path, err)
	}
	at.counts(l)
	if _, err := l.Check(); err != nil {
		return nil, say.Errorf("%w (of %s)", err, path)
	}
	return l, nil
}

// A starPlusFile is the three variables of such a file.
type starPlusFile struct{ meta, info, data *matfile.Array }

// trials adds the trials with two stimuli: of a signal of some width the columns of the voxels.
func (f starPlusFile) trials(l *Loaded, images int, columns []int, width int) error {
	if f.data.Class != matfile.Cell || f.info.Class != matfile.Struct || f.data.Len() != f.info.Len() {
		return say.Errorf("data (%v) and info (%v) do not hold the same trials", f.data, f.info)
	}
	for n, signal := range f.data.Cells {
		cond, err := number(f.info, n, "cond")
		if err != nil {
			return say.Errorf("info(%d): %w", n+1, err)
		}
		if math.IsNaN(cond) {
			return fmt.Errorf("info(%d).cond is NaN; give 0 to 3", n+1)
		}
		if cond < 2 {
			continue
		}
		first, err := text(f.info, n, "firstStimulus")
		if err != nil {
			return say.Errorf("info(%d): %w", n+1, err)
		}
		t := Trial{Name: fmt.Sprintf("StarPlus trial %d", n+1), Images: images}
		switch first {
		case "S":
			t.Onsets = []Onset{{"Sentence", 1}, {"Picture", secondStimulus}}
		case "P":
			t.Onsets = []Onset{{"Picture", 1}, {"Sentence", secondStimulus}}
		default:
			return say.Errorf("info(%d).firstStimulus is %q, not S or P", n+1, first)
		}
		if signal.Real == nil || signal.Imag != nil || signal.Columns() != width || signal.Rows() < images {
			return say.Errorf("data{%d} is %v; a trial of %d images or more and %d columns is wanted", n+1, signal,
				images, width)
		}
		t.Data = make([]float64, 0, images*len(columns))
		for image := range images {
			for _, c := range columns {
				x := signal.Real[c*signal.Rows()+image]
				if !(math.Abs(x) <= math.MaxFloat64) {
					return say.Errorf("data{%d}, image %d, column %d is %v; mend it or leave the column out", n+1,
						image+1, c+1, x)
				}
				t.Data = append(t.Data, x)
			}
		}
		l.Trials = append(l.Trials, t)
	}
	if l.Trials == nil {
		return fmt.Errorf("none of %d trials has sentence and picture (cond of 2 or more)", f.info.Len())
	}
	return nil
}

// counts warns when the file of subject 04847 differs from what is published of it.
func (f starPlusFile) counts(l *Loaded) {
	if subject, err := text(f.meta, 0, "subject"); err != nil || subject != "04847" {
		return
	}
	sentenceFirst := 0
	for _, t := range l.Trials {
		if t.Onsets[0].Process == "Sentence" {
			sentenceFirst++
		}
	}
	type fact struct {
		what      string
		got, want int
	}
	facts := []fact{{"trials", f.data.Len(), 54}, {"trials with two stimuli", len(l.Trials), 40},
		{"trials with the sentence first", sentenceFirst, 20}}
	if !f.means() {
		calc := 0
		for _, v := range l.Voxels {
			if v.Region == "CALC" {
				calc++
			}
		}
		facts = append(facts, fact{"voxels", len(l.Voxels), 4698}, fact{"voxels of CALC", calc, 318})
	}
	for _, c := range facts {
		if c.got != c.want {
			l.warn("%d %s, where subject 04847 has %d: another version of the file?", c.got, c.what, c.want)
		}
	}
}

// number and text return a field of element i of an array of structs.
func number(a *matfile.Array, i int, field string) (float64, error) {
	x, err := a.FieldAt(i, field)
	if err != nil {
		return 0, err
	}
	return x.Number()
}

func text(a *matfile.Array, i int, field string) (string, error) {
	x, err := a.FieldAt(i, field)
	if err != nil {
		return "", err
	}
	return x.Text()
}
