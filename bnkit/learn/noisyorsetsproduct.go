package learn

import (
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// orSets is a noisy-OR over sets of parents at some parameters: with links q_i and the tables P_i
// of the causes,
//
//	P(child absent | x) = Π_i g_i(x_i),  g_i = 1 − q_i + q_i P_i(0 | x_i)      (Y13 Eq. 8)
//
// The configurations of all sets lie one after another, those of the first set first; a place
// is a position among them. Complements have slices of their own, so that nothing cancels.
type orSets struct {
	present int       // state of the child
	causes  []*bn.CPT // by set, a table of the child given its parents alone
	first   []int     // by set, its first place; and at the end the number of places
	at      []int     // by configuration of the child and set, the place
	q, noq  []float64 // by set, q and 1 − q
	p, nop  []float64 // by place, P_i(1) and P_i(0)
	g, s    []float64 // by place, g and 1 − g
	slope   []float64 // by place, ∂/∂g
	before  []float64 // by set, scratch
}

// bindSets resolves a statement.
func bindSets(f constraint.NoisyOR, net *bn.Network) (*orSets, error) {
	if _, err := f.Bind(net); err != nil {
		return nil, err
	}
	t, err := net.Table(f.Child)
	if err != nil {
		return nil, err
	}
	b := &orSets{present: 1, first: []int{0}}
	if f.Present != "" {
		if b.present, err = t.Child.StateIndex(f.Present); err != nil {
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
		b.causes = append(b.causes, cause)
		b.first = append(b.first, b.first[i]+cause.Configs().Len())
	}
	for config := range t.Configs().Len() {
		states := t.Configs().States(nil, config)
		for i, places := range of {
			own := make([]int, len(places))
			for k, p := range places {
				own[k] = states[p]
			}
			b.at = append(b.at, b.first[i]+b.causes[i].Configs().Index(own))
		}
	}
	b.makeValues()
	return b, nil
}

func (b *orSets) makeValues() {
	sets, places := b.sets(), b.places()
	for _, list := range []*[]float64{&b.q, &b.noq, &b.before} {
		*list = make([]float64, sets)
	}
	for _, list := range []*[]float64{&b.p, &b.nop, &b.g, &b.s, &b.slope} {
		*list = make([]float64, places)
	}
}

// clone shares what does not change.
func (b *orSets) clone() *orSets {
	c := *b
	c.makeValues()
	return &c
}

func (b *orSets) sets() int { return len(b.first) - 1 }

func (b *orSets) places() int { return b.first[b.sets()] }

// link sets q from logits.
func (b *orSets) link(logits []float64) {
	for i, x := range logits {
		b.q[i], b.noq[i] = logistics2(x)
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

// mix makes g and 1 − g of q and P.
func (b *orSets) mix() {
	for i, q := range b.q {
		for place := b.first[i]; place < b.first[i+1]; place++ {
			b.g[place], b.s[place] = b.noq[i]+q*b.nop[place], q*b.p[place]
		}
	}
}

// entries are the probabilities of the child in one configuration. That of its presence is summed over the
// first set that does not fail, so that it has its digits where it is small.
func (b *orSets) entries(config int) (absent, present float64) {
	n := b.sets()
	absent = 1
	for _, place := range b.at[config*n : config*n+n] {
		present += absent * b.s[place]
		absent *= b.g[place]
	}
	return absent, present
}

// pull adds to the slopes what a derivative by P(child absent | config) makes of them: the
// product of the other g, from both ends, without a division by one that may be 0.
func (b *orSets) pull(config int, derivative float64) {
	n := b.sets()
	at := b.at[config*n : config*n+n]
	product := derivative
	for i, place := range at {
		b.before[i] = product
		product *= b.g[place]
	}
	product = 1
	for i := n - 1; i >= 0; i-- {
		b.slope[at[i]] += b.before[i] * product
		product *= b.g[at[i]]
	}
}

// linkSlopes writes the derivatives by the logits of the links: ∂g/∂q = −P_i(1) (Y13 Eqs. 12
// and 13), ∂q/∂logit = q(1 − q).
func (b *orSets) linkSlopes(dst []float64) {
	for i, q := range b.q {
		dst[i] = 0
		for place := b.first[i]; place < b.first[i+1]; place++ {
			dst[i] -= b.slope[place] * b.p[place] * q * b.noq[i]
		}
	}
}

// causeSlope is the derivative by P_i(1) at a place, −q ∂/∂g.
func (b *orSets) causeSlope(set, place int) float64 { return -b.q[set] * b.slope[place] }
