package hierarchy

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"bnlab/bnkit/metric"
	"bnlab/experiments/run"
)

// significant is the level of the shaded ranges.
const significant = 0.05

// A measure is a number that an outcome has.
type measure func(o outcome) float64

// place is the place of a search.
func (r *Results) place(name string) int { return slices.Index(r.Searches, name) }

// values are those of a measure at a point, by run.
func values(runs []outcome, f measure) []float64 {
	v := make([]float64, len(runs))
	for i, o := range runs {
		v[i] = f(o)
	}
	return v
}

// meanError is the mean and its standard error.
func meanError(values []float64) (mean, stderr float64) {
	mean, sd := stat.MeanStdDev(values, nil)
	return mean, sd / math.Sqrt(float64(len(values)))
}

// mean is that of a measure of a search at a point.
func (p *Panel) mean(x, search int, f measure) float64 {
	return stat.Mean(values(p.Outcomes[x][search], f), nil)
}

// curve is the mean over the points.
func (p *Panel) curve(search int, f measure) []float64 {
	c := make([]float64, len(p.X))
	for x := range c {
		c[x] = p.mean(x, search, f)
	}
	return c
}

// test is the paired t-test of two searches at a point, a less b.
func (p *Panel) test(x, a, b int, f measure) (metric.TTest, error) {
	return metric.PairedT(values(p.Outcomes[x][a], f), values(p.Outcomes[x][b], f), 0)
}

// differences are those of two searches at a point by network, a less b.
func (p *Panel) differences(x, a, b int, f measure) []float64 {
	d := values(p.Outcomes[x][a], f)
	for i, v := range values(p.Outcomes[x][b], f) {
		d[i] -= v
	}
	return d
}

// points are the places of all points.
func (p *Panel) points() []int {
	all := make([]int, len(p.X))
	for x := range all {
		all[x] = x
	}
	return all
}

// ahead lists the points at which search a is significantly above b, the tests of all points corrected by Holm.
func (p *Panel) ahead(a, b int, f measure) ([]int, error) {
	tests := make([]metric.TTest, len(p.X))
	chance := make([]float64, len(p.X))
	for x := range p.X {
		var err error
		if tests[x], err = p.test(x, a, b, f); err != nil {
			return nil, err
		}
		if chance[x] = tests[x].P; math.IsNaN(chance[x]) {
			chance[x] = 1
		}
	}
	var list []int
	for x, told := range run.Holm(chance, significant) {
		if told && tests[x].Difference > 0 {
			list = append(list, x)
		}
	}
	return list, nil
}

// crossing is where the difference of two curves, positive at first, first reaches 0, by straight lines
// between the points.
func crossing(x, a, b []float64) (at float64, ok bool) {
	for i := range x {
		d := a[i] - b[i]
		if d > 0 {
			continue
		}
		if i == 0 {
			return x[0], true
		}
		before := a[i-1] - b[i-1]
		return x[i-1] + (x[i]-x[i-1])*before/(before-d), true
	}
	return 0, false
}

// wins counts, for each search, the families of both classes for which it has the highest score, and the
// families for which several have; each of these gets the point.
func (s *Setting) wins(searches int) (won []int, tied int) {
	won = make([]int, searches)
	for g := range s.Found {
		for v := range s.Found[g][0].scores {
			best := math.Inf(-1)
			for k := range searches {
				best = max(best, s.Found[g][k].scores[v])
			}
			top := 0
			for k := range searches {
				if s.Found[g][k].scores[v] >= best-1e-9*max(1, math.Abs(best)) {
					won[k]++
					top++
				}
			}
			if top > 1 {
				tied++
			}
		}
	}
	return won, tied
}

// parents is the mean number of parents of a family in both classes.
func (s *Setting) parents(search int) float64 {
	n, families := 0, 0
	for g := range s.Found {
		n += s.Found[g][search].graph.links()
		families += len(s.Found[g][search].graph)
	}
	return float64(n) / float64(families)
}

// meanParents is the mean over the searches: the x of B06 Figure 3.
func (s *Setting) meanParents() float64 {
	sum := 0.0
	for k := range s.Found[0] {
		sum += s.parents(k) / float64(len(s.Found[0]))
	}
	return sum
}

// total is the score of both networks.
func (s *Setting) total(search int) float64 {
	sum := 0.0
	for g := range s.Found {
		for _, x := range s.Found[g][search].scores {
			sum += x
		}
	}
	return sum
}

// scored is how many families a search looked at.
func (s *Setting) scored(search int) int {
	return s.Found[0][search].scored + s.Found[1][search].scored
}

// of lists the settings of a score by their mean number of parents.
func (b *brainStudy) of(score string) []*Setting {
	var list []*Setting
	for _, s := range b.settings {
		if s.Score == score {
			list = append(list, s)
		}
	}
	slices.SortStableFunc(list, func(a, b *Setting) int {
		switch x, y := a.meanParents(), b.meanParents(); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	return list
}
