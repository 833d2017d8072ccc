package structure

import (
	"fmt"

	"bnlab/bnkit/bn"
)

// BDe is the log marginal likelihood under Dirichlet priors that are worth EquivalentSize cases
// drawn from a prior network: a cell has the parameter EquivalentSize × its probability in the prior
// network (Heckerman, Geiger and Chickering 1995, Eq. 28). Variables are found in it by name and
// states in the same order; it may have more. Nil is the uniform joint distribution: [BDeu].
type BDe struct {
	EquivalentSize float64     // in cases; 0 means 1
	Prior          *bn.Network // nil for the uniform one
}

// Family scores one family.
func (s BDe) Family(c *Counts) float64 { return BDeu{s.EquivalentSize}.Family(c) }

func (s BDe) String() string {
	return fmt.Sprintf("BDe with equivalent sample size %g", BDeu{s.EquivalentSize}.size())
}
