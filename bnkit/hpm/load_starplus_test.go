package hpm

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"bnlab/internal/datatest"
	"bnlab/internal/matfile/mattest"
)

// A starPlus is what a test writes to a file: four columns, of which A lists 1 and 2, B lists
// 2 and 3, LIFG repeats 1, and none lists 4; four trials, of which the first is at rest.
type starPlus struct {
	subject string
	first   []string
	cond    []float64
	rows    int
	x       []float64 // colToCoord, column by column
	b       []float64 // columns of region B
	value   float64   // signal of column 3 at the last image
}

func soundStarPlus() starPlus {
	return starPlus{"1", []string{"P", "P", "S", "S"}, []float64{1, 2, 3, 2}, 20,
		[]float64{1, 2, 3, 4, 5, 6, 7, 8, 1, 1, 1, 2}, []float64{2, 3}, 0.25}
}

func (s starPlus) file() []byte {
	w := mattest.Little()
	var info, data [][]byte
	for n := range s.first {
		info = append(info, w.Double("", 1, s.cond[n]), w.Text("", s.first[n]))
		x := make([]float64, 4*s.rows) // 1000 trial + 100 column + image, each from 1
		for i := range x {
			x[i] = float64(1000*(n+1) + 100*(i/s.rows+1) + i%s.rows + 1)
		}
		x[3*s.rows-1] = s.value
		data = append(data, w.Double("", s.rows, x...))
	}
	rois := w.Struct("", []string{"name", "columns"}, w.Text("", "A"), w.Double("", 1, 1, 2), w.Text("", "B"),
		w.Double("", 1, s.b...), w.Text("", "LIFG"), w.Double("", 1, 1))
	meta := w.Struct("meta", []string{"subject", "colToCoord", "rois"}, w.Text("", s.subject),
		w.Double("", len(s.x)/3, s.x...), rois)
	return w.File(w.Compressed(w.Struct("info", []string{"cond", "firstStimulus"}, info...)), w.Compressed(meta),
		w.Compressed(w.Cell("data", data...)), w.Double("unused", 1, 1))
}

// TestReadStarPlus knows by hand what comes out.
func TestReadStarPlus(t *testing.T) {
	path := newFolder(t).write("a.mat", soundStarPlus().file())
	l, err := StarPlus{Images: 18}.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	voxels := []Voxel{{1, 5, 1, "A"}, {2, 6, 1, "A"}, {2, 6, 1, "B"}, {3, 7, 1, "B"}}
	if !reflect.DeepEqual(l.Voxels, voxels) {
		t.Errorf("voxels %v, want %v", l.Voxels, voxels)
	}
	if alone, err := (StarPlus{}).Voxels(path); err != nil || !reflect.DeepEqual(alone, voxels) {
		t.Errorf("StarPlus.Voxels: %v, %v", alone, err)
	}
	if want := []Process{{"Sentence", 18}, {"Picture", 18}}; !reflect.DeepEqual(l.Processes, want) ||
		l.ImageSeconds != 0.5 {
		t.Errorf("processes %v, want %v, %v s", l.Processes, want, l.ImageSeconds)
	}
	first, second := []Onset{{"Sentence", 1}, {"Picture", 17}}, []Onset{{"Picture", 1}, {"Sentence", 17}}
	for i, want := range [][]Onset{second, first, first} {
		trial := l.Trials[i]
		if !reflect.DeepEqual(trial.Onsets, want) || trial.Images != 18 ||
			trial.Name != fmt.Sprintf("StarPlus trial %d", i+2) {
			t.Errorf("trial %d: %v, want %v, %d images", i, trial, want, trial.Images)
		}
		for image := range 18 {
			for v, column := range []int{1, 2, 2, 3} {
				if got, want := trial.Data[4*image+v], float64(1000*(i+2)+100*column+image+1); got != want {
					t.Fatalf("trial %d, image %d, voxel %d: %v, want %v", i, image, v, got, want)
				}
			}
		}
	}
	if want := []string{"1 column that no region lists left out",
		"1 column that two regions list taken in both"}; !reflect.DeepEqual(l.Warnings, want) {
		t.Errorf("warnings %q, want %q", l.Warnings, want)
	}
	if _, err := l.Check(); err != nil {
		t.Errorf("the study does not pass its own check: %v", err)
	}
	known := soundStarPlus()
	known.subject = "04847"
	l, err = StarPlus{Images: 20}.Read(newFolder(t).write("b.mat", known.file()))
	if err != nil || len(l.Warnings) != 7 || !strings.Contains(l.String(), "0 voxels of CALC, where subject 04847 "+
		"has 318: another version of the file?") {
		t.Errorf("%v, %v", l, err)
	}
}

func TestStarPlusErrors(t *testing.T) {
	tests := []struct {
		name   string
		change func(*starPlus)
		images int
		want   string
	}{
		{"few images", func(*starPlus) {}, 16, "16 images a trial; the second stimulus comes at image 17"},
		{"short trials", func(*starPlus) {}, 0, "data{2} is 20x4 double; a trial of 32 images or more and 4 columns " +
			"is wanted"},
		{"another stimulus", func(s *starPlus) { s.first[2] = "X" }, 20, `info(3).firstStimulus is "X", not S or P`},
		{"rest only", func(s *starPlus) { s.cond = make([]float64, 4) }, 20,
			"none of 4 trials has sentence and picture"},
		{"no condition", func(s *starPlus) { s.cond[2] = math.NaN() }, 20, "info(3).cond is NaN"},
		{"NaN", func(s *starPlus) { s.value = math.NaN() }, 20, "data{2}, image 20, column 3 is NaN"},
		{"columns beyond", func(s *starPlus) { s.b = []float64{5} }, 20,
			"meta.rois(2).columns holds 5, not the number of one of 4 voxels"},
		{"half a column", func(s *starPlus) { s.b = []float64{1.5} }, 20, "meta.rois(2).columns holds 1.5"},
		{"half a place", func(s *starPlus) { s.x[4] = 0.5 }, 20, "meta.colToCoord(1, 2) is 0.5"},
		{"fewer places", func(s *starPlus) { s.x = s.x[:6] }, 20,
			"meta.rois(2).columns holds 3, not the number of one of 2"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := soundStarPlus()
			test.change(&s)
			_, err := StarPlus{Images: test.images}.Read(newFolder(t).write("a.mat", s.file()))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
	w := mattest.Little()
	for want, file := range map[string][]byte{
		`no such variable: "info"`: w.File(w.Double("meta", 1, 1), w.Cell("data")),
		`no field "colToCoord", since it is no struct`: w.File(w.Double("meta", 1, 1), w.Cell("data"),
			w.Double("info", 1, 1)),
	} {
		if _, err := (StarPlus{}).Read(newFolder(t).write("a.mat", file)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// FuzzReadStarPlus looks for files that make the loader panic.
func FuzzReadStarPlus(f *testing.F) {
	f.Add(soundStarPlus().file())
	w := mattest.Little()
	f.Add(w.File(w.Struct("meta", []string{"colToCoord", "rois"}, w.Double("", 1, 1, 1, 1), w.Double("", 0)),
		w.Cell("data"), w.Double("info", 1, 1)))
	f.Fuzz(func(t *testing.T, file []byte) {
		if l, err := (StarPlus{Images: 17}).Read(newFolder(t).write("a.mat", file)); err == nil {
			_ = l.String()
		}
	})
}

// TestStarPlusMeans compares the means over regions with a CSV file that another program made,
// and the sizes of regions with N06 Table 3.
func TestStarPlusMeans(t *testing.T) {
	path := datatest.Path(t, "starplus/matlab_avergage_rois_04847.mat")
	l, err := StarPlus{}.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Trials) != 40 || len(l.Voxels) != 7 || l.Warnings != nil {
		t.Fatalf("%v", l)
	}
	f, err := os.Open(datatest.Path(t, "starplus/roi7_04847.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := make(map[string]*Trial)
	for n := range l.Trials {
		at[l.Trials[n].Name] = &l.Trials[n]
	}
	compared := 0
	for _, row := range rows[1:] {
		trial, image := at["StarPlus trial "+row[0]], row[1]
		if i, _ := strconv.Atoi(image); trial != nil && i <= 32 {
			if first := map[string]string{"P": "Picture", "S": "Sentence"}[row[3]]; trial.Onsets[0] != (Onset{first,
				1}) {
				t.Fatalf("trial %s begins with %v, want %s", row[0], trial.Onsets[0], first)
			}
			for v := range 7 {
				want, _ := strconv.ParseFloat(row[4+v], 64)
				if trial.Data[7*(i-1)+v] != want || l.Voxels[v].Region != rows[0][4+v] {
					t.Fatalf("trial %s, image %s, %s: %v, want %s of %s", row[0], image, l.Voxels[v].Region,
						trial.Data[7*(i-1)+v], row[4+v], rows[0][4+v])
				}
				compared++
			}
		}
	}
	if compared != 40*32*7 {
		t.Errorf("%d numbers compared, want %d", compared, 40*32*7)
	}

	voxels, err := StarPlus{}.Voxels(path)
	if err != nil {
		t.Fatal(err)
	}
	sizes := make(map[string]int)
	for _, v := range voxels {
		sizes[v.Region]++
	}
	want := map[string]int{"CALC": 318, "LDLPFC": 440, "LFEF": 109, "LIPL": 134, "LIPS": 236, "LIT": 287, "LOPER": 169,
		"LPPREC": 153, "LSGA": 6, "LSPL": 308,
		"LT": 305, "LTRIA": 113, "RDLPFC": 349, "RFEF": 68, "RIPL": 92, "RIPS": 166, "RIT": 278, "ROPER": 181,
		"RPPREC": 144, "RSGA": 34, "RSPL": 252, "RT": 284,
		"RTRIA": 57, "SMA": 215}
	if !reflect.DeepEqual(sizes, want) || len(voxels) != 4698 {
		t.Errorf("%d voxels, regions %v, want %v", len(voxels), sizes, want)
	}
}
