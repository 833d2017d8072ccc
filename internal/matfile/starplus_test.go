package matfile

import (
	"encoding/csv"
	"os"
	"strconv"
	"strings"
	"testing"

	"bnlab/internal/datatest"
)

// starplus returns a file of the StarPlus data and skips without them.
func starplus(t testing.TB, name string) string {
	t.Helper()
	return datatest.Path(t, "starplus/"+name)
}

// rows reads a CSV file without its header.
func rows(t *testing.T, path string) [][]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return records[1:]
}

func number(t *testing.T, cell string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestStarPlus compares a file that MATLAB wrote with CSV files that another
// program made from it: every number of the signal, every voxel, every trial.
func TestStarPlus(t *testing.T) {
	vars, err := ReadFile(starplus(t, "matlab_avergage_rois_04847.mat"), nil)
	if err != nil {
		t.Fatal(err)
	}
	data, info, meta := vars["data"], vars["info"], vars["meta"]

	seen := 0
	for _, row := range rows(t, starplus(t, "roi7_04847.csv")) {
		trial, image := int(number(t, row[0])), int(number(t, row[1]))
		signal := data.Cells[trial-1]
		for j, cell := range row[4:] {
			if got, want := signal.Real[j*signal.Rows()+image-1], number(t, cell); got != want {
				t.Fatalf("trial %d, image %d, region %d: %v, want %v", trial, image, j+1, got, want)
			}
			seen++
		}
	}
	held := 0
	for _, c := range data.Cells {
		held += c.Len()
	}
	if data.Len() != 54 || seen != held {
		t.Errorf("%d trials with %d numbers, %d of them in the CSV file", data.Len(), held, seen)
	}

	coordinates, err := meta.Field("colToCoord")
	if err != nil {
		t.Fatal(err)
	}
	names, err := meta.Field("colToROI")
	if err != nil {
		t.Fatal(err)
	}
	voxels := rows(t, starplus(t, "voxels_04847.csv"))
	if len(voxels) != 4698 || coordinates.Rows() != 4698 {
		t.Fatalf("%d voxels, %d in the CSV file, want 4698", coordinates.Rows(), len(voxels))
	}
	for v, row := range voxels {
		for axis := range 3 {
			if got, want := coordinates.Real[axis*4698+v], number(t, row[1+axis]); got != want {
				t.Fatalf("voxel %d, axis %d: %v, want %v", v+1, axis, got, want)
			}
		}
		// A voxel without a region holds an empty array of numbers.
		if name := names.Cells[v]; row[4] == "" && name.Len() > 0 {
			t.Fatalf("voxel %d: region %v, want none", v+1, name)
		} else if text, _ := name.Text(); text != row[4] {
			t.Fatalf("voxel %d: region %q, want %q", v+1, text, row[4])
		}
	}

	regions, err := meta.Field("rois")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{}
	for _, row := range rows(t, starplus(t, "rois_04847.csv")) {
		want[row[1]] = number(t, row[2])
	}
	for i := range regions.Len() {
		name, _ := regions.FieldAt(i, "name")
		columns, _ := regions.FieldAt(i, "columns")
		text, err := name.Text()
		if err != nil || float64(columns.Len()) != want[text] {
			t.Errorf("region %q (%v) has %d voxels, want %v", text, err, columns.Len(), want[text])
		}
		delete(want, text)
	}
	if len(want) > 0 {
		t.Errorf("regions %v were not found", want)
	}

	for i, row := range rows(t, starplus(t, "trials_04847.csv")) {
		for field, want := range map[string]string{"cond": row[2], "len": row[3], "nmissing": row[6]} {
			a, err := info.FieldAt(i, field)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := a.Number(); err != nil || got != number(t, want) {
				t.Errorf("trial %d: %s = %v (%v), want %s", i+1, field, got, err, want)
			}
		}
		for field, want := range map[string]string{"firstStimulus": row[7], "sentence": row[8],
			"sentenceRel": row[10]} {
			a, err := info.FieldAt(i, field)
			if err != nil {
				t.Fatal(err)
			}
			// The file has sentences in quotes of their own, the CSV file most of them not.
			if got, err := a.Text(); err != nil || strings.Trim(got, "'") != strings.Trim(want, "'") {
				t.Errorf("trial %d: %s = %q (%v), want %q", i+1, field, got, err, want)
			}
		}
	}
}

func BenchmarkReadFile(b *testing.B) {
	path := starplus(b, "matlab_avergage_rois_04847.mat")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ReadFile(path, nil); err != nil {
			b.Fatal(err)
		}
	}
}
