package constraint

import (
	"fmt"
	"math"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// Weights says that coefficients of one linear-Gaussian node are known multiples of one
// free parameter β: w = Scale·β for each term (N06 types 12 and 13), and within which limits β lies.
type Weights struct {
	Var             int
	Terms           []WeightTerm
	AtLeast, AtMost *float64 // of β; nil is no limit
}

// A WeightTerm is one coefficient of a linear-Gaussian node.
type WeightTerm struct {
	Config int     // of the discrete parents
	Parent int     // place among the continuous parents; −1 is the intercept
	Scale  float64 // not zero
}

// coefficient is a term by its place.
type coefficient struct{ v, config, parent int }

// ratioTolerance is the relative difference of two ratios that count as one, since ratios
// that pass through several statements are rounded.
const ratioTolerance = 1e-10

// joinWeights makes one of shares that meet in a coefficient, so that no coefficient
// appears twice: a union-find that carries ratios. of are the statements behind the shares.
// It returns an error that wraps [ErrOverlap] and names two statements by which two
// coefficients would have different ratios, and one that wraps [ErrInfeasible] for limits that exclude each other.
func joinWeights(net *bn.Network, shares []Weights, of []Constraint) ([]Weights, error) {
	f := weightForest{up: make(map[coefficient]weightLink)}
	var order []coefficient
	for i, s := range shares {
		first := s.Terms[0]
		a := coefficient{s.Var, first.Config, first.Parent}
		for _, term := range s.Terms {
			b := coefficient{s.Var, term.Config, term.Parent}
			if _, ok := f.up[b]; !ok {
				f.up[b] = weightLink{to: b, ratio: 1, by: i}
				order = append(order, b)
			}
			if other, ok := f.join(a, b, term.Scale/first.Scale, i); !ok {
				return nil, say.Errorf("constraint: %w: %q and %q give the weights of %s and %s different ratios; "+
					"correct or drop one",
					ErrOverlap, of[other], of[i], coefficientName(net, a), coefficientName(net, b))
			}
		}
	}
	var joined []Weights
	place := make(map[coefficient]int)
	for _, c := range order {
		root, ratio := f.find(c)
		at, ok := place[root]
		if !ok {
			at = len(joined)
			place[root] = at
			joined = append(joined, Weights{Var: c.v})
		}
		joined[at].Terms = append(joined[at].Terms, WeightTerm{Config: c.config, Parent: c.parent, Scale: ratio})
	}
	return joined, f.limit(net, joined, place, shares, of)
}

// weightForest links coefficients: each is ratio times the one it is linked to.
type weightForest struct{ up map[coefficient]weightLink }

type weightLink struct {
	to    coefficient // itself at a root
	ratio float64
	by    int // the share that made the link
}

// find returns the root of c and the ratio of c to it.
func (f weightForest) find(c coefficient) (root coefficient, ratio float64) {
	ratio = 1
	for f.up[c].to != c {
		ratio *= f.up[c].ratio
		c = f.up[c].to
	}
	return c, ratio
}

// join states b = ratio·a. When the two are in another ratio already, ok is false and
// other is a share that says so.
func (f weightForest) join(a, b coefficient, ratio float64, by int) (other int, ok bool) {
	ra, xa := f.find(a)
	rb, xb := f.find(b)
	if ra == rb {
		if math.Abs(xb-ratio*xa) <= ratioTolerance*math.Abs(xb) {
			return 0, true
		}
		for _, c := range []coefficient{a, b} {
			for ; f.up[c].to != c; c = f.up[c].to {
				if f.up[c].by != by {
					return f.up[c].by, false
				}
			}
		}
		return by, false
	}
	f.up[rb] = weightLink{to: ra, ratio: ratio * xa / xb, by: by}
	return 0, true
}

// coefficientName spells a coefficient, as in "MSFT for DELL given market=up".
func coefficientName(net *bn.Network, c coefficient) string {
	g := net.Gaussian(c.v)
	name := Intercept
	if c.parent >= 0 {
		name = g.Continuous[c.parent].Name
	}
	name += " for " + g.Child.Name
	if given := discreteGiven(g, c.config); given != "" {
		name += " given " + given
	}
	return name
}

// discreteGiven spells a configuration of the discrete parents, as in "market=up".
func discreteGiven(g *bn.LinearGaussian, config int) string {
	text := ""
	for i, s := range g.Configs().States(nil, config) {
		if i > 0 {
			text += ", "
		}
		text += g.Discrete[i].Name + "=" + g.Discrete[i].States[s]
	}
	return text
}

// BindWeights binds the statements about weights and makes one of those that meet: no
// coefficient appears twice in the result. The other statements are returned as rest.
// Errors are those of Bind, and one that wraps [ErrOverlap] when statements contradict
// each other.
func BindWeights(net *bn.Network, statements ...Constraint) (joined []Weights, rest []Constraint, err error) {
	if net == nil {
		return nil, nil, errNoNetwork
	}
	var shares []Weights
	var of []Constraint
	for i, s := range statements {
		if isNil(s) {
			return nil, nil, fmt.Errorf("constraint: statement %d is nil", i+1)
		}
		bounds, err := s.Bind(net)
		if err != nil {
			return nil, nil, err
		}
		about := false
		for _, b := range bounds {
			for _, w := range b.Shares {
				shares, of = append(shares, w), append(of, s)
				about = true
			}
		}
		if !about {
			rest = append(rest, s)
		}
	}
	joined, err = joinWeights(net, shares, of)
	return joined, rest, err
}
