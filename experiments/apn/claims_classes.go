package apn

import (
	"fmt"

	"bnlab/bnkit/viz"
	"bnlab/experiments/internal/looks"
	"bnlab/experiments/run"
)

// class is one way to learn on one network.
func (r *Results) class(network, structure, goal string) *Class {
	for _, one := range r.Classes {
		if one.Network == network && one.Structure == structure && one.Goal == goal {
			return one
		}
	}
	return nil
}

// goals compares what the goal of all variables loses with that of the class, at the sizes, in pairs by draw:
// positive where the class given the rest is the better goal.
func (r *Results) goals(network, structure string, of func(c *Class) [][]float64,
	sizes ...int) (parts []run.Comparison) {
	all, class := of(r.class(network, structure, jointGoal)), of(r.class(network, structure, classGoal))
	for i, size := range r.Config.Classes.Sizes {
		for _, wanted := range sizes {
			if size != wanted {
				continue
			}
			one := run.Comparison{Name: fmt.Sprintf("%d cases", size)}
			for draw := range all[i] {
				one.Differences = append(one.Differences, all[i][draw]-class[i][draw])
			}
			parts = append(parts, one)
		}
	}
	return parts
}

// opposite turns comparisons round.
func opposite(parts []run.Comparison) []run.Comparison {
	for _, one := range parts {
		for i := range one.Differences {
			one.Differences[i] = -one.Differences[i]
		}
	}
	return parts
}

// classClaims judges the goal that R95 §8 proposes. The paper makes no sentence of it that could hold or not;
// these are what theory says.
func (r *Results) classClaims(job *run.Job) {
	sizes := r.Config.Classes.Sizes
	last := sizes[len(sizes)-1]
	nll := func(c *Class) [][]float64 { return c.NLL }
	wrong := func(c *Class) [][]float64 { return c.Wrong }
	for _, s := range []struct{ network, class string }{{"3-1-3", "O1"}, {"insurance", "PropCost"}} {
		if r.class(s.network, rightStructure, jointGoal) == nil {
			continue
		}
		claim := func(text string, expected run.Prediction, unit, note string, parts []run.Comparison) {
			job.CompareAll(run.Statement{Claim: fmt.Sprintf("%s, %s: %s", s.network, s.class, text),
				Source: "beyond R95 §8", Data: run.Simulated, Unit: unit, Prediction: expected,
				Basis: expected.From(run.Theory), Note: note + "; one virtual case in each cell"}, "–", parts...)
		}
		const nats, share = "sizes; difference in nats per case", "difference of the shares of cases"
		claim("with the right structure, the likelihood of all variables predicts the class better at each size",
			run.PredictYes, nats, "it uses what inputs and other outputs tell of hidden variables, and both goals "+
				"have "+
				"the truth as their best network", opposite(r.goals(s.network, rightStructure, nll, sizes...)))
		claim(fmt.Sprintf("with naive Bayes, the likelihood of the class given the rest predicts it better with %d "+
			"cases",
			last), run.PredictYes, nats, "no naive Bayes is the truth, and with many cases the goal that is judged "+
			"finds the best of them", r.goals(s.network, naiveStructure, nll, last))
		claim(fmt.Sprintf("with naive Bayes, the likelihood of all variables predicts the class better with %d cases",
			sizes[0]), run.PredictUnknown, nats, "it needs fewer cases to reach its poorer limit (Ng and Jordan 2002)",
			opposite(r.goals(s.network, naiveStructure, nll, sizes[0])))
		claim(fmt.Sprintf("with naive Bayes, the likelihood of the class given the rest errs less often with %d cases",
			last), run.PredictUnknown, share, "the paper's goal is the error; a better probability need not change "+
			"which class is the most probable", r.goals(s.network, naiveStructure, wrong, last))
	}
}

// classTable has a row for each way to learn and size.
func (r *Results) classTable() *run.Table {
	t := run.NewTable("network", "structure", "goal", "examples", "nll_class_nats", "p05", "p95", "share_wrong",
		"replicates")
	for _, one := range r.Classes {
		for i, size := range r.Config.Classes.Sizes {
			b := run.NewBand(one.NLL[i])
			t.Append(one.Network, one.Structure, one.Goal, size, b.Mean, b.P05, b.P95, run.NewBand(one.Wrong[i]).Mean,
				b.Replicates)
		}
	}
	return t
}

// classFigure draws a panel for each network: by how much each way to learn predicts the class worse than the right
// structure with the likelihood of all variables, in the same draw.
func (r *Results) classFigure() (*viz.Figure, error) {
	var panels []*viz.Figure
	for at := 0; at < len(r.Classes); at += 4 {
		var series []viz.Series
		first := r.Classes[at]
		for _, one := range r.Classes[at+1 : at+4] {
			s := viz.Series{Name: one.Structure + ", " + one.Goal}
			for i, size := range r.Config.Classes.Sizes {
				b := run.NewBand(lower(one.NLL[i], first.NLL[i], 1))
				s.X, s.Y = append(s.X, float64(size)), append(s.Y, b.Mean)
				s.Lo, s.Hi = append(s.Lo, b.P05), append(s.Hi, b.P95)
			}
			series = append(series, s)
		}
		panel, err := looks.Curves(series, &viz.Axes{Title: "R95 §8: classification, " + first.Network,
			X: "training cases", Y: "nats per test case above right, all variables", LogX: true,
			Width: looks.Page / 2, Height: 4.6})
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
	}
	return viz.Row(panels...)
}
