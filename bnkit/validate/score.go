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
	out.LogScore, out.Accuracy = logScore(dist, test), accuracy(dist, test)
	out.AUC, out.HasAUC = s.auc(dist, train, test)
	return out
}

// measure is one of the scores, and whether it is there.
func (s *sample) measure(by Measure, dist [][]float64, train, test *part) (float64, bool) {
	switch by {
	case AUC:
		return s.auc(dist, train, test)
	case Accuracy:
		return accuracy(dist, test), true
	}
	return logScore(dist, test), true
}

func logScore(dist [][]float64, test *part) float64 {
	sum := 0.0
	for _, it := range test.items {
		sum += it.weight * math.Log(dist[it.place][it.state])
	}
	return sum / test.weight()
}

func accuracy(dist [][]float64, test *part) float64 {
	sum := 0.0
	for _, it := range test.items {
		p, probable := dist[it.place], 0
		for state, x := range p {
			if x > p[probable] {
				probable = state
			}
		}
		if probable == int(it.state) {
			sum += it.weight
		}
	}
	return sum / test.weight()
}

func (s *sample) auc(dist [][]float64, train, test *part) (auc float64, ok bool) {
	if !s.ranks(train, test) {
		return 0, false
	}
	scores, weights, positive := make([]float64, len(test.items)), make([]float64, len(test.items)),
		make([]bool, len(test.items))
	for i, it := range test.items {
		scores[i], weights[i], positive[i] = dist[it.place][s.positive], it.weight, int(it.state) == s.positive
	}
	auc, err := metric.AUC(scores, positive, weights)
	if err != nil {
		return 0, false
	}
	return auc, true
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
