package datasets

import (
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// counts returns how often each value of a column occurs, "NaN" for missing.
func counts(df dataframe.DataFrame, column string) map[string]int {
	n := map[string]int{}
	for _, value := range df.Col(column).Records() {
		n[value]++
	}
	return n
}

func TestShippedFrames(t *testing.T) {
	// The counts are those of the sources' own documentation.
	tests := []struct {
		name   string
		load   func() (dataframe.DataFrame, error)
		rows   int
		column string
		want   map[string]int
	}{
		{"breast-cancer", BreastCancer, 286, "class", map[string]int{"no-recurrence-events": 201,
			"recurrence-events": 85}},
		{"breast-cancer", BreastCancer, 286, "node_caps", map[string]int{"no": 222, "yes": 56, "NaN": 8}},
		{"diabetes", Diabetes, 768, "class", map[string]int{"tested_negative": 500, "tested_positive": 268}},
		{"glass", Glass, 214, "type", map[string]int{"building_windows_float_processed": 70,
			"building_windows_non_float_processed": 76,
			"vehicle_windows_float_processed":      17, "containers": 13, "tableware": 9, "headlamps": 29}},
		{"iris", Iris, 150, "class", map[string]int{"setosa": 50, "versicolor": 50, "virginica": 50}},
		{"thyroid", Thyroid, 215, "diagnosis", map[string]int{"normal": 150, "hyper": 35, "hypo": 30}},
	}
	for _, tt := range tests {
		t.Run(tt.name+"/"+tt.column, func(t *testing.T) {
			df, err := tt.load()
			if err != nil {
				t.Fatal(err)
			}
			if err := df.Error(); err != nil {
				t.Fatal(err)
			}
			if df.Nrow() != tt.rows {
				t.Errorf("%d rows, want %d", df.Nrow(), tt.rows)
			}
			got := counts(df, tt.column)
			if len(got) != len(tt.want) {
				t.Errorf("%s has %v, want %v", tt.column, got, tt.want)
			}
			for state, n := range tt.want {
				if got[state] != n {
					t.Errorf("%s = %s in %d rows, want %d", tt.column, state, got[state], n)
				}
			}
		})
	}
}

func TestFramesFollowTheirColumns(t *testing.T) {
	for name := range tables {
		t.Run(name, func(t *testing.T) {
			df := loadOrSkip(t, name)
			set, _ := Find(name)
			columns, err := Columns(name)
			if err != nil {
				t.Fatal(err)
			}
			if df.Nrow() != set.Rows || df.Ncol() != set.Columns || len(columns) != set.Columns {
				t.Errorf("frame %d x %d with %d described columns, register says %d x %d", df.Nrow(), df.Ncol(),
					len(columns), set.Rows, set.Columns)
			}
			types := map[Kind]series.Type{Nominal: series.String, Label: series.String, Real: series.Float,
				Integer: series.Int}
			target := false
			for i, c := range columns {
				target = target || c.Name == set.Target
				if df.Names()[i] != c.Name || df.Types()[i] != types[c.Kind] {
					t.Errorf("column %d is %s %s, want %s %s", i, df.Names()[i], df.Types()[i], c.Name, types[c.Kind])
				}
				if c.Name != strings.ToLower(c.Name) || strings.ContainsAny(c.Name, "- .") {
					t.Errorf("column name %q is not snake_case", c.Name)
				}
				if c.Kind == Real || c.Kind == Integer {
					continue
				}
				if c.codes != nil && len(c.codes) != len(c.States) {
					t.Errorf("%s: %d codes for %d states", c.Name, len(c.codes), len(c.States))
				}
			}
			if !target {
				t.Errorf("no column %q", set.Target)
			}
		})
	}
}

func TestMissingCells(t *testing.T) {
	// The numbers are those of the .names files; heart's are well known.
	tests := []struct {
		name string
		want map[string]int
	}{
		{"breast-cancer", map[string]int{"node_caps": 8, "breast_quad": 1}},
		{"diabetes", nil},
		{"thyroid", nil},
		{"heart-disease", map[string]int{"ca": 4, "thal": 2}},
		{"credit-approval", map[string]int{"a1": 12, "a2": 12, "a4": 6, "a5": 6, "a6": 9, "a7": 9, "a14": 13}},
		{"census-income", map[string]int{"workclass": 1836, "occupation": 1843, "native_country": 583}},
		{"hepatitis", map[string]int{"steroid": 1, "fatigue": 1, "malaise": 1, "anorexia": 1, "liver_big": 10,
			"liver_firm":      11,
			"spleen_palpable": 5, "spiders": 5, "ascites": 5, "varices": 5, "bilirubin": 6, "alk_phosphate": 29,
			"sgot": 4, "albumin": 16, "protime": 67}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			df := loadOrSkip(t, tt.name)
			for _, name := range df.Names() {
				column, got := df.Col(name), 0
				for i, missing := range column.IsNaN() {
					if missing {
						got++
						if s := column.Elem(i).String(); s != "NaN" {
							t.Errorf("%s: a missing cell reads %q", name, s)
						}
					}
				}
				if got != tt.want[name] {
					t.Errorf("%s: %d missing, want %d", name, got, tt.want[name])
				}
			}
		})
	}
}

func TestStatesMeetTheData(t *testing.T) {
	for name := range tables {
		t.Run(name, func(t *testing.T) {
			df := loadOrSkip(t, name)
			states, err := States(name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Seen(df, states); err != nil {
				t.Error(err)
			}
		})
	}
}

// loadOrSkip loads a set; it skips a set that is neither in the program nor
// below BNLAB_DATA, and never goes to the network or to the cache.
func loadOrSkip(t *testing.T, name string) dataframe.DataFrame {
	t.Helper()
	set, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := DataDir()
	if err != nil {
		t.Fatal(err)
	}
	if !set.Shipped() && dir == "" {
		t.Skip("BNLAB_DATA is not set")
	}
	df, err := LoadContext(t.Context(), name, &Settings{Offline: true, CacheDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return df
}
