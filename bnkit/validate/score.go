package validate

import (
	"math"

	"bnlab/bnkit/metric"
)

// Scores are the scores of the predictions of some test cases.
type Scores struct {
	// AUC is there when HasAUC says so: test and training cases of both kinds are needed.
	AUC      float64
	HasAUC   bool
	LogScore float64 // nats per case; −Inf where a state that occurred was held impossible
	Accuracy float64
}

// of returns a measure, and whether it is there.
func (s Scores) of(m Measure) (float64, bool) {
	switch m {
	case AUC:
		return s.AUC, s.HasAUC
	case Accuracy:
		return s.Accuracy, true
	}
	return s.LogScore, true
}

// score compares predictions with what occurred.
func (s *sample) score(dist [][]float64, train, test *part) Scores {
	var out Scores
	total := test.weight()
	for _, it := range test.items {
		p := dist[it.place]
		out.LogScore += it.weight * math.Log(p[it.state])
		probable := 0
		for state, x := range p {
			if x > p[probable] {
				probable = state
			}
		}
		if probable == int(it.state) {
			out.Accuracy += it.weight
		}
	}
	out.LogScore /= total
	out.Accuracy /= total
	if !s.ranks(train, test) {
		return out
	}
	scores, weights, positive := make([]float64, len(test.items)), make([]float64, len(test.items)),
		make([]bool, len(test.items))
	for i, it := range test.items {
		scores[i], weights[i], positive[i] = dist[it.place][s.positive], it.weight, int(it.state) == s.positive
	}
	if auc, err := metric.AUC(scores, positive, weights); err == nil {
		out.AUC, out.HasAUC = auc, true
	}
	return out
}

// ranks reports whether predictions of test by what is learned from train have an AUC.
func (s *sample) ranks(train, test *part) bool {
	return s.positive >= 0 && s.oneClass(train) == "" && s.oneClass(test) == ""
}

// oneClass says which kind of case a part lacks, empty for none.
func (s *sample) oneClass(p *part) string {
	others := 0.0
	for state, w := range p.classes {
		if state != s.positive {
			others += w
		}
	}
	switch {
	case !(p.classes[s.positive] > 0):
		return "no case of " + s.event()
	case !(others > 0):
		return "no case but of " + s.event()
	}
	return ""
}
