package information_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/learn/internal/information"
)

// holes fits a small network by EM to cases of which a quarter of the cells of b and c is missing.
func holes(t *testing.T, seed uint64, rows int, statements ...constraint.Constraint) (*learn.Result,
	*constraint.Problem, *infer.Plan) {
	t.Helper()
	net, err := bn.New("[a][b|a][c|b]", bn.Discrete("a", "0", "1"), bn.Discrete("b", "0", "1", "2"),
		bn.Discrete("c", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	for v := range net.Len() {
		for config := range net.CPT(v).Configs().Len() {
			row := net.CPT(v).Row(config)
			total := 0.0
			for i := range row {
				row[i] = 0.3 + rng.Float64()
				total += row[i]
			}
			for i := range row {
				row[i] /= total
			}
		}
	}
	table, err := data.Sample(net, rows, rng)
	if err != nil {
		t.Fatal(err)
	}
	var cols []data.Column
	for _, c := range table.Columns() {
		c.States = slices.Clone(c.States)
		for i := range c.States {
			if c.Var.Name != "a" && rng.Float64() < 0.25 {
				c.States[i] = bn.Missing
			}
		}
		cols = append(cols, c)
	}
	if table, err = data.New(cols...); err != nil {
		t.Fatal(err)
	}
	r, err := learn.Fit(t.Context(), net, table, learn.EM{Pseudocount: 1, Constraints: statements},
		&learn.Settings{Tolerance: 1e-14, MaxIterations: 5000})
	if err != nil {
		t.Fatal(err)
	}
	p, err := constraint.Compile(net, statements...)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := infer.NewPlan(net, table, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r, p, plan
}

// tables lays out the tables of a network.
func tables(net *bn.Network) []float64 {
	var theta []float64
	for v := range net.Len() {
		theta = append(theta, net.CPT(v).P...)
	}
	return theta
}

// TestObservedInformation compares it with second differences of the log posterior itself.
func TestObservedInformation(t *testing.T) {
	for seed := range uint64(4) {
		var statements []constraint.Constraint
		if seed%2 == 1 {
			statements = append(statements, constraint.Influence{Parent: "b", Child: "c"})
		}
		r, p, plan := holes(t, seed, 60, statements...)
		pseudo := slices.Repeat([]float64{1}, r.Net.Layout().Len())
		o, err := information.New(r.Net, p, plan, pseudo, tables(r.Net))
		if err != nil {
			t.Fatal(err)
		}
		posterior := func(x ...float64) float64 { // at steps along the first directions
			theta := slices.Clone(o.Theta())
			for j, h := range x {
				for i, cell := range o.Cells() {
					theta[cell] += h * math.Sqrt(o.Theta()[cell]) * o.Basis().At(i, j)
				}
			}
			sum, err := plan.LogLikelihood(theta)
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range theta {
				sum += math.Log(x)
			}
			return sum
		}
		_, free := o.Basis().Dims()
		if free < 4 {
			t.Errorf("seed %d: %d directions", seed, free)
		}
		const h = 4e-3
		for j := range free {
			for k := range j + 1 {
				at := func(m, n float64) float64 {
					x := make([]float64, free)
					x[j] += m * h
					x[k] += n * h
					return posterior(x...)
				}
				mixed := func(s float64) float64 {
					return (at(s, s) - at(s, -s) - at(-s, s) + at(-s, -s)) / (4 * s * s * h * h)
				}
				want := -(4*mixed(1) - mixed(2)) / 3 // of fourth order
				got, size := o.Matrix().At(j, k), math.Sqrt(o.Matrix().At(j, j)*o.Matrix().At(k, k))
				if !(math.Abs(got-want) <= 1e-6*size) {
					t.Errorf("seed %d: information %d, %d is %v, by differences %v", seed, j, k, got, want)
				}
			}
		}
	}
}

// TestObservedDraws: draws are tables that obey the statements, with the covariance of the information, and those of
// tables without missing cells stay.
func TestObservedDraws(t *testing.T) {
	same := constraint.Influence{Parent: "b", Child: "c"}
	r, p, plan := holes(t, 1, 2000, same)
	size := r.Net.Layout().Len()
	pseudo := slices.Repeat([]float64{1}, size)
	theta := make([][]float64, 2000)
	for i := range theta {
		theta[i] = make([]float64, size)
	}
	if err := r.Observed(theta, p, plan, pseudo, rand.NewPCG(1, 0)); err != nil {
		t.Fatal(err)
	}
	o, err := information.New(r.Net, p, plan, pseudo, tables(r.Net))
	if err != nil {
		t.Fatal(err)
	}
	var inverse mat.Dense
	if err := inverse.Inverse(o.Matrix()); err != nil {
		t.Fatal(err)
	}
	lo, _ := r.Net.Layout().Family(0)
	for cell := range size {
		var mean, squares float64
		for _, x := range theta {
			if cell < lo+2 && x[cell] != 0 {
				t.Fatal("a table without missing cells was drawn")
			}
			mean += x[cell] / float64(len(theta))
			squares += x[cell] * x[cell] / float64(len(theta))
		}
		at := slices.Index(o.Cells(), cell)
		if at < 0 || o.Linked()[cell] {
			continue
		}
		row := o.Basis().RawRowView(at)
		var y mat.VecDense
		y.MulVec(&inverse, mat.NewVecDense(len(row), row))
		want := o.Theta()[cell] * mat.Dot(mat.NewVecDense(len(row), row), &y)
		if got := squares - mean*mean; math.Abs(got/want-1) > 4*math.Sqrt(2./2000)+0.03 {
			t.Errorf("entry %d has the variance %v, want %v", cell, got, want)
		}
		if math.Abs(mean-o.Theta()[cell]) > 0.3*math.Sqrt(want) {
			t.Errorf("entry %d has the mean %v, the estimate is %v", cell, mean, o.Theta()[cell])
		}
	}
	for _, x := range theta[:200] {
		copy(x[lo:], tables(r.Net)[lo:lo+2])
		if broken := p.Violation(x); broken > 1e-9 || slices.Min(x) < 0 {
			t.Fatalf("a draw breaks the statement by %v", broken)
		}
	}
}

// TestObservedSingular: what the cases do not tell is named, and the draws stay.
func TestObservedSingular(t *testing.T) {
	net, err := bn.New("[h][x|h]", bn.Discrete("h", "0", "1"), bn.Discrete("x", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	copy(net.CPT(0).P, []float64{0.4, 0.6})
	copy(net.CPT(1).P, []float64{0.3, 0.7, 0.6, 0.4})
	table, err := data.New(data.Column{Var: net.Variable(1), States: []bn.State{0, 1, 1, 0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := infer.NewPlan(net, table, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := constraint.Compile(net)
	if err != nil {
		t.Fatal(err)
	}
	theta := [][]float64{make([]float64, 6)}
	err = (&learn.Result{Net: net}).Observed(theta, p, plan, make([]float64, 6), rand.NewPCG(1, 0))
	if err == nil || !strings.Contains(err.Error(), "do not determine the tables of h, x") || theta[0][0] != 0 {
		t.Errorf("error %v, draws %v", err, fmt.Sprint(theta))
	}
}

// TestObservedNoMaximum: tables that are not the maximum have no normal approximation there.
func TestObservedNoMaximum(t *testing.T) {
	r, p, plan := holes(t, 2, 500)
	row := r.Net.CPT(1).Row(0)
	row[0], row[1] = row[0]*0.7, row[1]+row[0]*0.3
	size := r.Net.Layout().Len()
	err := r.Observed(nil, p, plan, slices.Repeat([]float64{1}, size), rand.NewPCG(1, 0))
	if err == nil || !strings.Contains(err.Error(), "not a maximum") {
		t.Errorf("error %v", err)
	}
}
