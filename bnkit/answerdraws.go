package bnkit

import (
	"context"
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/interrupt"
	"bnlab/internal/pool"
)

// answerDraws draws the tables of the named variables from the posterior and asks a question of the network
// with each draw of them. Theta of what it returns are the answers, which all have the same length; ask
// may be called by several goroutines, each time with a network that is its own until it returns.
func (m *Model) answerDraws(ctx context.Context, set *IntervalSettings, names []string,
	ask func(net *bn.Network) ([]float64, error)) (*constraint.Draws, error) {
	if err := set.check(); err != nil {
		return nil, err
	}
	quiet := *set
	quiet.Progress = nil
	_, draws, err := m.tableDraws(ctx, &quiet, names...)
	if err != nil {
		return nil, err
	}
	const block = 200 // answers between looks at the context
	answers, errs := make([][]float64, len(draws.Theta)), make([]error, len(draws.Theta))
	done := 0
	for done < len(answers) && ctx.Err() == nil {
		from, to := done, min(done+block, len(answers))
		pool.Share(to-from, 0, func() func(int) {
			net := m.Net.Clone()
			return func(task int) {
				theta := draws.Theta[from+task]
				for _, name := range names {
					v, _ := net.Index(name)
					theta = theta[copy(net.CPT(v).P, theta):]
				}
				answers[from+task], errs[from+task] = ask(net)
			}
		})
		for i := from; i < to; i++ {
			if errs[i] != nil {
				return nil, errs[i]
			}
		}
		if done = to; set.Progress != nil {
			set.Progress(done, len(answers))
		}
	}
	if done < len(answers) {
		interrupt.Last(set.Progress, done, len(answers))
		if err := enough(ctx, done, draws.Planned); err != nil {
			return nil, err
		}
		draws.EffectiveDraws = min(draws.EffectiveDraws, float64(done))
	}
	draws.Theta = answers[:done]
	return draws, nil
}

// relevant lists the discrete variables on whose tables an answer about some variables depends, given
// evidence on others: all of these and their ancestors. Those that are set from outside do not count. It
// returns an error for a continuous one, whose parameters have no draws.
func relevant(net *bn.Network, of ...string) ([]string, error) {
	above, err := net.DAG().Ancestors(of...)
	if err != nil {
		return nil, err
	}
	in := make(map[string]bool)
	for _, name := range append(above, of...) {
		in[name] = true
	}
	var names []string
	for _, v := range net.Variables() {
		if in[v.Name] && !v.IsDiscrete() {
			return nil, fmt.Errorf("%w: the answer depends on the regression of %q, of which there are no draws yet",
				errNoIntervals, v.Name)
		}
		if in[v.Name] {
			names = append(names, v.Name)
		}
	}
	return names, nil
}
