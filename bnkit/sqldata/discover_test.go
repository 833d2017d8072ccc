package sqldata

import (
	"errors"
	"strings"
	"testing"

	"bnlab/bnkit/data"
)

// TestMixedColumn: words among numbers, as SQLite takes them, and bytes that are no text are refused with what a user
// of a database can do; a file's options are not named.
func TestMixedColumn(t *testing.T) {
	for _, test := range []struct {
		texts []string
		is    error
		want  string
	}{
		{[]string{"1.5", "2.5", "low", "3.5"}, data.ErrNumber, `column "dose", value "low": not a finite number, ` +
			"in a column of numbers; name the value in Missing of Options, list all in States, or make the column " +
			"text in a Query"},
		{[]string{"1", "2", "\xff"}, data.ErrEncoding,
			"not UTF-8 text; convert the column in a Query, or set the encoding"},
	} {
		c := &column{name: "dose", kind: number, missing: data.DefaultMissing()}
		err := c.setStates(test.texts)
		if !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.want) ||
			strings.Contains(err.Error(), "CSV") {
			t.Errorf("%q: error %v, want %s", test.texts, err, test.want)
		}
	}
}
