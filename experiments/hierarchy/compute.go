package hierarchy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"bnlab/datasets"
	"bnlab/experiments/run"
)

// Families of random streams, see [origin].
const (
	parentWiseStreams = iota
	familyWiseStreams
	sensitivityStreams
	exampleStreams
	otherStreams
	literalStreams
	besideStreams
	largerStreams
	trialStreams
)

// brainStream is for a class of real series, by its number.
const brainStream = otherStreams * purposes

// A Panel is one of B06 Figure 2: what the searches found at each point over the runs.
type Panel struct {
	Name     string
	X        []float64
	Outcomes [][][]outcome // by point, search, run
}

// A Cell is one setting of arity and length.
type Cell struct {
	Arity, Length int
	Outcomes      [][]outcome // by search, run
}

// known are accuracies when the tables of both models, and when only their links, are known: what no search
// can pass by much.
type known = [2]float64

// Results are all that the experiment computes.
type Results struct {
	Config      Config
	Searches    []string
	Studies     []*Study
	Trials      []*Trial
	Sensitivity []*Cell
	Times       []Time
	Brain       *brainStudy // nil without data
	Missing     error       // why there are none
	example     *example
}

// panelNames are those of the files.
var panelNames = [panels]string{iid: "iid", sampleSize: "equivalent-sample-size", noisy: "noise",
	violating: "violations"}

// Compute runs all parts. Besides the seconds of Times, results depend on the job's seed only, and on which
// data can be had.
func Compute(ctx context.Context, job *run.Job, c Config) (*Results, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	r := &Results{Config: c, Searches: []string{flat, rfw, pw}}
	if err := r.sensitivity(ctx, job); err != nil {
		return nil, err
	}
	c.Arity, c.Length = r.choose()
	r.Config, r.Studies = c, studies(c)
	for _, study := range r.Studies {
		if err := r.simulate(ctx, job, study); err != nil {
			return nil, err
		}
	}
	if err := r.try(ctx, job); err != nil {
		return nil, err
	}
	s, err := newScene(c, parentWise, job.Seed)
	if err != nil {
		return nil, err
	}
	if r.example, err = s.newExample(ctx, job); err != nil {
		return nil, err
	}
	r.Brain, err = learnBrain(ctx, job, c)
	if errors.Is(err, datasets.ErrNotAvailable) {
		job.LacksData(err)
		job.Progress(fmt.Sprintf("real data left out: %v", err), 0, 1)
		r.Brain, r.Missing, err = nil, err, nil
	}
	if err != nil {
		return nil, err
	}
	return r, r.time(ctx, job, s)
}

// sensitivity varies what the paper leaves open, on structures of the parent-wise rule, at the largest c,
// where the paper calls classification trivial.
func (r *Results) sensitivity(ctx context.Context, job *run.Job) error {
	settings := slices.Clone(r.Config.Long)
	for _, arity := range r.Config.Arities {
		for _, length := range r.Config.Lengths {
			settings = append(settings, [2]int{arity, length})
		}
	}
	slices.SortFunc(settings, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	var scenes []*scene
	for _, at := range settings {
		c := r.Config
		c.Arity, c.Length, c.Change = at[0], at[1], c.Changes[len(c.Changes)-1]
		s, err := newScene(c, parentWise, job.Seed)
		if err != nil {
			return err
		}
		scenes = append(scenes, s)
		cell := &Cell{Arity: c.Arity, Length: c.Length, Outcomes: make([][]outcome, len(r.Searches))}
		for i := range cell.Outcomes {
			cell.Outcomes[i] = make([]outcome, c.SensitivityRuns)
		}
		r.Sensitivity = append(r.Sensitivity, cell)
	}
	return job.Replicates(ctx, "vary arity and length", len(scenes)*r.Config.SensitivityRuns,
		func(replicate int, _ *rand.PCG) error {
			// Lengths alternate, so that the fraction done is one of the time too.
			cell, at := replicate%len(scenes), replicate/len(scenes)
			outcomes, err := scenes[cell].once(ctx, origin{job, sensitivityStreams, replicate})
			for i, o := range outcomes {
				r.Sensitivity[cell].Outcomes[i][at] = o
			}
			return err
		})
}

// once is a run at the fixed c and equivalent sample size.
func (s *scene) once(ctx context.Context, o origin) ([]outcome, error) {
	a, b, g, err := s.pair(o)
	if err != nil {
		return nil, err
	}
	return s.both(ctx, g, a, b, s.Size)
}

// pair makes a structure that complies with the rule and two classes.
func (s *scene) pair(o origin) (a, b *class, g graph, err error) {
	src := o.source(forModels, 0)
	if g, err = s.structure(src); err != nil {
		return nil, nil, nil, err
	}
	first, changed, err := s.models(g, []float64{s.Change}, src)
	if err != nil {
		return nil, nil, nil, err
	}
	if a, err = s.of(first, o.source(forClass, 0)); err != nil {
		return nil, nil, nil, err
	}
	b, err = s.of(changed[s.Change], o.source(forClass, 1))
	return a, b, g, err
}

// Parents of a child that the searches of B06 §4 add: by flat search, which is about one, and by PW-Hier.
const (
	flatParents = 1
	pwParents   = 0.3
)

// choose returns arity and length at which flat search and PW-Hier add most nearly as many parents as the
// paper says, by the sum of the absolute logarithms of both ratios. It looks at nothing else, least of all at
// accuracies.
func (r *Results) choose() (arity, length int) {
	best := math.Inf(1)
	for _, c := range r.Sensitivity {
		flat, _ := meanError(values(c.Outcomes[r.place(flat)], parentsOf))
		narrow, _ := meanError(values(c.Outcomes[r.place(pw)], parentsOf))
		away := math.Abs(math.Log(flat/flatParents)) + math.Abs(math.Log(narrow/pwParents))
		if away < best {
			best, arity, length = away, c.Arity, c.Length
		}
	}
	return arity, length
}
