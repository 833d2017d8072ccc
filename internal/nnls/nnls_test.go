package nnls

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bnlab/internal/numtest"
)

func TestSolveByHand(t *testing.T) {
	for _, c := range []struct {
		name     string
		a        *mat.Dense
		b        []float64
		free     []bool
		x        []float64
		residual float64
	}{
		{"inside", mat.NewDense(2, 2, []float64{1, 0, 0, 2}), []float64{3, 4}, nil, []float64{3, 2}, 0},
		{"at the bound", mat.NewDense(2, 2, []float64{1, 0, 0, 2}), []float64{3, -4}, nil, []float64{3, 0}, 4},
		{"free", mat.NewDense(2, 2, []float64{1, 0, 0, 2}), []float64{3, -4}, []bool{false, true}, []float64{3, -2}, 0},
		{"a column that comes and goes", mat.NewDense(2, 2, []float64{.8, 1, .6, 0}), []float64{1, -.1}, nil,
			[]float64{0, 1}, .1},
		{"nothing helps", mat.NewDense(2, 1, []float64{1, 1}), []float64{-1, -1}, nil, []float64{0}, math.Sqrt2},
		{"a small gain", mat.NewDense(2, 2, []float64{1, 0, 0, 1}), []float64{1, 1e-9}, nil, []float64{1, 1e-9}, 0},
		{"zero columns", mat.NewDense(2, 2, []float64{0, 0, 0, 0}), []float64{0, 2}, []bool{true, false},
			[]float64{0, 0}, 2},
		{"zero right side", mat.NewDense(1, 1, []float64{1}), []float64{0}, nil, []float64{0}, 0},
		{"far from 1", mat.NewDense(2, 2, []float64{1e-200, 0, 0, 1e200}), []float64{1, 1}, nil,
			[]float64{1e200, 1e-200}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, residual, err := Solve(c.a, c.b, c.free)
			if err != nil {
				t.Fatal(err)
			}
			for j := range x {
				numtest.Close(t, x[j], c.x[j], 1e-215, 1e-14)
			}
			numtest.Close(t, residual, c.residual, 1e-14, 1e-14)
		})
	}
}

// random has columns that repeat, depend on others, are opposite or nearly so, and right
// sides in the cone of the columns or on its boundary.
func random(rng *rand.Rand, rows, columns int) (*mat.Dense, []float64, []bool) {
	a := mat.NewDense(rows, columns, nil)
	free := make([]bool, columns)
	for j := range columns {
		free[j] = rng.IntN(3) == 0
		for i := range rows {
			switch kind := rng.IntN(3); {
			case kind == 0:
				a.Set(i, j, float64(rng.IntN(3)-1))
			case kind == 1:
				a.Set(i, j, rng.NormFloat64())
			}
		}
		if j > 1 && rng.IntN(3) == 0 {
			s, u := float64(rng.IntN(3)-1), rng.NormFloat64()*float64(rng.IntN(2))
			for i := range rows {
				a.Set(i, j, s*a.At(i, j-1)+u*a.At(i, j-2))
			}
		}
	}
	b := make([]float64, rows)
	for i := range b {
		if rng.IntN(2) == 0 {
			b[i] = rng.NormFloat64()
		}
	}
	if rng.IntN(2) == 0 {
		clear(b)
		for j := range columns {
			if rng.IntN(2) == 0 {
				s := rng.ExpFloat64()
				for i := range b {
					b[i] += s * a.At(i, j)
				}
			}
		}
	}
	return a, b, free
}

// The problem is convex: x is a solution if and only if no column makes an acute angle with
// the residual, and those in use and the free ones make a right one.
func TestConditions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	positive, bound := 0, 0
	for range 500 {
		rows, columns := 1+rng.IntN(25), 1+rng.IntN(30)
		a, b, free := random(rng, rows, columns)
		x, residual, err := Solve(a, b, free)
		if err != nil {
			t.Fatal(err)
		}
		var r mat.VecDense
		r.MulVec(a, mat.NewVecDense(columns, x))
		r.SubVec(mat.NewVecDense(rows, b), &r)
		numtest.Close(t, residual, mat.Norm(&r, 2), 1e-13, 1e-13)
		size := mat.Norm(mat.NewVecDense(rows, b), 2)
		for j := range x {
			w := mat.Dot(a.ColView(j), &r)
			tol := 1e-10 * size * mat.Norm(a.ColView(j), 2)
			switch {
			case !free[j] && !(x[j] >= 0):
				t.Errorf("x[%d] = %v", j, x[j])
			case free[j] || x[j] > 0:
				numtest.Close(t, w, 0, tol, 0)
				positive++
			default:
				bound++
				if !(w <= tol) {
					t.Errorf("column %d could still take %v", j, w)
				}
			}
		}
	}
	if min(positive, bound) < 1000 {
		t.Errorf("%d in use, %d at the bound", positive, bound)
	}
}

// The least residual over all sets of columns whose normal equations give admissible
// coefficients.
func TestAgainstActiveSets(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	for range 200 {
		rows, columns := 1+rng.IntN(5), 1+rng.IntN(5)
		a, b, free := random(rng, rows, columns)
		_, got, err := Solve(a, b, free)
		if err != nil {
			t.Fatal(err)
		}
		want := mat.Norm(mat.NewVecDense(rows, b), 2)
		for set := 1; set < 1<<columns; set++ {
			var members []int
			for j := range columns {
				if set>>j&1 == 1 {
					members = append(members, j)
				}
			}
			if len(members) > rows {
				continue
			}
			part := mat.NewDense(rows, len(members), nil)
			for k, j := range members {
				part.SetCol(k, mat.Col(nil, j, a))
			}
			var z, r mat.VecDense
			if z.SolveVec(part, mat.NewVecDense(rows, b)) != nil {
				continue // dependent: a smaller set does as well
			}
			ok := true
			for k, j := range members {
				ok = ok && (free[j] || z.AtVec(k) >= 0)
			}
			if ok {
				r.MulVec(part, &z)
				r.SubVec(mat.NewVecDense(rows, b), &r)
				want = min(want, mat.Norm(&r, 2))
			}
		}
		numtest.Close(t, got, want, 1e-9, 0)
	}
}

func TestErrors(t *testing.T) {
	one := mat.NewDense(1, 1, []float64{1})
	for _, v := range []float64{math.NaN(), math.Inf(1)} {
		if _, _, err := Solve(mat.NewDense(1, 1, []float64{v}), []float64{1}, nil); err == nil {
			t.Errorf("matrix of %v: no error", v)
		}
		if _, _, err := Solve(one, []float64{v}, nil); err == nil {
			t.Errorf("right side of %v: no error", v)
		}
	}
	if x, _, err := Solve(mat.NewDense(1, 1, []float64{1e-200}), []float64{1e200}, nil); err == nil {
		t.Errorf("a solution of %v: no error", x)
	}
}

func BenchmarkSolve(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 0))
	a, y, free := random(rng, 300, 300)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Solve(a, y, free); err != nil {
			b.Fatal(err)
		}
	}
}
