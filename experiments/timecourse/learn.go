package timecourse

import (
	"context"
	"math"

	"bnlab/bnkit/learn"
	"bnlab/internal/say"
)

// A point is where a run stands after an iteration.
type point struct {
	iteration   int
	train, test float64 // negative log-likelihood per case, nats
	violation   float64 // of all influences of the structure
}

// An outcome is one run of one method: a learned network and how it came about.
type outcome struct {
	quality
	violation float64
	course    []point // after the iterations that are followed, 0 being the start
	steps     int     // iterations made; fewer than allowed when nothing moved any more
	falls     int     // iterations after which the method's own score was lower
	end       float64 // that score at the end, nats
	theta     []float64
}

// slack is the fall of a score, relative to its size, that rounding explains.
const slack = 1e-10

// run learns by one method from where set says. score is what falls are counted in. The
// course has a point for each iteration for which follow says so.
func (b *subject) run(ctx context.Context, m learn.Method, set learn.Settings, score func(learn.Step) float64,
	follow func(int) bool) (*outcome, error) {
	o := &outcome{}
	net := b.net.Clone()
	var failure error
	last := 0.0
	watch := func(p learn.Progress) {
		if failure != nil {
			return
		}
		iteration, value := p.Step.Iteration, score(p.Step)
		if iteration > 0 && value < last-slack*(1+math.Abs(last)) {
			o.falls++
		}
		last, o.steps = value, iteration
		o.theta = positive(o.theta[:0], p.Theta)
		if !follow(iteration) {
			return
		}
		at := point{iteration: iteration, train: -p.Step.LogLikelihood / b.train.Weight()}
		if at.test, failure = average(b.test, o.theta); failure != nil {
			return
		}
		put(net, o.theta)
		at.violation, failure = b.violation(net)
		o.course = append(o.course, at)
	}
	set.Starts, set.Workers, set.Tolerance = 1, 1, 1e-300
	set.Progress = watch
	_, err := learn.FitCases(ctx, b.net, b.train, m, &set)
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		err = failure
	}
	if err != nil {
		return nil, say.Errorf("timecourse: %s, set %d, %s: %w", b.name, b.set, m, err)
	}
	o.end = last
	put(net, o.theta)
	if o.quality, err = b.quality(net); err != nil {
		return nil, err
	}
	o.violation, err = b.violation(net)
	return o, err
}

// least is what stands for a probability of exactly zero in a learned table, so that a test
// case that the network holds impossible costs 115 nats and not infinitely many.
const least = 1e-50

// positive appends theta without its zeros.
func positive(dst, theta []float64) []float64 {
	for _, x := range theta {
		dst = append(dst, max(x, least))
	}
	return dst
}

// from makes a method begin at one of the starts.
func (b *subject) from(start, iterations int) learn.Settings {
	return learn.Settings{From: b.starts[start], MaxIterations: iterations}
}

// flat makes a method begin with nearly uniform tables of what is hidden.
func (b *subject) flat(start, iterations int) learn.Settings {
	return learn.Settings{Flat: true, Seed: b.seed, Stream: uint64(start), MaxIterations: iterations}
}

// at is the course after an iteration: the last point until then, since a run that ended
// early stays where it is.
func (o *outcome) at(iteration int) point {
	for i := len(o.course) - 1; i > 0; i-- {
		if o.course[i].iteration <= iteration {
			return o.course[i]
		}
	}
	return o.course[0]
}
