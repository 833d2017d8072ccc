package apn

import (
	"context"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/learn"
	"bnlab/experiments/run"
)

// Machine returns a dynamic network in the manner of R95 Figure 7, "a simple dynamic
// probabilistic network modelling a partially observable Markov process with reinforcement".
//
// Deviation: the figure is lost, so this one is ours. A machine runs or is serviced; its oil,
// bearing and tool are never seen, wear each other out and are restored by service; heat,
// vibration and finish are sensors of them, and the reward, the output, depends on bearing and tool.
func Machine() (*dbn.Network, error) {
	net, err := dbn.New(
		"[Action][Oil|Oil[t-1]:Action[t-1]][Bearing|Bearing[t-1]:Oil[t-1]][Tool|Tool[t-1]:Bearing[t-1]:Action[t-1]]"+
			"[Heat|Oil][Vibration|Bearing][Finish|Tool][Reward|Bearing:Tool]",
		bn.Discrete("Action", "run", "service"),
		bn.Discrete("Oil", "clean", "dirty"), bn.Discrete("Bearing", "sound", "worn"),
		bn.Discrete("Tool", "sharp", "blunt"),
		bn.Discrete("Heat", "low", "high"), bn.Discrete("Vibration", "low", "high"),
		bn.Discrete("Finish", "smooth", "rough"),
		bn.Discrete("Reward", "loss", "even", "profit"))
	if err != nil {
		return nil, err
	}
	for _, t := range []struct{ name, text string }{
		{"Action[1]", "run service\n0.7 0.3"},
		{"Oil[0]", "clean dirty\n0.6 0.4"},
		{"Bearing[0]", "sound worn\n0.7 0.3"},
		{"Tool[0]", "sharp blunt\n0.5 0.5"},
		{"Oil[1]", `Oil[0] Action[0] | clean dirty
			clean run     | 0.75 0.25
			clean service | 0.98 0.02
			dirty run     | 0.03 0.97
			dirty service | 0.85 0.15`},
		{"Bearing[1]", `Bearing[0] Oil[0] | sound worn
			sound clean | 0.95 0.05
			sound dirty | 0.60 0.40
			worn  clean | 0.15 0.85
			worn  dirty | 0.02 0.98`},
		{"Tool[1]", `Tool[0] Bearing[0] Action[0] | sharp blunt
			sharp sound run     | 0.85 0.15
			sharp sound service | 0.97 0.03
			sharp worn  run     | 0.45 0.55
			sharp worn  service | 0.90 0.10
			blunt sound run     | 0.05 0.95
			blunt sound service | 0.80 0.20
			blunt worn  run     | 0.02 0.98
			blunt worn  service | 0.70 0.30`},
		{"Heat[1]", "Oil[1] | low high\nclean | 0.85 0.15\ndirty | 0.25 0.75"},
		{"Vibration[1]", "Bearing[1] | low high\nsound | 0.9 0.1\nworn | 0.2 0.8"},
		{"Finish[1]", "Tool[1] | smooth rough\nsharp | 0.8 0.2\nblunt | 0.3 0.7"},
		{"Reward[1]", `Bearing[1] Tool[1] | loss even profit
			sound sharp | 0.05 0.15 0.80
			sound blunt | 0.20 0.60 0.20
			worn  sharp | 0.30 0.50 0.20
			worn  blunt | 0.85 0.10 0.05`},
	} {
		if err := net.SetTable(t.name, t.text); err != nil {
			return nil, err
		}
	}
	return net, nil
}

var (
	machineHidden = [...]string{"Oil", "Bearing", "Tool"}
	machineInputs = [...]string{"Action", "Heat", "Vibration", "Finish"}
)

const machineOutput = "Reward"

// Names of the curves of Figure 8 and of the comparison of §6.
const (
	exactName   = "DPN, exact gradients"
	sampledName = "DPN, likelihood weighting"
	jointName   = "HMM over the joint state"
)

// A Third is the experiment of Figure 8.
type Third struct {
	Curves     Curves // of DPN and HMM; sizes are series
	Spread     float64
	Parameters [2]int // free ones of DPN and HMM
	States     int    // of the HMM
	Gradients  []Gradient
	Effort     []Effort
}

// hmmStates is the number of states of the hidden variable of the hidden Markov model.
func hmmStates(joint *dbn.Network) int {
	for _, v := range joint.Template().Variables() {
		if v.Name == "State[1]" {
			return len(v.States)
		}
	}
	return 0
}

// third draws series and learns from them.
func third(ctx context.Context, job *run.Job, c Time) (*Third, error) {
	truth, err := Machine()
	if err != nil {
		return nil, err
	}
	joint, err := truth.Joint("State", machineHidden[:]...)
	if err != nil {
		return nil, err
	}
	s, err := machineScene(truth, c, job.Source(timeStream, 0))
	if err != nil {
		return nil, err
	}
	ways := []struct {
		name  string
		sizes []int
		draws int
		fit   func(series *dbn.Series, src *rand.PCG) (*dbn.Network, error)
	}{
		{exactName, c.Sizes, c.Draws, func(series *dbn.Series, src *rand.PCG) (*dbn.Network, error) {
			fit, err := dbn.Fit(ctx, truth, series, ascent, settings(src, truth.Template(), c.Starts))
			if err != nil {
				return nil, err
			}
			return fit.Net, nil
		}},
		{sampledName, c.SampledSizes, c.SampledDraws, func(series *dbn.Series, src *rand.PCG) (*dbn.Network, error) {
			net, _, err := ascendSampled(ctx, truth, series, c, c.Samples, nil, src)
			return net, err
		}},
		{jointName, c.Sizes, c.Draws, func(series *dbn.Series, src *rand.PCG) (*dbn.Network, error) {
			fit, err := dbn.Fit(ctx, joint, series, ascent, settings(src, joint.Template(), c.Starts))
			if err != nil {
				return nil, err
			}
			return fit.Net, nil
		}},
	}
	r := &Third{Spread: s.spread(), Parameters: [2]int{free(truth), free(joint)}, States: hmmStates(joint)}
	for _, w := range ways {
		r.Curves = append(r.Curves, newCurve(w.name, w.sizes, w.draws))
	}
	r.Gradients, r.Effort = newGradients(c), newEffort(c)
	err = job.Replicates(ctx, "dynamic network", c.Draws, func(replicate int, _ *rand.PCG) error {
		series, err := machineSeries(truth, c.Sizes[len(c.Sizes)-1], c.Slices, job.Source(timeStream, replicate+1))
		if err != nil {
			return err
		}
		for k, w := range ways {
			if replicate >= w.draws {
				continue
			}
			src := job.Source(timeStream+1+uint32(k), replicate)
			for i, size := range w.sizes {
				net, err := w.fit(firstSeries(series, size), src)
				if err != nil {
					return err
				}
				if r.Curves[k].Errors[i][replicate], err = machineError(s, net, c.Slices); err != nil {
					return err
				}
			}
		}
		if replicate >= c.SampledDraws {
			return nil
		}
		return r.weigh(ctx, truth, firstSeries(series, c.GradientSeries), c, replicate, job.Source(timeStream+10,
			replicate))
	})
	return r, err
}

// machineScene has as inputs the actions and sensors of a whole series, and as outputs its
// rewards.
func machineScene(truth *dbn.Network, c Time, src rand.Source) (*scene, error) {
	net, err := truth.Unroll(c.Slices)
	if err != nil {
		return nil, err
	}
	var inputs, outputs []string
	for slice := range c.Slices {
		for _, name := range machineInputs {
			inputs = append(inputs, dbn.At(name, slice))
		}
		outputs = append(outputs, dbn.At(machineOutput, slice))
	}
	complete, err := data.Sample(net, c.TestInputs, src)
	if err != nil {
		return nil, err
	}
	test, err := complete.Keep(inputs...)
	if err != nil {
		return nil, err
	}
	return newScene(net, inputs, outputs, test, equal(c.TestInputs))
}

// machineSeries draws series with the hidden variables left out.
func machineSeries(net *dbn.Network, n, slices int, src rand.Source) (*dbn.Series, error) {
	lengths := make([]int, n)
	for i := range lengths {
		lengths[i] = slices
	}
	s, err := net.Sample(lengths, src)
	if err != nil {
		return nil, err
	}
	return s.Keep(append(machineInputs[:], machineOutput)...)
}

// firstSeries are the first n series.
func firstSeries(s *dbn.Series, n int) *dbn.Series {
	which := make([]int, n)
	for i := range which {
		which[i] = i
	}
	return s.Select(which...)
}

// machineError is the error of a dynamic network.
func machineError(s *scene, net *dbn.Network, slices int) (float64, error) {
	unrolled, err := net.Unroll(slices)
	if err != nil {
		return 0, err
	}
	return s.networkError(unrolled)
}

// free is the number of free parameters of the tables that a dynamic network learns. A
// variable that is the same in all slices has one table, that of later ones, although the
// template may show it twice.
func free(net *dbn.Network) int {
	t := net.Template()
	parameters := t.FreeParameters()
	for _, v := range net.Variables() {
		at, err := t.Index(dbn.At(v.Name, 0))
		if err != nil {
			continue // not in the first slice of the template
		}
		later, err := t.Index(dbn.At(v.Name, 1))
		if err == nil && len(t.DAG().Parents(at)) == 0 && len(t.DAG().Parents(later)) == 0 {
			parameters -= t.Variable(at).Cardinality() - 1
		}
	}
	return parameters
}

// ascendSampled is gradient ascent with gradients estimated by likelihood weighting, "anytime"
// as R95 §7 has it: it climbs with few samples for each series until the estimated
// log-likelihood hardly rises, which is when the gradient has become small beside its error, then
// with more. It returns also the slices that it drew, in millions.
func ascendSampled(ctx context.Context, net *dbn.Network, s *dbn.Series, c Time, samples []int, from *bn.Network,
	src *rand.PCG) (*dbn.Network, float64, error) {
	cases, err := net.Sampled(s, samples[0], src)
	if err != nil {
		return nil, 0, err
	}
	counted := &counter{Cases: cases}
	drawn := 0.0
	for _, n := range samples {
		if err := cases.SetSamples(n); err != nil {
			return nil, 0, err
		}
		set := &learn.Settings{Workers: 1, Starts: 1, From: from}
		if from == nil {
			set = settings(src, net.Template(), c.Starts)
		}
		set.MaxIterations, set.Tolerance = c.RoundIterations, c.RoundTolerance
		counted.calls = 0
		fit, err := learn.FitCases(ctx, net.Template(), counted, ascent, set)
		if err != nil {
			return nil, 0, err
		}
		drawn += float64(counted.calls) * float64(n) * cases.Weight() / 1e6
		from = fit.Net
	}
	fitted, err := net.With(from)
	return fitted, drawn, err
}

// A counter counts the gradients and likelihoods that a climb asks for.
type counter struct {
	learn.Cases
	calls int
}

func (c *counter) Expect(n, theta []float64) (float64, error) {
	c.calls++
	return c.Cases.Expect(n, theta)
}

func (c *counter) LogLikelihood(theta []float64) (float64, error) {
	c.calls++
	return c.Cases.LogLikelihood(theta)
}

// equal are n weights of 1.
func equal(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 1
	}
	return w
}
