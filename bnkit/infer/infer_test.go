package infer_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/infer/infertest"
	"bnlab/internal/numtest"
)

// some is a number of random networks, a quarter of it in a short run.
func some(n int) int {
	if !numtest.Full() {
		return n / 4
	}
	return n
}

// rounding is what sums of a few thousand products may be off.
const rounding = 1e-10

func TestExact(t *testing.T) {
	infertest.Suite{
		New:       func(net *bn.Network) (infertest.Engine, error) { return infer.New(net, nil) },
		Tolerance: rounding, Networks: some(200),
	}.Test(t)
}

// TestExactAnew is TestExact with engines that plan each query.
func TestExactAnew(t *testing.T) {
	infertest.Suite{
		New: func(net *bn.Network) (infertest.Engine, error) {
			e, err := infer.New(net, nil)
			if err == nil {
				e.PlanAnew()
			}
			return e, err
		},
		Tolerance: rounding, Networks: some(200),
	}.Test(t)
}

// batch answers queries through tables: marginals by Predict of each variable,
// probabilities by LogLikelihood.
type batch struct {
	*infer.Engine
	net *bn.Network
}

func (b batch) table(evidence infer.Evidence) (*data.Table, error) {
	var cols []data.Column
	for v := range b.net.Len() {
		c := data.Column{Var: b.net.Variable(v), States: []bn.State{bn.Missing, bn.Missing}}
		if s, ok := evidence[c.Var.Name]; ok {
			state, err := c.Var.StateIndex(s.(string))
			if err != nil {
				return nil, err
			}
			c.States[1] = bn.State(state)
		}
		cols = append(cols, c)
	}
	for name := range evidence {
		if _, err := b.net.Index(name); err != nil {
			return nil, err
		}
	}
	return data.New(cols...)
}

func (b batch) Marginals(evidence infer.Evidence) (*infer.Posteriors, error) {
	t, err := b.table(evidence)
	if err != nil {
		return nil, err
	}
	if _, err := b.LogProbability(evidence); err != nil { // Predict does not see the target's own state
		return nil, err
	}
	all := &infer.Posteriors{}
	for v, variable := range b.net.Variables() {
		p, err := b.Predict(t, variable.Name)
		if err != nil {
			return nil, err
		}
		if s, ok := evidence[variable.Name]; ok {
			clear(p[1])
			state, _ := b.net.Variable(v).StateIndex(s.(string))
			p[1][state] = 1
		}
		all.Variables, all.P = append(all.Variables, variable), append(all.P, p[1])
	}
	return all, nil
}

func (b batch) LogProbability(evidence infer.Evidence) (float64, error) {
	t, err := b.table(evidence)
	if err != nil {
		return 0, err
	}
	return logLikelihood(b.net, t)
}

// marginals are those of an engine for one question.
func marginals(net *bn.Network, evidence infer.Evidence) (*infer.Posteriors, error) {
	e, err := infer.New(net, nil)
	if err != nil {
		return nil, err
	}
	return e.Marginals(evidence)
}

// logLikelihood is Σ weight · log P(observed cells of the row) by a plan.
func logLikelihood(net *bn.Network, t *data.Table) (float64, error) {
	p, err := infer.NewPlan(net, t, nil)
	if err != nil {
		return 0, err
	}
	return p.LogLikelihood(theta(net))
}

func TestBatch(t *testing.T) {
	infertest.Suite{
		New: func(net *bn.Network) (infertest.Engine, error) {
			e, err := infer.New(net, nil)
			return batch{e, net}, err
		},
		Tolerance: rounding, Networks: some(100),
	}.Test(t)
}

// sampler answers by likelihood weighting.
type sampler struct{ net *bn.Network }

const samples = 20_000

func (s sampler) run(evidence infer.Evidence) (*infer.Estimates, error) {
	return infer.LikelihoodWeighting(s.net, evidence, samples, rand.NewPCG(1, 2))
}

func (s sampler) Marginals(evidence infer.Evidence) (*infer.Posteriors, error) {
	e, err := s.run(evidence)
	if err != nil {
		return nil, err
	}
	return &e.Posteriors, nil
}

func (s sampler) LogProbability(evidence infer.Evidence) (float64, error) {
	e, err := s.run(evidence)
	if err != nil {
		return 0, err
	}
	return e.LogProbability, nil
}

// Weights vary by at most 1/Least, so a standard error is at most about
// √(1/(4·20,000·0.1)) = 0.011; the tolerance is four of them.
func TestLikelihoodWeighting(t *testing.T) {
	infertest.Suite{
		New: func(net *bn.Network) (infertest.Engine, error) {
			return sampler{net}, net.Validate()
		},
		Tolerance: 0.045, Least: 0.1, Networks: some(12),
	}.Test(t)
}

// TestPosterior compares single targets, which prune more, with all marginals.
func TestPosterior(t *testing.T) {
	for seed := range some(100) {
		rng := rand.New(rand.NewPCG(uint64(seed), 2))
		net := infertest.Random(rng, 2+rng.IntN(11), []float64{0, 0.3}[seed%2])
		e, err := infer.New(net, nil)
		if err != nil {
			t.Fatal(err)
		}
		evidence := infertest.Evidence(rng, net, 0.3)
		all, errAll := e.Marginals(evidence)
		for v := range net.Len() {
			name := net.Variable(v).Name
			p, err := e.Posterior(evidence, name)
			if (err == nil) != (errAll == nil) {
				t.Fatalf("%v given %v: errors %v and %v", name, evidence, err, errAll)
			}
			if err != nil {
				continue
			}
			for state, x := range p.P[0] {
				numtest.Close(t, x, all.Of(name)[state], rounding, 0)
			}
		}
	}
}

func TestMostProbable(t *testing.T) {
	for seed := range some(200) {
		rng := rand.New(rand.NewPCG(uint64(seed), 3))
		net := infertest.Random(rng, 1+rng.IntN(12), []float64{0, 0.3}[seed%2])
		e, err := infer.New(net, nil)
		if err != nil {
			t.Fatal(err)
		}
		evidence := infertest.Evidence(rng, net, 0.3)
		most := 0.0
		infertest.Joint(net, func(states []int, p float64) {
			if infertest.Agrees(net, states, evidence) {
				most = max(most, p)
			}
		})
		states, log, err := e.MostProbable(evidence)
		if most == 0 {
			if !errors.Is(err, infer.ErrImpossibleEvidence) {
				t.Fatalf("error %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, log, math.Log(most), rounding, 0)
		for name, s := range evidence {
			if states[name] != s {
				t.Errorf("the evidence %s=%s became %s", name, s, states[name])
			}
		}
		total, _ := infertest.Enumerate(net, asEvidence(states))
		if len(states) != net.Len() || !numtest.Close(t, total, most, 0, 1e-9) {
			t.Errorf("network %d: %v has probability %v, the greatest is %v", seed, states, total, most)
		}
	}
}

func asEvidence(states bn.Given) infer.Evidence {
	e := make(infer.Evidence)
	for name, state := range states {
		e[name] = state
	}
	return e
}

// sample draws cases and hides cells at random, some columns wholly.
func sample(t testing.TB, rng *rand.Rand, net *bn.Network, rows int, missing float64) *data.Table {
	t.Helper()
	full, err := data.Sample(net, rows, rand.NewPCG(rng.Uint64(), 0))
	if err != nil {
		t.Fatal(err)
	}
	var cols []data.Column
	for _, c := range full.Columns() {
		if rng.IntN(4) == 0 && len(cols) > 0 {
			continue
		}
		if c.Var.IsDiscrete() {
			states := make([]bn.State, rows)
			for row, s := range c.States {
				states[row] = s
				if rng.Float64() < missing {
					states[row] = bn.Missing
				}
			}
			c.States = states
		}
		cols = append(cols, c)
	}
	table, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	weights := make([]float64, rows)
	for row := range weights {
		weights[row] = float64(rng.IntN(4)) / 2
	}
	weights[0] = 1
	if table, err = table.WithWeights(weights); err != nil {
		t.Fatal(err)
	}
	return table
}

// expected computes expected counts and the log-likelihood by running through all joint
// states for each row.
func expected(net *bn.Network, t *data.Table) (n []float64, loglik float64) {
	layout := net.Layout()
	n = make([]float64, layout.Len())
	for row := range t.Rows() {
		w := t.Weights()[row]
		if w == 0 {
			continue
		}
		evidence := infer.Evidence{}
		for _, c := range t.Columns() {
			if !c.IsMissing(row) {
				evidence[c.Var.Name] = c.Text(row)
			}
		}
		total, _ := infertest.Enumerate(net, evidence)
		loglik += w * math.Log(total)
		infertest.Joint(net, func(states []int, p float64) {
			if p == 0 || !infertest.Agrees(net, states, evidence) {
				return
			}
			for v, s := range states {
				var given []int
				for _, u := range net.DAG().Parents(v) {
					given = append(given, states[u])
				}
				n[layout.Cell(v, net.CPT(v).Configs().Index(given), s)] += w * p / total
			}
		})
	}
	return n, loglik
}

func theta(net *bn.Network) []float64 {
	var p []float64
	for v := range net.Len() {
		if t := net.CPT(v); t != nil {
			p = append(p, t.P...)
		}
	}
	return p
}

func TestExpect(t *testing.T) {
	for seed := range some(60) {
		rng := rand.New(rand.NewPCG(uint64(seed), 4))
		net := infertest.Random(rng, 1+rng.IntN(7), []float64{0, 0.3}[seed%2])
		table := sample(t, rng, net, 1+rng.IntN(30), []float64{0, 0.3}[seed/2%2])
		plan, err := infer.NewPlan(net, table, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, wantLog := expected(net, table)
		got := make([]float64, net.Layout().Len())
		got[0] = 7 // counts are added
		loglik, err := plan.Expect(got, theta(net))
		if err != nil {
			t.Fatal(err)
		}
		got[0] -= 7
		ok := numtest.Close(t, loglik, wantLog, rounding, rounding)
		for cell := range want {
			ok = numtest.Close(t, got[cell], want[cell], rounding, 0) && ok
		}
		for v := range net.Len() {
			lo, hi := net.Layout().Family(v)
			sum := 0.0
			for _, x := range got[lo:hi] {
				sum += x
			}
			ok = numtest.Close(t, sum, table.TotalWeight(), 0, rounding) && ok
		}
		for _, f := range []func() (float64, error){
			func() (float64, error) { return plan.LogLikelihood(theta(net)) },
			func() (float64, error) { return logLikelihood(net, table) },
		} {
			x, err := f()
			if err != nil {
				t.Fatal(err)
			}
			ok = numtest.Close(t, x, wantLog, rounding, rounding) && ok
		}
		if !ok {
			t.Fatalf("network %d: %v\n%v", seed, net, table)
		}
	}
}
