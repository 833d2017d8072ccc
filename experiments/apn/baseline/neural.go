package baseline

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/optimize"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// Neural is a network of one hidden layer with local coding, the design of R95 §7: an input
// node for each state of each input, of which one is on, hidden nodes with tanh, and for each
// output a group of nodes with softmax,
//
//	t_h = tanh(a_h + Σ_inputs A_{state,h}),   p_o = exp(b_o + Σ_h B_ho t_h) / Σ_{o' in the group} exp(…).
//
// Without hidden nodes it predicts the proportions.
type Neural struct {
	in, out []int
	hidden  int
	// W are the weights: for a and then each input node a row of the hidden nodes, for b
	// and then each hidden node a row of the output nodes.
	w       []float64
	offsets []int // of the inputs' first nodes, from 1
	t       []float64
}

var _ Predictor = (*Neural)(nil)

// Training of a [Neural] network ends after so many iterations, or when the mean
// log-likelihood rises by less than the tolerance in ten.
const (
	neuralIterations = 200
	neuralTolerance  = 1e-6
	neuralSpread     = 0.5 // first weights are uniform within ± this
)

func newNeural(in, out []int, hidden int) *Neural {
	n := &Neural{in: in, out: out, hidden: hidden, t: make([]float64, hidden)}
	at := 1
	for _, card := range in {
		n.offsets = append(n.offsets, at)
		at += card
	}
	n.w = make([]float64, n.cut()+(1+hidden)*sum(out))
	return n
}

// cut is where the weights of the second layer begin.
func (n *Neural) cut() int { return (1 + sum(n.in)) * n.hidden }

// TrainNeural fits the network by maximum likelihood, with back-propagated gradients and
// L-BFGS, from random weights. Weight decay adds decay/2 times the squares of all weights but the biases b to
// the mean negative log-likelihood of a case, so that much of it leaves the proportions; 0 is none. It returns an
// error for a negative number of hidden nodes or decay.
func TrainNeural(c *Cases, hidden int, decay float64, src rand.Source) (Predictor, error) {
	if hidden < 0 || !(decay >= 0) {
		return nil, say.Errorf("baseline: %d hidden nodes with weight decay %v", hidden, decay)
	}
	if hidden == 0 {
		return TrainProportions(c), nil
	}
	n, rng := newNeural(c.In, c.Out, hidden), rand.New(src)
	for i := range n.w {
		n.w[i] = neuralSpread * (2*rng.Float64() - 1)
	}
	gradient, at := make([]float64, len(n.w)), []float64(nil)
	evaluate := func(w []float64) float64 {
		n.w, at = w, append(at[:0], w...)
		return n.loss(gradient, c) + n.decay(gradient, decay)
	}
	result, err := optimize.Minimize(optimize.Problem{
		Func: evaluate,
		Grad: func(dst, w []float64) {
			if !slices.Equal(at, w) {
				evaluate(w)
			}
			copy(dst, gradient)
		},
	}, slices.Clone(n.w), &optimize.Settings{
		MajorIterations: neuralIterations,
		Converger:       &optimize.FunctionConverge{Absolute: neuralTolerance, Iterations: 10},
	}, &optimize.LBFGS{})
	if result == nil {
		return nil, say.Errorf("baseline: neural network: %w", err)
	}
	n.w = result.X // a failed line search is the end too
	return n, nil
}

// loss is the mean negative log-likelihood of the cases; its gradient is written to dst.
func (n *Neural) loss(dst []float64, c *Cases) float64 {
	clear(dst)
	outputs, cut := sum(n.out), n.cut()
	p, back := make([]float64, outputs), make([]float64, n.hidden)
	loss, total := 0.0, 0.0
	for i, x := range c.X {
		n.Predict(p, x)
		clear(back)
		lo := 0
		for o, card := range n.out {
			cases := 0.0
			for _, k := range c.N[i][lo : lo+card] {
				cases += k
			}
			if o == 0 {
				total += cases
			}
			for j := lo; j < lo+card; j++ {
				if k := c.N[i][j]; k > 0 {
					loss -= k * math.Log(max(p[j], math.SmallestNonzeroFloat64))
				}
				delta := cases*p[j] - c.N[i][j]
				dst[cut+j] += delta
				for h, t := range n.t {
					at := cut + (1+h)*outputs + j
					dst[at] += delta * t
					back[h] += delta * n.w[at]
				}
			}
			lo += card
		}
		for h, t := range n.t {
			back[h] *= 1 - t*t
			dst[h] += back[h]
		}
		for input, state := range x {
			at := (n.offsets[input] + int(state)) * n.hidden
			for h, b := range back {
				dst[at+h] += b
			}
		}
	}
	for i := range dst {
		dst[i] /= total
	}
	return loss / total
}

// decay is rate/2 times the squares of the weights but b; it adds its gradient to dst.
func (n *Neural) decay(dst []float64, rate float64) float64 {
	squares, biases := 0.0, n.cut()+sum(n.out)
	for i, w := range n.w {
		if i < n.cut() || i >= biases {
			squares += w * w
			dst[i] += rate * w
		}
	}
	return rate / 2 * squares
}

// Predict implements [Predictor]. It is for one goroutine.
func (n *Neural) Predict(dst []float64, x []bn.State) {
	copy(n.t, n.w[:n.hidden])
	for input, state := range x {
		at := (n.offsets[input] + int(state)) * n.hidden
		for h := range n.t {
			n.t[h] += n.w[at+h]
		}
	}
	second, outputs := n.w[n.cut():], sum(n.out)
	copy(dst, second[:outputs])
	for h := range n.t {
		n.t[h] = math.Tanh(n.t[h])
		for o, w := range second[(1+h)*outputs : (2+h)*outputs] {
			dst[o] += w * n.t[h]
		}
	}
	lo := 0
	for _, card := range n.out {
		group := dst[lo : lo+card]
		top, total := slices.Max(group), 0.0
		for i, z := range group {
			group[i] = math.Exp(z - top)
			total += group[i]
		}
		for i := range group {
			group[i] /= total
		}
		lo += card
	}
}
