package sqldata

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestStoreForgetsTheOldest(t *testing.T) {
	var s store
	of := func(size int, members ...int) *cells { return &cells{members: members, list: make([]cell, size)} }
	first, second, third := of(4, 0, 1, 2), of(3, 1, 2), of(2, 2, 3)
	s.add(first, 7)
	s.add(second, 7)
	if s.find([]int{1, 2}) != second || s.find([]int{0, 2}) != first || s.find([]int{2}) != second || s.find([]int{3}) != nil {
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
		{"x", "x", true}, {[]byte("x"), "x", true}, {true, "true", true}, {int64(-3), "-3", true}, {int32(3), "3", true}, {uint64(3), "3", true}, {uint64(math.MaxUint64), "18446744073709551615", true},
		{3.0, "3", true}, {1e6, "1000000", true}, {math.Copysign(0, -1), "0", true}, {0.25, "0.25", true}, {float32(0.1), "0.1", true}, {math.NaN(), "", true},
		{time.Time{}, "", false}, {[]any{1}, "", false},
	}
	for _, test := range tests {
		if got, ok := textOf(test.value); got != test.want || ok != test.ok {
			t.Errorf("%T %v: %q, %v; want %q, %v", test.value, test.value, got, ok, test.want, test.ok)
		}
	}
}

// No column of the table has one of our names.
func TestMark(t *testing.T) {
	for names, want := range map[string]string{"a,c,n,s,g0,crowd,c1x,weight": "", "a,c12": "_", "W": "_", "C0,_w": "__", "_c1": "", "__w": "", "c1,_c1,__c1,a": "___"} {
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
	b.ReportAllocs()
	for b.Loop() {
		t.margin([]int{1, 4})
	}
}
