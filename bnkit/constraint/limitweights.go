package constraint

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// SignWeights states that a linear-Gaussian variable rises, or falls, with continuous parents, as in "the dearer the
// parts, the dearer the computer": their weights are 0 or more with a Positive sign, 0 or less with a Negative one.
// It is to a regression what an [Influence] is to a table.
type SignWeights struct {
	Var string
	// Given limits the statement to the configurations in which the named discrete parents have these states. Nil
	// makes it for every configuration.
	Given bn.Given `json:",omitempty"`
	// Parents, one at least, of which each has the sign; [Intercept] is one that may be named.
	Parents []string
	Sign    Sign
}

// BoundWeights states that weights of a linear-Gaussian variable are no less than AtLeast and no more than AtMost,
// in units of the variable for each unit of the parent. One of the two may be nil. As [SignWeights] it goes with
// statements of types 12 and 13 about the same weights.
type BoundWeights struct {
	Var     string
	Given   bn.Given `json:",omitempty"` // as in [SignWeights]
	Parents []string // as in [SignWeights]
	AtLeast *float64 `json:",omitempty"`
	AtMost  *float64 `json:",omitempty"`
}

var (
	_ Constraint = SignWeights{}
	_ Constraint = BoundWeights{}
)

// String prints the statement, as in "the weight of MSFT for DELL is positive or 0 given market=up".
func (s SignWeights) String() string {
	return ofWeights(s.Parents, s.Var) + s.Sign.String() + " or 0" + givenWeights(s.Given)
}

// String prints the statement, as in "the weights of MSFT and INTL for DELL are between 0.2 and 0.4".
func (s BoundWeights) String() string {
	text := ofWeights(s.Parents, s.Var)
	switch {
	case s.AtLeast != nil && s.AtMost != nil:
		text += fmt.Sprintf("between %v and %v", *s.AtLeast, *s.AtMost)
	case s.AtLeast != nil:
		text += fmt.Sprintf("at least %v", *s.AtLeast)
	case s.AtMost != nil:
		text += fmt.Sprintf("at most %v", *s.AtMost)
	default:
		text += "bounded by nothing"
	}
	return text + givenWeights(s.Given)
}

// ofWeights begins a sentence, as in "the weight of MSFT for DELL is ".
func ofWeights(parents []string, child string) string {
	noun, verb := "the weight of ", " is "
	if len(parents) > 1 {
		noun, verb = "the weights of ", " are "
	}
	last := max(len(parents)-1, 0)
	list := strings.Join(parents[last:], "")
	if last > 0 {
		list = strings.Join(parents[:last], ", ") + " and " + list
	}
	return noun + list + " for " + child + verb
}

// Bind implements [Constraint]. It returns an error for no parents, one that is named twice or is no continuous parent,
// and for an unknown sign.
func (s SignWeights) Bind(net *bn.Network) ([]Bound, error) {
	if err := s.Sign.check(); err != nil {
		return nil, wrong(s, err)
	}
	zero := 0.0
	if s.Sign == Negative {
		return limitWeights(net, s, s.Var, s.Given, s.Parents, nil, &zero)
	}
	return limitWeights(net, s, s.Var, s.Given, s.Parents, &zero, nil)
}

// Bind implements [Constraint]. It returns an error for no parents, one that is named twice or is no continuous parent,
// and for bounds that are missing, not finite or reversed.
func (s BoundWeights) Bind(net *bn.Network) ([]Bound, error) {
	if s.AtLeast == nil && s.AtMost == nil {
		return nil, wrong(s, errors.New("it has no bound; give AtLeast, AtMost or both, as in AtLeast: new(0.2)"))
	}
	for _, x := range []*float64{s.AtLeast, s.AtMost} {
		if x != nil && !(math.Abs(*x) <= 1e100) {
			return nil, wrong(s, say.Errorf("a bound is %v; give a finite number, 1e100 at most", *x))
		}
	}
	if s.AtLeast != nil && s.AtMost != nil && *s.AtLeast > *s.AtMost {
		return nil, wrong(s, say.Errorf("the interval is reversed; give AtLeast %v and AtMost %v", *s.AtMost,
			*s.AtLeast))
	}
	return limitWeights(net, s, s.Var, s.Given, s.Parents, s.AtLeast, s.AtMost)
}

// limitWeights binds limits of each weight in each matching configuration.
func limitWeights(net *bn.Network, s Constraint, child string, given bn.Given, parents []string,
	low, high *float64) ([]Bound, error) {
	f, err := regressionOf(net, s, child)
	if err != nil {
		return nil, err
	}
	configs, err := f.matching(given)
	if err != nil {
		return nil, wrong(s, err)
	}
	if len(parents) == 0 {
		return nil, wrong(s, say.Errorf("it names no parents; name one at least of %s",
			names(f.node.Continuous)))
	}
	groups := make([][]WeightTerm, len(parents))
	for i, name := range parents {
		p, err := f.parent(name)
		if err != nil {
			return nil, wrong(s, err)
		}
		if slices.Contains(parents[:i], name) {
			return nil, wrong(s, say.Errorf("%w: %q appears twice; name it once", bn.ErrDuplicate, name))
		}
		groups[i] = []WeightTerm{{Parent: p, Scale: 1}}
	}
	bounds := f.each(configs, groups)
	for _, b := range bounds {
		for i := range b.Shares {
			b.Shares[i].AtLeast, b.Shares[i].AtMost = low, high
		}
	}
	return bounds, nil
}

// Limits are the least and the largest value of β, infinite where there is none.
func (w Weights) Limits() (low, high float64) {
	low, high = math.Inf(-1), math.Inf(1)
	if w.AtLeast != nil {
		low = *w.AtLeast
	}
	if w.AtMost != nil {
		high = *w.AtMost
	}
	return low, high
}

// limit puts the limits of shares onto the joined ones, of which place has that of each root.
func (f weightForest) limit(net *bn.Network, joined []Weights, place map[coefficient]int, shares []Weights,
	of []Constraint) error {
	lowBy, highBy := make([]Constraint, len(joined)), make([]Constraint, len(joined))
	for i, s := range shares {
		low, high := s.Limits()
		if math.IsInf(low, -1) && math.IsInf(high, 1) {
			continue
		}
		first := s.Terms[0]
		root, ratio := f.find(coefficient{s.Var, first.Config, first.Parent})
		scale := first.Scale / ratio // of β of the joined ones, for one of s
		if low, high = low*scale, high*scale; scale < 0 {
			low, high = high, low
		}
		at := place[root]
		to := &joined[at]
		if l, _ := to.Limits(); low > l {
			to.AtLeast, lowBy[at] = &low, of[i]
		}
		if _, h := to.Limits(); high < h {
			to.AtMost, highBy[at] = &high, of[i]
		}
		if l, h := to.Limits(); l > h {
			return say.Errorf("constraint: %w: %q and %q leave no value for the weight of %s; change or drop one",
				ErrInfeasible, lowBy[at], highBy[at],
				coefficientName(net, coefficient{s.Var, first.Config, first.Parent}))
		}
	}
	return nil
}
