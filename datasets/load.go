package datasets

import (
	"compress/gzip"
	"context"
	"io"
	"strings"

	"github.com/go-gota/gota/dataframe"

	"bnlab/internal/say"
)

// Load returns the table of a set as a frame: a String series with the
// declared states for each nominal column, Int and Float series for numbers,
// NaN for missing cells. name is a set's name, or the path of any file of the
// register that ends in .csv or .csv.gz; such a file has no declared columns,
// and a column in which every cell is a number becomes Int or Float.
//
// Errors are those of Open; a cell that does not fit its column is named by
// file, line and column. Load waits for a download as long as it takes:
// LoadContext can stop it.
func Load(name string) (dataframe.DataFrame, error) {
	return LoadContext(context.Background(), name, nil)
}

// LoadContext is Load with a context and with settings, which may be nil.
func LoadContext(ctx context.Context, name string, set *Settings) (dataframe.DataFrame, error) {
	s, f, err := find(name)
	if err != nil {
		return failed(err)
	}
	t, described := tables[s.Name]
	described = described && f.Path == s.Files[0].Path
	zipped := strings.HasSuffix(f.Path, ".csv.gz")
	if !described && !zipped && !strings.HasSuffix(f.Path, ".csv") {
		var csvs []string
		for _, f := range s.Files {
			if strings.HasSuffix(f.Path, ".csv") || strings.HasSuffix(f.Path, ".csv.gz") {
				csvs = append(csvs, f.Path)
			}
		}
		return failed(say.Errorf("datasets: %s is no table; use Open; tables of %s: %q", f.Path, s.Name, csvs))
	}
	file, err := open(ctx, s, f, set)
	if err != nil {
		return failed(err)
	}
	defer file.Close()
	var r io.Reader = file
	if zipped {
		z, err := gzip.NewReader(file)
		if err != nil {
			return failed(say.Errorf("datasets: %s: %w", f.Path, err))
		}
		defer z.Close()
		r = io.LimitReader(z, maxUnknown)
	}
	var df dataframe.DataFrame
	if described {
		df, err = readTable(r, t)
	} else {
		df, err = readPlain(r)
	}
	if err != nil {
		return failed(say.Errorf("datasets: %s: %w", f.Path, err))
	}
	return df, nil
}

// failed returns a frame that carries err too, so that gota's calls on it do
// nothing even if the error is not looked at.
func failed(err error) (dataframe.DataFrame, error) {
	return dataframe.DataFrame{Err: err}, err
}
