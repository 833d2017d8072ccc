package bif

import (
	"strconv"

	"bnlab/internal/num"
	"bnlab/internal/say"
)

// miscount returns the error for a row that names too few or too many states.
func (b *table) miscount(at int) error {
	if len(b.parents) == 0 {
		return b.errorAt(at, "%q has no parents whose states a row could name; write table and its probabilities",
			say.Short(b.child.Name))
	}
	return b.errorAt(at, "a row of %q names the states of its parents, one for each of (%s)", say.Short(b.child.Name),
		b.parentNames())
}

// expected tries the states that are likely in an ordered file: the one that parent i
// had in the row before, the one after it, and the first.
func (b *table) expected(i int, parent *variable) (int, bool) {
	if !parent.bare {
		return 0, false
	}
	last := b.recent[i]
	if b.stands(parent.States[last]) {
		return last, true
	}
	if last++; last < len(parent.States) && b.stands(parent.States[last]) {
		return last, true
	}
	return 0, b.stands(parent.States[0])
}

// other reads the line "default 0.2, 0.8;". Which rows it serves is known at the end.
func (b *table) other(at int) error {
	if b.hasRest || b.isFull {
		return b.errorAt(at, "the table of %q is set already", say.Short(b.child.Name))
	}
	b.hasRest = true
	b.row = append(b.row[:0], make([]float64, len(b.child.States))...)
	return b.values(at, b.row, -1)
}

// full reads the line "table 0.6, 0.05, 0.4, 0.95;": the child varies slowest.
func (b *table) full(at int) error {
	if b.isFull || b.hasRest || b.rows > 0 {
		return b.errorAt(at, "the table of %q is set already", say.Short(b.child.Name))
	}
	b.isFull = true
	r, configs := len(b.child.States), b.cpt.Configs().Len()
	if configs == 1 {
		return b.values(at, b.P, 0)
	}
	for state := range r {
		for config := range configs {
			x, err := b.value(state*configs+config, len(b.P))
			if err != nil {
				return err
			}
			b.P[config*r+state] = x
		}
	}
	if err := b.end(len(b.P)); err != nil {
		return err
	}
	for config := range configs {
		sum, plain := 0.0, true
		row := b.cpt.Row(config)
		for _, x := range row {
			sum += x
			plain = plain && x >= 0 && x <= 1
		}
		if !plain || !sumsToOne(sum) {
			if err := b.mend(at, row, config); err != nil {
				return err
			}
		}
	}
	return nil
}

// hint says so when the numbers of a table line would make sense the other way round.
func (b *table) hint() string {
	r, configs := len(b.child.States), b.cpt.Configs().Len()
	if !b.isFull || configs == 1 {
		return ""
	}
	row := make([]float64, r)
	for config := range configs {
		for state := range r {
			at := config*r + state // the place in the line
			row[state] = b.P[at%configs*r+at/configs]
		}
		if _, ok := num.Unround(row); !ok {
			return ""
		}
	}
	return "; the line lists one configuration after the other, but a table line lists one state of the child after " +
		"the other: write a row ( ... ) for each configuration"
}

// describe names a row, as in "lung" given smoke=yes, asia=no. The row of the default
// line is number -1.
func (b *table) describe(config int) string {
	name := strconv.Quote(say.Short(b.child.Name))
	switch {
	case config < 0:
		return name + " by default"
	case len(b.parents) == 0:
		return name
	}
	parts := b.cpt.ConfigNames(config)
	for i, v := range b.parents {
		parts[i] = v.Name + "=" + parts[i]
	}
	return name + " given " + say.List(parts)
}

// describeTable names the family, as in P(lung | smoke, asia).
func (b *table) describeTable() string {
	if len(b.parents) == 0 {
		return "P(" + say.Short(b.child.Name) + ")"
	}
	return "P(" + say.Short(b.child.Name) + " | " + b.parentNames() + ")"
}

func (b *table) parentNames() string {
	names := make([]string, len(b.parents))
	for i, v := range b.parents {
		names[i] = v.Name
	}
	return say.List(names)
}
