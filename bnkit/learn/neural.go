package learn

import (
	"fmt"
	"math"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/learn/internal/softmax"
	"bnlab/internal/say"
)

// NeuralNet makes the table of a variable by a network with one hidden layer (R95 §6): with a
// 1 for the state of each parent and 0 for its others as inputs x,
//
//	h = tanh(A x + a),    P(child | parents) = softmax(B h + b).
//
// Each configuration of the parents has hidden values of its own, and far fewer weights than
// rows are needed for many parents. Weights have no prior of their own; pseudocounts keep them
// finite. The layer starts at random.
type NeuralNet struct {
	Child  string
	Hidden int // units; up to a million weights in all
}

var _ ParametricCPD = NeuralNet{}

// String names the family, as in "neural net of risk with 3 hidden units".
func (f NeuralNet) String() string {
	return fmt.Sprintf("neural net of %s with %d hidden units", f.Child, f.Hidden)
}

// neural is bound. The weights lie in λ as A by unit and input, a, B by state and unit, b.
type neural struct {
	inputs                 [][]int // by configuration: the places of the ones
	in, hidden, out        int
	h, slope, score, probs []float64
}

// mostWeights is how many of a network can be searched.
const mostWeights = 1_000_000

// Bind implements [ParametricCPD]. It returns an error for no hidden units or too many, and for a child
// without parents.
func (f NeuralNet) Bind(net *bn.Network) (*Parametric, error) {
	t, err := net.Table(f.Child)
	if err != nil {
		return nil, say.Errorf("%s: %w", f, err)
	}
	if f.Hidden < 1 {
		return nil, say.Errorf("%s: Hidden must be at least 1", f)
	}
	if len(t.Parents) == 0 {
		return nil, say.Errorf("%s: the child has no parents; leave it out", f)
	}
	b := &neural{hidden: f.Hidden, out: t.Child.Cardinality()}
	var labels []string
	first := make([]int, len(t.Parents))
	for p, parent := range t.Parents {
		first[p] = b.in
		b.in += parent.Cardinality()
		for _, state := range parent.States {
			labels = append(labels, parent.Name+"="+state)
		}
	}
	if most := (mostWeights - b.out) / (b.in + 1 + b.out); f.Hidden > most {
		return nil, say.Errorf("%s: more than %d weights; give at most %d units", f, mostWeights, most)
	}
	b.inputs = make([][]int, t.Configs().Len())
	for config := range b.inputs {
		for p, state := range t.Configs().States(nil, config) {
			b.inputs[config] = append(b.inputs[config], first[p]+state)
		}
	}
	b.h, b.slope = make([]float64, b.hidden), make([]float64, b.hidden)
	b.score, b.probs = make([]float64, b.out), make([]float64, b.out)
	out := &Parametric{Children: []string{f.Child}, Start: b.start, Table: b.table, Pullback: b.pullback}
	for unit := range f.Hidden {
		for _, label := range labels {
			out.Names = append(out.Names, fmt.Sprintf("%s to unit %d", label, unit+1))
		}
	}
	for unit := range f.Hidden {
		out.Names = append(out.Names, fmt.Sprintf("bias of unit %d", unit+1))
	}
	for _, state := range t.Child.States {
		for unit := range f.Hidden {
			out.Names = append(out.Names, fmt.Sprintf("unit %d to %s=%s", unit+1, f.Child, state))
		}
	}
	for _, state := range t.Child.States {
		out.Names = append(out.Names, fmt.Sprintf("bias of %s=%s", f.Child, state))
	}
	return out, nil
}

// start draws weights so that the sums into a unit have standard deviation 1.
func (b *neural) start(lambda []float64, rng *rand.Rand) error {
	first, second := b.split(lambda)
	sum := math.Sqrt(float64(len(b.inputs[0]) + 1))
	for i := range first {
		first[i] = rng.NormFloat64() / sum
	}
	sum = math.Sqrt(float64(b.hidden + 1))
	for i := range second {
		second[i] = rng.NormFloat64() / sum
	}
	return nil
}

// split cuts weights into those of the hidden layer and those of the output.
func (b *neural) split(lambda []float64) (first, second []float64) {
	at := (b.in + 1) * b.hidden
	return lambda[:at], lambda[at:]
}

// forward computes the hidden values and the distribution of a configuration.
func (b *neural) forward(lambda []float64, inputs []int) {
	first, second := b.split(lambda)
	for unit := range b.h {
		sum := first[b.in*b.hidden+unit]
		for _, i := range inputs {
			sum += first[unit*b.in+i]
		}
		b.h[unit] = math.Tanh(sum)
	}
	for s := range b.score {
		b.score[s] = second[b.out*b.hidden+s]
		for unit, h := range b.h {
			b.score[s] += second[s*b.hidden+unit] * h
		}
	}
	softmax.Rows(b.probs, b.score, b.out)
}

func (b *neural) table(dst, lambda []float64) {
	for config, inputs := range b.inputs {
		b.forward(lambda, inputs)
		copy(dst[config*b.out:], b.probs)
	}
}

// pullback is back-propagation.
func (b *neural) pullback(dst, lambda, g []float64) {
	clear(dst)
	_, second := b.split(lambda)
	dFirst, dSecond := b.split(dst)
	for config, inputs := range b.inputs {
		b.forward(lambda, inputs)
		for s, p := range b.probs {
			b.score[s] = g[config*b.out+s] * p
		}
		softmax.Pull(b.score, b.probs, b.score, b.out)
		clear(b.slope)
		for s, d := range b.score {
			dSecond[b.out*b.hidden+s] += d
			for unit, h := range b.h {
				dSecond[s*b.hidden+unit] += d * h
				b.slope[unit] += d * second[s*b.hidden+unit]
			}
		}
		for unit, h := range b.h {
			d := b.slope[unit] * (1 - h*h)
			dFirst[b.in*b.hidden+unit] += d
			for _, i := range inputs {
				dFirst[unit*b.in+i] += d
			}
		}
	}
}
