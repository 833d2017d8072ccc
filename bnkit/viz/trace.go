package viz

import (
	"errors"
	"fmt"
	"math"

	"bnlab/bnkit/learn"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// Trace draws how the log-likelihood of a fit rose with the iterations, and for a fit from several starts where the
// others ended. Where a method raises something else too, as a prior or what violations cost, the objective is a curve
// of its own. With held-out cases (see [learn.Settings]) a mark is at the iteration that was kept. Nil axes, and what
// is empty in them, stand for labels that fit.
//
// The unit is the nat, of all cases. The iterations have a logarithmic axis when there are more than 50; then the
// start, iteration 0, is left out, and where it was kept its mark is at 1, "kept: the start". It returns an error for a
// closed form, which has no iterations.
func Trace(fit *learn.Result, axes *Axes) (*Figure, error) {
	if fit == nil {
		return nil, errors.New("viz: there is no fit whose trace could be drawn")
	}
	if len(fit.Ends) == 0 {
		return nil, say.Errorf("viz: %s has no iterations to draw; its tables are a closed form", fit.Method)
	}
	a := Axes{}
	if axes != nil {
		a = *axes
	}
	if a.X == "" {
		a.X = "iteration"
	}
	if a.Y == "" {
		a.Y = "log-likelihood (nats, all cases)"
	}
	last := 0
	for _, end := range fit.Ends {
		last = max(last, end.Iterations)
	}
	a.LogX = (a.LogX || last > 50) && last > 0
	name := "log-likelihood"
	if len(fit.Ends) > 1 {
		name = fmt.Sprintf("log-likelihood, start %d", fit.Best)
	}
	likelihood, objective := Series{Name: name}, Series{Name: "objective"}
	add := func(s *Series, at learn.Step, y float64) {
		if (at.Iteration > 0 || !a.LogX) && num.Finite(y) && y > -math.MaxFloat64 {
			s.X, s.Y = append(s.X, float64(at.Iteration)), append(s.Y, y)
		}
	}
	mark := func(s *Series, at learn.Step) { // a logarithmic axis begins at 1
		if a.LogX {
			at.Iteration = max(at.Iteration, 1)
		}
		add(s, at, at.LogLikelihood)
	}
	kept := Series{Name: "kept", Points: true, As: likelihood.Name}
	if a.LogX && fit.Kept == 0 {
		kept.Name = "kept: the start"
	}
	different, held := false, false
	for _, step := range fit.Trace {
		different = different || math.Abs(step.Objective-step.LogLikelihood) > 1e-9*(1+math.Abs(step.LogLikelihood))
		held = held || step.HeldOut != 0
	}
	for _, step := range fit.Trace {
		add(&likelihood, step, step.LogLikelihood)
		add(&objective, step, step.Objective)
		if held && step.Iteration == fit.Kept {
			mark(&kept, step)
		}
	}
	others := Series{Name: "ends of the other starts", Points: true}
	for i, end := range fit.Ends {
		if i+1 != fit.Best && end.Failed == "" {
			mark(&others, end.Step)
		}
	}
	var series []Series
	for _, s := range []struct {
		Series
		is bool
	}{{likelihood, true}, {objective, different}, {others, true}, {kept, true}} {
		if s.is && len(s.X) > 0 {
			series = append(series, s.Series)
		}
	}
	if len(series) == 0 || series[0].Name != likelihood.Name {
		return nil, say.Errorf("viz: the trace of %s has no finite log-likelihood; where a case is impossible, "+
			"give pseudocounts", fit.Method)
	}
	return Curves(series, &a)
}
