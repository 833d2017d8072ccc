package datasets

import (
	"io"
	"math"
	"strconv"

	"github.com/go-gota/gota/dataframe"

	"bnlab/internal/say"
)

// readPlain reads CSV data with a header and no declared columns.
func readPlain(r io.Reader) (dataframe.DataFrame, error) {
	next := commaRows(r, 0)
	names, _, err := next()
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("header: %w", err)
	}
	columns := make([]Column, len(names))
	seen := map[string]bool{}
	for i, name := range names {
		if seen[name] {
			return dataframe.DataFrame{}, say.Errorf("two columns are called %q", name)
		}
		seen[name] = true
		columns[i] = Column{Name: name, Kind: Integer}
	}
	cells := make([][]string, len(names))
	for {
		row, _, err := next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return dataframe.DataFrame{}, err
		}
		for i, cell := range row {
			if cell == "" {
				cell = missing
			} else if columns[i].Kind != Nominal {
				columns[i].Kind = widen(columns[i].Kind, cell)
			}
			cells[i] = append(cells[i], cell)
		}
	}
	return frame(columns, cells)
}

// widen returns the narrowest kind that has room for kind and the cell.
func widen(kind Kind, cell string) Kind {
	if len(cell) > 1 && cell[0] == '0' && cell[1] >= '0' && cell[1] <= '9' {
		return Nominal // 04847 is a name
	}
	if _, err := strconv.Atoi(cell); err == nil {
		return kind
	}
	if x, err := strconv.ParseFloat(cell, 64); err == nil && !math.IsNaN(x) && !math.IsInf(x, 0) {
		return Real
	}
	return Nominal
}
