package parquet

import (
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// Options configure [Read]. The zero value, and nil, are useful.
//
// Text and booleans are states. Whole numbers are states when no more than MaxNumericStates of
// them differ, and numbers otherwise, as in CSV ([data.CSVOptions]); a column of floats is
// continuous, also when all its numbers are whole. Dates and times are states or numbers as whole numbers are: states
// such as 2024-01-31 and 2024-01-31 15:04:05 in UTC, or the seconds since 1970-01-01 00:00 UTC, for [data.Periods].
// States stand in the order the file keeps (see bnkit.states), else in natural order (2 before 10). A null, a NaN and
// an empty text are missing cells; the text NA is a state like any other.
type Options struct {
	// Columns are the columns to read, which keep the order of the file; nil means all but those that Drop names.
	Columns, Drop []string
	// States gives columns their states, lowest first.
	States map[string][]string
	// Hidden are variables that the file has no column for; their lists in States are left aside.
	Hidden []string
	// Discrete and Continuous name the columns that are so whatever their type.
	Discrete, Continuous []string
	// Missing are texts that mean a missing cell; nil means none but the empty one.
	Missing []string
	// Weight names a column of numbers that becomes the weights of the rows.
	Weight string
	// MaxNumericStates is the largest number of different whole numbers that are taken as
	// states; 0 means 20, negative means none.
	MaxNumericStates int
	// MaxBytes is the most memory that the table may take, at 2 bytes a cell of states and 8
	// bytes a number; 0 means 2 GiB. A 64th part of it (32 MiB), or 4 MiB when
	// that is more, may be the names of states, and as much a page of the file when it is uncompressed.
	MaxBytes int64
}

// defaults returns the options without zeros.
func (o *Options) defaults() Options {
	var c Options
	if o != nil {
		c = *o
	}
	if c.MaxNumericStates == 0 {
		c.MaxNumericStates = 20
	}
	if c.MaxBytes <= 0 {
		c.MaxBytes = 2 << 30
	}
	return c
}

// column returns a column without cells.
func (o *Options) column(name string, k kind, r rule) *column {
	c := &column{name: name, kind: k, rule: r, opts: o, index: make(map[string]bn.State),
		missing: map[string]bool{"": true}, number: r == weight || r == continuous || r == guess && k == float}
	for _, s := range o.Missing {
		c.missing[s] = true
	}
	return c
}

// part is the part of MaxBytes for the names of states, and for a page.
func (o *Options) part() int64 { return max(o.MaxBytes/64, 4<<20) }

// rule is what the options say of a column.
type rule uint8

const (
	guess rule = iota
	declared
	discrete
	continuous
	weight
)

// rules applies the options to the columns of a file: the columns to read, in their order,
// each with its rule.
func (o *Options) rules(names []string) (wanted []int, rules []rule, err error) {
	at := make(map[string]int, len(names))
	for i, name := range names {
		if _, ok := at[name]; !ok {
			at[name] = i
		}
	}
	rules = make([]rule, len(names))
	find := func(name, option string) (int, error) {
		i, ok := at[name]
		switch {
		case !ok:
			return 0, say.Errorf("%w: no column %q (there are: %s), but Options.%s names it", bn.ErrUnknownVariable,
				name, say.List(names), option)
		case o.Columns != nil && name != o.Weight && !slices.Contains(o.Columns, name):
			return 0, say.Errorf("%w: column %q is in Options.%s, but not in Options.Columns", bn.ErrUnknownVariable,
				name, option)
		case slices.Contains(o.Drop, name) && option != "Hidden":
			return 0, say.Errorf("%w: column %q is in Options.%s and in Options.Drop", bn.ErrDuplicate, name, option)
		}
		return i, nil
	}
	set := func(name, option string, r rule) error {
		i, err := find(name, option)
		if err == nil && rules[i] != guess && rules[i] != r {
			err = say.Errorf("%w: column %q stands in Options.%s and in another list", bn.ErrDuplicate, name, option)
		}
		if err == nil {
			rules[i] = r
		}
		return err
	}
	for _, name := range o.Columns {
		if _, err := find(name, "Columns"); err != nil {
			return nil, nil, err
		}
	}
	for _, name := range o.Drop {
		if _, ok := at[name]; !ok {
			_, err := find(name, "Drop")
			return nil, nil, err
		}
	}
	lists := []struct {
		option string
		names  []string
		rule   rule
	}{{"States", nil, declared}, {"Discrete", o.Discrete, discrete}, {"Continuous", o.Continuous, continuous},
		{"Weight", nil, weight}}
	for name := range o.States {
		if !slices.Contains(o.Hidden, name) {
			lists[0].names = append(lists[0].names, name)
		}
	}
	for _, name := range o.Hidden {
		if _, err := find(name, "Hidden"); err == nil {
			return nil, nil, say.Errorf("parquet: column %q is there, but Options.Hidden names it; leave it out of "+
				"Hidden", name)
		}
	}
	slices.Sort(lists[0].names)
	if o.Weight != "" {
		lists[3].names = []string{o.Weight}
	}
	for _, list := range lists {
		for _, name := range list.names {
			if err := set(name, list.option, list.rule); err != nil {
				return nil, nil, err
			}
		}
	}
	for i, name := range names {
		if o.Columns != nil && name != o.Weight && !slices.Contains(o.Columns, name) {
			continue
		}
		if !slices.Contains(o.Drop, name) {
			wanted = append(wanted, i)
		}
	}
	return wanted, rules, nil
}
