package knowledge_test

import (
	"bnlab/bnkit/constraint"
)

func everyClass() []constraint.Constraint {
	return []constraint.Constraint{
		constraint.Known{}, constraint.ShareStates{}, constraint.Proportional{}, constraint.ShareSums{}, constraint.ShareRatios{},
		constraint.ShareAcross{}, constraint.ShareCells{}, constraint.ShareTables{}, constraint.ShareHierarchy{}, constraint.ShareSumsAcross{},
		constraint.ShareRatiosAcross{}, constraint.OrderSums{}, constraint.AtMost{}, constraint.AtLeast{}, constraint.LinearSum{},
		constraint.Influence{}, constraint.Synergy{}, constraint.NoisyOR{}, constraint.ShareWeights{}, constraint.ProportionalWeights{}, constraint.ShareWeightsAcross{},
	}
}
