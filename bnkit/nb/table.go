package nb

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"bnlab/internal/english"
	"bnlab/internal/say"

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
//
// In a notebook a click on a column's name sorts the rows by it, a number tells all its digits when pointed at, and
// a link saves the rows that are shown as CSV, no others: a notebook that is passed on holds no cases that it does
// not show. All this works in a saved notebook, without a kernel or a network. The numbers in the columns that are
// named after the frame are coloured by value, from white next to zero to blue, or to orange below it:
//
//	nb.Table(scores, "log score (nats)")
//	nb.Table(nb.Must(bnkit.CPT(model, "lung")), "lung=ill")
//
// A name that is no column of numbers ends the cell.
func Table(df dataframe.DataFrame, colored ...string) {
	g, err := newGrid(df, tableRows)
	NoError(err)
	NoError(g.color(df, colored))
	show().table(g)
}

// Head displays the first n rows of a frame; see [Table].
func Head(df dataframe.DataFrame, n int) {
	g, err := newGrid(df, n)
	NoError(err)
	show().table(g)
}

// A grid is a table as text.
type grid struct {
	caption string
	header  []string
	numeric []bool // by column: aligned at the right
	rows    [][]string
	exact   [][]string  // the numbers of rows with all digits, "" for what is missing
	shades  [][]float64 // by row and column, from −1 to 1; nil: none
	foot    string
}

// newGrid turns the first n rows of a frame into text.
func newGrid(df dataframe.DataFrame, n int) (grid, error) {
	if err := df.Error(); err != nil {
		return grid{}, say.Errorf("nb: the frame carries an error: %w", err)
	}
	if n < 0 {
		return grid{}, fmt.Errorf("nb: cannot show %d rows", n)
	}
	names := df.Names()
	shown, columns := min(n, df.Nrow()), min(tableColumns, len(names))
	g := grid{rows: make([][]string, shown), exact: make([][]string, shown)}
	for _, name := range names[:columns] {
		col := df.Col(name)
		if col.Err != nil {
			return grid{}, say.Errorf("nb: column %q: %w", name, col.Err)
		}
		g.header = append(g.header, visible(name, ""))
		g.numeric = append(g.numeric, col.Type() == series.Float || col.Type() == series.Int)
		for i := range g.rows {
			g.rows[i] = append(g.rows[i], cell(col.Elem(i), col.Type()))
			g.exact[i] = append(g.exact[i], exact(col.Elem(i), col.Type()))
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

// exact prints an element with all its digits.
func exact(e series.Element, t series.Type) string {
	switch {
	case e.IsNA() || t == series.Float && math.IsNaN(e.Float()):
		return ""
	case t == series.Float:
		return strconv.FormatFloat(e.Float(), 'g', -1, 64)
	}
	return e.String()
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
