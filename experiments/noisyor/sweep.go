package noisyor

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/knowledge"
	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// A way is a procedure by which all six learners are learned.
type way struct {
	name       string
	exact      bool
	iterations int
	step       float64
	even       bool    // starts at even tables, not at random
	starts     int     // of which the tables are averaged; 0 is one
	prior      float64 // pseudocount of the exact method
	// unseen is what an exact free table without pseudocount says of rows without cases; leftOut drops the cases.
	unseen float64
}

// ways are the procedures that are tried. Those by Algorithm 1 have no pseudocount, as in the
// paper, and ω is the number of cases and does not grow: with weights that do, see [Duel].
func (c Config) ways() []way {
	all := []way{
		{name: "exact", exact: true, prior: duelPseudocount},
		{name: "exact, shrunk", exact: true, prior: 2},
		{name: "exact, unseen rows 0", exact: true},
		{name: "exact, unseen rows 1/2", exact: true, unseen: 0.5},
		{name: "exact, unseen rows left out", exact: true, unseen: leftOut},
	}
	for s, step := range c.SweepSteps {
		for _, n := range c.SweepIterations {
			if n == 0 && s > 0 {
				continue
			}
			all = append(all, way{name: fmt.Sprintf("Algorithm 1, %d iterations, step %g", n, step), iterations: n,
				step: step})
		}
	}
	for _, n := range c.SweepIterations[1:] {
		all = append(all, way{name: fmt.Sprintf("Algorithm 1, %d iterations, even start", n), iterations: n,
			step: c.SweepSteps[0], even: true})
	}
	return append(all, way{name: fmt.Sprintf("Algorithm 1, %d iterations, mean of %d starts", c.MeanIterations,
		c.MeanStarts), iterations: c.MeanIterations, step: c.SweepSteps[0], starts: c.MeanStarts})
}

// A Split is one training and test set, with what each way and learner predicts of the test cases.
type Split struct {
	Positive []bool
	Scores   [][][]float64 // by way and learner
	LogScore [][]float64   // by way and learner, nats a case; probabilities are taken to be 1e-6 at least
	Cases    int           // for training

	areas [][][]float64 // by way, learner and rule, nil without cases of both kinds; made by measure
}

// A Sweep are the single splits of a domain.
type Sweep struct {
	*Domain
	Splits [2][]*Split // ten to one and one to ten; by draw, then fold

	maxima *maxima // while it is made
}

// sweeps learns on each split in all ways.
func sweeps(ctx context.Context, job *run.Job, c Config, domains []*Domain) ([]*Sweep, error) {
	list := make([]*Sweep, len(domains))
	for i, d := range domains {
		list[i] = &Sweep{Domain: d, maxima: newMaxima()}
		for k := range list[i].Splits {
			list[i].Splits[k] = make([]*Split, c.SweepDraws*c.SweepFolds)
		}
	}
	n := c.SweepDraws * c.SweepFolds
	err := job.Replicates(ctx, "stop Algorithm 1 early", len(domains)*n, func(task int, _ *rand.PCG) error {
		s, at := list[task%len(domains)], task/len(domains)
		cases, folds := s.deal(job, c, at/c.SweepFolds)
		for turned := range s.Splits {
			var parts [2][]int
			for row, fold := range folds {
				k := turned
				if fold == at%c.SweepFolds {
					k = 1 - turned
				}
				parts[k] = append(parts[k], row)
			}
			var err error
			if s.Splits[turned][at], err = s.split(ctx, job, c, at, cases.Select(parts[0]),
				cases.Select(parts[1])); err != nil {
				return say.Errorf("domain %s: %w", s.name, err)
			}
		}
		return nil
	})
	for _, s := range list {
		s.maxima = nil
	}
	return list, err
}

// deal draws the rows and their folds, such that each fold has its share of the target.
func (s *Sweep) deal(job *run.Job, c Config, draw int) (*data.Table, []int) {
	rng := rand.New(job.Source(stream(sweepStream, s.Domain), 2*draw))
	cases := s.draw(rng)
	target := cases.Columns()[s.Net.Len()-1].States
	folds := make([]int, cases.Rows())
	next := 0
	for state := range bn.State(2) {
		for _, row := range rng.Perm(cases.Rows()) {
			if target[row] == state {
				folds[row] = next % c.Folds
				next++
			}
		}
	}
	return cases, folds
}

// split learns from the training cases and predicts the others.
func (s *Sweep) split(ctx context.Context, job *run.Job, c Config, at int, train, test *data.Table) (*Split, error) {
	p := &Split{Cases: train.Rows()}
	for _, y := range test.Columns()[s.Net.Len()-1].States {
		p.Positive = append(p.Positive, y == 1)
	}
	counts, err := train.Count(s.Net, nil)
	if err != nil {
		return nil, err
	}
	ways := c.ways()
	p.Scores, p.LogScore = make([][][]float64, len(ways)), make([][]float64, len(ways))
	for _, l := range knowledge.Learners() {
		tables, err := s.learn(ctx, ways, l, counts, func() rand.Source {
			return job.Source(stream(sweepStream, s.Domain), 2*at+1)
		})
		if err != nil {
			return nil, say.Errorf("%s: %w", l, err)
		}
		for i, table := range tables {
			one := s.predict(table, test)
			p.Scores[i] = append(p.Scores[i], one)
			p.LogScore[i] = append(p.LogScore[i], meanLog(one, p.Positive))
		}
	}
	p.measure()
	return p, nil
}

// leftOut stands for a prediction that is not made.
const leftOut = -1

// nothing is a weight and a step that move no number.
const nothing = 1e-300

// predict looks the cases up in the table.
func (s *Sweep) predict(table []float64, test *data.Table) []float64 {
	cpt := s.Net.CPT(s.Net.Len() - 1)
	columns := make([]data.Column, len(cpt.Parents))
	for i, p := range cpt.Parents {
		for _, c := range test.Columns() {
			if c.Var.Name == p.Name {
				columns[i] = c
			}
		}
	}
	scores := make([]float64, test.Rows())
	states := make([]int, len(columns))
	for row := range scores {
		for i, c := range columns {
			states[i] = int(c.States[row])
		}
		scores[row] = table[cpt.Configs().Index(states)]
	}
	return scores
}

// meanLog is the mean logarithm of the probability of what happened; cases without prediction are left out.
func meanLog(scores []float64, positive []bool) float64 {
	sum, n := 0.0, 0
	for i, p := range scores {
		if p == leftOut {
			continue
		}
		if !positive[i] {
			p = 1 - p
		}
		sum += math.Log(max(p, 1e-6))
		n++
	}
	return sum / float64(max(n, 1))
}
