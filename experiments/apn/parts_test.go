package apn

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/infer"
	"bnlab/experiments/runtest"
)

// TestMachine counts parameters by hand, and checks that the hidden Markov model contains the
// dynamic network.
func TestMachine(t *testing.T) {
	net, err := Machine()
	if err != nil {
		t.Fatal(err)
	}
	joint, err := net.Joint("State", machineHidden[:]...)
	if err != nil {
		t.Fatal(err)
	}
	// Action 1, first slice 3, Oil 4, Bearing 4, Tool 8, sensors 3·2, Reward 4·2; and Action
	// 1, first slice 7, transitions 16·7, sensors 3·8, Reward 8·2.
	if free(net) != 34 || free(joint) != 160 {
		t.Errorf("%d and %d parameters, want 34 and 160", free(net), free(joint))
	}
	s, err := machineSeries(net, 20, 5, rand.NewPCG(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	a, err := net.LogLikelihood(s)
	if err != nil {
		t.Fatal(err)
	}
	b, err := joint.LogLikelihood(s)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "log-likelihood of the joint model", b, a, 1e-9)
	if got := firstSeries(s, 7); got.Len() != 7 || got.Length(3) != 5 {
		t.Errorf("%d series of length %d", got.Len(), got.Length(3))
	}
	scene, err := machineScene(net, Time{Slices: 3, TestInputs: 20}, rand.NewPCG(2, 0))
	if err != nil {
		t.Fatal(err)
	}
	for _, candidate := range []*dbn.Network{net, joint} {
		got, err := machineError(scene, candidate, 3)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "error of the truth", got, 0, 1e-12)
	}
}

// TestSoftmax compares the gradient with finite differences of the log-likelihood.
func TestSoftmax(t *testing.T) {
	net, err := Machine()
	if err != nil {
		t.Fatal(err)
	}
	s, err := machineSeries(net, 10, 3, rand.NewPCG(3, 0))
	if err != nil {
		t.Fatal(err)
	}
	cases, err := net.Cases(s, &infer.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	template := net.Template()
	theta := entries(template)
	n := make([]float64, len(theta))
	if _, err := cases.Expect(n, theta); err != nil {
		t.Fatal(err)
	}
	got := softmax(n, theta, template)
	want := fd.Gradient(nil, func(beta []float64) float64 {
		p := slices.Clone(theta) // θ times exp(β), by rows
		layout := template.Layout()
		for v := range template.Len() {
			for config := range template.CPT(v).Configs().Len() {
				lo, hi := layout.Row(v, config)
				total := 0.0
				for cell := lo; cell < hi; cell++ {
					p[cell] *= 1 + beta[cell] + beta[cell]*beta[cell]/2
					total += p[cell]
				}
				for cell := lo; cell < hi; cell++ {
					p[cell] /= total
				}
			}
		}
		loglik, err := cases.LogLikelihood(p)
		if err != nil {
			t.Fatal(err)
		}
		return loglik
	}, make([]float64, len(theta)), &fd.Settings{Formula: fd.Central, Step: 1e-4})
	for cell := range got {
		near(t, "derivative", got[cell], want[cell], 1e-5)
	}
	near(t, "cosine with itself", cosine(got, got), 1, 1e-12)
	near(t, "cosine of perpendicular vectors", cosine([]float64{1, 2}, []float64{-2, 1}), 0, 1e-15)
	// Many samples come near.
	sampled, err := net.Sampled(s, 1, rand.NewPCG(4, 0))
	if err != nil {
		t.Fatal(err)
	}
	flat := make([]float64, len(theta))
	for cell := range flat {
		v, _, _ := template.Layout().Locate(cell)
		flat[cell] = 1 / float64(template.Variable(v).Cardinality())
	}
	c, err := agreement(cases, sampled, flat, template, 2000)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "cosine with 2,000 samples", c, 1, 0.02)
}

// TestNoisyOR has the four rows of a finding with two causes.
func TestNoisyOR(t *testing.T) {
	a, b, f := bn.Discrete("A", "absent", "present"), bn.Discrete("B", "absent", "present"),
		bn.Discrete("F", "absent", "present")
	table, err := bn.NewCPT(f, a, b)
	if err != nil {
		t.Fatal(err)
	}
	noisyOR(table, 0.9, []float64{0.5, 0.2})
	for config, want := range []float64{0.9, 0.9 * 0.2, 0.9 * 0.5, 0.9 * 0.5 * 0.2} {
		near(t, "P(absent)", table.Row(config)[0], want, 1e-15)
		near(t, "P(present)", table.Row(config)[1], 1-want, 1e-15)
	}
}

// TestClinic: the parameters of the families are as many as there are links, and make the
// tables.
func TestClinic(t *testing.T) {
	c, err := newClinic(Findings{Diseases: 5, Findings: 12, Fewest: 1, Most: 3}, rand.New(rand.NewPCG(5, 0)))
	if err != nil {
		t.Fatal(err)
	}
	links := 0
	for _, f := range c.families {
		p, err := f.Bind(c.net)
		if err != nil {
			t.Fatal(err)
		}
		links += len(p.Names)
	}
	if links != c.links || c.net.Len() != 17 || len(c.findings) != 12 {
		t.Errorf("%d parameters, want %d; %d variables, %d findings", links, c.links, c.net.Len(), len(c.findings))
	}
	if err := c.net.Validate(); err != nil {
		t.Error(err)
	}
}

// TestStudies: statements hold in the truths, and do not hold in other networks.
func TestStudies(t *testing.T) {
	runtest.Offline(t)
	cars, _, err := Insurance(t.Context())
	if err != nil {
		cars = nil
	}
	all, err := studies(cars)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		truth, err := s.truth(rand.New(rand.NewPCG(6, 0)))
		if err != nil {
			t.Fatal(err)
		}
		problem, err := constraint.Compile(s.structure, s.statements...)
		if err != nil {
			t.Fatal(err)
		}
		if v := problem.Violation(entries(truth)); !(v < 1e-9) {
			t.Errorf("%s: the truth violates the statements by %v", s, v)
		}
		other := s.structure.Clone()
		drawTables(other, rand.New(rand.NewPCG(7, 0)))
		if v := problem.Violation(entries(other)); !(v > 0.01) {
			t.Errorf("%s: random tables violate the statements by %v only", s, v)
		}
		if got := len(s.observed()) + len(s.hidden); got != s.structure.Len() {
			t.Errorf("%s: %d variables, want %d", s, got, s.structure.Len())
		}
	}
}

// TestRaised: zeros stay, and what is nearly zero is raised.
func TestRaised(t *testing.T) {
	theta := []float64{0, 1e-310, 1e-50, 0.3}
	if got := raised(theta); !slices.Equal(got, []float64{0, 1e-50, 1e-50, 0.3}) || theta[1] != 1e-310 {
		t.Errorf("raised to %v from %v", got, theta)
	}
}
