package constraint

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// A SetLink says what one set of a [NoisyOR] does. With x a configuration of its parents it leaves the
// child absent with the probability g(x) = 1 − Link·P(x).
type SetLink struct {
	Parents []string
	// Link is the probability q with which the hidden cause, when it is present, brings about the child.
	Link float64
	// P is the probability that the hidden cause is present, by configuration of the parents, of which
	// the first varies slowest.
	P []float64
}

// linksTol is by how much a table may differ from a noisy-OR to be read as one, and so what a link may be off by.
const linksTol = 1e-6

// String describes the link, as in "{age, menopause}: link 0.189, its cause present with 0, 0.5, 0.5, 1", or
// "{age, menopause}: no effect" for a link below 1e-6, whose P is rounding.
func (l SetLink) String() string {
	set := braces(l.Parents)
	if l.Link < linksTol {
		return set + ": no effect"
	}
	parts := make([]string, len(l.P))
	for x, p := range l.P {
		parts[x] = fmt.Sprintf("%.3g", math.Round(p*1e6)/1e6)
	}
	return fmt.Sprintf("%s: link %.3g, its cause present with %s", set, l.Link, strings.Join(parts, ", "))
}

// Links reads the table of the child in net as links, one for each set, and a leak: the probability of the
// child where no set does anything. Many are as good; these are the ones with
//
//	P(Child absent | x) = (1 − leak)·Π_i (1 − q_i P_i(1 | x_i)),
//	q_i = max_x s_i(x),   P_i(1 | x) = s_i(x)/q_i,   s_i = 1 − g_i,   max_x g_i(x) = 1,
//
// so that a cause is sure in some configuration of its set and impossible in another, and the leak is the
// least probability of the child in the table. A set that does nothing has the link 0. [NoisyOR.Table]
// makes the table again.
//
// Deviation: Y13 has no leak; it is one with a further set whose cause is always present.
//
// It returns an error for a table that is further than 1e-6 from a noisy-OR of the sets, and those of Bind.
// (Y13 Eq. 8.)
func (s NoisyOR) Links(net *bn.Network) (links []SetLink, leak float64, err error) {
	c, err := s.causes(net)
	if err != nil {
		return nil, 0, err
	}
	t := net.CPT(c.child)
	if err := t.Validate(); err != nil {
		return nil, 0, wrong(s, err)
	}
	f := make([]float64, len(c.config))
	for x, config := range c.config {
		f[x] = t.Row(config)[c.absent]
	}
	top := reference(f)
	leak = 1 - f[top]
	links = make([]SetLink, len(c.sizes))
	for i, size := range c.sizes {
		g := make([]float64, size)
		for by := range g {
			x := c.after(top, move{i, by})
			g[c.local(x, i)] = 1
			if f[top] > 0 {
				g[c.local(x, i)] = f[x] / f[top]
			}
		}
		links[i] = SetLink{Parents: slices.Clone(s.Sets[i]), Link: 1 - slices.Min(g), P: make([]float64, size)}
		for x := range g {
			if links[i].Link > 0 {
				links[i].P[x] = (1 - g[x]) / links[i].Link
			}
		}
	}
	for x, config := range c.config {
		if off := math.Abs(f[x] - c.absence(links, leak, x)); !(off <= linksTol) {
			return nil, 0, wrong(s, say.Errorf("the table of %q is no noisy-OR of these sets: P(%s) is off by %.2g; "+
				"learn it under the statement", s.Child, cellName(net, c, config), off))
		}
	}
	return links, leak, nil
}

// Table returns the table of the child that links and a leak make, one link for each set in the order of Sets,
// with P(absent) = (1 − leak)·Π_i (1 − q_i P_i); a leak of 0 means no leak. It returns an error for another number of
// sets or of their configurations, and for what is no probability, and those of Bind. (Y13 Eq. 8.)
func (s NoisyOR) Table(net *bn.Network, links []SetLink, leak float64) (*bn.CPT, error) {
	c, err := s.causes(net)
	if err != nil {
		return nil, err
	}
	if len(links) != len(c.sizes) {
		return nil, wrong(s, fmt.Errorf("%d links for %d sets; give one for each", len(links), len(c.sizes)))
	}
	if !(leak >= 0 && leak <= 1) {
		return nil, wrong(s, say.Errorf("the leak is %v; it is a probability from 0 to 1", leak))
	}
	for i, l := range links {
		if len(l.P) != c.sizes[i] {
			return nil, wrong(s, say.Errorf("%d probabilities of the cause of %s, which has %d configurations; give "+
				"one for each", len(l.P), braces(s.Sets[i]), c.sizes[i]))
		}
		for _, p := range append([]float64{l.Link}, l.P...) {
			if !(p >= 0 && p <= 1) {
				return nil, wrong(s, say.Errorf("%v for %s; a link and a P are probabilities from 0 to 1", p,
					braces(s.Sets[i])))
			}
		}
	}
	t := net.CPT(c.child).Clone()
	for x, config := range c.config {
		f := c.absence(links, leak, x)
		t.Row(config)[c.absent], t.Row(config)[c.present] = f, 1-f
	}
	return t, nil
}

// local is the configuration of one set in x.
func (c *causes) local(x, set int) int {
	for _, size := range c.sizes[set+1:] {
		x /= size
	}
	return x % c.sizes[set]
}

// absence is (1 − leak)·Π_i (1 − q_i P_i).
func (c *causes) absence(links []SetLink, leak float64, x int) float64 {
	f := 1 - leak
	for i, l := range links {
		f *= 1 - l.Link*l.P[c.local(x, i)]
	}
	return f
}

// cellName spells the probability of absence in a configuration.
func cellName(net *bn.Network, c *causes, config int) string {
	p := Problem{net: net, layout: net.Layout()}
	return p.Name(p.layout.Cell(c.child, config, c.absent))
}
