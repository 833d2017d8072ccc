package hpm

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"bnlab/internal/datatest"
)

// haxbyRuns returns the twelve runs of the Haxby data and their mask, and skips without them.
func haxbyRuns(t testing.TB) (runs []ScannerRun, mask string) {
	t.Helper()
	root := datatest.Path(t, "haxby")
	for n := range 12 {
		dir := filepath.Join(root, "sub001", fmt.Sprintf("run%02d", n+1))
		runs = append(runs, ScannerRun{Bold: filepath.Join(dir, "bold_1slice.nii.gz"),
			Events: filepath.Join(dir, "events.tsv")})
	}
	return runs, filepath.Join(root, "mask.nii.gz")
}

// TestHaxby compares onsets, which come from seconds, with the list that names the stimulus
// of each image, which PyMVPA has: a process of 22.5 s of stimulus begins with its first image.
func TestHaxby(t *testing.T) {
	runs, mask := haxbyRuns(t)
	l, err := fromNIfTI(runs, &NIfTI{Mask: mask, Seconds: 37.5})
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Trials) != 12 || len(l.Voxels) != 530 || l.ImageSeconds != 2.5 || l.Warnings != nil {
		t.Fatalf("%v", l)
	}
	text, err := os.ReadFile(filepath.Join(filepath.Dir(mask), "attributes_literal.txt"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != 12*121 {
		t.Fatalf("%d lines", len(lines))
	}
	for n, trial := range l.Trials {
		var want []Onset
		before := "rest"
		for image := range 121 {
			name, _, _ := strings.Cut(lines[121*n+image], " ")
			if name != before && name != "rest" {
				want = append(want, Onset{name, image + 1})
			}
			before = name
		}
		if !reflect.DeepEqual(trial.Onsets, want) {
			t.Errorf("run %s: onsets %v, want %v", trial.Run, trial.Onsets, want)
		}
	}
	for _, p := range l.Processes {
		if p.Length != 15 {
			t.Errorf("%s lasts %d images, want 37.5 s / 2.5 s", p.Name, p.Length)
		}
	}
}

func BenchmarkReadNIfTI(b *testing.B) {
	runs, mask := haxbyRuns(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := fromNIfTI(runs, &NIfTI{Mask: mask}); err != nil {
			b.Fatal(err)
		}
	}
}
