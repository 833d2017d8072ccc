package sqldata

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

func TestStoreForgetsTheOldest(t *testing.T) {
	var s store
	of := func(size int, members ...int) *cells { return &cells{members: members, list: make([]cell, size)} }
	first, second, third := of(4, 0, 1, 2), of(3, 1, 2), of(2, 2, 3)
	s.add(first, 7)
	s.add(second, 7)
	if s.find([]int{1, 2}) != second || s.find([]int{0, 2}) != first || s.find([]int{2}) != second ||
		s.find([]int{3}) != nil {
		t.Error("the smallest counts that include a set are not found")
	}
	s.add(third, 7)
	if s.find([]int{0}) != nil || s.find([]int{1}) != second || s.find([]int{2}) != third || s.size != 5 {
		t.Errorf("the oldest is kept, or another is not: %d cells", s.size)
	}
	s.add(of(8, 4), 7)
	if s.find([]int{4}) != nil || s.size != 5 {
		t.Error("counts beyond the limit are kept")
	}
}

func TestTextOfValues(t *testing.T) {
	tests := []struct {
		value any
		want  string
		ok    bool
	}{
		{"x", "x", true}, {[]byte("x"), "x", true}, {true, "true", true}, {int64(-3), "-3", true},
		{int32(3), "3", true}, {uint64(3), "3", true}, {uint64(math.MaxUint64), "18446744073709551615", true},
		{3.0, "3", true}, {1e6, "1000000", true}, {math.Copysign(0, -1), "0", true}, {0.25, "0.25", true},
		{float32(0.1), "0.1", true}, {math.NaN(), "", true},
		{time.Time{}, "", false}, {[]any{1}, "", false},
	}
	for _, test := range tests {
		if got, ok := textOf(test.value); got != test.want || ok != test.ok {
			t.Errorf("%T %v: %q, %v; want %q, %v", test.value, test.value, got, ok, test.want, test.ok)
		}
	}
}

// What is too wide to number, or to hold, is refused before anything is asked or allocated.
func TestTooWide(t *testing.T) {
	c := &Cases{index: make(map[string]int)}
	var members []int
	var names []string
	for i := range 41 {
		name := fmt.Sprint("v", i)
		c.columns = append(c.columns, &column{name: name, variable: bn.Discrete(name, "no", "yes")})
		c.index[name] = i
		members, names = append(members, i), append(names, name)
	}
	if _, err := c.newCells(members[:40]); err != nil { // 3^40 < 2^64 < 3^41
		t.Error(err)
	}
	if _, err := c.newCells(members); err != errTooWide {
		t.Errorf("3^41 cells: %v", err)
	}
	if _, err := c.family(data.Family{Child: "v0", Parents: names[1:30]}); err != nil { // 2^30 counts
		t.Error(err)
	}
	if _, err := c.family(data.Family{Child: "v0", Parents: names[1:31]}); err == nil {
		t.Error("2^31 counts: no error")
	}
}

// A sign for a missing value that is a state is the state.
func TestStatesBeforeMissing(t *testing.T) {
	c := &column{name: "x", variable: bn.Discrete("x", "b", "NA"), missing: []string{"NA", "?"}}
	for text, want := range map[string]bn.State{"b": 0, "NA": 1, " NA ": 1, "?": bn.Missing, " ?": bn.Missing,
		" ": bn.Missing} {
		if got, err := c.state(text); err != nil || got != want {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
}

// No column of the table has one of our names.
func TestMark(t *testing.T) {
	for names, want := range map[string]string{"a,c,n,s,g0,crowd,c1x,weight": "", "a,c12": "_", "W": "_", "C0,_w": "__",
		"_c1": "", "__w": "", "c1,_c1,__c1,a": "___"} {
		if got := markFor(strings.Split(names, ",")); got != want {
			t.Errorf("%s: %q, want %q", names, got, want)
		}
	}
}

// All pairs of 37 columns, as at the start of a search.
func BenchmarkMerge(b *testing.B) {
	cards := make([]int, 37)
	var pairs [][]int
	for v := range cards {
		cards[v] = 2 + v%3
		for u := range v {
			pairs = append(pairs, []int{u, v})
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		merge(pairs, cards, 1<<12)
	}
}

func BenchmarkMargin(b *testing.B) {
	t := &cells{members: []int{0, 1, 2, 3, 4, 5}, cards: []uint64{4, 4, 4, 4, 4, 4}}
	for i := range uint64(4096) {
		t.list = append(t.list, cell{i, 1})
	}
	digits := t.digits()
	b.ReportAllocs()
	for b.Loop() {
		t.margin([]int{1, 4}, digits)
	}
}
