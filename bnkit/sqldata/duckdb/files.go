package duckdb

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bnlab/internal/say"
)

// A format is how a file is written.
type format int

const (
	parquetFile format = iota
	csvFile
)

// find returns the files that path means, in order: the file itself, those of a folder, or
// those that a pattern of [filepath.Match] matches. A file that exists under the very name
// is no pattern, whatever its characters.
func find(path string) ([]string, error) {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return folder(path)
	case err == nil:
		return []string{path}, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, say.Errorf("duckdb: %w", err)
	case !strings.ContainsAny(path, "*?["):
		return nil, say.Errorf("duckdb: %s: %w", path, errNoFiles)
	}
	found, err := filepath.Glob(path)
	if err != nil {
		return nil, say.Errorf("duckdb: the pattern %s is not well-formed (a [ without ], or a \\ at the end): %w",
			path, err)
	}
	found = slices.DeleteFunc(found, func(name string) bool {
		info, err := os.Stat(name)
		return err != nil || info.IsDir()
	})
	if len(found) == 0 {
		return nil, say.Errorf("duckdb: %w matches %s", errNoFiles, path)
	}
	return found, nil
}

// folder returns the Parquet files of a folder, or else its CSV files, or else the Parquet files of its subfolders.
// Names that begin with a dot or an underscore are those of half-written and side files, and are left out.
func folder(path string) ([]string, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, say.Errorf("duckdb: %w", err)
	}
	for _, kind := range []func(string) bool{
		func(name string) bool { return slices.Contains(parquetEndings, ending(name)) },
		func(name string) bool { return isCSV(name) },
	} {
		var files []string
		for _, e := range entries {
			if name := e.Name(); !e.IsDir() && !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "_") &&
				kind(name) {
				files = append(files, filepath.Join(path, name))
			}
		}
		if files != nil {
			return files, nil
		}
	}
	var below []string
	err = filepath.WalkDir(path, func(file string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		side := file != path && (strings.HasPrefix(e.Name(), ".") || strings.HasPrefix(e.Name(), "_"))
		switch {
		case e.IsDir() && side:
			return filepath.SkipDir
		case !e.IsDir() && !side && slices.Contains(parquetEndings, ending(file)):
			below = append(below, file)
		}
		return nil
	})
	if err != nil {
		return nil, say.Errorf("duckdb: %w", err)
	}
	if below != nil {
		return below, nil
	}
	return nil, say.Errorf("duckdb: the folder %s has no Parquet and no CSV file: %w", path, errNoFiles)
}

// partitioned returns whether a file that was found by a path is in a subfolder such as date=2024-01-31, below what the
// path says without a pattern.
func partitioned(path string) func(file string) bool {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		if err == nil {
			return func(string) bool { return false }
		}
		path = filepath.Dir(path[:strings.IndexAny(path, "*?[")] + "x")
	}
	return func(file string) bool {
		below, err := filepath.Rel(path, filepath.Dir(file))
		return err == nil && slices.ContainsFunc(strings.Split(filepath.ToSlash(below), "/"), func(name string) bool {
			key, _, ok := strings.Cut(name, "=")
			return ok && key != ""
		})
	}
}

var parquetEndings = []string{".parquet", ".parq", ".pq"}

func ending(path string) string { return strings.ToLower(filepath.Ext(path)) }

// unpacked is the ending of the name without that of a compressed file.
func unpacked(path string) string {
	name := strings.ToLower(path)
	if compressed := ending(name); compressed == ".gz" || compressed == ".zst" {
		name = strings.TrimSuffix(name, compressed)
	}
	return filepath.Ext(name)
}

// isCSV reports whether the name is that of a CSV file, compressed or not.
func isCSV(path string) bool {
	return slices.Contains([]string{".csv", ".tsv", ".txt"}, unpacked(path))
}

// formatOf looks at the first bytes of the files: Parquet files begin and end with a mark of
// their own. They must all be of one format.
func formatOf(files []string) (format, error) {
	var first format
	for i, path := range files {
		if strings.Contains(path, `\`) && strings.ContainsAny(path, "*?[") {
			return 0, say.Errorf("duckdb: %s: DuckDB cannot open a file with a backslash and one of *?[ in its path; "+
				"give it another name", path)
		}
		f, err := formatOfFile(path)
		if err != nil {
			return f, err
		}
		if i > 0 && f != first {
			return f, say.Errorf("duckdb: %s and %s: %w: one is Parquet and the other is not", files[0], path,
				errFormat)
		}
		first = f
	}
	return first, nil
}

func formatOfFile(path string) (format, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, say.Errorf("duckdb: %w", err)
	}
	defer f.Close()
	mark := make([]byte, 4)
	if _, err := io.ReadFull(f, mark); err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, say.Errorf("duckdb: %w", err)
	}
	switch {
	case bytes.Equal(mark, []byte("PAR1")):
		return parquetFile, nil
	case isCSV(path):
		return csvFile, nil
	}
	return 0, say.Errorf("duckdb: %s is %w: a Parquet file begins with PAR1, and the name of a CSV file ends in "+
		".csv, .tsv or .txt", path, errFormat)
}
