package bnkit

import (
	"context"
	"errors"
	"fmt"
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
// Evidence and errors are those of [Posterior]; columns of numbers are an error too, and so is a done ctx.
func (g *Graphs) Posterior(ctx context.Context, evidence infer.Evidence, targets ...string) (dataframe.DataFrame,
	error) {
	for _, v := range g.Variables {
		if !v.IsDiscrete() {
			return dataframe.DataFrame{}, fmt.Errorf("bnkit: answers are averaged over graphs of discrete variables, "+
				"and %q is none: %w; give it states (Discretize)", v.Name, bn.ErrNotDiscrete)
		}
	}
	groups := g.groups()
	if len(groups) == 0 {
		return dataframe.DataFrame{}, errors.New("bnkit: there are no draws of graphs to average over")
	}
	net, err := bn.NewNetwork(groups[0].dag, g.Variables)
	if err != nil {
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: %w", err)
	}
	model := ModelOf(net)
	model.Discretization = g.discretization
	if evidence, err = evidence.For(model); err != nil {
		return dataframe.DataFrame{}, err
	}
	if len(targets) == 0 {
		targets = unobserved(net, evidence)
	}
	answers, errs := make([][][]float64, len(groups)), make([]error, len(groups))
	pool.Each(len(groups), pool.Workers(g.workers), func(i int) {
		answers[i], errs[i] = g.ask(ctx, groups[i], evidence, targets)
	})
	for _, err := range errs {
		if err != nil {
			return dataframe.DataFrame{}, fmt.Errorf("bnkit: %w", err)
		}
	}
	var variables, states []string
	for _, name := range targets {
		v, err := net.Index(name)
		if err != nil {
			return dataframe.DataFrame{}, fmt.Errorf("bnkit: %w", err)
		}
		for _, state := range net.Variable(v).States {
			variables, states = append(variables, name), append(states, state)
		}
	}
	mean, tables, graphs, sd := g.spread(groups, answers, len(states))
	return dataframe.New(
		series.New(variables, series.String, "variable"), series.New(states, series.String, "state"),
		series.New(mean, series.Float, "probability"), series.New(tables, series.Float, "sd tables"),
		series.New(graphs, series.Float, "sd graphs"), series.New(sd, series.Float, "sd"),
	), nil
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

// ask returns the answers of one graph with tables drawn for it, by draw.
func (g *Graphs) ask(ctx context.Context, of graphGroup, evidence infer.Evidence, targets []string) ([][]float64,
	error) {
	const least = 8 // draws of tables of a graph
	net, err := bn.NewNetwork(of.dag, g.Variables)
	if err != nil {
		return nil, err
	}
	alphas := make([][]float64, net.Len())
	for v := range alphas {
		c, err := g.scorer.Counts(ctx, v, of.dag.Parents(v))
		if err != nil {
			return nil, err
		}
		if alphas[v], err = pseudocounts(g.score, c); err != nil {
			return nil, err
		}
		for i, n := range c.N {
			alphas[v][i] += c.Scale * n
		}
	}
	src := rand.NewPCG(g.seed, uint64(of.first))
	var engine *infer.Engine
	var answers [][]float64
	for range max(least, of.times) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for v, alpha := range alphas {
			p, r := net.CPT(v).P, net.Variable(v).Cardinality()
			for row := 0; row < len(p); row += r {
				presolve.Dirichlet(p[row:row+r], alpha[row:row+r], src)
			}
		}
		if engine == nil {
			engine, err = infer.New(net, &infer.Options{Workers: 1})
		} else {
			engine, err = engine.With(net)
		}
		if err != nil {
			return nil, err
		}
		found, err := engine.Posterior(evidence, targets...)
		if err != nil {
			return nil, err
		}
		answers = append(answers, slices.Concat(found.P...))
	}
	return answers, nil
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
