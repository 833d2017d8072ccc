package structure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// A resampled source draws replicates of its cases itself and counts in all of them at once: a database with a key. It
// has no count where it cannot.
type resampled interface {
	Replicates(ctx context.Context, n int, seed uint64) (weights []float64,
		count func(ctx context.Context, families []data.Family, opts *data.CountOptions) ([][]data.FamilyCounts, error),
		err error)
}

// together are replicates that are counted at once: a search that asks for counts waits until each of the others asks
// too, or has ended. All of them need much the same families, and get those of others for nothing. So there are as many
// statements as in the longest search, whatever the number of replicates, and the same ones in each run. A search has
// a slot while it computes, and none while it waits.
type together struct {
	vars    []bn.Variable
	weights []float64 // by replicate
	count   func(ctx context.Context, families []data.Family, opts *data.CountOptions) ([][]data.FamilyCounts, error)

	slots   chan struct{} // of searches that compute; taken without mu, which those need who have one
	mu      sync.Mutex
	turn    *sync.Cond
	running int // searches that have not ended
	waiting int // of them
	round   int
	asked   map[string]data.Family
	opts    *data.CountOptions
	kept    map[string][]data.FamilyCounts // by replicate
	room    int                            // counts that may still be kept
	err     error                          // that ended a round
}

// mostTogether bounds the counts of all replicates that are kept from round to round.
const mostTogether = 1 << 24 // 128 MiB

// newTogether returns nil for a source that draws no replicates. At most so many searches as workers compute at once.
func newTogether(ctx context.Context, src data.Source, n int, seed uint64, workers int) (*together, error) {
	from, ok := src.(resampled)
	if !ok {
		return nil, nil
	}
	weights, count, err := from.Replicates(ctx, n, seed)
	if count == nil || err != nil {
		return nil, err
	}
	t := &together{vars: src.Variables(), weights: weights, count: count, running: n, room: mostTogether,
		slots: make(chan struct{}, workers), asked: make(map[string]data.Family),
		kept: make(map[string][]data.FamilyCounts)}
	t.turn = sync.NewCond(&t.mu)
	return t, nil
}

func nameOf(f data.Family) string { return f.Child + "\x00" + strings.Join(f.Parents, "\x00") }

// begun waits until a search may compute.
func (t *together) begun() { t.slots <- struct{}{} }

// of returns the counts of one replicate.
func (t *together) of(ctx context.Context, i int, families []data.Family, opts *data.CountOptions) (
	[]data.FamilyCounts, error) {
	out, waited, err := t.met(ctx, i, families, opts)
	if waited {
		t.slots <- struct{}{}
	}
	return out, err
}

// met returns them too, and reports whether it waited for others and gave up the slot for that.
func (t *together) met(ctx context.Context, i int, families []data.Family, opts *data.CountOptions) (
	out []data.FamilyCounts, waited bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	out = make([]data.FamilyCounts, len(families))
	var lacking []int
	for k, f := range families {
		name := nameOf(f)
		if kept := t.kept[name]; kept != nil {
			out[k] = kept[i]
			continue
		}
		lacking = append(lacking, k)
		t.asked[name], t.opts = f, opts
	}
	if lacking == nil {
		return out, false, nil
	}
	t.waiting++
	if round := t.round; t.waiting == t.running {
		t.send(ctx)
	} else {
		waited = true
		<-t.slots
		for t.round == round {
			t.turn.Wait()
		}
	}
	if t.err != nil {
		return nil, waited, t.err
	}
	for _, k := range lacking {
		out[k] = t.kept[nameOf(families[k])][i]
	}
	return out, waited, nil
}

// ended says that a search asks for nothing more, and gives up its slot.
func (t *together) ended(ctx context.Context) {
	<-t.slots
	t.mu.Lock()
	defer t.mu.Unlock()
	t.running--
	if t.waiting > 0 && t.waiting == t.running {
		t.send(ctx)
	}
}

// send counts what all wait for.
func (t *together) send(ctx context.Context) {
	names := make([]string, 0, len(t.asked))
	for name := range t.asked {
		names = append(names, name)
	}
	slices.Sort(names)
	families := make([]data.Family, len(names))
	for i, name := range names {
		families[i] = t.asked[name]
	}
	if size := t.size(families); size > t.room { // what this round fetches counts, too
		clear(t.kept)
		t.room = mostTogether
	}
	found, err := t.count(ctx, families, t.opts)
	if err != nil {
		t.err = err
	} else {
		for i, name := range names {
			t.kept[name] = found[i]
			t.room -= len(found[i]) * len(found[i][0].N)
		}
	}
	clear(t.asked)
	t.waiting = 0
	t.round++
	t.turn.Broadcast()
}

// size is the number of counts of families in all replicates.
func (t *together) size(families []data.Family) int {
	cards := make(map[string]int)
	for _, v := range t.vars {
		cards[v.Name] = v.Cardinality()
	}
	size := 0.0
	for _, f := range families {
		cells := float64(cards[f.Child])
		for _, p := range f.Parents {
			cells *= float64(cards[p])
		}
		size += cells * float64(len(t.weights))
	}
	return int(min(size, math.MaxInt32))
}

// varies is a note on few keys. A key with m of N rows adds m times a number of variance 1 to the weight of a
// replicate, so that its standard deviation is √(Σ m²), √k/k of N for k keys with as many rows each.
func (t *together) varies(total float64) string {
	sum := 0.0
	for _, w := range t.weights {
		sum += (w - total) * (w - total)
	}
	if share := math.Sqrt(sum/float64(len(t.weights))) / total; share > mostVaried {
		return fmt.Sprintf("the replicates' numbers of cases differ from %v by %.0f %% (root mean square), as those "+
			"of %.0f keys do: with so few, strengths are of samples smaller and larger than the cases; without a Key "+
			"each replicate has as many", total, 100*share, 1/(share*share))
	}
	return ""
}

// mostVaried is the share by which replicates may differ in size without a note: that of 100 keys.
const mostVaried = 0.1

// A replicate is one of those that are counted together.
type replicate struct {
	*together
	number int
}

var _ data.Source = replicate{}

// Variables implements [data.Source].
func (r replicate) Variables() []bn.Variable { return r.vars }

// TotalWeight implements [data.Source].
func (r replicate) TotalWeight() float64 { return r.weights[r.number] }

// CountFamilies implements [data.Source].
func (r replicate) CountFamilies(ctx context.Context, families []data.Family, opts *data.CountOptions) (
	[]data.FamilyCounts, error) {
	return r.of(ctx, r.number, families, opts)
}

// DistinctRows implements [data.Source].
func (r replicate) DistinctRows(context.Context, ...string) (*data.Table, error) {
	return nil, errors.New("structure: replicates that a database draws have counts, and no rows; leave out the Key " +
		"of sqldata.Options, and they are drawn here from the distinct rows")
}
