package validate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"text/tabwriter"

	"gonum.org/v1/gonum/stat"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// A Curve holds the learning curves of several learners. It prints as a table.
type Curve struct {
	Target   bn.Variable
	Event    string // what AUC is about, as in "recurrence=yes"; empty for nothing
	Rows     int
	Sizes    []int // numbers of training cases, ascending
	Draws    int   // random choices of training cases of each size
	Planned  int   // draws that were asked for; more than Draws when interrupted
	Learners []LearnerCurve
	Warnings []string
	// Interrupted: the context ended early. Draws are those that were complete, at all sizes and
	// for all learners.
	Interrupted bool
}

// A LearnerCurve is the learning curve of one learner.
type LearnerCurve struct {
	Name                    string
	AUC, LogScore, Accuracy []Spread   // by size
	Scores                  [][]Scores // by draw and size
}

// A Spread is that of a measure over N draws; without any it is 0 and stands for no value. The
// percentiles are values of draws (inverse of the empirical distribution).
type Spread struct {
	Mean, P05, P50, P95 float64
	N                   int
}

// String prints the mean and the percentiles around it, of two draws or more; a dash for no value.
func (s Spread) String() string {
	switch s.N {
	case 0:
		return "–"
	case 1:
		return fmt.Sprintf("%.3f", s.Mean)
	}
	return fmt.Sprintf("%.3f [%.3f, %.3f]", s.Mean, s.P05, s.P95)
}

// LearningCurve trains learners on random stratified training sets of the given sizes and tests
// them on the remaining cases. All learners use the same draws. The training sets of one draw are
// nested, up to rounding.
//
// It returns an error for no sizes, a size below 1 or without a case left to test, and those of
// [CrossValidate]. Draws without an AUC have a warning.
func LearningCurve(ctx context.Context, net *bn.Network, t *data.Table, target string, learners []Learner, sizes []int,
	set *Settings) (*Curve, error) {
	c, _, err := learningCurve(ctx, net, t, target, learners, sizes, set)
	return c, err
}

// learningCurve is LearningCurve; it also returns what is left of the random numbers.
func learningCurve(ctx context.Context, net *bn.Network, t *data.Table, target string, learners []Learner, sizes []int,
	set *Settings) (*Curve, rand.Source, error) {
	set, err := set.curveDefaults()
	if err != nil {
		return nil, nil, err
	}
	s, err := newSample(net, t, target, set)
	if err != nil {
		return nil, nil, err
	}
	contenders, err := s.ready(learners, set)
	if err != nil {
		return nil, nil, err
	}
	if len(sizes) == 0 {
		return nil, nil, errors.New("validate: no sizes of training sets")
	}
	sizes = slices.Clone(sizes)
	slices.Sort(sizes)
	sizes = slices.Compact(sizes)
	if least, most := sizes[0], sizes[len(sizes)-1]; least < 1 || most >= s.table.Rows() {
		return nil, nil, fmt.Errorf("validate: training sets of %d to %d cases from a table of %d; each needs a case, "+
			"and one must be left to test", least, most, s.table.Rows())
	}
	src := set.source()
	c, err := s.learningCurve(ctx, contenders, sizes, set, src)
	return c, src, err
}

// learningCurve has the pairs of draw and size as its tasks.
func (s *sample) learningCurve(ctx context.Context, contenders []contender, sizes []int, set *Settings,
	src rand.Source) (*Curve, error) {
	rng := rand.New(src)
	seeds := make([]uint64, set.Repeats)
	for draw := range seeds {
		seeds[draw] = rng.Uint64()
	}
	judges := make([]judge, set.Repeats*len(sizes))
	rows := s.table.Rows()
	done, err := each(ctx, set.Workers, len(judges), set.Progress, func(task int, b *buffer) error {
		draw, size := task/len(sizes), sizes[task%len(sizes)]
		// The same source at each size shuffles the cases in the same way.
		train, test, err := s.column.Split(s.target.Name, float64(rows-size)/float64(rows),
			rand.NewPCG(seeds[draw], 0))
		if err != nil {
			return say.Errorf("validate: %w", err)
		}
		j := &judge{sample: s, set: set, buffer: b, seed: seeds[draw], stream: uint64(size)}
		if err := j.judge(ctx, contenders, s.part(train), s.part(test),
			func([][]float64) {}); err != nil {
			return say.Errorf("validate: draw %d of %d cases: %w", draw+1, size, err)
		}
		judges[task] = *j
		return nil
	})
	if err != nil {
		return nil, err
	}
	c := &Curve{Target: s.target, Event: s.event(), Rows: rows, Sizes: sizes, Planned: set.Repeats,
		Interrupted: slices.Contains(done, false)}
	for _, l := range contenders {
		c.Learners = append(c.Learners, LearnerCurve{Name: l.name})
	}
	var w warnings
	for draw := range set.Repeats {
		at := draw * len(sizes)
		if slices.Contains(done[at:at+len(sizes)], false) {
			continue
		}
		c.Draws++
		for i := range c.Learners {
			scores := make([]Scores, len(sizes))
			for k := range sizes {
				scores[k] = judges[at+k].scores[i]
			}
			c.Learners[i].Scores = append(c.Learners[i].Scores, scores)
		}
		for k, size := range sizes {
			for _, text := range judges[at+k].warnings {
				w.add(text, fmt.Sprintf("draw %d of %d cases", draw+1, size))
			}
		}
	}
	if c.Draws == 0 {
		return nil, say.Errorf("validate: ended before one draw was complete: %w", ctx.Err())
	}
	for i := range c.Learners {
		l := &c.Learners[i]
		l.AUC, l.LogScore, l.Accuracy = l.spreads(AUC), l.spreads(LogScore), l.spreads(Accuracy)
	}
	c.Warnings = w.lines()
	return c, nil
}

func (l *LearnerCurve) spreads(m Measure) []Spread {
	out := make([]Spread, len(l.Scores[0]))
	for k := range out {
		var values []float64
		for _, draw := range l.Scores {
			if x, ok := draw[k].of(m); ok {
				values = append(values, x)
			}
		}
		if len(values) == 0 {
			continue
		}
		slices.Sort(values)
		at := func(p float64) float64 { return stat.Quantile(p, stat.Empirical, values, nil) }
		out[k] = Spread{Mean: stat.Mean(values, nil), P05: at(0.05), P50: at(0.5), P95: at(0.95), N: len(values)}
	}
	return out
}

// Measure returns the curve of one measure, by size.
func (l *LearnerCurve) Measure(m Measure) []Spread {
	switch m {
	case AUC:
		return l.AUC
	case Accuracy:
		return l.Accuracy
	}
	return l.LogScore
}

// learner finds one by name.
func (c *Curve) learner(name string) (*LearnerCurve, error) {
	var names []string
	for i := range c.Learners {
		if c.Learners[i].Name == name {
			return &c.Learners[i], nil
		}
		names = append(names, c.Learners[i].Name)
	}
	return nil, say.Errorf("validate: there is no learner %q (learners: %s)", name, say.List(names))
}

// String prints means and 5th and 95th percentiles over draws.
func (c *Curve) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "learning curve of %s, %d cases, %d draws", c.Target.Name, c.Rows, c.Draws)
	if c.Interrupted {
		fmt.Fprintf(&b, "; interrupted after %d of %d draws", c.Draws, c.Planned)
	}
	b.WriteByte('\n')
	if c.Draws > 1 {
		b.WriteString("mean [5th, 95th percentile of draws, which is no interval of the mean]\n")
	}
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "training cases\tlearner\tAUC\tlog score (nats)\taccuracy\n")
	for k, size := range c.Sizes {
		for _, l := range c.Learners {
			fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\n", size, l.Name, l.AUC[k], l.LogScore[k], l.Accuracy[k])
		}
	}
	w.Flush()
	for _, line := range c.Warnings {
		b.WriteString("warning: " + line + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}
