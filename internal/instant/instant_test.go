package instant_test

import (
	"testing"
	"time"

	"bnlab/internal/instant"
)

// Times by hand: 2024-01-01 is day 19723 since 1970, 54 years of 365 days and the leap days of 1972 to 2020.
func TestTimes(t *testing.T) {
	const day = 86_400_000_000
	const year2024 = (54*365 + 13) * day
	for text, want := range map[string]int64{
		"2024-01-01": year2024, "1970-01-01": 0, "1969-12-31": -day, "2024-01-01 12:00": year2024 + day/2,
		"2024-01-01T00:00:01Z": year2024 + 1e6, "2024-01-01 02:00:00.25+02:00": year2024 + 250_000,
		"2024-01-01 00:00:00.1234567": year2024 + 123_456, "2024-01-01 00:00:00+00": year2024,
	} {
		if got, ok := instant.Parse(text); !ok || got != want {
			t.Errorf("%s: %d, %v; want %d", text, got, ok, want)
		}
		got, _ := instant.Parse(instant.Text(time.UnixMicro(want), false))
		if got != want {
			t.Errorf("%s: %d when written and read again, want %d", text, got, want)
		}
	}
	for _, text := range []string{"", "2024", "2024-02-30", "1.1.2024", "2024-01-01 25:00", "<2024-01-01",
		"2024-01-01 x"} {
		if got, ok := instant.Parse(text); ok {
			t.Errorf("%q: %d, want none", text, got)
		}
	}
	if got := instant.Seconds(year2024 + 123_457); got != 1704067200.123457 {
		t.Errorf("%v seconds", got)
	}
	if got := instant.Text(time.Date(2024, 1, 1, 1, 30, 0, 0, time.FixedZone("", 7200)), true); got != "2023-12-31" {
		t.Errorf("the day is %s", got)
	}
}
