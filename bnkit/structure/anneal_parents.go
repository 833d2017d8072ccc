package structure

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/structure/internal/count"
	"bnlab/bnkit/structure/internal/rounding"
	"bnlab/internal/say"
)

// AnnealParents is simulated annealing over sets of parents: each move proposes to add a candidate, to
// remove a parent, or to swap a parent for a candidate, drawn uniformly from all that the limit
// allows. A proposal that changes the score by Δ is accepted with probability
//
//	min(1, exp(Δ/T)),    T = First · (Last/First)^(move/(Moves−1)).
//
// Then it climbs greedily from the best set it saw, so that the result is no worse than any
// neighbour of it. Random numbers are those of the child's own stream, so that the result depends
// on the seed and the child only. (Kirkpatrick, Gelatt and Vecchi 1983; B06 §2.2 names the
// method and no more.)
type AnnealParents struct {
	Seed uint64 // child i has the stream rand.NewPCG(Seed, i)
	// Moves is the number of proposals; 0 means 100 for each candidate. Families that were seen
	// before cost nothing.
	Moves int
	// MaxCells is the maximum number of entries of a table; proposals with larger ones are
	// rejected. 0 means 65,536.
	MaxCells int
	Cooling
}

// defaultMaxCells is the default of MaxCells.
const defaultMaxCells = 1 << 16

// checkCells rejects a negative MaxCells.
func checkCells(limit int) error {
	if limit < 0 {
		return fmt.Errorf("structure: annealing with MaxCells %d; give a positive number, or 0 for %d", limit,
			defaultMaxCells)
	}
	return nil
}

// cellsOr is the limit that MaxCells sets.
func cellsOr(limit int) float64 {
	if limit == 0 {
		return defaultMaxCells
	}
	return float64(min(limit, count.MaxCells))
}

// Cooling is the schedule of temperatures, which fall by the same factor at each move. They are in
// nats, as scores are.
type Cooling struct {
	// First is the temperature of the first move; 0 means the median of the changes, up or down, that
	// one arc makes to the graph of the start (but at least Last), at which such a step down is
	// taken with probability 1/e.
	First float64
	Last  float64 // temperature of the last move; 0 means 0.1
}

var _ ParentSearch = AnnealParents{}

// String describes the search.
func (a AnnealParents) String() string {
	moves := "100 moves for each candidate"
	if a.Moves > 0 {
		moves = fmt.Sprintf("%d moves", a.Moves)
	}
	return "annealing, " + moves
}

// check rejects temperatures that are not positive and finite.
func (c Cooling) check(moves int) error {
	switch {
	case moves < 0:
		return fmt.Errorf("structure: annealing of %d moves; give a positive number, or 0 for the default", moves)
	case !(c.First >= 0) || !(c.Last >= 0) || math.IsInf(c.First, 1) || math.IsInf(c.Last, 1):
		return say.Errorf("structure: annealing from temperature %v to %v; temperatures are positive, 0 means the "+
			"default", c.First, c.Last)
	case c.First > 0 && c.First < c.last():
		return say.Errorf("structure: annealing from temperature %v to %v would heat; give First no less than Last",
			c.First, c.last())
	}
	return nil
}

func (c Cooling) last() float64 {
	if c.Last == 0 {
		return 0.1
	}
	return c.Last
}

// typical is the median size of changes, but at least the last temperature.
func (c Cooling) typical(changes []float64) float64 {
	var sizes []float64
	for _, change := range changes {
		if size := math.Abs(change); size <= math.MaxFloat64 { // scores may be −∞
			sizes = append(sizes, size)
		}
	}
	slices.Sort(sizes)
	if len(sizes) == 0 {
		return c.last()
	}
	return max(sizes[len(sizes)/2], c.last())
}

// accepts decides on a change of the score; done, from 0 to 1, is how far the moves are. The
// first temperature is in c. A random number is always drawn, so that a change of 0 leaves the stream
// where one of minus rounding does, such as between Markov equivalent graphs.
func (c Cooling) accepts(change, done float64, rng *rand.Rand) bool {
	t := c.First * math.Pow(c.last()/c.First, done)
	return rng.Float64() < math.Exp(min(change/t, 0))
}

// Parents implements [ParentSearch].
func (a AnnealParents) Parents(ctx context.Context, s Families, child int, candidates []int, limit int) (Parents,
	error) {
	if err := a.check(a.Moves); err != nil {
		return Parents{}, err
	}
	if err := checkCells(a.MaxCells); err != nil {
		return Parents{}, err
	}
	candidates, limit, err := candidatesOf(s, child, candidates, limit)
	if err != nil {
		return Parents{}, err
	}
	w := &parentWalk{s: s, child: child, cells: cellsOr(a.MaxCells), seen: make(map[string]float64),
		rng: rand.New(rand.NewPCG(a.Seed, uint64(child)))}
	single := [][]int{{}}
	if limit > 0 {
		for _, c := range candidates {
			if one := []int{c}; cellsOf(s, child, one) <= w.cells {
				single = append(single, one)
			}
		}
	}
	scores, err := w.scores(ctx, single)
	if err != nil {
		return Parents{}, err
	}
	cooling := a.Cooling
	if cooling.First == 0 {
		var changes []float64
		for _, score := range scores[1:] {
			changes = append(changes, score-scores[0])
		}
		cooling.First = cooling.typical(changes)
	}
	moves := a.Moves
	if moves == 0 {
		moves = 100 * len(candidates)
	}
	best, err := w.run(ctx, cooling, moves, candidates, limit)
	if err != nil {
		return Parents{}, err
	}
	return ascend(ctx, s, child, candidates, limit, best)
}

// A parentWalk is one walk through the sets of a child's parents.
type parentWalk struct {
	s     Families
	child int
	cells float64            // of the largest table
	seen  map[string]float64 // scores by set
	rng   *rand.Rand
}

// scores returns the scores of sets, asking for those that were not seen.
func (w *parentWalk) scores(ctx context.Context, sets [][]int) ([]float64, error) {
	scores := make([]float64, len(sets))
	var unseen [][]int
	var places []int
	for i, set := range sets {
		score, ok := w.seen[keyOf(set)]
		if !ok {
			unseen, places = append(unseen, set), append(places, i)
		}
		scores[i] = score
	}
	fresh, err := scored(ctx, w.s, w.child, unseen)
	for i, score := range fresh {
		scores[places[i]] = score
		w.seen[keyOf(unseen[i])] = score
	}
	return scores, err
}

// keyOf is a key of an ascending set.
func keyOf(set []int) string {
	key := make([]byte, 0, 3*len(set))
	for _, x := range set {
		key = append(key, byte(x), byte(x>>8), byte(x>>16))
	}
	return string(key)
}

// run makes the moves from the empty set, whose score was seen, and returns the best set.
func (w *parentWalk) run(ctx context.Context, c Cooling, moves int, candidates []int, limit int) (Parents, error) {
	at := []int{}
	score := w.seen[keyOf(at)]
	best, bestScore := at, score
	if limit > 0 {
		out := slices.Clone(candidates) // those that are no parents, in any order
		for move := range moves {
			set, outAt, back := w.propose(at, out, limit)
			if cellsOf(w.s, w.child, set) > w.cells {
				continue
			}
			scores, err := w.scores(ctx, [][]int{set})
			if err != nil {
				return Parents{}, err
			}
			if !c.accepts(scores[0]-score, float64(move)/float64(max(moves-1, 1)), w.rng) {
				continue
			}
			if outAt >= 0 {
				out[outAt] = out[len(out)-1]
				out = out[:len(out)-1]
			}
			if back >= 0 {
				out = append(out, back)
			}
			at, score = set, scores[0]
			if rounding.IsBetter(score, bestScore) {
				best, bestScore = at, score
			}
		}
	}
	return Parents{Set: best, Score: bestScore, Scored: len(w.seen), By: "annealing"}, nil
}

// propose draws a move: the set it leads to, the place in out of the candidate that comes in, and
// the parent that goes out, −1 for none.
func (w *parentWalk) propose(at, out []int, limit int) (set []int, outAt, back int) {
	add := 0
	if len(at) < limit {
		add = len(out)
	}
	n := w.rng.IntN(add + len(at) + len(at)*len(out))
	switch {
	case n < add:
		return plus(at, out[n]), n, -1
	case n < add+len(at):
		back = at[n-add]
		return minus(at, back), -1, back
	}
	n -= add + len(at)
	back, outAt = at[n/len(out)], n%len(out)
	return plus(minus(at, back), out[outAt]), outAt, back
}
