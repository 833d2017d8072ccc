package sqldata

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/english"
	"bnlab/internal/say"
)

// Options define the rows that are the cases and the mapping from columns to variables.
type Options struct {
	// Table is the name of a table or view, its parts separated by dots as in
	// hospital.patients; a part in double quotes may hold anything.
	Table string
	// Shards are tables that hold Table's rows between them, such as its partitions on other servers, each row in one
	// of them: they are counted one by one in each statement, by plain GROUP BY, which a server can hand on whole to
	// where the rows are, and the counts are added up here. Rows in none of them are not counted. Nil counts Table.
	Shards []string
	// Query is a SELECT in place of Table. It may call functions that are known only to compute, aggregate or look at
	// neighbouring rows; others are an error that names them.
	Query string
	// Args are the arguments of the placeholders in Query.
	Args []any
	// Functions are further ones that Query may call, besides those known only to compute from the rows: of your own,
	// or of an extension. They must not write, and must give the same whenever they are called.
	Functions []string

	// Columns are those to read; nil means all but Weight and Key.
	Columns []string
	// Names are the names of variables, by column, where they differ.
	Names map[string]string
	// States are those of columns, lowest first, by the name of the variable. The others are
	// found in the data, in the order of [data.CSVOptions].
	States map[string][]string
	// Continuous names variables whose columns are numbers that stay numbers, for scores of regressions
	// ([Cases.Products]); they have no states and count in no family.
	Continuous []string
	// Hidden are variables without a column; their lists in States are ignored.
	Hidden []string
	// Discretization makes the states of its columns, which it names as variables. Its cut
	// points are applied by the database.
	Discretization *data.Discretization
	// Missing are the texts that mean a missing value besides NULL and the empty text; nil
	// means [data.DefaultMissing].
	Missing []string
	// Weight names the column of the rows' weights.
	Weight string
	// Key names the column of whole numbers from which the database finds the fold of a row ([Cases.Folds]) and how
	// often it is in a bootstrap replicate ([Cases.Replicates]). It need not differ from row to row: rows that belong
	// together, such as those of one patient, stay in one fold and are drawn together.
	Key string
	// MaxStates bounds the states that are found for one column; 0 means 1000.
	MaxStates int

	// MaxStatements bounds all statements since Open; 0 is no bound.
	MaxStatements int
	// MaxRows bounds the rows that one statement fetches; 0 means 10 million.
	MaxRows int
	// Timeout bounds one statement; 0 is no bound.
	Timeout time.Duration
	// Retries is the number of times that a statement is sent again when the connection is lost or the
	// database asks for it: 0 means 2, negative never. Statements only read, so it is safe.
	Retries int
	// CacheCells bounds the counts that are kept for later calls; 0 means 4 million (64 MB),
	// negative keeps none.
	CacheCells int
	// Progress, when not nil, is called after each statement, by one goroutine at a time: with the number of
	// groupings that this call has counted, of how many, and the cost so far.
	Progress func(counted, of int, cost Cost)
}

// Cost is what has been asked of the database since Open, or is estimated by [Cases.Plan].
type Cost struct {
	Statements int   // sent, those sent again included
	Rows       int64 // fetched: cells that occur, and rows of samples
	Retries    int   // statements sent again
	// Scans are passes over the rows, as if none were known from an index: one for a statement that counts or draws,
	// one for each of its groupings where the database has no GROUPING SETS, and two for one that sums products.
	Scans     int
	Groupings int // that rows were counted for
	// Bytes are those of the values fetched: the length of texts, 8 for anything else but NULL. What goes through the
	// wire besides depends on the driver.
	Bytes int64
}

// String is the cost in words.
func (c Cost) String() string {
	text := fmt.Sprintf("%s, %s, %s, %s (%s) fetched", english.Count(c.Statements, "statement"),
		english.Count(c.Scans, "scan"), english.Count(c.Groupings, "grouping"), english.Count(c.Rows, "row"),
		size(c.Bytes))
	if c.Retries > 0 {
		text += fmt.Sprintf("; %d sent again", c.Retries)
	}
	return text
}

// size writes a number of bytes with at most three digits.
func size(bytes int64) string {
	x, unit := float64(bytes), 0
	for ; x >= 999.5 && unit < 4; unit++ {
		x /= 1000
	}
	return fmt.Sprintf("%.3g %s", x, []string{"bytes", "kB", "MB", "GB", "TB"}[unit])
}

const (
	defaultStates  = 1000
	defaultRows    = 10_000_000
	defaultRetries = 2
	defaultCache   = 4 << 20
)

// withDefaults returns the options with defaults for zeros, or what is wrong with them.
func (o *Options) withDefaults() (Options, error) {
	if o == nil || (o.Table == "") == (o.Query == "") {
		return Options{}, errors.New("sqldata: give a Table or a Query in Options, and not both")
	}
	s := *o
	if len(s.Shards) > 0 && s.Table == "" {
		return s, errors.New("sqldata: Options.Shards without a Table; name the table that they are the parts of")
	}
	for i, shard := range s.Shards {
		if slices.Contains(s.Shards[:i], shard) {
			return s, say.Errorf("sqldata: %w: Shards in Options names %q twice, whose rows would count twice",
				bn.ErrDuplicate, shard)
		}
	}
	for _, n := range []struct {
		name    string
		value   *int
		least   int
		unknown int // what 0 means
	}{
		{"MaxStates", &s.MaxStates, 0, defaultStates},
		{"MaxStatements", &s.MaxStatements, 0, 0},
		{"MaxRows", &s.MaxRows, 0, defaultRows},
		{"Retries", &s.Retries, -1, defaultRetries},
		{"CacheCells", &s.CacheCells, -1, defaultCache},
	} {
		if *n.value < n.least {
			return s, say.Errorf("sqldata: %s in Options is %d; give a number from %d on", n.name, *n.value, n.least)
		}
		if *n.value == 0 {
			*n.value = n.unknown
		}
	}
	s.MaxStates, s.MaxRows = min(s.MaxStates, bn.MaxStates), min(s.MaxRows, math.MaxInt-1) // one more is a number, too
	if s.Timeout < 0 {
		return s, say.Errorf("sqldata: Timeout in Options is %v; give a positive duration, or 0 for none", s.Timeout)
	}
	if len(s.Args) > 0 && s.Query == "" {
		return s, errors.New("sqldata: Options.Args without a Query; they are for its placeholders")
	}
	if len(s.Functions) > 0 && s.Query == "" {
		return s, errors.New("sqldata: Options.Functions without a Query; they are those that it may call")
	}
	if s.Missing == nil {
		s.Missing = data.DefaultMissing()
	}
	if s.Discretization != nil {
		if err := s.Discretization.Validate(); err != nil {
			return s, say.Errorf("sqldata: %w", err)
		}
	}
	return s, nil
}
