package bnkit

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// DropMissing returns the rows in which none of the named columns is missing. Name only the columns
// you use; otherwise rows are lost because of irrelevant empty cells:
//
//	whole, err := bnkit.DropMissing(df, net.Names()...)
//
// Missing means the same as in [Table]: NaN, an empty cell and the strings of
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
			"columns", errEmptyFrame, df.Nrow(), strings.Join(names, ", "))
	}
	return subset(df, keep)
}

// Split splits the frame at random: train gets n rows, rest the others. See [data.Split] for a
// stratified split. It returns [bn.ErrNoSource] when src is nil.
func Split(df dataframe.DataFrame, n int, src rand.Source) (train, rest dataframe.DataFrame, err error) {
	switch {
	case src == nil:
		return train, rest, fmt.Errorf("bnkit: %w", bn.ErrNoSource)
	case df.Error() != nil:
		return train, rest, fmt.Errorf("bnkit: the frame carries an error: %w", df.Error())
	case n < 1 || n >= df.Nrow():
		return train, rest, fmt.Errorf("bnkit: cannot take %d of %d rows; at least one row "+
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
