package structure

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// A resampled source draws replicates of its cases itself and counts in several of them at once: a database with a key.
// It has no count where it cannot.
type resampled interface {
	Replicates(ctx context.Context, n int, seed uint64) (weights []float64,
		count func(ctx context.Context, families []data.Family, opts *data.CountOptions, from, to int) (
			[][]data.FamilyCounts, error), err error)
}

// together are replicates that are counted at once: a search that asks for counts waits until each of the others asks
// too, or has ended. All of them need much the same families, and get those of others for nothing. So there are about
// as many statements as in the longest search, whatever the number of replicates, and the same ones in each run. A
// search has a slot while it computes, and none while it waits.
//
// A round of more counts than most is divided: some of the replicates get theirs, and when these wait anew or have
// ended, and so need them no more, the next ones.
type together struct {
	vars    []bn.Variable
	weights []float64 // by replicate
	count   func(ctx context.Context, families []data.Family, opts *data.CountOptions, from, to int) (
		[][]data.FamilyCounts, error)
	most float64 // counts at once

	slots    chan struct{} // of searches that compute; taken without mu, which those need who have one
	mu       sync.Mutex
	turn     *sync.Cond
	running  int // searches that have not ended
	waiting  int // of them
	round    int
	waits    []int                  // by replicate, the round that it waits for, or 0
	asked    map[string]data.Family // for the next round
	opts     *data.CountOptions
	names    []string // of the families of this round
	families []data.Family
	from     int // the first replicate that this round has yet to serve

	kept   map[string][]data.FamilyCounts // of the replicates lo … hi−1; for later rounds, if these are all
	lo, hi int
	room   float64 // counts that may still be kept
	err    error   // that ended a round, and all searches
}

// mostTogether bounds the counts of all replicates that are held at once.
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
	t := &together{vars: src.Variables(), weights: weights, count: count, most: mostTogether, running: n, from: n,
		room: mostTogether, slots: make(chan struct{}, workers), waits: make([]int, n),
		asked: make(map[string]data.Family), kept: make(map[string][]data.FamilyCounts)}
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
		if kept := t.kept[nameOf(f)]; kept != nil && t.hi-t.lo == len(t.waits) {
			out[k] = kept[i]
			continue
		}
		lacking = append(lacking, k)
	}
	switch {
	case t.err != nil:
		return nil, false, t.err
	case lacking == nil:
		return out, false, nil
	}
	for _, k := range lacking {
		t.asked[nameOf(families[k])], t.opts = families[k], opts
	}
	t.waits[i] = t.round + 1
	t.waiting++
	if t.waiting == t.running {
		t.send(ctx)
	}
	if t.waits[i] > 0 {
		waited = true
		<-t.slots
		for t.waits[i] > 0 {
			t.turn.Wait()
		}
	}
	if t.err != nil {
		return nil, waited, t.err
	}
	for _, k := range lacking {
		out[k] = t.kept[nameOf(families[k])][i-t.lo]
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

// send counts what all wait for, or the first of them, in this round or else in the next one.
func (t *together) send(ctx context.Context) {
	if t.served() {
		t.begin()
		t.served()
	}
	n, size := len(t.waits), t.size(t.families)
	from, to := t.from, n
	if size*float64(n) <= t.most {
		from = 0
	} else {
		to = min(n, from+int(max(1, t.most/size)))
	}
	size *= float64(to - from)
	if size > t.room || from != t.lo || to != t.hi {
		clear(t.kept)
		t.room = t.most
	}
	t.lo, t.hi, t.from = from, to, to
	found, err := t.count(ctx, t.families, t.opts, from, to)
	if err != nil {
		t.err = &roundError{from, to, err}
		clear(t.waits)
		t.waiting = 0
	}
	for i := range found {
		t.kept[t.names[i]] = found[i]
	}
	t.room -= size
	for i, round := range t.waits[from:to] {
		if round == t.round {
			t.waits[from+i] = 0
			t.waiting--
		}
	}
	t.turn.Broadcast()
}

// served reports whether all who wait for this round have their counts, and else finds the first who has not.
func (t *together) served() bool {
	for ; t.from < len(t.waits); t.from++ {
		if t.waits[t.from] == t.round {
			return false
		}
	}
	return true
}

// begin begins a round with what was asked.
func (t *together) begin() {
	t.round++
	t.from, t.names, t.families = 0, slices.Sorted(maps.Keys(t.asked)), nil
	for _, name := range t.names {
		t.families = append(t.families, t.asked[name])
	}
	clear(t.asked)
}

// size is the number of counts of families in a replicate.
func (t *together) size(families []data.Family) float64 {
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
		size += cells
	}
	return size
}
