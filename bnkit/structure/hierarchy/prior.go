package hierarchy

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/internal/rounding"
	"bnlab/internal/say"
)

// Prior turns an assumption into a prior of structures (B06 §2.2),
//
//	P(B_S) = Z / (1 + α v)
//
// with v the number of links that violate it, and searches for a structure with a high
//
//	Σ_j score(X_j | Pa(X_j)) − log(1 + α v)
//
// The prior is not a product over families, because v sums over all of them, and under a
// family-wise assumption a family decides which links below it are counted. The search is a
// coordinate ascent: it visits the variables level by level and replaces each one's parents by the
// best, among all variables, given the other families and the v of the whole, until no visit
// improves. It starts from the result of the assumption's own search and from that of a flat
// search, and returns the better local maximum.
//
// The first violation costs log(1 + α), and each further one ever less, about log 2 the second:
// a finite α does little against many. α = 0 is the flat search. An infinite α is the
// assumption's own search, with [ParentWise] Obedient, or for a user's own rule a climb from no
// links.
//
// Misprint: the last indicator of v_rf is printed for X_i ∈ Λ^{X_i}_{X_i}, the relatives of
// X_i itself; as in the definition it must be those of X_j.
type Prior struct {
	Rule  Rule    // nil means ParentWise{}
	Alpha float64 // α ≥ 0; infinite for the hard rule
	// By is also used in the rule's own search where that names none; nil means structure.ByCandidates{}.
	By structure.ParentSearch
}

var _ Search = Prior{}

// mostPasses bounds the passes of a climb, each of which raises the score.
const mostPasses = 100

// LogPrior returns −log(1 + α v).
func (p Prior) LogPrior(violations float64) float64 {
	if violations == 0 {
		return 0
	}
	return -math.Log1p(p.Alpha * violations)
}

func (p Prior) String() string {
	return fmt.Sprintf("prior 1/(1 + %v v), v the links that break the assumption of the %s; climb by parents, by %s",
		p.Alpha, p.assumption(), searchOrDefault(p.By))
}

func (p Prior) assumption() Rule {
	if p.Rule == nil {
		return ParentWise{}
	}
	return p.Rule
}

func (p Prior) search(ctx context.Context, r *run) (Links, error) {
	if !(p.Alpha >= 0) {
		return nil, say.Errorf("hierarchy: the α of a hierarchy's prior is %v; it must be at least 0", p.Alpha)
	}
	switch {
	case p.Alpha == 0:
		r.expect(r.h.Len())
		return p.flat(ctx, r)
	case !math.IsInf(p.Alpha, 1):
		r.expect(r.h.Len() * (r.h.Levels() + 6)) // the assumption's search, the flat one, and two climbs of two passes
	}
	hard, own, err := p.hard(ctx, r)
	if err != nil || own && math.IsInf(p.Alpha, 1) {
		return hard, err
	}
	starts := []Links{hard}
	if !math.IsInf(p.Alpha, 1) {
		flat, err := p.flat(ctx, r)
		if err != nil {
			return nil, err
		}
		starts = append(starts, flat)
	}
	best, high := Links(nil), math.Inf(-1)
	for _, start := range starts {
		links, score, err := p.climb(ctx, r, start)
		if err != nil {
			return nil, err
		}
		if best == nil || score > high {
			best, high = links, score
		}
	}
	return best, nil
}

// hard is the result of the assumption's own search, or no links at all when it has none.
func (p Prior) hard(ctx context.Context, r *run) (links Links, own bool, err error) {
	var how Search
	switch rule := p.assumption().(type) {
	case ParentWise:
		rule.Obedient, rule.By = true, cmp.Or(rule.By, p.By)
		how = rule
	case FamilyWise:
		rule.By = cmp.Or(rule.By, p.By)
		how = rule
	default:
		return make(Links, r.h.Len()), false, nil
	}
	links, err = how.search(ctx, r)
	return links, true, err
}

// flat is the best parents of each variable whatever the hierarchy.
func (p Prior) flat(ctx context.Context, r *run) (Links, error) {
	links := make(Links, r.h.Len())
	report := r.report("flat")
	err := r.each(r.h.Len(), func(j int) error {
		var err error
		links[j], err = r.best(ctx, report, r.scores, searchOrDefault(p.By), j, r.h.all(), r.limit(j))
		return err
	})
	if err != nil {
		return nil, err
	}
	return links, r.mend(ctx, links, nil)
}

// climb improves links, one variable at a time, until no visit does.
func (p Prior) climb(ctx context.Context, r *run, links Links) (Links, float64, error) {
	links = links.clone()
	report := r.report("climb")
	high, err := p.score(ctx, r, links)
	if err != nil {
		return nil, 0, err
	}
	for range mostPasses {
		before := high
		for j := range links {
			set, err := r.best(ctx, report, r.withTerm(p.term(r, links, j)), searchOrDefault(p.By), j, r.free(links, j),
				r.limit(j))
			if err != nil {
				return nil, 0, err
			}
			was := links[j]
			links[j] = set
			score, err := p.score(ctx, r, links)
			if err != nil {
				return nil, 0, err
			}
			if rounding.IsBetter(score, high) {
				high = score
			} else {
				links[j] = was
			}
		}
		if high == before {
			break
		}
	}
	return links, high, nil
}

// term is the log prior as a function of the parents of j.
func (p Prior) term(r *run, links Links, j int) func(parents []int) float64 {
	rule := p.assumption()
	touched := append([]int{j}, r.h.below[j]...)
	rest := r.h.Violations(rule, links)
	for _, c := range touched {
		rest -= r.h.violationsOf(rule, links, c)
	}
	return func(parents []int) float64 {
		with := slices.Clone(links)
		with[j] = parents
		v := rest
		for _, c := range touched {
			v += r.h.violationsOf(rule, with, c)
		}
		return max(p.LogPrior(float64(v)), -sizeGap*float64(v))
	}
}

// score is that of a whole structure.
func (p Prior) score(ctx context.Context, r *run, links Links) (float64, error) {
	total := p.LogPrior(float64(r.h.Violations(p.assumption(), links)))
	for j := range links {
		score, err := r.family(ctx, links, j)
		if err != nil {
			return 0, err
		}
		total += score
	}
	return total, nil
}

// family is the score of one family.
func (r *run) family(ctx context.Context, links Links, j int) (float64, error) {
	scores, err := r.scores.Families(ctx, r.child[j], [][]int{r.numbers(links[j])})
	if err != nil {
		return 0, err
	}
	return scores[0], nil
}

// free returns the variables that may become parents of j without a cycle.
func (r *run) free(links Links, j int) []int {
	if !r.static || r.order != nil {
		return r.h.all()
	}
	after := make([]bool, len(links)) // j and what it leads to
	after[j] = true
	for again := true; again; {
		again = false
		for c, parents := range links {
			if !after[c] && slices.ContainsFunc(parents, func(p int) bool { return after[p] }) {
				after[c], again = true, true
			}
		}
	}
	var free []int
	for v := range links {
		if !after[v] {
			free = append(free, v)
		}
	}
	return free
}
