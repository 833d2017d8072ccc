// Package english writes counts and lists for reports and errors.
package english

import (
	"fmt"
	"strings"
)

// Count returns a number with its noun, as in "1 row", "3 rows" and "2 processes".
func Count[N int | int64](n N, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "s"):
		noun += "es"
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// List joins names by commas, the first twenty of them.
func List(names []string) string {
	if len(names) > 20 {
		return fmt.Sprintf("%s, … %d in all", strings.Join(names[:20], ", "), len(names))
	}
	return strings.Join(names, ", ")
}
