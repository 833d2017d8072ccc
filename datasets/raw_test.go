package datasets

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The five shipped tables, made from Debian's packages, have the rows of
// UCI's own files. This test needs those files.
func TestShippedEqualUCI(t *testing.T) {
	dir, err := DataDir()
	if err != nil {
		t.Fatal(err)
	}
	if dir == "" {
		t.Skip("BNLAB_DATA is not set")
	}
	named := func(names map[string]string) func([]string, int) {
		return func(row []string, c int) { row[c] = names[row[c]] }
	}
	tests := []struct {
		name, raw string
		// cells gives the raw row in our columns and names.
		cells     func(row []string) []string
		sameOrder bool
	}{
		{"breast-cancer", "uci/breast-cancer/breast-cancer.data", func(row []string) []string {
			return append(slices.Clone(row[1:]), row[0])
		}, false},
		{"diabetes", "uci/pima/pima-indians-diabetes.data", func(row []string) []string {
			named(map[string]string{"0": "tested_negative", "1": "tested_positive"})(row, 8)
			return row
		}, true},
		{"glass", "uci/glass/glass.data", func(row []string) []string {
			named(map[string]string{"1": "building_windows_float_processed",
				"2": "building_windows_non_float_processed",
				"3": "vehicle_windows_float_processed", "5": "containers", "6": "tableware", "7": "headlamps"})(row, 10)
			return row[1:]
		}, false},
		{"iris", "uci/iris/iris.data", func(row []string) []string {
			row[4] = strings.TrimPrefix(row[4], "Iris-")
			return row
		}, true},
		{"thyroid", "uci/thyroid/new-thyroid.data", func(row []string) []string {
			named(map[string]string{"1": "normal", "2": "hyper", "3": "hypo"})(row, 0)
			return row
		}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data, err := shipped.ReadFile(tt.name + "/data.csv")
			if err != nil {
				t.Fatal(err)
			}
			ours := comparable(t, string(data))[1:]
			text, err := os.ReadFile(filepath.Join(dir, tt.raw))
			if err != nil {
				t.Fatal(err)
			}
			rows := comparable(t, string(text))
			for i, row := range rows {
				rows[i] = tt.cells(row)
			}
			if !tt.sameOrder {
				if slices.EqualFunc(ours, rows, slices.Equal) {
					t.Error("the rows are in the same order, which README.md denies")
				}
				slices.SortFunc(ours, slices.Compare)
				slices.SortFunc(rows, slices.Compare)
			}
			if len(ours) != len(rows) {
				t.Fatalf("%d rows, UCI has %d", len(ours), len(rows))
			}
			for i := range ours {
				if !slices.Equal(ours[i], rows[i]) {
					t.Errorf("row %d: %q, UCI has %q", i+1, ours[i], rows[i])
				}
			}
		})
	}
}

// comparable reads CSV text and writes numbers in one way: 3.50 is 3.5. A
// missing cell becomes empty.
func comparable(t *testing.T, text string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		for c, cell := range row {
			if x, err := strconv.ParseFloat(cell, 64); err == nil {
				row[c] = strconv.FormatFloat(x, 'g', -1, 64)
			} else if cell == "?" {
				row[c] = ""
			}
		}
	}
	return rows
}

// Every file below BNLAB_DATA that the register knows has the right bytes,
// and every CSV among them loads.
func TestDataFolder(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all files")
	}
	dir, err := DataDir()
	if err != nil {
		t.Fatal(err)
	}
	if dir == "" {
		t.Skip("BNLAB_DATA is not set")
	}
	set := &Settings{Offline: true, CacheDir: t.TempDir()}
	found := 0
	for _, s := range Sets() {
		for _, f := range s.Files {
			if _, err := os.Stat(filepath.Join(dir, f.Path)); err != nil {
				continue
			}
			found++
			p, err := Path(t.Context(), f.Path, set)
			if err != nil {
				t.Error(err)
			} else if filepath.Join(dir, f.Path) != p {
				t.Errorf("Path(%q) = %s, want it below %s", f.Path, p, dir)
			}
			if strings.HasSuffix(f.Path, ".csv") || strings.HasSuffix(f.Path, ".csv.gz") {
				if df, err := LoadContext(t.Context(), f.Path, set); err != nil || df.Error() != nil {
					t.Errorf("Load(%q): %v, %v", f.Path, err, df.Error())
				}
			}
		}
	}
	if found == 0 {
		t.Errorf("BNLAB_DATA=%s has no file of the register", dir)
	}
}
