package hpm

import (
	"reflect"
	"testing"
)

// TestDefaultFolds: runs are held out where two are named, and else a trial of each kind. Trials are of the
// kinds a a b a a.
func TestDefaultFolds(t *testing.T) {
	pairs := [][]int{{0, 2}, {1}, {3}, {4}}
	for _, c := range []struct {
		name string
		runs []string
		want [][]int
	}{
		{"no runs", []string{"", "", "", "", ""}, pairs},
		{"one run", []string{"1", "1", "1", "1", "1"}, pairs},
		{"one run and trials of their own", []string{"1", "1", "", "", ""}, pairs},
		{"runs", []string{"1", "2", "2", "1", "3"}, [][]int{{0, 3}, {1, 2}, {4}}},
		{"runs after a trial of its own", []string{"", "1", "1", "2", "2"}, [][]int{{0}, {1, 2}, {3, 4}}},
	} {
		s := new(Study)
		for n, run := range c.runs {
			s.Trials = append(s.Trials, Trial{Run: run, Onsets: []Onset{{string("aabaa"[n]), 1}}})
		}
		got, err := s.dealt(nil, 2)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: folds %v, %v; want %v", c.name, got, err, c.want)
		}
	}
	const want = "hpm: 1 trial in 1 fold, and at least 2 are needed; give more trials" // no fold can hold fewer
	if _, err := patch.study().Only([]int{0}).dealt(nil, 2); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
