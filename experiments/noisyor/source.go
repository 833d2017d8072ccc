package noisyor

import (
	"context"
	"slices"

	"github.com/go-gota/gota/dataframe"

	"bnlab/datasets"
	"bnlab/internal/say"
)

// A source says which rows of which data a domain of Y13 Table 2 has.
type source struct {
	name, label string // of the domain; label is the one in Y13 Figure 3
	set         string // in package datasets
	// class and classes name the rows that belong, by a nominal column; nil takes all.
	class   string
	classes []string
	// complete names columns in which no cell of a row is missing.
	complete []string
	// drawn is how many of these rows each draw takes at random; 0 takes all.
	drawn int
	// What Table 2 says.
	parents, samples int
}

// sources are the domains, in the order of Table 2 and Figure 3.
func sources() []source {
	return []source{
		{name: "heart", label: "Heart", set: "heart-disease", complete: []string{"ca", "thal"}, parents: 5,
			samples: 297},
		{name: "breast", label: "Breast", set: "breast-cancer", parents: 5, samples: 286},
		{name: "credit", label: "Credit", set: "credit-approval", drawn: 300, parents: 5, samples: 300},
		{name: "car", label: "Car", set: "car-evaluation", drawn: 300, parents: 6, samples: 300},
		{name: "pima", label: "Pima", set: "diabetes", drawn: 300, parents: 4, samples: 300},
		{name: "census", label: "Census", set: "census-income", complete: []string{"workclass", "native_country"},
			drawn: 300, parents: 7, samples: 300},
		{name: "iris", label: "Iris", set: "iris", class: "class", classes: []string{"versicolor", "virginica"},
			parents: 4, samples: 100},
		{name: "glass", label: "Glass", set: "glass", class: "type",
			classes: []string{"building_windows_float_processed", "building_windows_non_float_processed"}, parents: 5,
			samples: 146},
		{name: "ecoli", label: "Ecoli", set: "ecoli", class: "class", classes: []string{"cp", "im", "imU", "om", "omL",
			"imL", "imS"}, parents: 5, samples: 284},
		{name: "thyroid", label: "Thyroid", set: "thyroid", class: "diagnosis", classes: []string{"normal", "hyper"},
			parents: 5, samples: 185},
		{name: "hepatitis", label: "Hepatitis", set: "hepatitis",
			complete: []string{"liver_big", "spleen_palpable", "spiders", "ascites", "varices"}, parents: 5,
			samples: 144},
	}
}

// load returns the rows that belong to the domain and the SHA-256 of the file they come from.
// The error wraps [datasets.ErrNotAvailable] where the file cannot be had.
func (s source) load(ctx context.Context) (dataframe.DataFrame, string, error) {
	var none dataframe.DataFrame
	set, err := datasets.Find(s.set)
	if err != nil {
		return none, "", err
	}
	df, err := datasets.LoadContext(ctx, s.set, nil)
	if err != nil {
		return none, "", err
	}
	keep, err := s.belongs(df)
	if err != nil {
		return none, "", say.Errorf("noisyor: domain %s: %w", s.name, err)
	}
	df = df.Subset(keep)
	return df, set.Files[0].SHA256, df.Error()
}

// belongs lists the rows of a frame that belong to the domain.
func (s source) belongs(df dataframe.DataFrame) ([]int, error) {
	rows := make([]int, 0, df.Nrow())
	for row := range df.Nrow() {
		rows = append(rows, row)
	}
	leave := func(column string, belongs func(cell string) bool) error {
		col := df.Col(column)
		if col.Err != nil {
			return col.Err
		}
		cells := col.Records()
		rows = slices.DeleteFunc(rows, func(row int) bool { return !belongs(cells[row]) })
		return nil
	}
	if s.class != "" {
		if err := leave(s.class, func(cell string) bool { return slices.Contains(s.classes, cell) }); err != nil {
			return nil, err
		}
	}
	for _, column := range s.complete {
		if err := leave(column, func(cell string) bool { return cell != missing }); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// missing is how a frame of package datasets writes a missing cell.
const missing = "NaN"
