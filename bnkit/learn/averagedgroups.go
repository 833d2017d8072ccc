package learn

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/num"
	"bnlab/internal/say"
	"bnlab/internal/weigh"
)

// A group is distributions that statements with a strength below 1 link, with these statements.
type group struct {
	rows       []constraint.Row
	cells      []int // of the network's layout
	statements []int // of Weighing.Statements
	bounds     [][]constraint.Linear
	always     []constraint.Linear
	equal      []constraint.Bound      // certain, about these distributions
	sentences  []constraint.Constraint // of equal
	free       *freedom

	list              []*weigh.Subset
	weights           []float64
	reliable, poor    []float64 // weights given that the source is
	logReliable, logP float64   // marginal likelihoods given that
}

// inequalities returns what a statement says, or an error when it is not inequalities alone.
func inequalities(s constraint.Constraint, bounds []constraint.Bound) ([]constraint.Linear, error) {
	var list []constraint.Linear
	for _, b := range bounds {
		if slices.ContainsFunc(b.Shares, hasLimits) {
			return nil, say.Errorf("learn: %q: weights have no prior density here, so that no data can tell how "+
				"probable it is; give it strength 1, or leave it out", s)
		}
		if len(b.Fixed)+len(b.Ties)+len(b.Equal)+len(b.Ratios)+len(b.Shares) > 0 {
			return nil, say.Errorf("learn: %q is an equality, which holds with probability 0 under a prior density: "+
				"no data can tell how probable it is; give it strength 1, or leave it out", s)
		}
		if len(b.Smooth) > 0 {
			return nil, say.Errorf("learn: %q: %w; leave it out, or fit by another method", s, constraint.ErrNoPrior)
		}
		list = append(list, b.AtMost...)
	}
	return list, nil
}

// groups divides the statements that are weighed by the distributions which they share, and returns the problem of the
// certain statements that are about other distributions.
func (w *Weighing) groups(net *bn.Network, certain []constraint.Constraint) ([]*group, *constraint.Problem, error) {
	type part struct {
		rows     []constraint.Row
		linear   []constraint.Linear
		open     int // of Statements, −1 when certain
		sentence constraint.Constraint
		bounds   []constraint.Bound // when it is more than inequalities
	}
	var parts []part
	weighed := make([]constraint.Constraint, len(w.Statements))
	for i, b := range w.Statements {
		weighed[i] = b.Statement
	}
	if _, _, err := constraint.BindWeights(net, weighed...); err != nil {
		return nil, nil, say.Errorf("learn: %w", err)
	}
	_, tables, err := constraint.BindWeights(net, certain...)
	if err != nil {
		return nil, nil, say.Errorf("learn: %w", err)
	}
	for i, b := range w.Statements {
		bounds, err := b.Statement.Bind(net)
		if err != nil {
			return nil, nil, say.Errorf("learn: %w", err)
		}
		list, err := inequalities(b.Statement, bounds)
		if err != nil {
			return nil, nil, err
		}
		parts = append(parts, part{rows: rowsOf(bounds), linear: list, open: i})
	}
	for _, s := range tables {
		bounds, err := s.Bind(net)
		if err != nil {
			return nil, nil, say.Errorf("learn: %w", err)
		}
		one := part{rows: rowsOf(bounds), open: -1, sentence: s}
		if one.linear, err = inequalities(s, bounds); err != nil {
			one.bounds = bounds
		}
		parts = append(parts, one)
	}
	of := make([]int, len(parts)) // the first part of its group
	first := make(map[constraint.Row]int)
	for i := range of {
		of[i] = i
	}
	var root func(int) int
	root = func(i int) int {
		if of[i] != i {
			of[i] = root(of[i])
		}
		return of[i]
	}
	for i, p := range parts {
		for _, r := range p.rows {
			if j, ok := first[r]; ok {
				a, b := root(i), root(j)
				of[max(a, b)] = min(a, b)
			} else {
				first[r] = i
			}
		}
	}
	var groups []*group
	at := make(map[int]*group)
	var rest []constraint.Constraint
	for i, p := range parts {
		r := root(i)
		switch g := at[r]; {
		case p.open < 0 && g == nil: // open ones come first, so there is none in its group
			rest = append(rest, p.sentence)
			continue
		case g == nil:
			g = &group{}
			groups, at[r] = append(groups, g), g
			fallthrough
		default:
			g = at[r]
			g.rows = append(g.rows, p.rows...)
			switch {
			case p.bounds != nil:
				g.equal, g.sentences = append(g.equal, p.bounds...), append(g.sentences, p.sentence)
			case p.open < 0:
				g.always = append(g.always, p.linear...)
			default:
				g.statements, g.bounds = append(g.statements, p.open), append(g.bounds, p.linear)
			}
		}
	}
	layout := net.Layout()
	for _, g := range groups {
		if len(g.statements) > weigh.MostStatements {
			return nil, nil, fmt.Errorf("learn: %w: %d statements that share distributions; %d at most are weighed "+
				"together, give others strength 1 or 0", bn.ErrTooLarge, len(g.statements), weigh.MostStatements)
		}
		slices.SortFunc(g.rows, func(a, b constraint.Row) int { return cmp.Or(a.Var-b.Var, a.Config-b.Config) })
		g.rows = slices.Compact(g.rows)
		for _, r := range g.rows {
			lo, hi := layout.Row(r.Var, r.Config)
			for cell := lo; cell < hi; cell++ {
				g.cells = append(g.cells, cell)
			}
		}
		if g.free = newFreedom(layout, g); g.free == nil {
			return nil, nil, say.Errorf("learn: %q leaves no independent shares of the distributions of %q to weigh "+
				"it in; give that one strength 1", g.sentences[0], w.Statements[g.statements[0]].Statement)
		}
	}
	base, err := constraint.Compile(net, rest...)
	if err != nil {
		return nil, nil, say.Errorf("learn: %w", err)
	}
	return groups, base, nil
}

func (g *group) strengths(w *Weighing) []float64 {
	list := make([]float64, len(g.statements))
	for i, s := range g.statements {
		list[i] = w.Statements[s].Strength
	}
	return list
}

// weighBy finds the weights given each source.
func (g *group) weighBy(w *Weighing) {
	strengths := g.strengths(w)
	by := func(isPoor bool) func(uint64) float64 {
		return func(s uint64) float64 { return logStrength(s, strengths, isPoor) }
	}
	g.reliable, g.logReliable = weigh.Weights(g.list, by(false))
	g.poor, g.logP = weigh.Weights(g.list, by(true))
}

// conclude joins the groups, which a source has in common, and says what became of each statement.
func (w *Weighing) conclude(groups []*group) {
	reliable, poor := math.Log(1-poorSource), math.Log(poorSource)
	if w.Independent {
		reliable, poor = 0, math.Inf(-1)
	}
	before := math.Exp(poor)
	// A source is judged by what it said; subsets without volume take from its prior what they have.
	prior := [2]float64{reliable, poor}
	for _, g := range groups {
		g.weighBy(w)
		reliable, poor = reliable+g.logReliable, poor+g.logP
		strengths := g.strengths(w)
		for k := range prior {
			total := math.Inf(-1)
			for _, s := range g.list {
				total = num.LogSum(total, logStrength(s.Imposed, strengths, k == 1))
			}
			prior[k] += total
		}
	}
	w.Poor = before
	w.PoorAfter = math.Exp(poor - num.LogSum(reliable, poor))
	doubt := math.Exp(prior[1] - num.LogSum(prior[0], prior[1])) // before, among what is possible
	w.Subsets = nil
	for number, g := range groups {
		g.weights = make([]float64, len(g.list))
		priors := make([]float64, len(g.list))
		strengths := g.strengths(w)
		sums := [2]float64{}
		for _, s := range g.list {
			sums[0] += math.Exp(logStrength(s.Imposed, strengths, false))
			sums[1] += math.Exp(logStrength(s.Imposed, strengths, true))
		}
		for j, s := range g.list {
			g.weights[j] = (1-w.PoorAfter)*g.reliable[j] + w.PoorAfter*g.poor[j]
			priors[j] = (1-doubt)*math.Exp(logStrength(s.Imposed, strengths, false))/sums[0] +
				doubt*math.Exp(logStrength(s.Imposed, strengths, true))/sums[1]
			imposed := []int{}
			for i, at := range g.statements {
				if s.Imposed>>i&1 == 1 {
					imposed = append(imposed, at)
				}
			}
			w.Subsets = append(w.Subsets, Imposed{Group: number, Statements: imposed, Weight: g.weights[j],
				LogMarginal: s.LogMarginal, StdErr: s.StdErr})
		}
		after, stderr := weigh.Holds(g.list, g.weights)
		for i, at := range g.statements {
			b := &w.Statements[at]
			b.After, b.StdErr = after[i], stderr[i]
			for j, s := range g.list {
				b.Before += priors[j] * s.Before[i]
			}
		}
	}
}
