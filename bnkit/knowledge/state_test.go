package knowledge_test

import (
	"errors"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/knowledge"
)

func TestState(t *testing.T) {
	from := knowledge.Variable{Name: "age", States: []string{"young", "middle", "old"}, From: []float64{40, 60}}
	above := knowledge.Variable{Name: "bp", States: []string{"normal", "high"}, Above: []float64{120}}
	values := knowledge.Variable{Name: "work", States: []string{"other", "public"},
		Values: map[string][]string{"public": {"state", "NA"}}, Otherwise: "other"}
	listed := knowledge.Variable{Name: "ill", States: []string{"no", "yes"}, Values: map[string][]string{"no": {"0"},
		"yes": {"1", "2"}}}
	plain := knowledge.Variable{Name: "sex", States: []string{"female", "male"}}
	signs := knowledge.Variable{Name: "test", States: []string{"?", "done"}}
	const missing = bn.Missing
	for _, test := range []struct {
		of   knowledge.Variable
		cell string
		want bn.State
		err  error
	}{
		{from, "39.99", 0, nil}, {from, "40", 1, nil}, {from, "59", 1, nil}, {from, "60", 2, nil}, {from, "-5", 0, nil},
		{from, "4e1", 1, nil},
		{from, "40-49", 1, nil}, {from, "30 - 39", 0, nil}, {from, "-10--5", 0, nil}, {from, "60+", 2, nil},
		{from, "1e1-2e1", 0, nil},
		{from, "50+", 0, bn.ErrUnknownState}, {from, "30-40", 0, bn.ErrUnknownState},
		{from, "30-70", 0, bn.ErrUnknownState},
		{from, "old", 0, data.ErrNumber}, {from, "49-40", 0, data.ErrNumber}, {from, "40-", 0, data.ErrNumber},
		{from, "inf", 0, data.ErrNumber},
		{from, "1e999", 0, data.ErrNumber}, {from, "0x30", 0, data.ErrNumber}, {from, "-", 0, data.ErrNumber},
		{from, "+", 0, data.ErrNumber}, {from, "4_0", 0, data.ErrNumber},
		{from, "", missing, nil}, {from, "NA", missing, nil}, {from, "?", missing, nil},
		{above, "120", 0, nil}, {above, "120.001", 1, nil}, {above, "110-120", 0, nil}, {above, "121-130", 1, nil},
		{above, "120-130", 0, bn.ErrUnknownState},
		{values, "state", 1, nil}, {values, "private", 0, nil}, {values, "public", 1, nil}, {values, "other", 0, nil},
		{values, "NA", 1, nil}, {values, "?", missing, nil}, {values, "", missing, nil},
		{listed, "0", 0, nil}, {listed, "2", 1, nil}, {listed, "3", 0, bn.ErrUnknownState},
		{listed, "yes", 0, bn.ErrUnknownState}, {listed, "NaN", missing, nil},
		{plain, "male", 1, nil}, {plain, "Male", 0, bn.ErrUnknownState}, {plain, "null", missing, nil},
		{signs, "?", 0, nil}, {signs, ".", missing, nil},
	} {
		got, err := test.of.State(test.cell)
		if got != test.want || !errors.Is(err, test.err) {
			t.Errorf("state of %q in %s = %d, %v; want %d, %v", test.cell, test.of.Name, got, err, test.want, test.err)
		}
	}
	if _, err := plain.State("mlae"); err == nil || !strings.Contains(err.Error(), `(did you mean "male"?)`) {
		t.Errorf("state of %q = %v, want a guess", "mlae", err)
	}
}
