package baseline

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// random draws rows of three inputs and two outputs; the first output follows the first
// input most of the time.
func random(n int, seed uint64) *Rows {
	rng := rand.New(rand.NewPCG(seed, 0))
	r := &Rows{In: []int{3, 2, 4}, Out: []int{3, 2}}
	for range n {
		x := []bn.State{bn.State(rng.IntN(3)), bn.State(rng.IntN(2)), bn.State(rng.IntN(4))}
		y := []bn.State{x[0], bn.State(rng.IntN(2))}
		if rng.Float64() < 0.3 {
			y[0] = bn.State(rng.IntN(3))
		}
		r.X, r.Y = append(r.X, x), append(r.Y, y)
	}
	return r
}

func close(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= tol) {
			t.Errorf("%s: %v, want %v", what, got, want)
			return
		}
	}
}

func TestCases(t *testing.T) {
	table, err := data.New(
		data.Column{Var: bn.Discrete("a", "0", "1"), States: []bn.State{0, 1, 0, 0}},
		data.Column{Var: bn.Discrete("b", "0", "1"), States: []bn.State{1, 1, 1, 0}},
		data.Column{Var: bn.Discrete("y", "0", "1", "2"), States: []bn.State{2, 0, 2, 1}},
	)
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewRows(table, []string{"a", "b"}, []string{"y", "a"})
	if err != nil {
		t.Fatal(err)
	}
	c := r.Cases(nil)
	if len(c.X) != 3 || !slices.Equal(c.X[0], []bn.State{0, 1}) || !slices.Equal(c.N[0], []float64{0, 0, 2, 2, 0}) {
		t.Errorf("distinct inputs %v with counts %v", c.X, c.N)
	}
	close(t, "total", c.Total(), []float64{1, 1, 2, 3, 1}, 0)
	close(t, "first and last row", r.Cases([]int{0, 3}).Total(), []float64{0, 1, 1, 2, 0}, 0)
	dst := make([]float64, 5)
	TrainProportions(c).Predict(dst, c.X[0])
	close(t, "proportions", dst, []float64{0.25, 0.25, 0.5, 0.75, 0.25}, 1e-15)
	fitted := TrainTable(c)
	fitted.Predict(dst, c.X[0])
	close(t, "seen", dst, []float64{0, 0, 1, 1, 0}, 0)
	fitted.Predict(dst, []bn.State{1, 0})
	close(t, "unseen", dst, []float64{0.25, 0.25, 0.5, 0.75, 0.25}, 1e-15)
	all := PredictAll(fitted, c.Out, [][]bn.State{{1, 0}, {0, 1}})
	close(t, "all, the first", all[0], []float64{0.25, 0.25, 0.5, 0.75, 0.25}, 1e-15)
	close(t, "all, the second", all[1], []float64{0, 0, 1, 1, 0}, 0)
}

// TestGradient compares back-propagation with finite differences.
func TestGradient(t *testing.T) {
	c := random(60, 1).Cases(nil)
	n := newNeural(c.In, c.Out, 3)
	rng := rand.New(rand.NewPCG(2, 0))
	for i := range n.w {
		n.w[i] = rng.NormFloat64()
	}
	at, got := slices.Clone(n.w), make([]float64, len(n.w))
	const decay = 0.3
	n.loss(got, c)
	n.decay(got, decay)
	scratch := make([]float64, len(got))
	want := fd.Gradient(nil, func(w []float64) float64 {
		n.w = w
		return n.loss(scratch, c) + n.decay(scratch, decay)
	}, at, &fd.Settings{Formula: fd.Central})
	close(t, "gradient", got, want, 1e-8)
}

// TestNeuralLearns: with hidden nodes enough the maximum likelihood of the table is reached, with
// none it is that of the proportions.
func TestNeuralLearns(t *testing.T) {
	c := random(20_000, 3).Cases(nil)
	loss := func(p Predictor) float64 {
		total, cases := 0.0, 0.0
		dst := make([]float64, 5)
		for i, x := range c.X {
			p.Predict(dst, x)
			for v, n := range c.N[i] {
				total -= n * math.Log(dst[v])
				cases += n / 2
			}
		}
		return total / cases
	}
	floor := loss(TrainTable(c))
	for hidden, most := range map[int]float64{0: loss(TrainProportions(c)), 8: floor + 1e-3} {
		n, err := TrainNeural(c, hidden, 0, rand.NewPCG(4, 0))
		if err != nil {
			t.Fatal(err)
		}
		if got := loss(n); !(got <= most+1e-12 && got >= floor-1e-12) {
			t.Errorf("%d hidden nodes: loss %v, want between %v and %v", hidden, got, floor, most)
		}
	}
	if _, err := TrainNeural(c, -1, 0, rand.NewPCG(4, 0)); err == nil {
		t.Error("no error for −1 hidden nodes")
	}
	if _, err := TrainNeural(c, 1, -1, rand.NewPCG(4, 0)); err == nil {
		t.Error("no error for a weight decay of −1")
	}
	heavy, err := TrainNeural(c, 4, 100, rand.NewPCG(4, 0))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := loss(heavy), loss(TrainProportions(c)); !(math.Abs(got-want) < 1e-6) {
		t.Errorf("under much weight decay: loss %v, want that of the proportions, %v", got, want)
	}
}

// TestErrors has the numbers of Quinlan's book for leaves without errors (C4.5, §4.2), and
// adds up the binomial for others.
func TestErrors(t *testing.T) {
	for cases, want := range map[float64]float64{6: 0.206, 9: 0.143, 1: 0.750} {
		if got := Errors([]float64{cases, 0}, 0) / cases; math.Abs(got-want) > 5e-4 {
			t.Errorf("no errors of %v: rate %v, want %v", cases, got, want)
		}
	}
	q := Errors([]float64{14, 2}, 0) / 16
	mass := math.Pow(1-q, 16) + 16*q*math.Pow(1-q, 15) + 120*q*q*math.Pow(1-q, 14)
	if math.Abs(mass-0.25) > 1e-9 {
		t.Errorf("at most 2 errors of 16 have probability %v at the rate, want 0.25", mass)
	}
	if got := Errors([]float64{0, 0}, 0); got != 0 {
		t.Errorf("an empty leaf costs %v", got)
	}
}

func TestTrees(t *testing.T) {
	c := random(5000, 5).Cases(nil)
	want := make([]float64, 5) // by hand: the first output splits on the first input and nothing else
	for i, x := range c.X {
		if x[0] == 1 {
			for v, n := range c.N[i] {
				want[v] += n
			}
		}
	}
	normalise(want, c.Out)
	copy(want[3:], TrainProportions(c)[3:])
	for name, cost := range map[string]Cost{"likelihood": Likelihood} {
		trees, dst := TrainTrees(c, cost), make([]float64, 5)
		trees.Predict(dst, []bn.State{1, 0, 2})
		close(t, name, dst, want, 1e-12)
		if trees.Leaves() != 4 {
			t.Errorf("%s: %d leaves, want 3 and 1", name, trees.Leaves())
		}
	}
	// Errors see nothing where the most frequent value is the same everywhere.
	skewed := &Cases{In: []int{2}, Out: []int{2}, X: [][]bn.State{{0}, {1}}, N: [][]float64{{90, 10}, {60, 40}}}
	dst := make([]float64, 2)
	TrainTrees(skewed, Errors).Predict(dst, []bn.State{1})
	close(t, "pruned by errors", dst, []float64{0.75, 0.25}, 1e-15)
	TrainTrees(skewed, Likelihood).Predict(dst, []bn.State{1})
	close(t, "pruned by likelihood", dst, []float64{0.6, 0.4}, 1e-15)
}

// TestNeighbours compares with sorting by distance.
func TestNeighbours(t *testing.T) {
	r := random(300, 6)
	for _, k := range []int{1, 7, 100, 1000} {
		n, err := TrainNeighbours(r.Cases(nil), k)
		if err != nil {
			t.Fatal(err)
		}
		for config := range 24 {
			x := []bn.State{bn.State(config / 8), bn.State(config / 4 % 2), bn.State(config % 4)}
			distance := func(row int) (d int) {
				for i, s := range x {
					if r.X[row][i] != s {
						d++
					}
				}
				return d
			}
			var distances []int
			for row := range r.X {
				distances = append(distances, distance(row))
			}
			slices.Sort(distances)
			last := distances[min(k, len(distances))-1]
			want, dst := make([]float64, 5), make([]float64, 5)
			for row, y := range r.Y {
				if distance(row) <= last {
					want[y[0]]++
					want[3+y[1]]++
				}
			}
			normalise(want, r.Out)
			n.Predict(dst, x)
			close(t, "neighbours", dst, want, 1e-12)
		}
	}
	if _, err := TrainNeighbours(r.Cases(nil), 0); err == nil {
		t.Error("no error for k = 0")
	}
}

// TestChoose: the truth beats the proportions, and what is seen in training is not what is
// held out.
func TestChoose(t *testing.T) {
	r := random(200, 7)
	var folds [][]int
	for f := range 5 {
		var fold []int
		for row := f; row < len(r.X); row += 5 {
			fold = append(fold, row)
		}
		folds = append(folds, fold)
	}
	best, err := Choose(r, folds, 3, func(c *Cases, k int) (Predictor, error) {
		cases := 0.0
		for _, n := range c.Total() {
			cases += n / 2
		}
		if cases != 160 {
			t.Errorf("%v training cases, want 160", cases)
		}
		switch k {
		case 0:
			return TrainTable(c), nil
		case 1:
			return TrainTrees(c, Likelihood), nil
		}
		return TrainProportions(c), nil
	})
	if err != nil || best != 1 {
		t.Errorf("chose %d (%v), want the trees", best, err)
	}
	close(t, "squared error", []float64{squared([]float64{0.2, 0.8, 1}, []float64{3, 1, 4}, []int{2, 1})},
		[]float64{3*(0.64+0.64) + 1*(0.04+0.04)}, 1e-14)
}

func BenchmarkNeural(b *testing.B) {
	c := random(5000, 8).Cases(nil)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := TrainNeural(c, 6, 0, rand.NewPCG(9, 0)); err != nil {
			b.Fatal(err)
		}
	}
}
