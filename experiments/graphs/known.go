package graphs

import (
	"context"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/incomplete"
	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// statements are those on tables of all kinds, true, without tiers.
const statements = "statements"

// knowers are the learners of structural EM with missing cells, namers those with a hidden cause that is named.
var (
	knowers = []string{none, tiers, statements, several, falseSeveral}
	namers  = []string{none, tiers, signs, both}
)

// Known are the errors of structural EM that believes something.
type Known struct {
	Gaps  map[string][][]Errors // by learner, share of missing cells and draw
	Named map[string][][]Named  // by learner, size and draw
}

// Named is what was found of a hidden cause that was named beforehand.
type Named struct {
	Errors
	Exact bool // its parents are the three causes, its children the three effects
}

// values are a measure of structural EM by draw.
func (k *Known) values(learner, measure string, share int) []float64 {
	list := make([]float64, len(k.Gaps[learner][share]))
	for i, e := range k.Gaps[learner][share] {
		list[i] = e.of(measure)
	}
	return list
}

// computeKnown runs structural EM under what is known, with missing cells and with a hidden cause.
func computeKnown(ctx context.Context, job *run.Job, c Config) (*Known, error) {
	gaps := make([]map[string][]Errors, c.KnownDraws)
	err := job.Replicates(ctx, "missing cells, under statements", c.KnownDraws, func(draw int, _ *rand.PCG) error {
		var err error
		gaps[draw], err = knownGaps(ctx, c, job.Source(knownStream, draw))
		return err
	})
	if err != nil {
		return nil, err
	}
	hidden := make([]map[string][]Named, c.HiddenDraws)
	err = job.Replicates(ctx, "a named cause, under statements", c.HiddenDraws, func(draw int, _ *rand.PCG) error {
		var err error
		hidden[draw], err = knownCause(ctx, c, job.Source(namedStream, draw))
		return err
	})
	k := &Known{make(map[string][][]Errors), make(map[string][][]Named)}
	for _, l := range knowers {
		k.Gaps[l] = make([][]Errors, len(c.KnownShares))
		for i := range c.KnownShares {
			for _, d := range gaps {
				k.Gaps[l][i] = append(k.Gaps[l][i], d[l][i])
			}
		}
	}
	for _, l := range namers {
		k.Named[l] = make([][]Named, len(c.NamedSizes))
		for i := range c.NamedSizes {
			for _, d := range hidden {
				if err == nil {
					k.Named[l][i] = append(k.Named[l][i], d[l][i])
				}
			}
		}
	}
	return k, err
}

// knownGaps takes cells at random from cases of simulated causes, more and more of the same.
func knownGaps(ctx context.Context, c Config, src *rand.PCG) (map[string][]Errors, error) {
	rng := rand.New(src)
	truth, err := drawCauses(rng)
	if err != nil {
		return nil, err
	}
	s, err := newStudy(truth, c.Orders, rng, rng)
	if err != nil {
		return nil, err
	}
	s.said[statements] = belief{statements: s.said[several].statements}
	full, err := data.Sample(truth, c.KnownCases, src)
	if err != nil {
		return nil, err
	}
	test, err := data.Sample(truth, c.Test, src)
	if err != nil {
		return nil, err
	}
	chance := make([]float64, truth.Len()*full.Rows())
	for i := range chance {
		chance[i] = rng.Float64()
	}
	of := make(map[string][]Errors)
	for _, share := range c.KnownShares {
		gappy, err := without(full, chance, share)
		if err != nil {
			return nil, err
		}
		for _, l := range knowers {
			e, _, err := s.expect(ctx, incomplete.StructuralEM{}, l, gappy, test)
			if err != nil {
				return nil, say.Errorf("%s, a share of %g missing: %w", l, share, err)
			}
			of[l] = append(of[l], e)
		}
	}
	return of, nil
}

// expect runs structural EM under what a learner believes, and then EM with a pseudocount of 1 from its tables.
func (s *study) expect(ctx context.Context, em incomplete.StructuralEM, learner string, cases,
	test *data.Table) (Errors, *bn.DAG, error) {
	rules := &structure.Rules{MaxParents: mostParents, Tiers: s.said[learner].tiers}
	r, err := em.Learn(ctx, cases, s.score(learner), s.climb, &structure.Settings{Rules: rules, Workers: 1})
	if err != nil {
		return Errors{}, nil, err
	}
	e, err := errorsOf(s.truth.DAG(), r.DAG)
	if err != nil {
		return e, nil, err
	}
	method := learn.EM{Pseudocount: 1, Constraints: r.Statements}
	e.HeldOut, err = heldOut(ctx, r.Net, cases, test, method, &learn.Settings{From: r.Net, Starts: 1, Tolerance: 1e-5})
	return e, r.DAG, err
}

// theCauses are above the planted cause.
var theCauses = []string{"I1", "I2", "I3"}

// knownCause plants a hidden cause H of two states, with tables as in [drawNetwork], and names it.
func knownCause(ctx context.Context, c Config, src *rand.PCG) (map[string][]Named, error) {
	rng := rand.New(src)
	var vars []bn.Variable
	for _, name := range append(slices.Clone(theCauses), effects...) {
		vars = append(vars, bn.Discrete(name, "1", "2", "3"))
	}
	truth, err := bn.New("[I1][I2][I3][H|I1:I2:I3][O1|H][O2|H][O3|H]", append(vars, bn.Discrete("H", "1", "2"))...)
	if err != nil {
		return nil, err
	}
	for v := range truth.Len() {
		drawTable(truth, v, rng)
	}
	influences, err := signsOf(truth)
	if err != nil {
		return nil, err
	}
	layers := [][]string{theCauses, {"H"}, effects}
	s := &study{truth: truth, climb: structure.HillClimb{Orders: c.Orders}, said: map[string]belief{
		tiers: {tiers: layers}, signs: {statements: listed(influences)}, both: {layers, listed(influences)}}}
	full, err := data.Sample(truth, c.NamedSizes[len(c.NamedSizes)-1], src)
	if err != nil {
		return nil, err
	}
	test, err := data.Sample(truth, c.Test, src)
	if err != nil {
		return nil, err
	}
	seen := append(slices.Clone(theCauses), effects...)
	if full, err = full.Keep(seen...); err != nil {
		return nil, err
	}
	if test, err = test.Keep(seen...); err != nil {
		return nil, err
	}
	of := make(map[string][]Named)
	for _, n := range c.NamedSizes {
		for _, l := range namers {
			e, g, err := s.expect(ctx, incomplete.StructuralEM{Hidden: map[string]int{"H": 2}}, l, full.Head(n), test)
			if err != nil {
				return nil, say.Errorf("%s, %d cases: %w", l, n, err)
			}
			at, err := g.Index("H")
			if err != nil {
				return nil, err
			}
			of[l] = append(of[l], Named{e, isCause(g, at) && isEffect(g, at)})
		}
	}
	return of, nil
}

// found are 1 where the named cause has its place, by draw.
func found(list []Named) []float64 {
	out := make([]float64, len(list))
	for i, n := range list {
		if n.Exact {
			out[i] = 1
		}
	}
	return out
}
