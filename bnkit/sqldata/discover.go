package sqldata

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/csv"
	"errors"
	"fmt"
	"log"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// discover finds the states of the columns that have none yet, by the rules of CSV files.
func (c *Cases) discover(ctx context.Context) error {
	var sets [][]int
	for i, col := range c.columns {
		if !col.variable.IsDiscrete() && !col.continuous {
			sets = append(sets, []int{i})
		}
	}
	if len(sets) > 0 && c.rows == 0 {
		return fmt.Errorf("sqldata: %w to find states in; give them in States of Options", data.ErrNoRows)
	}
	done := 0
	var refused []error
	for batch := range slices.Chunk(sets, c.dialect.sets()) {
		texts, err := c.texts(ctx, batch)
		if err != nil {
			return err
		}
		for i, list := range texts {
			if err := c.columns[batch[i][0]].setStates(list); err != nil {
				refused = append(refused, err)
			}
		}
		done += len(batch)
		c.progress(done, len(sets))
	}
	return errors.Join(refused...)
}

// texts asks for the different values of columns.
func (c *Cases) texts(ctx context.Context, sets [][]int) ([][]string, error) {
	out := make([][]string, len(sets))
	s := c.statement(sets, len(sets)*max(1, len(c.shards))*(c.opts.MaxStates+1)+1)
	type value struct {
		set  int
		text string
	}
	var seen map[value]bool // shards have values in common
	c.scanned(sets)
	err := c.query(ctx, "looks for states", s.text, s.args, func(rows *sql.Rows) error {
		clear(out)
		seen = make(map[value]bool)
		return c.each(rows, func(row []any) error {
			i, err := s.which(row)
			if err != nil {
				return err
			}
			col := c.columns[sets[i][0]]
			cell := s.value(row, i, 0)
			if cell == nil {
				return nil
			}
			text, ok := col.textOf(cell)
			if !ok {
				return col.wrongType(cell)
			}
			if seen[value{i, text}] {
				return nil
			}
			seen[value{i, text}] = true
			if out[i] = append(out[i], text); len(out[i]) > c.opts.MaxStates {
				return say.Errorf("sqldata: column %q: %w: it has more than %d different values; leave it out of "+
					"Columns if it is no variable, cut it by a Discretization, or raise MaxStates", col.name,
					bn.ErrTooLarge, c.opts.MaxStates)
			}
			return nil
		})
	})
	return out, err
}

// mostTimes is the largest number of different dates or times that are taken as states, as of numbers in a CSV file.
const mostTimes = 20

// setStates sets the states of a column from its different values, as reading them from a CSV
// file would. A column of texts is never one of numbers.
func (c *column) setStates(texts []string) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Write([]string{"column"})
	for _, text := range texts {
		if value := strings.TrimSpace(text); value != "" && !slices.Contains(c.missing, value) {
			w.Write([]string{text})
		}
	}
	w.Flush()
	opts := &data.CSVOptions{Missing: c.missing, Note: func(text string) {
		log.Print(strings.Replace(text, `data: column "column"`, say.Sprintf("sqldata: column %q", c.name), 1))
	}}
	times := c.kind == day || c.kind == moment
	if n := len(texts); times && n > mostTimes {
		return say.Errorf("sqldata: column %q: %w: it holds %d different dates or times; cut it by a Discretization "+
			"(data.Periods), or leave it out of Columns", c.name, errType, n)
	}
	if c.kind != whole && c.kind != number {
		opts.Discrete = []string{"column"}
	}
	t, err := data.ReadCSV(bytes.NewReader(b.Bytes()), opts)
	switch {
	case errors.Is(err, data.ErrNoRows):
		return c.noStates()
	case err != nil:
		return c.refused(err)
	}
	v := t.Variables()[0]
	switch {
	case v.IsDiscrete() && len(v.States) == 0:
		return c.noStates()
	case !v.IsDiscrete():
		return say.Errorf("sqldata: column %q: %w: it holds %d different numbers; give cut points by a "+
			"Discretization, or the numbers as States, or leave it out of Columns", c.name, errType, len(texts))
	}
	c.variable.States, c.variable.Sorted = v.States, v.Sorted
	return nil
}

// refused tells what to do about a value in terms of a database, which has not the options of a CSV file.
func (c *column) refused(err error) error {
	var cell *data.ValueError
	if errors.As(err, &cell) {
		e := *cell
		e.Row, e.Line, e.Name = 0, 0, c.name
		switch {
		case errors.Is(err, data.ErrNumber):
			e.Err = say.Errorf("%w, in a column of numbers; name the value in Missing of Options, list all in States, "+
				"or make the column text in a Query (CAST)", data.ErrNumber)
		case errors.Is(err, data.ErrEncoding):
			e.Err = say.Errorf("%w; convert the column in a Query, or set the encoding of the connection",
				data.ErrEncoding)
		}
		err = &e
	}
	return say.Errorf("sqldata: %w", err)
}

func (c *column) noStates() error {
	return say.Errorf("sqldata: column %q has no values; give its states in States of Options, or leave it out of "+
		"Columns", c.name)
}
