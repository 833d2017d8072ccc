package datasets

import (
	"os"
	"path/filepath"
	"strconv"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// List returns the register as a frame, a row for each set: name, title,
// rows, columns, target, shipped, available, source, licence, citation.
// available tells where the set's first file would come from: "embedded",
// "BNLAB_DATA", "cache", "download", or "by hand" if it is in neither folder
// and has no public address. Nothing is fetched and no checksum is taken.
// It returns an error if BNLAB_DATA is not a folder.
func List() (dataframe.DataFrame, error) {
	var set *Settings
	data, err := set.dataDir()
	if err != nil {
		return failed(err)
	}
	cache, err := set.cacheDir()
	if err != nil {
		cache = "" // no cache, nothing in it
	}
	heads := []string{"name", "title", "rows", "columns", "target", "shipped", "available", "source", "licence",
		"citation"}
	cells := make([][]string, len(heads))
	for _, s := range register {
		row := []string{s.Name, s.Title, size(s.Rows), size(s.Columns), s.Target, strconv.FormatBool(s.Shipped()),
			whence(s.Files[0], data, cache), s.Source, s.Licence, s.Citation}
		for i, cell := range row {
			cells[i] = append(cells[i], cell)
		}
	}
	var columns []series.Series
	for i, head := range heads {
		kind := series.String
		switch head {
		case "rows", "columns":
			kind = series.Int
		case "shipped":
			kind = series.Bool
		}
		columns = append(columns, series.New(cells[i], kind, head))
	}
	df := dataframe.New(columns...)
	return df, df.Error()
}

// size writes a number of rows or columns, missing for a set without.
func size(n int) string {
	if n == 0 {
		return missing
	}
	return strconv.Itoa(n)
}

// whence tells where a file would come from.
func whence(f File, data, cache string) string {
	in := func(dir string) bool {
		if dir == "" {
			return false
		}
		info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(f.Path)))
		return err == nil && info.Mode().IsRegular()
	}
	switch {
	case embedded(f):
		return "embedded"
	case in(data):
		return "BNLAB_DATA"
	case in(cache):
		return "cache"
	case len(f.Addresses) > 0:
		return "download"
	}
	return "by hand"
}
