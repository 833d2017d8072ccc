package hpm

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bnlab/experiments/run"
	"bnlab/experiments/runtest"
	"bnlab/internal/matfile/mattest"
)

// voxelData writes a file like that of the voxels of StarPlus, with noise in place of signal, and makes it the one
// that is found.
func voxelData(t *testing.T, trials int) {
	t.Helper()
	runtest.WithoutData(t)
	voxels := formulaVoxels(tables(t).table3)
	w := mattest.Little()
	rng := rand.New(rand.NewPCG(3, 0))
	var info, data [][]byte
	for n := range trials {
		condition, rows, order := 2.0, images, "P"
		if n < trials-40 {
			condition, rows = 1, 1 // at rest; not read
		}
		if n >= trials-20 {
			order = "S"
		}
		info = append(info, w.Double("", 1, condition), w.Text("", order))
		x := make([]float64, rows*len(voxels))
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		data = append(data, w.Double("", rows, x...))
	}
	places := make([]float64, 3*len(voxels))
	columns := make(map[string][]float64)
	for v, at := range voxels {
		places[v], places[len(voxels)+v], places[2*len(voxels)+v] = float64(at.X), float64(at.Y), float64(at.Z)
		columns[at.Region] = append(columns[at.Region], float64(v+1))
	}
	var rois [][]byte
	for _, r := range tables(t).table3 {
		rois = append(rois, w.Text("", r.name), w.Double("", 1, columns[r.name]...))
	}
	meta := w.Struct("meta", []string{"subject", "colToCoord", "rois"}, w.Text("", "04847"),
		w.Double("", len(voxels), places...), w.Struct("", []string{"name", "columns"}, rois...))
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "starplus"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(voxelFile)),
		w.File(meta, w.Struct("info", []string{"cond", "firstStimulus"}, info...), w.Cell("data", data...)),
		0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("BNLAB_DATA", dir)
}

// TestVoxels runs everything with a file of voxels: then its claims are judged.
func TestVoxels(t *testing.T) {
	if testing.Short() {
		t.Skip("writes and reads a file of 50 MB")
	}
	voxelData(t, 54)
	dir, claims := runtest.Execute(t, tinyExperiment(), 2)
	runtest.Hold(t, claims)
	judged := 0
	for _, c := range claims {
		if c.Claim == "the scores of Table 2" && c.Data == run.Real && c.Holds == run.No {
			judged++
		}
	}
	if judged != 1 {
		t.Error("Table 2 is not judged on the voxels")
	}
	b, err := os.ReadFile(filepath.Join(dir, "n06-tab3-roi.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(b), fromVoxels); n != 4 || strings.Contains(string(b), fromVoxels+",CALC,318,n/a") {
		t.Errorf("%d rows of voxels in Table 3", n)
	}
}

// TestOtherVoxels: a file with other counts than the published is read, and the reader's warning stands in the table.
func TestOtherVoxels(t *testing.T) {
	if testing.Short() {
		t.Skip("writes and reads a file of 50 MB")
	}
	voxelData(t, 53)
	s := &Source{name: fromVoxels}
	if err := loadVoxels(t.Context(), &run.Job{}, s, ConfigFor(run.Paper), tables(t)); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(s.Facts, func(f fact) bool { return strings.Contains(f.found, "53 trials") }) {
		t.Error(fmt.Sprint(s.Facts))
	}
}
