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
	p := g.problem(e.r.Net, e.r.Counts, e.pseudo)
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
	o.LogPrior = e.logPrior(g, w, bit, reverse, isNew)
	for _, s := range e.likely(g, at) {
		o.Subsets = append(o.Subsets, s&^(1<<bit), s|1<<bit)
		if reverse >= 0 {
			o.Subsets = append(o.Subsets, s&^(1<<bit)|1<<reverse)
		}
	}
	slices.Sort(o.Subsets)
	o.Subsets = slices.Compact(o.Subsets)
	visits := make([]float64, len(g.rows))
	for i, row := range g.rows {
		visits[i] = e.visits[row]
	}
	return q, e.repeat(ctx, &q, p, o, bit, visits, seed)
}

// repeat simulates a candidate some times, unless it is a closed form.
func (e *elicitation) repeat(ctx context.Context, q *Question, p *weigh.Problem, o weigh.Options, bit int,
	visits []float64, seed uint64) error {
	cells := len(p.Prior)
	var means, helds [][]float64
	var holds []float64
	for i := range repeats {
		o.Seed = seed + uint64(i)
		list, err := weigh.Weigh(ctx, p, o)
		if err != nil {
			return say.Errorf("learn: while %q was weighed: %w", q.Statement, err)
		}
		if !slices.ContainsFunc(list, func(s *weigh.Subset) bool { return s.Imposed>>bit&1 == 1 }) {
			return say.Errorf("learn: %q contradicts the statements that are certain, which leave no volume for it; "+
				"leave it out, or give those a strength below 1", q.Statement)
		}
		weights, _ := weigh.Weights(list, o.LogPrior)
		mean, held := make([]float64, cells), make([]float64, cells)
		stderr := weigh.Mean(mean, list, weights)
		holds = append(holds, weigh.Held(held, list, weights, bit))
		means, helds = append(means, mean), append(helds, held)
		if _, of := weigh.Holds(list, weights); stderr == 0 && slices.Max(of) == 0 {
			break
		}
	}
	// without one of the repeats, −1 for none
	ask := func(without int) (float64, weigh.Answer) {
		mean, held, h, n := make([]float64, cells), make([]float64, cells), 0.0, 0.0
		for i := range means {
			if i != without {
				h, n = h+holds[i], n+1
				for cell := range cells {
					mean[cell] += means[i][cell]
					held[cell] += helds[i][cell]
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
	if n := len(means); n > 1 { // jackknife
		total, square := 0.0, 0.0
		for i := range n {
			_, a := ask(i)
			total, square = total+a.Gain(), square+a.Gain()*a.Gain()
		}
		k := float64(n)
		q.StdErr = math.Sqrt(math.Max(0, (k-1)*(square/k-total/k*total/k)))
	}
	return nil
}

// logPrior is that of subsets of a group with a candidate, whose source is judged by what the fit says of other
// groups.
func (e *elicitation) logPrior(g *group, w *Weighing, bit, reverse int, isNew bool) func(uint64) float64 {
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
		for number, other := range e.groups {
			if len(other.statements) > 0 && slices.Contains(g.statements, other.statements[0]) {
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
			reliable, poor = reliable+sum[0], poor+sum[1]
		}
		total := num.LogSum(reliable, poor)
		reliable, poor = reliable-total, poor-total
	}
	prior, neither := e.set.Prior, 1-2*e.set.Prior
	if reverse < 0 {
		neither = 1 - prior
	}
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
