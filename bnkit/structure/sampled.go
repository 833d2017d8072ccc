package structure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/data"
	"bnlab/internal/english"
	"bnlab/internal/say"
)

// A previewer is a source that draws rows at random without replacement: a database.
type previewer interface {
	Preview(ctx context.Context, n int, seed uint64) (*data.Table, error)
}

// sampled climbs in a sample of the rows and then in all of them; see HillClimb.Sample.
func (h HillClimb) sampled(ctx context.Context, p *task) (*outcome, error) {
	if p.Scorer.other != nil {
		return nil, say.Errorf("structure: HillClimb.Sample: %s looks at the cases of another class too, which are "+
			"not drawn from; leave Sample out", p.Scorer.name)
	}
	p.Progress(Progress{Score: math.Inf(-1), What: "drawing a sample"})
	part, err := h.draw(ctx, p.Scorer.src)
	if err != nil {
		return nil, err
	}
	all := part == p.Scorer.src
	first, err := h.inSample(ctx, p, part)
	if first == nil || err != nil {
		return first, err
	}
	if all {
		return first, nil // the sample is the table
	}
	return h.onAll(ctx, p, first, part)
}

// draw returns the sample; all rows where there are no more.
func (h HillClimb) draw(ctx context.Context, src data.Source) (data.Source, error) {
	seed := uint64(0)
	if h.Source != nil {
		seed = h.Source.Uint64()
	}
	switch src := src.(type) {
	case *data.Table:
		if src.Rows() <= h.Sample {
			return src, nil
		}
		return src.Select(chosen(src.Rows(), h.Sample, rand.New(rand.NewPCG(seed, 0)))), nil
	case previewer:
		t, err := src.Preview(ctx, h.Sample, seed)
		if err == nil && t.Rows() == 0 {
			err = data.ErrNoRows
		}
		if err != nil {
			return nil, say.Errorf("structure: HillClimb.Sample: %w", err)
		}
		return t, nil
	case replicate:
		return nil, errors.New("structure: HillClimb.Sample: replicates that a database draws have counts, and no " +
			"rows to draw a sample from; leave Sample out, or the Key of sqldata.Options")
	}
	return nil, errors.New("structure: HillClimb.Sample: rows are drawn from a table in memory or from a whole table " +
		"of a database, not from other sources, such as the folds that a database divides; leave Sample out")
}

// chosen draws k of the numbers below n, ascending (Floyd's algorithm; Bentley and Floyd 1987).
func chosen(n, k int, random *rand.Rand) []int {
	in := make(map[int]bool, k)
	for j := n - k; j < n; j++ {
		t := random.IntN(j + 1)
		if in[t] {
			t = j
		}
		in[t] = true
	}
	rows := make([]int, 0, k)
	for row := range in {
		rows = append(rows, row)
	}
	slices.Sort(rows)
	return rows
}

// shareOfSample is the part of the work that the sample is taken to be.
const shareOfSample = 0.2

// inSample climbs in the sample alone.
func (h HillClimb) inSample(ctx context.Context, p *task, part data.Source) (*outcome, error) {
	h.Sample = 0
	if part == p.Scorer.src {
		return h.search(ctx, p)
	}
	s, err := NewScorer(part, p.Scorer.asked, &ScorerOptions{Missing: p.Scorer.missing, Prior: p.Scorer.prior,
		Workers: p.Workers})
	if err != nil {
		return nil, say.Errorf("in the sample: %w", err)
	}
	s.own.none = true
	inner := *p
	inner.Scorer = s
	inner.Progress = func(q Progress) { // scores of fewer rows are no scores of the table
		p.Progress(Progress{Done: shareOfSample * q.Done, Score: math.Inf(-1), What: q.What + " in the sample"})
	}
	found, err := h.search(ctx, &inner)
	if err != nil && ctx.Err() == nil {
		return nil, say.Errorf("in the sample: %w", err)
	}
	if found != nil {
		found.Notes = slices.DeleteFunc(found.Notes, func(string) bool { return true })
		if err != nil {
			found.Notes = []string{onlySampled(p, part)}
		}
	}
	return found, err
}

// onlySampled is the note on a climb that ended in the sample.
func onlySampled(p *task, part data.Source) string {
	return fmt.Sprintf("the graph is of a sample of %.10g of %.10g cases; the others were not asked",
		part.TotalWeight(), p.Scorer.own.total)
}

// onAll climbs from the end of the sample's climb with the counts of all rows. In a round all changes of one arc of
// the graph are scored, and then as many made as can be before those of a changed variable have to be scored anew,
// the best first: each gains what it was found to, since the other families are the same. The last round finds
// none, which makes the graph a local optimum of all rows.
func (h HillClimb) onAll(ctx context.Context, p *task, first *outcome, part data.Source) (*outcome, error) {
	limits := *p.Limits
	limits.Start = first.Parents
	whole := *p
	whole.Limits = &limits
	c := newClimb(&whole, HillClimb{}, variableOrder(len(first.Parents), 0))
	asked := 0
	c.near.asked = &asked
	tell := func(done float64) {
		p.Progress(Progress{Done: shareOfSample + (1-shareOfSample)*done, Score: c.best.score,
			What: "hill climbing on all rows"})
	}
	found := &outcome{Parents: first.Parents, Moves: first.Moves}
	c.best.score = math.Inf(-1)
	tell(0)
	_, inMemory := p.Scorer.src.(*data.Table)
	c.near.own = inMemory && p.Scorer.numbers == nil
	_, err := c.near.of(ctx, c.parents, all(c.n), p.Workers) // whose counts in a database include those of the graph
	c.near.own = false
	if err == nil {
		err = c.begin(ctx, p.Workers)
	}
	if err != nil {
		if ctx.Err() == nil {
			return nil, err
		}
		found.Notes = []string{onlySampled(p, part)}
		return found, err
	}
	rounds, moves, ended := 1, 0, false
	for {
		var changed []int
		for h.MaxMoves == 0 || first.Moves+moves < h.MaxMoves {
			m, ok := c.choose(false)
			if !ok || m.gain <= c.tolerance {
				break
			}
			changed = append(changed, c.without(m)...)
			moves++
		}
		c.keep(first.Moves + moves)
		if len(changed) == 0 {
			ended = h.MaxMoves == 0 || first.Moves+moves < h.MaxMoves
			break
		}
		tell(1 - math.Pow(0.5, float64(rounds)))
		rounds++
		slices.Sort(changed)
		if err = c.refresh(ctx, p.Workers, changed...); err != nil {
			break
		}
	}
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	found.Parents, found.Score, found.Moves = c.best.parents, c.best.score, c.best.moves
	found.Notes = append(found.Notes, fmt.Sprintf("a sample of %.10g of %.10g cases decided %s, and all cases %s "+
		"more, by %d families in %s", part.TotalWeight(), p.Scorer.own.total, english.Count(first.Moves, "move"),
		english.Count(moves, "move"), asked, english.Count(rounds, "round")))
	if ended {
		found.Notes = append(found.Notes, "on all cases no change of one arc raises the score; a climb on all cases "+
			"from the start may end in another graph of which that is true")
	}
	return found, err
}

// without makes a move without scoring the new neighbours: until they are, the changed variables have no moves.
func (c *climb) without(m move) []int {
	c.credit(m)
	changed := c.apply(m)
	for _, v := range changed {
		for u := range c.n {
			c.gain[v*c.n+u] = math.Inf(-1)
		}
	}
	return changed
}
