package structure

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"

	"bnlab/bnkit/bn"
	"bnlab/internal/pool"
	"bnlab/internal/say"
)

// HillClimb is greedy hill climbing: it adds, removes or reverses the one arc that raises the score
// most, until none does.
//
// Ties are the rule, not the exception: under a score-equivalent score u → v and v → u between variables
// without parents gain the same, and which is added first decides where a climb ends. Moves tie when their
// gains differ by no more than 1e-11 of the size of the start's score, far above rounding. Of moves that tie
// with the greatest gain, additions come before removals and these before reversals, and then the arc whose
// parent, and then whose child, comes first in an order of the variables. The climb is repeated with Orders
// such orders and the best result kept, the earliest of equals: first the order of the columns, which is how
// bnlearn's hc goes, then its reverse, then an order in which the v-th column stands at the place of the
// fractional part of v·φ, φ = (1+√5)/2, its reverse, then 2v·φ, and so on. (B06 §2, “flat structure search”.)
type HillClimb struct {
	Orders int // climbs with ties broken by different orders; 0 means 8
	// Tabu is the number of graphs, the last visited, to which a climb does not return. With
	// it a climb does not end where no move raises the score, but goes on with the best of the others
	// for Worse moves without a new best graph. 0 means none.
	Tabu  int
	Worse int // 0 means as many as Tabu
	// Restarts is the number of random restarts of each climb, from its result after Changes random moves.
	Restarts int
	Changes  int         // 0 means 5
	Source   rand.Source // drives restarts, which need it, and the sample, whose seed is 0 without it
	MaxMoves int         // of each climb; 0 means no limit
	// Sample is the number of rows that decide the way: a sample of them, drawn without replacement, is climbed in as
	// if there were no others, and all rows are counted only from the graph that it ends in. All changes of one arc of
	// a graph are then scored at once, and as many of them made, the best first, as touch different families, until
	// no change of one arc raises the score on all rows. So the result is a local optimum on all rows, whatever the
	// sample was, from a few passes over them; a climb on all rows alone, which passes over them after each move, may
	// end in another one. With at least as many as the rows, or 0, there is no sample. Notes of the result tell
	// how many moves the sample decided and how many families all rows were asked for.
	Sample int
}

var (
	_ Search    = HillClimb{}
	_ divisible = HillClimb{}
)

const (
	defaultOrders  = 8
	defaultChanges = 5
)

func (h HillClimb) String() string {
	var b strings.Builder
	b.WriteString("hill climbing")
	if n := h.orders(); n == 1 {
		b.WriteString(", ties broken by the order of the columns")
	} else {
		fmt.Fprintf(&b, ", best of %d orders of the variables", n)
	}
	if h.Tabu > 0 {
		fmt.Fprintf(&b, ", tabu list of %d graphs", h.Tabu)
	}
	if h.Restarts > 0 {
		fmt.Fprintf(&b, ", %d restarts after %d random moves", h.Restarts, h.changes())
	}
	if h.Sample > 0 {
		fmt.Fprintf(&b, ", in a sample of %d rows and then in all", h.Sample)
	}
	return b.String()
}

func (h HillClimb) orders() int {
	if h.Orders == 0 {
		return defaultOrders
	}
	return h.Orders
}

func (h HillClimb) changes() int {
	if h.Changes == 0 {
		return defaultChanges
	}
	return h.Changes
}

func (h HillClimb) worse() int {
	if h.Worse == 0 {
		return h.Tabu
	}
	return h.Worse
}

// check returns an error that names the field which is out of range.
func (h HillClimb) check() error {
	for _, f := range []struct {
		name  string
		value int
	}{{"Orders", h.Orders}, {"Tabu", h.Tabu}, {"Worse", h.Worse}, {"Restarts", h.Restarts}, {"Changes", h.Changes},
		{"MaxMoves", h.MaxMoves}, {"Sample", h.Sample}} {
		if f.value < 0 {
			return say.Errorf("structure: HillClimb.%s is %d; give a positive number, or 0 for the default", f.name,
				f.value)
		}
	}
	if h.Restarts > 0 && h.Source == nil {
		return fmt.Errorf("structure: HillClimb.Source: random restarts: %w", bn.ErrNoSource)
	}
	if h.Worse > 0 && h.Tabu == 0 {
		return errors.New("structure: HillClimb.Worse is set without Tabu; a climb that may go down needs a tabu " +
			"list, such as Tabu: 10")
	}
	return nil
}

// divide implements [divisible].
func (h HillClimb) divide(n int) []Search {
	searches := slices.Repeat([]Search{h}, n)
	if (h.Restarts > 0 || h.Sample > 0) && h.Source != nil {
		random := rand.New(h.Source)
		for i := range searches {
			h.Source = rand.NewPCG(random.Uint64(), random.Uint64())
			searches[i] = h
		}
	}
	return searches
}

// search climbs. It returns an error for a field that is out of range, [bn.ErrNoSource] for
// restarts without a source, one for a start graph of probability 0, those of the scorer, and when
// the context is done its error with the best graph so far.
func (h HillClimb) search(ctx context.Context, p *task) (*outcome, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	if h.Sample > 0 {
		return h.sampled(ctx, p)
	}
	n := len(p.Scorer.Variables())
	first := newClimb(p, h, variableOrder(n, 0))
	if err := first.begin(ctx, p.Workers); err != nil {
		return nil, err
	}
	return h.run(ctx, p, first)
}

// run makes the climbs from where the first one begins, several at a time, and returns the best end.
func (h HillClimb) run(ctx context.Context, p *task, first *climb) (*outcome, error) {
	climbs := make([]*climb, h.orders()) // nil where none was begun; of those that have ended, the ends
	sources := make([]*rand.PCG, len(climbs))
	if h.Restarts > 0 {
		random := rand.New(h.Source)
		for k := range sources {
			sources[k] = rand.NewPCG(random.Uint64(), random.Uint64())
		}
	}
	inner, together := max(1, p.Workers/len(climbs)), p.Workers
	meet := first.near.meet
	if meet != nil {
		meet.climbing = len(climbs)
		inner, together = p.Workers, len(climbs)
	}
	errs := make([]error, len(climbs))
	meter := newMeter(p, len(climbs)*(1+h.Restarts))
	var over atomic.Bool
	pool.Each(len(climbs), together, func(k int) {
		if k == 0 || !over.Load() {
			c := first.copyFor(variableOrder(first.n, k))
			if sources[k] != nil {
				c.random = rand.New(sources[k])
			}
			errs[k] = c.run(ctx, h, inner, meter)
			climbs[k] = &climb{best: c.best, ties: c.ties, tolerance: c.tolerance}
			if ctx.Err() != nil {
				over.Store(true)
			}
		}
		if meet != nil {
			meet.leave(ctx, inner)
		}
	})
	best, ends := climbs[0], map[uint64]bool{}
	low, at, begun := best.best.score, 1, 0
	ended := ctx.Err()
	for k, c := range climbs {
		if c == nil {
			continue
		}
		if errs[k] != nil && ended == nil {
			return nil, errs[k]
		}
		begun++
		ends[c.best.hash] = true
		low = min(low, c.best.score)
		if c.best.score > best.best.score+best.tolerance {
			best, at = c, k+1
		}
	}
	found := &outcome{Parents: best.best.parents, Score: best.best.score, Moves: best.best.moves}
	if best.ties > 0 {
		found.Notes = append(found.Notes, fmt.Sprintf(
			"ties of moves with the same gain that the order of the variables decided: %d", best.ties))
	}
	if len(ends) > 1 {
		found.Notes = append(found.Notes, fmt.Sprintf("climbs from %d orders of the variables ended in %d graphs, "+
			"with scores from %.4f to %.4f; the best is of order %d", begun, len(ends), low, found.Score, at))
	}
	return found, ended
}

// A tabuList holds the hashes of the last graphs.
type tabuList struct {
	last []uint64
	next int
	full bool
}

func newTabuList(n int) *tabuList { return &tabuList{last: make([]uint64, n)} }

func (t *tabuList) add(hash uint64) {
	if len(t.last) == 0 {
		return
	}
	t.last[t.next] = hash
	t.next++
	if t.next == len(t.last) {
		t.next, t.full = 0, true
	}
}

func (t *tabuList) has(hash uint64) bool {
	if t.full {
		return slices.Contains(t.last, hash)
	}
	return slices.Contains(t.last[:t.next], hash)
}

// arcHash is a number for each arc; a graph's is the exclusive or of its arcs'. Two graphs have the
// same with probability 2^−64 (the finaliser of splitmix64, Steele, Lea and Flood 2014).
func arcHash(from, to int) uint64 {
	z := uint64(from)<<32 + uint64(to) + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
