package netdoc

import (
	"bufio"
	"strconv"

	"bnlab/bnkit/bn"
)

// FormatNumber writes a number with the fewest digits that determine it.
func FormatNumber(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// WriteNumber writes a number as FormatNumber does, without an allocation.
func WriteNumber(b *bufio.Writer, x float64) {
	b.Write(strconv.AppendFloat(b.AvailableBuffer(), x, 'g', -1, 64))
}

// Edges is the number of parentheses at the edge before a configuration, where a table has
// one level of them for each parent, the last of which encloses a row. Without parents it
// is 0; a writer adds the pair that encloses all. Parents beyond the levels that a reader takes
// have none: a table of so many parents has one state of most of them.
func Edges(configs bn.Configs, config int) int {
	n := 0
	for p := range min(configs.Parents(), MaxDepth-1) {
		if config%configs.Stride(p) == 0 {
			n++
		}
	}
	return n
}
