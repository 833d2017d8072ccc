package notnull_test

import (
	"encoding/json"
	"testing"

	"bnlab/internal/notnull"
)

type inner struct {
	N float64 `json:"n"`
}

type outer struct {
	inner
	A    []float64
	M    map[string]int
	Deep [][]inner
	P    *int
	S    string          `json:"s,omitempty"`
	Raw  json.RawMessage `json:"raw"`
	B    bool
}

func TestCheck(t *testing.T) {
	for text, want := range map[string]string{
		`{"A": null, "M": null, "Deep": [null], "P": null, "raw": [null]}`: "",
		`{"A": [0, 1], "s": "null"}`:                                       "",
		`{"A": [null, 1]}`:                                                 "A[0]: null stands where a number is wanted",
		`{"M": {"a": null}}`:                                               `M["a"]: null stands where a number is wanted`,
		`{"Deep": [[{"n": null}]]}`:                                        "Deep[0][0].n: null stands where a number is wanted",
		`{"a": [1, null]}`:                                                 "a[1]: null stands where a number is wanted", // package json fills A
		`{"n": null}`:                                                      "n: null stands where a number is wanted",
		`{"s": null}`:                                                      "s: null stands where a text is wanted",
		`{"B": null}`:                                                      "B: null stands where a truth value is wanted",
		`{"Deep": [[null]]}`:                                               "Deep[0][0]: null stands where a record is wanted",
		`null`:                                                             "it: null stands where a record is wanted",
	} {
		got := ""
		if err := notnull.Unmarshal([]byte(text), &outer{}); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
