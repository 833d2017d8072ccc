package weigh

import (
	"context"
	"fmt"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// Scores are those of each learner, by size and replicate; a learner that was not run somewhere has fewer replicates.
type Scores struct {
	Sizes    []int
	Learners []string
	Of       map[string][][]Score // by learner, size and replicate
	// Holds are, by size and statement, the means over replicates of what the default average says: before, after.
	Statements    []constraint.Constraint
	Before, After [][]float64
	Replicates    int
}

func newScores(sizes []int, names []string, statements []constraint.Constraint, replicates int) *Scores {
	s := &Scores{Sizes: sizes, Learners: names, Of: make(map[string][][]Score), Statements: statements,
		Replicates: replicates}
	for range sizes {
		for _, l := range names {
			s.Of[l] = append(s.Of[l], nil)
		}
		s.Before = append(s.Before, make([]float64, len(statements)))
		s.After = append(s.After, make([]float64, len(statements)))
	}
	return s
}

// A draw is what one replicate adds to Scores.
type draw struct {
	of            map[string][]Score // by size
	before, after [][]float64
}

// compare fits all learners to the first cases of a sample, size by size, and scores them.
func (s *study) compare(ctx context.Context, names []string, cases *data.Table, sizes []int, weights []float64,
	skip func(learner string, size int) bool, src *rand.PCG) (draw, error) {
	d := draw{of: make(map[string][]Score)}
	for _, size := range sizes {
		some := cases.Head(size)
		for _, l := range names {
			if skip != nil && skip(l, size) {
				continue
			}
			table, weighing, err := s.fit(ctx, l, some, src)
			if err != nil {
				return d, say.Errorf("%d cases, %s: %w", size, l, err)
			}
			one, err := score(table, weights)
			if err != nil {
				return d, err
			}
			d.of[l] = append(d.of[l], one)
			if l == averaged {
				var before, after []float64
				for _, b := range weighing.Statements {
					before, after = append(before, b.Before), append(after, b.After)
				}
				d.before, d.after = append(d.before, before), append(d.after, after)
			}
		}
		if err := ctx.Err(); err != nil {
			return d, err
		}
	}
	return d, nil
}

// add takes in a replicate; skip is that of compare.
func (s *Scores) add(d draw, skip func(learner string, size int) bool) {
	for l, scores := range d.of {
		next := 0
		for i, size := range s.Sizes {
			if skip == nil || !skip(l, size) {
				s.Of[l][i] = append(s.Of[l][i], scores[next])
				next++
			}
		}
	}
	for i := range s.Sizes {
		for k := range s.Statements {
			s.Before[i][k] += d.before[i][k] / float64(s.Replicates)
			s.After[i][k] += d.after[i][k] / float64(s.Replicates)
		}
	}
}

// gain is by how much a learner's log score is above another's, by replicate, in nats a case.
func (s *Scores) gain(learner, over string, size int) []float64 {
	var list []float64
	a, b := s.Of[learner][size], s.Of[over][size]
	for i := range min(len(a), len(b)) {
		list = append(list, a[i].LogScore-b[i].LogScore)
	}
	return list
}

// raise is gain for the AUC.
func (s *Scores) raise(learner, over string, size int) []float64 {
	var list []float64
	a, b := s.Of[learner][size], s.Of[over][size]
	for i := range min(len(a), len(b)) {
		list = append(list, a[i].AUC-b[i].AUC)
	}
	return list
}

// Truths are simulated truths with a number of wrong statements.
type Truths struct {
	Wrong int
	*Scores
}

// causes of a simulated truth.
const causes = 4

// causesNet is a network of binary causes, equally often present and absent, of Y.
func causesNet(n int) (*bn.Network, error) {
	var vars []bn.Variable
	model, of := "", ""
	for i := range n {
		name := fmt.Sprintf("X%d", i+1)
		vars, model = append(vars, bn.Discrete(name, "no", "yes")), model+"["+name+"]"
		if i > 0 {
			of += ":"
		}
		of += name
	}
	return bn.New(model+"[Y|"+of+"]", append(vars, bn.Discrete("Y", "no", "yes"))...)
}

// drawTruth draws a noisy-OR of so many causes: links between .1 and .7, a leak between .05 and .25. Where a cause is
// reversed, it is its absence that acts.
func drawTruth(rng *rand.Rand, n int, reversed ...bool) (*bn.Network, error) {
	net, err := causesNet(n)
	if err != nil {
		return nil, err
	}
	inhibition := make([]float64, n)
	for i := range inhibition {
		inhibition[i] = 0.9 - 0.6*rng.Float64()
	}
	leak := 0.05 + 0.2*rng.Float64()
	t := net.CPT(n)
	states := make([]int, n)
	for config := range t.Configs().Len() {
		t.Configs().States(states, config)
		p := 1 - leak
		for i, state := range states {
			if acts := state == 1; acts != (i < len(reversed) && reversed[i]) {
				p *= inhibition[i]
			}
		}
		t.Row(config)[0], t.Row(config)[1] = p, 1-p
	}
	return net, nil
}

// said are the statements about a noisy-OR of four causes, of which so many have the wrong sign. All of a noisy-OR are
// positive, and any two causes do less together than their effects add up to.
func said(wrong int) []constraint.Constraint {
	var list []constraint.Constraint
	for i := range causes {
		s := constraint.Influence{Parent: fmt.Sprintf("X%d", i+1), Child: "Y"}
		if i < wrong {
			s.Sign = constraint.Negative
		}
		list = append(list, s)
	}
	return append(list, constraint.Synergy{Parents: []string{"X3", "X4"}, Child: "Y", Sub: true})
}

// weightsOf is the probability of each joint state of a child and its parents, all parents equally likely.
func weightsOf(t *bn.CPT) []float64 {
	weights := make([]float64, len(t.P))
	for i, p := range t.P {
		weights[i] = p / float64(t.Configs().Len())
	}
	return weights
}

// skipsLarge leaves other strengths out of large sizes, where they take time and the prior tells little.
func (c Config) skipsLarge(learner string, size int) bool {
	return size > c.StrengthSize && c.isStrength(learner)
}

// computeTruths fits to cases of truths that are drawn anew in each replicate; scores are expectations under them.
func computeTruths(ctx context.Context, job *run.Job, c Config) ([]*Truths, error) {
	names := learners(c.Strengths)
	draws := make([]draw, len(c.Wrong)*c.Replicates)
	err := job.Replicates(ctx, "simulated truths", len(draws), func(task int, _ *rand.PCG) error {
		wrong, replicate := c.Wrong[task%len(c.Wrong)], task/len(c.Wrong)
		src := job.Source(truthStream, replicate) // the same truth and cases, whatever is said
		truth, err := drawTruth(rand.New(src), causes)
		if err != nil {
			return err
		}
		cases, err := data.Sample(truth, c.Sizes[len(c.Sizes)-1], src)
		if err != nil {
			return err
		}
		s := &study{truth, causes, said(wrong), c}
		draws[task], err = s.compare(ctx, names, cases, c.Sizes, weightsOf(truth.CPT(causes)), c.skipsLarge, src)
		return err
	})
	if err != nil {
		return nil, err
	}
	var list []*Truths
	for k, wrong := range c.Wrong {
		t := &Truths{wrong, newScores(c.Sizes, names, said(wrong), c.Replicates)}
		for replicate := range c.Replicates {
			t.add(draws[replicate*len(c.Wrong)+k], c.skipsLarge)
		}
		list = append(list, t)
	}
	return list, nil
}
