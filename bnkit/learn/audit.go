package learn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn/internal/statement"
	"bnlab/bnkit/learn/internal/verdict"
	"bnlab/internal/interrupt"
	"bnlab/internal/say"
)

// AuditSettings govern an [Result.Audit]. Nil means the defaults.
type AuditSettings struct {
	// Simulations is the number of simulated data sets behind the weights of a chi-bar-square distribution, or, of
	// cases with missing cells, of those that a p-value counts. 0 means as many as the words need (Besag and Clifford
	// 1991): 500 and 99, and twice as many again, up to eight times, until the adjusted p-value is on one side of each
	// limit of the words with an error below 1 %.
	Simulations int
	// Seed and Stream are those of the simulations, as in [Settings].
	Seed, Stream uint64
	// SkipMissing is for bnkit.AuditKnowledge, and as in [Settings]: it leaves a row out of the counts of
	// each table in which it has a missing cell, instead of refusing the rows.
	SkipMissing bool
	// Method is for bnkit.AuditKnowledge: how the model is fitted, for example by [EM] where cells are missing or
	// a variable is hidden; nil means [ML]. Its statements are those of the file.
	Method Method
	// Workers bounds the number of processors of simulations with missing cells; 0 means all. Results do not
	// depend on it.
	Workers int
	// HeldOut, when not nil, are other cases, such as bnkit.Table makes of a frame: a statement that the cases of the
	// fit suggested (package sharing) is tested on these, in a fit of its own. Without them it is not tested.
	HeldOut data.Source
	// Pseudocount is added to each count in Bayes factors; 0 is the uniform prior of each
	// distribution.
	Pseudocount float64
	// Progress, when not nil, is called after each statement; nb.Progress shows it. An audit that
	// is interrupted calls it once more, with total lowered to done.
	Progress func(done, total int)
}

// A Verdict weighs one statement against the data, given the others.
type Verdict struct {
	Statement constraint.Constraint
	// Cost is the log-likelihood that the statement costs, in nats: the maximum without it
	// less the maximum with it.
	Cost float64
	// Degrees is the number of dimensions that it takes from the parameters at the estimate:
	// equalities, and inequalities that hold with equality.
	Degrees int
	// PValue is the probability of a cost as large if the statement is true, in large
	// samples: chi-square with Degrees, or, for inequalities, a mixture of chi-squares
	// (chi-bar-square) with simulated weights. NaN is never given: HasPValue says if it is
	// there.
	PValue    float64
	HasPValue bool
	// PError is the standard error of PValue, 0 where it is not simulated.
	PError float64
	// HolmPValue is PValue adjusted for the number of statements in the audit, by the method of Holm (1979): of
	// statements that are all true, one has a value below 0.05 in at most one audit of twenty.
	HolmPValue float64
	// LogBayesFactor is the logarithm of the probability of the data with the statement over
	// that without it: above 0 the data favour it. HasBayesFactor says if there is one: not
	// for curved statements, improper priors, and sets of more than 20 dimensions, or
	// counts, that are too large to simulate.
	LogBayesFactor  constraint.Estimate
	HasBayesFactor  bool
	HasInequalities bool // the p-value is of the chi-bar-square kind
	// Method says where the numbers come from, as in "chi-bar-square, Bayes factor simulated".
	Method string
	// Against are the contexts, or distributions, that the cost comes from, the dearest first; nil where the
	// statement speaks of one only.
	Against []string
	// Words is the verdict in words, by HolmPValue and the Bayes factor; docs/verdicts.md has how often each is said of
	// true and of false statements.
	Words string
}

// Audit weighs each statement of a fit against the data, one at a time, with all other
// statements kept. Costs are in maximum likelihood, whatever the method of the fit was; statements at a price
// ([constraint.AtPrice]) are weighed as if they had to hold. With
// many statements some p-values are small by chance, one in twenty below 0.05; Words go by HolmPValue. Weight
// statements of linear-Gaussian nodes have a cost and a p-value.
//
// A statement that the same cases suggested (package sharing) is not tested, since it would hold in them by
// construction: Words says so, and AuditSettings.HeldOut names other cases to test it on. Nor is one tested that no
// case speaks of: none in the distributions that it is about, or in one only of those that it compares.
//
// Where cells are missing or variables hidden, the maxima are those of [EM] with the settings of the fit, each fit also
// from where the other ended, so that no statement gains by a better start. The p-value is that of a parametric
// bootstrap: (1 + the number of likelihood ratios as large) / (1 + Simulations), in data sets drawn from the estimate
// under all statements with the same cells missing and fitted in the same way. The
// Bayes factor is by the approximation of Cheeseman and Stutz (1996), which bounds each of its marginal likelihoods
// from below, and is none with continuous variables. Verdict.Method says so.
//
// It returns an error for expected counts without their rows (a loaded model, or [FitCases]), and for tables made by
// parametric CPDs or fitted to a conditional likelihood.
//
// Each statement takes a fit without it; one with inequalities that costs something takes two
// more for each simulation, and its Bayes factor about a second where it is simulated. When
// ctx is done, its error comes together with a verdict for each statement, of which those that were
// not weighed say so in Words and have no numbers; with none when no statement was weighed.
func (r *Result) Audit(ctx context.Context, set *AuditSettings) ([]Verdict, error) {
	if r == nil || r.Net == nil {
		return nil, errors.New("learn: nothing was fitted")
	}
	if r.Counts == nil && r.Moments == nil {
		return nil, errors.New("learn: Audit needs the counts of the fit; fit again")
	}
	if set == nil {
		set = &AuditSettings{}
	}
	if set.Simulations < 0 || set.Simulations > maxSimulations {
		return nil, fmt.Errorf("learn: Simulations is %d; give a number up to %d, or 0 for the default",
			set.Simulations, maxSimulations)
	}
	if err := (MAP{Pseudocount: set.Pseudocount}).check(); err != nil {
		return nil, err
	}
	bare := *r // without prices
	bare.Statements = statement.Bare(r.Statements)
	r = &bare
	w, err := newWeigher(ctx, r, set)
	if err != nil {
		return nil, err
	}
	var elsewhere weigher
	isSuggested, err := r.Suggested()
	if err == nil && set.HeldOut != nil && slices.Contains(isSuggested, true) {
		elsewhere, err = heldOut(ctx, r, set, isSuggested)
	}
	if err != nil {
		return nil, err
	}
	if len(r.Statements) == 0 && r.Weighing != nil && len(r.Weighing.Statements) > 0 {
		return nil, fmt.Errorf("learn: all %d statements of the fit are weighed and none is imposed, so there is "+
			"nothing to audit; print the fit for how probable each is (Result.Weighing), or fit under them by "+
			"learn.MAP", len(r.Weighing.Statements))
	}
	verdicts, found := make([]Verdict, len(r.Statements)), make([]evidence, len(r.Statements))
	var ended error
	for i, s := range r.Statements {
		switch {
		case !isSuggested[i]:
			verdicts[i], found[i], err = w.weigh(ctx, i)
		case elsewhere != nil:
			verdicts[i], found[i], err = elsewhere.weigh(ctx, i)
			verdicts[i].Method += ", on held-out cases"
		default:
			verdicts[i] = Verdict{Statement: s, Cost: math.NaN(), Words: verdict.SameCases}
		}
		if err == nil && found[i].isFree && !found[i].hasCases {
			v := &verdicts[i]
			v.Words, v.Method, v.PValue, v.HasPValue = verdict.NoCases, "", 0, false
			v.LogBayesFactor, v.HasBayesFactor = constraint.Estimate{}, false
		}
		if err != nil && i > 0 && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			for k, s := range r.Statements[i:] {
				verdicts[i+k] = Verdict{Statement: s, Cost: math.NaN(),
					Words: fmt.Sprintf("not weighed: interrupted after %d of %d statements", i, len(verdicts))}
			}
			interrupt.Last(set.Progress, i, len(verdicts))
			ended = say.Errorf("learn: %q: %w", s, err)
			break
		}
		if err != nil {
			return nil, say.Errorf("learn: %q: %w", s, err)
		}
		if set.Progress != nil {
			set.Progress(i+1, len(verdicts))
		}
	}
	if ended == nil && set.Simulations == 0 {
		err := settle(ctx, verdicts, found, func(i int) weigher {
			if isSuggested[i] {
				return elsewhere
			}
			return w
		})
		switch {
		case err == nil:
		case ctx.Err() != nil && errors.Is(err, ctx.Err()):
			ended = say.Errorf("learn: more simulations: %w", err)
		default:
			return nil, say.Errorf("learn: %w", err)
		}
	}
	conclude(r.Net, verdicts, found)
	if ended != nil {
		return verdicts, ended
	}
	tables := w.tables()
	redundant, err := tables.Redundant()
	if err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	for _, at := range redundant {
		// tables holds the statements about tables, in the same order
		for i := range verdicts {
			if verdicts[i].Words != verdict.SameCases && same(verdicts[i].Statement, tables.Statements()[at]) {
				verdicts[i].Words = verdict.CannotMatter
			}
		}
	}
	return verdicts, nil
}

// A weigher finds the numbers of a verdict.
type weigher interface {
	// weigh weighs the statement with that number, the others being kept.
	weigh(ctx context.Context, i int) (Verdict, evidence, error)
	// simulate goes on with the simulations of the statement with that number until there are count.
	simulate(ctx context.Context, i, count int, p *verdict.Simulated) error
	// tables is the problem under all statements.
	tables() *constraint.Problem
}

// evidence is what a verdict is put into words by, besides its numbers.
type evidence struct {
	isFree   bool               // the cost is nothing but what rounding and searching leave
	hasCases bool               // the cases could cost it something
	cost     []float64          // by table entry; nil for weights
	p        *verdict.Simulated // nil for one that is not simulated
}

func newWeigher(ctx context.Context, r *Result, set *AuditSettings) (weigher, error) {
	if r.Expected {
		return newIncompleteAudit(ctx, r, set)
	}
	return newAudit(r, set)
}

// Suggested reports of each of Statements whether the cases of the fit suggested it (package sharing): it carries the
// hash of their counts. With missing cells these are the counts of the rows that are complete in the table, as
// SkipMissing makes them. Nothing that the same cases say of such a statement counts as evidence for it.
func (r *Result) Suggested() ([]bool, error) {
	is := make([]bool, len(r.Statements))
	var counts *data.Counts
	for i, s := range r.Statements {
		var of, by string
		switch s := s.(type) {
		case constraint.ShareStates:
			of, by = s.Var, s.SuggestedBy
		case constraint.ShareAcross:
			of, by = s.Var, s.SuggestedBy
		}
		if by == "" {
			continue
		}
		v, err := r.Net.Index(of)
		if err != nil {
			return nil, say.Errorf("learn: %q: %w", s, err)
		}
		if counts == nil {
			counts = &data.Counts{Layout: r.Net.Layout(), N: r.Counts}
			if r.Expected && r.rows != nil {
				c, err := planned(context.Background(), r.Net, r.rows.table, EM{}, &Settings{})
				if err != nil {
					return nil, say.Errorf("learn: %w", err)
				}
				counts.N = make([]float64, len(r.Counts))
				c.AddObserved(counts.N)
			}
		}
		is[i] = counts.Hash(v) == by
	}
	return is, nil
}

// heldOut is the audit of the same statements on other cases; nil if these suggested them too.
func heldOut(ctx context.Context, r *Result, set *AuditSettings, isSuggested []bool) (weigher, error) {
	var m Method = ML{Constraints: r.Statements}
	if t, ok := set.HeldOut.(*data.Table); r.Expected || ok && t != nil && !t.IsComplete() {
		m = EM{Constraints: r.Statements}
	}
	other, err := Fit(ctx, r.Net, set.HeldOut, m, &Settings{Workers: set.Workers, Seed: set.Seed, Stream: set.Stream})
	if err != nil {
		return nil, say.Errorf("%w (HeldOut in AuditSettings)", err)
	}
	again, err := other.Suggested()
	for i, is := range again {
		if is && isSuggested[i] {
			return nil, say.Errorf("learn: the cases in HeldOut have the counts that suggested %q; give others",
				r.Statements[i])
		}
	}
	if err != nil {
		return nil, err
	}
	return newWeigher(ctx, other, set)
}

// read sets the p-value from simulations.
func (v *Verdict) read(p *verdict.Simulated) {
	v.PValue, v.PError = p.P()
	if p.IsCounted {
		v.Method = fmt.Sprintf("EM, bootstrap of %d", p.Draws)
	}
}

// settle simulates more data sets, for those statements whose words are open, until they are not.
func settle(ctx context.Context, verdicts []Verdict, found []evidence, by func(i int) weigher) error {
	for range verdict.Looks - 1 {
		low, high := make([]float64, 0, len(verdicts)), make([]float64, 0, len(verdicts))
		var tested []int
		for i, v := range verdicts {
			if v.Words == verdict.SameCases {
				continue
			}
			from, to := math.NaN(), math.NaN()
			switch {
			case found[i].p != nil:
				from, to = found[i].p.Bounds()
			case v.HasPValue:
				from, to = v.PValue, v.PValue
			}
			tested, low, high = append(tested, i), append(low, from), append(high, to)
		}
		open := verdict.Unsettled(low, high)
		if len(open) == 0 {
			return nil
		}
		for _, k := range open {
			i := tested[k]
			p := *found[i].p
			if err := by(i).simulate(ctx, i, 2*p.Draws, &p); err != nil {
				return say.Errorf("%q: %w", verdicts[i].Statement, err)
			}
			before := fmt.Sprintf("bootstrap of %d", found[i].p.Draws)
			*found[i].p = p
			v := &verdicts[i]
			v.PValue, v.PError = p.P()
			v.Method = strings.Replace(v.Method, before, fmt.Sprintf("bootstrap of %d", p.Draws), 1)
		}
	}
	return nil
}

// conclude adjusts the p-values for their number, and puts the verdicts that have no words yet into words.
func conclude(net *bn.Network, verdicts []Verdict, found []evidence) {
	var p []float64
	var tested []int
	for i, v := range verdicts {
		switch {
		case v.Words == verdict.SameCases:
			continue
		case v.HasPValue:
			p = append(p, v.PValue)
		default:
			p = append(p, math.NaN())
		}
		tested = append(tested, i)
	}
	for k, adjusted := range verdict.Holm(p) {
		i := tested[k]
		v := &verdicts[i]
		if v.HasPValue {
			v.HolmPValue = adjusted
		}
		if v.Words != "" {
			continue
		}
		hasP := v.HasPValue
		if p := found[i].p; p != nil && p.IsOpen() && verdict.IsFine(v.HolmPValue) {
			hasP = false // so few simulations could not say otherwise
		}
		f := verdict.Facts{P: v.HolmPValue, HasP: hasP, LogBayesFactor: v.LogBayesFactor.Value,
			HasBayesFactor: v.HasBayesFactor, HasInequalities: v.HasInequalities, IsFree: found[i].isFree}
		if found[i].cost != nil {
			v.Against, f.HasSeveral, f.IsOppositeOpen = verdict.Contexts(net, v.Statement, found[i].cost)
			f.Contexts = v.Against
		}
		v.Words = f.Words()
	}
}

// defaultWeights is how many data sets are simulated first for the weights of a chi-bar-square distribution.
const defaultWeights = 500

// maxSimulations bounds the simulated data sets of a p-value.
const maxSimulations = 100000

// same reports whether two statements are the same sentence.
func same(a, b constraint.Constraint) bool { return a.String() == b.String() }
