package sqldata

import (
	"context"
	"database/sql"
	"sync"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// Cases are the rows of a table of a database, as counts. It is a [data.Source], and may be
// used by several goroutines at once.
type Cases struct {
	db      *sql.DB
	dialect Dialect
	opts    Options
	from    string
	columns []column
	index   map[string]int // of columns by the name of the variable
	rows    int64
	weight  float64

	mu   sync.Mutex // guards what is below
	cost Cost
}

var _ data.Source = (*Cases)(nil)

type column struct{ variable bn.Variable }

// Open looks at the table or query: its columns, its number of rows, and the states of the columns.
func Open(ctx context.Context, db *sql.DB, d Dialect, opts *Options) (*Cases, error) {
	panic("being written")
}

// Variables are those of the columns, in their order.
func (c *Cases) Variables() []bn.Variable {
	vars := make([]bn.Variable, len(c.columns))
	for i := range c.columns {
		vars[i] = c.columns[i].variable
	}
	return vars
}

// TotalWeight is the number of rows, or the sum of their weights.
func (c *Cases) TotalWeight() float64 { return c.weight }

// Rows is the number of rows when the table was opened.
func (c *Cases) Rows() int64 { return c.rows }

// Cost is what has been asked of the database so far.
func (c *Cases) Cost() Cost {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cost
}

// CountFamilies counts families.
func (c *Cases) CountFamilies(ctx context.Context, families []data.Family, opts *data.CountOptions) ([]data.FamilyCounts, error) {
	panic("being written")
}

// DistinctRows returns the different rows of the named columns.
func (c *Cases) DistinctRows(ctx context.Context, names ...string) (*data.Table, error) {
	panic("being written")
}

// Preview returns about n rows drawn at random.
func (c *Cases) Preview(ctx context.Context, n int, seed uint64) (*data.Table, error) {
	panic("being written")
}
