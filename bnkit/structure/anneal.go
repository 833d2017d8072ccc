package structure

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"bnlab/bnkit/structure/internal/rounding"
	"bnlab/internal/num"
	"bnlab/internal/pool"
)

// Annealing is simulated annealing over graphs. Each move draws an arc u → v from those that the rules
// leave open and proposes to add it or, if it is present, to remove or reverse it, each with
// probability ½. Proposals that violate the rules or close a cycle are rejected, but count as moves;
// another, which changes the score by Δ, is accepted with probability
//
//	min(1, exp(Δ/T)),    T = First · (Last/First)^(move/(Moves−1)).
//
// [HillClimb] then improves the best graph seen. Starts are independent, each with a random stream of
// its own, on all processors; the best result is kept, of equals that of the earliest start.
// (Kirkpatrick, Gelatt and Vecchi 1983; Heckerman, Geiger and Chickering 1995, §6 for graphs.)
type Annealing struct {
	Seed uint64 // start i has the stream rand.NewPCG(Seed, i)
	// Moves is the number of proposals of a start; 0 means 200 for each arc that the rules leave
	// open, but at most 1,000,000.
	Moves  int
	Starts int // 0 means 1
	// MaxCells is the maximum number of entries of a table; proposals with larger ones are
	// rejected. 0 means 65,536.
	MaxCells int
	Cooling
}

var _ Search = Annealing{}

// String describes the search.
func (a Annealing) String() string {
	moves := "200 moves for each possible arc"
	if a.Moves > 0 {
		moves = fmt.Sprintf("%d moves", a.Moves)
	}
	if a.Starts > 1 {
		return fmt.Sprintf("annealing over graphs, %d starts of %s", a.Starts, moves)
	}
	return "annealing over graphs, " + moves
}

// search implements [Search]. It returns an error for a start
// graph of probability 0.
func (a Annealing) search(ctx context.Context, p *task) (*outcome, error) {
	if err := a.check(a.Moves); err != nil {
		return nil, err
	}
	if err := checkCells(a.MaxCells); err != nil {
		return nil, err
	}
	if a.Starts < 0 {
		return nil, fmt.Errorf("structure: annealing from %d starts; give a positive number, or 0 for 1", a.Starts)
	}
	w, err := newGraphWalk(ctx, p, cellsOr(a.MaxCells))
	if err != nil {
		return nil, err
	}
	moves := a.Moves
	if moves == 0 {
		moves = min(200*len(w.arcs), 1_000_000)
	}
	cooling := a.Cooling
	if cooling.First == 0 {
		changes, err := w.changes(ctx)
		if err != nil {
			return nil, err
		}
		cooling.First = cooling.typical(changes)
	}
	starts := max(a.Starts, 1)
	found, errs := make([]*outcome, starts), make([]error, starts)
	var mutex sync.Mutex
	done, best := 0.0, math.Inf(-1)
	pool.Each(starts, p.Workers, func(i int) {
		walk := w.clone()
		walk.rng = rand.New(rand.NewPCG(a.Seed, uint64(i)))
		found[i], errs[i] = walk.run(ctx, cooling, moves, func(fraction, score float64) {
			mutex.Lock()
			defer mutex.Unlock()
			done, best = done+fraction/float64(starts), max(best, score)
			p.Progress(Progress{Done: done, Score: best, What: "annealing"})
		})
	})
	var end *outcome
	for _, f := range found {
		if f != nil && (end == nil || rounding.IsBetter(f.Score, end.Score)) {
			end = f
		}
	}
	return end, cmp.Or(errs...) // the first
}

// A graphWalk is one walk through graphs.
type graphWalk struct {
	p       *task
	cells   float64  // of the largest table
	arcs    [][2]int // that the rules allow and do not require
	parents [][]int
	scores  []float64 // of the families, priors of the graph aside
	breaks  []float64 // violations of the graph's prior, by child
	total   float64   // score of the graph
	rng     *rand.Rand
}

// newGraphWalk starts from the graph that the rules name.
func newGraphWalk(ctx context.Context, p *task, cells float64) (*graphWalk, error) {
	n := len(p.Scorer.Variables())
	w := &graphWalk{p: p, cells: cells, scores: make([]float64, n), breaks: make([]float64, n)}
	for u := range n {
		for v := range n {
			if u != v && p.Limits.Allowed(u, v) && !p.Limits.IsRequired(u, v) {
				w.arcs = append(w.arcs, [2]int{u, v})
			}
		}
	}
	w.parents = make([][]int, n)
	for v := range n {
		set := slices.Clone(p.Limits.Start[v])
		score, broken, err := w.family(ctx, v, set)
		if err != nil {
			return nil, err
		}
		if math.IsInf(score, -1) {
			return nil, p.Scorer.impossible(v, set)
		}
		w.parents[v], w.scores[v], w.breaks[v] = set, score, broken
	}
	return w, p.possible(num.Sum(w.breaks))
}

// clone copies the walk where it is.
func (w *graphWalk) clone() *graphWalk {
	c := *w
	c.parents, c.scores, c.breaks = slices.Clone(w.parents), slices.Clone(w.scores), slices.Clone(w.breaks)
	return &c
}

// family returns the score of a family, and its violations of the graph's prior.
func (w *graphWalk) family(ctx context.Context, v int, set []int) (score, broken float64, err error) {
	score, err = w.p.Scorer.Family(ctx, v, set)
	if err == nil && w.p.Prior != nil {
		vars := w.p.Scorer.Variables()
		broken = w.p.Prior.Violations(vars[v].Name, names(vars, set))
	}
	return score, broken, err
}

// prior is the prior of the graph when violations change by so much.
func (w *graphWalk) prior(more float64) float64 {
	if w.p.Prior == nil {
		return 0
	}
	return w.p.Prior.LogPrior(num.Sum(w.breaks) + more)
}

// score is that of the graph.
func (w *graphWalk) score() float64 { return num.Sum(w.scores) + w.prior(0) }

// changes are those that one more arc makes to the graph of the start.
func (w *graphWalk) changes(ctx context.Context) ([]float64, error) {
	var changes []float64
	for v := range w.parents {
		var sets [][]int
		for _, arc := range w.arcs {
			if arc[1] != v || slices.Contains(w.parents[v], arc[0]) {
				continue
			}
			if set := plus(w.parents[v], arc[0]); w.fits(v, set) {
				sets = append(sets, set)
			}
		}
		scores, err := scored(ctx, w.p.Scorer, v, sets)
		if err != nil {
			return nil, err
		}
		for _, score := range scores {
			changes = append(changes, score-w.scores[v])
		}
	}
	return changes, nil
}

// A change gives one or two variables other parents.
type change struct {
	child   [2]int
	parents [2][]int
	n       int
}

// propose draws a change. It reports false for one that rules or a cycle forbid.
func (w *graphWalk) propose() (c change, ok bool) {
	arc := w.arcs[w.rng.IntN(len(w.arcs))]
	u, v := arc[0], arc[1]
	if !slices.Contains(w.parents[v], u) {
		c = change{child: [2]int{v}, parents: [2][]int{plus(w.parents[v], u)}, n: 1}
		return c, w.fits(v, c.parents[0]) && !leads(w.parents, v, u)
	}
	c = change{child: [2]int{v}, parents: [2][]int{minus(w.parents[v], u)}, n: 1}
	if w.rng.IntN(2) == 0 {
		return c, true
	}
	c.child[1], c.parents[1], c.n = u, plus(w.parents[u], v), 2
	if !w.p.Limits.Allowed(v, u) || !w.fits(u, c.parents[1]) {
		return c, false
	}
	before := w.parents[v]
	w.parents[v] = c.parents[0]
	cyclic := leads(w.parents, u, v)
	w.parents[v] = before
	return c, !cyclic
}

// fits reports whether a set of parents is within the limits.
func (w *graphWalk) fits(child int, set []int) bool {
	return len(set) <= w.p.Limits.MaxParents && cellsOf(w.p.Scorer, child, set) <= w.cells
}

// run makes the moves, and climbs from the best graph that it saw.
func (w *graphWalk) run(ctx context.Context, c Cooling, moves int, progress func(fraction, score float64)) (*outcome,
	error) {
	w.total = w.score()
	best, taken := &outcome{Parents: slices.Clone(w.parents), Score: w.total}, 0
	report := max(moves/20, 1)
	for move := range moves {
		if len(w.arcs) == 0 {
			break
		}
		if move%report == report-1 {
			progress(float64(report)/float64(moves), best.Score)
		}
		moved, err := w.step(ctx, c, float64(move)/float64(max(moves-1, 1)))
		if err != nil {
			return best, err
		}
		if !moved {
			continue
		}
		taken++
		if rounding.IsBetter(w.total, best.Score) {
			best = &outcome{Parents: slices.Clone(w.parents), Score: w.total, Moves: taken}
		}
	}
	return w.finish(ctx, best)
}

// step proposes a change and makes it if it is taken.
func (w *graphWalk) step(ctx context.Context, c Cooling, done float64) (moved bool, err error) {
	to, ok := w.propose()
	if !ok {
		return false, nil
	}
	var scores, breaks [2]float64
	delta, broken := 0.0, 0.0
	for i := range to.n {
		v := to.child[i]
		if scores[i], breaks[i], err = w.family(ctx, v, to.parents[i]); err != nil {
			return false, err
		}
		delta += scores[i] - w.scores[v]
		broken += breaks[i] - w.breaks[v]
	}
	delta += w.prior(broken) - w.prior(0)
	if !c.accepts(delta, done, w.rng) {
		return false, nil
	}
	for i := range to.n {
		v := to.child[i]
		w.parents[v], w.scores[v], w.breaks[v] = to.parents[i], scores[i], breaks[i]
	}
	w.total += delta
	return true, nil
}

// finish climbs from the best graph of the walk.
func (w *graphWalk) finish(ctx context.Context, best *outcome) (*outcome, error) {
	if err := ctx.Err(); err != nil {
		return best, err
	}
	limits := *w.p.Limits
	limits.Start = best.Parents
	p := &task{Scorer: w.p.Scorer, Limits: &limits, Prior: w.p.Prior, Workers: 1, Progress: func(Progress) {}}
	top, err := HillClimb{Orders: 1}.search(ctx, p)
	if top == nil {
		return best, err
	}
	return &outcome{Parents: top.Parents, Score: top.Score, Moves: best.Moves + top.Moves}, err
}
