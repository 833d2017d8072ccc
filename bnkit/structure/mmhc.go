package structure

import (
	"context"
	"slices"

	"bnlab/bnkit/structure/internal/independence"
)

// MMHC is max–min hill climbing: tests of independence find for each variable those that may be its parents or
// children, and a climb by score joins no others (Tsamardinos, Brown and Aliferis 2006). Required arcs stay. The
// tests are in Result.PairTests.
type MMHC struct {
	IndependenceTests
	HillClimb HillClimb
}

var _ Search = MMHC{}

// String describes the search.
func (m MMHC) String() string {
	return "max–min hill climbing, " + m.IndependenceTests.String() + "; " + m.HillClimb.String()
}

// search implements [Search]. Errors are those of PCStable and HillClimb.
func (m MMHC) search(ctx context.Context, p *task) (*outcome, error) {
	t, err := newTesting(m.IndependenceTests, p, "MMHC")
	if err != nil {
		return nil, err
	}
	if err := m.HillClimb.check(); err != nil {
		return nil, err
	}
	skeleton, err := independence.MMPC(ctx, len(p.Scorer.vars), t, p.Limits, t.settings("parents and children"))
	if err != nil {
		return nil, err
	}
	limits := *p.Limits
	limits.allowed = slices.Clone(limits.allowed)
	for v := range limits.n {
		for u := range limits.n {
			if u != v && !skeleton.Adjacent(u, v) {
				limits.allowed[u*limits.n+v] = false
			}
		}
	}
	climb := *p
	climb.Limits = &limits
	climb.Progress = func(r Progress) {
		r.Done = 0.5 + r.Done/2
		p.Progress(r)
	}
	found, err := m.HillClimb.search(ctx, &climb)
	if found != nil {
		found.Tests = pairTests(p.Scorer, skeleton)
		found.Notes = append(skeletonNotes(skeleton), found.Notes...)
	}
	return found, err
}
