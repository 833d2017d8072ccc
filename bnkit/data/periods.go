package data

import (
	"errors"
	"slices"

	"bnlab/internal/instant"
	"bnlab/internal/say"
)

var errTime = errors.New("neither a date such as 2024-01-31 nor a time such as 2024-01-31 15:04:05")

// Periods discretises a column of dates or times. A date or time is cut as the number of seconds since 1970-01-01 00:00
// UTC, which is what a continuous column read from dates holds; states that are written as dates or times are cut, too,
// as a CSV file gives them. With starts 2024-01-01 and 2024-07-01 the states are "<2024-01-01",
// "2024-01-01..2024-07-01" and ">=2024-07-01": a period begins with its start. Times without a zone are UTC.
type Periods struct {
	Column string
	Starts []string // ascending: 2024-01-31, 2024-01-31 15:04, 2024-01-31T15:04:05.5+01:00
	Names  []string // of the periods, one more than Starts; nil names them by Starts
}

var _ Discretizer = Periods{}

// Fit checks the starts and notes periods without training rows. It learns nothing from the rows: train may be nil, as
// for cases in a database.
func (p Periods) Fit(train *Table) (*Discretization, error) {
	if len(p.Starts) == 0 {
		return nil, say.Errorf("data: column %q: no starts of periods", p.Column)
	}
	cuts := make([]float64, len(p.Starts))
	for i, text := range p.Starts {
		micros, ok := instant.Parse(text)
		if !ok {
			return nil, say.Errorf("data: column %q: period %d starts at %q: %w", p.Column, i+1, text, errTime)
		}
		if cuts[i] = instant.Seconds(micros); i > 0 && !(cuts[i] > cuts[i-1]) {
			return nil, say.Errorf("data: column %q: the starts %q are not ascending", p.Column, p.Starts)
		}
	}
	names := slices.Clone(p.Names)
	if names == nil {
		names = betweenNames(p.Starts, true)
	}
	if train != nil {
		return fitCuts(train, p.Column, cuts, names, true, nil)
	}
	d := &Discretization{Columns: []Binning{{Column: p.Column, States: names, Cuts: cuts, LeftClosed: true}}}
	return d, d.Validate()
}

// cutAt returns the number at which the name of a state is cut: a number, or the seconds of a date or time.
func cutAt(name string) (x float64, ok bool) {
	if x, ok = parseNumber([]byte(name)); ok {
		return x, true
	}
	micros, ok := instant.Parse(name)
	return instant.Seconds(micros), ok
}
