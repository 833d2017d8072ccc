package dbn

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/english"
	"bnlab/internal/say"
)

// Sentinels that errors of this package wrap, for errors.Is.
var (
	errTime  = errors.New("not a whole number of steps")
	errOrder = errors.New("the rows of a series must be in the order of their times")
)

// SeriesOptions say how a table becomes series. Nil means the defaults.
type SeriesOptions struct {
	Series string // column of series; "" means "series"
	Time   string // column of times; "" means "time"
	// Step is the time between two slices. 0 means the time between rows where it is the same throughout, of three
	// rows or more, and 1 where that leaves out a few times only.
	Step int64
}

// Series are sequences of slices: a table whose rows belong to a series and a time each. They
// do not change once made, and several goroutines may use them.
type Series struct {
	table        *data.Table
	column, time string
	step         int64
	names        []string
	begin        []int64 // time of the first slice, by series
	start        []int   // slices of series i are start[i] to start[i+1]−1
	row          []int   // of the table, by slice; −1 for a time that is left out
	evidence     *given  // the latest; nil for none
}

// NewSeries reads series from a table that has a column of series, a column of times, and a
// column for each variable that is ever seen. Names of series are states or numbers. Times are
// whole numbers; the slices of a series are the first of its times and every Step after that
// up to its last. A time that is left out is a slice in which nothing is seen. The rows of
// different series may be mixed, those of one ascend in time. Times 0, 10, 20 are three slices; with
// times 0, 10, 30 the Step must be given.
//
// It returns an error for no table, a column that is missing ([bn.ErrUnknownVariable]), a table without
// rows ([data.ErrNoRows]) or with weights, and a [*data.ValueError] with the row for a series
// or time that is missing ([data.ErrMissing]), a time that is no whole number or not a whole
// number of steps after the first, appears twice ([bn.ErrDuplicate]) or before an
// earlier row, or leaves far more slices without a row than there are rows.
func NewSeries(t *data.Table, opts *SeriesOptions) (*Series, error) {
	if t == nil {
		return nil, errors.New("dbn: no table; check the error from what should have made it")
	}
	if opts == nil {
		opts = &SeriesOptions{}
	}
	s := &Series{table: t, column: opts.Series, time: opts.Time, step: opts.Step}
	if s.column == "" {
		s.column = "series"
	}
	if s.time == "" {
		s.time = "time"
	}
	switch {
	case s.step < 0:
		return nil, fmt.Errorf("dbn: the step between two slices is %d; it must be positive", s.step)
	case t.Rows() == 0:
		return nil, fmt.Errorf("dbn: %w", data.ErrNoRows)
	case t.Weights() != nil:
		return nil, errors.New("dbn: series take no weights; remove them (WithWeights(nil))")
	}
	name, err := t.Column(s.column)
	if err != nil {
		return nil, say.Errorf("dbn: the column of series: %w", err)
	}
	at, err := t.Column(s.time)
	if err != nil {
		return nil, say.Errorf("dbn: the column of times: %w", err)
	}
	if err := s.sort(name, at); err != nil {
		return nil, err
	}
	return s, nil
}

// sort puts the rows in their slices, by series.
func (s *Series) sort(name, at data.Column) error {
	var rows [][]int // by series
	index := make(map[string]int)
	times := make([]int64, s.table.Rows())
	fail := func(c data.Column, row int, err error) error {
		return say.Errorf("dbn: %w", &data.ValueError{Row: row + 1, Name: c.Var.Name, Value: c.Text(row), Err: err})
	}
	for row := range times {
		if name.IsMissing(row) {
			return fail(name, row, data.ErrMissing)
		}
		if at.IsMissing(row) {
			return fail(at, row, data.ErrMissing)
		}
		time, err := whole(at, row)
		if err != nil {
			return fail(at, row, err)
		}
		i, known := index[name.Text(row)]
		if !known {
			i = len(rows)
			index[name.Text(row)] = i
			s.names, s.begin, rows = append(s.names, name.Text(row)), append(s.begin, time), append(rows, nil)
		} else if last := times[rows[i][len(rows[i])-1]]; time == last {
			return fail(at, row, say.Errorf("%w: series %q has this time twice", bn.ErrDuplicate, s.names[i]))
		} else if time < last {
			return fail(at, row, say.Errorf("%w: in series %q it stands after %d; sort the rows by time", errOrder,
				s.names[i], last))
		}
		times[row], rows[i] = time, append(rows[i], row)
	}
	g := gapsOf(rows, times)
	most := int64(100) // slices for each row
	if s.step == 0 {
		if s.step = g.step(); s.step == 0 {
			return fail(at, g.row, g.uneven(name.Text(g.row)))
		}
		most = 10
	}
	s.start = []int{0}
	for i, of := range rows {
		var slice int64
		for _, row := range of {
			before := slice
			if (times[row]-s.begin[i])%s.step != 0 {
				return fail(at, row, say.Errorf("%w: series %q begins at %d and has a step of %d", errTime, s.names[i],
					s.begin[i], s.step))
			}
			slice = (times[row] - s.begin[i]) / s.step
			if slice > most*int64(len(of))+100 || slice > int64(maxCells/len(s.table.Columns())-len(s.row)) {
				return fail(at, row, say.Errorf("it comes %d steps of %d after the time before it, which are too "+
					"many slices for the %s of series %q; correct the time, set Step to the time between two slices, "+
					"or make what follows a series of its own", slice-before, s.step,
					english.Count(len(of), "row"), s.names[i]))
			}
			for int64(len(s.row)-s.start[i]) < slice {
				s.row = append(s.row, -1)
			}
			s.row = append(s.row, row)
		}
		s.start = append(s.start, len(s.row))
	}
	return nil
}

// mostTime keeps differences of times in range.
const mostTime = 1 << 53

// whole reads a time.
func whole(c data.Column, row int) (int64, error) {
	x := 0.0
	if c.Var.IsDiscrete() {
		var err error
		if x, err = strconv.ParseFloat(c.Text(row), 64); err != nil {
			return 0, fmt.Errorf("%w: times are numbers", errTime)
		}
	} else {
		x = c.Values[row]
	}
	if x != math.Trunc(x) || !(math.Abs(x) <= mostTime) {
		return 0, fmt.Errorf("%w: times are whole numbers", errTime)
	}
	return int64(x), nil
}

// Len is the number of series; nil has none.
func (s *Series) Len() int {
	if s == nil {
		return 0
	}
	return len(s.names)
}

// Name returns the name of series i.
func (s *Series) Name(i int) string { return s.names[i] }

// Length is the number of slices of series i, times left out included.
func (s *Series) Length(i int) int { return s.start[i+1] - s.start[i] }

// Step is the time between two slices.
func (s *Series) Step() int64 { return s.step }

// Time returns the time of a slice of series i.
func (s *Series) Time(i, slice int) int64 { return s.begin[i] + int64(slice)*s.step }

// Table returns the table that the series are read from.
func (s *Series) Table() *data.Table { return s.table }

// Keep returns the series with the named variables only, so that others are hidden.
func (s *Series) Keep(names ...string) (*Series, error) {
	t, err := s.table.Keep(append([]string{s.column, s.time}, names...)...)
	if err != nil {
		return nil, say.Errorf("dbn: %w", err)
	}
	kept := *s
	kept.table = t
	return &kept, nil
}

// Select returns the given series in the given order, counted from 0. It panics when one is
// out of range.
func (s *Series) Select(series ...int) *Series {
	part := &Series{column: s.column, time: s.time, step: s.step, start: []int{0}, evidence: s.evidence}
	var rows []int
	for _, i := range series {
		part.names, part.begin = append(part.names, s.names[i]), append(part.begin, s.begin[i])
		for _, row := range s.row[s.start[i]:s.start[i+1]] {
			if row >= 0 {
				rows = append(rows, row)
				row = len(rows) - 1
			}
			part.row = append(part.row, row)
		}
		part.start = append(part.start, len(part.row))
	}
	part.table = s.table.Select(rows)
	return part
}
