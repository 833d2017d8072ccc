package learn

import (
	"context"
	"math"
	"slices"

	"bnlab/bnkit/constraint"
	"bnlab/internal/num"
	"bnlab/internal/rows"
	"bnlab/internal/say"
	"bnlab/internal/weigh"
)

// ask finds what a candidate is worth.
func (e *elicitation) ask(ctx context.Context, s constraint.Constraint, seed uint64, workers int) (Question, error) {
	q := Question{Statement: s}
	if slices.ContainsFunc(e.r.Statements, func(c constraint.Constraint) bool { return same(c, s) }) {
		q.Holds, q.Yes = 1, e.set.Reliability
		return q, nil
	}
	at := slices.IndexFunc(e.weighing.Statements, func(b Belief) bool { return same(b.Statement, s) })
	w := &Weighing{Statements: slices.Clone(e.weighing.Statements), Independent: e.weighing.Independent}
	isNew := at < 0
	if isNew {
		at = len(w.Statements)
		w.Statements = append(w.Statements, Belief{Statement: s})
	}
	groups, _, err := w.groups(e.r.Net, e.r.Statements)
	if err != nil {
		return q, err
	}
	var g *group
	for _, one := range groups {
		if slices.Contains(one.statements, at) {
			g = one
		}
	}
	p := g.problem(e.r.Counts, e.pseudo)
	bit := slices.Index(g.statements, at)
	if len(g.cells) == 0 || len(p.Statements[bit]) == 0 {
		return q, say.Errorf("learn: %q says nothing about this network; leave it out of the candidates", s)
	}
	reverse := -1
	if isNew {
		if turned := reversed(p.Statements[bit]); !slices.ContainsFunc(p.Statements, func(list []rows.Row) bool {
			return equalRows(list, turned)
		}) && len(p.Statements) < weigh.MostStatements {
			reverse = len(p.Statements)
			p.Statements = append(p.Statements, turned)
		}
	}
	o := weigh.Options{Draws: e.set.Draws / repeats, Workers: workers, Error: askedError}
	for _, s := range e.likely(g, at) {
		o.Subsets = append(o.Subsets, s&^(1<<bit), s|1<<bit)
		if reverse >= 0 {
			o.Subsets = append(o.Subsets, s&^(1<<bit)|1<<reverse)
		}
	}
	slices.Sort(o.Subsets)
	o.Subsets = slices.Compact(o.Subsets)
	if e.gaps != nil {
		c := candidate{group: g, of: w, bit: bit, reverse: reverse, isNew: isNew}
		return q, e.askGaps(ctx, &q, c, o, seed)
	}
	o.LogPrior = e.logPrior(g, w, bit, reverse, isNew, e.sourceElsewhere(g))
	visits := make([]float64, len(g.rows))
	for i, row := range g.rows {
		visits[i] = e.visits[row]
	}
	return q, e.repeat(ctx, &q, g, p, o, bit, visits, seed)
}

// A said is what a simulation says of a candidate: sums over draws with their weights.
type said struct {
	weight, holds float64
	mean, held    []float64
}

// repeat simulates a candidate some times, unless it is a closed form.
func (e *elicitation) repeat(ctx context.Context, q *Question, g *group, p *weigh.Problem, o weigh.Options, bit int,
	visits []float64, seed uint64) error {
	whole := &weigh.Problem{First: []int{0}}
	for _, r := range g.rows {
		lo, hi := e.r.Net.Layout().Row(r.Var, r.Config)
		whole.First = append(whole.First, whole.First[len(whole.First)-1]+hi-lo)
	}
	var all []said
	for i := range repeats {
		o.Seed = seed + uint64(i)
		list, err := weighCandidate(ctx, q.Statement, p, o, bit)
		if err != nil {
			return err
		}
		weights, _ := weigh.Weights(list, o.LogPrior)
		s := said{weight: 1, mean: make([]float64, len(p.Prior)), held: make([]float64, len(p.Prior))}
		stderr := weigh.Mean(s.mean, list, weights)
		s.holds = weigh.Held(s.held, list, weights, bit)
		s.mean, s.held = g.spread(s.mean, 1), g.spread(s.held, s.holds)
		all = append(all, s)
		if _, of := weigh.Holds(list, weights); stderr == 0 && slices.Max(of) == 0 {
			break
		}
	}
	e.answer(q, whole, all, visits)
	return nil
}

// weighCandidate weighs the subsets, of which some have to leave room for the candidate.
func weighCandidate(ctx context.Context, s constraint.Constraint, p *weigh.Problem, o weigh.Options, bit int) (
	[]*weigh.Subset, error) {
	list, err := weigh.Weigh(ctx, p, o)
	if err != nil {
		return nil, say.Errorf("learn: while %q was weighed: %w", s, err)
	}
	if !slices.ContainsFunc(list, func(s *weigh.Subset) bool { return s.Imposed>>bit&1 == 1 }) {
		return nil, say.Errorf("learn: %q contradicts the statements that are certain, which leave no volume for it; "+
			"leave it out, or give those a strength below 1", s)
	}
	return list, nil
}

// answer fills in what the simulations say together, and the standard error of the gain by leaving out each; it returns
// that of the probability that the candidate holds.
func (e *elicitation) answer(q *Question, p *weigh.Problem, all []said, visits []float64) (ofHolds float64) {
	cells := p.First[len(p.First)-1]
	// without one of them, −1 for none
	ask := func(without int) (float64, weigh.Answer) {
		mean, held, h, n := make([]float64, cells), make([]float64, cells), 0.0, 0.0
		for i, s := range all {
			if i != without {
				h, n = h+s.holds, n+s.weight
				for cell := range cells {
					mean[cell] += s.mean[cell]
					held[cell] += s.held[cell]
				}
			}
		}
		for cell := range cells {
			mean[cell] /= n
			held[cell] /= n
		}
		return h / n, p.Ask(mean, held, h/n, e.set.Reliability, visits)
	}
	var a weigh.Answer
	q.Holds, a = ask(-1)
	q.Yes, q.IfYes, q.IfNo, q.Gain = a.Yes, a.IfYes, a.IfNo, a.Gain()
	if n := len(all); n > 1 { // jackknife
		var total, square [2]float64
		for i := range n {
			holds, a := ask(i)
			for j, x := range []float64{a.Gain(), holds} {
				total[j], square[j] = total[j]+x, square[j]+x*x
			}
		}
		k := float64(n)
		stderr := func(j int) float64 {
			return math.Sqrt(math.Max(0, (k-1)*(square[j]/k-total[j]/k*total[j]/k)))
		}
		q.StdErr, ofHolds = stderr(0), stderr(1)
	}
	return ofHolds
}

// isElsewhere reports whether a group of the fit has no statement of this one.
func (g *group) isElsewhere(other *group) bool {
	return len(other.statements) == 0 || !slices.Contains(g.statements, other.statements[0])
}

// sourceElsewhere is the log probability of what the fit says of other groups, of a reliable source and of a poor one.
func (e *elicitation) sourceElsewhere(g *group) (source [2]float64) {
	for number, other := range e.groups {
		if !g.isElsewhere(other) {
			continue
		}
		sum := [2]float64{math.Inf(-1), math.Inf(-1)}
		given := other.strengths(e.weighing)
		for _, s := range e.weighing.Subsets {
			if s.Group == number {
				for k := range sum {
					sum[k] = num.LogSum(sum[k], logStrength(other.bits(s.Statements), given, k == 1)+s.LogMarginal)
				}
			}
		}
		source[0], source[1] = source[0]+sum[0], source[1]+sum[1]
	}
	return source
}

// logPrior is that of subsets of a group with a candidate, whose source is judged by what other groups say.
func (e *elicitation) logPrior(g *group, w *Weighing, bit, reverse int, isNew bool,
	elsewhere [2]float64) func(uint64) float64 {
	var strengths []float64
	var bits []int
	for i, s := range g.statements {
		if !isNew || i != bit {
			strengths, bits = append(strengths, w.Statements[s].Strength), append(bits, i)
		}
	}
	reliable, poor := 0.0, math.Inf(-1)
	if !w.Independent {
		reliable, poor = math.Log(1-poorSource), math.Log(poorSource)
		reliable, poor = reliable+elsewhere[0], poor+elsewhere[1]
		total := num.LogSum(reliable, poor)
		reliable, poor = reliable-total, poor-total
	}
	prior, neither := e.set.Prior, e.neither(reverse)
	return func(imposed uint64) float64 {
		var said uint64
		for i, b := range bits {
			said |= imposed >> b & 1 << i
		}
		log := num.LogSum(reliable+logStrength(said, strengths, false), poor+logStrength(said, strengths, true))
		if !isNew {
			return log
		}
		isImposed, isReverse := imposed>>bit&1 == 1, reverse >= 0 && imposed>>reverse&1 == 1
		switch {
		case isImposed && isReverse:
			return math.Inf(-1)
		case isImposed || isReverse:
			return log + math.Log(prior)
		}
		return log + math.Log(neither)
	}
}

// leastNeither stands for 0, so that completions can be weighed by what they say without a candidate.
const leastNeither = 1e-300

// neither is the prior probability that a new candidate and its reverse are not imposed.
func (e *elicitation) neither(reverse int) float64 {
	left := 1 - 2*e.set.Prior
	if reverse < 0 {
		left = 1 - e.set.Prior
	}
	if e.gaps != nil {
		left = math.Max(left, leastNeither)
	}
	return left
}
