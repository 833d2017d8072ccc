package run

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-gota/gota/dataframe"
)

// Table reads a CSV file of the result, by its name with .csv, into a frame. A
// column in which some values are no numbers, such as ">5000", is one of text.
func (r *Result) Table(name string) (dataframe.DataFrame, error) {
	f, err := os.Open(filepath.Join(r.Dir, name))
	if err != nil {
		return dataframe.DataFrame{}, fmt.Errorf("experiment %s has no table %q (it has: %s): %w", r.ID, name, strings.Join(r.names(".csv"), ", "), err)
	}
	defer f.Close()
	df := dataframe.ReadCSV(f)
	if df.Error() != nil {
		return df, fmt.Errorf("%s: %w", f.Name(), df.Error())
	}
	return df, nil
}
