package hierarchy

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat"

	"bnlab/experiments/run"
)

// parentClaims are about the numbers of parents by which arity and length were chosen: that one setting has
// both could have come out otherwise, the first of them alone could not.
func (v view) parentClaims(p *Panel) {
	at := slices.Index(p.X, v.Study.Config.Change)
	if at < 0 {
		at = len(p.X) - 1
	}
	note := fmt.Sprintf("arity %d and %d images were chosen from the grid of b06-sensitivity.csv by this number and "+
		"the other together; the band is of single networks", v.Study.Config.Arity, v.Study.Config.Length)
	for _, one := range []struct {
		claim     string
		search    int
		published float64
	}{
		{"approximately one parent was added per child in the flat search", v.flat, flatParents},
		{"approximately 0.3 parents were added per child in the parent-wise search", v.pw, pwParents},
	} {
		found := values(p.Outcomes[at][one.search], parentsOf)
		v.job.Number(run.Statement{Claim: one.claim, Source: partIID, Data: run.Simulated, Unit: "parents a child",
			Prediction: run.PredictUnknown, Note: note}, one.published, stat.Mean(found, nil), run.NewBand(found))
	}
}
