package validate

import (
	"context"
	"fmt"
	"math/rand/v2"

	"bnlab/internal/say"
)

// A judge lets learners learn from training cases and predict test cases.
type judge struct {
	sample       *sample
	set          *Settings
	buffer       *buffer
	seed, stream uint64 // of what is random: two streams are the judge's own

	chosen   []int    // candidates, by learner
	scores   []Scores // by learner
	warnings []string
}

// noAUC begins a warning on test or training cases of one kind.
const noAUC = "no AUC"

// judge calls seen with the predictions of each learner, which are valid during the call. What
// it finds of a learner does not depend on the others.
func (j *judge) judge(ctx context.Context, contenders []contender, train, test *part,
	seen func(dist [][]float64)) error {
	s := j.sample
	if s.positive >= 0 {
		for i, p := range []*part{test, train} {
			if lack := s.oneClass(p); lack != "" {
				j.warnings = append(j.warnings, fmt.Sprintf(noAUC+": %s among the %s cases", lack,
					[...]string{"test", "training"}[i]))
			}
		}
	}
	var in *inner
	for _, c := range contenders {
		if in == nil && len(c.candidates) > 1 {
			var err error
			if in, err = s.inner(train.rows, j.set.InnerFolds, rand.NewPCG(j.seed, 2*j.stream)); err != nil {
				return err
			}
		}
		src := rand.NewPCG(j.seed, 2*j.stream+1)
		chosen, warning, err := s.choose(ctx, c, in, j.set.Criterion, j.buffer, src)
		if err != nil {
			return say.Errorf("learner %q: %w", c.name, err)
		}
		if warning != "" {
			j.warnings = append(j.warnings, warning)
		}
		dist, err := c.candidates[chosen].predict(ctx, train, test, j.buffer, src)
		if err != nil {
			return say.Errorf("learner %q, %s: %w", c.name, c.settings[chosen], err)
		}
		j.chosen = append(j.chosen, chosen)
		j.scores = append(j.scores, s.score(dist, train, test))
		seen(dist)
	}
	return nil
}
