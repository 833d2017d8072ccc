package bnkit

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/structure"
	"bnlab/internal/pool"
	"bnlab/internal/presolve"
	"bnlab/internal/say"
)

// Posterior returns the posterior distribution of each target given the evidence, averaged over the graphs and over
// their tables, with both uncertainties. The frame has a row for each target and state:
//
//	variable     the target
//	state        one of its states
//	probability  of the state, the mean of the answers
//	sd tables    standard deviation of the answers within a graph, which cases of few configurations leave
//	sd graphs    standard deviation between graphs of the mean answer of each, which another graph would change
//	sd           of the answers: √(sd tables² + sd graphs²)
//
// Each different graph among the Draws answers with tables drawn from their posterior distribution under the prior of
// the score (BDeu, BDe, K2; else a uniform one), 8 or as many times as it was drawn. Variances are those of one-way
// analysis of variance by graph, so that few draws of tables do not count as a difference between graphs.
// Evidence and errors are those of [Posterior], and so is a done ctx; targets have states, and Expectation is for
// columns of numbers. [structure.Constrained] is an error too: the draws would not obey its statements.
func (g *Graphs) Posterior(ctx context.Context, evidence infer.Evidence, targets ...string) (dataframe.DataFrame,
	error) {
	q, err := g.question(evidence)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	if len(targets) == 0 {
		targets = unobserved(q.net, q.evidence)
	}
	var variables, states []string
	for _, name := range targets {
		v, err := q.net.Index(name)
		if err != nil {
			return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
		}
		for _, state := range q.net.Variable(v).States {
			variables, states = append(variables, name), append(states, state)
		}
	}
	answers, err := g.askAll(ctx, q, func(engine *infer.Engine) ([]float64, error) {
		found, err := engine.Posterior(q.evidence, targets...)
		if err != nil {
			return nil, err
		}
		return slices.Concat(found.P...), nil
	})
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	mean, tables, graphs, sd := g.spread(q.groups, answers, len(states))
	return dataframe.New(
		series.New(variables, series.String, "variable"), series.New(states, series.String, "state"),
		series.New(mean, series.Float, "probability"), series.New(tables, series.Float, "sd tables"),
		series.New(graphs, series.Float, "sd graphs"), series.New(sd, series.Float, "sd"),
	), nil
}

// Expectation returns the mean and the standard deviation of each continuous target given the evidence, averaged over
// the graphs and over their tables and regressions, with both uncertainties of the mean. The frame has a row for each
// target:
//
//	variable   the target
//	mean       in its unit, the mean of the answers
//	sd         of the target: √(mean variance of the answers + sd tables² + sd graphs²)
//	sd tables  standard deviation of the answered means within a graph, which more cases would narrow
//	sd graphs  standard deviation between graphs of the mean answer of each, which another graph would change
//
// Without targets they are all columns of numbers that are not observed. Draws are those of Posterior; regressions come
// from the posterior that [structure.Scorer.Regressions] describes. Errors are those of Posterior, and one for a
// target with states.
func (g *Graphs) Expectation(ctx context.Context, evidence infer.Evidence, targets ...string) (dataframe.DataFrame,
	error) {
	q, err := g.question(evidence)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	if len(targets) == 0 {
		for _, v := range g.Variables {
			if _, observed := q.evidence[v.Name]; !v.IsDiscrete() && !observed {
				targets = append(targets, v.Name)
			}
		}
		if targets == nil {
			return dataframe.DataFrame{}, errors.New("bnkit: expectation: no column of numbers is unobserved; " +
				"Posterior asks for columns with states")
		}
	}
	answers, err := g.askAll(ctx, q, func(engine *infer.Engine) ([]float64, error) {
		var answer []float64 // means, then variances
		for _, name := range targets {
			x, err := engine.Expectation(q.evidence, name)
			if err != nil {
				return nil, err
			}
			answer = slices.Insert(append(answer, x.Covariance[0][0]), len(answer)/2, x.Mean[0])
		}
		return answer, nil
	})
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	n := len(targets)
	mean, tables, graphs, sd := g.spread(q.groups, answers, 2*n)
	for i := range n {
		sd[i] = math.Sqrt(mean[n+i] + sd[i]*sd[i])
	}
	return dataframe.New(
		series.New(targets, series.String, "variable"), series.New(mean[:n], series.Float, "mean"),
		series.New(sd[:n], series.Float, "sd"), series.New(tables[:n], series.Float, "sd tables"),
		series.New(graphs[:n], series.Float, "sd graphs"),
	), nil
}

// A graphQuestion is asked of each different graph among the draws.
type graphQuestion struct {
	groups   []graphGroup
	net      *bn.Network // of some graph
	evidence infer.Evidence
}

// question prepares evidence for all graphs.
func (g *Graphs) question(evidence infer.Evidence) (*graphQuestion, error) {
	if c, ok := g.score.(structure.Constrained); ok && len(c.Statements) > 0 {
		return nil, say.Errorf("bnkit: averaged answers under %s: tables and regressions that are drawn would not "+
			"obey its statements; ask Found.Model of Search, which does, or score by %s alone", c, scoreOr(c.Score))
	}
	q := &graphQuestion{groups: g.groups()}
	if len(q.groups) == 0 {
		return nil, errors.New("bnkit: there are no draws of graphs to average over")
	}
	var err error
	if q.net, err = bn.NewNetwork(q.groups[0].dag, g.Variables); err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	model := ModelOf(q.net)
	model.Discretization = g.discretization
	q.evidence, err = evidence.For(model)
	return q, err
}

// askAll returns the answers by graph and draw of tables.
func (g *Graphs) askAll(ctx context.Context, q *graphQuestion, answer func(*infer.Engine) ([]float64, error)) (
	[][][]float64, error) {
	answers, errs := make([][][]float64, len(q.groups)), make([]error, len(q.groups))
	pool.Each(len(q.groups), pool.Workers(g.workers), func(i int) {
		answers[i], errs[i] = g.ask(ctx, q.groups[i], answer)
	})
	for _, err := range errs {
		if err != nil {
			return nil, say.Errorf("bnkit: %w", err)
		}
	}
	return answers, nil
}

// A graphGroup is a graph that was drawn, first as which draw and how often.
type graphGroup struct {
	dag          *bn.DAG
	first, times int
}

// groups are the different graphs among the draws, in the order of their first draws.
func (g *Graphs) groups() []graphGroup {
	at := make(map[*bn.DAG]int)
	var groups []graphGroup
	for i, d := range g.Draws {
		k, seen := at[d]
		if !seen {
			k = len(groups)
			at[d] = k
			groups = append(groups, graphGroup{dag: d, first: i})
		}
		groups[k].times++
	}
	return groups
}

// ask returns the answers of one graph with tables and regressions drawn for it, by draw.
func (g *Graphs) ask(ctx context.Context, of graphGroup, answer func(*infer.Engine) ([]float64, error)) (
	[][]float64, error) {
	const least = 8 // draws of tables of a graph
	net, err := bn.NewNetwork(of.dag, g.Variables)
	if err != nil {
		return nil, err
	}
	draws := make([]func(src rand.Source), net.Len())
	for v := range draws {
		if draws[v], err = g.family(ctx, net, v); err != nil {
			return nil, err
		}
	}
	src := rand.NewPCG(g.seed, uint64(of.first))
	var engine *infer.Engine
	var answers [][]float64
	for range max(least, of.times) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, draw := range draws {
			draw(src)
		}
		if engine == nil {
			engine, err = infer.New(net, &infer.Options{Workers: 1})
		} else {
			engine, err = engine.With(net)
		}
		if err != nil {
			return nil, err
		}
		found, err := answer(engine)
		if err != nil {
			return nil, err
		}
		answers = append(answers, found)
	}
	return answers, nil
}

// family returns a function that draws the table or the regression of a variable from its posterior.
func (g *Graphs) family(ctx context.Context, net *bn.Network, v int) (func(src rand.Source), error) {
	if node := net.Gaussian(v); node != nil {
		draw, err := g.scorer.Regressions(ctx, v, net.DAG().Parents(v))
		return func(src rand.Source) { draw(node, src) }, err
	}
	c, err := g.scorer.Counts(ctx, v, net.DAG().Parents(v))
	if err != nil {
		return nil, err
	}
	alpha, err := pseudocounts(g.score, c)
	if err != nil {
		return nil, err
	}
	for i, n := range c.N {
		alpha[i] += c.Scale * n
	}
	p, r := net.CPT(v).P, net.Variable(v).Cardinality()
	return func(src rand.Source) {
		for row := 0; row < len(p); row += r {
			presolve.Dirichlet(p[row:row+r], alpha[row:row+r], src)
		}
	}, nil
}

// pseudocounts are the parameters of the Dirichlet prior of a family's table, by cell, under a score.
func pseudocounts(score structure.Score, c *structure.Counts) ([]float64, error) {
	each, out := 1.0, make([]float64, len(c.N))
	switch s := score.(type) {
	case structure.BDeu:
		each = size(s.EquivalentSampleSize) / float64(len(c.N))
	case structure.BDe:
		if s.Prior != nil {
			var names []string
			for _, p := range c.Parents {
				names = append(names, p.Name)
			}
			joint, err := infer.New(s.Prior, &infer.Options{Workers: 1})
			if err != nil {
				return nil, err
			}
			p, err := joint.Joint(nil, append(names, c.Child.Name)...)
			if err != nil {
				return nil, err
			}
			for i, q := range p.P {
				out[i] = size(s.EquivalentSampleSize) * q
			}
			return out, nil
		}
		each = size(s.EquivalentSampleSize) / float64(len(c.N))
	}
	for i := range out {
		out[i] = each
	}
	return out, nil
}

// size is an equivalent sample size, of which 0 means 1.
func size(given float64) float64 {
	if given == 0 {
		return 1
	}
	return given
}

// spread returns the mean of the answers and their standard deviations within graphs, between them and in all.
func (g *Graphs) spread(groups []graphGroup, answers [][][]float64, n int) (mean, tables, graphs, sd []float64) {
	means, squares := make([][]float64, len(groups)), make([][]float64, len(groups)) // of each graph
	mean = make([]float64, n)
	for i, of := range groups {
		means[i], squares[i] = make([]float64, n), make([]float64, n)
		k, w := float64(len(answers[i])), float64(of.times)/float64(len(g.Draws))
		for _, a := range answers[i] {
			for at, p := range a {
				means[i][at] += p / k
			}
		}
		for _, a := range answers[i] {
			for at, p := range a {
				squares[i][at] += (p - means[i][at]) * (p - means[i][at]) / (k - 1)
			}
		}
		for at, m := range means[i] {
			mean[at] += w * m
		}
	}
	for at := range n {
		within, between := 0.0, 0.0
		for i, of := range groups {
			w := float64(of.times) / float64(len(g.Draws))
			within += w * squares[i][at]
			between += w * (means[i][at] - mean[at]) * (means[i][at] - mean[at])
			between -= w * (1 - w) * squares[i][at] / float64(len(answers[i]))
		}
		between = max(between, 0)
		tables, graphs = append(tables, math.Sqrt(within)), append(graphs, math.Sqrt(between))
		sd = append(sd, math.Sqrt(within+between))
	}
	return mean, tables, graphs, sd
}
