package graphs

import (
	"context"
	"fmt"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/metric"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/hierarchy"
)

// Names of the learners.
const (
	none       = "none"
	tiers      = "tiers"
	signs      = "signs"
	both       = "tiers and signs"
	grouped    = "hierarchy"
	falseTiers = "tiers, ¼ misplaced"
	falseSigns = "signs, ¼ reversed"
	pc         = "PC-stable"
	mmhc       = "MMHC"
)

// mostParents bounds the parents of all learners: with few cases no test separates some pairs, and tables of many
// parents under many signs take seconds. Of the true graphs one variable of alarm has more.
const mostParents = 3

// learners are those of a network; only simulated ones have groups.
func learners(network string) []string {
	list := []string{none, tiers, signs, both, falseTiers, falseSigns, pc, mmhc}
	if network == simulated {
		list = append(list, grouped)
	}
	return list
}

// A study is a truth with what is said of it.
type study struct {
	truth             *bn.Network
	tiers, falseTiers [][]string
	signs, falseSigns []constraint.Influence
	climb             structure.HillClimb
}

func newStudy(truth *bn.Network, orders int, rng *rand.Rand) (*study, error) {
	s := &study{truth: truth, climb: structure.HillClimb{Orders: orders}}
	g := truth.DAG()
	tier := tierOf(g)
	s.tiers, s.falseTiers = named(g, tier), named(g, misplace(tier, rng))
	var err error
	if s.signs, err = signsOf(truth); err != nil {
		return nil, err
	}
	s.falseSigns = reverse(s.signs, rng)
	return s, nil
}

// statements are those that a learner believes.
func (s *study) statements(learner string) []constraint.Influence {
	switch learner {
	case signs, both:
		return s.signs
	case falseSigns:
		return s.falseSigns
	}
	return nil
}

// find learns the graph.
func (s *study) find(ctx context.Context, learner string, cases *data.Table) (*bn.DAG, error) {
	rules := &structure.Rules{MaxParents: mostParents}
	var score structure.Score = structure.BIC{}
	var how structure.Search = s.climb
	switch learner {
	case tiers, both:
		rules.Tiers = s.tiers
	case falseTiers:
		rules.Tiers = s.falseTiers
	case pc:
		how = structure.PCStable{}
	case mmhc:
		how = structure.MMHC{HillClimb: s.climb}
	case grouped:
		var err error
		if rules.Forbidden, err = betweenGroups(ctx, cases); err != nil {
			return nil, err
		}
	}
	if said := s.statements(learner); said != nil {
		list := make([]constraint.Constraint, len(said))
		for i, x := range said {
			list[i] = x
		}
		score = structure.Constrained{Statements: list}
	}
	found, err := structure.Learn(ctx, cases, score, how, &structure.Settings{Rules: rules, Workers: 1})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", learner, err)
	}
	return found.DAG, nil
}

// betweenGroups are the arcs between groups that a hierarchical search does not link (B06 §2.2, parent-wise).
//
// Deviation: B06's networks have two slices. Within one a composite contains its members, and is the best parent of
// each; so a group is always open to its own members, and the climb that follows sees atomic variables only.
func betweenGroups(ctx context.Context, cases *data.Table) ([]structure.Arc, error) {
	var atomic []string
	var composites []hierarchy.Composite
	for g := range groups {
		c := hierarchy.Composite{Name: groupName(g)}
		for i := range members {
			c.Of = append(c.Of, variableName(g*members+i))
		}
		atomic, composites = append(atomic, c.Of...), append(composites, c)
	}
	h, err := hierarchy.New(atomic, composites...)
	if err != nil {
		return nil, err
	}
	all, err := h.Aggregate(cases, hierarchy.WeightedMean, nil)
	if err != nil {
		return nil, err
	}
	table := all.Table
	for g := range groups {
		cut, err := data.Quantiles{Column: groupName(g), Bins: 3}.Fit(table)
		if err != nil {
			return nil, err
		}
		if table, err = cut.Apply(table); err != nil {
			return nil, err
		}
	}
	r, err := h.LearnStatic(ctx, table, structure.BIC{}, hierarchy.ParentWise{}, nil,
		&structure.Settings{Workers: 1})
	if err != nil {
		return nil, err
	}
	groupOf := make(map[string]int)
	for g, c := range composites {
		groupOf[c.Name] = g
		for _, name := range c.Of {
			groupOf[name] = g
		}
	}
	var joined [groups][groups]bool
	names := h.Names()
	for v, parents := range r.Links {
		for _, u := range parents {
			a, b := groupOf[names[u]], groupOf[names[v]]
			joined[a][b], joined[b][a] = true, true
		}
	}
	var forbidden []structure.Arc
	for _, u := range atomic {
		for _, v := range atomic {
			if a, b := groupOf[u], groupOf[v]; a != b && !joined[a][b] {
				forbidden = append(forbidden, structure.Arc{From: u, To: v})
			}
		}
	}
	return forbidden, nil
}

// Errors are how far a graph is from the truth, and its score.
type Errors struct {
	// Skeleton are pairs that are joined in one of the two graphs only, Arrowheads those joined in both whose arc is
	// directed otherwise in one CPDAG than in the other, or open in one.
	Skeleton, Arrowheads float64
	HeldOut              float64 // log score, nats a case
}

// errorsOf compares graphs.
func errorsOf(truth, found *bn.DAG) (Errors, error) {
	c, err := metric.CompareDAGs(truth, found)
	if err != nil {
		return Errors{}, err
	}
	skeleton := len(c.Missing) + len(c.Extra)
	return Errors{Skeleton: float64(skeleton), Arrowheads: float64(c.ClassDistance - skeleton)}, nil
}

// judge learns a graph and its tables and compares both with the truth.
func (s *study) judge(ctx context.Context, learner string, cases, test *data.Table) (Errors, error) {
	g, err := s.find(ctx, learner, cases)
	if err != nil {
		return Errors{}, err
	}
	e, err := errorsOf(s.truth.DAG(), g)
	if err != nil {
		return Errors{}, err
	}
	method := learn.MAP{Pseudocount: 1}
	for _, x := range s.statements(learner) {
		if hasArc(g, x.Parent, x.Child) {
			method.Constraints = append(method.Constraints, x)
		}
	}
	e.HeldOut, err = heldOut(ctx, g, cases, test, method, nil)
	if err != nil {
		return Errors{}, fmt.Errorf("%s: %w", learner, err)
	}
	return e, nil
}

func hasArc(g *bn.DAG, parent, child string) bool {
	u, err1 := g.Index(parent)
	v, err2 := g.Index(child)
	if err1 != nil || err2 != nil {
		return false
	}
	for _, p := range g.Parents(v) {
		if p == u {
			return true
		}
	}
	return false
}

// heldOut is the mean log score of a graph whose tables are fitted.
func heldOut(ctx context.Context, g *bn.DAG, cases, test *data.Table, method learn.Method,
	set *learn.Settings) (float64, error) {
	byName := make(map[string]bn.Variable)
	for _, v := range cases.Variables() {
		byName[v.Name] = v
	}
	vars := make([]bn.Variable, g.Len())
	for v := range vars {
		vars[v] = byName[g.Name(v)]
	}
	net, err := bn.NewNetwork(g, vars)
	if err != nil {
		return 0, err
	}
	if set == nil {
		set = &learn.Settings{}
	}
	set.Workers = 1
	fit, err := learn.Fit(ctx, net, cases, method, set)
	if err != nil {
		return 0, err
	}
	score, err := metric.LogScore(fit.Net, test)
	return score.Average, err
}
