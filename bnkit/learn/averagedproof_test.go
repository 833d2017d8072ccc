package learn_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

// TestAveragedAgainstHitAndRun: the marginal likelihoods of subsets are those that package constraint simulates in
// another way, here with a child of three states, and with a statement that is certain.
func TestAveragedAgainstHitAndRun(t *testing.T) {
	net, err := bn.New("[a][b][c|a:b]", bn.Discrete("a", "no", "yes"), bn.Discrete("b", "no", "yes"),
		bn.Discrete("c", "low", "middle", "high"))
	if err != nil {
		t.Fatal(err)
	}
	certain := constraint.AtLeast{Var: "c", States: []string{"low"}, P: 0.1}
	open := []constraint.Constraint{
		constraint.Influence{Parent: "a", Child: "c", Margin: 0.02},
		constraint.Influence{Parent: "b", Child: "c"},
		constraint.Synergy{Parents: []string{"a", "b"}, Child: "c"},
	}
	n := []float64{20, 20, 20, 20, 5, 3, 2, 2, 5, 3, 8, 2, 0, 4, 4, 4}
	m := learn.Averaged{Constraints: append([]constraint.Constraint{certain}, open...),
		Strengths: []float64{1, 0.8, 0.7, 0.6}, Pseudocount: 0.5, Draws: 100_000, Seed: 1}
	r := averaged(t, net, n, m)
	pseudo := make([]float64, len(n))
	for cell := range pseudo {
		pseudo[cell] = 0.5
	}
	if len(r.Weighing.Subsets) != 8 {
		t.Fatalf("%d subsets, want 8", len(r.Weighing.Subsets))
	}
	var free, freeMean [2]float64 // of no statement but the certain one
	for i, s := range r.Weighing.Subsets {
		statements := []constraint.Constraint{certain}
		for _, at := range s.Statements {
			statements = append(statements, r.Weighing.Statements[at].Statement)
		}
		p, err := constraint.Compile(net, statements...)
		if err != nil {
			t.Fatal(err)
		}
		want, err := p.LogMarginal(t.Context(), n, pseudo, &constraint.Sampling{Src: rand.NewPCG(2, 0), Draws: 20_000})
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			free = [2]float64{want.Value, want.StdErr}
			freeMean = [2]float64{s.LogMarginal, s.StdErr}
		}
		stderr := math.Sqrt(want.StdErr*want.StdErr + free[1]*free[1] + s.StdErr*s.StdErr + freeMean[1]*freeMean[1])
		numtest.Close(t, s.LogMarginal-freeMean[0], want.Value-free[0], 4*stderr+1e-9, 0)
		if stderr > 0.4 {
			t.Errorf("subset %v: a standard error of %v tells little", s.Statements, stderr)
		}
	}
}

// A pronounced is a verdict on a statement of which the truth is known.
type pronounced struct {
	held, want float64
	true       bool
}

// doubtful are statements about a table of four rows, each with what it says of y, P(c=yes) by a and b.
func doubtful(t *testing.T) (*bn.Network, []constraint.Constraint, func(i int, y []float64) bool) {
	t.Helper()
	net, err := bn.New("[a][b][c|a:b]", bn.Discrete("a", "no", "yes"), bn.Discrete("b", "no", "yes"),
		bn.Discrete("c", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	statements := []constraint.Constraint{
		constraint.Influence{Parent: "a", Child: "c"},
		constraint.Influence{Parent: "b", Child: "c", Sign: constraint.Negative},
		constraint.Synergy{Parents: []string{"a", "b"}, Child: "c"},
		constraint.AtMost{Var: "c", Given: bn.Given{"a": "no", "b": "no"}, States: []string{"yes"}, P: 0.6},
	}
	return net, statements, func(i int, y []float64) bool {
		switch i {
		case 0:
			return y[0] <= y[2] && y[1] <= y[3]
		case 1:
			return y[0] >= y[1] && y[2] >= y[3]
		case 2:
			return y[1]+y[2] <= y[0]+y[3]
		}
		return y[0] <= 0.6
	}
}

// TestAveragedAgainstDraws: with a million tables drawn from the uniform prior, marginal likelihoods, weights, means
// and what holds are sums over those that satisfy a subset.
func TestAveragedAgainstDraws(t *testing.T) {
	net, statements, holds := doubtful(t)
	for _, n := range [][]float64{{1, 0, 2, 1, 0, 1, 1, 2}, {4, 6, 7, 3, 5, 5, 3, 7}, {9, 3, 2, 9, 4, 4, 6, 5}} {
		m := learn.Averaged{Constraints: statements, Draws: 40_000}
		r := averaged(t, net, append([]float64{10, 10, 10, 10}, n...), m)
		rng := rand.New(rand.NewPCG(1, 0))
		var volume, mass [16]float64 // of what satisfies a subset
		var held [16][4]float64      // mass in which a statement holds too
		var yes [16][4]float64       // mass times y
		const draws = 1_000_000
		y := make([]float64, 4)
		for range draws {
			likelihood := 1.0
			for row := range y {
				y[row] = rng.Float64()
				likelihood *= math.Pow(1-y[row], n[2*row]) * math.Pow(y[row], n[2*row+1])
			}
			bits := 0
			for i := range statements {
				if holds(i, y) {
					bits |= 1 << i
				}
			}
			for s := range 16 {
				if s&^bits != 0 {
					continue
				}
				volume[s]++
				mass[s] += likelihood
				for i := range y {
					held[s][i] += likelihood * float64(bits>>i&1)
					yes[s][i] += likelihood * y[i]
				}
			}
		}
		total := 0.0
		var after, mean [4]float64
		for s := range 16 {
			reliable, poor := 0.8, 0.2
			for i := range 4 {
				if s>>i&1 == 1 {
					reliable, poor = reliable*0.8, poor*0.2
				} else {
					reliable, poor = reliable*0.2, poor*0.8
				}
			}
			w := (reliable + poor) * mass[s] / volume[s]
			total += w
			for i := range 4 {
				after[i] += w * held[s][i] / mass[s]
				mean[i] += w * yes[s][i] / mass[s]
			}
		}
		for i, b := range r.Weighing.Statements {
			t.Logf("%v: %.4f, by draws %.4f, error %.4f", n, b.After, after[i]/total, b.StdErr)
			numtest.Close(t, b.After, after[i]/total, 0.004+4*b.StdErr, 0)
			numtest.Close(t, r.Net.CPT(2).P[2*i+1], mean[i]/total, 0.004, 0)
		}
	}
}

// doubtfulHold is the posterior probability of each of the doubtful statements by importance sampling: tables are drawn
// from the posterior without statements, and a subset of these has the weight of its tables there over their volume
// before.
func doubtfulHold(n []float64, volume [16]float64, holds func(int, []float64) bool, draws int,
	rng *rand.Rand) (after [4]float64) {
	var rows [4]distuv.Beta
	for r := range rows {
		rows[r] = distuv.Beta{Alpha: n[2*r+1] + 1, Beta: n[2*r] + 1, Src: rng}
	}
	var count [16]float64
	y := make([]float64, 4)
	for range draws {
		for r := range y {
			y[r] = rows[r].Rand()
		}
		bits := 0
		for i := range 4 {
			if holds(i, y) {
				bits |= 1 << i
			}
		}
		count[bits]++
	}
	total := 0.0
	for s := range 16 {
		reliable, poor := 0.8, 0.2
		for i := range 4 {
			if s>>i&1 == 1 {
				reliable, poor = reliable*0.8, poor*0.2
			} else {
				reliable, poor = reliable*0.2, poor*0.8
			}
		}
		for bits, c := range count {
			if s&^bits == 0 {
				w := (reliable + poor) * c / volume[s]
				total += w
				for i := range after {
					after[i] += w * float64(bits>>i&1)
				}
			}
		}
	}
	for i := range after {
		after[i] /= total
	}
	return after
}

// TestAveragedCalibration: statements that a source states, reliable or poor as the prior has it, hold as often as the
// fit says. Tables are drawn until they satisfy the statements that are imposed. How often they hold is told twice: by
// the tables, and, without their noise, by the posterior probability that importance sampling finds.
func TestAveragedCalibration(t *testing.T) {
	net, statements, holds := doubtful(t)
	compiled, err := learn.Compile(net, learn.Averaged{Constraints: statements, Draws: 2000})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 0))
	var trials []pronounced
	rounds := 200
	if !numtest.Full() {
		rounds = 60
	}
	exact := rand.New(rand.NewPCG(2, 0))
	var volume [16]float64
	for range 400_000 {
		y := []float64{exact.Float64(), exact.Float64(), exact.Float64(), exact.Float64()}
		for s := range volume {
			inside := 1.0
			for i := range statements {
				if s>>i&1 == 1 && !holds(i, y) {
					inside = 0
				}
			}
			volume[s] += inside
		}
	}
	for range rounds {
		strength := 0.8
		if rng.Float64() < 0.2 {
			strength = 0.2
		}
		imposed := make([]bool, len(statements))
		for i := range imposed {
			imposed[i] = rng.Float64() < strength
		}
		y := make([]float64, 4)
		for ok := false; !ok; {
			ok = true
			for row := range y {
				y[row] = rng.Float64()
			}
			for i := range statements {
				ok = ok && (!imposed[i] || holds(i, y))
			}
		}
		n := []float64{10, 10, 10, 10, 0, 0, 0, 0, 0, 0, 0, 0}
		for range []int{5, 20, 80}[rng.IntN(3)] {
			row, state := rng.IntN(4), 0
			if rng.Float64() < y[row] {
				state = 1
			}
			n[4+2*row+state]++
		}
		r, err := compiled.Fit(&data.Counts{Layout: net.Layout(), Rows: 1, N: n}, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := doubtfulHold(n[4:], volume, holds, 5000, exact)
		for i, b := range r.Weighing.Statements {
			trials = append(trials, pronounced{b.After, want[i], holds(i, y)})
		}
	}
	const bins = 10
	var count, said, hit, should [bins]float64
	for _, x := range trials {
		b := min(bins-1, int(x.held*bins))
		count[b]++
		said[b] += x.held
		should[b] += x.want
		if x.true {
			hit[b]++
		}
	}
	for b := range bins {
		if count[b] < 10 {
			continue
		}
		// Each verdict may be off by about .02, on either side.
		t.Logf("said %.3f, should %.3f of %v", said[b]/count[b], should[b]/count[b], count[b])
		numtest.Close(t, said[b]/count[b], should[b]/count[b], 0.02, 0)
		if count[b] < 100 {
			continue
		}
		p, q := said[b]/count[b], hit[b]/count[b]
		t.Logf("said %.3f, held %.3f of %v", p, q, count[b])
		// Within 0.05, or three standard errors where a bin has too few cases to tell that.
		numtest.Close(t, q, p, max(0.05, 3*math.Sqrt(p*(1-p)/count[b])), 0)
	}
}
