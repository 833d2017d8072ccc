package run

import (
	"os"
	"path/filepath"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/internal/say"
)

// Table reads a CSV file of the result, by its name with .csv, into a frame. A
// column in which some values are no numbers, such as ">5000", is one of text.
func (r *Result) Table(name string) (dataframe.DataFrame, error) {
	f, err := os.Open(filepath.Join(r.Dir, name))
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("experiment %s has no table %q (it has: %s): %w", r.ID, name,
			say.List(r.names(".csv")), err)
	}
	defer f.Close()
	df := dataframe.ReadCSV(f)
	if df.Error() != nil {
		return df, say.Errorf("%s: %w", f.Name(), df.Error())
	}
	return df, nil
}

// ClaimTable is the claims of the result as a frame to show (nb.Claims does), numbers rounded to four digits and
// followed by their band.
func (r *Result) ClaimTable() (dataframe.DataFrame, error) {
	claims, err := r.Claims()
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	names := []string{"claim", "source", "kind", "data", "paper", "ours", "unit", "prediction", "basis", "holds",
		"note"}
	columns := make([][]string, len(names))
	for _, c := range claims {
		for i, text := range []string{c.Claim, c.Source, string(c.Kind), string(c.Data), dash(round(c.Paper)),
			c.Value(), c.Unit, string(c.Prediction), string(c.Basis), string(c.Holds), c.Note} {
			columns[i] = append(columns[i], text)
		}
	}
	frame := make([]series.Series, len(names))
	for i, name := range names {
		frame[i] = series.New(columns[i], series.String, name)
	}
	return dataframe.New(frame...), nil
}
