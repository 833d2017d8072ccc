package sqldata

import (
	"database/sql"
	"sync"
	"sync/atomic"
	"time"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// Cases are the rows of a table or query of a database, as counts. It is a [data.Source], safe for
// concurrent use.
type Cases struct {
	db      *sql.DB
	dialect Dialect
	opts    Options
	from    string   // what stands after FROM
	shards  []string // in its place, one after another
	mark    string   // what our names of columns begin with
	columns []*column
	index   map[string]int // of columns by the name of the variable
	rows    int64
	weight  float64
	sample  *sample // answers in place of the database; nil but for a plan

	draws []*hash          // of replicates, for which rows are summed
	first int64            // rows that are read, for a probe; 0 for all
	now   func() time.Time // nil means time.Now
	bill  *account
	// uncoded is set when texts were met that are none of the states to the letter.
	uncoded atomic.Bool

	mu     sync.Mutex // guards what is below
	cache  store
	seen   *look // rows of the last preview, nil when there were few
	atOnce int   // groupings for one statement, 0 for the dialect's
}

var _ data.Source = (*Cases)(nil)

// Variables returns the variables of the columns, in their order.
func (c *Cases) Variables() []bn.Variable {
	vars := make([]bn.Variable, len(c.columns))
	for i, col := range c.columns {
		vars[i] = col.variable
	}
	return vars
}

// TotalWeight returns the number of rows, or the sum of their weights.
func (c *Cases) TotalWeight() float64 { return c.weight }

// Rows returns the number of rows when the table was opened.
func (c *Cases) Rows() int64 { return c.rows }

// Cost returns what has been asked of the database so far.
func (c *Cases) Cost() Cost {
	c.bill.mu.Lock()
	defer c.bill.mu.Unlock()
	return c.bill.cost
}

// An account notes what has been asked, by cases and by their folds and replicates.
type account struct {
	mu   sync.Mutex
	cost Cost
	done int // statements that succeeded

	telling sync.Mutex // while Progress is called
}

// add notes what a statement cost.
func (a *account) add(what Cost) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.cost.Statements += what.Statements
	a.cost.Rows += what.Rows
	a.cost.Retries += what.Retries
	a.cost.Scans += what.Scans
	a.cost.Groupings += what.Groupings
	a.cost.Bytes += what.Bytes
}
