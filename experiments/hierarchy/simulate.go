package hierarchy

import (
	"context"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/structure"
	"bnlab/experiments/run"
)

// A class is one of two that are to be told apart: what is learned from, and what is tested on.
type class struct {
	scorer *structure.Scorer // of the pairs of the training series
	test   *collection
}

// An outcome is what a search made of two classes.
type outcome struct {
	Accuracy float64
	// links found in both networks, those of them that are in the truth, and those of the truth
	Found, Right, True int
	Parents            float64 // per child
	Broken             int     // links found in both networks that the parent-wise rule does not allow
}

// The measures of B06 §3.1. Precision is 1 when nothing was found.
func accuracyOf(o outcome) float64 { return o.Accuracy }
func precisionOf(o outcome) float64 {
	if o.Found == 0 {
		return 1
	}
	return float64(o.Right) / float64(o.Found)
}
func recallOf(o outcome) float64  { return float64(o.Right) / float64(o.True) }
func parentsOf(o outcome) float64 { return o.Parents }

// A scene is what all runs of a setting share.
type scene struct {
	Config
	tree     *tree
	rule     string // with which structures comply
	searches []search
	vars     []bn.Variable
}

func newScene(c Config, rule string, seed uint64) (*scene, error) {
	t := newTree(c.Branches)
	h, err := t.hierarchy()
	if err != nil {
		return nil, err
	}
	return &scene{Config: c, tree: t, rule: rule, searches: newSearches(h, c, c.MaxParents, seed, 1),
		vars: variables(t.names, c.Arity)}, nil
}

// structure draws one that complies with the rule.
func (s *scene) structure(src *rand.Rand) (graph, error) {
	if s.rule == parentWise {
		return s.tree.randomGraph(s.rule, s.Chains, src)
	}
	return s.tree.randomGraph(s.rule, s.Between, src)
}

// draw makes a class; each series has a model of its own.
func (s *scene) draw(series func() *model, src *rand.Rand) (*class, error) {
	sets := make([]*collection, 2)
	for i, n := range []int{s.Training, s.Tests} {
		sets[i] = &collection{images: s.Length}
		for range n {
			sets[i].columns = series().sample(sets[i].columns, s.Length, src)
		}
	}
	pairs, err := sets[0].pairs(s.vars)
	if err != nil {
		return nil, err
	}
	scorer, err := structure.NewScorer(pairs, structure.BDeu{EquivalentSampleSize: s.Size},
		&structure.ScorerOptions{Workers: 1})
	return &class{scorer: scorer, test: sets[1]}, err
}

// of is a class all of whose series have one model.
func (s *scene) of(m *model, src *rand.Rand) (*class, error) {
	return s.draw(func() *model { return m }, src)
}

// learn learns a network by each search, with an equivalent sample size.
func (s *scene) learn(ctx context.Context, c *class, size float64) ([]*learned, error) {
	scorer, err := c.scorer.With(structure.BDeu{EquivalentSampleSize: size})
	if err != nil {
		return nil, err
	}
	out := make([]*learned, len(s.searches))
	for i, how := range s.searches {
		found, err := how.run(ctx, scorer)
		if err != nil {
			return nil, err
		}
		if out[i], err = fit(ctx, scorer, found.graph, worth(size), out[:i]...); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// compare measures what each search has learned of two classes with one structure.
func (s *scene) compare(truth graph, a, b *class, netsA, netsB []*learned) []outcome {
	out := make([]outcome, len(s.searches))
	shares := make(map[share][]float64)
	for i := range out {
		o := &out[i]
		o.Accuracy = accuracy(netsA[i], netsB[i], a.test, b.test, shares)
		for _, net := range []*learned{netsA[i], netsB[i]} {
			o.True += truth.links()
			o.Found += net.graph.links()
			o.Broken += s.tree.violations(parentWise, net.graph)
			for to, parents := range net.graph {
				for _, from := range parents {
					if truth.has(from, to) {
						o.Right++
					}
				}
			}
		}
		o.Parents = float64(o.Found) / float64(2*len(truth))
	}
	return out
}

// both learns and measures.
func (s *scene) both(ctx context.Context, truth graph, a, b *class, size float64) ([]outcome, error) {
	netsA, err := s.learn(ctx, a, size)
	if err != nil {
		return nil, err
	}
	netsB, err := s.learn(ctx, b, size)
	if err != nil {
		return nil, err
	}
	return s.compare(truth, a, b, netsA, netsB), nil
}

// The panels of B06 Figure 2.
const (
	iid = iota
	sampleSize
	noisy
	violating
	panels
)

// An origin is the random streams of a run, one for each purpose.
type origin struct {
	job       *run.Job
	streams   uint32 // the family of them
	replicate int
}

// Purposes. Those of a panel are followed by a number for each of its points.
const (
	forModels  = 0
	forClass   = 1
	forChanges = 100 * (1 + iota)
	forEntries
	forViolating
	purposes // streams of a family
)

func (o origin) source(purpose, point int) *rand.Rand {
	return rand.New(o.job.Source(o.streams*purposes+uint32(purpose+point), o.replicate))
}

// points are what one run has at each point of the panels.
type points struct {
	outcomes [panels][][]outcome // by panel, point and search
	known    []known             // by point of the panel iid: accuracy when the tables, and when the links, are known
}

// figure2 makes a run of all panels. The first model and its class are the same at every point of the panels iid and
// equivalent sample size.
func (s *scene) figure2(ctx context.Context, o origin) (out points, err error) {
	src := o.source(forModels, 0)
	g, err := s.structure(src)
	if err != nil {
		return out, err
	}
	first, changed, err := s.models(g, append(slices.Clone(s.Changes), s.Change), src)
	if err != nil {
		return out, err
	}
	second := changed[s.Change]
	if err := s.identical(ctx, first, changed, o, &out); err != nil {
		return out, err
	}
	for i, entries := range s.Entries {
		at := o.source(forEntries, 2*i)
		a, err := s.draw(func() *model { return first.disturb(entries, at) }, at)
		if err != nil {
			return out, err
		}
		at = o.source(forEntries, 2*i+1)
		b, err := s.draw(func() *model { return second.disturb(entries, at) }, at)
		if err != nil {
			return out, err
		}
		result, err := s.both(ctx, g, a, b, s.Size)
		if err != nil {
			return out, err
		}
		out.outcomes[noisy] = append(out.outcomes[noisy], result)
	}
	for i, more := range s.Violating {
		result, err := s.violated(ctx, first, second, more, o, i)
		if err != nil {
			return out, err
		}
		out.outcomes[violating] = append(out.outcomes[violating], result)
	}
	return out, nil
}

// mostDraws bounds the draws of tables that cannot be changed as is asked for: one in a few hundred with three
// parents cannot when c is 0.02.
const mostDraws = 100

// models draws tables for a structure, and the signs of the changes, until all of these can be made, and makes them.
func (s *scene) models(g graph, changes []float64, src *rand.Rand) (first *model, changed map[float64]*model,
	err error) {
	for range mostDraws {
		if first, err = newModel(g, s.Arity, s.NIS, s.NMIS, src); err != nil {
			return nil, nil, err
		}
		signs := randomSigns(g, src)
		changed = make(map[float64]*model)
		if !slices.ContainsFunc(changes, func(c float64) bool {
			if changed[c] == nil {
				changed[c], err = first.change(s.NMIS, c, signs)
			}
			return err != nil
		}) {
			return first, changed, nil
		}
	}
	return nil, nil, err
}

// identical makes the panels in which all series of a class have one model.
func (s *scene) identical(ctx context.Context, first *model, changed map[float64]*model, o origin,
	out *points) error {
	a, err := s.of(first, o.source(forClass, 0))
	if err != nil {
		return err
	}
	netsA, err := s.learn(ctx, a, s.Size)
	if err != nil {
		return err
	}
	linksA, err := fit(ctx, a.scorer, first.graph, worth(s.Size))
	if err != nil {
		return err
	}
	for i, change := range s.Changes {
		second := changed[change]
		b, err := s.of(second, o.source(forChanges, i+1))
		if err != nil {
			return err
		}
		netsB, err := s.learn(ctx, b, s.Size)
		if err != nil {
			return err
		}
		out.outcomes[iid] = append(out.outcomes[iid], s.compare(first.graph, a, b, netsA, netsB))
		linksB, err := fit(ctx, b.scorer, first.graph, worth(s.Size))
		if err != nil {
			return err
		}
		shares := make(map[share][]float64)
		out.known = append(out.known, known{accuracy(first.known(), second.known(), a.test, b.test, shares),
			accuracy(linksA, linksB, a.test, b.test, shares)})
	}
	b, err := s.of(changed[s.Change], o.source(forChanges, 0))
	if err != nil {
		return err
	}
	for _, size := range s.Sizes {
		own := netsA
		if size != s.Size {
			if own, err = s.learn(ctx, a, size); err != nil {
				return err
			}
		}
		other, err := s.learn(ctx, b, size)
		if err != nil {
			return err
		}
		out.outcomes[sampleSize] = append(out.outcomes[sampleSize], s.compare(first.graph, a, b, own, other))
	}
	return nil
}

// violated makes a point with more links that violate the rule; a smaller number of them are the
// first of a larger.
func (s *scene) violated(ctx context.Context, first, second *model, more int, o origin, point int) ([]outcome,
	error) {
	g, err := s.tree.violate(s.rule, first.graph, more, o.source(forViolating, 0))
	if err != nil {
		return nil, err
	}
	src := o.source(forViolating, 1+point)
	// The tables that both have are those of second; the new ones are changed like them.
	var one, changed *model
	for range mostDraws {
		if one, err = first.extend(g, s.Arity, s.NMIS, src); err != nil {
			return nil, err
		}
		if changed, err = one.change(s.NMIS, s.Change, randomSigns(g, src)); err == nil {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	for v, parents := range first.graph {
		if len(parents) > 0 {
			changed.tables[v] = second.tables[v]
		}
	}
	a, err := s.of(one, src)
	if err != nil {
		return nil, err
	}
	b, err := s.of(changed, src)
	if err != nil {
		return nil, err
	}
	return s.both(ctx, g, a, b, s.Size)
}
