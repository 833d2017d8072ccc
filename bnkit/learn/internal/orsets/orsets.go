// Package orsets is the noisy-OR over sets of parents as a function of its parameters, with its derivatives (Y13
// Eqs. 4, 8 and 10 to 13).
package orsets

import (
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// Sets is a noisy-OR over sets of parents at some parameters: with links q_i and the tables P_i
// of the causes,
//
//	P(child absent | x) = Π_i g_i(x_i),  g_i = 1 − q_i + q_i P_i(0 | x_i)      (Y13 Eq. 8)
//
// The configurations of all sets lie one after another, those of the first set first; a place
// is a position among them. Complements have slices of their own, so that nothing cancels.
type Sets struct {
	Present int       // state of the child
	Causes  []*bn.CPT // by set, a table of the child given its parents alone
	First   []int     // by set, its first place; and at the end the number of places
	At      []int     // by configuration of the child and set, the place
	Q, NoQ  []float64 // by set, q and 1 − q
	P, NoP  []float64 // by place, P_i(1) and P_i(0)
	g, s    []float64 // by place, g and 1 − g
	Slope   []float64 // by place, ∂/∂g
	before  []float64 // by set, scratch
}

// Bind resolves a statement.
func Bind(f constraint.NoisyOR, net *bn.Network) (*Sets, error) {
	if _, err := f.Bind(net); err != nil {
		return nil, err
	}
	t, err := net.Table(f.Child)
	if err != nil {
		return nil, err
	}
	b := &Sets{Present: 1, First: []int{0}}
	if f.Present != "" {
		if b.Present, err = t.Child.StateIndex(f.Present); err != nil {
			return nil, err
		}
	}
	of := make([][]int, len(f.Sets)) // by set, the places of its parents in the table
	for i, set := range f.Sets {
		var parents []bn.Variable
		for _, name := range set {
			p := slices.IndexFunc(t.Parents, func(v bn.Variable) bool { return v.Name == name })
			of[i], parents = append(of[i], p), append(parents, t.Parents[p])
		}
		cause, err := bn.NewCPT(t.Child, parents...)
		if err != nil {
			return nil, err
		}
		b.Causes = append(b.Causes, cause)
		b.First = append(b.First, b.First[i]+cause.Configs().Len())
	}
	for config := range t.Configs().Len() {
		states := t.Configs().States(nil, config)
		for i, places := range of {
			own := make([]int, len(places))
			for k, p := range places {
				own[k] = states[p]
			}
			b.At = append(b.At, b.First[i]+b.Causes[i].Configs().Index(own))
		}
	}
	b.makeValues()
	return b, nil
}

func (b *Sets) makeValues() {
	sets, places := b.Len(), b.Places()
	for _, list := range []*[]float64{&b.Q, &b.NoQ, &b.before} {
		*list = make([]float64, sets)
	}
	for _, list := range []*[]float64{&b.P, &b.NoP, &b.g, &b.s, &b.Slope} {
		*list = make([]float64, places)
	}
}

// Clone shares what does not change.
func (b *Sets) Clone() *Sets {
	c := *b
	c.makeValues()
	return &c
}

// Len is the number of sets.
func (b *Sets) Len() int { return len(b.First) - 1 }

// Places is the number of places.
func (b *Sets) Places() int { return b.First[b.Len()] }

// Link sets q from logits.
func (b *Sets) Link(logits []float64) {
	for i, x := range logits {
		b.Q[i], b.NoQ[i] = logistics2(x)
	}
}

// logistics2 is the logistic function of x and of −x: the smaller one keeps its digits.
func logistics2(x float64) (up, down float64) {
	e := math.Exp(-math.Abs(x))
	more := 1 / (1 + e)
	if x < 0 {
		return e * more, more
	}
	return more, e * more
}

// Mix makes g and 1 − g of q and P.
func (b *Sets) Mix() {
	for i, q := range b.Q {
		for place := b.First[i]; place < b.First[i+1]; place++ {
			b.g[place], b.s[place] = b.NoQ[i]+q*b.NoP[place], q*b.P[place]
		}
	}
}

// Entries are the probabilities of the child in one configuration. That of its presence is summed over the
// first set that does not fail, so that it has its digits where it is small. Rounding adds up to a few units in
// the last place, so what is certain is held at 1.
func (b *Sets) Entries(config int) (absent, present float64) {
	n := b.Len()
	absent = 1
	for _, place := range b.At[config*n : config*n+n] {
		present += absent * b.s[place]
		absent *= b.g[place]
	}
	return min(absent, 1), min(present, 1)
}

// EntriesOf writes what Entries has for some configurations to dst, by configuration.
func (b *Sets) EntriesOf(dst []float64, configs []int) {
	n, all, g, s := b.Len(), b.At, b.g, b.s
	for _, config := range configs {
		absent, present := 1.0, 0.0
		for _, place := range all[config*n : config*n+n] {
			present += absent * s[place]
			absent *= g[place]
		}
		dst[2*config], dst[2*config+1] = min(absent, 1), min(present, 1)
	}
}

// Pull adds to the slopes what a derivative by P(child absent | config) makes of them: the
// product of the other g, from both ends, without a division by one that may be 0.
func (b *Sets) Pull(config int, derivative float64) {
	n := b.Len()
	at := b.At[config*n : config*n+n]
	product := derivative
	for i, place := range at {
		b.before[i] = product
		product *= b.g[place]
	}
	product = 1
	for i := n - 1; i >= 0; i-- {
		b.Slope[at[i]] += b.before[i] * product
		product *= b.g[at[i]]
	}
}

// LinkSlopes writes the derivatives by the logits of the links: ∂g/∂q = −P_i(1) (Y13 Eqs. 12
// and 13), ∂q/∂logit = q(1 − q).
func (b *Sets) LinkSlopes(dst []float64) {
	for i, q := range b.Q {
		dst[i] = 0
		for place := b.First[i]; place < b.First[i+1]; place++ {
			dst[i] -= b.Slope[place] * b.P[place] * q * b.NoQ[i]
		}
	}
}

// CauseSlope is the derivative by P_i(1) at a place, −q ∂/∂g.
func (b *Sets) CauseSlope(set, place int) float64 { return -b.Q[set] * b.Slope[place] }
