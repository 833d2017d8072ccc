package dbn_test

import (
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/dbn"
)

// FuzzNew: no model string panics, and one that is taken is written so that it reads the same.
func FuzzNew(f *testing.F) {
	for _, sc := range scenes {
		f.Add(sc.model)
	}
	f.Add("[a|b[t-1]:a[t - 1]] [b] [a[0]|b]")
	f.Add("[a[[0]]|][b|a[t-1]]")
	f.Fuzz(func(t *testing.T, model string) {
		vars := []bn.Variable{bn.Discrete("a", "0", "1"), bn.Continuous("b")}
		for _, vars := range [][]bn.Variable{vars, vars[:1]} {
			net, err := dbn.New(model, vars...)
			if err != nil {
				continue
			}
			again, err := dbn.New(net.String(), vars...)
			if err != nil || again.Template().String() != net.Template().String() {
				t.Fatalf("%q is written %q: %v", model, net, err)
			}
		}
	})
}

// FuzzSeries: no table panics, and slices are as many as times.
func FuzzSeries(f *testing.F) {
	f.Add("series,time,y\na,0,1\nb,5,0\na,3,\n", int64(1))
	f.Add("series,time\n1,-9007199254740992\n1,9007199254740992\n", int64(1)<<62)
	f.Add("series,time\n1,0\n1,1\n", int64(-1)<<63)
	f.Fuzz(func(t *testing.T, text string, step int64) {
		tab, err := data.ReadCSV(strings.NewReader(text), nil)
		if err != nil {
			return
		}
		s, err := dbn.NewSeries(tab, &dbn.SeriesOptions{Step: step})
		if err != nil {
			return
		}
		rows := 0
		for i := range s.Len() {
			if rows += s.Length(i); s.Length(i) < 1 || s.Time(i, 0) > s.Time(i, s.Length(i)-1) {
				t.Fatalf("series %q has %d slices", s.Name(i), s.Length(i))
			}
		}
		if rows < tab.Rows() {
			t.Fatalf("%d slices of %d rows", rows, tab.Rows())
		}
	})
}
