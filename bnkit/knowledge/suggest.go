package knowledge

import (
	"fmt"
	"strings"
)

// maxGuess is the longest name that is compared with others, which takes the square of its length.
const maxGuess = 100

// guess asks whether a name was meant that differs in up to a third of its letters, as in
//
//	(did you mean "age"?)
//
// or nothing when none is close.
func guess(name string, known []string) string {
	if len(name) > maxGuess {
		return ""
	}
	best, least := "", len([]rune(name))/3+1
	for _, k := range known {
		if d := distance(strings.ToLower(name), strings.ToLower(k), least); d < least {
			best, least = k, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", best)
}

// distance is the number of letters to insert, delete, replace or swap with their neighbour
// that make b of a, or limit when there are as many or more.
func distance(a, b string, limit int) int {
	s, t := []rune(a), []rune(b)
	if len(s)-len(t) >= limit || len(t)-len(s) >= limit {
		return limit
	}
	rows := make([][]int, len(s)+1)
	for i := range rows {
		rows[i] = make([]int, len(t)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(s); i++ {
		for j := 1; j <= len(t); j++ {
			same := 1
			if s[i-1] == t[j-1] {
				same = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+same)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return min(limit, rows[len(s)][len(t)])
}
