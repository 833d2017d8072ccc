package datasets

import (
	"embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
)

// files.csv has one row for each file of the register:
// set, path, SHA-256, size in bytes, addresses separated by a blank.
//
//go:embed files.csv
var filesCSV string

//go:embed breast-cancer/data.csv diabetes/data.csv glass/data.csv iris/data.csv thyroid/data.csv
var shipped embed.FS

// register is read only after the program has started.
var register = mustRegister(describe(), filesCSV)

// mustRegister gives each set its files. It panics if the compiled-in table
// is not well formed, which a test of this package would have shown.
func mustRegister(sets []Set, table string) []Set {
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		panic("datasets: files.csv: " + err.Error())
	}
	index := map[string]int{}
	for i, s := range sets {
		index[s.Name] = i
	}
	for _, row := range rows[1:] {
		i, ok := index[row[0]]
		if !ok {
			panic("datasets: files.csv: no set " + row[0])
		}
		f := File{Path: row[1], SHA256: row[2], Addresses: strings.Fields(row[4])}
		if row[3] != "" {
			if f.Bytes, err = strconv.ParseInt(row[3], 10, 64); err != nil {
				panic(fmt.Sprintf("datasets: files.csv: %s: %v", f.Path, err))
			}
		}
		sets[i].Files = append(sets[i].Files, f)
	}
	for _, s := range sets {
		if len(s.Files) == 0 {
			panic("datasets: files.csv: no file of " + s.Name)
		}
	}
	return sets
}

// embedded tells whether the file is compiled into the program.
func embedded(f File) bool {
	file, err := shipped.Open(f.Path)
	if err != nil {
		return false
	}
	file.Close()
	return true
}
