package posterior

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"

	"bnlab/internal/pool"
	"bnlab/internal/say"
)

// Partitions draws graphs by Markov chains over ordered partitions of the variables (Kuipers and Moffa 2017): layers
// are split and joined, variables move and change places, and arcs are reversed (Grzegorczyk and Husmeier 2008). A
// partition is weighed by the sum of its graphs, and each graph belongs to one partition, so the prior is uniform over
// graphs, not orders. A GraphPrior of the settings, such as that of a hierarchy, is part of the target.
//
// Chains start apart, each from a random order; the first quarter of each is dropped. Whether they agree is in
// Graphs.RHat and Graphs.Apart, and a note says when they do not. Arcs, paths and blankets are frequencies,
// with standard errors by batch means. Chains that a done context ends count as far as they came.
type Partitions struct {
	Chains int    // 0 means 4
	Steps  int    // of each chain; 0 means 3000 for each variable
	Draws  int    // graphs that are kept, evenly spread over chains and steps; 0 means 1000
	Seed   uint64 // chain i is drawn with rand.NewPCG(Seed, i)
}

// String describes the method.
func (Partitions) String() string {
	return "Markov chains over partitions, a prior that is uniform over graphs"
}

var _ Method = Partitions{}

const (
	mostVariables = 64
	batches       = 10   // of each chain, for standard errors
	looks         = 4000 // at most, of each chain
	fewest        = 100  // looks of a chain that was interrupted, for it to count
)

// learn implements [Method].
func (p Partitions) learn(ctx context.Context, t *task) (*Graphs, error) {
	n := len(t.vars)
	if p.Chains < 0 || p.Steps < 0 || p.Draws < 0 {
		return nil, fmt.Errorf("posterior: %d chains, %d steps, %d draws; give positive numbers, or 0 for defaults",
			p.Chains, p.Steps, p.Draws)
	}
	if n > mostVariables {
		return nil, fmt.Errorf("posterior: chains over partitions take at most %d variables, and there are %d; choose "+
			"fewer columns, or use ArcStrengths", mostVariables, n)
	}
	chains, steps, draws := p.Chains, p.Steps, p.Draws
	if chains == 0 {
		chains = 4
	}
	if steps == 0 {
		steps = 3000 * n
	}
	if draws == 0 {
		draws = 1000
	}
	f, err := t.score(ctx)
	if err != nil {
		return nil, err
	}
	prior := t.prior
	if folded, ok := t.fold(f); ok {
		f, prior = folded, nil
	}
	names := make([]string, n)
	for v := range names {
		names[v] = t.vars[v].Name
	}
	runs, errs := make([]*record, chains), make([]error, chains)
	var mutex sync.Mutex
	far := 0.0 // of all chains together
	pool.Each(chains, t.workers, func(i int) {
		c := &chain{f: f, vars: names, prior: prior, r: rand.New(rand.NewPCG(p.Seed, uint64(i)))}
		last := 0.0
		runs[i], errs[i] = c.run(ctx, steps, (draws+chains-1)/chains, func(done float64) {
			mutex.Lock()
			far += (done - last) / float64(chains)
			last = done
			at := far
			mutex.Unlock()
			t.report(0.3+0.7*at, "chains")
		})
	})
	for _, err := range errs {
		if err != nil && ctx.Err() == nil {
			return nil, err
		}
	}
	planned := len(runs)
	runs = slices.DeleteFunc(runs, func(r *record) bool { return r == nil || len(r.scores) < fewest })
	if len(runs) == 0 {
		return nil, say.Errorf("posterior: interrupted before a chain had %d graphs: %w", fewest, ctx.Err())
	}
	g, err := summary(t, p.String(), runs, draws)
	if err == nil && ctx.Err() != nil {
		g.Notes = append(g.Notes, fmt.Sprintf("interrupted: %d of %d chains count, as far as they came", len(runs),
			planned))
		err = ctx.Err()
	}
	return g, err
}

// A record is what a chain leaves: the frequencies of arcs, paths and blankets by batch, scores, and graphs.
type record struct {
	n                     int
	arcs, paths, blankets [batches][]float64 // by parent×n+child
	looks                 [batches]float64
	scores                []float64
	draws                 [][]uint64
}

// run walks, and looks at the graph from time to time after the first quarter.
func (c *chain) run(ctx context.Context, steps, draws int, report func(float64)) (*record, error) {
	if !c.start() {
		return nil, errors.New("posterior: no graph within the rules has a score above −∞")
	}
	if c.prior != nil && (math.IsNaN(c.logP) || math.IsInf(c.logP, 0)) {
		return nil, say.Errorf("posterior: %v gives the graph a chain starts from the log prior %v; it must be a "+
			"number; give what cannot be as Rules", c.prior, c.logP)
	}
	n := len(c.vars)
	rec := &record{n: n}
	for b := range batches {
		rec.arcs[b], rec.paths[b], rec.blankets[b] = make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
	}
	from := steps / 4
	every := max(1, (steps-from)/looks)
	total := (steps - from + every - 1) / every
	parents := make([]uint64, n)
	for s := range steps {
		if s&255 == 0 {
			if ctx.Err() != nil {
				return rec, nil
			}
			report(float64(s) / float64(steps))
		}
		c.step()
		if s < from || (s-from)%every != 0 {
			continue
		}
		c.refresh()
		for v, f := range c.parents {
			parents[v] = f.set
		}
		look := (s - from) / every
		rec.look(look*batches/total, parents)
		rec.scores = append(rec.scores, c.score())
		for len(rec.draws) < min(draws, (look+1)*draws/total) {
			rec.draws = append(rec.draws, slices.Clone(parents))
		}
	}
	return rec, nil
}

// look counts what is in a graph.
func (rec *record) look(batch int, parents []uint64) {
	rec.looks[batch]++
	count := func(to []float64, of []uint64) {
		for v, set := range of {
			for ; set != 0; set &= set - 1 {
				to[bits.TrailingZeros64(set)*rec.n+v]++
			}
		}
	}
	count(rec.arcs[batch], parents)
	count(rec.paths[batch], ancestorsOf(parents))
	count(rec.blankets[batch], blanketOf(parents))
}
