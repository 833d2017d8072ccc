package dbn_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/dbn"
	"bnlab/internal/numtest"
)

func TestSeries(t *testing.T) {
	s := csv(t, "series,time,y\n b,-2,0\n a,0,1\n b,1,1\n a,1,0\n b,2,\n")
	if s.Len() != 2 || s.Name(0) != "b" || s.Length(0) != 5 || s.Time(0, 3) != 1 || s.Name(1) != "a" ||
		s.Length(1) != 2 {
		t.Fatalf("series %s of length %d, %s of length %d", s.Name(0), s.Length(0), s.Name(1), s.Length(1))
	}
	one := s.Select(1)
	if one.Len() != 1 || one.Name(0) != "a" || one.Length(0) != 2 || one.Table().Rows() != 2 {
		t.Errorf("selected %v", one.Table())
	}
	net := network(t, "[y|y[t-1]]", bn.Discrete("y", "0", "1"))
	both := must(net.LogLikelihood(s))(t)
	numtest.Close(t, both, must(net.LogLikelihood(one))(t)+must(net.LogLikelihood(s.Select(0)))(t), 1e-12, 0)
	years := must(data.ReadCSV(strings.NewReader("id,year,y\n1,1990,0\n1,1995,1\n1,2005,1\n"),
		&data.CSVOptions{Discrete: []string{"y"}}))(t)
	s = must(dbn.NewSeries(years, &dbn.SeriesOptions{Series: "id", Time: "year", Step: 5}))(t)
	if s.Length(0) != 4 || s.Time(0, 2) != 2000 {
		t.Errorf("length %d, slice 2 at %d", s.Length(0), s.Time(0, 2))
	}
	if hidden := must(s.Keep())(t); hidden.Length(0) != 4 || len(hidden.Table().Columns()) != 2 {
		t.Errorf("kept %v", hidden.Table())
	}
	if _, err := s.Keep("x"); !errors.Is(err, bn.ErrUnknownVariable) {
		t.Errorf("error %v", err)
	}
}

func TestSeriesErrors(t *testing.T) {
	for name, c := range map[string]struct {
		text    string
		step    int64
		is      error
		message string
	}{
		"no series":    {"time,y\n0,0\n", 1, bn.ErrUnknownVariable, `"series"`},
		"no time":      {"series,y\na,0\n", 1, bn.ErrUnknownVariable, `"time"`},
		"which series": {"series,time,y\na,0,0\n,1,0\n", 1, data.ErrMissing, `row 2, column "series"`},
		"when":         {"series,time,y\na,0,0\na,,0\n", 1, data.ErrMissing, `row 2, column "time"`},
		"word":         {"series,time,y\na,0,0\na,soon,0\n", 1, dbn.ErrTime, `row 2, column "time", value "soon"`},
		"half":         {"series,time,y\na,0.5,0\n", 1, dbn.ErrTime, "whole numbers"},
		"huge":         {"series,time,y\na,1e300,0\n", 1, dbn.ErrTime, "whole numbers"},
		"too long": {"series,time,y\na,0,0\na,1e12,0\n", 1, nil,
			`row 2, column "time", value "1e12": it comes 1000000000000 steps of 1 after the time before it`},
		"off step": {"series,time,y\na,1,0\na,5,0\n", 3, dbn.ErrTime, "begins at 1 and has a step of 3"},
		"twice": {"series,time,y\na,1,0\nb,1,0\na,1,0\n", 1, bn.ErrDuplicate,
			`row 3, column "time", value "1"`},
		"twice, gap":     {"series,time,y\na,1,0\na,3,0\na,3,0\n", 1, bn.ErrDuplicate, "row 3"},
		"unsorted":       {"series,time,y\na,1,0\na,3,0\na,2,0\n", 1, dbn.ErrOrder, `row 3, column "time", value "2"`},
		"before all":     {"series,time,y\na,1,0\na,0,0\n", 1, dbn.ErrOrder, `series "a"`},
		"negative steps": {"series,time,y\na,1,0\n", -1, nil, "must be positive"},
	} {
		tab, err := data.ReadCSV(strings.NewReader(c.text), nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = dbn.NewSeries(tab, &dbn.SeriesOptions{Step: c.step})
		if err == nil || c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%s: error %v, want %v with %q", name, err, c.is, c.message)
		}
	}
	tab := must(data.ReadCSV(strings.NewReader("series,time,y\na,1,0\n"), nil))(t)
	if _, err := dbn.NewSeries(must(tab.WithWeights([]float64{2}))(t), nil); err == nil {
		t.Error("took weights")
	}
	if _, err := dbn.NewSeries(tab.Head(0), nil); !errors.Is(err, data.ErrNoRows) {
		t.Errorf("no rows: error %v", err)
	}
	if _, err := weather(t).LogLikelihood(must(dbn.NewSeries(tab, nil))(t).Select()); !errors.Is(err, data.ErrNoRows) {
		t.Errorf("no series: error %v", err)
	}
}

// TestStep finds the time between two slices from the times of the rows, and names one that would do.
func TestStep(t *testing.T) {
	table := func(times ...int) *data.Table {
		text := "series,time,y\n"
		for _, at := range times {
			text += fmt.Sprintf("%s,%d,%d\n", string(rune('a'+at/100_000)), at%100_000, at%2)
		}
		return must(data.ReadCSV(strings.NewReader(text), &data.CSVOptions{Discrete: []string{"y"}}))(t)
	}
	tens := []int{0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150}
	ones := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}
	tests := []struct {
		name         string
		times        []int // 100,000 and more are of another series
		given        int64
		step, slices int64  // 0 where it is an error
		says         string // of the error
	}{
		{"tens", tens, 0, 10, 16, ""},
		{"tens as ones", tens, 1, 1, 151, ""},
		{"ones", ones, 0, 1, 15, ""},
		{"a few left out", []int{0, 1, 2, 5, 6, 7}, 0, 1, 8, ""},
		{"a long break", []int{0, 1, 2, 3, 50, 51, 52}, 0, 1, 53, ""},
		{"two rows", []int{1, 3}, 0, 1, 3, ""},
		{"two series of two rows", []int{0, 10, 100_005, 100_015}, 0, 10, 2, ""},
		{"one row", []int{7}, 0, 1, 1, ""},
		{"tens, one left out", []int{0, 10, 30, 40}, 0, 0, 0,
			`row 3, column "time", value "30": not a whole number of steps: the times between rows differ, from 10 to 20 ` +
				`here in series "a"; set Step to 10 if slices are that far apart (5 slices for 4 rows)`},
		{"tens, one left out, said", []int{0, 10, 30, 40}, 10, 10, 5, ""},
		{"near tens", append(tens[1:15:15], 149, 150), 0, 0, 0, "set Step to 1 if slices are that far apart (141"},
		{"two steps", []int{0, 10, 20, 100_000, 100_005, 100_010}, 0, 0, 0, "set Step to 5"},
		{"a typo", append(ones[:15:15], 10_000), 0, 0, 0,
			`row 16, column "time", value "10000": it comes 9986 steps of 1 after the time before it, which are too many ` +
				`slices for the 16 rows of series "a"`},
		{"a typo, step given", append(ones[:15:15], 10_000), 1, 0, 0, "too many slices"},
		{"a typo among tens", append(tens[:15:15], 10_000), 0, 0, 0,
			"set Step to 10 if slices are that far apart (1001"},
	}
	for _, test := range tests {
		s, err := dbn.NewSeries(table(test.times...), &dbn.SeriesOptions{Step: test.given})
		switch {
		case test.step == 0:
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("%s: error %v, want %s", test.name, err, test.says)
			}
		case err != nil:
			t.Errorf("%s: %v", test.name, err)
		case s.Step() != test.step || s.Length(0) != int(test.slices):
			t.Errorf("%s: a step of %d and %d slices, want %d and %d", test.name, s.Step(), s.Length(0), test.step,
				test.slices)
		}
	}
}
