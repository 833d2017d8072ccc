package hierarchy

import (
	"context"
	"fmt"
	"math/rand/v2"

	"bnlab/experiments/run"
)

// Names of the studies: those with the kinds of structures, and two more with the parent-wise rule.
const (
	beside  = "next-setting" // at other states and images, panels of a fixed c at the largest one
	largerC = "larger-c"     // as the first, panels of a fixed c at the largest one
)

// A Study is a setting in which all panels of Figure 2 are simulated.
type Study struct {
	Name   string
	Title  string // what is other than in the first, in words
	Rule   string
	Config Config // with the states, the images and the fixed c
	Runs   int
	Panels []*Panel
	Known  [][]known // by point of the panel iid, run

	stream uint32
}

// studies are all that are made at the setting that was chosen.
func studies(c Config) []*Study {
	large := c.Changes[len(c.Changes)-1]
	next, strong := c, c
	next.Arity, next.Length, next.Change = c.Beside[0], c.Beside[1], large
	strong.Change = large
	return []*Study{
		{Name: parentWise, Rule: parentWise, Config: c, Runs: c.Runs, stream: parentWiseStreams},
		{Name: familyWise, Title: "structures of the relaxed family-wise rule", Rule: familyWise, Config: c,
			Runs: c.FamilyRuns, stream: familyWiseStreams},
		{Name: literal, Title: "fifteen literal links and what they imply", Rule: literal, Config: c,
			Runs: c.FamilyRuns, stream: literalStreams},
		{Name: largerC, Title: fmt.Sprintf("c fixed at %v", large), Rule: parentWise, Config: strong,
			Runs: c.OtherRuns, stream: largerStreams},
		{Name: beside, Title: fmt.Sprintf("%d states, %d images, c fixed at %v", next.Arity, next.Length, large),
			Rule: parentWise, Config: next, Runs: c.OtherRuns, stream: besideStreams},
	}
}

// study finds one by its name.
func (r *Results) study(name string) *Study {
	for _, s := range r.Studies {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// simulate makes all runs of a study.
func (r *Results) simulate(ctx context.Context, job *run.Job, s *Study) error {
	scene, err := newScene(s.Config, s.Rule, job.Seed)
	if err != nil {
		return err
	}
	s.Panels, s.Known = newPanels(s, len(r.Searches)), make([][]known, len(s.Config.Changes))
	for x := range s.Known {
		s.Known[x] = make([]known, s.Runs)
	}
	return job.Replicates(ctx, "simulate the study "+s.Name, s.Runs, func(replicate int, _ *rand.PCG) error {
		made, err := scene.figure2(ctx, origin{job, s.stream, replicate})
		if err != nil {
			return err
		}
		for k, p := range s.Panels {
			for x, outcomes := range made.outcomes[k] {
				for i, o := range outcomes {
					p.Outcomes[x][i][replicate] = o
				}
			}
		}
		for x, both := range made.known {
			s.Known[x][replicate] = both
		}
		return nil
	})
}

// newPanels makes room for the outcomes of a study.
func newPanels(s *Study, searches int) []*Panel {
	numbers := func(list []int) []float64 {
		var x []float64
		for _, n := range list {
			x = append(x, float64(n))
		}
		return x
	}
	c := s.Config
	xs := [panels][]float64{iid: c.Changes, sampleSize: c.Sizes, noisy: numbers(c.Entries),
		violating: numbers(c.Violating)}
	list := make([]*Panel, panels)
	for k := range list {
		p := &Panel{Name: panelNames[k], X: xs[k], Outcomes: make([][][]outcome, len(xs[k]))}
		for x := range p.Outcomes {
			p.Outcomes[x] = make([][]outcome, searches)
			for i := range p.Outcomes[x] {
				p.Outcomes[x][i] = make([]outcome, s.Runs)
			}
		}
		list[k] = p
	}
	return list
}
