package dbn

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
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
	// Step is the time between two slices; 0 means 1.
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
// different series may be mixed, those of one ascend in time.
//
// It returns an error for no table, a column that is missing ([bn.ErrUnknownVariable]), a table without
// rows ([data.ErrNoRows]) or with weights, and a [*data.ValueError] with the row for a series
// or time that is missing ([data.ErrMissing]), a time that is no whole number or not a whole
// number of steps after the first, appears twice ([bn.ErrDuplicate]) or before an
// earlier row, or would make series too long to hold.
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
	if s.step == 0 {
		s.step = 1
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
	slots, err := s.sort(name, at)
	if err != nil {
		return nil, err
	}
	s.start = []int{0}
	for _, rows := range slots {
		s.row = append(s.row, rows...)
		s.start = append(s.start, len(s.row))
	}
	return s, nil
}

// sort puts the rows in their slices, by series.
func (s *Series) sort(name, at data.Column) ([][]int, error) {
	var slots [][]int
	index := make(map[string]int)
	total := 0
	for row := range s.table.Rows() {
		fail := func(c data.Column, err error) error {
			return say.Errorf("dbn: %w", &data.ValueError{Row: row + 1, Name: c.Var.Name, Value: c.Text(row), Err: err})
		}
		if name.IsMissing(row) {
			return nil, fail(name, data.ErrMissing)
		}
		if at.IsMissing(row) {
			return nil, fail(at, data.ErrMissing)
		}
		time, err := whole(at, row)
		if err != nil {
			return nil, fail(at, err)
		}
		i, known := index[name.Text(row)]
		if !known {
			i = len(slots)
			index[name.Text(row)] = i
			s.names, s.begin, slots = append(s.names, name.Text(row)), append(s.begin, time), append(slots, nil)
		}
		last := s.begin[i] + int64(len(slots[i])-1)*s.step
		switch {
		case time == last:
			return nil, fail(at, say.Errorf("%w: series %q has this time twice", bn.ErrDuplicate, s.names[i]))
		case known && time < last:
			return nil, fail(at, say.Errorf("%w: in series %q it stands after %d; sort the rows by time", errOrder,
				s.names[i], last))
		case (time-s.begin[i])%s.step != 0:
			return nil, fail(at, say.Errorf("%w: series %q begins at %d and has a step of %d", errTime, s.names[i],
				s.begin[i], s.step))
		}
		slice := (time - s.begin[i]) / s.step
		if total += int(min(slice+1, maxCells)) - len(slots[i]); total > maxCells/len(s.table.Columns()) {
			return nil, fail(at, fmt.Errorf("%w: the slices up to it are too many to hold; is the step %d right?",
				errTime, s.step))
		}
		for int64(len(slots[i])) < slice {
			slots[i] = append(slots[i], -1)
		}
		slots[i] = append(slots[i], row)
	}
	return slots, nil
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
