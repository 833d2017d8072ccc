package main

import "fmt"

// A recipe says how one source becomes data.csv.
type recipe struct {
	name    string
	source  string            // file in weka's examples folder
	columns []string          // our column names, in the source's order
	states  map[string]string // source's state name → ours; others stay
}

var recipes = []recipe{
	{
		name:   "breast-cancer",
		source: "breast-cancer.arff",
		columns: []string{"age", "menopause", "tumor_size", "inv_nodes", "node_caps", "deg_malig",
			"breast", "breast_quad", "irradiat", "class"},
	},
	{
		name:    "diabetes",
		source:  "diabetes.arff",
		columns: []string{"preg", "plas", "pres", "skin", "insu", "mass", "pedi", "age", "class"},
	},
	{
		name:    "glass",
		source:  "glass.arff",
		columns: []string{"ri", "na", "mg", "al", "si", "k", "ca", "ba", "fe", "type"},
		// The left names are weka's shortened ones, the right ones the original's.
		states: map[string]string{
			"build wind float":     "building_windows_float_processed",
			"build wind non-float": "building_windows_non_float_processed",
			"vehic wind float":     "vehicle_windows_float_processed",
		},
	},
	{
		name:    "iris",
		source:  "iris.arff",
		columns: []string{"sepal_length", "sepal_width", "petal_length", "petal_width", "class"},
		states: map[string]string{
			"Iris-setosa": "setosa", "Iris-versicolor": "versicolor", "Iris-virginica": "virginica",
		},
	},
	{
		name:    "thyroid",
		columns: []string{"diagnosis", "rt3u", "t4", "t3", "tsh", "dtsh"},
		states:  map[string]string{"Hypo": "hypo", "Normal": "normal", "Hyper": "hyper"},
	},
}

// rename applies the recipe's state names in place and empties missing cells.
func (r recipe) rename(rows [][]string) error {
	for i, row := range rows {
		if len(row) != len(r.columns) {
			return fmt.Errorf("row %d has %d cells, want %d", i+1, len(row), len(r.columns))
		}
		for c, cell := range row {
			if name, ok := r.states[cell]; ok {
				row[c] = name
			} else if cell == "?" {
				row[c] = ""
			}
		}
	}
	return nil
}
