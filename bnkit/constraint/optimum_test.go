package constraint_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/optimize"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// A family is a table of X in two configurations whose cells carry labels of parameters:
// the statements in another form, for an optimiser that knows nothing of the closed one.
// Cells of one label are equal.
type family struct {
	name       string
	statements []constraint.Constraint
	label      [2][4]int
	alpha      map[int]float64 // by label, of statements with counts of their own
}

var families = []family{
	{"states in each row", []constraint.Constraint{constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "c"}}}},
		[2][4]int{{0, 1, 0, 2}, {3, 4, 3, 5}}, nil},
	{"states in one row, a count of their own",
		[]constraint.Constraint{constraint.ShareStates{Var: "X", Given: bn.Given{"Y": "1"},
			Groups: [][]string{{"a", "b", "d"}}, Alpha: []float64{2.5}}},
		[2][4]int{{0, 1, 2, 3}, {4, 4, 5, 4}}, map[int]float64{4: 2.5}},
	{"one state across", []constraint.Constraint{constraint.ShareAcross{Var: "X", Groups: [][]string{{"b"}}}},
		[2][4]int{{0, 1, 2, 3}, {4, 1, 5, 6}}, nil},
	{"a pair across, counts of their own",
		[]constraint.Constraint{constraint.ShareAcross{Var: "X", Groups: [][]string{{"a", "d"}, {"b"}},
			Alpha: []float64{7, 1.5}}},
		[2][4]int{{0, 1, 2, 0}, {0, 1, 3, 0}}, map[int]float64{0: 7, 1: 1.5}},
	{"two statements across", []constraint.Constraint{
		constraint.ShareAcross{Var: "X", Groups: [][]string{{"a"}}},
		constraint.ShareAcross{Var: "X", Given: []bn.Given{{"Y": "1"}, {"Y": "0"}}, Groups: [][]string{{"b", "c"}},
			Alpha: []float64{3}}},
		[2][4]int{{0, 1, 1, 2}, {0, 1, 1, 3}}, map[int]float64{1: 3}},
}

// TestOptimumByDescent finds the mode by quasi-Newton steps on a smooth map onto the
// distributions that satisfy the statement, and compares. The map is a softmax over the
// shared parameters (and what is left in a row), then one over the free cells of each
// row; the log posterior is written from the density Π θ^(α−1) and the cells' counts.
func TestOptimumByDescent(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 0))
	net := network(t, "[Y][X|Y]", bn.Discrete("Y", "0", "1"), abcd)
	for _, f := range families {
		t.Run(f.name, func(t *testing.T) {
			p := compile(t, net, f.statements...)
			for range 6 {
				// The data, per-cell priors and weights are no whole numbers.
				n, pseudo := make([]float64, 10), make([]float64, 10)
				for i := range n {
					n[i] = rng.ExpFloat64() * 5
					pseudo[i] = 0.2 + rng.Float64()*2
				}
				n[2+rng.IntN(8)] = 0
				effective := append([]float64(nil), n...)
				if err := p.AddPrior(effective, pseudo); err != nil {
					t.Fatal(err)
				}
				got := maximize(p, effective)[2:]

				weight := make(map[int]float64) // exponent by label
				seenIn := make(map[int][2]int)  // how often the label is in each row
				for row := range f.label {
					for s, l := range f.label[row] {
						weight[l] += n[2+4*row+s]
						if _, ok := f.alpha[l]; !ok {
							weight[l] += pseudo[2+4*row+s]
						}
						k := seenIn[l]
						k[row]++
						seenIn[l] = k
					}
				}
				for l, alpha := range f.alpha {
					weight[l] += alpha - 1
				}
				labels := len(seenIn)
				theta := func(x []float64) []float64 {
					// shares[l] is the probability of all cells of l in one row.
					shares := make([]float64, labels)
					both, rest := 0.0, [2]float64{}
					left := 1.0 // the weight of what is not shared across rows
					for l := range labels {
						k := seenIn[l]
						switch e := math.Exp(x[l]); {
						case k[0] > 0 && k[1] > 0:
							both += e
						case k[0] > 0:
							rest[0] += e
						default:
							rest[1] += e
						}
					}
					if rest[0] == 0 && rest[1] == 0 {
						left = 0
					}
					for l := range labels {
						k := seenIn[l]
						e := math.Exp(x[l])
						switch {
						case k[0] > 0 && k[1] > 0:
							shares[l] = e / (both + left) / float64(k[0])
						case k[0] > 0:
							shares[l] = left / (both + left) * e / rest[0] / float64(k[0])
						default:
							shares[l] = left / (both + left) * e / rest[1] / float64(k[1])
						}
					}
					return shares
				}
				loss := func(x []float64) float64 {
					sum := 0.0
					for l, share := range theta(x) {
						sum -= weight[l] * math.Log(share)
					}
					return sum
				}
				problem := optimize.Problem{Func: loss, Grad: func(grad, x []float64) {
					fd.Gradient(grad, loss, x, &fd.Settings{Formula: fd.Central})
				}}
				found, err := optimize.Minimize(problem, make([]float64, labels),
					&optimize.Settings{GradientThreshold: 1e-6}, &optimize.BFGS{})
				if found == nil {
					t.Fatal(err)
				}
				best := theta(found.X)
				at := make([]float64, labels)
				for row := range f.label {
					for s, l := range f.label[row] {
						at[l] = got[4*row+s]
						// The loss is flat to second order: 1e-8 in it is 1e-4 in θ.
						if math.Abs(got[4*row+s]-best[l]) > 1e-4 {
							t.Errorf("P(X=%s|Y=%d) = %v, descent finds %v", abcd.States[s], row, got[4*row+s], best[l])
						}
					}
				}
				closed := 0.0
				for l, p := range at {
					closed -= weight[l] * math.Log(p)
				}
				if closed > found.F+1e-8*math.Abs(found.F) {
					t.Errorf("the closed form loses %v, descent %v", closed, found.F)
				}
			}
		})
	}
}

// Only the sum of a parameter's counts must not be negative when its statement brings
// the prior: −0.5 in all on counts 0 and 3 leaves 2.5 of 6.5.
func TestPriorOfAParameter(t *testing.T) {
	net := network(t, "[X]", abcd)
	p := compile(t, net, constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "b"}}, Alpha: []float64{0.5}})
	n := []float64{0, 3, 3, 1}
	if err := p.AddPrior(n, make([]float64, 4)); err != nil {
		t.Fatal(err)
	}
	near(t, "theta", maximize(p, n), []float64{1.25 / 6.5, 1.25 / 6.5, 3 / 6.5, 1 / 6.5}, 1e-15)

	n = []float64{0, 0.25, 3, 1}
	if err := p.AddPrior(n, make([]float64, 4)); !errors.Is(err, constraint.ErrNoMode) ||
		!strings.Contains(err.Error(), "P(X=a)") {
		t.Errorf("AddPrior with −0.25 in all = %v, want ErrNoMode that names X=a", err)
	}
}

// Counts of 1e15 beside 1, and of 1e-300 alone, keep their ratios.
func TestExtremeCounts(t *testing.T) {
	net := network(t, "[Y][X|Y]", bn.Discrete("Y", "0", "1"), abcd)
	for _, scale := range []float64{1e-300, 1e-12, 1, 1e15, 1e300} {
		n := []float64{1, 1, 3, 1, 4, 2, 1, 3, 2, 4}
		for i := range n {
			n[i] *= scale
		}
		p := compile(t, net, constraint.ShareAcross{Var: "X", Groups: [][]string{{"a"}}})
		near(t, "theta", maximize(p, n), []float64{.5, .5, .2, .8 / 7, 3.2 / 7, 1.6 / 7, .2, 2.4 / 9, 1.6 / 9, 3.2 / 9},
			1e-15)
	}
	p := compile(t, net, constraint.ShareAcross{Var: "X", Groups: [][]string{{"a", "b"}}})
	theta := maximize(p, []float64{1, 1, 1e15, 1e15, 1, 1, 1, 1, 1, 1})
	for row := range 2 {
		sum := 0.0
		for _, x := range theta[2+4*row : 6+4*row] {
			sum += x
		}
		if math.Abs(sum-1) > 1e-15 {
			t.Errorf("row %d sums to %v", row, sum)
		}
		// 4 of the 2e15+6 cases are free, a part that each row halves.
		if got, want := theta[4+4*row], 2/(2e15+6); math.Abs(got-want) > want*1e-12 {
			t.Errorf("P(X=c|Y=%d) = %v, want %v", row, got, want)
		}
	}
}

// Maximize allocates nothing when there are no counts either.
func TestUniformDoesNotAllocate(t *testing.T) {
	net := network(t, "[Y][X|Y]", bn.Discrete("Y", "0", "1"), abcd)
	p := compile(t, net, constraint.ShareAcross{Var: "X", Groups: [][]string{{"a"}}})
	n, theta := make([]float64, 10), make([]float64, 10)
	if got := testing.AllocsPerRun(100, func() { p.Maximize(theta, n) }); got != 0 {
		t.Errorf("%v allocations", got)
	}
}

// A statement may be given by its address, as a variable that is still to be changed
// often is.
func TestMarshalPointer(t *testing.T) {
	s := constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "b"}}}
	want, err := constraint.Marshal([]constraint.Constraint{s})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := constraint.Marshal([]constraint.Constraint{&s}); err != nil || string(got) != string(want) {
		t.Errorf("Marshal(&s) = %s, %v, want %s", got, err, want)
	}
}
