package weigh

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"

	"bnlab/bnkit/data"
	"bnlab/bnkit/knowledge"
	"bnlab/experiments/noisyor"
	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// A Domain is one of Y13's with what the learners do there.
type Domain struct {
	Name string
	*Scores
	Missing error // why there are no data, and no Scores
}

// computeDomains fits to cases drawn from each domain, and predicts others of them.
func computeDomains(ctx context.Context, job *run.Job, c Config) ([]*Domain, error) {
	names := learners(c.Strengths)
	type task struct{ domain, draw int }
	var list []*Domain
	var of []*noisyor.Domain
	var tasks []task
	var lacking []string
	for i, size := range c.Domains {
		found, err := noisyor.Domains(ctx, size.Name)
		if err != nil {
			return nil, err
		}
		d := &Domain{Name: size.Name, Missing: found[0].Missing}
		list, of = append(list, d), append(of, found[0])
		if d.Missing != nil {
			lacking = append(lacking, size.Name)
			job.LacksData(d.Missing)
			continue
		}
		found[0].Uses(job)
		d.Scores = newScores(size.Sizes, names, knowledge.Synergy.Select(found[0].Knowledge.Statements()), size.Draws)
		for draw := range size.Draws {
			tasks = append(tasks, task{i, draw})
		}
	}
	if len(lacking) > 0 {
		job.Progress("left out (set BNLAB_DATA to include them): "+strings.Join(lacking, ", ")+"; domains",
			len(list)-len(lacking), len(list))
	}
	draws := make([]draw, len(tasks))
	err := job.Replicates(ctx, "domains", len(tasks), func(at int, _ *rand.PCG) error {
		t := tasks[at]
		d, from := list[t.domain], of[t.domain]
		src := job.Source(domainStream+uint32(t.domain), t.draw)
		train, weights, err := d.deal(c, from, src)
		if err != nil {
			return err
		}
		s := &study{from.Net, from.Net.Len() - 1, d.Statements, c}
		if draws[at], err = s.compare(ctx, names, train, d.Sizes, weights, c.skips(d, t.draw), src); err != nil {
			return say.Errorf("domain %s: %w", d.Name, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for at, t := range tasks {
		list[t.domain].add(draws[at], c.skips(list[t.domain], t.draw))
	}
	return list, nil
}

// skips says which learners a draw leaves out: averages with other strengths take as long as the default each.
func (c Config) skips(d *Domain, draw int) func(learner string, size int) bool {
	return func(learner string, size int) bool {
		isIn := d.Replicates > c.StrengthDraws && draw < c.StrengthDraws && size == c.StrengthSize
		return c.isStrength(learner) && !isIn
	}
}

// isStrength reports whether a learner takes strengths at their word.
func (c Config) isStrength(learner string) bool {
	return slices.ContainsFunc(c.Strengths, func(s float64) bool { return learner == withStrength(s) })
}

// deal draws training cases, and returns the weights of the cells of the target's table in the cases held out.
func (d *Domain) deal(c Config, from *noisyor.Domain, src *rand.PCG) (*data.Table, []float64, error) {
	most := d.Sizes[len(d.Sizes)-1]
	rows := rand.New(src).Perm(from.Cases.Rows())
	if most >= len(rows) {
		return nil, nil, say.Errorf("weigh: domain %s: %d cases to learn from, of %d", d.Name, most, len(rows))
	}
	test, err := from.Cases.Select(rows[most:min(len(rows), most+c.TestCases)]).Count(from.Net,
		&data.CountOptions{Workers: 1})
	if err != nil {
		return nil, nil, err
	}
	return from.Cases.Select(rows[:most]), test.Family(from.Net.Len() - 1), nil
}
