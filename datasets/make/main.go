// Command make turns the sources of the five shipped data sets into CSV:
// four ARFF files of Debian's package weka and the data frame thyroid of
// r-cran-mclust, written out by R. make.sh fetches them and calls it.
//
// Only names change: columns become snake_case, states become words without
// blanks, a missing cell ("?" in ARFF) becomes an empty one. Numbers are
// copied as they are written, rows keep their order.
package main

import (
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"bnlab/internal/say"
)

func main() {
	weka := flag.String("weka", "", "folder with weka's ARFF files")
	thyroid := flag.String("thyroid", "", "thyroid as CSV, written by R")
	out := flag.String("out", "", "folder that gets NAME/data.csv")
	flag.Parse()
	if err := run(*weka, *thyroid, *out); err != nil {
		fmt.Fprintln(os.Stderr, "make:", err)
		os.Exit(1)
	}
}

func run(weka, thyroid, out string) error {
	if weka == "" || thyroid == "" || out == "" {
		return errors.New("-weka, -thyroid and -out are required")
	}
	for _, r := range recipes {
		source, read := filepath.Join(weka, r.source), readARFF
		if r.name == "thyroid" {
			source, read = thyroid, readCSV
		}
		rows, err := read(source)
		if err != nil {
			return say.Errorf("%s: %w", source, err)
		}
		if err := r.rename(rows); err != nil {
			return say.Errorf("%s: %w", source, err)
		}
		if err := write(filepath.Join(out, r.name), append([][]string{r.columns}, rows...)); err != nil {
			return err
		}
	}
	return nil
}

// write makes folder/data.csv.
func write(folder string, rows [][]string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(folder, "data.csv"))
	if err != nil {
		return err
	}
	w := csv.NewWriter(f)
	return errors.Join(w.WriteAll(rows), f.Close())
}
