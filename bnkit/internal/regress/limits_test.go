package regress_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// least is min ‖Xw − y‖² with some w known, by the normal equations.
func (r rows) least(known map[int]float64) []float64 {
	k := len(r[0]) - 1
	var free []int
	w := make([]float64, k)
	for j := range k {
		if x, ok := known[j]; ok {
			w[j] = x
		} else {
			free = append(free, j)
		}
	}
	if len(free) == 0 {
		return w
	}
	a, b := mat.NewDense(len(free), len(free), nil), mat.NewVecDense(len(free), nil)
	for _, row := range r {
		y := row[k]
		for j, x := range known {
			y -= x * row[j]
		}
		for p, j := range free {
			b.SetVec(p, b.AtVec(p)+row[j]*y)
			for q, l := range free {
				a.Set(p, q, a.At(p, q)+row[j]*row[l])
			}
		}
	}
	var x mat.VecDense
	if err := x.SolveVec(a, b); err != nil {
		return nil
	}
	for p, j := range free {
		w[j] = x.AtVec(p)
	}
	return w
}

// TestLimitsByEnumeration: each weight is free, at its least or at its largest value, and the optimum is the best of
// these 3^q points that keeps the limits. Its slopes have the signs of Karush, Kuhn and Tucker.
func TestLimitsByEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(191, 0))
	atLimits := 0
	for range 300 {
		p := 1 + rng.IntN(4)
		net, v := linear(t, p, 0)
		cases := drawn(rng, p+2+rng.IntN(12), p, 2)
		for _, row := range cases { // parents that go together, and of other units
			for j := 2; j <= p; j++ {
				row[j] = 100 * (row[j] + 2*row[1])
			}
		}
		low, high := make([]float64, p+1), make([]float64, p+1)
		var says []constraint.Constraint
		for j := range p + 1 {
			low[j], high[j] = math.Inf(-1), math.Inf(1)
			name := fmt.Sprintf("x%d", j)
			unit := 0.01
			if j == 0 {
				name = constraint.Intercept
			}
			if j < 2 {
				unit = 1
			}
			s := constraint.BoundWeights{Var: "y", Parents: []string{name}}
			if rng.IntN(3) > 0 {
				low[j] = unit * float64(rng.IntN(7)-3)
				s.AtLeast = &low[j]
			}
			if rng.IntN(3) > 0 {
				high[j] = max(low[j], unit*float64(rng.IntN(7)-3))
				s.AtMost = &high[j]
			}
			switch {
			case s.AtLeast == nil && s.AtMost == nil:
			case s.AtMost == nil && low[j] == 0:
				says = append(says, constraint.SignWeights{Var: "y", Parents: []string{name}})
			default:
				says = append(says, s)
			}
		}
		best := math.Inf(1)
		var want []float64
		sets := 1
		for range p + 1 {
			sets *= 3
		}
		for set := range sets {
			known, ok := map[int]float64{}, true
			for j, left := 0, set; j <= p; j, left = j+1, left/3 {
				switch left % 3 {
				case 1:
					known[j], ok = low[j], ok && !math.IsInf(low[j], 0)
				case 2:
					known[j], ok = high[j], ok && !math.IsInf(high[j], 0)
				}
			}
			if !ok {
				continue
			}
			w := cases.least(known)
			for j := range w {
				ok = ok && w[j] >= low[j]-1e-9 && w[j] <= high[j]+1e-9
			}
			if w == nil || !ok {
				continue
			}
			if s := cases.squares(w); s < best {
				best, want = s, w
			}
		}
		got := coefficients(estimate(t, net, v, []rows{cases}, nil, 1e-9, says...).Node, 0)
		if s := cases.squares(got); !(s <= best*(1+1e-9)+1e-9) {
			t.Fatalf("%v: squares %v at %v, %v at %v", says, s, got, best, want)
		}
		for j, x := range got {
			if x < low[j] || x > high[j] {
				t.Errorf("weight %d is %v, outside [%v, %v]", j, x, low[j], high[j])
			}
			slope, size := 0.0, 0.0 // of half the squares, downwards
			for _, row := range cases {
				e := row[p+1]
				for l, w := range got {
					e -= w * row[l]
				}
				slope, size = slope+row[j]*e, size+math.Abs(row[j]*row[p+1])
			}
			tol := 1e-9 * size
			if x > low[j] && slope < -tol || x < high[j] && slope > tol {
				t.Errorf("%v: weight %d is %v in [%v, %v], with the slope %v", says, j, x, low[j], high[j], slope)
			}
			if x == low[j] || x == high[j] {
				atLimits++
			}
		}
	}
	if atLimits < 200 {
		t.Errorf("%d weights at limits", atLimits)
	}
}

// TestLimitsAmongShares: limits on weights in proportion, over configurations whose variances differ, with a prior. No
// small change within the limits raises the posterior density.
func TestLimitsAmongShares(t *testing.T) {
	rng := rand.New(rand.NewPCG(192, 0))
	net, v := linear(t, 2, 2)
	prior := constraint.GaussianPrior{Shape: 2, Scale: 1, Precision: 0.5, InterceptPrecision: 0.1}
	held := 0
	for range 20 {
		low, high := rng.NormFloat64(), 0.0
		high = low + 0.3
		says := []constraint.Constraint{
			constraint.ProportionalWeights{Var: "y", Weights: map[string]float64{"x1": 1, "x2": -2}},
			constraint.ShareWeightsAcross{Var: "y", Parents: []string{"x1"}},
			constraint.BoundWeights{Var: "y", Parents: []string{"x2"}, AtLeast: &low, AtMost: &high},
			constraint.SignWeights{Var: "y", Parents: []string{constraint.Intercept}, Sign: constraint.Negative,
				Given: bn.Given{"s": "a"}},
		}
		cases := []rows{drawn(rng, 12, 2, 1), drawn(rng, 9, 2, 3)}
		node := estimate(t, net, v, cases, &prior, 0, says...).Node
		value := func(b, c0, c1, v0, v1 float64) float64 {
			return logPosterior(cases[0], []float64{c0, b, -2 * b}, v0, prior) +
				logPosterior(cases[1], []float64{c1, b, -2 * b}, v1, prior)
		}
		b := node.Weights[0][0]
		if node.Weights[1][0] != b || math.Abs(node.Weights[1][1]+2*b) > 1e-12 || -2*b < low-1e-12 ||
			-2*b > high+1e-12 || node.Intercept[0] > 0 {
			t.Fatalf("%v do not hold in %v", says, node)
		}
		if -2*b < low+1e-12 || -2*b > high-1e-12 {
			held++
		}
		best := value(b, node.Intercept[0], node.Intercept[1], node.Variance[0], node.Variance[1])
		for size := 1.0; size > 1e-4; size /= 3 {
			for range 200 {
				to := max(low, min(high, -2*(b+size*rng.NormFloat64()))) / -2
				other := value(to, min(0, node.Intercept[0]+size*rng.NormFloat64()),
					node.Intercept[1]+size*rng.NormFloat64(), node.Variance[0]*math.Exp(size*rng.NormFloat64()),
					node.Variance[1]*math.Exp(size*rng.NormFloat64()))
				if other > best+1e-7 {
					t.Fatalf("%v is beaten by %v at %v", best, other, to)
				}
			}
		}
	}
	if held < 5 {
		t.Errorf("%d of 20 at a limit", held)
	}
}

// TestLimitsByHand: with one parent through the origin the estimate is clipped; without cases it is the nearest to 0.
func TestLimitsByHand(t *testing.T) {
	net, v := linear(t, 1, 0)
	none := constraint.BoundWeights{Var: "y", Parents: []string{constraint.Intercept}, AtLeast: new(0.0),
		AtMost: new(0.0)}
	cases := rows{{1, 1, 2}, {1, 2, 3}, {1, 3, 7}} // Σxy/Σx² = 29/14
	for _, tt := range []struct {
		low, high, want float64
	}{{0, 5, 29.0 / 14}, {2.5, 5, 2.5}, {-1, 2, 2}, {-3, -1, -1}} {
		s := constraint.BoundWeights{Var: "y", Parents: []string{"x1"}, AtLeast: &tt.low, AtMost: &tt.high}
		got := estimate(t, net, v, []rows{cases}, nil, 0, none, s).Node
		squares := 62 - 2*29*tt.want + 14*tt.want*tt.want
		if math.Abs(got.Weights[0][0]-tt.want) > 1e-12 || got.Intercept[0] != 0 ||
			math.Abs(got.Variance[0]-squares/3) > 1e-12 {
			t.Errorf("in [%v, %v]: %v, want %v and a variance of %v", tt.low, tt.high, got, tt.want, squares/3)
		}
		if got := estimate(t, net, v, make([]rows, 1), nil, 0, s).Node.Weights[0][0]; got != max(tt.low, min(0,
			tt.high)) {
			t.Errorf("in [%v, %v] without cases: %v", tt.low, tt.high, got)
		}
	}
	// Cases on a line that the limits exclude have a variance.
	exact := rows{{1, 1, 2}, {1, 2, 4}, {1, 3, 6}}
	if _, err := tryRegress(t, net, v, []rows{exact}, nil, 0); !errors.Is(err, constraint.ErrUnbounded) {
		t.Errorf("cases on a line: %v", err)
	}
	s := constraint.BoundWeights{Var: "y", Parents: []string{"x1"}, AtMost: new(1.0)}
	if got := estimate(t, net, v, []rows{exact}, nil, 0, s).Node; got.Weights[0][0] != 1 ||
		math.Abs(got.Intercept[0]-2) > 1e-12 || math.Abs(got.Variance[0]-2.0/3) > 1e-12 {
		t.Errorf("a slope of 1 at most: %v, want y = 2 + x with a variance of 2/3", got)
	}
}
