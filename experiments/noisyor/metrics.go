package noisyor

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// An areaRule is a way to take the area under a curve of predictions.
type areaRule struct {
	name string
	of   func(steps []rung) float64
}

// A rung are the cases of one score, highest first.
type rung struct{ score, positive, negative float64 }

// roc is the number of the usual rule.
const roc = 0

// areaRules are those that Y13 leaves open. The first is the usual one.
func areaRules() []areaRule {
	return []areaRule{
		{"ROC", func(s []rung) float64 { return rocArea(s, 0.5) }},
		{"ROC, ties lose", func(s []rung) float64 { return rocArea(s, 0) }},
		{"ROC not closed at (1,1)", openArea},
		{"precision-recall", precisionArea},
	}
}

// rungs sorts cases by score. Those without a score are left out. There are none without cases of both kinds.
func rungs(scores []float64, positive []bool) []rung {
	var all []rung
	for i, x := range scores {
		switch {
		case x == leftOut:
		case positive[i]:
			all = append(all, rung{x, 1, 0})
		default:
			all = append(all, rung{x, 0, 1})
		}
	}
	slices.SortFunc(all, func(a, b rung) int { return cmp.Compare(b.score, a.score) })
	var out []rung
	for _, r := range all {
		if k := len(out) - 1; k >= 0 && out[k].score-r.score <= 1e-12 {
			out[k].positive, out[k].negative = out[k].positive+r.positive, out[k].negative+r.negative
			continue
		}
		out = append(out, r)
	}
	if p, n := totals(out); p == 0 || n == 0 {
		return nil
	}
	return out
}

func totals(steps []rung) (p, n float64) {
	for _, s := range steps {
		p, n = p+s.positive, n+s.negative
	}
	return p, n
}

// rocArea is the Mann-Whitney statistic, where a tie counts as much as tie says.
func rocArea(steps []rung, tie float64) float64 {
	above, sum := 0.0, 0.0
	for _, s := range steps {
		sum += s.negative * (above + tie*s.positive)
		above += s.positive
	}
	p, n := totals(steps)
	return sum / p / n
}

// openArea is that of trapezoids up to the last threshold but one: a curve drawn by "score above t" for each
// score t ends there, and not at (1, 1).
func openArea(steps []rung) float64 {
	p, n := totals(steps)
	last := steps[len(steps)-1]
	return rocArea(steps, 0.5) - last.negative*(p-last.positive/2)/p/n
}

// precisionArea is the mean precision at each positive case, Σ (R_k − R_{k−1}) P_k.
func precisionArea(steps []rung) float64 {
	p, _ := totals(steps)
	hit, called, sum := 0.0, 0.0, 0.0
	for _, s := range steps {
		hit, called = hit+s.positive, called+s.positive+s.negative
		sum += s.positive / p * hit / called
	}
	return sum
}

// spearman is the correlation of ranks; equal values share their mean rank. It is 0 where all values of a list
// are equal.
func spearman(x, y []float64) float64 {
	a, b := ranks(x), ranks(y)
	if r := stat.Correlation(a, b, nil); !math.IsNaN(r) {
		return r
	}
	return 0
}

func ranks(x []float64) []float64 {
	out := make([]float64, len(x))
	for i, a := range x {
		for _, b := range x {
			switch {
			case b < a:
				out[i]++
			case b == a:
				out[i] += 0.5
			}
		}
	}
	return out
}
