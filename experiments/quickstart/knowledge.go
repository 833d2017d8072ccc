package quickstart

import (
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// Target is the variable to predict: did the cancer come back?
const Target = "class"

// Structure draws the network: the grade of the tumour and whether it has broken
// through the capsule of a lymph node drive the choice of radiotherapy, and all three
// may drive recurrence.
const Structure = "[deg_malig][node_caps|deg_malig][irradiat|deg_malig:node_caps][class|deg_malig:node_caps:irradiat]"

// Knowledge is what the experiment holds to be known, fixed before any run: grades 1
// and 2 carry the same risk, and once grade and node capsule are known, whether
// radiotherapy was given tells nothing more (it was given because of them).
func Knowledge() []constraint.Constraint {
	share := func(given ...bn.Given) constraint.Constraint {
		return constraint.ShareAcross{Var: Target, Given: given}
	}
	return []constraint.Constraint{
		share(bn.Given{"deg_malig": "1", "node_caps": "no"}, bn.Given{"deg_malig": "2", "node_caps": "no"}),
		share(bn.Given{"deg_malig": "1", "node_caps": "yes"}, bn.Given{"deg_malig": "2", "node_caps": "yes"}),
		share(bn.Given{"deg_malig": "3", "node_caps": "no"}),
		share(bn.Given{"deg_malig": "3", "node_caps": "yes"}),
	}
}
