// Package english writes counts for reports and errors.
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
