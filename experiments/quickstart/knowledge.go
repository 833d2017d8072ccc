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
	return []constraint.Constraint{
		constraint.ShareAcross{Var: Target, ForEach: []string{"node_caps"}, Given: []bn.Given{{"deg_malig": "1"}, {"deg_malig": "2"}}},
		constraint.ShareAcross{Var: Target, ForEach: []string{"deg_malig", "node_caps"}},
	}
}
