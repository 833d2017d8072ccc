package incomplete

import (
	"context"
	"maps"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/structure"
	"bnlab/internal/say"
)

// A state is a graph with tables, and the expected counts under them.
type state struct {
	vars      []bn.Variable
	graph     *bn.DAG
	net       *bn.Network
	source    *expected
	scorer    *structure.Scorer
	expected  float64 // score of the expected counts, priors included
	objective float64
	converged bool
	trace     []float64
	placed    string // how a hidden variable was placed
}

// Iterations of EM: of each random start, after a step of the graph, and at the end.
const (
	firstIterations = 40
	stepIterations  = 10
	lastIterations  = 300
	emTolerance     = 1e-8
)

// tolerance is the difference below which two objectives count as equal.
func tolerance(objective float64) float64 { return 1e-9 * max(1, math.Abs(objective)) }

// fit improves the tables of a graph by EM, from those of from or from random starts, and takes its objective.
func (r *run) fit(ctx context.Context, vars []bn.Variable, g *bn.DAG, from *bn.Network, starts, iterations int) (
	*state, error) {
	net, err := bn.NewNetwork(g, vars)
	if err != nil {
		return nil, say.Errorf("incomplete: %w", err)
	}
	plan, err := infer.NewPlan(net, r.table, &infer.Options{Workers: r.set.Workers})
	if err != nil {
		return nil, say.Errorf("incomplete: %w", err)
	}
	fit, err := learn.FitCases(ctx, net, plan, r.method(net), &learn.Settings{From: from, Starts: starts, Seed: r.Seed,
		Stream: r.rng.Uint64(), MaxIterations: iterations, Tolerance: emTolerance, Workers: r.set.Workers})
	if err != nil {
		return nil, say.Errorf("incomplete: %w", err)
	}
	st := &state{vars: vars, graph: g, net: fit.Net, converged: fit.Status == learn.Converged}
	return st, r.evaluate(ctx, st, plan)
}

// evaluate computes expected counts and the objective.
func (r *run) evaluate(ctx context.Context, st *state, plan *infer.Plan) error {
	ctx = context.WithoutCancel(ctx)
	var theta []float64
	for v := range st.net.Len() {
		theta = append(theta, st.net.CPT(v).P...)
	}
	n := make([]float64, len(theta))
	loglik, err := plan.Expect(n, theta)
	if err != nil {
		return say.Errorf("incomplete: %w", err)
	}
	for cell, x := range n {
		if x > 0 {
			loglik -= x * math.Log(theta[cell])
		}
	}
	count, err := plan.AnyFamilies(theta)
	if err != nil {
		return say.Errorf("incomplete: %w", err)
	}
	st.source = &expected{vars: st.vars, index: make(map[string]int), weight: r.table.TotalWeight(), count: count}
	for v, variable := range st.vars {
		st.source.index[variable.Name] = v
	}
	st.scorer, err = structure.NewScorer(st.source, r.scoreOf(st.vars), &structure.ScorerOptions{Prior: r.set.Prior,
		Workers: r.set.Workers})
	if err != nil {
		return err
	}
	if st.expected, _, err = st.scorer.Score(ctx, st.graph); err != nil {
		return err
	}
	if prior := r.set.GraphPrior; prior != nil {
		violations := 0.0
		for v := range st.vars {
			var parents []string
			for _, p := range st.graph.Parents(v) {
				parents = append(parents, st.vars[p].Name)
			}
			violations += prior.Violations(st.vars[v].Name, parents)
		}
		st.expected += prior.LogPrior(violations)
	}
	st.objective = st.expected + loglik
	st.trace = []float64{st.objective}
	return nil
}

// climb makes steps until none raises the objective, and lets EM converge.
func (r *run) climb(ctx context.Context, st *state) (*state, error) {
	for range r.MaxSteps {
		if ctx.Err() != nil {
			break
		}
		next, err := r.step(ctx, st)
		if err != nil {
			return nil, err
		}
		if next == nil && !st.converged {
			if next, err = r.fit(ctx, st.vars, st.graph, st.net, 1, lastIterations); err != nil {
				return nil, err
			}
			next.converged = true // or near enough
		}
		if next == nil || !(next.objective > st.objective+tolerance(st.objective)) {
			break
		}
		next.trace, next.placed = append(slices.Clip(st.trace), next.objective), st.placed
		st = next
		r.stepped(st)
	}
	return st, nil
}

// step searches for a graph by the expected counts, and makes tables for it; nil when there is none that raises the
// objective.
func (r *run) step(ctx context.Context, st *state) (*state, error) {
	found, err := structure.Learn(ctx, st.source, r.scoreOf(st.vars), r.how, r.settings(st.vars, st.graph))
	if err != nil {
		if ctx.Err() != nil {
			return nil, nil
		}
		return nil, err
	}
	if !(found.Score > st.expected+tolerance(st.expected)) {
		return nil, nil
	}
	from, err := r.tables(ctx, st, found.DAG)
	if err != nil {
		return nil, err
	}
	next, err := r.fit(ctx, st.vars, found.DAG, from, 1, stepIterations)
	if err != nil {
		return nil, err
	}
	if !(next.objective > st.objective+tolerance(st.objective)) {
		return nil, nil
	}
	return next, nil
}

// tables returns the network of a graph with the tables that are the best for the expected counts of a state.
func (r *run) tables(ctx context.Context, st *state, g *bn.DAG) (*bn.Network, error) {
	net, err := bn.NewNetwork(g, st.vars)
	if err != nil {
		return nil, say.Errorf("incomplete: %w", err)
	}
	families := make([]data.Family, net.Len())
	for v := range families {
		families[v].Child = st.vars[v].Name
		for _, p := range g.Parents(v) {
			families[v].Parents = append(families[v].Parents, st.vars[p].Name)
		}
	}
	counts, err := st.source.CountFamilies(context.WithoutCancel(ctx), families, nil)
	if err != nil {
		return nil, err
	}
	var n []float64
	for _, c := range counts {
		n = append(n, c.N...)
	}
	em := r.method(net)
	compiled, err := learn.Compile(net, learn.MAP{Alpha: em.Alpha, Constraints: em.Constraints})
	if err != nil {
		return nil, say.Errorf("incomplete: %w", err)
	}
	theta := make([]float64, len(n))
	if err := compiled.Tables(theta, n); err != nil {
		return nil, say.Errorf("incomplete: %w", err)
	}
	for v := range net.Len() {
		lo, hi := net.Layout().Family(v)
		copy(net.CPT(v).P, theta[lo:hi])
	}
	return net, nil
}

// method is EM with the pseudocounts of the score and with its statements, as far as they speak of the graph.
func (r *run) method(net *bn.Network) learn.EM {
	score, em := r.score, learn.EM{}
	if c, ok := score.(structure.Constrained); ok {
		score = c.Score
		em.Constraints = spoken(net, c.Statements)
	}
	var cell func(cells int) float64
	switch s := score.(type) {
	case structure.K2:
		cell = func(int) float64 { return 1 }
	case structure.BDeu:
		cell = func(cells int) float64 { return orOne(s.EquivalentSampleSize) / float64(cells) }
	case structure.BDe:
		cell = func(cells int) float64 { return orOne(s.EquivalentSampleSize) / float64(cells) }
	default:
		return em
	}
	em.Alpha = make(map[string][]float64, net.Len())
	for v := range net.Len() {
		alpha := make([]float64, len(net.CPT(v).P))
		for i := range alpha {
			alpha[i] = 1 + cell(len(alpha))
		}
		em.Alpha[net.Variable(v).Name] = alpha
	}
	return em
}

// scoreOf is the score without the statements that speak of a hidden variable which is not among these.
func (r *run) scoreOf(vars []bn.Variable) structure.Score {
	c, ok := r.score.(structure.Constrained)
	if !ok || len(r.Hidden) == 0 {
		return r.score
	}
	all := slices.Clone(r.table.Variables())
	for _, name := range slices.Sorted(maps.Keys(r.Hidden)) {
		states := r.Hidden[name]
		if states == 0 {
			states = r.MaxStates
		}
		all = append(all, r.hidden(name, states))
	}
	binds := func(st constraint.Constraint, vars []bn.Variable) bool {
		_, err := structure.Constrained{Statements: []constraint.Constraint{st}}.Bind(vars)
		return err == nil
	}
	var kept []constraint.Constraint
	for _, st := range c.Statements {
		if binds(st, vars) || !binds(st, all) { // what is wrong anyway is the error of the score
			kept = append(kept, st)
		}
	}
	c.Statements = kept
	return c
}

// orOne is the equivalent sample size that a score means.
func orOne(size float64) float64 {
	if size == 0 {
		return 1
	}
	return size
}

// spoken returns the statements that have what they speak of in the network.
func spoken(net *bn.Network, statements []constraint.Constraint) []constraint.Constraint {
	var out []constraint.Constraint
	for _, s := range statements {
		if _, err := s.Bind(net); err == nil {
			out = append(out, s)
		}
	}
	return out
}
