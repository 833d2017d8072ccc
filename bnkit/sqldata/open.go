package sqldata

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// Open looks at the table or query: its columns and their types, its number of rows or their weight, and
// the states of the columns that Options do not give. It takes two statements, and one more for
// every Dialect.MaxSets columns whose states are to be found, and one to check a Key.
//
// It returns an error for a column in Options that is not there ([bn.ErrUnknownVariable]),
// columns whose types or values cannot be states ([errType]; all of them are named), more
// states than MaxStates ([bn.ErrTooLarge]), a Query that is not a single SELECT ([errNotSelect]), weights that are
// negative, missing, not finite or too large together
// ([data.ErrWeight]), a Key that is missing or not whole in a row, no rows ([data.ErrNoRows]), and a
// [*statementError] for what the database refuses.
func Open(ctx context.Context, db *sql.DB, d Dialect, opts *Options) (*Cases, error) {
	if db == nil || d.Double == "" {
		return nil, errors.New("sqldata: give a database and its dialect, such as sqldata.PostgreSQL()")
	}
	o, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	c := &Cases{db: db, dialect: d, opts: o, index: make(map[string]int), bill: &account{}}
	if o.Table != "" {
		c.from, err = d.table(o.Table)
	} else if c.from, err = checkQuery(o.Query, d.Refused, o.Functions...); err == nil {
		c.from = "(\n" + c.from + "\n) AS " + d.quote("query")
	}
	for _, shard := range o.Shards {
		if err == nil {
			var name string
			name, err = d.table(shard)
			c.shards = append(c.shards, name)
		}
	}
	if err != nil {
		return nil, err
	}
	if err := c.describe(ctx); err != nil {
		return nil, err
	}
	if err := c.weigh(ctx); err != nil {
		return nil, err
	}
	if err := c.checkKey(ctx); err != nil {
		return nil, err
	}
	return c, c.discover(ctx)
}

// describe finds the columns.
func (c *Cases) describe(ctx context.Context) error {
	b := c.builder()
	b.WriteString("SELECT *")
	b.from()
	b.WriteString(" WHERE 1 = 0")
	var names []string
	var kinds map[string]kind
	var types map[string]string
	err := c.query(ctx, "asks for the columns", b.String(), b.args, func(rows *sql.Rows) error {
		list, err := rows.ColumnTypes()
		if err != nil {
			return err
		}
		names, kinds, types = nil, make(map[string]kind), make(map[string]string)
		for _, t := range list {
			if _, ok := kinds[t.Name()]; ok {
				return ownError{say.Errorf("sqldata: %w: two columns are named %q; rename one in the Query",
					bn.ErrDuplicate, t.Name())}
			}
			names = append(names, t.Name())
			k := kindOf(t.DatabaseTypeName())
			if (k == day || k == moment) && c.dialect.Seconds == nil {
				k = other
			}
			kinds[t.Name()], types[t.Name()] = k, t.DatabaseTypeName()
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := c.opts.checkColumns(names); err != nil {
		return err
	}
	if k := kinds[c.opts.Weight]; k == other || k == day || k == moment {
		return say.Errorf("sqldata: column %q (%s), in Options the Weight: %w; make it a number in a Query by CAST",
			c.opts.Weight, types[c.opts.Weight], data.ErrWeight)
	}
	if k := kinds[c.opts.Key]; c.opts.Key != "" && k != whole && types[c.opts.Key] != "" {
		return c.badKey("is of the type " + types[c.opts.Key] + ", not of whole numbers")
	}
	c.mark = markFor(names)
	wanted := c.opts.Columns
	if wanted == nil {
		wanted = slices.DeleteFunc(slices.Clone(names), func(name string) bool {
			return name == c.opts.Weight || name == c.opts.Key
		})
	}
	var refused []string
	for _, name := range wanted {
		if kinds[name] == other {
			refused = append(refused, fmt.Sprintf("%q (%s)", name, types[name]))
			continue
		}
		if err := c.addColumn(name, kinds[name]); err != nil {
			return err
		}
	}
	if len(refused) > 0 {
		return say.Errorf("sqldata: column %s: %w; leave such columns out by naming the others in Columns, or make "+
			"them text or numbers in a Query", say.List(refused), errType)
	}
	if len(c.columns) == 0 {
		return errors.New("sqldata: there is no column to be a variable")
	}
	return c.opts.checkVariables(c.index)
}

// checkColumns returns an error for a column named in the options that is not there, and one
// named twice.
func (o *Options) checkColumns(names []string) error {
	named := slices.Clone(o.Columns)
	named = append(named, slices.Sorted(maps.Keys(o.Names))...)
	for _, name := range []string{o.Weight, o.Key} {
		if name != "" {
			named = append(named, name)
		}
	}
	for _, name := range named {
		if !slices.Contains(names, name) {
			return say.Errorf("sqldata: %w: the table has no column %q (there are: %s)", bn.ErrUnknownVariable, name,
				say.List(names))
		}
	}
	for i, name := range o.Columns {
		if slices.Contains(o.Columns[:i], name) {
			return say.Errorf("sqldata: %w: Columns in Options names %q twice", bn.ErrDuplicate, name)
		}
	}
	return nil
}

// checkVariables returns an error for a variable named in the options that no column is.
func (o *Options) checkVariables(index map[string]int) error {
	check := func(name, where string) error {
		if _, ok := index[name]; ok {
			return nil
		}
		return say.Errorf("sqldata: %w: %s in Options names %q, which no column is (variables: %s)",
			bn.ErrUnknownVariable, where, name, say.List(slices.Sorted(maps.Keys(index))))
	}
	for _, name := range o.Hidden {
		if _, ok := index[name]; ok {
			return say.Errorf("sqldata: %q is a column, but Hidden in Options names it; leave it out of Hidden", name)
		}
	}
	for _, name := range o.Continuous {
		if err := check(name, "Continuous"); err != nil {
			return err
		}
		if o.States[name] != nil {
			return say.Errorf("sqldata: %w: States in Options gives %q states, and Continuous says that it has none",
				bn.ErrDuplicate, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.States)) {
		if slices.Contains(o.Hidden, name) {
			continue
		}
		if err := check(name, "States"); err != nil {
			return err
		}
	}
	if o.Discretization != nil {
		for _, step := range o.Discretization.Columns {
			if err := check(step.Column, "Discretization"); err != nil {
				return err
			}
			if o.States[step.Column] != nil {
				return say.Errorf("sqldata: %w: both States and Discretization in Options give the states of %q",
					bn.ErrDuplicate, step.Column)
			}
		}
	}
	return nil
}

// addColumn adds a column with the states that are known of it.
func (c *Cases) addColumn(name string, k kind) error {
	col := &column{name: name, kind: k, missing: c.opts.Missing}
	col.variable.Name = name
	if as, ok := c.opts.Names[name]; ok {
		col.variable.Name = as
	}
	if _, ok := c.index[col.variable.Name]; ok {
		return say.Errorf("sqldata: %w: two columns are the variable %q; see Names in Options", bn.ErrDuplicate,
			col.variable.Name)
	}
	c.index[col.variable.Name] = len(c.columns)
	c.columns = append(c.columns, col)
	if slices.Contains(c.opts.Continuous, col.variable.Name) {
		if !k.isNumber() {
			return say.Errorf("sqldata: column %q is to be continuous, and its type is not one of numbers; make it "+
				"one in a Query by CAST", name)
		}
		col.continuous = true
		return nil
	}
	if c.opts.Discretization != nil {
		var steps []data.Binning
		for _, step := range c.opts.Discretization.Columns {
			if step.Column == col.variable.Name {
				steps = append(steps, step)
			}
		}
		if steps != nil {
			return col.discretize(steps)
		}
	}
	if states, ok := c.opts.States[col.variable.Name]; ok {
		col.variable = bn.Discrete(col.variable.Name, slices.Clone(states)...)
		if err := col.variable.Validate(); err != nil {
			return say.Errorf("sqldata: States in Options: %w", err)
		}
	}
	return nil
}

// weigh counts the rows and sums their weights.
func (c *Cases) weigh(ctx context.Context) error {
	b := c.builder()
	what := "counts all rows"
	if c.opts.Weight != "" {
		what = fmt.Sprintf("sums the weights in column %q", c.opts.Weight)
	}
	b.shards(func() {
		b.WriteString("SELECT COUNT(*)")
		if c.opts.Weight != "" {
			fmt.Fprintf(b, ", COUNT(%[1]s), MIN(%[1]s), MAX(%[1]s), SUM(%[1]s) FROM (SELECT ", b.quote(c.mark+"w"))
			b.weight()
		}
		b.from()
		if c.opts.Weight != "" {
			b.WriteString(") AS " + b.quote("cases"))
		}
	})
	var sums []float64
	c.passed(1)
	err := c.query(ctx, what, b.String(), b.args, func(rows *sql.Rows) error {
		c.rows, sums = 0, nil
		return c.each(rows, func(row []any) error {
			n, ok := integer(row[0])
			if !ok {
				return fmt.Errorf("sqldata: the number of rows is of the Go type %T", row[0])
			}
			c.rows += n
			sum := float64(n)
			if c.opts.Weight != "" && n > 0 {
				var err error
				if sum, err = c.sumOfWeights(row, n); err != nil {
					return err
				}
			}
			sums = append(sums, sum)
			return nil
		})
	})
	slices.Sort(sums) // shards answer in any order
	c.weight = num.Sum(sums)
	if err == nil && c.opts.Weight != "" && c.weight > num.MaxTotalWeight {
		err = &data.ValueError{Name: c.opts.Weight, Value: fmt.Sprintf("a sum of %.4g", c.weight), Err: data.ErrWeight}
	}
	return err
}

// sumOfWeights reads the sum of the weights of n rows, after their number, the smallest and the largest.
func (c *Cases) sumOfWeights(row []any, n int64) (float64, error) {
	if all, ok := integer(row[1]); !ok || all != n {
		return 0, c.badWeight(nil)
	}
	least, ok := float(row[2])
	if !ok || !(least >= 0) {
		return 0, c.badWeight(row[2])
	}
	if most, ok := float(row[3]); !ok || !(most <= math.MaxFloat64) {
		return 0, c.badWeight(row[3])
	}
	sum, ok := float(row[4])
	if !ok || math.IsNaN(sum) {
		return 0, c.badWeight(row[4])
	}
	return sum, nil
}
