package structure

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/dbn"
	"bnlab/internal/pool"
)

// A DynamicResult is a dynamic network that was learned: the parents of each variable in the slice
// before, and in the same slice where that was asked for.
type DynamicResult struct {
	// Network has this structure and uniform tables; fit them with [dbn.Fit]. It is nil when it
	// cannot be written, such as with a colon in a name; Notes say so.
	Network   *dbn.Network
	Variables []bn.Variable // of one slice
	Score     float64       // natural logarithm, priors included: the sum over Families
	ScoreName string        // in words
	Search    string        // in words
	// Families are those of the variables in a slice that has a previous one. Parents in the
	// previous slice are called rain[t-1].
	Families []FamilyScore
	// Parents are what the search returned for each variable. Sets number the variables of the
	// source.
	Parents []Parents
	Scored  int           // families that were looked at
	Took    time.Duration // from start to end
	// Interrupted: a done context ended the search; variables that it did not reach have their required
	// parents only. Notes name them.
	Interrupted bool
	Notes       []string
}

// Model returns the model string, as [dbn.New] reads it.
func (r *DynamicResult) Model() string {
	var b strings.Builder
	for _, f := range r.Families {
		fmt.Fprintf(&b, "[%s", f.Child)
		for i, p := range f.Parents {
			b.WriteString([]string{"|", ":"}[min(i, 1)] + p)
		}
		b.WriteString("]")
	}
	return b.String()
}

// MeanParents returns the mean number of parents of a variable.
func (r *DynamicResult) MeanParents() float64 {
	arcs := 0
	for _, f := range r.Families {
		arcs += len(f.Parents)
	}
	return float64(arcs) / float64(max(len(r.Families), 1))
}

// String prints the network, its score and each family.
func (r *DynamicResult) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s %.4f over %d variables, %.2f parents each on average, by %s; %d families scored\n",
		r.Model(), r.ScoreName, r.Score, len(r.Families), r.MeanParents(), r.Search, r.Scored)
	for _, f := range r.Families {
		fmt.Fprintf(&b, "  %s given %s: %.4f\n", f.Child, listOr(f.Parents, "nothing"), f.Score)
	}
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	return b.String()
}

// listOr joins names, or says none.
func listOr(names []string, none string) string {
	if len(names) == 0 {
		return none
	}
	return strings.Join(names, ", ")
}

// LearnDynamic learns the arcs of a dynamic network from pairs of slices, such as [dbn.Series.Transitions]
// returns: for each column name[1] the best parents among the columns of the previous slice,
// name[0]. As these arcs cannot form a cycle, the families are searched one by one, on all processors, and
// the best parents of each form the best network. Nil for how means [GreedyParents].
//
// Arcs within a slice are left out by default: those from a variable of an earlier tier of
// Settings.Rules.Tiers to one of a later tier are candidates too, and Rules.Required may have
// others. Rules name variables as the columns do, such as
//
//	Rules{Tiers: [][]string{{"weather[1]"}, {"mood[1]"}}, Forbidden: []Arc{{"mood[0]", "weather[1]"}}}
//
// It returns an error for a column without its other slice, no column, rules that contradict each other and what
// the search returns. Required arcs contradict when they lead into the slice before, or by variables of no tier
// from a later tier to an earlier one (a [*RuleError]). A graph prior counts at the family's own violations.
// When the context is done it returns its error together with the network so far, if the parents of a variable
// are known. (B06 §3: two columns, and no links within one.)
func LearnDynamic(ctx context.Context, pairs data.Source, score Score, how ParentSearch, set *Settings) (*DynamicResult,
	error) {
	s, err := scorerFor(pairs, score, set)
	if err != nil {
		return nil, err
	}
	return s.LearnDynamic(ctx, how, set)
}

// LearnDynamic is the function [LearnDynamic] with the counts, the score, the family prior and the missing
// cells' policy of s, to share counts between runs. Settings.Missing and Settings.Prior are
// not used.
func (s *Scorer) LearnDynamic(ctx context.Context, how ParentSearch, set *Settings) (*DynamicResult, error) {
	begin := time.Now()
	if set == nil {
		set = &Settings{}
	}
	if how == nil {
		how = GreedyParents{}
	}
	if s == nil {
		return nil, errors.New("structure: no scorer; make one with NewScorer")
	}
	if err := s.Discrete(); err != nil {
		return nil, err
	}
	two, err := slicesOf(s.Variables())
	if err != nil {
		return nil, err
	}
	limits, err := set.Rules.Bind(s.Variables())
	if err != nil {
		return nil, err
	}
	if set.Rules != nil && set.Rules.Start != nil {
		return nil, errors.New("structure: searches of one variable's parents at a time do not start from a graph; " +
			"leave Rules.Start nil")
	}
	tiers := tiersOf(set.Rules)
	if err := checkRequired(s.Variables(), limits, two, tiers); err != nil {
		return nil, err
	}
	r := &DynamicResult{ScoreName: s.name, Search: how.String(), Parents: make([]Parents, len(two)),
		Families: make([]FamilyScore, len(two))}
	errs := make([]error, len(two))
	var mutex sync.Mutex
	done := 0
	far := follow(set.Progress)
	pool.Each(len(two), pool.Workers(set.Workers), func(i int) {
		r.Parents[i], errs[i] = two[i].search(ctx, s, how, set.GraphPrior, limits, two, tiers)
		mutex.Lock()
		defer mutex.Unlock()
		if errs[i] == nil {
			done++
			far.report(Progress{Done: float64(done) / float64(len(two)), Score: r.Parents[i].Score,
				What: "parents of " + two[i].name})
		}
	})
	var left []string
	var interrupted error
	for i, err := range errs {
		switch {
		case err == nil:
			continue
		case !isDone(ctx, err):
			return nil, err
		}
		left, interrupted = append(left, two[i].name), ctx.Err()
	}
	ctx = context.WithoutCancel(ctx) // for what is quick
	if interrupted != nil {
		far.interrupted()
		if done == 0 {
			return nil, interrupted
		}
		for i, err := range errs {
			if err == nil {
				continue
			}
			if r.Parents[i], err = two[i].required(ctx, s, set.GraphPrior, limits); err != nil {
				return nil, err
			}
		}
		r.Interrupted = true
		r.Notes = append(r.Notes,
			fmt.Sprintf("interrupted at %.0f %%: no parents were looked for, or not to the end, of %s",
				100*far.last.Done, strings.Join(left, ", ")))
	}
	r.gather(s.Variables(), two)
	about, err := s.Notes(ctx, r.parents(len(s.vars), two))
	if err != nil {
		return nil, err
	}
	r.Notes = append(r.Notes, about...)
	r.Took = time.Since(begin)
	if interrupted == nil {
		far.done(far.last.Score)
	}
	return r, interrupted
}

// parents are those of each of n columns.
func (r *DynamicResult) parents(n int, two []slicePair) [][]int {
	parents := make([][]int, n)
	for i, v := range two {
		parents[v.after] = r.Parents[i].Set
	}
	return parents
}

// gather fills in what follows from the parents.
func (r *DynamicResult) gather(vars []bn.Variable, two []slicePair) {
	called := make(map[int]string)
	for _, v := range two {
		called[v.before], called[v.after] = v.name+"[t-1]", v.name
	}
	for i, v := range two {
		p := r.Parents[i]
		r.Variables = append(r.Variables, bn.Variable{Name: v.name, States: vars[v.after].States,
			Sorted: vars[v.after].Sorted})
		r.Families[i] = FamilyScore{Child: v.name, Score: p.Score}
		for _, u := range p.Set {
			r.Families[i].Parents = append(r.Families[i].Parents, called[u])
		}
		r.Score += p.Score
		r.Scored += p.Scored
	}
	var err error
	if r.Network, err = dbn.New(r.Model(), r.Variables...); err != nil {
		r.Notes = append(r.Notes, fmt.Sprintf("there is no network of this structure: %v", err))
	}
}
