package validate

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	deal "bnlab/internal/folds"
	"bnlab/internal/say"
)

// inner are folds of training cases, in which candidates are compared.
type inner struct {
	train, test []*part
}

// inner deals training rows into folds; there are none for a single row.
func (s *sample) inner(rows []int, folds int, src rand.Source) (*inner, error) {
	in := &inner{}
	if folds = min(folds, len(rows)); folds < 2 {
		return in, nil
	}
	dealt, err := s.column.Select(rows).StratifiedFolds(s.target.Name, folds, src)
	if err != nil {
		return nil, say.Errorf("validate: %w", err)
	}
	for _, at := range dealt {
		in.test = append(in.test, s.part(pick(rows, at)))
	}
	for f, at := range dealt {
		in.train = append(in.train, without(in.test, f, pick(rows, deal.Complement(len(rows), at))))
	}
	return in, nil
}

func pick(rows, at []int) []int {
	out := make([]int, len(at))
	for i, k := range at {
		out[i] = rows[k]
	}
	return out
}

// hasAUC reports whether one fold has an AUC at least.
func (in *inner) hasAUC(s *sample) bool {
	for f := range in.test {
		if s.ranks(in.train[f], in.test[f]) {
			return true
		}
	}
	return false
}

// choose returns the candidate that is best in the inner folds, of equal ones the first, and what
// there is to warn of. The mean of a
// measure is over cases, that of AUC over the folds that have one.
func (s *sample) choose(ctx context.Context, c contender, in *inner, by Measure, b *buffer, src rand.Source) (best int,
	warning string, err error) {
	if len(c.candidates) == 1 {
		return 0, "", nil
	}
	if len(in.test) == 0 {
		return 0, fmt.Sprintf("%s: one training case, so that the first setting was taken", c.name), nil
	}
	if by == AUC && !in.hasAUC(s) {
		by, warning = LogScore, fmt.Sprintf("%s: no inner fold has an AUC, so that the setting was chosen by the log "+
			"score", c.name)
	}
	top := math.Inf(-1)
	for k, e := range c.candidates {
		sum, weight := 0.0, 0.0
		for f, test := range in.test {
			dist, err := e.predict(ctx, in.train[f], test, b, src)
			if err != nil {
				return 0, "", say.Errorf("inner fold %d, %s: %w", f+1, c.settings[k], err)
			}
			w := 1.0
			if by != AUC {
				w = test.weight()
			}
			if x, ok := s.measure(by, dist, in.train[f], test); ok {
				sum += w * x
				weight += w
			}
		}
		if value := sum / weight; value > top {
			best, top = k, value
		}
	}
	if math.IsInf(top, -1) {
		warning = fmt.Sprintf("%s: each setting holds a case of an inner fold impossible, so that the first was "+
			"taken; give pseudocounts", c.name)
	}
	return best, warning, nil
}
