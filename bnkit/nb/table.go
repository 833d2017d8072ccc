package nb

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"bnlab/internal/english"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// Rows and columns that [Table] shows of a large frame.
const (
	tableRows    = 20
	tableColumns = 30
)

// Table displays a frame: its first 20 rows, numbers to four digits, missing cells as "–". A line
// below says what is omitted. Control characters of names and cells are shown as Go writes them, a
// line break as \n: they reach no terminal. A frame that carries an error ends the cell with it;
// see [Must].
func Table(df dataframe.DataFrame) { Head(df, tableRows) }

// Head displays the first n rows of a frame; see [Table].
func Head(df dataframe.DataFrame, n int) {
	g, err := newGrid(df, n)
	NoError(err)
	show().table(g)
}

// A grid is a table as text.
type grid struct {
	header  []string
	numeric []bool // by column: aligned at the right
	rows    [][]string
	foot    string
}

// newGrid turns the first n rows of a frame into text.
func newGrid(df dataframe.DataFrame, n int) (grid, error) {
	if err := df.Error(); err != nil {
		return grid{}, fmt.Errorf("nb: the frame carries an error: %w", err)
	}
	if n < 0 {
		return grid{}, fmt.Errorf("nb: cannot show %d rows", n)
	}
	names := df.Names()
	shown, columns := min(n, df.Nrow()), min(tableColumns, len(names))
	g := grid{rows: make([][]string, shown)}
	for _, name := range names[:columns] {
		col := df.Col(name)
		if col.Err != nil {
			return grid{}, fmt.Errorf("nb: column %q: %w", name, col.Err)
		}
		g.header = append(g.header, visible(name, ""))
		g.numeric = append(g.numeric, col.Type() == series.Float || col.Type() == series.Int)
		for i := range g.rows {
			g.rows[i] = append(g.rows[i], cell(col.Elem(i), col.Type()))
		}
	}
	var left []string
	if more := df.Nrow() - shown; more > 0 {
		left = append(left, english.Count(more, "more row"))
	}
	if more := len(names) - columns; more > 0 {
		left = append(left, english.Count(more, "more column"))
	}
	if left != nil {
		g.foot = "… " + strings.Join(left, " and ")
	}
	return g, nil
}

const missing = "–"

// cell prints an element.
func cell(e series.Element, t series.Type) string {
	if e.IsNA() {
		return missing
	}
	if t == series.Float {
		return number(e.Float())
	}
	return visible(e.String(), "")
}

// number prints x to four significant digits, and all digits before the point.
func number(x float64) string {
	switch a := math.Abs(x); {
	case math.IsNaN(x):
		return missing
	case math.IsInf(x, 1):
		return "∞"
	case math.IsInf(x, -1):
		return "-∞"
	case a >= 1e15 || a < 1e-4 && a > 0:
		return strconv.FormatFloat(x, 'e', 3, 64)
	case a >= 1000:
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	s := strconv.FormatFloat(x, 'g', 4, 64)
	if s == "-0" {
		return "0"
	}
	return s
}
