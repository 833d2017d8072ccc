package main

import (
	"bufio"
	"encoding/csv"
	"errors"
	"os"
	"strings"

	"bnlab/internal/say"
)

// readARFF returns the data rows of a dense ARFF file, quotes removed. Weka's
// files quote with ' and never put a comma or a quote inside one, which is
// checked here: a cell that keeps a quote is an error.
func readARFF(path string) ([][]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var rows [][]string
	inData := false
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		switch {
		case line == "" || line[0] == '%':
		case !inData:
			inData = strings.EqualFold(line, "@data")
		default:
			row := strings.Split(line, ",")
			for c, cell := range row {
				cell = strings.TrimSpace(cell)
				if len(cell) > 1 && cell[0] == '\'' && cell[len(cell)-1] == '\'' {
					cell = cell[1 : len(cell)-1]
				}
				if strings.ContainsAny(cell, `'"\`) {
					return nil, say.Errorf("cannot read the quotes of %q", line)
				}
				row[c] = cell
			}
			rows = append(rows, row)
		}
	}
	if !inData {
		return nil, errors.New("no @data line")
	}
	return rows, lines.Err()
}

// readCSV returns the rows below the header.
func readCSV(path string) ([][]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, errors.New("no header")
	}
	return rows[1:], nil
}
