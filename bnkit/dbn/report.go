package dbn

import (
	"fmt"
	"strconv"
	"strings"

	"bnlab/bnkit/bn"
)

// Tables of more than mostRows rows, and those after mostLines lines, are not printed.
const (
	mostRows  = 16
	mostLines = 64
)

// String reports the fit: the number of series and slices, what [learn.Result.String] says, the
// model string, and the tables, to four digits. Of large ones it says how to see them.
func (f *Fitted) String() string {
	if f == nil || f.Net == nil || f.Net.structure == nil {
		return "no dynamic network"
	}
	var lines []string
	if f.Result != nil {
		if f.Series > 0 {
			step := ""
			if f.Step > 1 {
				step = fmt.Sprintf(", one each %d of time", f.Step)
			}
			lines = append(lines, fmt.Sprintf("%d series of %.6g slices in all%s", f.Series, f.Cases, step))
		}
		lines = append(lines, f.Result.String())
	}
	return strings.Join(append(append(lines, f.Net.String()), f.Net.printed()...), "\n")
}

// printed has the lines of the tables, each table once.
func (n *Network) printed() []string {
	var lines []string
	left := 0
	for i := range n.two.Len() {
		if n.isDouble(i) {
			continue
		}
		name := n.two.Variable(i).Name
		var rows int
		var text func() string
		if t := n.two.CPT(i); t != nil {
			rows, text = t.Configs().Len(), func() string { return name + "\n" + rounded(t).String() }
		} else {
			g := n.two.Gaussian(i)
			rows, text = g.Configs().Len(), g.String
		}
		if rows > mostRows || len(lines) > mostLines {
			left++
			continue
		}
		lines = append(lines, strings.Split(strings.TrimRight(text(), "\n"), "\n")...)
	}
	if left > 0 {
		lines = append(lines, fmt.Sprintf("%d larger tables are not shown; Net.Template().Table(name) returns one",
			left))
	}
	return lines
}

// isDouble reports whether variable i of the template has its table elsewhere.
func (n *Network) isDouble(i int) bool {
	for _, v := range n.doubles() {
		if n.place[0][v] == i {
			return true
		}
	}
	return false
}

// rounded is a table to look at, with probabilities to four digits.
func rounded(t *bn.CPT) *bn.CPT {
	r := *t
	r.P = make([]float64, len(t.P))
	for i, p := range t.P {
		r.P[i], _ = strconv.ParseFloat(strconv.FormatFloat(p, 'f', 4, 64), 64)
	}
	return &r
}
