package constraint

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
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

// linksTol is by how much a table may differ from a noisy-OR to be read as one.
const linksTol = 1e-6

// String is as in "{age, menopause}: link 0.189, its cause present with 0.2, 0.5, 0.5, 1".
func (l SetLink) String() string {
	parts := make([]string, len(l.P))
	for x, p := range l.P {
		parts[x] = fmt.Sprintf("%.3g", math.Round(p*1e6)/1e6)
	}
	return fmt.Sprintf("{%s}: link %.3g, its cause present with %s", strings.Join(l.Parents, ", "), l.Link, strings.Join(parts, ", "))
}

// Links reads the table of the child in net as links and probabilities of hidden causes. Many are as good;
// these are the ones with
//
//	q_i = max_x s_i(x),   P_i(1 | x) = s_i(x)/q_i,   s_i = 1 − g_i,
//
// so that a cause is sure in some configuration of its set, and with max_x g_i(x) = 1 in each set but the
// first, which takes what is there whatever the parents. A set that does nothing has the link 0.
//
// It returns an error for a table that is further than 1e-6 from a noisy-OR of the sets, and those of Bind.
// (Y13 Eq. 8.)
func (s NoisyOR) Links(net *bn.Network) ([]SetLink, error) {
	c, err := s.causes(net)
	if err != nil {
		return nil, err
	}
	t := net.CPT(c.child)
	if err := t.Validate(); err != nil {
		return nil, wrong(s, err)
	}
	f := make([]float64, len(c.config))
	for x, config := range c.config {
		f[x] = t.Row(config)[c.absent]
	}
	top := reference(f)
	links := make([]SetLink, len(c.sizes))
	for i, size := range c.sizes {
		g := make([]float64, size)
		for by := range g {
			x := c.after(top, move{i, by})
			g[c.local(x, i)] = 1
			if f[top] > 0 {
				g[c.local(x, i)] = f[x] / f[top]
			}
			if i == 0 {
				g[c.local(x, i)] *= f[top]
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
		if off := math.Abs(f[x] - c.absence(links, x)); !(off <= linksTol) {
			return nil, wrong(s, fmt.Errorf("the table of %q is no noisy-OR of these sets: P(%s) is off by %.2g; learn it under the statement", s.Child, cellName(net, c, config), off))
		}
	}
	return links, nil
}

// Table returns the table of the child that links and probabilities of hidden causes make, one of each for
// each set in the order of Sets, with P(absent) = Π_i (1 − q_i P_i). It returns an error for another number of
// sets or of their configurations, and for what is no probability, and those of Bind. (Y13 Eq. 8.)
func (s NoisyOR) Table(net *bn.Network, links []SetLink) (*bn.CPT, error) {
	c, err := s.causes(net)
	if err != nil {
		return nil, err
	}
	if len(links) != len(c.sizes) {
		return nil, wrong(s, fmt.Errorf("%d links for %d sets; give one for each", len(links), len(c.sizes)))
	}
	for i, l := range links {
		if len(l.P) != c.sizes[i] {
			return nil, wrong(s, fmt.Errorf("%d probabilities of the cause of %s, which has %d configurations; give one for each", len(l.P), braces(s.Sets[i]), c.sizes[i]))
		}
		for _, p := range append([]float64{l.Link}, l.P...) {
			if !(p >= 0 && p <= 1) {
				return nil, wrong(s, fmt.Errorf("%v for %s; a link and a P are probabilities from 0 to 1", p, braces(s.Sets[i])))
			}
		}
	}
	t := net.CPT(c.child).Clone()
	for x, config := range c.config {
		f := c.absence(links, x)
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

// absence is Π_i (1 − q_i P_i).
func (c *causes) absence(links []SetLink, x int) float64 {
	f := 1.0
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
