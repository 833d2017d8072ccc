package bnkit

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// DropMissing returns the rows in which none of the named columns is missing. Name what is
// used and no more, since a row with everything that a network asks for would be lost for an
// empty cell elsewhere:
//
//	whole, err := bnkit.DropMissing(df, net.Names()...)
//
// What counts as missing is what does in [Table]: NaN, an empty cell and the signs of
// [data.DefaultMissing].
func DropMissing(df dataframe.DataFrame, names ...string) (dataframe.DataFrame, error) {
	f := openFrame(df)
	if f.err != nil {
		return dataframe.DataFrame{}, f.err
	}
	if len(names) == 0 {
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: name the columns to look at, such as DropMissing(df, %q): "+
			"net.Names()... are those of a network, df.Names()... all", f.names[0])
	}
	missing := map[string]bool{"": true}
	for _, sign := range data.DefaultMissing() {
		missing[sign] = true
	}
	incomplete := make([]bool, df.Nrow())
	for _, name := range names {
		cells, err := f.trimmed(name)
		if err != nil {
			return dataframe.DataFrame{}, err
		}
		for row, cell := range cells {
			incomplete[row] = incomplete[row] || missing[cell]
		}
	}
	var keep []int
	for row, gap := range incomplete {
		if !gap {
			keep = append(keep, row)
		}
	}
	if len(keep) == 0 {
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: %w: each of the %d rows misses a cell in %s; name fewer "+
			"columns", ErrEmptyFrame, df.Nrow(), strings.Join(names, ", "))
	}
	return subset(df, keep)
}

// Split returns the frame in two parts, drawn at random without regard to any column:
// train of n rows, and the rest. See [data.Split] for one that keeps the share of each
// state of a target. It returns [bn.ErrNoSource] when src is nil.
func Split(df dataframe.DataFrame, n int, src rand.Source) (train, rest dataframe.DataFrame, err error) {
	switch {
	case src == nil:
		return train, rest, fmt.Errorf("bnkit: %w", bn.ErrNoSource)
	case df.Error() != nil:
		return train, rest, fmt.Errorf("bnkit: the frame carries an error: %w", df.Error())
	case n < 1 || n >= df.Nrow():
		return train, rest, fmt.Errorf("bnkit: a part of %d rows cannot be split off a frame of %d; at least one row "+
			"must be in either part", n, df.Nrow())
	}
	rows := rand.New(src).Perm(df.Nrow())
	if train, err = subset(df, rows[:n]); err != nil {
		return train, rest, err
	}
	rest, err = subset(df, rows[n:])
	return train, rest, err
}

func subset(df dataframe.DataFrame, rows []int) (dataframe.DataFrame, error) {
	part := df.Subset(rows)
	if err := part.Error(); err != nil {
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: %w", err)
	}
	return part, nil
}
