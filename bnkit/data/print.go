package data

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// String prints the size of the table and its first ten rows; a missing cell is
// printed as ?.
func (t *Table) String() string {
	const most = 10
	var b strings.Builder
	fmt.Fprintf(&b, "%d rows, %d columns\n", t.rows, len(t.cols))
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	line := append([]string(nil), t.names()...)
	if t.weights != nil {
		line = append(line, "(weight)")
	}
	fmt.Fprintln(w, strings.Join(line, "\t"))
	for row := range min(t.rows, most) {
		for i, c := range t.cols {
			if line[i] = c.Text(row); c.IsMissing(row) {
				line[i] = "?"
			}
		}
		if t.weights != nil {
			line[len(t.cols)] = fmt.Sprint(t.weights[row])
		}
		fmt.Fprintln(w, strings.Join(line, "\t"))
	}
	w.Flush()
	if t.rows > most {
		fmt.Fprintf(&b, "… %d rows more\n", t.rows-most)
	}
	return b.String()
}
