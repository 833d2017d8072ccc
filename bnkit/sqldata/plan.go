package sqldata

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// A sample answers in place of a database, and stands for all of its rows.
type sample struct {
	*data.Table
	all   int64 // rows of the database
	asked int   // rows
}

// Plan returns a stand-in for the cases that answers from so many of their rows, drawn as by Preview with one
// statement, and sends nothing to the database. A fit or a search on it takes seconds, and its Cost then says what the
// same one on the cases would take from now on:
//
//	plan, err := cases.Plan(ctx, 100_000, 1)
//	_, err = structure.Learn(ctx, plan, structure.BIC{}, how, nil)
//	fmt.Println(plan.Cost())
//
// [Cases.Time] estimates from that how long it takes.
//
// Statements, scans and groupings are those of the same steps with nothing kept from earlier calls. A search on
// all rows takes more of them as it finds weaker arcs, and a climb with [structure.HillClimb.Sample] one or a few
// rounds more; give as many rows as Sample has. How many cells occur in all rows is extrapolated: their number in
// n rows grows by a power of n, whose exponent over the last two doublings within the sample is known, and is
// taken to fall by the same factor with each doubling from there on. TotalWeight and the graph found are those of
// the sample. MaxStatements and MaxRows of Options do not end it. Errors are those of Preview, and one for columns
// of numbers ([bn.ErrNotDiscrete]).
func (c *Cases) Plan(ctx context.Context, rows int, seed uint64) (*Cases, error) {
	t, err := c.Preview(ctx, rows, seed)
	if err == nil && t.Rows() == 0 {
		err = fmt.Errorf("sqldata: %w to plan with", data.ErrNoRows)
	}
	if err != nil {
		return nil, err
	}
	p := &Cases{dialect: c.dialect, opts: c.opts, shards: c.shards, columns: c.columns, index: c.index,
		rows: int64(t.Rows()), weight: t.TotalWeight(), sample: &sample{t, c.rows, rows}, bill: &account{}}
	if c.sample != nil {
		p.sample.all = c.sample.all
	}
	p.opts.Progress = nil
	c.mu.Lock()
	p.seen = c.seen
	c.mu.Unlock()
	return p, nil
}

// preview draws from the sample what Preview would draw from all rows.
func (s *sample) preview(c *Cases, n int, seed uint64) (*data.Table, error) {
	if n > s.asked && int64(s.Rows()) < s.all {
		return nil, fmt.Errorf("sqldata: a plan of %d rows has no %d to draw; give Plan as many", s.asked, n)
	}
	fetched := min(1.2*float64(n)+30, float64(s.all))
	width := 0.0
	for i, col := range s.Columns() {
		for _, state := range col.States {
			width += float64(c.columns[i].width(state))
		}
	}
	c.bill.add(Cost{Statements: 1, Scans: 1, Rows: int64(fetched),
		Bytes: int64(fetched * width / float64(s.Rows()))})
	if n >= s.Rows() {
		return s.Table, nil
	}
	chosen := rand.New(rand.NewPCG(seed, 0)).Perm(s.Rows())[:n]
	slices.Sort(chosen)
	return s.Select(chosen), nil
}

// groups answers groupings from the sample, and notes what the statement would cost.
func (s *sample) groups(c *Cases, sets [][]int, add func(group)) {
	columns := slices.Compact(slices.Sorted(slices.Values(slices.Concat(sets...))))
	tags := 0 // cells of a row that tell the groupings apart, and those that are NULL
	if len(sets) > 1 {
		tags = (len(columns) + maxGrouping - 1) / maxGrouping
	}
	fetched, bytes, in := 0.0, 0.0, s.Columns()
	for i, set := range sets {
		of := make(map[string]int)
		all := s.Weights()
		var first, times []int // row, and how many are like it
		var weights []float64
		var key []byte
		for row := range s.Rows() {
			key = key[:0]
			for _, m := range set {
				key = binary.LittleEndian.AppendUint16(key, uint16(in[m].States[row]))
			}
			k, ok := of[string(key)]
			if !ok {
				k = len(first)
				of[string(key)] = k
				first, times, weights = append(first, row), append(times, 0), append(weights, 0)
			}
			times[k]++
			if all != nil {
				weights[k] += all[row]
			} else {
				weights[k]++
			}
		}
		width, states := 0, make([]bn.State, len(set))
		for k, row := range first {
			width += 8 * (1 + tags)
			for j, m := range set {
				states[j] = in[m].States[row]
				width += c.columns[m].width(states[j])
			}
			add(group{i, states, weights[k]})
		}
		shards := float64(max(1, len(c.shards))) // with as many rows each, taken to be spread at random
		cells := shards * min(occurring(times, s.Rows(), float64(s.all)/shards), product(set, c.cards(), 1))
		fetched += cells
		bytes += cells * float64(width) / float64(len(first))
	}
	c.bill.add(Cost{Statements: 1, Rows: int64(math.Round(fetched)), Bytes: int64(bytes)})
	c.scanned(sets)
}

// occurring extrapolates how many different cells occur in all rows, from how often each was seen in n of them; see
// Plan. In a share f of the n rows a cell that was seen k times is expected with probability 1 − (1 − f)^k.
func occurring(times []int, n int, all float64) float64 {
	seen := float64(len(times))
	in := func(share float64) float64 {
		cells := seen
		for _, k := range times {
			cells -= math.Pow(1-share, float64(k))
		}
		return cells
	}
	if all <= float64(n) {
		return in(all / float64(n))
	}
	half := in(0.5)
	now, before := math.Log2(seen/half), math.Log2(half/in(0.25))
	if !(now > 0) {
		return seen
	}
	doublings := math.Log2(all / float64(n))
	growth := now * doublings
	if falls := now / before; falls < 1 {
		growth = now * falls * (1 - math.Pow(falls, doublings)) / (1 - falls)
	}
	return min(seen*math.Exp2(growth), all)
}

// width is the size of a value as Cost.Bytes has it.
func (c *column) width(s bn.State) int {
	if s == bn.Missing {
		return 0
	}
	if c.kind == text && c.cuts == nil && int(s) < len(c.variable.States) {
		return len(c.variable.States[s])
	}
	return 8
}

// width is the size of a value that was fetched.
func width(value any) int {
	switch v := value.(type) {
	case nil:
		return 0
	case string:
		return len(v)
	case []byte:
		return len(v)
	}
	return 8
}

// scanned notes a statement that counts for groupings.
func (c *Cases) scanned(sets [][]int) {
	if len(c.shards) > 0 || c.dialect.UnionAll {
		c.passed(len(sets))
	} else {
		c.passed(1)
	}
	c.bill.add(Cost{Groupings: len(sets)})
}

// passed notes passes over the rows.
func (c *Cases) passed(times int) { c.bill.add(Cost{Scans: times}) }

// cards are the states of each column.
func (c *Cases) cards() []int {
	cards := make([]int, len(c.columns))
	for i, col := range c.columns {
		cards[i] = col.variable.Cardinality()
	}
	return cards
}
