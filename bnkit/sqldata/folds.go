package sqldata

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// mostFolds bounds the folds, whose counts are fetched together.
const mostFolds = 1000

// Folds divides the rows at random into k folds by the column that is the Key in Options, and returns for each what to
// train on, the rows of the others, and what to test with. The fold of a row depends on its key, k and the seed only,
// so that it is the same in each database; rows with the same key share it. Folds differ in size as random numbers do
// and are not stratified.
//
// A statement counts for all folds at once, as one of Cases with one more column: it fetches up to k times the rows.
// Training counts are sums over the other folds. Calls of different folds wait for one another, and what one has
// counted the others find. Folds of a plan are drawn from its sample, and cost it what
// folds of the cases would: a statement and a scan.
//
// It returns an error without a Key, for k below 2, a fold without rows ([data.ErrNoRows]), columns of numbers
// ([bn.ErrNotDiscrete]), and those of counting.
func (c *Cases) Folds(ctx context.Context, k int, seed uint64) (train, test []data.Source, err error) {
	switch {
	case c.opts.Key == "":
		return nil, nil, errors.New("sqldata: folds need a Key in Options: name a column of whole numbers, from " +
			"which the fold of a row is found")
	case k < 2 || k > mostFolds:
		return nil, nil, fmt.Errorf("sqldata: %d folds; give a number from 2 to %d", k, mostFolds)
	}
	for _, col := range c.columns {
		if col.continuous {
			return nil, nil, say.Errorf("sqldata: column %q: %w: folds are of columns with states", col.name,
				bn.ErrNotDiscrete)
		}
	}
	d, err := c.divided(k, newHash(rand.NewPCG(seed, 0)))
	if err != nil {
		return nil, nil, err
	}
	at := len(c.columns)
	found, err := d.count(ctx, [][]int{{at}})
	if err != nil {
		return nil, nil, err
	}
	weights := make([]float64, k)
	for _, x := range found[0].margin([]int{at}, found[0].digits()).list {
		if x.at < uint64(k) {
			weights[x.at] = x.n
		}
	}
	s := &split{cases: d, of: c}
	for fold, w := range weights {
		if !(w > 0) {
			why := ""
			if c.opts.Weight != "" {
				why = ", or its rows weigh nothing"
			}
			return nil, nil, say.Errorf("sqldata: %w in fold %d of %d: the %d rows have too few different keys in "+
				"%q%s; ask for fewer folds", data.ErrNoRows, fold+1, k, c.rows, c.opts.Key, why)
		}
		rest := 0.0
		for other, w := range weights {
			if other != fold {
				rest += w
			}
		}
		train = append(train, &part{split: s, fold: uint64(fold), weight: rest})
		test = append(test, &part{split: s, fold: uint64(fold), test: true, weight: w})
	}
	return train, test, nil
}

// divided returns the cases with a last column that says the fold.
func (c *Cases) divided(k int, h *hash) (*Cases, error) {
	name := "fold"
	for ; c.index[name] > 0 || len(c.columns) > 0 && c.columns[0].variable.Name == name; name = "_" + name {
	}
	states := make([]string, k)
	for i := range states {
		states[i] = strconv.Itoa(i)
	}
	fold := &column{name: c.opts.Key, kind: whole, variable: bn.Discrete(name, states...), hash: h}
	d := &Cases{db: c.db, dialect: c.dialect, opts: c.opts, from: c.from, shards: c.shards, mark: c.mark,
		columns: append(slices.Clone(c.columns), fold), index: c.index, rows: c.rows, weight: c.weight, bill: c.bill}
	d.dialect.MergeCells = min(d.dialect.MergeCells, math.MaxInt/k) * k // the groupings that are merged without folds
	if c.sample == nil {
		return d, nil
	}
	col := data.Column{Var: fold.variable, States: make([]bn.State, c.sample.Rows())}
	random := rand.New(rand.NewPCG(h[0], h[1]))
	for row := range col.States {
		col.States[row] = bn.State(random.IntN(k))
	}
	t, err := data.New(append(c.sample.Columns(), col)...)
	if err == nil {
		t, err = t.WithWeights(c.sample.Weights())
	}
	if err != nil {
		return nil, err
	}
	d.sample = &sample{t, c.sample.all, c.sample.asked}
	return d, nil
}

// A split are cases whose last column says the fold.
type split struct {
	cases, of *Cases
	turn      sync.Mutex // so that what one fold asks for is not asked again by another at the same time
}

// A part are the rows of a fold, or of all others.
type part struct {
	*split
	fold   uint64
	test   bool
	weight float64
}

var _ data.Source = (*part)(nil)

// Variables implements [data.Source].
func (p *part) Variables() []bn.Variable { return p.of.Variables() }

// TotalWeight implements [data.Source].
func (p *part) TotalWeight() float64 { return p.weight }

// CountFamilies implements [data.Source].
func (p *part) CountFamilies(ctx context.Context, families []data.Family,
	opts *data.CountOptions) ([]data.FamilyCounts, error) {
	p.turn.Lock()
	defer p.turn.Unlock()
	return p.cases.countFamilies(ctx, families, opts, p)
}

// set adds the column that says the fold to a set of others.
func (p *part) set(columns []int) []int { return append(slices.Clone(columns), len(p.of.columns)) }

// own returns the cells of the part's folds.
func (p *part) own(t *cells) *cells {
	out := &cells{members: t.members, cards: t.cards}
	last := t.cards[len(t.cards)-1] // of the column that says the fold
	for _, x := range t.list {
		if (x.at%last == p.fold) == p.test {
			out.list = append(out.list, x)
		}
	}
	return out
}

// DistinctRows implements [data.Source]. The rows of all folds are fetched at once and kept for the others while they
// are few enough (Options.CacheCells).
func (p *part) DistinctRows(ctx context.Context, names ...string) (*data.Table, error) {
	at, err := p.of.findAll(names)
	if err != nil {
		return nil, err
	}
	p.turn.Lock()
	defer p.turn.Unlock()
	set := p.set(slices.Sorted(slices.Values(at)))
	r := &rows{columns: make([][]bn.State, len(at))}
	if product(set, p.cases.cards(), 1) > mostNumbers {
		ordered := p.set(at)
		err = p.cases.groups(ctx, [][]int{ordered}, r.clear, func(g group) {
			if (uint64(g.states[len(at)]) == p.fold) == p.test {
				r.add(g.states[:len(at)], g.weight)
			}
		})
		if err != nil {
			return nil, err
		}
	} else {
		found, err := p.cases.count(ctx, [][]int{set})
		if err != nil {
			return nil, err
		}
		mine := p.own(found[0])
		mine = mine.margin(set[:len(at)], mine.digits())
		r.take(mine, at)
	}
	r.sort()
	t, err := p.of.table(at, r)
	if err != nil {
		return nil, err
	}
	return t.Distinct(), nil
}

// take adds the cells as rows of columns in an order of their own.
func (r *rows) take(t *cells, order []int) {
	digits := t.digits()
	states := make([]bn.State, len(order))
	for k, x := range t.list {
		for i, column := range order {
			m, _ := slices.BinarySearch(t.members, column)
			if states[i] = digits[m][k]; uint64(states[i]) == t.cards[m]-1 {
				states[i] = bn.Missing
			}
		}
		r.add(states, x.n)
	}
}
