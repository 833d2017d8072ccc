package constraint

import (
	"slices"
	"strings"

	"bnlab/bnkit/bn"
)

// Describe says in words what kind of statement s is and what is odd about it in a network. The class is the number
// and name of its type in N06 §4.3, as in "10 inequality between sums", or "linear" and "nonlinear" for what has no
// type there; a type of another package is "of its own". Odd is an order of two states that stand by their letters,
// which nobody declared, where the names say the opposite, as high < low, or nothing, as female < male; or how many
// rows it ties or binds that differ in a parent which it does not name, where its sentence may be read otherwise. It is
// empty when there is nothing to say, also of names that the network does not have and of no network.
func Describe(net *bn.Network, s Constraint) (class, odd string) {
	if net != nil {
		odd = strings.Trim(orderNote(net, s)+"; "+widely(net, s), "; ")
	}
	return classOf(s), odd
}

func classOf(s Constraint) string {
	switch s := s.(type) {
	case Fixed, *Fixed:
		return "1 known values"
	case ShareStates, *ShareStates:
		return "2 sharing in one distribution"
	case Proportional, *Proportional:
		return "3 proportions in one distribution"
	case ShareSums, *ShareSums:
		return "4 equal sums in one distribution"
	case ShareRatios, *ShareRatios:
		return "5 equal ratios in one distribution"
	case ShareAcross, *ShareAcross, ShareCells, *ShareCells, ShareTables, *ShareTables:
		return "6 sharing over distributions"
	case ShareHierarchy, *ShareHierarchy:
		return "7 hierarchical sharing"
	case ShareSumsAcross, *ShareSumsAcross:
		return "8 equal sums over distributions"
	case ShareRatiosAcross, *ShareRatiosAcross:
		return "9 equal ratios over distributions"
	case OrderSums, *OrderSums:
		return "10 inequality between sums"
	case AtMost, *AtMost:
		return "11 upper bound on a sum"
	case AtLeast, *AtLeast:
		return "11 lower bound on a sum"
	case Between, *Between:
		return "11 bounds on a sum"
	case ShareWeights, *ShareWeights:
		return "12 equal weights"
	case ShareWeightsAcross, *ShareWeightsAcross:
		return "12 equal weights over distributions"
	case SignWeights, *SignWeights:
		return "signs of weights"
	case BoundWeights, *BoundWeights:
		return "bounds on weights"
	case ProportionalWeights, *ProportionalWeights:
		return "13 weights in proportion"
	case LinearSum, *LinearSum:
		return "linear"
	case Influence, *Influence:
		return "qualitative influence (W00)"
	case NoisyOR, *NoisyOR:
		return "noisy-OR of sets (Y13)"
	case NoisyMAX, *NoisyMAX:
		return "noisy-MAX of sets (Díez 1993)"
	case Synergy, *Synergy:
		return "qualitative synergy (Y13)"
	case AtPrice:
		return atPrice(s)
	case *AtPrice:
		return atPrice(*s)
	case Formula, *Formula:
		return "nonlinear"
	}
	return "of its own"
}

func atPrice(s AtPrice) string {
	if isNil(s.Statement) {
		return "at a price"
	}
	return classOf(s.Statement) + ", at a price"
}

// Methods says, for each statement that was compiled, by which methods the distributions
// that it links will be solved, in the words of [Part.Method]; which is a closed form when the
// counts need no inequality. A statement that says nothing of the network has none.
func (p *Problem) Methods() []string {
	of := make([][]string, len(p.statements))
	for _, part := range p.parts {
		for _, s := range p.statementsOf(part.members) {
			for _, m := range part.methods() {
				if !slices.Contains(of[s], m) {
					of[s] = append(of[s], m)
				}
			}
		}
	}
	out := make([]string, len(of))
	for s, methods := range of {
		out[s] = strings.Join(methods, ", ")
	}
	return out
}

// methods of the cores; steps alone are a closed form.
func (p *plan) methods() []string {
	if len(p.cores) == 0 {
		return []string{"closed form"}
	}
	var list []string
	for _, c := range p.cores {
		name := c.MethodName()
		if name == "" { // which of them, the counts decide
			name = "dual Newton or interior point"
		}
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// Counts are the effective counts n that were maximised: observed or expected ones, plus
// pseudocounts, as they were then. The slice is the solution's own: do not change it.
func (s *Solution) Counts() []float64 { return s.counts }

// IsInequality reports whether a statement of this package leaves a set of tables to which a density gives a
// probability between 0 and 1, so that data can make it more or less probable.
func IsInequality(s Constraint) bool {
	switch s := s.(type) {
	case OrderSums, *OrderSums, AtMost, *AtMost, AtLeast, *AtLeast, Between, *Between,
		Influence, *Influence, Synergy, *Synergy:
		return true
	case LinearSum:
		return s.Relation != Equal
	case *LinearSum:
		return s.Relation != Equal
	}
	return false
}
