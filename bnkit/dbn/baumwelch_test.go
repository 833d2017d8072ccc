package dbn_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

// hmm is a hidden Markov model as textbooks have it (Rabiner 1989, §III): start π, transitions
// A, emissions B. An observation of −1 is missing.
type hmm struct {
	pi   []float64
	a, b [][]float64
}

// emission is P(observation | state).
func (h hmm) emission(s, y int) float64 {
	if y < 0 {
		return 1
	}
	return h.b[s][y]
}

// forwardBackward returns P(state of t), P(states of t and t+1) given the observations, and
// the log-likelihood, with α scaled to sum to one.
func (h hmm) forwardBackward(ys []int) (gamma [][]float64, xi [][][]float64, loglik float64) {
	k := len(h.pi)
	alpha, beta := make([][]float64, len(ys)), make([][]float64, len(ys))
	scale := make([]float64, len(ys))
	for t, y := range ys {
		alpha[t], beta[t] = make([]float64, k), make([]float64, k)
		for s := range k {
			p := h.pi[s]
			if t > 0 {
				p = 0
				for r := range k {
					p += alpha[t-1][r] * h.a[r][s]
				}
			}
			alpha[t][s] = p * h.emission(s, y)
			scale[t] += alpha[t][s]
		}
		for s := range k {
			alpha[t][s] /= scale[t]
		}
		loglik += math.Log(scale[t])
	}
	for t := len(ys) - 1; t >= 0; t-- {
		for s := range k {
			if beta[t][s] = 1; t == len(ys)-1 {
				continue
			}
			beta[t][s] = 0
			for r := range k {
				beta[t][s] += h.a[s][r] * h.emission(r, ys[t+1]) * beta[t+1][r] / scale[t+1]
			}
		}
	}
	for t := range ys {
		g := make([]float64, k)
		for s := range k {
			g[s] = alpha[t][s] * beta[t][s]
		}
		gamma = append(gamma, g)
		if t+1 < len(ys) {
			x := make([][]float64, k)
			for s := range k {
				for r := range k {
					x[s] = append(x[s], alpha[t][s]*h.a[s][r]*h.emission(r, ys[t+1])*beta[t+1][r]/scale[t+1])
				}
			}
			xi = append(xi, x)
		}
	}
	return gamma, xi, loglik
}

// baumWelch is one iteration, and the log-likelihood before it. A missing observation is
// distributed as the model says.
func (h hmm) baumWelch(list [][]int) (hmm, float64) {
	k, m := len(h.pi), len(h.b[0])
	next := hmm{make([]float64, k), make([][]float64, k), make([][]float64, k)}
	for s := range k {
		next.a[s], next.b[s] = make([]float64, k), make([]float64, m)
	}
	total := 0.0
	for _, ys := range list {
		gamma, xi, loglik := h.forwardBackward(ys)
		total += loglik
		for t, y := range ys {
			for s := range k {
				if t == 0 {
					next.pi[s] += gamma[0][s]
				}
				for r := 0; r < k && t < len(xi); r++ {
					next.a[s][r] += xi[t][s][r]
				}
				for o := range m {
					if y == o {
						next.b[s][o] += gamma[t][s]
					} else if y < 0 {
						next.b[s][o] += gamma[t][s] * h.b[s][o]
					}
				}
			}
		}
	}
	for _, row := range append(append([][]float64{next.pi}, next.a...), next.b...) {
		sum := 0.0
		for _, x := range row {
			sum += x
		}
		for i := range row {
			row[i] /= sum
		}
	}
	return next, total
}

// flat is the hidden Markov model in the order of the template s[0], s[1], y[1].
func (h hmm) flat() []float64 {
	var theta []float64
	for _, row := range append(append([][]float64{h.pi}, h.a...), h.b...) {
		theta = append(theta, row...)
	}
	return theta
}

// observations draws sequences of unequal length with missing ones among them, of which some
// are written as empty cells and some as times that are left out.
func observations(t *testing.T, net *dbn.Network, seed uint64) ([][]int, *dbn.Series) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 0))
	var list [][]int
	text := "series,time,y\n"
	sample := must(net.Sample([]int{30, 7, 1, 30, 12, 2}, rand.NewPCG(seed, 1)))(t)
	column := must(sample.Table().Column("y"))(t)
	row := 0
	for i := range sample.Len() {
		var ys []int
		for slice := range sample.Length(i) {
			y := int(column.States[row])
			row++
			inside := slice > 0 && slice < sample.Length(i)-1
			switch u := rng.Float64(); {
			case u < 0.1:
				y = -1
				text += fmt.Sprintf("%d,%d,\n", i, slice)
			case u < 0.2 && inside:
				y = -1
			default:
				text += fmt.Sprintf("%d,%d,%d\n", i, slice, y)
			}
			ys = append(ys, y)
		}
		list = append(list, ys)
	}
	return list, csv(t, text)
}

// iterates collects the parameters and log-likelihoods of a fit of so many iterations.
func iterates(n int, from *bn.Network) (*learn.Settings, *[][]float64, *[]float64) {
	var thetas [][]float64
	var logliks []float64
	return &learn.Settings{From: from, Starts: 1, MaxIterations: n, Tolerance: 1e-300,
		Progress: func(p learn.Progress) {
			thetas = append(thetas, append([]float64(nil), p.Theta...))
			logliks = append(logliks, p.Step.LogLikelihood)
		}}, &thetas, &logliks
}

// TestBaumWelch: EM on a hidden Markov model is Baum and Welch's, written independently above.
func TestBaumWelch(t *testing.T) {
	net := network(t, "[s|s[t-1]][y|s]", bn.Discrete("s", "0", "1", "2"), bn.Discrete("y", "0", "1", "2", "3"))
	random(net, rand.New(rand.NewPCG(20, 0)))
	list, s := observations(t, net, 21)
	random(net, rand.New(rand.NewPCG(22, 0)))
	two := net.Template()
	h := hmm{pi: two.CPT(0).P}
	for state := range 3 {
		h.a, h.b = append(h.a, two.CPT(1).Row(state)), append(h.b, two.CPT(2).Row(state))
	}
	set, thetas, logliks := iterates(10, two)
	fit, err := dbn.Fit(t.Context(), net, s, learn.EM{}, set)
	if err != nil {
		t.Fatal(err)
	}
	if len(*thetas) != 11 {
		t.Fatalf("%d points of a fit of ten iterations", len(*thetas))
	}
	for iteration, theta := range *thetas {
		next, loglik := h.baumWelch(list)
		numtest.Close(t, (*logliks)[iteration], loglik, 1e-10, 0)
		for cell, want := range h.flat() {
			if !numtest.Close(t, theta[cell], want, 1e-10, 0) {
				t.Fatalf("iteration %d, cell %d", iteration, cell)
			}
		}
		h = next
	}
	numtest.Close(t, fit.LogLikelihood, must(fit.Net.LogLikelihood(s))(t), 1e-10, 0)
}

// TestTiesByStatement: the unrolled network with its tables shared by a statement (N06 §4.3, type
// 6) has the same iterates as the template with counts that are summed.
func TestTiesByStatement(t *testing.T) {
	const length = 5
	net := scene(t, "[u][s|s[t-1]:u][y|s]", 30)
	s := must(must(net.Sample([]int{length, length, length, length, length, length}, rand.NewPCG(31, 0)))(t).Keep("u",
		"y"))(t)
	random(net, rand.New(rand.NewPCG(32, 0)))
	unrolled := must(net.Unroll(length))(t)
	share := func(name string, from int) constraint.ShareTables {
		var names []string
		for slice := from; slice < length; slice++ {
			names = append(names, dbn.At(name, slice))
		}
		return constraint.ShareTables{Vars: names}
	}
	// The same cases as one row for each series.
	var cols []data.Column
	for slice := range length {
		for _, name := range []string{"u", "y"} {
			c := must(s.Table().Column(name))(t)
			wide := data.Column{Var: bn.Discrete(dbn.At(name, slice), c.Var.States...)}
			for i := range s.Len() {
				wide.States = append(wide.States, c.States[i*length+slice])
			}
			cols = append(cols, wide)
		}
	}
	set, thetas, logliks := iterates(10, net.Template())
	if _, err := dbn.Fit(t.Context(), net, s, learn.EM{}, set); err != nil {
		t.Fatal(err)
	}
	plain, want, wantLogliks := iterates(10, unrolled)
	if _, err := learn.Fit(t.Context(), unrolled, table(t, cols...),
		learn.EM{Constraints: []constraint.Constraint{share("u", 0), share("s", 1), share("y", 0)}},
		plain); err != nil {
		t.Fatal(err)
	}
	two := net.Template()
	for iteration := range 11 {
		numtest.Close(t, (*logliks)[iteration], (*wantLogliks)[iteration], 1e-10, 0)
		for _, name := range []string{"u[1]", "s[0]", "s[1]", "y[1]"} {
			lo, hi := two.Layout().Family(must(two.Index(name))(t))
			for slice := range length {
				other := dbn.At(name[:1], slice)
				if (name == "s[0]") != (other == "s[0]") && name[:1] == "s" {
					continue
				}
				at, _ := unrolled.Layout().Family(must(unrolled.Index(other))(t))
				for cell := lo; cell < hi; cell++ {
					if !numtest.Close(t, (*thetas)[iteration][cell], (*want)[iteration][at+cell-lo], 1e-10, 0) {
						t.Fatalf("iteration %d: %s against %s", iteration, name, other)
					}
				}
			}
		}
	}
}
