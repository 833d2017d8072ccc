package hpm

import (
	"bytes"
	"embed"
	"encoding/csv"
	"strconv"

	"bnlab/bnkit/hpm"
	"bnlab/internal/say"
)

// The published numbers: N06 Tables 2 and 3.
//
//go:embed published/table2.csv published/table3.csv
var publishedFiles embed.FS

// A row is a line of N06 Table 2 (by trials) or 3 (by region).
type row struct {
	name  string // the number of trials, or the region
	size  int    // trials or voxels
	score [3]float64
	cells int
}

// published are both tables, in the paper's order.
type published struct {
	table2 []row
	table3 []row // regions
	whole  row   // "All Brain"
}

// models are the paper's, in its order, and what voxels share in them.
var models = [3]struct {
	name    string
	sharing hpm.Sharing
}{{"StHPM", hpm.Voxelwise}, {"ShHPM", hpm.Shared}, {"HieHPM", hpm.Hierarchical}}

// Numbers of the models.
const (
	st = iota
	sh
	hie
)

func publishedTables() (published, error) {
	var p published
	rows, err := readTable("published/table2.csv", 0)
	if err != nil {
		return p, err
	}
	p.table2 = rows
	if rows, err = readTable("published/table3.csv", 1); err != nil {
		return p, err
	}
	p.table3, p.whole = rows[:len(rows)-1], rows[len(rows)-1]
	return p, nil
}

// readTable reads a table whose numbers begin in a column with the size.
func readTable(name string, first int) ([]row, error) {
	b, err := publishedFiles.ReadFile(name)
	if err != nil {
		return nil, err
	}
	records, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil {
		return nil, say.Errorf("%s: %w", name, err)
	}
	var rows []row
	for _, r := range records[1:] {
		out := row{name: r[0]}
		for i, cell := range r[first:] {
			x, err := strconv.Atoi(cell)
			if err != nil {
				return nil, say.Errorf("%s: %w", name, err)
			}
			switch i {
			case 0:
				out.size = x
			case 4:
				out.cells = x
			default:
				out.score[i-1] = float64(x)
			}
		}
		rows = append(rows, out)
	}
	return rows, nil
}

// trials finds a line of Table 2.
func (p published) trials(n int) (row, bool) { return find(p.table2, strconv.Itoa(n)) }

// gain is how much higher Table 2 has one model than another at a number of trials.
func (p published) gain(trials, model, than int) float64 {
	r, _ := p.trials(trials)
	return r.score[model] - r.score[than]
}

// region finds a line of Table 3.
func (p published) region(name string) (row, bool) { return find(p.table3, name) }

func find(rows []row, name string) (row, bool) {
	for _, r := range rows {
		if r.name == name {
			return r, true
		}
	}
	return row{}, false
}
