package learn_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// logMarginal is Π Γ(n+1) / Γ(Σ (n+1)) of rows with two states.
func logMarginal(n []float64) float64 {
	total := 0.0
	for i := 0; i < len(n); i += 2 {
		total += mathext.Lbeta(n[i]+1, n[i+1]+1)
	}
	return total
}

// less is P(X < Y) of beta variables with whole counts, a sum: P(Y > X) = Σ_{i<c} B(a+i, b+d) / ((d+i) B(1+i, d)
// B(a, b)) for X of (a, b) and Y of (c, d).
func less(a, b, c, d float64) float64 {
	total := 0.0
	for i := 0.0; i < c; i++ {
		total += math.Exp(mathext.Lbeta(a+i, b+d) - math.Log(d+i) - mathext.Lbeta(1+i, d) - mathext.Lbeta(a, b))
	}
	return total
}

// rowsRise is P(second row has more of the second state than the first), of a table with two rows after counts n.
func rowsRise(n []float64) float64 { return less(n[1]+1, n[0]+1, n[3]+1, n[2]+1) }

// meanRising is E[θ; rows rise]: E[θ] times the probability with one more case in the cell.
func meanRising(n []float64) []float64 {
	out := make([]float64, 4)
	for cell := range out {
		more := slices.Clone(n)
		more[cell]++
		row := cell / 2 * 2
		out[cell] = (n[cell] + 1) / (n[row] + n[row+1] + 2) * rowsRise(more)
	}
	return out
}

// within reports differences of more than five of the standard errors that a fit states, and errors that tell nothing.
func within(t *testing.T, what string, got, want, stderr float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 5*stderr+1e-9) || stderr > 0.012 {
		t.Errorf("%s: %v ± %v, want %v", what, got, stderr, want)
	}
}

// TestAveragedGaps: two statements of one source, which may be poor, about two tables that the missing cells link. The
// posterior of the subsets and the mean of the tables are those of a sum over all 2^9 completions.
func TestAveragedGaps(t *testing.T) {
	vars := []bn.Variable{bn.Discrete("X", "a", "b"), bn.Discrete("Y", "no", "yes"), bn.Discrete("W", "no", "yes")}
	net, err := bn.New("[X][Y|X][W|Y]", vars...)
	if err != nil {
		t.Fatal(err)
	}
	const m = bn.Missing
	table, err := data.New(
		data.Column{Var: vars[0], States: []bn.State{0, 0, 0, 0, 1, 1, 1, 0, m, 1}},
		data.Column{Var: vars[1], States: []bn.State{0, m, m, m, m, 1, m, m, m, m}},
		data.Column{Var: vars[2], States: []bn.State{0, 0, 0, 1, 1, 0, 1, 0, 1, 1}},
	)
	if err != nil {
		t.Fatal(err)
	}
	second := constraint.Influence{Parent: "Y", Child: "W", Sign: constraint.Negative}
	for _, independent := range []bool{true, false} {
		weights, poor, total := make([]float64, 4), 0.0, 0.0
		holds, mean := make([]float64, 2), make([]float64, net.Layout().Len())
		completions(net, table, func(n []float64) {
			up, down := rowsRise(n[2:6]), 1-rowsRise(n[6:10])
			free := make([]float64, len(n))
			for cell := range n {
				row := cell / 2 * 2
				free[cell] = (n[cell] + 1) / (n[row] + n[row+1] + 2)
			}
			for source, share := range []float64{0.8, 0.2} {
				strength := []float64{0.8, 0.2}[source]
				if independent {
					share, strength = []float64{1, 0}[source], 0.8
				}
				for s := range 4 {
					w := share * math.Exp(logMarginal(n))
					mean1, mean2, holds1, holds2 := free[2:6], free[6:10], up, down
					if s&1 == 1 { // P(D | S) = P(D) P(C | D) / P(C), and P(C) is a half
						w, holds1 = w*strength*up/0.5, 1
						mean1 = meanRising(n[2:6])
						for i := range mean1 {
							mean1[i] /= up
						}
					} else {
						w *= 1 - strength
					}
					if s&2 == 2 {
						w, holds2 = w*strength*down/0.5, 1
						rising := meanRising(n[6:10])
						mean2 = make([]float64, 4)
						for i := range mean2 {
							mean2[i] = (free[6+i] - rising[i]) / down
						}
					} else {
						w *= 1 - strength
					}
					weights[s], total = weights[s]+w, total+w
					if source == 1 {
						poor += w
					}
					holds[0], holds[1] = holds[0]+w*holds1, holds[1]+w*holds2
					for cell, x := range slices.Concat(free[:2], mean1, mean2) {
						mean[cell] += w * x
					}
				}
			}
		})
		r, err := learn.Fit(t.Context(), net, table, learn.Averaged{Constraints: []constraint.Constraint{rises, second},
			Independent: independent, Seed: 1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, b := range r.Weighing.Statements {
			within(t, b.Statement.String(), b.After, holds[i]/total, b.StdErr)
		}
		for cell, x := range flat(r.Net) {
			within(t, fmt.Sprint("entry ", cell), x, mean[cell]/total, r.Means.StdErr)
		}
		imposed := make([]float64, 2)
		for _, s := range r.Weighing.Subsets {
			for _, at := range s.Statements {
				imposed[at] += s.Weight
			}
		}
		within(t, "first imposed", imposed[0], (weights[1]+weights[3])/total, 0.005)
		within(t, "second imposed", imposed[1], (weights[2]+weights[3])/total, 0.005)
		within(t, "poor", r.Weighing.PoorAfter, poor/total, 0.004)
		if !r.Expected || r.Cases != 10 || len(r.Weighing.Subsets) != 4 {
			t.Errorf("expected %v, %v cases, %d subsets", r.Expected, r.Cases, len(r.Weighing.Subsets))
		}
	}
}

// TestAveragedGapsLinked: two statements about one table, whose subsets have no closed form together. Its four
// distributions are summed over a grid.
func TestAveragedGapsLinked(t *testing.T) {
	vars := []bn.Variable{bn.Discrete("a", "no", "yes"), bn.Discrete("b", "no", "yes"), bn.Discrete("c", "no", "yes")}
	net, err := bn.New("[a][b][c|a:b]", vars...)
	if err != nil {
		t.Fatal(err)
	}
	const m = bn.Missing
	table, err := data.New(
		data.Column{Var: vars[0], States: []bn.State{0, 0, 1, 1, m, 1, 0, 1, m}},
		data.Column{Var: vars[1], States: []bn.State{0, 1, 0, m, 1, 1, 0, 0, 1}},
		data.Column{Var: vars[2], States: []bn.State{0, 1, 0, 1, 1, 1, m, 1, m}},
	)
	if err != nil {
		t.Fatal(err)
	}
	const steps = 300
	// within are P(C of a), P(C of b) and P(both) of four independent beta variables, by configuration of a and b.
	grid := func(n []float64) (a, b, both float64) {
		var density, below [4][]float64
		for r := range 4 {
			sum := 0.0
			for i := range steps {
				x := (float64(i) + 0.5) / steps
				density[r] = append(density[r], math.Exp(n[2*r+1]*math.Log(x)+n[2*r]*math.Log1p(-x)))
				sum += density[r][i]
			}
			at := 0.0
			for i := range steps {
				density[r][i] /= sum
				below[r] = append(below[r], at+density[r][i]/2)
				at += density[r][i]
			}
		}
		up := func(low, high int) float64 {
			total := 0.0
			for i := range steps {
				total += density[high][i] * below[low][i]
			}
			return total
		}
		a, b = up(0, 2)*up(1, 3), up(0, 1)*up(2, 3)
		for i := range steps {
			for j := range steps {
				both += density[1][i] * density[2][j] * below[0][min(i, j)] * (1 - below[3][max(i, j)])
			}
		}
		return a, b, both
	}
	strengths := []float64{0.7, 0.6}
	priorA, priorB, priorBoth := grid(make([]float64, 8))
	var total float64
	holds, weights := make([]float64, 2), make([]float64, 4)
	completions(net, table, func(n []float64) {
		a, b, both := grid(n[4:])
		free := math.Exp(logMarginal(n))
		w := []float64{0.3 * 0.4 * free, 0.7 * 0.4 * free * a / priorA, 0.3 * 0.6 * free * b / priorB,
			0.7 * 0.6 * free * both / priorBoth}
		for s, x := range w {
			weights[s], total = weights[s]+x, total+x
		}
		holds[0] += w[0]*a + w[1] + w[2]*both/b + w[3]
		holds[1] += w[0]*b + w[1]*both/a + w[2] + w[3]
	})
	r, err := learn.Fit(t.Context(), net, table, learn.Averaged{Constraints: []constraint.Constraint{
		constraint.Influence{Parent: "a", Child: "c"}, constraint.Influence{Parent: "b", Child: "c"},
	}, Strengths: strengths, Independent: true, Seed: 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range r.Weighing.Statements {
		within(t, b.Statement.String(), b.After, holds[i]/total, b.StdErr)
	}
	for i, s := range r.Weighing.Subsets {
		within(t, fmt.Sprint("subset ", i), s.Weight, weights[i]/total, 0.006)
	}
}

// A column without any value has no names to average over.
func TestAveragedGapsHidden(t *testing.T) {
	net := pair(t)
	table, err := data.New(data.Column{Var: net.Variable(0), States: []bn.State{bn.Missing, bn.Missing}},
		data.Column{Var: net.Variable(1), States: []bn.State{0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := learn.Fit(t.Context(), net, table, learn.Averaged{}, nil); err == nil ||
		!strings.Contains(err.Error(), `"X" is observed in no row`) {
		t.Errorf("%v", err)
	}
}

// Rows of a source that is no table are fetched when cells are missing.
func TestAveragedGapsOfSource(t *testing.T) {
	net := pair(t)
	const m = bn.Missing
	table, err := data.New(data.Column{Var: net.Variable(0), States: []bn.State{0, 0, 1, 1, m, 1}},
		data.Column{Var: net.Variable(1), States: []bn.State{0, m, 1, 1, 1, 0}})
	if err != nil {
		t.Fatal(err)
	}
	method := learn.Averaged{Constraints: []constraint.Constraint{rises}}
	src := &counter{Source: table}
	got, err := learn.Fit(t.Context(), net, src, method, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := learn.Fit(t.Context(), net, table, method, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, b := got.Weighing.Statements[0], want.Weighing.Statements[0]
	if math.Abs(a.After-b.After) > 5*(a.StdErr+b.StdErr) || src.rows != 1 {
		t.Errorf("%v ± %v, %v ± %v; asked %d times for rows", a, a.StdErr, b, b.StdErr, src.rows)
	}
}

// A done context leaves what was seen by then, if that is enough for a standard error.
func TestAveragedGapsInterrupted(t *testing.T) {
	net := pair(t)
	const m = bn.Missing
	table, err := data.New(data.Column{Var: net.Variable(0), States: []bn.State{0, m, m, m, 1, m, m, m}},
		data.Column{Var: net.Variable(1), States: []bn.State{0, 0, 1, 1, 0, 0, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	method := learn.Averaged{Constraints: []constraint.Constraint{rises}}
	for looks, isFit := range map[int]bool{5: false, 90_000: true} {
		ctx, cancel := context.WithCancel(t.Context())
		seen := 0
		r, err := learn.Fit(watched{ctx, func() {
			if seen++; seen == looks {
				cancel()
			}
		}}, net, table, method, &learn.Settings{Workers: 1})
		switch {
		case !isFit && !errors.Is(err, context.Canceled):
			t.Errorf("after %d looks: %v", seen, err)
		case isFit && (err != nil || r.Status != learn.Interrupted || !(r.Weighing.Statements[0].StdErr > 0)):
			t.Errorf("after %d looks: %v", seen, err)
		}
		cancel()
	}
}
