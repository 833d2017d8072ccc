package graphs

import (
	"context"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/metric"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/hierarchy"
	"bnlab/internal/say"
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

	sharing      = "sharing"
	noisyOR      = "noisy-OR"
	several      = "several" // tiers, signs, sharing and noisy-OR
	falseSharing = "sharing, ¼ mixed up"
	falseNoisyOR = "noisy-OR, ¼ turned round"
	falseSeveral = "several, ¼ false"
)

// mostParents bounds the parents of all learners: with few cases no test separates some pairs, and tables of many
// parents under many signs take seconds. Of the true graphs one variable of alarm has more.
const mostParents = 3

// aboutTables are the learners that believe statements on tables other than signs, alone or with others.
var aboutTables = []string{sharing, noisyOR, several, falseSharing, falseNoisyOR, falseSeveral}

// learners are those of a network; only simulated ones have groups.
func learners(network string) []string {
	list := []string{none, tiers, signs, both, falseTiers, falseSigns, pc, mmhc}
	switch network {
	case simulated:
		return append(list, grouped)
	case simulatedCauses:
		list = []string{none, tiers, signs}
	}
	return append(list, aboutTables...)
}

// A belief is what a learner takes for true.
type belief struct {
	tiers      [][]string
	statements []constraint.Constraint
}

// A study is a truth with what is said of it.
type study struct {
	truth *bn.Network
	said  map[string]belief // by learner; those without believe nothing
	climb structure.HillClimb
}

// newStudy makes what is false of tiers and signs by the first source and of the rest by the second.
func newStudy(truth *bn.Network, orders int, rng, rng2 *rand.Rand) (*study, error) {
	g := truth.DAG()
	tier := tierOf(g)
	trueTiers, wrongTiers := named(g, tier), named(g, misplace(tier, rng))
	influences, err := signsOf(truth)
	if err != nil {
		return nil, err
	}
	trueSigns, wrongSigns := listed(influences), listed(reverse(influences, rng))
	rows, ors := contextsOf(truth), noisyORsOf(truth)
	wrongRows, err := mixUp(truth, rows, rng2)
	if err != nil {
		return nil, err
	}
	wrongORs, err := turnRound(truth, ors, rng2)
	if err != nil {
		return nil, err
	}
	return &study{truth: truth, climb: structure.HillClimb{Orders: orders}, said: map[string]belief{
		tiers:        {tiers: trueTiers},
		signs:        {statements: trueSigns},
		both:         {trueTiers, trueSigns},
		falseTiers:   {tiers: wrongTiers},
		falseSigns:   {statements: wrongSigns},
		sharing:      {statements: rows},
		noisyOR:      {statements: ors},
		several:      {trueTiers, together(trueSigns, rows, ors)},
		falseSharing: {statements: wrongRows},
		falseNoisyOR: {statements: wrongORs},
		falseSeveral: {wrongTiers, together(wrongSigns, wrongRows, wrongORs)},
	}}, nil
}

func listed(signs []constraint.Influence) []constraint.Constraint {
	list := make([]constraint.Constraint, len(signs))
	for i, x := range signs {
		list[i] = x
	}
	return list
}

// together are statements of all kinds. A table that is said to be a noisy-OR shares no rows beside.
func together(signs, rows, ors []constraint.Constraint) []constraint.Constraint {
	list := append(slices.Clone(signs), ors...)
	for _, s := range rows {
		if !slices.ContainsFunc(ors, func(or constraint.Constraint) bool {
			return or.(constraint.NoisyOR).Child == s.(constraint.ShareAcross).Var
		}) {
			list = append(list, s)
		}
	}
	return list
}

// believes reports whether a learner has something to believe; those that believe nothing by design have too.
func (s *study) believes(learner string) bool {
	b, ok := s.said[learner]
	return !ok || len(b.tiers) > 0 || len(b.statements) > 0
}

// find learns the graph.
func (s *study) find(ctx context.Context, learner string, cases *data.Table) (*bn.DAG, error) {
	rules := &structure.Rules{MaxParents: mostParents, Tiers: s.said[learner].tiers}
	var how structure.Search = s.climb
	switch learner {
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
	found, err := structure.Learn(ctx, cases, s.score(learner), how, &structure.Settings{Rules: rules, Workers: 1})
	if err != nil {
		return nil, say.Errorf("%s: %w", learner, err)
	}
	return found.DAG, nil
}

// score is BIC, under what a learner says of tables.
func (s *study) score(learner string) structure.Score {
	if list := s.said[learner].statements; len(list) > 0 {
		return structure.Constrained{Statements: list}
	}
	return structure.BIC{}
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
	net, err := networkOf(g, cases)
	if err != nil {
		return Errors{}, err
	}
	method := learn.MAP{Pseudocount: 1}
	for _, x := range s.said[learner].statements {
		if _, err := x.Bind(net); err == nil { // otherwise it speaks of parents that are not all there
			method.Constraints = append(method.Constraints, x)
		}
	}
	e.HeldOut, err = heldOut(ctx, net, cases, test, method, nil)
	if err != nil {
		return Errors{}, say.Errorf("%s: %w", learner, err)
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

// networkOf is a network without tables of the variables of cases.
func networkOf(g *bn.DAG, cases *data.Table) (*bn.Network, error) {
	byName := make(map[string]bn.Variable)
	for _, v := range cases.Variables() {
		byName[v.Name] = v
	}
	vars := make([]bn.Variable, g.Len())
	for v := range vars {
		vars[v] = byName[g.Name(v)]
	}
	return bn.NewNetwork(g, vars)
}

// heldOut is the mean log score of a network whose tables are fitted.
func heldOut(ctx context.Context, net *bn.Network, cases, test *data.Table, method learn.Method,
	set *learn.Settings) (float64, error) {
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
