package data_test

import (
	"strings"
	"testing"

	"bnlab/bnkit/data"
)

// notesOf reads a file and returns what is noted.
func notesOf(t *testing.T, text string, opts data.CSVOptions) string {
	t.Helper()
	var notes []string
	opts.Note = func(note string) { notes = append(notes, note) }
	if _, err := data.ReadCSV(strings.NewReader(text), &opts); err != nil {
		t.Fatal(err)
	}
	return strings.Join(notes, "\n")
}

func TestLookAlike(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"nothing odd":         {"a,b\nyes,é\nno,è\n", ""},
		"letters that differ": {"a\nда\nнет\nnein\nα\na\n", ""},
		"Cyrillic o": {"a,b\nover,1\n\u043ever,2\n", `data: column "a": the states "over" and "оver" look the same: ` +
			"character 1 is U+006F in one and U+043E in the other; make them one if they mean one"},
		"composed or not":      {"a\ncaf\u00e9\ncafe\u0301\n", "character 4 is U+00E9 in one and U+0065 in the other"},
		"a zero-width space":   {"a\nyes\nye\u200bs\n", "character 3 is U+0073 in one and U+200B in the other"},
		"a soft hyphen at end": {"a\nyes\nyes\u00ad\n", "character 4 is nothing in one and U+00AD in the other"},
		"a no-break space":     {"a\nso so\nso\u00a0so\n", "character 3 is U+0020 in one and U+00A0 in the other"},
		"dashes":               {"a\n10-20\n10\u201320\n", "U+2013"},
		"an accented Cyrillic letter": {"a\n\u00e9t\u00e9\n\u0435\u0301t\u00e9\n", // е with an accent of its own
			"character 1 is U+00E9 in one and U+0435 in the other"},
		"several":  {"a\nover\n\u043ever\nyes\nye\u200bs\ny\u200bes\n", "(and so do 2 pairs more)"},
		"columns":  {"na\u00efve,nai\u0308ve\n1,2\n", "look the same: character 3 is U+00EF in one and U+0069"},
		"controls": {"\x1b[2J\u00e9,b\nover,1\n\u043ever,2\n", `column "\x1b[2Jé"`},
		"long names": {"a\n" + strings.Repeat("x", 1<<16) + "o\n" + strings.Repeat("x", 1<<16) + "\u043e\n",
			"character 65537 is"},
	} {
		got := notesOf(t, test.text, data.CSVOptions{})
		if test.want == "" && got != "" || !strings.Contains(got, test.want) || len(got) > 1000 {
			t.Errorf("%s: %.2000s\nwant %s", name, got, test.want)
		}
	}
	states := data.CSVOptions{States: map[string][]string{"a": {"over", "\u043ever"}}}
	if got := notesOf(t, "a,b\nover,1\n\u043ever,2\n", states); got != "" {
		t.Errorf("declared states: %s", got)
	}
}

// TestLookAlikeOnce: in portions a column is noted once, and cells in memory are not, since somebody has read them.
func TestLookAlikeOnce(t *testing.T) {
	cells := []string{"over", "\u043ever"}
	count := 0
	opts := &data.CSVOptions{Note: func(string) { count++ }}
	column := data.Cells{Name: "a", Text: func(b []byte, row int) []byte { return append(b, cells[row]...) }}
	if _, err := data.FromCells(2, []data.Cells{column}, opts); err != nil || count != 0 {
		t.Errorf("%d notes of cells in memory, %v", count, err)
	}

	count = 0
	scanner := data.CSVScanner{Options: opts}
	rows := "a,b\n" + strings.Repeat("over,1\n\u043ever,2\n", 40_000)
	if err := scanner.Scan(strings.NewReader(rows), "a.csv", nil); err != nil || count != 1 {
		t.Errorf("%d notes of a file in portions, %v", count, err)
	}
}
