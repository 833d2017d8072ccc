package data_test

import (
	"fmt"
	"strings"
	"testing"

	"bnlab/bnkit/data"
)

// TestEqualNumbers: 1 and 1.0 are one state, whatever comes first; what may be a code is not touched.
func TestEqualNumbers(t *testing.T) {
	many := "a\n" + strings.Repeat("1\n2.0\n", 200_000) + "1.0\n2\n"
	for _, test := range []struct {
		text, want string
		opts       data.CSVOptions
	}{
		{"a\n1\n1.0\n0\n", "a {0, 1} [1 1 0]", data.CSVOptions{}},
		{"a\n1.0\n1\n0\n1.0\n", "a {0, 1} [1 1 0 1]", data.CSVOptions{}},
		{"a\n1.00\n1.0\n", "a {1.0} [0 0]", data.CSVOptions{}},
		{"a\n1.0\n1.00\n", "a {1.0} [0 0]", data.CSVOptions{}},
		{"a\n\"1.0\"\n1\n\"low\"\nlow\n", "a {1, low} [0 0 1 1]", data.CSVOptions{}},
		{"a\n-0\n0\n1\n", "a {0, 1} [0 0 1]", data.CSVOptions{}},
		{"a;b\n1,0;0,5\n1;2,5\n", "a {1} [0 0]", data.CSVOptions{Comma: ';', Decimal: ','}},
		{"a\n1\n01\n1.0\n", "a {01, 1} [1 0 1]", data.CSVOptions{}},
		{"a\n100\n1e2\nx\n", "a {100, 1e2, x} [0 1 2]", data.CSVOptions{}},
		{"a\n1\n1.0\n", "a {1, 1.0} [0 1]", data.CSVOptions{Discrete: []string{"a"}}},
		{"a\n1\n1.0\n", "a {1, 1.0} [0 1]", data.CSVOptions{States: map[string][]string{"a": {"1", "1.0"}}}},
		{"a\n1\n1.0\n2\n2.0\n3\n", "a {1, 2, 3} [0 0 1 1 2]", data.CSVOptions{MaxNumericStates: 3}},
		{"a\n1\n01\n1.0\n", "a {01, 1} [1 0 1]", data.CSVOptions{States: map[string][]string{"a": {"01", "1"}}}},
		{many, "a {1, 2}", data.CSVOptions{}},
	} {
		table, err := data.ReadCSV(strings.NewReader(test.text), quiet(&test.opts))
		if err != nil {
			t.Errorf("%.40q: %v", test.text, err)
			continue
		}
		c := table.Columns()[0]
		if got := fmt.Sprint(c.Var, " ", c.States[:min(len(c.States), 10)]); !strings.HasPrefix(got, test.want) {
			t.Errorf("%.40q: %s, want %s", test.text, got, test.want)
		}
		if n := len(c.States); n > 10 && (c.States[n-1] != 1 || c.States[n-2] != 0 || c.States[1] != 1) {
			t.Errorf("%.40q: the last states are %v", test.text, c.States[n-2:])
		}
	}
}
