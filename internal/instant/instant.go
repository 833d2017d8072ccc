// Package instant turns dates and times into numbers that can be cut, seconds since 1970-01-01 00:00 UTC, and into
// texts that name states. Times without a zone are taken as UTC.
package instant

import (
	"strings"
	"time"
)

// Seconds returns the seconds of a number of microseconds since 1970. It is rounded once, so that a database that
// divides the same way gives the same bits.
func Seconds(micros int64) float64 { return float64(micros) / 1e6 }

// Text writes a time in UTC as a state is named: 2024-01-31 for a day, else 2024-01-31 15:04:05 with up to six digits
// of the second behind it. Texts of years 0 to 9999 sort as times do.
func Text(t time.Time, day bool) string {
	if day {
		return t.UTC().Format(time.DateOnly)
	}
	return t.UTC().Format("2006-01-02 15:04:05.999999")
}

// layouts are what Parse reads; T stands for the space, too.
var layouts = []string{"2006-01-02", "2006-01-02 15:04:05.999999999", "2006-01-02 15:04",
	"2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999Z07", "2006-01-02 15:04Z07:00"}

// Parse reads a date or a time as ISO 8601, Go and databases write them, in microseconds since 1970; what is finer is
// left out.
func Parse(text string) (micros int64, ok bool) {
	if len(text) < len("2006-01-02") || text[4] != '-' {
		return 0, false
	}
	text = strings.Replace(text, "T", " ", 1)
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UnixMicro(), true
		}
	}
	return 0, false
}
