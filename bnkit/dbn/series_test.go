package dbn_test

import (
	"errors"
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
		"too long":     {"series,time,y\na,0,0\na,1e12,0\n", 1, dbn.ErrTime, "too many to hold"},
		"off step":     {"series,time,y\na,1,0\na,5,0\n", 3, dbn.ErrTime, "begins at 1 and has a step of 3"},
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
