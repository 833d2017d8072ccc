package weigh

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/internal/numtest"
	"bnlab/internal/rows"
)

// binary is a group of binary distributions: rows of (no, yes) counts under a uniform prior.
func binary(counts ...[2]float64) *Problem {
	p := &Problem{First: []int{0}}
	for _, c := range counts {
		p.First = append(p.First, p.First[len(p.First)-1]+2)
		p.Prior = append(p.Prior, 1, 1)
		p.Counts = append(p.Counts, c[0], c[1])
	}
	return p
}

// atMost is P(yes) of distribution a ≤ that of b, less a margin.
func atMost(a, b int, margin float64) rows.Row {
	return rows.Row{Index: []int{2*a + 1, 2*b + 1}, Coef: []float64{1, -1}, Value: -margin}
}

// influence of one of several binary parents on a table, in which the first parent varies slowest.
func influence(parents, which int, positive bool) []rows.Row {
	var list []rows.Row
	bit := 1 << (parents - 1 - which)
	for low := range 1 << parents {
		if low&bit != 0 {
			continue
		}
		if high := low | bit; positive {
			list = append(list, atMost(low, high, 0))
		} else {
			list = append(list, atMost(high, low, 0))
		}
	}
	return list
}

// synergy of two parents in each context of the others.
func synergy(parents, a, b int) []rows.Row {
	var list []rows.Row
	one, two := 1<<(parents-1-a), 1<<(parents-1-b)
	for low := range 1 << parents {
		if low&(one|two) == 0 {
			list = append(list, rows.Row{Index: []int{2*low + 1, 2*(low|one|two) + 1, 2*(low|one) + 1, 2*(low|two) + 1},
				Coef: []float64{-1, -1, 1, 1}})
		}
	}
	return list
}

// independent is a prior of statements with these strengths.
func independent(strengths ...float64) func(uint64) float64 {
	return func(imposed uint64) float64 {
		total := 0.0
		for i, s := range strengths {
			if imposed>>i&1 == 0 {
				s = 1 - s
			}
			total += math.Log(s)
		}
		return total
	}
}

// TestOneInfluence: two rows under a uniform prior, by hand from sums of binomials (the mathematics, §11.1).
func TestOneInfluence(t *testing.T) {
	for _, test := range []struct {
		counts                      [2][2]float64
		after, logBF, imposed, held float64
	}{
		{[2][2]float64{{8, 2}, {3, 7}}, 0.985013, 0.678047, 0.887389, 0.998312},
		{[2][2]float64{{3, 7}, {8, 2}}, 1 - 0.985013, -3.507454, 0.107057, 0.120439},
		{[2][2]float64{{5, 5}, {5, 5}}, 0.5, 0, 0.8, 0.9},
	} {
		p := binary(test.counts[:]...)
		p.Statements = [][]rows.Row{{atMost(0, 1, 0)}}
		prior := independent(0.8)
		list, err := Weigh(t.Context(), p, Options{LogPrior: prior})
		if err != nil {
			t.Fatal(err)
		}
		weights, _ := Weights(list, prior)
		held, stderr := Holds(list, weights)
		numtest.Close(t, list[0].After[0], test.after, 1e-5, 0)
		numtest.Close(t, list[0].Before[0], 0.5, 1e-9, 0)
		numtest.Close(t, list[1].LogMarginal-list[0].LogMarginal, test.logBF, 1e-5, 0)
		numtest.Close(t, weights[1], test.imposed, 1e-5, 0)
		numtest.Close(t, held[0], test.held, 1e-5, 0)
		if stderr[0] != 0 {
			t.Errorf("standard error %v of a closed form", stderr[0])
		}
	}
}

func random(parents int, n float64, seed uint64) *Problem {
	rng := rand.New(rand.NewPCG(seed, 0))
	counts := make([][2]float64, 1<<parents)
	for range int(n) {
		at := rng.IntN(len(counts))
		yes := 0.2
		for i := range parents {
			if at>>i&1 == 1 {
				yes += 0.6 / float64(parents)
			}
		}
		if rng.Float64() < yes {
			counts[at][1]++
		} else {
			counts[at][0]++
		}
	}
	return binary(counts...)
}

// seven are four influences, one of them wrong, and three synergies on a table of 16 rows.
func seven(n float64) *Problem {
	p := random(4, n, 1)
	p.Statements = [][]rows.Row{influence(4, 0, true), influence(4, 1, true), influence(4, 2, true),
		influence(4, 3, false), synergy(4, 0, 1), synergy(4, 1, 2), synergy(4, 2, 3)}
	return p
}

// TestVolumes: a uniform table satisfies the positive influences of two binary parents with probability 1/12 and of
// three with 1/840, the linear extensions of the cube over the orders of its corners, 2/4! and 48/8!. Adding
// one influence at a time, it is the product of what holds by chance.
func TestVolumes(t *testing.T) {
	for parents, want := range map[int]float64{2: 1. / 12, 3: 1. / 840} {
		p := random(parents, 0, 1)
		for i := range parents {
			p.Statements = append(p.Statements, influence(parents, i, true))
		}
		all := p.inside(1<<parents - 1)
		got := 1.0
		for i := range parents {
			s := p.open(t.Context(), 1<<i-1, all, 1)
			// a standard error of 0.4 % of 1/14 with some 50,000 independent draws of the prior
			s.refine(t.Context(), 200_000)
			got *= s.Before[i]
		}
		numtest.Close(t, got, want, 0, 0.03)
	}
}

// TestLadder: an inequality that is stated twice is no closed form to the package, but has the marginal likelihood and
// the mean of one.
func TestLadder(t *testing.T) {
	for _, n := range []float64{1, 10, 200} {
		p := binary([2]float64{7 * n, 3 * n}, [2]float64{6 * n, 4 * n}, [2]float64{n, 0}, [2]float64{0, 2 * n},
			[2]float64{3 * n, 4 * n}) // the last is in no inequality
		p.Statements = [][]rows.Row{{atMost(0, 1, 0), atMost(2, 3, 0.02)}, {atMost(0, 1, 0), atMost(2, 3, 0.02)}}
		exact := p.open(t.Context(), 1, p.inside(3), 1)
		s := p.open(t.Context(), 3, p.inside(3), 1)
		s.refine(t.Context(), 20_000)
		if exact.StdErr != 0 || !(s.StdErr > 0 && s.StdErr < 0.1) {
			t.Errorf("standard errors %v and %v, want 0 and a few hundredths", exact.StdErr, s.StdErr)
		}
		numtest.Close(t, s.LogMarginal, exact.LogMarginal, 4*s.StdErr, 0)
		for cell := range s.Mean {
			numtest.Close(t, s.Mean[cell], exact.Mean[cell], 5*math.Sqrt(s.errorOfMean(cell)), 0)
		}
		exact.refine(t.Context(), rough)
		numtest.Close(t, exact.After[1], 1, 1e-12, 0)
	}
}

// TestManyCases: chains find the density when a hundred thousand cases make it narrow, far from where they start.
func TestManyCases(t *testing.T) {
	const n = 1e5
	p := binary([2]float64{9 * n, n}, [2]float64{8 * n, 2 * n}, [2]float64{n, 9 * n}, [2]float64{0.5 * n, 9.5 * n})
	p.Statements = [][]rows.Row{influence(2, 0, true), influence(2, 1, true)}
	s := p.open(t.Context(), 3, p.inside(3), 1)
	s.refine(t.Context(), 2000)
	free := p.open(t.Context(), 0, p.inside(3), 1)
	// All of the posterior satisfies both, and 1/12 of the prior.
	numtest.Close(t, s.LogMarginal-free.LogMarginal, math.Log(12), 0.1+4*s.StdErr, 0)
	for row, want := range []float64{0.1, 0.2, 0.9, 0.95} {
		numtest.Close(t, s.Mean[2*row+1], want, 1e-3, 0)
	}
}

// TestBounds: the average is a probability of the data between the best subset's and that less its prior.
func TestBounds(t *testing.T) {
	p := seven(80)
	prior := independent(.8, .8, .8, .8, .8, .8, .8)
	list, err := Weigh(t.Context(), p, Options{LogPrior: prior, Draws: 2000, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	weights, average := Weights(list, prior)
	best, bound := math.Inf(-1), math.Inf(-1)
	for _, s := range list {
		best, bound = max(best, s.LogMarginal), max(bound, s.LogMarginal+prior(s.Imposed))
	}
	if len(list) != 128 || !(bound <= average && average <= best) {
		t.Errorf("%d subsets; average %v, want it between %v and %v", len(list), average, bound, best)
	}
	total := 0.0
	for _, w := range weights {
		total += w
	}
	numtest.Close(t, total, 1, 1e-12, 0)
}

// TestSeeds: two seeds differ by less than 0.05 in each "holds", and by less than half a millinat in the expected
// log score of predictions, on tables of 16 rows.
func TestSeeds(t *testing.T) {
	prior := independent(.8, .8, .8, .8, .8, .8, .8)
	for _, n := range []float64{20, 160} {
		p := seven(n)
		var held, mean [2][]float64
		for seed := range 2 {
			list, err := Weigh(t.Context(), p, Options{LogPrior: prior, Draws: 20000, Seed: uint64(seed)})
			if err != nil {
				t.Fatal(err)
			}
			weights, _ := Weights(list, prior)
			held[seed], _ = Holds(list, weights)
			mean[seed] = make([]float64, p.cells())
			Mean(mean[seed], list, weights)
		}
		for i, a := range held[0] {
			if d := math.Abs(a - held[1][i]); d >= 0.05 {
				t.Errorf("n = %v: statement %d holds with %v and %v", n, i, a, held[1][i])
			}
		}
		score := 0.0 // of the truth of random, 16 rows of equal probability
		for row := range 16 {
			yes := 0.2
			for i := range 4 {
				if row>>i&1 == 1 {
					yes += 0.15
				}
			}
			no, at := 1-yes, 2*row
			score += (yes*math.Log(mean[0][at+1]/mean[1][at+1]) + no*math.Log(mean[0][at]/mean[1][at])) / 16
		}
		if math.Abs(score) >= 0.0005 {
			t.Errorf("n = %v: predictions differ by %v millinats", n, 1000*score)
		}
	}
}

// TestOpposite: two opposite influences leave no volume, and are not both imposed.
func TestOpposite(t *testing.T) {
	p := binary([2]float64{8, 2}, [2]float64{3, 7})
	p.Statements = [][]rows.Row{{atMost(0, 1, 0)}, {atMost(1, 0, 0)}}
	prior := independent(0.8, 0.8)
	list, err := Weigh(t.Context(), p, Options{LogPrior: prior})
	if err != nil {
		t.Fatal(err)
	}
	weights, _ := Weights(list, prior)
	held, _ := Holds(list, weights)
	// Weights .04, .16·2·.985013 and .16·2·.014987 of none, the first, the second.
	all := 0.04 + 0.32
	numtest.Close(t, held[0], (0.04*0.985013+0.32*0.985013)/all, 1e-5, 0)
	numtest.Close(t, held[0]+held[1], 1, 1e-9, 0)
	if len(list) != 3 {
		t.Errorf("%d subsets, want 3", len(list))
	}
}

// TestWalk: beyond eight statements the walk finds what enumeration does, here of copies of a problem.
func TestWalk(t *testing.T) {
	p := binary()
	p.First = []int{0}
	var strengths []float64
	for i := range 9 {
		for _, c := range [][2]float64{{8, 2}, {3, 7}} {
			p.First = append(p.First, p.First[len(p.First)-1]+2)
			p.Prior, p.Counts = append(p.Prior, 1, 1), append(p.Counts, c[0], c[1])
		}
		p.Statements = append(p.Statements, []rows.Row{atMost(2*i, 2*i+1, 0)})
		strengths = append(strengths, 0.8)
	}
	prior := independent(strengths...)
	list, err := Weigh(t.Context(), p, Options{LogPrior: prior, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	weights, _ := Weights(list, prior)
	held, _ := Holds(list, weights)
	for _, h := range held {
		numtest.Close(t, h, 0.998312, 0.002, 0)
	}
	if len(list) < 100 {
		t.Errorf("%d of 512 subsets visited", len(list))
	}
}

// TestWalkSeeds: two walks over 512 subsets of linked statements agree about what holds.
func TestWalkSeeds(t *testing.T) {
	p := random(3, 60, 2)
	p.Statements = [][]rows.Row{influence(3, 0, true), influence(3, 1, true), influence(3, 2, false),
		synergy(3, 0, 1), synergy(3, 0, 2), synergy(3, 1, 2)}
	for i := range 3 {
		p.Statements = append(p.Statements, p.Statements[i][:2])
	}
	strengths := make([]float64, len(p.Statements))
	for i := range strengths {
		strengths[i] = 0.8
	}
	prior := independent(strengths...)
	var held [2][]float64
	for seed := range 2 {
		list, err := Weigh(t.Context(), p, Options{LogPrior: prior, Draws: 5000, Seed: uint64(seed)})
		if err != nil {
			t.Fatal(err)
		}
		weights, _ := Weights(list, prior)
		held[seed], _ = Holds(list, weights)
	}
	for i, a := range held[0] {
		if d := math.Abs(a - held[1][i]); d >= 0.05 {
			t.Errorf("statement %d holds with %v and %v", i, a, held[1][i])
		}
	}
}

func BenchmarkWeigh(b *testing.B) {
	prior := independent(.8, .8, .8, .8, .8, .8, .8)
	for _, n := range []float64{40, 640} {
		p := seven(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := Weigh(b.Context(), p, Options{LogPrior: prior, Draws: 20000}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
