package hpm

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"bnlab/internal/nifti/niftitest"
	"bnlab/internal/numtest"
)

// A folder is where a test puts its files.
type folder struct {
	t   testing.TB
	dir string
}

func newFolder(t testing.TB) folder { return folder{t, t.TempDir()} }

// write makes a file and returns its path.
func (f folder) write(name string, content []byte) string {
	f.t.Helper()
	path := filepath.Join(f.dir, name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		f.t.Fatal(err)
	}
	return path
}

// ramp is images of 3 × 2 × 1 voxels: voxel v of image i is 100 v + i, both from 0.
func ramp(images int) niftitest.Image {
	x := make([]float32, 6*images)
	for i := range x {
		x[i] = float32(100*(i%6) + i/6)
	}
	return niftitest.Float32(x, 3, 2, 1, images)
}

// image is a mask or an atlas of the same shape.
func plane(labels ...float32) niftitest.Image { return niftitest.Float32(labels, 3, 2, 1) }

const twoEvents = "onset\tduration\ttrial_type\n5\t2.5\thouse\n10\t5\tface\n"

func fromNIfTI(runs []ScannerRun, set *NIfTI) (*Loaded, error) {
	if set == nil {
		set = &NIfTI{}
	}
	return set.Read(runs...)
}

// TestReadNIfTI reads two runs; what comes out is known by hand. Steps are of 2.5 s.
func TestReadNIfTI(t *testing.T) {
	f := newFolder(t)
	runs := []ScannerRun{
		{Bold: f.write("a.nii", ramp(20).File()), Events: f.write("a.tsv", []byte(twoEvents)), Name: "first"},
		{Bold: f.write("b.nii.gz", niftitest.Gzip(ramp(12).File())),
			Events: f.write("b.tsv",
				[]byte(
					"onset\tduration\ttrial_type\tmood\n6\t0\thouse\tgood\n-1\t0\tface\tbad\n"+
						"-1.3\t0\tface\tbad\n2\t0\tn/a\tbad\n"))},
	}
	l, err := fromNIfTI(runs, &NIfTI{
		Mask:   f.write("mask.nii", plane(0, 1, 1, 2, -1, 1).File()),
		Atlas:  f.write("atlas.nii", plane(7, 7, 7, 2, 0, 2).File()),
		Labels: map[int]string{2: "CALC"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []Voxel{{1, 0, 0, "region 7"}, {2, 0, 0, "region 7"}, {0, 1, 0, "CALC"},
		{2, 1, 0, "CALC"}}; !reflect.DeepEqual(l.Voxels, want) {
		t.Errorf("voxels %v, want %v", l.Voxels, want)
	}
	// 5 s and 12 s are 6.8 images, 2.5 s and 12 s 5.8.
	if want := []Process{{"face", 7}, {"house", 6}}; !reflect.DeepEqual(l.Processes, want) {
		t.Errorf("processes %v, want %v", l.Processes, want)
	}
	// 6 s are 2.4 images: image 3 is nearest. −1 s is nearest to image 1; −1.3 s is before it.
	onsets := [][]Onset{{{"house", 3}, {"face", 5}}, {{"house", 3}, {"face", 1}}}
	for n, trial := range l.Trials {
		if !reflect.DeepEqual(trial.Onsets, onsets[n]) {
			t.Errorf("trial %d: onsets %v, want %v", n, trial.Onsets, onsets[n])
		}
		if want := []int{20, 12}[n]; trial.Images != want || trial.Run != []string{"first", "2"}[n] {
			t.Errorf("trial %d has %d images, run %q", n, trial.Images, trial.Run)
		}
		for image := range trial.Images {
			for i, v := range []int{1, 2, 3, 5} {
				if got, want := trial.Data[4*image+i], float64(100*v+image); got != want {
					t.Fatalf("trial %d, image %d, voxel %d: %v, want %v", n, image, i, got, want)
				}
			}
		}
	}
	if l.ImageSeconds != 2.5 || !reflect.DeepEqual(l.Nuisance, Nuisance{Intercept: true, Drift: 1}) {
		t.Errorf("%v s, nuisance %+v", l.ImageSeconds, l.Nuisance)
	}
	if _, err := l.Check(); err != nil {
		t.Errorf("the study does not pass its own check: %v", err)
	}
	want := []string{
		"1 voxel of the mask without a label in the atlas left out", "columns that are not used: mood",
		"1 event without a kind left out",
		`run 2: ` + runs[1].Events + `, line 4: "face" begins at -1.3 s, before the first image`,
		"2 onsets moved to the nearest image, by up to 1 s",
	}
	text := l.String()
	for _, w := range append(want, "2 trials with 32 images every 2.5 s", "4 voxels: region 7 2; CALC 2",
		"2 processes: face (7 images, 2 onsets); house (6 images, 2 onsets)") {
		if !strings.Contains(text, w) {
			t.Errorf("it prints as\n%swithout %s", text, w)
		}
	}
	if len(l.Warnings) != len(want) {
		t.Errorf("%d warnings, want %d", len(l.Warnings), len(want))
	}
}

// TestRepetitionTime asks for the time between images in the order settings, side-car, header.
func TestRepetitionTime(t *testing.T) {
	const inHeader, noUnit = 10, 2
	tests := []struct {
		name    string
		setting float64
		sidecar string
		units   byte
		want    float64 // 0: an error
		says    string  // of error or warning
	}{
		{"header", 0, "", inHeader, 2.5, ""},
		{"side-car", 0, `{"RepetitionTime": 2.5}`, noUnit, 2.5, ""},
		{"both, different", 0, `{"RepetitionTime": 2}`, inHeader, 2,
			"says an image every 2 s, which is used, and the header 2.5 s"},
		{"setting", 1.25, `{"RepetitionTime": 2000}`, inHeader, 1.25, ""},
		{"side-car without it", 0, `{}`, inHeader, 2.5, ""},
		{"side-car with a time for each image", 0, `{"VolumeTiming": [0, 2, 7]}`, inHeader, 0, "needs equal steps"},
		{"side-car in milliseconds", 0, `{"RepetitionTime": 2500}`, inHeader, 0, "milliseconds"},
		{"nobody", 0, "", noUnit, 0, "pixdim[4] is 2.5, its unit unknown"},
		{"setting below 0", -1, "", inHeader, 0, "RepetitionTime is -1"},
		{"setting that is none", math.NaN(), "", inHeader, 0, "RepetitionTime is NaN"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := newFolder(t)
			m := ramp(20)
			m.Units = test.units
			if test.sidecar != "" {
				f.write("a.json", []byte(test.sidecar))
			}
			runs := []ScannerRun{{Bold: f.write("a.nii.gz", niftitest.Gzip(m.File())),
				Events: f.write("a.tsv", []byte(twoEvents))}}
			l, err := fromNIfTI(runs, &NIfTI{RepetitionTime: test.setting})
			switch {
			case test.want == 0:
				if err == nil || !strings.Contains(err.Error(), test.says) {
					t.Errorf("got %v, want an error with %s", err, test.says)
				}
			case err != nil:
				t.Error(err)
			default:
				numtest.Close(t, l.ImageSeconds, test.want, 1e-12, 0)
				if text := strings.Join(l.Warnings, "\n"); !strings.Contains(text, test.says) ||
					(test.says == "") != (len(l.Warnings) == 1) {
					t.Errorf("warnings %s", text) // one is that there is no mask
				}
			}
		})
	}
}

// TestNIfTIErrors gives every kind of bad input.
func TestNIfTIErrors(t *testing.T) {
	f := newFolder(t)
	bold := f.write("a.nii", ramp(20).File())
	events := f.write("a.tsv", []byte(twoEvents))
	table := func(rows string) string {
		name := fmt.Sprintf("%x.tsv", rows)
		return f.write(name[max(0, len(name)-100):], []byte("onset\tduration\ttrial_type\n"+rows))
	}
	run := func(bold, events string) []ScannerRun { return []ScannerRun{{Bold: bold, Events: events}} }
	other := niftitest.Float32(make([]float32, 4*2*20), 4, 2, 1, 20)
	slow := ramp(20)
	slow.Step = 3
	nan := ramp(3)
	for i := range nan.Numbers.([]float32) {
		nan.Numbers.([]float32)[i] = float32(math.NaN())
	}
	tests := []struct {
		name string
		runs []ScannerRun
		set  *NIfTI
		want string
	}{
		{"no run", nil, nil, "there is no run"},
		{"two runs of a name", []ScannerRun{{Bold: bold, Events: events, Name: "2"}, {Bold: bold, Events: events}}, nil,
			`two runs "2"`},
		{"no images", run("", events), nil, "run 1: it has no file of images"},
		{"no table", run(bold, ""), nil, "run 1: it has no table of events"},
		{"no file", run("none.nii", events), nil, "run 1: nifti: open none.nii"},
		{"no events", run(bold, "none.tsv"), nil, "run 1: bids: open none.tsv"},
		{"an image that is not in time", run(f.write("mask.nii", plane(1, 1, 1, 1, 1, 1).File()), events), nil,
			"has one image; give the file of images in time"},
		{"mask of another shape", run(bold, events),
			&NIfTI{Mask: f.write("other.nii", niftitest.Float32(make([]float32, 8), 4, 2, 1).File())},
			"has 4 × 2 × 1 voxels and the images of the first run 3 × 2 × 1; resample"},
		{"mask in time", run(bold, events), &NIfTI{Mask: bold}, "20 images where one is expected"},
		{"empty mask", run(bold, events), &NIfTI{Mask: f.write("empty.nii", plane(0, 0, 0, 0, 0, 0).File())},
			"no voxel is left by mask"},
		{"atlas of probabilities", run(bold, events),
			&NIfTI{Atlas: f.write("prob.nii", plane(0, 0.5, 0, 0, 0, 0).File())}, "voxel (1, 0, 0) has the label 0.5"},
		{"runs of two shapes", append(run(bold, events), ScannerRun{Bold: f.write("c.nii", other.File()),
			Events: events}), nil, "run 2: " + filepath.Join(f.dir, "c.nii") + " has 4 × 2 × 1 voxels"},
		{"runs of two speeds", append(run(bold, events), ScannerRun{Bold: f.write("d.nii", slow.File()),
			Events: events}), nil, "every 3 s and earlier runs every 2.5 s"},
		{"too large", run(bold, events), &NIfTI{MaxBytes: 959}, "the signal of 6 voxels takes more than the 959 bytes"},
		{"MaxBytes below 0", run(bold, events), &NIfTI{MaxBytes: -1}, "MaxBytes is -1"},
		{"Seconds that are none", run(bold, events), &NIfTI{Seconds: math.Inf(1)}, "Seconds is +Inf"},
		{"long processes", run(bold, events), &NIfTI{Seconds: 1e300}, `process "face" would last 1e+300 s`},
		{"kinds that are not there", run(bold, events), &NIfTI{Kinds: []string{"house", "cat"}},
			`no event is of kind "cat" (kinds: face, house)`},
		{"no kinds", run(bold, table("1\t1\tn/a\n")), nil, "the events name no kind"},
		{"onset after the end", run(bold, table("50\t1\ta\n")), nil,
			`line 2: "a" begins at 50 s, after the end (20 images, 50 s)`},
		{"two instances at once", run(bold, table("0\t0\ta\n20\t0\tb\n10\t0\ta\n")), nil,
			`"a" begins on line 2 and line 4, 4 images apart, but lasts 5, so two instances would run at once; set Seconds to 10 or less`},
		{"an event twice", run(bold, table("0\t0\ta\n0.1\t0\ta\n")), nil,
			"0 images apart, but lasts 5, so two instances would run at once; leave one of them out"},
		{"nothing but NaN", run(f.write("nan.nii", nan.File()), table("0\t0\ta\n")), nil,
			"every voxel is constant or not finite"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, err := fromNIfTI(test.runs, test.set); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

// TestMaxBytes counts voxels (48 bytes) and the signal of all runs (8 bytes a value).
func TestMaxBytes(t *testing.T) {
	f := newFolder(t)
	var runs []ScannerRun
	for _, name := range []string{"a", "b"} {
		runs = append(runs, ScannerRun{Bold: f.write(name+".nii", ramp(20).File()),
			Events: f.write(name+".tsv", []byte(twoEvents))})
	}
	const enough = 6*48 + 2*20*6*8
	if _, err := fromNIfTI(runs, &NIfTI{MaxBytes: enough}); err != nil {
		t.Error(err)
	}
	if _, err := fromNIfTI(runs, &NIfTI{MaxBytes: enough - 1}); err == nil ||
		!strings.Contains(err.Error(), "run 2: the signal of 6 voxels takes more than the 2207 bytes") {
		t.Errorf("got %v", err)
	}
}

// TestNaNMask leaves out voxels of which mask or atlas know nothing.
func TestNaNMask(t *testing.T) {
	f := newFolder(t)
	nan := float32(math.NaN())
	l, err := fromNIfTI([]ScannerRun{{Bold: f.write("a.nii", ramp(20).File()),
		Events: f.write("a.tsv", []byte(twoEvents))}},
		&NIfTI{Mask: f.write("m.nii", plane(1, nan, 1, 1, 1, 1).File()),
			Atlas: f.write("atlas.nii", plane(1, 1, nan, 1, 0, 1).File())})
	if err != nil || len(l.Voxels) != 3 || !strings.Contains(l.String(), "2 voxels of the mask without a label") {
		t.Errorf("%v, %v", l, err)
	}
}

// TestLyingHeader: a header alone that claims 64 million voxels costs no memory for them.
func TestLyingHeader(t *testing.T) {
	f := newFolder(t)
	lie := niftitest.Float32([]float32{}, 400, 400, 400, 100)
	runs := []ScannerRun{{Bold: f.write("a.nii", lie.File()), Events: f.write("a.tsv", []byte(twoEvents))}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := fromNIfTI(runs, nil)
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(),
		"the signal of 64000000 voxels takes more than the 2147483648 bytes") {
		t.Errorf("got %v", err)
	}
	if made := after.TotalAlloc - before.TotalAlloc; made > 1<<24 {
		t.Errorf("%d MB of memory for a file of 352 bytes", made>>20)
	}
}

// TestLargeMask: a mask is refused by its header, for its size or its shape, before its values are read.
func TestLargeMask(t *testing.T) {
	f := newFolder(t)
	bold := niftitest.Float32([]float32{}, 300, 300, 300, 2)
	runs := []ScannerRun{{Bold: f.write("a.nii", bold.File()), Events: f.write("a.tsv", []byte(twoEvents))}}
	for _, test := range []struct {
		name, want string
		mask       []byte
	}{
		{"large", "27000000 voxels take more than 134217728 bytes, an eighth of MaxBytes",
			niftitest.Float32([]float32{}, 300, 300, 300).Header()},
		{"of another shape", "300 × 300 × 301 voxels", niftitest.Float32([]float32{}, 300, 300, 301).Header()},
	} {
		path := f.write(test.name+".nii", append(test.mask, 0, 0, 0, 0))
		if _, err := fromNIfTI(runs, &NIfTI{Mask: path,
			MaxBytes: 1 << 30}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("a mask that is %s: error %v, want one with %q", test.name, err, test.want)
		}
	}
}

// TestConfounds adds columns of a table, and refuses one of another length.
func TestConfounds(t *testing.T) {
	f := newFolder(t)
	run := ScannerRun{Bold: f.write("a.nii", ramp(3).File()),
		Events:    f.write("a.tsv", []byte("onset\tduration\ttrial_type\n0\t0\ta\n")),
		Confounds: f.write("c.tsv", []byte("csf\ttrans_x\trot_y\n1\tn/a\t2\n3\t4\t5\n6\t7\t8\n"))}
	l, err := fromNIfTI([]ScannerRun{run}, &NIfTI{Confounds: []string{"rot_y", "trans_x"}})
	if err != nil {
		t.Fatal(err)
	}
	if want := []float64{2, 0, 5, 4, 8, 7}; !reflect.DeepEqual(l.Trials[0].Confounds, want) ||
		!reflect.DeepEqual(l.Nuisance.Confounds, []string{"rot_y", "trans_x"}) {
		t.Errorf("confounds %v of %v, want %v", l.Trials[0].Confounds, l.Nuisance.Confounds, want)
	}
	if !strings.Contains(l.String(), "c.tsv: 1 value n/a, taken as 0") {
		t.Errorf("warnings %q", l.Warnings)
	}
	run.Confounds = f.write("d.tsv", []byte("trans_x\n1\n2\n"))
	if _, err := fromNIfTI([]ScannerRun{run}, &NIfTI{Confounds: []string{"trans_x"}}); err == nil ||
		!strings.Contains(err.Error(), "d.tsv has 2 rows and "+run.Bold+" 3 images") {
		t.Errorf("two rows: %v", err)
	}
	run.Confounds = ""
	if _, err := fromNIfTI([]ScannerRun{run}, &NIfTI{Confounds: []string{"trans_x"}}); err == nil ||
		!strings.Contains(err.Error(), "run 1: it has no table with the confounds trans_x") {
		t.Errorf("no table: %v", err)
	}
}

// TestSpoiltVoxels leaves out a voxel with NaN, one with an infinity and one that is constant
// in each run, but not one that is constant in one of them.
func TestSpoiltVoxels(t *testing.T) {
	f := newFolder(t)
	var runs []ScannerRun
	for n, images := range []int{10, 8} {
		m := ramp(images)
		x := m.Numbers.([]float32)
		x[1*n*6+1] = float32(math.NaN())
		x[2*6+2] = float32(math.Inf(-1))
		for i := range images {
			x[6*i+3] = float32(n)
			if n == 0 {
				x[6*i+4] = 1
			}
		}
		name := fmt.Sprint(n)
		runs = append(runs, ScannerRun{Bold: f.write(name+".nii", m.File()),
			Events: f.write(name+".tsv", []byte("onset\tduration\ttrial_type\n0\t0\ta\n"))})
	}
	l, err := fromNIfTI(runs, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := []Voxel{{0, 0, 0, ""}, {1, 1, 0, ""}, {2, 1, 0, ""}}; !reflect.DeepEqual(l.Voxels, want) {
		t.Errorf("voxels %v, want %v", l.Voxels, want)
	}
	if got := l.Trials[1].Data[:3]; !reflect.DeepEqual(got, []float64{0, 400, 500}) {
		t.Errorf("first image of run 2: %v", got)
	}
	want := []string{
		"there is no mask: all 6 voxels are taken, those outside the brain too",
		"2 voxels left out, NaN or infinite in an image: voxel 1 (1, 0, 0); voxel 2 (2, 0, 0)",
		"1 voxel left out, constant within each run: voxel 3 (0, 1, 0)",
	}
	if !reflect.DeepEqual(l.Warnings, want) {
		t.Errorf("warnings %q, want %q", l.Warnings, want)
	}
}

// TestHugeVoxel leaves out a voxel with a number whose square is none, as Check has it.
func TestHugeVoxel(t *testing.T) {
	f := newFolder(t)
	m := ramp(20)
	x := make([]float64, 6*20)
	for i := range x {
		x[i] = float64(i)
	}
	x[6*3+1] = -1e200
	m.Datatype, m.Bits, m.Numbers = 64, 64, x
	l, err := fromNIfTI([]ScannerRun{{Bold: f.write("a.nii", m.File()), Events: f.write("a.tsv", []byte(twoEvents))}},
		nil)
	if err != nil || len(l.Voxels) != 5 || !strings.Contains(l.String(), "1 voxel left out, NaN or infinite in an "+
		"image: voxel 1 (1, 0, 0)") {
		t.Errorf("%v, %v", l, err)
	}
}

// TestBriefProcess has one image at least.
func TestBriefProcess(t *testing.T) {
	f := newFolder(t)
	l, err := fromNIfTI([]ScannerRun{{Bold: f.write("a.nii", ramp(20).File()),
		Events: f.write("a.tsv", []byte(twoEvents))}}, &NIfTI{Seconds: 1e-12, Kinds: []string{}})
	if err != nil {
		t.Fatal(err)
	}
	if want := []Process{{"face", 1}, {"house", 1}}; !reflect.DeepEqual(l.Processes, want) {
		t.Errorf("processes %v, want %v", l.Processes, want)
	}
}

// TestMovedMask warns of a mask that lies elsewhere in space.
func TestMovedMask(t *testing.T) {
	f := newFolder(t)
	mask := plane(1, 1, 1, 1, 1, 1).Header()
	mask[254] = 1 // a general matrix, of zeros
	mask = append(append(mask, 0, 0, 0, 0), plane(1, 1, 1, 1, 1, 1).Body()...)
	l, err := fromNIfTI([]ScannerRun{{Bold: f.write("a.nii", ramp(20).File()),
		Events: f.write("a.tsv", []byte(twoEvents))}}, &NIfTI{Mask: f.write("m.nii", mask)})
	if err != nil || len(l.Warnings) != 1 || !strings.Contains(l.Warnings[0], "another place or direction in space") {
		t.Errorf("%v, %v", l, err)
	}
}
