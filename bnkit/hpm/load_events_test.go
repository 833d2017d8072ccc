package hpm

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"bnlab/internal/nifti/niftitest"
	"bnlab/internal/numtest"
)

// TestLastImage reads 60 images, one each 2 s, with a response of 10, 30, 60 and 28 to events at 4, 24, …, 104 s
// and one at 119.5 s, of which no image tells anything. The response comes out as it was made: with the last event on
// image 60, its first value would be a mean of 10 and 0.
func TestLastImage(t *testing.T) {
	const images = 60
	response := []float32{10, 30, 60, 28}
	signal := make([]float32, images)
	for i := range signal { // a fit without an error has no variance
		signal[i] = 0.1 * float32(1-2*(i%2))
	}
	table := "onset\tduration\ttrial_type\n"
	for image := 2; image < images; image += 10 {
		table += fmt.Sprintf("%d\t1\tflash\n", 2*image)
		for i, x := range response {
			signal[image+i] += x
		}
	}
	f := newFolder(t)
	bold := niftitest.Float32(signal, 1, 1, 1, images)
	bold.Step = 2
	l, err := fromNIfTI([]ScannerRun{{Bold: f.write("a.nii", bold.File()),
		Events: f.write("a.tsv", []byte(table+"119.5\t1\tflash\n118.9\t0\tclick\n"))}}, &NIfTI{Seconds: 8})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(l.Trials[0].Onsets); n != 7 || l.Trials[0].Onsets[6] != (Onset{"click", 60}) {
		t.Errorf("onsets %v, want 6 flashes and a click with the last image", l.Trials[0].Onsets)
	}
	if !strings.Contains(l.String(), `line 8: "flash" begins at 119.5 s, nearer to the end than to the last image`) {
		t.Errorf("nothing said of the event that is left out: %q", l.Warnings)
	}
	m, err := Fit(t.Context(), l.Study, Voxelwise, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range response {
		numtest.Close(t, m.Response(0)[1][i], float64(want), 0.3, 0) // thrice the ripple
	}
}

// TestKindsOfEvents reads tables of events without kinds, and with onsets that are not known.
func TestKindsOfEvents(t *testing.T) {
	const kinds = "onset\tduration\ttrial_type\tvalue\n"
	a, b := []Onset{{"event", 1}}, []Onset{{"7", 1}, {"8", 5}}
	tests := []struct {
		name   string
		tables []string
		set    NIfTI
		want   []Onset // of the first run
		says   string  // in a warning, or an error where want is nil
	}{
		{"onset and duration only", []string{"onset\tduration\n0\t1\n"}, NIfTI{}, a, `all events are of one, "event"`},
		{"n/a beside value", []string{kinds + "0\t1\tn/a\t7\n10\t1\tn/a\t8\n"}, NIfTI{}, b,
			"no event has a trial_type; its value is its kind"},
		{"value alone", []string{"onset\tvalue\n0\t7\n10\t8\n"}, NIfTI{}, b, "its value is its kind"},
		{"n/a and no value", []string{kinds + "0\t1\tn/a\tn/a\n"}, NIfTI{}, nil,
			"name the column that does in KindColumn"},
		{"asked for by name", []string{kinds + "0\t1\tn/a\t7\n"}, NIfTI{KindColumn: "trial_type"}, nil,
			"the events name no kind"},
		{"kinds in one run alone", []string{kinds + "0\t1\tface\t7\n", "onset\tduration\n0\t1\n"}, NIfTI{}, nil,
			"b.tsv has no column trial_type, and others have"},
		{"an onset that is not needed", []string{kinds + "n/a\t1\tbutton\t7\n0\tn/a\tface\t7\nn/a\tn/a\tn/a\tn/a\n"},
			NIfTI{Kinds: []string{"face"}}, []Onset{{"face", 1}}, ""},
		{"an onset that is", []string{kinds + "0\t1\tface\t7\nn/a\t1\tface\t7\n"}, NIfTI{}, nil,
			`line 3, column "onset": not a finite number: "n/a"; give seconds, or leave the event out`},
		{"quotes", []string{kinds + "0\t1\t\"face\"\t7\n"}, NIfTI{}, []Onset{{"face", 1}}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := newFolder(t)
			var runs []ScannerRun
			for i, table := range test.tables {
				name := string(rune('a' + i))
				runs = append(runs, ScannerRun{Bold: f.write(name+".nii", ramp(20).File()),
					Events: f.write(name+".tsv", []byte(table))})
			}
			l, err := test.set.Read(runs...)
			switch {
			case test.want == nil:
				if err == nil || !strings.Contains(err.Error(), test.says) {
					t.Errorf("got %v, want %s", err, test.says)
				}
			case err != nil:
				t.Error(err)
			case !reflect.DeepEqual(l.Trials[0].Onsets, test.want) || !strings.Contains(l.String(), test.says):
				t.Errorf("onsets %v and warnings %q, want %v and %q", l.Trials[0].Onsets, l.Warnings, test.want,
					test.says)
			}
		})
	}
}
