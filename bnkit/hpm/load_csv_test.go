package hpm

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

const (
	signalTable = "\ufefftrial,image,run,left,mood,right\n" +
		"a,1,r,1,2.5,3\na,2,r,4,5,6e1\na,3,r,7,8,-9\nb,1,r,0,0,0\nb,2,r,1,1,1\n"
	onsetTable = "trial,process,image,by\na,See,2,me\na,Read,1,me\nb,See,1,me\n"
	voxelTable = "region,voxel,x,y,z\nV1,right,4,5,6\nV2,left,-1,0,2\n"
)

// TestReadCSV reads three small tables; what comes out is known by hand.
func TestReadCSV(t *testing.T) {
	f := newFolder(t)
	signal, onsets := f.write("s.csv", []byte(signalTable)), f.write("o.csv", []byte(onsetTable))
	l, err := fromCSV(signal, onsets, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := &Study{
		Processes: []Process{{"Read", 3}, {"See", 2}},
		Voxels:    []Voxel{{}, {X: 1}, {X: 2}},
		Trials: []Trial{
			{Name: "a", Run: "r", Images: 3, Onsets: []Onset{{"See", 2}, {"Read", 1}},
				Data: []float64{1, 2.5, 3, 4, 5, 60, 7, 8, -9}},
			{Name: "b", Run: "r", Images: 2, Onsets: []Onset{{"See", 1}}, Data: []float64{0, 0, 0, 1, 1, 1}},
		},
	}
	if !reflect.DeepEqual(l.Study, want) || l.Warnings != nil {
		t.Errorf("got %+v, %q, want %+v", l.Study, l.Warnings, want)
	}
	l, err = fromCSV(signal, onsets, &CSV{Voxels: f.write("v.csv", []byte(voxelTable)), Length: 4, ImageSeconds: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	want.Processes = []Process{{"Read", 4}, {"See", 4}}
	want.Voxels = []Voxel{{4, 5, 6, "V1"}, {-1, 0, 2, "V2"}}
	want.ImageSeconds = 0.5
	want.Trials[0].Data, want.Trials[1].Data = []float64{3, 1, 60, 4, -9, 7}, []float64{0, 0, 1, 1}
	if !reflect.DeepEqual(l.Study, want) || len(l.Warnings) != 1 ||
		!strings.Contains(l.Warnings[0], "columns that are not used: mood") {
		t.Errorf("with places: got %+v, %q, want %+v", l.Study, l.Warnings, want)
	}
}

func TestCSVErrors(t *testing.T) {
	change := func(old, new string) func(string) string {
		return func(s string) string { return strings.Replace(s, old, new, 1) }
	}
	same := func(s string) string { return s }
	tests := []struct {
		name                   string
		signal, onsets, voxels func(string) string
		want                   string
	}{
		{"no trial", change("trial", "block"), same, same,
			`s.csv, line 1, column "trial": there is no such column (columns: block; image;`},
		{"a column twice", change("mood", "left"), same, same, `s.csv, line 1, column "left": a second column`},
		{"no number", change("2.5", "n/a"), same, nil, `s.csv, line 2, column "mood": "n/a" is not a finite number`},
		{"NaN", change("2.5", "NaN"), same, nil, `"NaN" is not a finite number`},
		{"infinity", change("6e1", "6e999"), same, same, `line 3, column "right": "6e999" is not a finite number`},
		{"an image left out", change("a,3", "a,4"), same, same,
			`line 4, column "image": 4 of trial "a" where 3 comes next`},
		{"half an image", change("a,3", "a,2.5"), same, same, `line 4, column "image": "2.5" is not a whole number`},
		{"a trial apart", change("b,2", "a,4"), same, same, `line 6, column "trial": trial "a" ended further up`},
		{"two runs in a trial", change("b,2,r", "b,2,q"), same, same,
			`line 6, column "run": trial "b" changes from run "r" to "q"`},
		{"a ragged row", change("b,2,r", "b,2"), same, same, "record on line 6: wrong number of fields"},
		{"no rows", func(string) string { return "trial,image,x\n" }, same, nil, "s.csv: the table has no rows"},
		{"empty", func(string) string { return "" }, same, same, "s.csv: the table has no rows"},
		{"no voxels", func(string) string { return "trial,image\na,1\n" }, same, nil,
			"no column but trial, run and image"},
		{"an onset elsewhere", same, change("b,See", "c,See"), same,
			`o.csv, line 4, column "trial": "c" is not in the signal`},
		{"an onset after the end", same, change("See,1", "See,3"), same,
			`o.csv, line 4, column "image": 3 is not in trial "b" of 2 images`},
		{"an onset before the start", same, change("See,1", "See,0"), same, `0 is not in trial "b"`},
		{"an onset of nothing", same, change("b,See", "b,"), same, `line 4, column "process": it is empty`},
		{"two instances at once", same, change("Read,1", "See,1"), same,
			`process "See" begins at images 1 and 2 but lasts 3 images, so two instances would run at once`},
		{"a voxel that is not there", same, same, change("left", "middle"),
			`column "middle": the table of voxels has it and the signal has not`},
		{"a voxel twice", same, same, change("left", "right"),
			`v.csv, line 3, column "voxel": "right" is there already`},
		{"a voxel that is the trial", same, same, change("left", "trial"),
			`v.csv, line 3, column "voxel": "trial" is a column of the signal that holds no voxel`},
		{"half a place", same, same, change("-1", "x"), `v.csv, line 3, column "x": "x" is not a whole number`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := newFolder(t)
			set := &CSV{}
			if test.voxels != nil {
				set.Voxels = f.write("v.csv", []byte(test.voxels(voxelTable)))
			}
			_, err := fromCSV(f.write("s.csv", []byte(test.signal(signalTable))),
				f.write("o.csv", []byte(test.onsets(onsetTable))), set)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
	if _, err := fromCSV("no such file", "", nil); err == nil {
		t.Error("no file: no error")
	}
	if _, err := fromCSV("", "", &CSV{Length: -1}); err == nil || !strings.Contains(err.Error(), "CSV.Length is -1") {
		t.Errorf("Length -1: %v", err)
	}
}

func fromCSV(signal, onsets string, set *CSV) (*Loaded, error) {
	if set == nil {
		set = &CSV{}
	}
	return set.Read(signal, onsets)
}

// FuzzReadCSV looks for tables that make the loader panic or give a study that fails its own check.
func FuzzReadCSV(f *testing.F) {
	f.Add(signalTable, onsetTable, voxelTable)
	f.Add("trial,image,x\n1,1,2\n", "trial,process,image\n1,p,1\n", "")
	f.Fuzz(func(t *testing.T, signal, onsets, voxels string) {
		dir := newFolder(t)
		set := &CSV{}
		if voxels != "" {
			set.Voxels = dir.write("v.csv", []byte(voxels))
		}
		l, err := fromCSV(dir.write("s.csv", []byte(signal)), dir.write("o.csv", []byte(onsets)), set)
		if err == nil {
			_, err = l.Check()
			if _ = l.String(); err != nil {
				t.Error(err)
			}
		}
	})
}

func ExampleCSV_Read() {
	dir, err := os.MkdirTemp("", "hpm")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	signal, onsets := filepath.Join(dir, "signal.csv"), filepath.Join(dir, "onsets.csv")
	os.WriteFile(signal,
		[]byte("trial,image,left,right\n1,1,3.1,6\n1,2,2,4\n1,3,0.9,2\n2,1,2.9,6\n2,2,2,4\n2,3,1.1,2\n"), 0o600)
	os.WriteFile(onsets, []byte("trial,process,image\n1,See,1\n2,See,1\n"), 0o600)

	l, err := CSV{}.Read(signal, onsets)
	if err != nil {
		fmt.Println(err)
		return
	}
	model, err := Fit(context.Background(), l.Study, Shared, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	// The right voxel follows the same process at twice the amplitude; Σ c² is 2.
	fmt.Printf("%.3f\n", model.Clusters[0].Amplitude)
	// Output: [[0.632] [1.265]]
}
