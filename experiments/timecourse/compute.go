package timecourse

import (
	"context"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/learn"
	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// Streams of random numbers besides that of the cases and starts, which is 0.
const streamTruth = 1

// Results are those of all structures.
type Results struct {
	Config  Config
	Methods []string
	Studies []*study // by structure
	Beyond  []*venture
}

// A study is everything that was learned with one structure.
type study struct {
	structure
	maximum  float64          // bound of the violation
	subjects []*subject       // by set
	outcomes [][][]*outcome   // by method, set and start
	aligned  [][]float64      // violation of plain EM with hidden states renamed, by set and start
	sweep    [][]sweepOutcome // by set of the sweep, then as in sweepSettings
}

// Compute draws and learns. Only the job's seed and workers matter; the result does not
// depend on the workers.
func Compute(ctx context.Context, job *run.Job, c Config) (*Results, error) {
	if c.Sets < 1 || c.Sets > mostSets || c.Starts < 1 || c.Iterations < 1 || c.Shown < 1 || c.Shown > c.Sets ||
		c.SweepSets < 2 || c.SweepSets > c.Sets || c.SweepStarts < 1 || c.SweepStarts > c.Starts ||
		min(c.Beyond.Large, c.Beyond.Census, c.Beyond.Synergies, c.Beyond.Starts) < 1 ||
		max(c.Beyond.Large, c.Beyond.Synergies) > mostSets {
		return nil, say.Errorf("timecourse: the configuration %+v makes no sense", c)
	}
	list, err := structures()
	if err != nil {
		return nil, err
	}
	r := &Results{Config: c}
	for _, m := range methods() {
		r.Methods = append(r.Methods, m.name)
	}
	job.Step("draw the truths")
	var truths [][]*bn.Network
	for i, s := range list {
		drawn, err := s.truths(ctx, c.Sets, func(table int) rand.Source { return job.Source(streamTruth, 100*i+table) })
		if err != nil {
			return nil, err
		}
		truths = append(truths, drawn)
		one := &study{structure: s, subjects: make([]*subject, c.Sets), outcomes: make([][][]*outcome, len(r.Methods)),
			aligned: make([][]float64, c.Sets), sweep: make([][]sweepOutcome, c.SweepSets)}
		if one.maximum, err = s.bound(); err != nil {
			return nil, err
		}
		for m := range one.outcomes {
			one.outcomes[m] = make([][]*outcome, c.Sets)
		}
		r.Studies = append(r.Studies, one)
	}
	err = job.Replicates(ctx, "sample and learn", c.Sets*len(list), func(replicate int, src *rand.PCG) error {
		set, s := replicate/len(list), r.Studies[replicate%len(list)]
		b, err := newSubject(s.structure, set+1, truths[replicate%len(list)][set], c.Starts, src)
		if err != nil {
			return err
		}
		s.subjects[set] = b
		if err := s.learn(ctx, c, b); err != nil {
			return err
		}
		if set < c.SweepSets {
			s.sweep[set], err = b.vary(ctx, c)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	r.Beyond, err = beyond(ctx, job, c)
	return r, err
}

// learn runs all methods from all starts.
func (s *study) learn(ctx context.Context, c Config, b *subject) error {
	follow := followed
	if b.set == c.Shown {
		follow = func(int) bool { return true }
	}
	for i, m := range methods() {
		for start := range c.Starts {
			o, err := b.run(ctx, m.of(s.statements()), b.from(start, c.Iterations), m.score, follow)
			if err != nil {
				return err
			}
			s.outcomes[i][b.set-1] = append(s.outcomes[i][b.set-1], o)
			if m.name != plainEM {
				continue
			}
			net := b.net.Clone()
			put(net, o.theta)
			_, violation, err := learn.Align(net, s.hidden, s.statements()...)
			if err != nil {
				return err
			}
			s.aligned[b.set-1] = append(s.aligned[b.set-1], violation)
		}
	}
	return nil
}
